import { expect } from 'chai';
import { measureGrainLevel } from '#adapters/tracing/engine/intake/grain-level.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { coarselyGrainy, grainy } from '#test/support/grainy-pictures.js';
import { circle } from '#test/support/outlines.js';
import { ditheredShade, jpegDamaged, layer, linearShade, paint, pixelwise } from '#test/support/pictures.js';

const flat = paint(150, 120, 0x8090a0, [layer(0x305060, circle(60, 60, 40)), layer(0xc04030, circle(110, 40, 25))]);
const blackOnWhite = paint(150, 120, 0xffffff, [layer(0x000000, circle(60, 60, 40))]);
const shaded = pixelwise(150, 120, (x, y) => [180 - x / 3, 90 + y / 3, 120 + (x + y) / 6, 255]);
const toBytes = ([red, green, blue]: readonly number[]) =>
  [Math.round(red ?? 0), Math.round(green ?? 0), Math.round(blue ?? 0), 255] as const;
const levelsOf = (picture: Raster) => measureGrainLevel(toWorkingPixels(picture));

describe('measureGrainLevel', () => {
  it('is the standard deviation of grain, on even areas and on smooth changes', () => {
    for (const levels of [0.5, 1, 2, 3.5])
      for (const picture of [flat, shaded])
        expect(levelsOf(grainy(picture, levels))).to.be.closeTo(Math.hypot(levels, 0.29), 0.07 * levels + 0.02);
    expect(levelsOf(coarselyGrainy(flat, 2))).to.be.above(1);
  });

  it('is known where half of the grain is cut off by black and by white', () => {
    for (const levels of [1, 2, 3]) expect(levelsOf(grainy(blackOnWhite, levels))).to.be.closeTo(levels, 0.2 * levels);
  });

  it('is none where nothing has grain, or only some of the picture', async () => {
    const half = grainy(flat, 2);
    for (let y = 0; y < 60; y++) half.data.set(flat.data.subarray(y * 600, (y + 1) * 600), y * 600);
    const dithered = pixelwise(150, 120, (x, y) =>
      x < 75 ? [128, 144, 160, 255] : toBytes(ditheredShade(() => [90 + y / 2, 140, 60 + x / 3, 1])(x, y)),
    );
    for (const [name, picture] of Object.entries({ flat, shaded, half, dithered }))
      expect(levelsOf(picture), name).to.equal(0);
    for (const quality of [40, 75, 90]) {
      expect(levelsOf(await jpegDamaged(flat, quality)), `JPEG ${quality}`).to.equal(0);
      expect(levelsOf(await jpegDamaged(grainy(flat, 2), quality)), `grain after JPEG ${quality}`).to.equal(0);
    }
  });

  it('is none where all is a dithered gradient, and where a few blocks tell too little', () => {
    const shade = ditheredShade(linearShade(0, 0, 128, 128, [240, 60, 40, 1], [200, 30, 90, 1]));
    const dithered = pixelwise(128, 128, (x, y) => toBytes(shade(x, y)));
    expect(levelsOf(dithered)).to.equal(0);
    expect(levelsOf(grainy(paint(32, 32, 0x8090a0, []), 2))).to.equal(0);
    expect(levelsOf(grainy(paint(48, 48, 0x8090a0, []), 2))).to.be.closeTo(2, 0.2);
  });

  it('is none where a gradient on white was compressed', async () => {
    const shade = linearShade(30, 30, 130, 130, [200, 60, 90, 1], [250, 190, 60, 1]);
    const shadedDisk = paint(160, 160, 0xffffff, [{ color: 0, outline: [circle(80.3, 79.6, 56.2)], shade }]);
    for (const quality of [60, 85, 95])
      expect(levelsOf(await jpegDamaged(shadedDisk, quality)), `${quality}`).to.equal(0);
  });

  it('is none where there is too much of it, or texture', () => {
    expect(levelsOf(grainy(flat, 6))).to.equal(0);
    const waves = pixelwise(150, 120, (x, y) => {
      const level = 128 + (4 + x / 20) * Math.sin(x * 1.7) * Math.cos(y * 1.3);
      return [level, level, level, 255];
    });
    expect(levelsOf(waves)).to.equal(0);
  });
});
