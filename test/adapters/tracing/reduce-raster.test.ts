import { expect } from 'chai';
import { reduceRaster } from '#adapters/tracing/reduce-raster.js';
import type { Raster } from '#application/ports/tracer.js';
import { gradient, noise, pixelwise, single } from '#test/support/pictures.js';

/** The sum of a channel weighted by opacity, which averaging areas must keep. */
function mass({ data, width, height }: Raster, channel: number): number {
  let sum = 0;
  for (let i = 0; i < data.length; i += 4)
    sum += channel === 3 ? data[i + 3]! : (data[i + channel]! * data[i + 3]!) / 255;
  return sum / (width * height);
}

describe('a raster brought down', () => {
  it('is the same object where it is small enough', () => {
    const raster = noise(30, 20, 1);
    expect(reduceRaster(raster, 600)).to.equal(raster);
    expect(reduceRaster(raster, 10_000)).to.equal(raster);
  });

  it('has at most so many pixels, nearly as many as it may, in its own proportion', () => {
    let cases = 0;
    for (const [width, height] of [
      [300, 200],
      [97, 411],
      [640, 10],
      [33, 33],
    ] as const)
      for (const limit of [50, 333, 1000]) {
        const { width: w, height: h, data } = reduceRaster(single(width, height, 0x336699), limit);
        expect(w * h).to.be.at.most(limit);
        expect(data.length).to.equal(w * h * 4);
        expect((w + 1) * (h + 1)).to.be.greaterThan(Math.min(limit, width * height) * 0.99);
        expect(Math.abs(w - (width * h) / height)).to.be.at.most(1 + width / height);
        cases++;
      }
    expect(cases).to.equal(12);
  });

  it('never has no side, however long and thin it is', () => {
    for (const [width, height] of [
      [5000, 1],
      [1, 5000],
      [4000, 2],
      [2, 4000],
    ] as const)
      for (const limit of [1, 2, 7, 100]) {
        const { width: w, height: h } = reduceRaster(single(width, height, 0), limit);
        expect(Math.min(w, h)).to.be.at.least(1);
        expect(w * h).to.be.at.most(limit);
      }
  });

  it('averages areas exactly where the sides divide', () => {
    const raster = pixelwise(4, 2, (x, y) => [x * 10, y * 100, x + y, 255]);
    const { data, width, height } = reduceRaster(raster, 2);
    expect([width, height]).to.deep.equal([2, 1]);
    expect([...data]).to.deep.equal([5, 50, 1, 255, 25, 50, 3, 255]);
  });

  it('keeps color and opacity in sum, also where pixels are cut', () => {
    for (const raster of [gradient(71, 53), noise(60, 61, 5), pixelwise(50, 40, (x, y) => [255, x * 5, 0, y * 6])]) {
      const reduced = reduceRaster(raster, 400);
      for (let c = 0; c < 4; c++) expect(mass(reduced, c)).to.be.closeTo(mass(raster, c), 1);
    }
  });

  it('lends no color from pixels that are transparent', () => {
    const raster = pixelwise(4, 4, (x) => (x % 2 === 0 ? [200, 40, 10, 255] : [0, 255, 0, 0]));
    const { data } = reduceRaster(raster, 4);
    for (let i = 0; i < data.length; i += 4) expect([...data.subarray(i, i + 4)]).to.deep.equal([200, 40, 10, 128]);
    expect(new Set(reduceRaster(single(9, 9, 0xff0000, 0), 4).data)).to.deep.equal(new Set([0]));
  });
});
