import { expect } from 'chai';
import fc from 'fast-check';
import { TIMES } from '#adapters/tracing/engine/finer/finer-picture.js';
import { SEGMENT_CIRCLE } from '#adapters/tracing/engine/fit/curves.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { validatePlanarMap } from '#adapters/tracing/engine/planar-map/validate.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { EngineResult, EngineSettings } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';
import { COORDS_PER_COMMAND, visitPath } from '#domain/drawing/drawing.js';
import { ENGINE, type EngineParts, LETTER_COLORS, partsOfLetters, partsOfPicture } from '#test/support/engine-parts.js';
import { bar, circle, ellipse, rectangle } from '#test/support/outlines.js';
import { layer, linearShade, paint, pixelwise, radialShade, testPictures } from '#test/support/pictures.js';
import { holds, SEED } from '#test/support/properties.js';
import { countSelfCrossings } from '#test/support/self-crossings.js';

const SLACK_PX = 2;
const FREE = () => undefined;

function expectWithin(values: Iterable<number>, low: number, high: number, what: string): void {
  for (const value of values)
    if (!(value >= low && value <= high)) expect.fail(`${what}: ${value} is not within ${low} and ${high}`);
}

/** What must hold of every partition, its boundaries and their curves. */
function expectSound({ regions, map, loops, samples, nodes, curves }: EngineParts): void {
  const { width, height } = regions;
  expect(validatePlanarMap(map, loops, regions)).to.deep.equal([]);
  const counted = new Int32Array(regions.count);
  for (const region of regions.of) counted[region]!++;
  expect(counted).to.deep.equal(regions.areaPx);
  expect(regions.areaPx.reduce((sum, area) => sum + area, 0)).to.equal(width * height);
  expectWithin(samples.x, -SLACK_PX, width + SLACK_PX, 'sample x');
  expectWithin(samples.y, -SLACK_PX, height + SLACK_PX, 'sample y');
  expectWithin(samples.weight, 0, 1, 'weight');
  expectWithin(
    nodes.filter((_, k) => k % 2 === 0),
    -SLACK_PX,
    width + SLACK_PX,
    'node x',
  );
  expectWithin(
    nodes.filter((_, k) => k % 2 === 1),
    -SLACK_PX,
    height + SLACK_PX,
    'node y',
  );
  expect(curves.chainCount).to.equal(map.chainCount);
  // Chains are unbroken and end at their nodes, to the bit.
  for (let c = 0; c < map.chainCount; c++) {
    const first = curves.starts[c]!;
    const end = curves.starts[c + 1]!;
    expect(end).to.be.greaterThan(first);
    if (curves.kinds[first]! >= SEGMENT_CIRCLE) continue;
    for (let s = first + 1; s < end; s++)
      for (let k = 0; k < 2; k++) expect(curves.points[s * 8 + k]).to.equal(curves.points[s * 8 - 2 + k]);
    for (let k = 0; k < 2; k++) {
      const begin = curves.points[first * 8 + k];
      const last = curves.points[end * 8 - 2 + k];
      const startNode = map.startNode[c]!;
      expect(begin).to.equal(startNode < 0 ? last : nodes[2 * startNode + k]);
      if (startNode >= 0) expect(last).to.equal(nodes[2 * map.endNode[c]! + k]);
    }
  }
}

