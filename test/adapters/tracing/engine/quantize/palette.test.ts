import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { ColorTable, countInteriorColors } from '#adapters/tracing/engine/quantize/color-counts.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle, turned } from '#test/support/outlines.js';
import { gradient, layer, noise, paint, pixelwise, single } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

describe('the table of colors', () => {
  it('counts as a map does, far beyond its first size', () => {
    const random = createSeededRandom(5);
    const table = new ColorTable();
    const expected = new Map<number, number>();
    for (let i = 0; i < 20_000; i++) {
      // Few low bits: words that collide in a weak hash.
      const word = (Math.floor(random() * 6000) << 18) >>> 0;
      const index = table.indexOf(word);
      table.counts[index]!++;
      expected.set(word, (expected.get(word) ?? 0) + 1);
    }
    expect(table.size).to.equal(expected.size);
    expect(table.size).to.be.greaterThan(5000);
    for (const [word, count] of expected) expect(table.counts[table.find(word)]).to.equal(count);
    expect(table.find(1)).to.equal(-1);
    expect(table.find(0xffffffff)).to.equal(-1);
  });
});

/** Interior counts straight from the definition. */
function countSlowly(words: Uint32Array, width: number, height: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const word = words[y * width + x]!;
      const same = (u: number, v: number) =>
        u < 0 || v < 0 || u >= width || v >= height || words[v * width + u] === word;
      if (same(x - 1, y) && same(x + 1, y) && same(x, y - 1) && same(x, y + 1))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  return counts;
}

describe('the colors of flat interiors', () => {
  it('are counted as defined, on random maps of few colors', () => {
    const random = createSeededRandom(9);
    let counted = 0;
    for (let round = 0; round < 300; round++) {
      const width = 1 + Math.floor(random() * 12);
      const height = 1 + Math.floor(random() * 12);
      const levels = Array.from({ length: width * height }, () => (random() < 0.8 ? 0 : Math.floor(random() * 3)));
      const pixels = toWorkingPixels(pixelwise(width, height, (x, y) => [levels[y * width + x]! * 90, 0, 0, 255]));
      const table = countInteriorColors(pixels);
      const expected = countSlowly(pixels.words, width, height);
      expect(table.size).to.equal(expected.size);
      for (const [word, count] of expected) expect(table.counts[table.find(word)]).to.equal(count);
      counted += expected.size;
    }
    expect(counted).to.be.greaterThan(200);
  });
});

const hexOf = (channels: Float64Array, k: number) =>
  [0, 1, 2, 3].map((c) => channels[k * 4 + c]!.toString(16).padStart(2, '0')).join('');

/** Lettering too thin for an interior. */
const STEMS = Array.from({ length: 20 }, (_, k) => rectangle(20.4 + 7.3 * k, 8, 1.1, 8));

/** The colors that are chosen of a picture: red, green and blue. */
function colorsIn(picture: Raster): readonly string[] {
  const { channels, size } = choosePalette(toWorkingPixels(picture), 0.02, 2);
  return Array.from({ length: size }, (_, k) => [...channels.subarray(k * 4, k * 4 + 3)].join());
}

