import { expect } from 'chai';
import { hasHardEdges, withoutSteps } from '#adapters/tracing/engine/intake/steps.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { sampled } from '#test/support/coarse-pictures.js';
import { circle, rectangle, turned } from '#test/support/outlines.js';
import { layer, noise, paint, pixelwise } from '#test/support/pictures.js';

const BLACK = [0, 0, 0, 255] as const;
const WHITE = [255, 255, 255, 255] as const;

const smoothed = (picture: Raster) => withoutSteps(toWorkingPixels(picture))?.data;
const isHard = (picture: Raster) => hasHardEdges(toWorkingPixels(picture));

/** Levels that pixels are off, root mean square. */
const offLevels = (data: ArrayLike<number>, truth: Raster) =>
  Math.sqrt(
    Float64Array.from(truth.data).reduce((sum, value, i) => sum + (value - data[i]!) ** 2, 0) / truth.data.length,
  );

describe('steps', () => {
  const shapes = [layer(0, circle(60.4, 50.7, 40.3)), layer(0xd02030, turned(rectangle(100, 20, 30, 60), 23, 115, 50))];

  it('are told from anti-aliased edges, ramps and noise', () => {
    expect(isHard(sampled(160, 100, 0xffffff, shapes, 1))).to.equal(true);
    expect(isHard(paint(160, 100, 0xffffff, shapes))).to.equal(false);
    expect(isHard(sampled(160, 100, 0xffffff, shapes, 2))).to.equal(false);
    expect(isHard(pixelwise(160, 100, (x) => [x, x, x, 255]))).to.equal(false);
    expect(isHard(noise(160, 100, 3))).to.equal(false);
  });

  it('become edges that are nearer to those that were drawn', () => {
    const truth = paint(160, 100, 0xffffff, shapes);
    const hard = sampled(160, 100, 0xffffff, shapes, 1);
    expect(offLevels(smoothed(hard)!, truth)).to.be.below(0.6 * offLevels(hard.data, truth));
  });

  it('go straight along lines of any slope, within half a pixel', () => {
    for (const slope of [0.14, 0.2, 0.37, 0.5, 0.65, 0.81]) {
      const data = smoothed(pixelwise(160, 160, (x, y) => (y + 0.5 > 10.2 + slope * (x + 0.5) ? BLACK : WHITE)))!;
      const off: number[] = [];
      // In the middle, by how much of a column is white, where the line runs.
      for (let x = 30; x < 130; x++) {
        let white = 0;
        for (let y = 0; y < 160; y++) white += data[(y * 160 + x) * 4]! / 255;
        off.push(white - (10.2 + slope * (x + 0.5)));
      }
      const mean = off.reduce((sum, px) => sum + px, 0) / off.length;
      const variance = off.reduce((sum, px) => sum + (px - mean) ** 2, 0) / off.length;
      expect(Math.max(...off.map(Math.abs)), `${slope}`).to.be.below(0.5);
      // Of steps, which lie anywhere within half a pixel, it is twice as much.
      expect(variance, `${slope}`).to.be.below(1 / 24);
    }
  });

  it('leave corners of longer sides, ends of lines, upright edges and textures as they are', () => {
    const box = (x: number, y: number, x0: number, y0: number, x1: number, y1: number) =>
      x >= x0 && x < x1 && y >= y0 && y < y1;
    const upright = pixelwise(120, 90, (x, y) => {
      const isInk =
        box(x, y, 5, 5, 60, 6) || box(x, y, 5, 20, 40, 60) || box(x, y, 70, 10, 71, 80) || box(x, y, 80, 30, 82, 32);
      return isInk ? BLACK : WHITE;
    });
    expect(smoothed(upright)).to.equal(undefined);
    const slanted = pixelwise(120, 90, (x, y) => (y + 0.5 > 70 + 0.3 * (x - 60) ? [200, 30, 40, 255] : BLACK));
    const both = pixelwise(120, 90, (x, y) => {
      const at = (y * 120 + x) * 4;
      const from = y < 45 ? upright : slanted;
      return [from.data[at]!, from.data[at + 1]!, from.data[at + 2]!, 255];
    });
    const data = smoothed(both)!;
    expect(data.subarray(0, 120 * 44 * 4)).to.deep.equal(both.data.subarray(0, 120 * 44 * 4));
    expect(data).not.to.deep.equal(both.data);
    expect(smoothed(pixelwise(64, 64, (x, y) => ((x + y) % 2 === 0 ? BLACK : WHITE)))).to.equal(undefined);
  });

  it('of what lies on nothing become opacity', () => {
    const hard = pixelwise(80, 80, (x, y) =>
      Math.hypot(x - 40.2, y - 39.7) < 30.4 ? [200, 100, 50, 255] : [0, 0, 0, 0],
    );
    const data = smoothed(hard)!;
    const partly = Array.from({ length: 80 * 80 }, (_, i) => i * 4).filter(
      (at) => data[at + 3]! > 0 && data[at + 3]! < 255,
    );
    expect(partly.length).to.be.above(60);
    for (const at of partly) {
      const slackLevels = 255 / data[at + 3]! + 1;
      for (const [c, level] of [200, 100, 50].entries()) expect(data[at + c]!).to.be.closeTo(level, slackLevels);
    }
  });
});