/** What must hold of every drawing. */
function expectDrawable({ drawing, enlargedFrom }: EngineResult, raster: Raster, { finerFrom }: EngineSettings): void {
  const { width, height } = drawing;
  const times = enlargedFrom !== null || finerFrom === Infinity || width === raster.width ? 1 : TIMES;
  const own = enlargedFrom ?? raster;
  expect([width, height]).to.deep.equal([own.width * times, own.height * times]);
  let command = 0;
  let coord = 0;
  let last: unknown;
  for (const { geometry, fill, stroke, visibleAreaPx } of drawing.items) {
    expect(fill !== null || stroke !== null).to.equal(true);
    expect(visibleAreaPx).to.be.within(0, width * height);
    if (geometry.kind === 'circle') {
      expectWithin([geometry.cx - geometry.r, geometry.cx + geometry.r], -SLACK_PX, width + SLACK_PX, 'circle x');
      expectWithin([geometry.cy - geometry.r, geometry.cy + geometry.r], -SLACK_PX, height + SLACK_PX, 'circle y');
      expect(geometry.r).to.be.greaterThan(0);
    } else if (geometry.kind === 'ellipse') {
      expectWithin([geometry.cx], -SLACK_PX, width + SLACK_PX, 'ellipse x');
      expectWithin([geometry.cy], -SLACK_PX, height + SLACK_PX, 'ellipse y');
      expectWithin([geometry.rx, geometry.ry], 0, width + height, 'ellipse radius');
    } else if (geometry.kind === 'rect') {
      expectWithin([geometry.radius], 0, Math.min(geometry.width, geometry.height) / 2, 'rect radius');
      expectWithin([geometry.x, geometry.x + geometry.width], -SLACK_PX, width + SLACK_PX, 'rect x');
      expectWithin([geometry.y, geometry.y + geometry.height], -SLACK_PX, height + SLACK_PX, 'rect y');
    } else if (geometry !== last) {
      // Ranges follow each other and cover the shared arrays; gradients on each other have one outline.
      expect([geometry.firstCommand, geometry.firstCoord]).to.deep.equal([command, coord]);
      expect(geometry.commandCount).to.be.greaterThan(0);
      for (let k = 0; k < geometry.commandCount; k++) coord += COORDS_PER_COMMAND[drawing.commands[command++]!]!;
    }
    last = geometry;
  }
  expect([command, coord]).to.deep.equal([drawing.commands.length, drawing.coords.length]);
  expectPathsWithin(drawing, width, height);
}

/** Every point of every outline near the picture, and every number finite. Handles may lie outside: the curve does not. */
function expectPathsWithin(drawing: EngineResult['drawing'], width: number, height: number): void {
  expectWithin(drawing.coords, -1e6, 1e6, 'coordinate');
  const point = (x: number, y: number) => {
    expectWithin([x], -SLACK_PX, width + SLACK_PX, 'x');
    expectWithin([y], -SLACK_PX, height + SLACK_PX, 'y');
    penX = x;
    penY = y;
  };
  let penX = 0;
  let penY = 0;
  for (const { geometry } of drawing.items) {
    if (geometry.kind !== 'path') continue;
    visitPath(geometry, drawing, {
      move: point,
      line: point,
      quadratic: () => expect.fail('the engine writes no quadratics'),
      cubic(x1, y1, x2, y2, x, y) {
        const [x0, y0] = [penX, penY];
        for (let k = 1; k < 8; k++) {
          const t = k / 8;
          const u = 1 - t;
          const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
          point(a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y);
        }
        point(x, y);
      },
      arc(rx, ry, _rotation, _large, _sweep, x, y) {
        expectWithin([rx, ry], 0, width + height, 'radius');
        point(x, y);
      },
      close: () => undefined,
    });
  }
}

const bytesOf = ({ drawing, ...rest }: EngineResult) =>
  JSON.stringify([rest, drawing.items, [...drawing.commands], [...drawing.coords]]);

function expectSoundTrace(raster: Raster, settings: EngineSettings): EngineResult {
  const before = Uint8Array.from(raster.data);
  const result = trace(raster, settings, FREE);
  expectDrawable(result, raster, settings);
  expect(bytesOf(trace(raster, settings, FREE)) === bytesOf(result), 'the same bytes on a second run').to.equal(true);
  expect(raster.data).to.deep.equal(before);
  return result;
}

const LETTERS = Object.keys(LETTER_COLORS);

/** Rows of letters, 1 to 24 a side, of up to five colors with some that are half or not at all seen. */
const anyLetters = fc
  .record({
    width: fc.integer({ min: 1, max: 24 }),
    height: fc.integer({ min: 1, max: 24 }),
    palette: fc.subarray(LETTERS, { minLength: 1, maxLength: 5 }),
  })
  .chain(({ width, height, palette }) =>
    fc
      .array(fc.nat({ max: palette.length * 3 - 1 }), { minLength: width * height, maxLength: width * height })
      // One color is more likely than the others: large regions beside specks.
      .map((cells) =>
        Array.from({ length: height }, (_, y) =>
          cells
            .slice(y * width, (y + 1) * width)
            .map((n) => palette[n < palette.length ? n : 0]!)
            .join(''),
        ),
      ),
  );

