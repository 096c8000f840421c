import { expect } from 'chai';
import { otsuThreshold, overWhite, toGrayscale } from '#adapters/tracing/engine/intake/color-mode.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { bar } from '#test/support/outlines.js';
import { layer, paint, pixelwise, single } from '#test/support/pictures.js';

describe('gray working pixels', () => {
  it('have the luma of Rec. 601 and keep their opacity', () => {
    const raster = pixelwise(
      4,
      1,
      (x) =>
        [
          [255, 0, 0, 255],
          [0, 255, 0, 255],
          [0, 0, 255, 255],
          [255, 255, 255, 255],
        ][x] as [number, number, number, number],
    );
    const { rgba } = toGrayscale(toWorkingPixels(raster));
    expect([...rgba]).to.deep.equal([76, 76, 76, 255, 150, 150, 150, 255, 29, 29, 29, 255, 255, 255, 255, 255]);
    const half = toGrayscale(toWorkingPixels(single(1, 1, 0xffffff, 100)));
    expect([...half.rgba]).to.deep.equal([100, 100, 100, 100]);
  });

  it('leave grays as they are and do not touch the pixels they come from', () => {
    const raster = pixelwise(256, 1, (x) => [x, x, x, 255]);
    const pixels = toWorkingPixels(raster);
    const gray = toGrayscale(pixels);
    expect(gray.rgba).to.deep.equal(pixels.rgba);
    expect(gray.rgba).to.not.equal(pixels.rgba);
    expect(gray.words).to.deep.equal(pixels.words);
  });
});

describe('pixels over white', () => {
  it('become opaque, mixed with white by what they lack', () => {
    const over = overWhite(toWorkingPixels(pixelwise(3, 1, (x) => [0, 0, 0, [0, 100, 255][x]!])));
    expect([...over.rgba]).to.deep.equal([255, 255, 255, 255, 155, 155, 155, 255, 0, 0, 0, 255]);
    expect(over.opaque).to.equal(true);
    expect(over.words[0]).to.equal(0xffffffff);
  });

  it('are the same object where they are opaque already', () => {
    const pixels = toWorkingPixels(single(2, 2, 0xff0000));
    expect(overWhite(pixels)).to.equal(pixels);
  });
});

describe('the threshold between ink and paper', () => {
  const threshold = (levelAt: (x: number) => number, width = 100) =>
    otsuThreshold(toWorkingPixels(pixelwise(width, 1, (x) => [levelAt(x), levelAt(x), levelAt(x), 255])));

  it('lies halfway between two clean levels, whatever their shares', () => {
    expect(threshold((x) => (x < 50 ? 0 : 255))).to.equal(127.5);
    expect(threshold((x) => (x < 3 ? 40 : 200))).to.equal(120);
    expect(threshold((x) => (x < 97 ? 40 : 42))).to.equal(41);
  });

  it('is -1 for a picture of one level', () => {
    for (const level of [0, 17, 255]) expect(threshold(() => level)).to.equal(-1);
  });

  it('maximizes the variance between the parts', () => {
    const levels = [10, 30, 30, 60, 90, 90, 120, 180, 200, 230, 230, 250];
    const found = threshold((x) => levels[x]!, levels.length);
    const variance = (limit: number) => {
      const below = levels.filter((level) => level <= limit);
      const above = levels.filter((level) => level > limit);
      if (below.length === 0 || above.length === 0) return 0;
      const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
      return below.length * above.length * (mean(below) - mean(above)) ** 2;
    };
    const best = Math.max(...Array.from({ length: 256 }, (_, limit) => variance(limit)));
    expect(variance(found)).to.be.closeTo(best, best * 1e-9);
  });

  it('parts anti-aliased line art near the middle', () => {
    const art = paint(60, 60, 0xffffff, [layer(0x202020, bar(5, 9, 55, 50, 2.5))]);
    expect(otsuThreshold(toGrayscale(toWorkingPixels(art)))).to.be.within(100, 190);
  });
});
