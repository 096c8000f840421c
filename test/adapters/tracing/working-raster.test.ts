import { expect } from 'chai';
import { workingRaster } from '#adapters/tracing/working-raster.js';
import { circle } from '#test/support/outlines.js';
import { checkerboard, layer, noise, paint } from '#test/support/pictures.js';

const LIMIT = { maxWorkingPixels: 120 * 120 };
const areaOf = (raster: Parameters<typeof workingRaster>[0]) => {
  const { width, height } = workingRaster(raster, LIMIT);
  return width * height;
};
const drawing = (side: number) => paint(side, side, 0xffffff, [layer(0xe63946, circle(side / 2, side / 2, side / 3))]);

describe('the size a picture is traced at', () => {
  it('is its own where that is within the limit', () => {
    const raster = noise(120, 120, 4);
    expect(workingRaster(raster, LIMIT)).to.equal(raster);
  });

  it('is up to four times the limit for a drawing, and the limit for anything else', () => {
    const whole = drawing(240);
    expect(workingRaster(whole, LIMIT)).to.equal(whole);
    expect(areaOf(drawing(500))).to.be.within(3.95 * LIMIT.maxWorkingPixels, 4 * LIMIT.maxWorkingPixels);
    for (const raster of [noise(240, 240, 4), checkerboard(240, 240, 1), checkerboard(500, 500, 9)])
      expect(areaOf(raster)).to.be.within(0.98 * LIMIT.maxWorkingPixels, LIMIT.maxWorkingPixels);
  });

  it('is the limit where even a drawing has more edges than there is time for', () => {
    // Long runs, but as many of them as the limit has pixels.
    expect(areaOf(checkerboard(600, 600, 20))).to.be.at.most(LIMIT.maxWorkingPixels);
    expect(areaOf(checkerboard(600, 600, 120))).to.be.greaterThan(LIMIT.maxWorkingPixels);
  });
});