/** Pictures with soft edges: random letters, each pixel mixed with its right and lower neighbor. */
const anyPicture = fc.tuple(anyLetters, fc.boolean()).map(([rows, soft]) =>
  pixelwise(rows[0]!.length, rows.length, (x, y) => {
    const at = (u: number, v: number) =>
      LETTER_COLORS[rows[Math.min(v, rows.length - 1)]![Math.min(u, rows[0]!.length - 1)]!]!;
    const mix = (c: number) =>
      Math.round(soft ? (at(x, y)[c]! * 2 + at(x + 1, y)[c]! + at(x, y + 1)[c]!) / 4 : at(x, y)[c]!);
    return [mix(0), mix(1), mix(2), mix(3)];
  }),
);

const anyColor = fc.tuple(
  fc.integer({ min: 0, max: 255 }),
  fc.integer({ min: 0, max: 255 }),
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(1, 1, 1, 0.5, 0),
);

/** A smooth color change, straight or round, over the whole picture or within a shape, with a disk upon it. */
const anyGradientPicture = fc
  .record({
    width: fc.integer({ min: 20, max: 72 }),
    height: fc.integer({ min: 20, max: 72 }),
    from: anyColor,
    to: anyColor,
    at: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: -10, max: 80 }))),
    round: fc.boolean(),
    whole: fc.boolean(),
    ground: fc.constantFrom(null, 0xffffff, 0x203040),
  })
  .map(({ width, height, from, to, at: [x1, y1, x2, y2], round, whole, ground }) => {
    const away = Math.max(8, Math.hypot(x2! - x1!, y2! - y1!));
    const shade = round ? radialShade(x1!, y1!, away, from, to) : linearShade(x1!, y1!, x1! + away, y2!, from, to);
    const outline = whole
      ? rectangle(0, 0, width, height)
      : ellipse(width / 2, height / 2, width / 2.3, height / 2.6, 20);
    return paint(width, height, ground, [
      { color: 0, outline: [outline], shade },
      layer(0xe63946, circle(width / 2.1, height / 1.9, 5.3)),
    ]);
  });

/** Evenly spread, as numbers with many digits are not. */
const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100);

/** Bars with an outline, of a pixel or two in all, that lie across each other, on a ground or on nothing. */
const anyThicket = fc
  .record({
    width: fc.integer({ min: 36, max: 64 }),
    height: fc.integer({ min: 36, max: 64 }),
    ground: fc.constantFrom(null, 0xffffff, 0x203040),
    bars: fc.array(fc.tuple(hundredths(-10, 110), hundredths(-10, 110), hundredths(0, 628), hundredths(40, 160)), {
      minLength: 8,
      maxLength: 16,
    }),
  })
  .map(({ width, height, ground, bars }) =>
    paint(
      width,
      height,
      ground,
      bars.flatMap(([x, y, angle, wide], k) => {
        const [dx, dy] = [20 * Math.cos(angle), 20 * Math.sin(angle)];
        const lying = (more: number) =>
          bar(x * width - dx, y * height - dy, x * width + dx, y * height + dy, wide + more);
        return [layer(0x85340a, lying(1.2)), layer(k % 2 === 0 ? 0xf6b40e : 0x2a9d8f, lying(0))];
      }),
    ),
  );

/** Cards with thin borders, one in another or across others, as screens and tables have. */
const anyCards = fc
  .record({
    width: fc.integer({ min: 48, max: 90 }),
    height: fc.integer({ min: 48, max: 90 }),
    ground: fc.constantFrom(0xffffff, 0xf5f6f8, 0x203040),
    line: fc.constantFrom(0x8a8a8a, 0xd0d4da, 0x2f6fed, 0x000000),
    cards: fc.array(
      fc.tuple(hundredths(-10, 60), hundredths(-10, 60), hundredths(35, 110), hundredths(35, 110), hundredths(30, 190)),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ width, height, ground, line, cards }) =>
    paint(
      width,
      height,
      ground,
      cards.flatMap(([x, y, wide, high, pen], k) => {
        const grown = (by: number) =>
          rectangle(x * width - by, y * height - by, wide * width + 2 * by, high * height + 2 * by);
        return [layer(line, grown(pen)), layer([0xffffff, 0xdfe2e0, 0xd9f0c8, 0x04471c][k] as number, grown(0))];
      }),
    ),
  );

