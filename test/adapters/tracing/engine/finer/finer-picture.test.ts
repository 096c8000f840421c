import { expect } from 'chai';
import { type Finer, finerPicture, mixedOf, TIMES } from '#adapters/tracing/engine/finer/finer-picture.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { EngineSettings } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, type Contour, circle, lettering, rectangle } from '#test/support/outlines.js';
import { type Layer, layer, paint } from '#test/support/pictures.js';

const SIDE = 120;
const [WHITE, INK, GOLD, BROWN, BLUE] = [0xffffff, 0x101418, 0xf6b40e, 0x85340a, 0x1d3557];

/** An emblem: a golden sun whose rays have brown sides, on a blue ground, and rings of ink around it. */
function emblem(scale = 1, count = 22, [brown, gold] = [1.5, 0.8]): readonly Layer[] {
  const rays = (half: number): readonly Contour[] =>
    Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.3)) / count;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      return bar(60 + 14 * dx, 60 + 14 * dy, 60 + 40 * dx, 60 + 40 * dy, 2 * half);
    });
  const ring = (radius: number, width: number) => [
    layer(INK, circle(60, 60, radius + width / 2)),
    layer(BLUE, circle(60, 60, radius - width / 2)),
  ];
  const layers = [
    layer(BLUE, circle(60, 60, 55)),
    ...ring(50, 0.6),
    ...ring(46, 1.1),
    layer(BROWN, ...rays(brown)),
    layer(GOLD, ...rays(gold)),
    layer(BROWN, circle(60, 60, 16.4)),
    layer(GOLD, circle(60, 60, 15.6)),
  ];
  return layers.map((one) => ({ ...one, outline: one.outline.map((c) => c.map((value) => value * scale)) }));
}

/** With more rays, whose sides are thinner: those of the other one tell what they are of by how wide they are. */
const crowded = (scale: number) => emblem(scale, 36, [1.2, 0.6]);

const painted = (layers: (scale: number) => readonly Layer[], scale = 1): Raster =>
  paint(SIDE * scale, SIDE * scale, WHITE, layers(scale));

function finerOf(raster: Raster): Finer {
  const pixels = toWorkingPixels(raster);
  const { labels, channels, mixed } = labelFlatArt(pixels, ENGINE)!;
  return finerPicture(pixels, labels, channels, mixedOf(pixels, labels, channels, mixed!));
}

const rgbOf = ({ width, height, data }: { width: number; height: number; data: Uint8Array | Uint8ClampedArray }) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

const drawnWith = (raster: Raster, settings: Partial<EngineSettings>, report = (_stage: string, _done: number) => {}) =>
  trace(raster, { ...ENGINE, ...settings }, report).drawing;

const offBy = (raster: Raster, truth: Raster, settings: Partial<EngineSettings>): number => {
  const drawing = drawnWith(raster, settings);
  return differenceOf(referencePicture(drawing, (4 * raster.width) / drawing.width), rgbOf(truth)).mean;
};

describe('a finer picture', () => {
  it('has the means of the one that it stands for, pixel by pixel', () => {
    const given = painted(emblem);
    const { pixels } = finerOf(given);
    expect([pixels.width, pixels.height]).to.deep.equal([SIDE * TIMES, SIDE * TIMES]);
    let most = 0;
    let sum = 0;
    for (let y = 0; y < SIDE; y++)
      for (let x = 0; x < SIDE; x++)
        for (let c = 0; c < 4; c++) {
          let mean = 0;
          for (let k = 0; k < TIMES * TIMES; k++) {
            const at = (y * TIMES + Math.floor(k / TIMES)) * pixels.width + x * TIMES + (k % TIMES);
            mean += pixels.rgba[at * 4 + c]! / TIMES ** 2;
          }
          const off = Math.abs(mean - given.data[(y * SIDE + x) * 4 + c]!);
          most = Math.max(most, off);
          sum += off;
        }
    expect(sum / (SIDE * SIDE * 4), 'levels on average').to.be.below(0.15);
    // What no two or three colors explain is left as it is explained.
    expect(most).to.be.below(24);
  });

  it('is nearer to what was painted than the pixels repeated are, by far', () => {
    const given = painted(emblem);
    const truth = rgbOf(painted(emblem, TIMES));
    const { pixels } = finerOf(given);
    const repeated = Uint8Array.from({ length: truth.data.length }, (_, k) => {
      const [x, y] = [Math.floor(k / 3) % pixels.width, Math.floor(k / 3 / pixels.width)];
      return given.data[(Math.floor(y / TIMES) * SIDE + Math.floor(x / TIMES)) * 4 + (k % 3)]!;
    });
    const before = differenceOf({ ...truth, data: repeated }, truth).mean;
    const after = differenceOf(rgbOf({ ...pixels, data: pixels.rgba }), truth).mean;
    expect(after).to.be.below(0.45 * before);
  });

  it('draws slanted hairlines out along themselves, and gathers none to dots', () => {
    const slanted = (scale: number) => [layer(INK, bar(8 * scale, 11 * scale, 112 * scale, 67 * scale, 0.6 * scale))];
    const { pixels } = finerOf(painted(slanted));
    let least = Infinity;
    let most = 0;
    // How much ink is in each column, away from the ends.
    for (let x = 40; x < 200; x++) {
      let ink = 0;
      for (let y = 0; y < pixels.height; y++) ink += (255 - pixels.rgba[(y * pixels.width + x) * 4]!) / (255 - 0x10);
      least = Math.min(least, ink);
      most = Math.max(most, ink);
    }
    const whole = TIMES * 0.6 * Math.hypot(1, 56 / 104);
    expect(least).to.be.above(0.75 * whole);
    expect(most).to.be.below(1.25 * whole);
  });

  it('is the same to the byte every time', () => {
    const [first, second] = [finerOf(painted(emblem)), finerOf(painted(emblem))];
    expect(Buffer.from(first.pixels.rgba).equals(Buffer.from(second.pixels.rgba))).to.equal(true);
    expect(first.labeling.labels).to.deep.equal(second.labeling.labels);
  });
});