describe('the palette of flat art', () => {
  it('has the flat colors, most frequent first, and no mixture of them', () => {
    const art = paint(64, 64, 0xffffff, [
      layer(0xe63946, circle(32, 32, 20.3)),
      layer(0x1d3557, rectangle(28.4, 28.4, 9, 9)),
    ]);
    const palette = choosePalette(toWorkingPixels(art), 0.02, 2);
    expect([0, 1, 2].map((k) => hexOf(palette.channels, k))).to.deep.equal(['ffffffff', 'e63946ff', '1d3557ff']);
    expect(palette.size).to.equal(3);
  });

  it('merges colors nearer than the distance into the more frequent one, and none at distance 0', () => {
    const bands = pixelwise(40, 30, (x) => (x < 25 ? [100, 100, 100, 255] : [102, 100, 100, 255]));
    const merged = choosePalette(toWorkingPixels(bands), 0.02, 2);
    expect(merged.size).to.equal(1);
    expect(hexOf(merged.channels, 0)).to.equal('646464ff');
    expect([...merged.entryOf]).to.deep.equal([0, 0]);
    expect(choosePalette(toWorkingPixels(bands), 0, 2).size).to.equal(2);
  });

  it('keeps large areas of two oranges apart, but not a speck of the one in the other', () => {
    const near = (shape: ReturnType<typeof circle>) =>
      choosePalette(toWorkingPixels(paint(120, 120, 0xf5910b, [layer(0xf18f26, shape)])), 0.02, 2).size;
    expect(near(circle(60, 60, 40))).to.equal(2);
    expect(near(circle(60, 60, 4))).to.equal(1);
    // A level or two is nobody's choice.
    const rounded = paint(120, 120, 0xf5910b, [layer(0xf4900b, circle(60, 60, 40))]);
    expect(choosePalette(toWorkingPixels(rounded), 0.02, 2).size).to.equal(1);
  });

  it('tells opacities of one color apart', () => {
    const panes = pixelwise(30, 10, (x) => [0, 0, 0, [0, 90, 255][Math.floor(x / 10)]!]);
    expect(choosePalette(toWorkingPixels(panes), 0.02, 2).size).to.equal(3);
    const white = pixelwise(30, 10, (x) => [255, 255, 255, [0, 90, 255][Math.floor(x / 10)]!]);
    expect(choosePalette(toWorkingPixels(white), 0.02, 2).size).to.equal(3);
  });

  it('leaves out colors met too seldom, but keeps the most frequent whatever its count', () => {
    const speck = pixelwise(9, 9, (x, y) => (x === 4 && y === 4 ? [0, 0, 0, 255] : [255, 255, 255, 255]));
    expect(choosePalette(toWorkingPixels(speck), 0.02, 2).size).to.equal(1);
    expect(choosePalette(toWorkingPixels(single(1, 1, 0xff0000)), 0.02, 2).size).to.equal(1);
  });

  it('is empty where nothing is flat, and bounded where everything differs', () => {
    expect(choosePalette(toWorkingPixels(noise(20, 20, 1)), 0.02, 2).size).to.equal(0);
    const blocks = pixelwise(240, 240, (x, y) => {
      const n = Math.floor(x / 6) * 40 + Math.floor(y / 6);
      return [n % 251, (n * 7) % 253, (n * 13) % 255, 255];
    });
    expect(choosePalette(toWorkingPixels(blocks), 0, 2).size).to.equal(512);
    expect(choosePalette(toWorkingPixels(gradient(50, 50)), 0.02, 2).size).to.be.at.most(512);
  });

  it('has the color of a ring too narrow for an interior, and none of a mixture two pixels wide', () => {
    const ringed = paint(72, 72, 0x3b88c3, [
      layer(0xccd6dd, circle(36.3, 35.6, 14)),
      layer(0xf5f8fa, circle(36.3, 35.6, 11.6)),
    ]);
    const { channels, size } = choosePalette(toWorkingPixels(ringed), 0.02, 2);
    expect(size).to.equal(3);
    expect([...channels.subarray(8, 11)]).to.deep.equal([0xcc, 0xd6, 0xdd]);
    // A line of one px that lies half in one row and half in the next; black and white have interiors elsewhere.
    const line = paint(60, 60, 0xffffff, [
      layer(0x000000, rectangle(5, 20.5, 50, 1)),
      layer(0x000000, rectangle(10, 30, 20, 20)),
    ]);
    expect(choosePalette(toWorkingPixels(line), 0.02, 2).size).to.equal(2);
  });

  it('has the color of a narrow shape that others could be mixed to, where it does not lie between those', () => {
    // A shadow on skin, two px of it its own; its color is between the skin's and that of a mouth far from it.
    const face = paint(80, 60, 0xffffff, [
      layer(0xaf7e57, rectangle(10, 5, 60, 50)),
      layer(0x915a34, rectangle(20, 12, 30, 8)),
      layer(0x9b6a49, rectangle(20.3, 40.4, 30, 2.9)),
    ]);
    const { channels, size } = choosePalette(toWorkingPixels(face), 0.02, 2);
    expect(size).to.equal(4);
    expect([...channels.subarray(12, 15)]).to.deep.equal([0x9b, 0x6a, 0x49]);
    // What lies between the two as a blurred edge does is none.
    const blurred = paint(80, 60, 0xffffff, [
      layer(0xaf7e57, rectangle(10, 5, 60, 50)),
      layer(0x9b6640, rectangle(20, 10, 30, 12)),
      layer(0x915a34, rectangle(20, 12, 30, 8)),
    ]);
    expect(choosePalette(toWorkingPixels(blurred), 0.02, 2).size).to.equal(3);
  });

  it('has the color of a button two px high on whole pixels, though a thin line of another would leave nearly the same', () => {
    const tablet = (button: number, top = 41) =>
      paint(48, 48, 0xffffff, [
        layer(0x37474f, rectangle(8, 3, 32, 42)),
        layer(0xbbdefb, rectangle(11, 6, 26, 33)),
        layer(button, rectangle(21, top, 6, 2)),
      ]);
    const { channels, size } = choosePalette(toWorkingPixels(tablet(0x78909c)), 0.02, 2);
    expect(size).to.equal(4);
    expect([...channels.subarray(12, 15)]).to.deep.equal([0x78, 0x90, 0x9c]);
    // Exactly half of each is a line of the one on the other; and what has edges of its own was there before.
    expect(choosePalette(toWorkingPixels(tablet(0x7993a5)), 0.02, 2).size).to.equal(3);
    expect(choosePalette(toWorkingPixels(tablet(0x78909c, 41.4)), 0.02, 2).size).to.equal(3);
  });

  it('has the color of a seam between two that it could be mixed of, wherever that runs', () => {
    for (const width of [1.8, 2, 2.2, 2.4]) {
      const seam = paint(72, 72, 0xffffff, [
        layer(0x808080, circle(36.3, 35.6, 24)),
        layer(0x000000, circle(36.3, 35.6, 24 - width)),
      ]);
      const { channels, size } = choosePalette(toWorkingPixels(seam), 0.02, 2);
      expect(size, `a seam of ${width} px`).to.equal(3);
      expect([...channels.subarray(8, 11)]).to.deep.equal([0x80, 0x80, 0x80]);
    }
  });

  it('has the color of a strip two rows or columns wide whose sides are on no pixel', () => {
    for (const isUpright of [true, false]) {
      const bends = [
        [30.4, 20, 1.9],
        [31.2, 24, 2],
        [30.3, 28, 2],
      ] as const;
      const lips = bends.map(([x, y, wide]) => (isUpright ? rectangle(x, y, wide, 4) : rectangle(y, x, 4, wide)));
      const face = paint(72, 72, 0xd4ab88, [layer(0x662113, rectangle(10, 10, 6, 8)), layer(0xc1694f, ...lips)]);
      const { channels, size } = choosePalette(toWorkingPixels(face), 0.02, 2);
      expect(size).to.equal(3);
      expect([...channels.subarray(8, 11)]).to.deep.equal([0xc1, 0x69, 0x4f]);
    }
  });

  it('has the color of a straight strip that lies across a whole pixel, though it could be mixed of what is there', () => {
    // From 14.7 on, for instance: a third of a pixel, a whole one, a third. A line of white that covers parts of both outer ones leaves white between them.
    for (const [at, wide] of [
      [14.7, 1.6],
      [14.85, 2.2],
      [14.6, 2.8],
    ] as const)
      for (const isUpright of [true, false]) {
        const outline = (x: number, y: number, across: number, along: number) =>
          isUpright ? rectangle(x, y, across, along) : rectangle(y, x, along, across);
        const plates = [0, 30].map((aside) => outline(at - 3.2 + aside, 8.3, wide + 6.4, 26));
        const grays = [0, 30].map((aside) => outline(at + aside, 11.2, wide, 20));
        const weights = paint(64, 64, 0xffffff, [layer(0x000000, ...plates), layer(0x9b9b9a, ...grays)]);
        expect(colorsIn(weights), `${wide} px`).to.have.members(['255,255,255', '0,0,0', '155,155,154']);
        const lines = paint(64, 64, 0xffffff, [layer(0x000000, ...plates), layer(0xffffff, ...grays)]);
        expect(colorsIn(lines)).to.have.members(['255,255,255', '0,0,0']);
      }
  });

  it('has the colors of small lettering and of hairlines, though they could be mixtures of the ground and a darker color', () => {
    // Stems between the pixels, bars along them: E, H, L, T and F, 8 px high.
    const letters = Array.from({ length: 15 }, (_, k) => {
      const [x, y] = [14.4 + 8.3 * (k % 5), 40 + 14 * Math.floor(k / 5)];
      const stem = rectangle(x, y, 1.1, 8);
      const bar = (dx: number, dy: number, length: number) => rectangle(x + dx, y + dy, length, 1);
      return [
        [stem, bar(1.1, 0, 4), bar(1.1, 4, 3), bar(1.1, 7, 4)],
        [stem, rectangle(x + 4.6, y, 1.1, 8), bar(1.1, 4, 3.5)],
        [stem, bar(1.1, 7, 4)],
        [stem, bar(-2, 0, 2), bar(1.1, 0, 2)],
        [stem, bar(1.1, 0, 4), bar(1.1, 4, 3)],
      ][k % 5]!;
    }).flat();
    const frame = [rectangle(8, 30, 70, 1), rectangle(8, 31, 1, 60), rectangle(77, 31, 1, 60), rectangle(8, 91, 70, 1)];
    // The same gray on a dark ground: farthest from that, too.
    const onDark = letters.slice(0, 12).map((letter) => letter.map((v, k) => (k % 2 === 0 ? v + 90 : v)));
    const panel = paint(190, 104, 0xffffff, [
      layer(0x111827, rectangle(10, 8, 4, 14), rectangle(18, 8, 4, 14), rectangle(90, 20, 90, 60)),
      layer(0x6b7280, ...letters),
      layer(0xd1d5db, ...frame, ...onDark),
    ]);
    expect(colorsIn(panel)).to.have.members(['255,255,255', '17,24,39', '107,114,128', '209,213,219']);
  });

  it('has the color of lines on whole pixels, though nothing known is darker than they are but lettering too thin to be known', () => {
    const lines = [0, 1, 2, 3, 4].map((k) => rectangle(8, 24 + 12 * k, 150, 1));
    const chart = (y: number) =>
      paint(170, 90, 0xffffff, [
        layer(0xdddddd, ...lines.map((line) => line.map((v, k) => (k % 2 === 1 ? v + y : v)))),
        layer(0x1f77b4, rectangle(30, 30, 20, 50), rectangle(90, 40, 20, 40)),
        layer(0x333333, ...STEMS),
      ]);
    expect(colorsIn(chart(0))).to.have.members(['255,255,255', '31,119,180', '221,221,221']);
    // Between the pixels they are paler than the color that they are of.
    expect(choosePalette(toWorkingPixels(chart(0.4)), 0.02, 2).size).to.equal(2);
  });

  it('has the colors of upright and level lines on whole pixels, where the ground alone is known, and of borders that nothing met is like', () => {
    const grid = [0, 1, 2, 3, 4].map((k) => rectangle(8, 24 + 30 * k, 300, 1));
    const upright = [0, 1, 2, 3, 4].map((k) => rectangle(20 + 60 * k, 22, 1, 130));
    const field = [
      rectangle(30, 40, 60, 1),
      rectangle(30, 60, 60, 1),
      rectangle(30, 40, 1, 20),
      rectangle(89, 40, 1, 21),
    ];
    const palette = (...layers: Parameters<typeof paint>[3]) => colorsIn(paint(320, 160, 0xffffff, layers));
    const lines = [layer(0xf0f0f0, ...upright), layer(0xe0e0e0, ...grid)];
    const found = palette(...lines, layer(0x666666, ...STEMS));
    expect(found).to.have.members(['255,255,255', '224,224,224', '240,240,240']);
    expect(palette(layer(0xd0d7de, ...field), layer(0x1f2328, ...STEMS))).to.have.members([
      '255,255,255',
      '208,215,222',
    ]);
    // It could be mixed of the button's color and the page's, but the page is elsewhere.
    const panel = [layer(0x8a8f98, rectangle(0, 0, 320, 160)), layer(0xffffff, rectangle(10, 6, 300, 130))];
    const button = [layer(0xd0d7de, rectangle(120, 80, 40, 16)), layer(0xf6f8fa, rectangle(121, 81, 38, 14))];
    expect(palette(...panel, ...button, layer(0xd0d7de, ...field), layer(0x1f2328, ...STEMS))).to.include(
      '208,215,222',
    );
  });

  it('has the gray of lettering on a dark ground, though some stems are as a fine line of white would be', () => {
    const letters = Array.from({ length: 16 }, (_, k) => {
      const [x, y] = [14 + 10 * (k % 8), 40 + 14 * Math.floor(k / 8)];
      return [rectangle(x, y, 1.4, 8), rectangle(x + 1, y, 5, 1), rectangle(x + 1, y + 7, 5, 1)];
    }).flat();
    const bar = paint(110, 80, 0x1f2937, [layer(0xffffff, rectangle(10, 8, 6, 14)), layer(0xa5a9af, ...letters)]);
    expect(colorsIn(bar)).to.have.members(['31,41,55', '255,255,255', '165,169,175']);
  });

  it('has no color for fine lines of a darker color that fill two rows in part', () => {
    for (const [off, wide] of [
      [0.2, 1],
      [0.3, 1],
      [0.4, 1],
      [0.25, 1.5],
    ] as const) {
      const lines = [0, 1, 2, 3, 4].map((k) => rectangle(40, 12 + off + 12 * k, 50, wide));
      const art = paint(100, 80, 0xffffff, [layer(0x111827, rectangle(8, 8, 20, 60), ...lines)]);
      expect(choosePalette(toWorkingPixels(art), 0.02, 2).size, `${off}`).to.equal(2);
    }
  });

  it('has no color for what a shape leaves along the border of the picture, beyond which its ground may be', () => {
    const panel = paint(100, 80, 0xffffff, [
      layer(0xffffff, rectangle(0, 0, 100, 80)),
      layer(0x0066ff, rectangle(0, 0.62, 70, 78.76)),
      layer(0x0066ff, circle(70, 40, 20)),
    ]);
    expect(choosePalette(toWorkingPixels(panel), 0.02, 2).size).to.equal(2);
  });

  it('has no color for what repeats itself along slanted edges, in lines between pixels, and where lines cross', () => {
    const diamonds = [0, 1, 2, 3].map((k) =>
      turned(rectangle(20 + k / 4, 20 + 20 * k, 14, 14), 45, 27 + k / 4, 27 + 20 * k),
    );
    const lines = [0, 1, 2, 3, 4, 5].flatMap((k) => [
      rectangle(60.5 + 6 * k, 10, 1, 90),
      rectangle(50, 30.5 + 6 * k, 60, 1),
    ]);
    const art = paint(120, 120, 0xffffff, [layer(0x000000, rectangle(2, 2, 10, 100), ...diamonds, ...lines)]);
    expect(choosePalette(toWorkingPixels(art), 0.02, 2).size).to.equal(2);
  });
});