const anySettings: fc.Arbitrary<EngineSettings> = fc.record({
  frontend: fc.constantFrom('auto', 'flat', 'photo', 'pixel'),
  colorMode: fc.constantFrom('color', 'grayscale', 'bw', 'outline'),
  centerline: fc.boolean(),
  tolerancePx: fc.constantFrom(0.25, 0.42, 1.2),
  cornerPx: fc.constantFrom(0.2, 0.34, 1.1),
  segmentPrice: fc.constantFrom(0.3, 1, 8),
  refineRounds: fc.constantFrom(0, 3, 12),
  settleRounds: fc.constantFrom(0, 2, 8),
  splitPrice: fc.constantFrom(0.1, 1, Infinity),
  finerFrom: fc.constantFrom(0, 8, Infinity),
  minAreaPx: fc.constantFrom(0, 1, 4, 40),
  minDetailAreaPx: fc.constantFrom(0, 1, 4, 40),
  minDotAreaPx: fc.constantFrom(0, 1, 4, 40),
  noiseAreaPx: fc.constantFrom(0, 1, 4, 40),
  mergeDistance: fc.constantFrom(0, 0.02, 0.045),
  exactColors: fc.boolean(),
  colorCount: fc.constantFrom(0, 2, 3, 64),
  fixedPalette: fc.constantFrom([], [], [0xff0000], [0x000000, 0xffffff, 0x00ff00]),
  photoLambda: fc.constantFrom(100, 900, 8000),
  mostRegions: fc.constantFrom(40, 1 << 17),
  cleanup: fc.constantFrom(0, 2, 4),
  sharpen: fc.boolean(),
  gradients: fc.constantFrom('on', 'auto', 'off'),
  stacking: fc.constantFrom('stacked', 'cutouts'),
  gapCleanup: fc.constantFrom('off', 'stroke', 'underlap'),
  primitives: fc.boolean(),
  straightOnly: fc.boolean(),
  removeBackground: fc.boolean(),
  recoverPixelGrid: fc.boolean(),
  arcs: fc.boolean(),
});

/** Red, green, blue and alpha by letter. */
type LetterColors = Readonly<Record<string, readonly [number, number, number, number]>>;

const inLetters = (rows: readonly string[], colors: LetterColors): Raster =>
  pixelwise(rows[0]!.length, rows.length, (x, y) => colors[rows[y]![x]!]!);

/** Colors and rows of a picture that was found by seed 20261385. */
const REACHING_COLORS: LetterColors = {
  '.': [0, 0, 0, 0],
  a: [111, 59, 22, 128],
  b: [61, 49, 12, 64],
  c: [250, 226, 152, 255],
  d: [183, 147, 36, 191],
  e: [122, 98, 24, 128],
  f: [89, 69, 69, 96],
  g: [50, 10, 10, 64],
  h: [25, 5, 5, 32],
  i: [64, 64, 64, 64],
  j: [128, 128, 128, 128],
  k: [191, 191, 191, 191],
  l: [252, 240, 203, 255],
  m: [178, 138, 138, 192],
  n: [153, 133, 133, 160],
  o: [186, 162, 88, 191],
  p: [147, 103, 29, 160],
  q: [75, 15, 15, 96],
  r: [189, 177, 140, 191],
  s: [247, 211, 100, 255],
  t: [125, 113, 76, 128],
  u: [216, 196, 196, 223],
};
const REACHING_ROWS = [
  '....abc..ddefghi......',
  'jk..ejle...ijfmjh.....',
  'kj..iknb....iljg......',
  '.....h.....b.d.g......',
  '............b.........',
  '......................',
  '......................',
  '.......bbei...........',
  '.......ebheo..........',
  '.o.....bpaoj..........',
  '.k............hqa.....',
  'irolse.........tp.....',
  '...kj..........ug.....',
  '...b.b.........j......',
  '..............kte.....',
  '..............ljt...ih',
  '..............etj..tn.',
  '..........hgb..e...d..',
  '..........bbd.........',
];

