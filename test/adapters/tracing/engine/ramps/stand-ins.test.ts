import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { flattenRamps } from '#adapters/tracing/engine/ramps/flatten-ramps.js';
import { joinRegions } from '#adapters/tracing/engine/segment/regions.js';
import type { Raster } from '#application/ports/tracer.js';
import { rectangle } from '#test/support/outlines.js';
import { type Layer, layer, linearShade, paint } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const SIDE = 120;
const ramp: Layer = {
  ...layer(0, rectangle(10, 10, 50, 110)),
  shade: linearShade(10, 10, 10, 110, [250, 240, 40, 1], [230, 60, 160, 1]),
};
/** A pixel of the ramp, and one of the square beside it. */
const ON_RAMP = 60 * SIDE + 30;
const ON_SQUARE = 60 * SIDE + 85;

const standInOf = (raster: Raster) => {
  const { pixels } = flattenRamps(toWorkingPixels(raster), 0.02)!;
  return [...pixels.rgba.subarray(ON_RAMP * 4, ON_RAMP * 4 + 4)];
};

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) => Math.hypot(...[0, 1, 2, 3].map((c) => a[c]! - b[c]!));

describe('the colors that stand for ramps', () => {
  it('are none that anything else has, be it of no even color', () => {
    const first = standInOf(paint(SIDE, SIDE, 0xffffff, [ramp]));
    // An area of all shades around that very color: no ramp, and no color of a palette.
    const random = createSeededRandom(7);
    const raster = paint(SIDE, SIDE, 0xffffff, [ramp]);
    for (let y = 30; y < 90; y++)
      for (let x = 65; x < 105; x++)
        for (let c = 0; c < 3; c++) {
          const level = first[c]! + (first[c]! > 127 ? -1 : 1) * Math.floor(random() * 24);
          raster.data[(y * SIDE + x) * 4 + c] = level;
        }
    expect(distance(standInOf(raster), first)).to.be.greaterThan(32);
  });

  it('give no gradient to a small region that has them by chance', () => {
    const square = layer(0x3366cc, rectangle(80, 55, 90, 65));
    const raster = paint(SIDE, SIDE, 0xffffff, [ramp, square]);
    const pixels = toWorkingPixels(raster);
    const flattened = flattenRamps(pixels, 0.02)!;
    const standIn = flattened.pixels.rgba.subarray(ON_RAMP * 4, ON_RAMP * 4 + 4);
    const labels = Int32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
      if (x >= 10 && x < 50 && y >= 10 && y < 110) return 1;
      return x >= 80 && x < 90 && y >= 55 && y < 65 ? 2 : 0;
    });
    const channels = Float64Array.from([255, 255, 255, 255, ...standIn, ...standIn]);
    const regions = joinRegions(labels, SIDE, SIDE, flattened.pixels.rgba, channels);
    const [onRamp, onSquare] = [regions.of[ON_RAMP]!, regions.of[ON_SQUARE]!];
    const painted = flattened.repaint(regions);
    expect(flattened.paintsOf(regions.colors, onSquare)).not.to.equal(undefined);
    expect(flattened.paintsOf(painted.colors, onRamp)).not.to.equal(undefined);
    expect(flattened.paintsOf(painted.colors, onSquare)).to.equal(undefined);
    expect([...painted.colors.subarray(onSquare * 4, onSquare * 4 + 4)]).to.deep.equal([0x33, 0x66, 0xcc, 255]);
  });

  it('keep the gradient where a small region is of it', () => {
    const small: Layer = {
      ...layer(0, rectangle(70, 40, 84, 64)),
      shade: linearShade(70, 40, 70, 64, [20, 90, 200, 1], [200, 120, 30, 1]),
    };
    const flattened = flattenRamps(toWorkingPixels(paint(SIDE, SIDE, 0xffffff, [ramp, small])), 0.02)!;
    const at = 50 * SIDE + 76;
    const labels = Int32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
      return x >= 70 && x < 84 && y >= 40 && y < 64 ? 1 : 0;
    });
    const channels = Float64Array.from([255, 255, 255, 255, ...flattened.pixels.rgba.subarray(at * 4, at * 4 + 4)]);
    const regions = joinRegions(labels, SIDE, SIDE, flattened.pixels.rgba, channels);
    const painted = flattened.repaint(regions);
    expect(flattened.paintsOf(painted.colors, regions.of[at]!)).not.to.equal(undefined);
  });
});