describe('flat art whose pixels do not tell enough', () => {
  it('is drawn from a finer picture, nearer to what it was', () => {
    const [given, truth] = [painted(crowded), painted(crowded, 4)];
    expect(drawnWith(given, { finerFrom: 6 }).width).to.equal(SIDE * TIMES);
    const own = offBy(given, truth, { finerFrom: Infinity });
    expect(offBy(given, truth, { finerFrom: 6 })).to.be.below(0.88 * own);
  });

  it('is so with a margin, too', () => {
    const wide = (scale: number) =>
      crowded(scale * (SIDE / 110)).map((one) => ({
        ...one,
        outline: one.outline.map((c) => c.map((value) => value - (5 * SIDE * scale) / 110)),
      }));
    const [given, truth] = [painted(wide), painted(wide, 4)];
    const drawing = drawnWith(given, { finerFrom: 6 });
    expect([drawing.width, drawing.height]).to.deep.equal([SIDE * TIMES, SIDE * TIMES]);
    expect(offBy(given, truth, { finerFrom: 6 })).to.be.below(offBy(given, truth, { finerFrom: Infinity }));
  });

  it('is writing of a few pixels, and no larger one', () => {
    const writing = (size: number) =>
      paint(SIDE, SIDE, WHITE, [
        layer(INK, ...[0, 1, 2, 3].flatMap((row) => lettering(6.3 + row / 3, 10.2 + 27.3 * row, size))),
        layer(INK, ...[0, 1, 2, 3].flatMap((row) => lettering(66.1 - row / 3, 10.7 + 27.3 * row, size))),
      ]);
    expect(drawnWith(writing(7), { finerFrom: 6 }).width).to.equal(SIDE * TIMES);
    expect(drawnWith(writing(17), { finerFrom: 6 }).width).to.equal(SIDE);
  });

  it('is no other: what is settled is drawn in its own pixels, in as many bytes as ever', () => {
    const plain = paint(SIDE, SIDE, WHITE, [
      layer(BLUE, circle(41.3, 44.7, 30.2)),
      layer(GOLD, rectangle(60.4, 60.2, 41.3, 33.8)),
      layer(INK, bar(10.2, 100.4, 70.1, 88.3, 4.2)),
    ]);
    const [own, asked] = [drawnWith(plain, { finerFrom: Infinity }), drawnWith(plain, { finerFrom: 6 })];
    expect(asked).to.deep.equal(own);
  });

  it('is drawn in its own pixels where its colors are to be, where middles of lines are, and within budgets', () => {
    const given = painted(crowded);
    for (const settings of [{ exactColors: true }, { centerline: true }, { colorCount: 3 }, { finerFrom: Infinity }])
      expect(drawnWith(given, { finerFrom: 6, ...settings }).width, JSON.stringify(settings)).to.equal(SIDE);
    const { drawing } = trace(given, { ...ENGINE, finerFrom: 6 }, () => {}, { fits: ({ items }) => items.length < 30 });
    expect(drawing.width).to.equal(SIDE);
  });

  it('is drawn in its own pixels where its lines are of one known width', () => {
    const outlined = (color: number, shape: (grow: number) => Contour) => [
      layer(INK, shape(0.17)),
      layer(color, shape(-0.17)),
    ];
    const scales = Array.from({ length: 30 }, (_, k) => [20 + 16 * (k % 6), 18 + 20 * Math.floor(k / 6)] as const);
    const given = paint(SIDE, SIDE, WHITE, [
      ...outlined(BLUE, (grow) => circle(60, 60, 56 + grow)),
      ...scales.flatMap(([x, y], k) =>
        outlined(k % 2 === 0 ? GOLD : BROWN, (grow) => circle(x + k / 9, y + k / 13, 8.3 + grow)),
      ),
    ]);
    expect(labelFlatArt(toWorkingPixels(given), ENGINE)!.pen?.widthPx).to.be.within(0.3, 0.5);
    expect(drawnWith(given, { finerFrom: 0, cleanup: 0 }).width).to.equal(SIDE);
  });

  it('reports progress that never goes back', () => {
    const seen: (readonly [string, number])[] = [];
    drawnWith(painted(crowded), { finerFrom: 6 }, (stage, done) => seen.push([stage, done]));
    const stages = ['recover', 'segment', 'fit', 'write'];
    const far = seen.map(([stage, done]) => stages.indexOf(stage) + done);
    expect(far).to.deep.equal([...far].sort((a, b) => a - b));
    expect(seen.filter(([stage]) => stage === 'write')).to.have.lengthOf(1);
  });
});