/** And of one that was found by seed 7. */
const SWINGING_COLORS: LetterColors = {
  '.': [0, 0, 0, 0],
  a: [61, 49, 12, 64],
  b: [122, 98, 24, 128],
  c: [64, 64, 64, 64],
  d: [11, 39, 36, 64],
  e: [128, 128, 128, 128],
  f: [183, 147, 36, 191],
  g: [21, 79, 72, 128],
  h: [72, 88, 48, 128],
  i: [82, 128, 84, 191],
  j: [25, 5, 5, 32],
  k: [125, 113, 76, 128],
  l: [189, 177, 140, 191],
  m: [133, 137, 60, 191],
  n: [93, 167, 119, 255],
  o: [172, 108, 34, 192],
};
const SWINGING_ROWS = [
  '............',
  '............',
  '............',
  '.a......a.a.',
  'ab.a...bbab.',
  '..ab..kb....',
  '.a.a.ce.....',
  'abab..c.a.c.',
  '.ca.aceabce.',
  'clbab.......',
  'a.c.........',
  'bce.........',
  '............',
  '.ad.........',
  'bmgc.a......',
  'f.ceabaa....',
  'bd...hfb.d..',
  'di..hg..dg..',
  'ab.hf.a.....',
  '..dibab....d',
  'c..a.a..jadn',
  'e.abab.jobaf',
  '.......af...',
];

