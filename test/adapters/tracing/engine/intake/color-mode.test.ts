import { expect } from 'chai';
import { otsuThreshold, overWhite, toGrayscale } from '#adapters/tracing/engine/intake/color-mode.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { bar } from '#test/support/outlines.js';
import { layer, paint, pixelwise, single } from '#test/support/pictures.js';

const bytes = ({ data }: { readonly data: Uint8Array | Uint8ClampedArray }) => [...data];

describe('a picture in grays', () => {
  it('has the luma of Rec. 601 and keeps its opacity', () => {
    const colors = [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 9],
      [255, 255, 255, 0],
    ] as const;
    const gray = toGrayscale(pixelwise(4, 1, (x) => colors[x]!));
    expect(bytes(gray)).to.deep.equal([76, 76, 76, 255, 150, 150, 150, 255, 29, 29, 29, 9, 255, 255, 255, 0]);
  });

  it('keeps grays as they are and does not touch the picture it comes from', () => {
    const raster = pixelwise(256, 1, (x) => [x, x, x, 255]);
    expect(bytes(toGrayscale(raster))).to.deep.equal(bytes(raster));
    const red = single(1, 1, 0xff0000);
    toGrayscale(red);
    expect(bytes(red)).to.deep.equal([255, 0, 0, 255]);
  });
});

describe('a picture over white', () => {
  it('is opaque, mixed with white by what it lacks', () => {
    const raster = pixelwise(4, 1, (x) => [100, 0, 200, [0, 100, 254, 255][x]!]);
    const white = (value: number, alpha: number) => Math.floor((value * alpha + 255 * (255 - alpha) + 127) / 255);
    const expected = [0, 100, 254, 255].flatMap((alpha) => [
      white(100, alpha),
      white(0, alpha),
      white(200, alpha),
      255,
    ]);
    expect(bytes(overWhite(raster))).to.deep.equal(expected);
    expect(expected.slice(0, 3)).to.deep.equal([255, 255, 255]);
    expect(raster.data[3]).to.equal(0);
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
    expect(otsuThreshold(toWorkingPixels(toGrayscale(art)))).to.be.within(100, 190);
  });
});
