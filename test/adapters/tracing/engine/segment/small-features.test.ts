import { expect } from 'chai';
import { toWorkingPixels, type WorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { findSpots } from '#adapters/tracing/engine/segment/find-spots.js';
import { type FlatLabels, labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { explainLonePixels } from '#adapters/tracing/engine/segment/lone-pixels.js';
import { shareColors } from '#adapters/tracing/engine/segment/shared-color.js';
import { withoutColors } from '#adapters/tracing/engine/segment/with-color.js';
import type { Raster } from '#application/ports/tracer.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { type Contour, circle, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const [SKIN, BROWN, WHITE, BLACK, RED] = [0xc68d7b, 0x7d4533, 0xffffff, 0x000000, 0xdf1f32] as const;

const hexOf = (channels: Float64Array, k: number) =>
  (channels[k * 4]! << 16) | (channels[k * 4 + 1]! << 8) | channels[k * 4 + 2]!;

/** The colors that a picture's pixels are labelled with, and how many of each. */
function colorsOf(raster: Raster): ReadonlyMap<number, number> {
  const { labels, channels } = labelFlatArt(toWorkingPixels(raster), ENGINE)!;
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(hexOf(channels, label), (counts.get(hexOf(channels, label)) ?? 0) + 1);
  return counts;
}

/** The upper half of a disk. */
const halfDisk = (x: number, y: number, radius: number): Contour =>
  Array.from({ length: 33 }, (_, k) => [
    x - radius * Math.cos((Math.PI * k) / 32),
    y - radius * Math.sin((Math.PI * k) / 32),
  ]).flat();

describe('the colors of shapes a pixel or two wide', () => {
  it('are those of pixels, some side by side, that have the very same', () => {
    const eyes = [
      [12.4, 14.7],
      [31.6, 15.1],
      [13.3, 33.2],
      [33.9, 34.5],
    ] as const;
    const raster = paint(46, 46, SKIN, [
      layer(WHITE, ...eyes.map(([x, y]) => halfDisk(x, y, 7))),
      layer(BROWN, ...eyes.map(([x, y]) => halfDisk(x, y, 4.6))),
      layer(BLACK, ...eyes.map(([x, y]) => halfDisk(x, y, 2.8))),
    ]);
    const found = [...colorsOf(raster).keys()].sort((a, b) => a - b);
    expect(found.map((color) => color.toString(16))).to.deep.equal(
      [BLACK, BROWN, SKIN, WHITE].map((color) => color.toString(16)),
    );
  });

  it('are not what an edge along the pixels leaves of two', () => {
    // A bar that covers two fifths of a row, and as many pixels of it have the very same color.
    const raster = paint(40, 30, WHITE, [
      layer(BLACK, rectangle(5, 10, 30, 8.4)),
      layer(RED, rectangle(5, 18.4, 30, 8)),
    ]);
    for (const color of colorsOf(raster).keys()) expect([WHITE, BLACK, RED]).to.include(color);
  });

  it('are those of the pixels beside them, though what lies beyond would leave the same', () => {
    // A box with a shadow two px wide, whose edge on paper has the colors of the box's own.
    const [BOX, SHADOW] = [0x8866b9, 0x744db2];
    const raster = paint(60, 40, WHITE, [
      layer(BOX, rectangle(6, 6, 48, 26)),
      layer(SHADOW, rectangle(6, 30.2, 48, 2.4)),
    ]);
    const { labels, channels } = labelFlatArt(toWorkingPixels(raster), ENGINE)!;
    const column = (x: number) =>
      Array.from({ length: 5 }, (_, k) => hexOf(channels, labels[(29 + k) * 60 + x]!).toString(16));
    for (let x = 7; x < 53; x++)
      expect(column(x), `column ${x}`).to.deep.equal(
        [BOX, SHADOW, SHADOW, SHADOW, WHITE].map((color) => color.toString(16)),
      );
  });

  it('are that of the farthest pixel of some spots, where these lie on even ground', () => {
    const dots = [circle(12.3, 12.2, 0.8), circle(20.5, 12.5, 0.8), circle(13.4, 24.5, 0.8)];
    const counts = colorsOf(paint(40, 40, 0xf7dece, [layer(0x662113, ...dots)]));
    expect([...counts.keys()]).to.deep.equal([0xf7dece, 0x662113]);
    expect(counts.get(0x662113)).to.be.within(2, 6);
  });

  it('are not sought in what goes on, nor where others meet', () => {
    const spotsIn = (...layers: Parameters<typeof paint>[3]) => {
      const pixels = toWorkingPixels(paint(40, 40, 0xf7dece, layers));
      const palette = choosePalette(pixels, 0.02, 2);
      const flat = labelFlat(pixels, palette);
      return findSpots(pixels, palette.channels, flat, 24).length - palette.channels.length;
    };
    const spot = circle(20.3, 20.4, 0.8);
    expect(spotsIn(layer(0x662113, spot))).to.equal(4);
    expect(spotsIn(layer(0x662113, rectangle(15, 20.2, 9, 0.7)))).to.equal(0);
    expect(spotsIn(layer(BLACK, rectangle(0, 21, 40, 19)), layer(0x662113, spot))).to.equal(0);
  });
});

/** Labels of a row of mixed pixels between a ground and a line. */
function rowOf(colors: readonly number[], channels: readonly number[], labels: readonly number[]) {
  const raster = paint(colors.length, 3, channels[0]!, [
    ...colors.map((color, x) => layer(color, rectangle(x, 1, 1, 1))),
  ]);
  const flat: FlatLabels = {
    labels: Int32Array.from({ length: colors.length * 3 }, (_, i) =>
      i >= colors.length && i < 2 * colors.length ? labels[i - colors.length]! : 0,
    ),
    mixed: Int32Array.from(colors, (_, x) => colors.length + x),
    errors: new Float64Array(colors.length),
    others: new Int32Array(colors.length).fill(0),
  };
  const palette = Float64Array.from(channels.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255, 255]));
  return { pixels: toWorkingPixels(raster), flat, palette };
}

