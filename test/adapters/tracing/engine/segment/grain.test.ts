import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { chooseNoisyPalette } from '#adapters/tracing/engine/quantize/noisy-palette.js';
import { limitsOfGrain, measureGrain, uncutColors } from '#adapters/tracing/engine/segment/grain.js';
import { coarselyGrainy, grainy } from '#test/support/grainy-pictures.js';
import { circle } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint, pixelwise } from '#test/support/pictures.js';

const flat = paint(150, 120, 0x8090a0, [layer(0x305060, circle(60, 60, 40)), layer(0xc04030, circle(110, 40, 25))]);
/** Light that falls off over the picture, by a level in some 3 px. */
const shaded = pixelwise(150, 120, (x, y) => [180 - x / 3, 90 + y / 3, 120 + (x + y) / 6, 255]);

const isGrain = (picture: typeof flat) => {
  const pixels = toWorkingPixels(picture);
  const grain = measureGrain(pixels);
  return grain?.explains(chooseNoisyPalette(pixels, limitsOfGrain(grain.levels)));
};

describe('grain', () => {
  it('is measured by its standard deviation', () => {
    for (const levels of [1, 3, 8])
      expect(measureGrain(toWorkingPixels(grainy(flat, levels)))?.levels).to.be.closeTo(levels, 0.15 * levels + 0.1);
    expect(measureGrain(toWorkingPixels(flat))).to.equal(undefined);
  });

  it('explains what differs from even colors, and no shades', () => {
    for (const levels of [1, 3, 6]) {
      expect(isGrain(grainy(flat, levels)), `${levels}`).to.equal(true);
      expect(isGrain(grainy(shaded, levels)), `shaded, ${levels}`).to.equal(false);
    }
    expect(isGrain(coarselyGrainy(flat, 3))).to.equal(true);
    expect(isGrain(coarselyGrainy(shaded, 3))).to.equal(false);
  });

  it('is not looked into where it is faint and what a compressed picture has for colors explains too little', async () => {
    const looks = (picture: typeof flat) => {
      const pixels = toWorkingPixels(picture);
      const grain = measureGrain(pixels)!;
      const colors = chooseNoisyPalette(pixels, limitsOfGrain(grain.levels));
      return { may: grain.mayExplain(chooseNoisyPalette(pixels)), does: grain.explains(colors) };
    };
    for (const levels of [1, 2, 3, 6, 10]) {
      expect(looks(grainy(flat, levels)), `${levels}`).to.deep.equal({ may: true, does: true });
      const compressed = looks(await jpegDamaged(grainy(flat, levels), 85));
      expect(compressed.may || !compressed.does, `${levels}, compressed`).to.equal(true);
    }
    for (const levels of [1, 2]) expect(looks(grainy(shaded, levels)).may, `shaded, ${levels}`).to.equal(false);
  });

  it('is looked for between edges alone', () => {
    const checks = pixelwise(96, 96, (x, y) => ((x + y) % 4 < 2 ? [20, 20, 20, 255] : [220, 220, 220, 255]));
    expect(measureGrain(toWorkingPixels(grainy(checks, 2)))).to.equal(undefined);
  });

  it('on white and on black has one side, and no color beside them moves', () => {
    const levels = 4;
    const pixels = toWorkingPixels(grainy(paint(90, 60, 0xff0040, []), levels));
    const labels = new Int32Array(90 * 60);
    const means = [0, 1, 2].map(
      (c) => labels.reduce((sum, _, i) => sum + (pixels.rgba[i * 4 + c] as number), 0) / labels.length,
    );
    expect(means[0]).to.be.below(254);
    expect(means[1]).to.be.above(1);
    const [red, green, blue] = uncutColors(pixels.rgba, labels, Float64Array.from([...means, 255]));
    expect([red, green, blue]).to.deep.equal([255, 0, means[2]]);
    const near = toWorkingPixels(grainy(paint(90, 60, 0xfc0340, []), levels));
    const unmoved = Float64Array.from([251.5, 3.5, 64, 255]);
    expect(uncutColors(near.rgba, labels, unmoved)).to.deep.equal(unmoved);
  });
});
