import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const [WHITE, BLACK, GREEN, TAN] = [0xffffff, 0x000000, 0xb1cc33, 0xb98a5a] as const;

/** A fill that reaches a little beyond the line drawn over it, which hides the rest of its edge. */
const peeking = (line: number): Raster =>
  paint(120, 120, WHITE, [
    layer(GREEN, circle(60.31, 59.83, 40.5)),
    layer(line, circle(60.31, 59.83, 40)),
    layer(GREEN, circle(60.31, 59.83, 32)),
  ]);

const colorsOf = (raster: Raster): readonly number[] => {
  const { items } = trace(raster, ENGINE, () => {}).drawing;
  const colors = [...shapesOf(items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : NaN));
  return [...new Set(colors)].sort((a, b) => a - b);
};

describe('slivers of a color along the edge of two others', () => {
  it('make no new color', () => {
    expect(colorsOf(peeking(BLACK))).to.deep.equal([BLACK, GREEN, WHITE]);
    expect(colorsOf(peeking(TAN))).to.deep.equal([GREEN, TAN, WHITE]);
  });

  it('are whole: pixels of that color that hang together, all around', () => {
    const raster = peeking(BLACK);
    const { labels, channels } = labelFlatArt(toWorkingPixels(raster), ENGINE)!;
    const isGreen = (x: number, y: number) => {
      const at = labels[y * 120 + x]! * 4;
      return channels[at] === GREEN >> 16 && channels[at + 1] === ((GREEN >> 8) & 255);
    };
    const steps = 360;
    let crossed = 0;
    for (let n = 0; n < steps; n++) {
      const angle = (2 * Math.PI * n) / steps;
      const reaches = [39, 39.5, 40, 40.5, 41, 41.5].some((radius) =>
        isGreen(Math.floor(60.31 + radius * Math.cos(angle)), Math.floor(59.83 + radius * Math.sin(angle))),
      );
      if (reaches) crossed++;
    }
    expect(crossed / steps).to.be.above(0.9);
  });

  it('are not what a thin line of another color is', () => {
    const orange = 0xf08020;
    const raster = paint(120, 120, WHITE, [
      layer(orange, circle(60.31, 59.83, 41.2)),
      layer(BLACK, circle(60.31, 59.83, 40)),
      layer(GREEN, circle(60.31, 59.83, 32)),
    ]);
    expect(colorsOf(raster).some((color) => Math.abs((color >> 16) - 0xf0) < 12 && (color & 255) < 0x60)).to.equal(
      true,
    );
  });
});