describe(`the engine's invariants (seed ${process.env.BURIN_TEST_SEED ?? SEED})`, () => {
  it('hold of every partition of every test picture', async () => {
    let pictures = 0;
    for (const { name, raster } of await testPictures()) {
      for (const minAreaPx of [0, 4]) {
        try {
          expectSound(partsOfPicture(raster, {}, minAreaPx));
        } catch (error) {
          // A picture with no flat pixel has no palette; that is for the photo front end.
          if (!(name === 'noise' || name === 'gradient'))
            throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
        }
      }
      pictures++;
    }
    expect(pictures).to.be.greaterThan(35);
  });

  it('hold of random label maps', () => {
    let maps = 0;
    holds(
      fc.property(anyLetters, (rows) => {
        expectSound(partsOfLetters(rows));
        maps++;
      }),
      Number(process.env.BURIN_TEST_RUNS ?? 2000),
    );
    expect(maps).to.be.at.least(2000);
  });

  it('hold of every drawing of every test picture, in color, grays, two colors and outlines', async () => {
    let drawings = 0;
    for (const { name, raster } of await testPictures())
      for (const colorMode of ['color', 'grayscale', 'bw', 'outline'] as const) {
        try {
          const { drawing } = expectSoundTrace(raster, { ...ENGINE, colorMode });
          const transparent = raster.data.every((v, i) => i % 4 !== 3 || v === 0);
          if (colorMode === 'color') expect(drawing.items.length > 0).to.equal(!transparent);
        } catch (error) {
          throw new Error(`${name}, ${colorMode}: ${(error as Error).message}`, { cause: error });
        }
        drawings++;
      }
    expect(drawings).to.be.greaterThan(140);
  });

  it('hold of random pictures under any settings', () => {
    let drawings = 0;
    holds(
      fc.property(anyPicture, anySettings, (raster, settings) => {
        expectSoundTrace(raster, settings);
        drawings++;
      }),
      Number(process.env.BURIN_TEST_RUNS ?? 2000),
    );
    expect(drawings).to.be.at.least(2000);
  });

  it('hold of a picture whose curves, fitted and left so, swung out of it', () => {
    const raster = inLetters(SWINGING_ROWS, SWINGING_COLORS);
    const coarse = {
      tolerancePx: 1.2,
      cornerPx: 0.2,
      refineRounds: 12,
      settleRounds: 0,
      splitPrice: 0.1,
      minAreaPx: 0,
      minDetailAreaPx: 0,
      minDotAreaPx: 0,
    };
    const settings = {
      ...ENGINE,
      ...coarse,
      segmentPrice: 1,
      colorMode: 'bw' as const,
      sharpen: true,
      cleanup: 0,
      mergeDistance: 0,
    };
    expectSoundTrace(raster, {
      ...settings,
      stacking: 'stacked',
      primitives: false,
      arcs: false,
      centerline: false,
      straightOnly: false,
    });
  });

  it('hold of a picture of which a dot at the border grew beyond it', () => {
    const raster = inLetters(REACHING_ROWS, REACHING_COLORS);
    const fine = {
      tolerancePx: 0.25,
      cornerPx: 0.2,
      refineRounds: 0,
      splitPrice: 0.1,
      minAreaPx: 0,
      minDetailAreaPx: 0,
      minDotAreaPx: 0,
      noiseAreaPx: 0,
      mergeDistance: 0,
      cleanup: 0,
    };
    expectSoundTrace(raster, {
      ...ENGINE,
      ...fine,
      segmentPrice: 0.3,
      colorCount: 3,
      centerline: true,
      sharpen: true,
      primitives: true,
    });
  });

  it('hold of random pictures with gradients, under any settings', () => {
    let drawings = 0;
    let gradients = 0;
    holds(
      fc.property(anyGradientPicture, anySettings, (raster, settings) => {
        // A palette that is asked for and other color modes have no gradients.
        const free = { ...settings, fixedPalette: [], colorCount: 0, colorMode: 'color', frontend: 'auto' } as const;
        const { drawing } = expectSoundTrace(raster, { ...free, gradients: drawings % 4 === 0 ? 'off' : 'on' });
        drawings++;
        if (drawing.items.some(({ fill }) => fill !== null && fill.kind !== 'solid')) gradients++;
      }),
      Math.max(100, Math.round(Number(process.env.BURIN_TEST_RUNS ?? 2000) / 20)),
    );
    expect(drawings).to.be.at.least(100);
    expect(gradients).to.be.greaterThan(15);
  });

  it('hold of random pictures of thin lines, most of them drawn from finer ones, under any settings', () => {
    let drawings = 0;
    let finer = 0;
    holds(
      fc.property(anyThicket, anySettings, (raster, settings) => {
        const free = { ...settings, finerFrom: 0, exactColors: false, fixedPalette: [], colorCount: 0 } as const;
        const asArt = {
          centerline: false,
          colorMode: 'color',
          frontend: 'flat',
          gradients: 'off',
          settleRounds: 4,
        } as const;
        const { drawing } = expectSoundTrace(raster, { ...free, ...asArt, recoverPixelGrid: false, sharpen: false });
        drawings++;
        if (drawing.width > raster.width) finer++;
      }),
      Math.max(100, Math.round(Number(process.env.BURIN_TEST_RUNS ?? 2000) / 20)),
    );
    expect(drawings).to.be.at.least(100);
    expect(finer).to.be.greaterThan(drawings / 2);
  });

  it('hold of random pictures of cards with thin borders, most of them found to be ruled, under any settings', () => {
    let pictures = 0;
    let ruled = 0;
    holds(
      fc.property(anyCards, anySettings, (raster, settings) => {
        pictures++;
        if (labelFlatArt(toWorkingPixels(raster), ENGINE)?.isRuled) ruled++;
        expectSoundTrace(raster, { ...settings, frontend: 'flat' });
      }),
      Math.max(100, Math.round(Number(process.env.BURIN_TEST_RUNS ?? 2000) / 20)),
    );
    expect(pictures).to.be.at.least(100);
    expect(ruled).to.be.greaterThan(pictures / 2);
  });

  it('have contours that do not cross themselves, but for a few in letters and where cells touch at corners', async () => {
    let crossings = 0;
    let pictures = 0;
    for (const { name, raster } of await testPictures()) {
      // Pictures with no flat pixel have no palette; those are for the photo front end.
      if (name === 'noise' || name === 'gradient') continue;
      const own = countSelfCrossings(partsOfPicture(raster));
      if (!name.includes('lettering') && !name.startsWith('checkerboard')) expect(own, name).to.equal(0);
      crossings += own;
      pictures++;
    }
    expect(crossings).to.be.at.most(8);
    expect(pictures).to.be.greaterThan(35);
  });

  it('give every checkpoint in order, and stop where one throws', async () => {
    const { raster } = (await testPictures())[0]!;
    const stages: string[] = [];
    trace(raster, ENGINE, (stage, fraction) => {
      expect(fraction).to.be.within(0, 1);
      if (stages.at(-1) !== stage) stages.push(stage);
    });
    expect(stages).to.deep.equal(['recover', 'segment', 'fit', 'write']);
    for (const stop of stages)
      expect(() =>
        trace(raster, ENGINE, (stage) => {
          if (stage === stop) throw new Error(`stopped at ${stop}`);
        }),
      ).to.throw(`stopped at ${stop}`);
  });
});
