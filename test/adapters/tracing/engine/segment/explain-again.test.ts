import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { explainAgain } from '#adapters/tracing/engine/segment/explain-again.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { coverageOf, layer, paint } from '#test/support/pictures.js';

const hexOf = (channels: Float64Array, label: number) =>
  (channels[label * 4]! << 16) | (channels[label * 4 + 1]! << 8) | channels[label * 4 + 2]!;

/** The colors that pixels have at first, and then. */
function colorsOf(raster: Raster) {
  const pixels = toWorkingPixels(raster);
  const palette = choosePalette(pixels, 0.02, 2);
  const flat = labelFlat(pixels, palette);
  const colors = () => Array.from(flat.labels, (label) => hexOf(palette.channels, label));
  const before = colors();
  explainAgain(pixels, palette.channels, flat);
  return { before, after: colors() };
}

const [WHITE, SLATE, PALE, INK, YELLOW] = [0xffffff, 0x66757f, 0xccd6dd, 0x292f33, 0xfff75f] as const;

describe('pixels explained by halves', () => {
  it('are of a color from elsewhere in the picture, and not of one that is near, where that is all but exact', () => {
    // The hub of a wheel: its pale ring covers no pixel whole, and with the tire passes for white.
    const ring = circle(16, 16, 3);
    const hub = circle(16, 16, 1.5);
    const { before, after } = colorsOf(
      paint(60, 32, WHITE, [
        layer(SLATE, circle(16, 16, 5)),
        layer(PALE, ring),
        layer(INK, hub),
        layer(PALE, circle(44, 10, 7)),
        layer(INK, circle(44, 25, 5)),
      ]),
    );
    const [whole, middle] = [coverageOf([ring], 60, 32), coverageOf([hub], 60, 32)];
    const inRing = after.flatMap((_, i) => (whole[i]! > 0.9 && middle[i]! < 0.1 ? [i] : []));
    expect(inRing.length).to.be.greaterThan(7);
    expect(inRing.some((i) => before[i] === WHITE)).to.equal(true);
    for (const i of inRing) expect(after[i]!.toString(16)).to.equal(PALE.toString(16));
    for (let y = 12; y < 20; y++) for (let x = 12; x < 20; x++) expect(after[y * 60 + x]).to.not.equal(WHITE);
  });

  it('are of what their neighbors turned out to be, however far the next pure pixel of it is', () => {
    // A white gap that gets narrower between ink and yellow, until no pixel of it is white.
    const gap = [5, 14, 55, 15.7, 55, 16, 5, 16];
    const { before, after } = colorsOf(
      paint(60, 60, INK, [
        layer(YELLOW, rectangle(0, 16, 60, 44)),
        layer(WHITE, gap, rectangle(0, 0, 60, 6)),
        layer(INK, circle(15, 38, 9.3), circle(43, 40, 12.4)),
      ]),
    );
    const row = Array.from({ length: 40 }, (_, k) => 15 * 60 + 12 + k);
    expect(row.filter((i) => before[i] === YELLOW).length).to.be.greaterThan(0);
    expect(row.filter((i) => after[i] === YELLOW).length).to.equal(0);
  });

  it('stay as they are where many are, as in what is finer than pixels', () => {
    // The same hub, and hardly an edge beside it.
    const wheel = [
      layer(SLATE, rectangle(11, 11, 10, 10)),
      layer(PALE, circle(16, 16, 3)),
      layer(INK, circle(16, 16, 1.5)),
    ];
    const known = [layer(PALE, rectangle(30, 4, 12, 12)), layer(INK, rectangle(30, 18, 12, 12))];
    const many = colorsOf(paint(60, 32, WHITE, [...wheel, ...known]));
    expect(many.after).to.deep.equal(many.before);
    const few = colorsOf(paint(60, 92, WHITE, [...wheel, ...known, layer(SLATE, circle(30, 62, 27.3))]));
    expect(few.after).to.not.deep.equal(few.before);
  });
});