const mix = (a: number, b: number, share: number) => {
  const part = (shift: number) =>
    Math.round(((a >> shift) & 255) * share + ((b >> shift) & 255) * (1 - share)) << shift;
  return part(16) | part(8) | part(0);
};

/** What becomes of four colors when the last, which was found, may be shared. */
function sharing(pixels: WorkingPixels, palette: Float64Array, open: Int32Array, flat: FlatLabels): Int32Array {
  const to = Int32Array.from([0, 1, 2, 3]);
  shareColors(pixels, palette, 3, [3], open, flat, to);
  return to;
}

describe('a color that was found', () => {
  it('goes where its pixels have a known one in common, each with another beside it', () => {
    const found = mix(WHITE, SKIN, 0.8);
    const channels = [SKIN, BROWN, WHITE, found];
    const colors = [
      mix(WHITE, BROWN, 0.7),
      BROWN,
      mix(WHITE, BROWN, 0.6),
      mix(WHITE, SKIN, 0.8),
      mix(WHITE, SKIN, 0.9),
    ];
    const { pixels, flat, palette } = rowOf(colors, channels, [3, 1, 3, 3, 3]);
    const open = Int32Array.from([0, 2, 3, 4]);
    const to = sharing(pixels, palette, open, flat);
    expect([...to]).to.deep.equal([0, 1, 2, -1]);
    expect(withoutColors(palette, flat, to)).to.deep.equal(palette.slice(0, 12));
    expect([...flat.labels.subarray(5, 10)]).to.deep.equal([2, 1, 2, 2, 2]);
  });

  it('goes to that color alone in pixels that have nothing else beside them', () => {
    const found = mix(WHITE, SKIN, 0.8);
    const shown = [mix(WHITE, BROWN, 0.7), BROWN, mix(WHITE, BROWN, 0.6), found, mix(WHITE, SKIN, 0.9)];
    const colors = [...shown, ...Array.from({ length: 7 }, (_, x) => (x === 4 ? found : WHITE))];
    const first = [3, 1, 3, 3, 3, 2, 2, 2, 2, 3, 2, 2];
    const { pixels, flat, palette } = rowOf(colors, [SKIN, BROWN, WHITE, found], first);
    for (const row of [0, 24]) flat.labels.fill(2, row + 6, row + 12);
    const to = sharing(pixels, palette, Int32Array.from([0, 2, 3, 4, 9]), flat);
    expect([...to]).to.deep.equal([0, 1, 2, -1]);
    expect([...flat.labels.subarray(12, 24)]).to.deep.equal([2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(flat.others?.[9]).to.equal(-1);
    expect(flat.errors[9]).to.be.within(1, 60 ** 2);
  });

  it('stays where one other color would do for all of them, which a paler line on even ground may be', () => {
    const found = mix(BLACK, SKIN, 0.6);
    const colors = [0.6, 0.5, 0.6, 0.4, 0.6].map((share) => mix(BLACK, SKIN, share));
    const { pixels, flat, palette } = rowOf(colors, [SKIN, BLACK, WHITE, found], [3, 3, 3, 3, 3]);
    const to = sharing(pixels, palette, Int32Array.from([0, 1, 2, 3, 4]), flat);
    expect([...to]).to.deep.equal([0, 1, 2, 3]);
  });
});

describe('a pixel of a color that none around it has', () => {
  it('is of what is near, where two or three of these leave about as much', () => {
    const channels = [SKIN, BROWN, WHITE, 0xd3d3d3];
    const third = (a: number, b: number, c: number) => mix(mix(a, b, 0.75), c, 0.8);
    const { pixels, flat, palette } = rowOf([BROWN, third(WHITE, BROWN, SKIN), WHITE], channels, [1, 3, 2]);
    explainLonePixels(pixels, palette, flat);
    expect([...flat.labels.subarray(3, 6)]).to.deep.equal([1, 2, 2]);
  });

  it('stays what it is where these leave something else', () => {
    const { pixels, flat, palette } = rowOf([BROWN, RED, WHITE], [SKIN, BROWN, WHITE, RED], [1, 3, 2]);
    explainLonePixels(pixels, palette, flat);
    expect(flat.labels[4]).to.equal(3);
  });
});
