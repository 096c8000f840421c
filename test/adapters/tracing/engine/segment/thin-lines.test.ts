import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import { keepThinLines } from '#adapters/tracing/engine/segment/thin-lines.js';
import type { Raster } from '#application/ports/tracer.js';
import { bar, circle, ellipse, rectangle } from '#test/support/outlines.js';
import { coverageOf, layer, paint } from '#test/support/pictures.js';

/** Labels before and after, and which is the ink's. */
const labelsOf = (raster: Raster, marginPx?: number) => {
  const pixels = toWorkingPixels(raster);
  const palette = choosePalette(pixels, 0.02, 2);
  const flat = labelFlat(pixels, palette);
  const before = flat.labels.slice();
  keepThinLines(pixels, flat, palette.channels, 24, marginPx);
  return { before, after: flat.labels, size: palette.size };
};

const BLOCK = layer(0x000000, rectangle(2, 2, 7, 6));

describe('lines thinner than a pixel', () => {
  it('have one pixel in each column or row that they cross, whatever their slope', () => {
    for (const width of [0.45, 0.6, 0.8, 1])
      for (const [dx, dy] of [
        [40, 3],
        [40, 17],
        [3, 40],
        [17, 40],
        [40, -11],
      ] as const) {
        const [x, y] = [6.3, dy < 0 ? 46.2 : 10.4];
        const line = bar(x, y, x + dx, y + dy, width);
        const { after, size } = labelsOf(paint(56, 56, 0xffcc00, [BLOCK, layer(0x000000, line)]));
        expect(size).to.equal(2);
        const isSteep = Math.abs(dy) > dx;
        const ink = after[3 * 56 + 3];
        let checked = 0;
        for (let k = 3; k < 37; k++) {
          const at = Math.floor((isSteep ? Math.min(y, y + dy) : x) + k);
          if (!isSteep && at < 10) continue;
          const labels = Array.from({ length: 56 }, (_, n) => after[isSteep ? at * 56 + n : n * 56 + at]);
          expect(labels.filter((label) => label === ink).length, `${width} px by ${dx}, ${dy} at ${at}`).to.be.within(
            1,
            2,
          );
          checked++;
        }
        expect(checked).to.be.greaterThan(25);
      }
  });

  it('have no pixels within a margin that is asked for', () => {
    const picture = paint(56, 56, 0xffcc00, [BLOCK, layer(0x000000, bar(12.3, 20.2, 55.4, 33.1, 0.6))]);
    const [all, inside] = [labelsOf(picture), labelsOf(picture, 4)];
    let beside = 0;
    for (let i = 0; i < all.after.length; i++) {
      const [x, y] = [i % 56, Math.floor(i / 56)];
      const isBeside = Math.min(x, y, 55 - x, 55 - y) < 4;
      expect(inside.after[i], `${x}, ${y}`).to.equal(isBeside ? all.before[i] : all.after[i]);
      if (isBeside && all.after[i] !== all.before[i]) beside++;
    }
    expect(beside).to.be.above(0);
  });

  it('are the only ones that get pixels which they cover less than half of: shapes keep their edges', () => {
    for (const outline of [
      circle(27.3, 31.8, 16.4),
      ellipse(28.2, 30.1, 21.3, 2.2, 8),
      rectangle(14.3, 22.45, 29.2, 2.1),
      [12, 40, 30.3, 17.6, 48.2, 40.4],
    ]) {
      const { before, after } = labelsOf(paint(56, 56, 0xffffff, [BLOCK, layer(0x000000, outline)]));
      const coverage = coverageOf([outline], 56, 56);
      const changed = [...after.keys()].filter((i) => after[i] !== before[i]);
      // The end of a tip is thinner than a pixel, and goes on.
      expect(changed.length, `${changed.map((i) => coverage[i])}`).to.be.at.most(2);
    }
  });

  it('go on between two grounds, where their color is near', () => {
    for (const width of [0.5, 0.7, 0.9])
      for (const slope of [0, 0.06, -0.11]) {
        const edge = (down: number) => [0, 26.3 + down, 56, 26.3 + down + 56 * slope];
        const picture = paint(56, 56, 0xffffff, [
          BLOCK,
          layer(0x000000, [...edge(0), 56, 56, 0, 56]),
          layer(0xffcc00, [...edge(width), 56, 56, 0, 56]),
          layer(0x000000, ...Array.from({ length: 9 }, (_, k) => rectangle(2.4 + 6 * k, 12, 2.3, 30))),
        ]);
        const { after } = labelsOf(picture);
        const ink = after[3 * 56 + 3];
        for (let x = 2; x < 54; x++) {
          const middle = Math.floor(26.3 + width / 2 + x * slope);
          const rows = [middle - 1, middle, middle + 1].filter((y) => after[y * 56 + x] === ink);
          expect(rows.length, `${width} px by ${slope}, column ${x}`).to.be.at.least(1);
        }
      }
  });

  it('are none where two grounds meet: what lies between these in color is their edge', () => {
    const { before, after } = labelsOf(
      paint(56, 56, 0xffffff, [
        BLOCK,
        layer(0x808080, rectangle(14, 3, 8, 6)),
        layer(0x000000, [0, 30.4, 56, 22.7, 56, 56, 0, 56]),
      ]),
    );
    expect(after).to.deep.equal(before);
  });

  it('are none where the ground is a level or two off, as a faint ramp leaves it, and another color lies beyond', () => {
    // Of the color of the block, as far as two levels go, each of two columns would have a fifth.
    const { before, after } = labelsOf(
      paint(56, 56, 0x60443b, [layer(0x6a5046, rectangle(2, 2, 12, 10)), layer(0x62463d, rectangle(30, 8, 2, 30))]),
    );
    expect(new Set(before).size).to.equal(2);
    expect(after).to.deep.equal(before);
  });
});
