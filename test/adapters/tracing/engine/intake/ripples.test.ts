import { expect } from 'chai';
import { isRippled, turnsOften } from '#adapters/tracing/engine/intake/ripples.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { bar, circle, lettering, rectangle, ring } from '#test/support/outlines.js';
import {
  avifDamaged,
  blurredBox,
  ditheredShade,
  gradient,
  jpegDamaged,
  layer,
  linearShade,
  paint,
  pixelwise,
} from '#test/support/pictures.js';

const drawing = paint(140, 90, 0xffffff, [
  layer(0x1d3557, circle(38, 45, 22.3)),
  layer(0xe63946, rectangle(72.4, 50.2, 40, 30)),
  layer(0x222222, ...lettering(64, 12, 12)),
]);

describe('ripples', () => {
  it('are in no picture that nothing has been at, and in all after lossy compression', async () => {
    expect(isRippled(toWorkingPixels(drawing))).to.equal(false);
    for (const quality of [50, 60, 75, 90, 95])
      expect(isRippled(toWorkingPixels(await jpegDamaged(drawing, quality))), `${quality}`).to.equal(true);
  });

  it('are not in gradients and shadows, which go on the way they go, but in them after compression', async () => {
    for (const sigma of [1.5, 3, 6]) {
      const shadow = {
        color: 0,
        outline: [rectangle(0, 0, 160, 120)],
        shade: blurredBox({ left: 40, top: 30, right: 120, bottom: 90, sigma, opacity: 0.4 }),
      };
      const card = paint(160, 120, 0xf4f5f7, [shadow, layer(0xffffff, rectangle(40, 27, 80, 60))]);
      expect(isRippled(toWorkingPixels(card)), `${sigma}`).to.equal(false);
      // Compression leaves the softest nearly as they are.
      if (sigma > 4) continue;
      expect(isRippled(toWorkingPixels(await jpegDamaged(card, 80))), `${sigma}`).to.equal(true);
    }
    expect(isRippled(toWorkingPixels(gradient(64, 64)))).to.equal(false);
    // Dithered, as browsers draw gradients: a level up or down, by turns.
    const dithered = pixelwise(96, 96, (x, y) => {
      const level = Math.floor(60 + x / 12 + ((x + y) & 1) / 2);
      return [level, 255 - level, 128, 255];
    });
    expect(isRippled(toWorkingPixels(dithered))).to.equal(false);
  });

  it('are not in dithered gradients, however steep, but in these after compression', async () => {
    for (const levels of [20, 60, 100, 160]) {
      const shade = ditheredShade(
        linearShade(0, 0, 120, 70, [240 - levels, 60, 90, 1], [240, 60 + levels / 2, 90 + levels, 1]),
      );
      const card = paint(120, 90, 0xffffff, [
        { color: 0, outline: [rectangle(8, 8, 104, 74)], shade },
        layer(0x222222, circle(60.3, 45.2, 20.7)),
      ]);
      expect(isRippled(toWorkingPixels(card)), `${levels}`).to.equal(false);
      expect(isRippled(toWorkingPixels(await jpegDamaged(card, 80))), `${levels}`).to.equal(true);
    }
  });

  it('are not what a small picture has a few turns of, as lines in gradients have', async () => {
    const shade = linearShade(4, 4, 28, 26, [136, 48, 48, 1], [18, 53, 91, 1]);
    const lines = [ring(16.6, 16, 12, 9.6), [bar(8.6, 16, 24, 16.4, 2.4)], [bar(16.6, 9, 17, 23, 2.4)]];
    const icon = paint(
      32,
      32,
      0xffffff,
      lines.map((outline) => ({ color: 0, outline, shade })),
    );
    expect(isRippled(toWorkingPixels(icon))).to.equal(false);
    expect(isRippled(toWorkingPixels(await jpegDamaged(icon, 90)))).to.equal(true);
  });

  it('are few after AVIF, which foresees edges, but turn often, as clean edges and ramps do not', async () => {
    const black = paint(256, 256, 0xffffff, [
      layer(0x000000, ...ring(128.3, 127.6, 118.4, 101.2)),
      layer(0x000000, circle(120.3, 122.7, 64.5)),
      layer(0x000000, ...lettering(40, 200, 24)),
    ]);
    const shaded = {
      ...layer(0, rectangle(10, 10, 130, 70)),
      shade: linearShade(10, 10, 140, 80, [230, 57, 70, 1], [29, 53, 87, 1]),
    };
    const clean = [black, drawing, gradient(160, 120), paint(160, 90, 0xffffff, [shaded])];
    for (const [k, picture] of clean.entries()) expect(turnsOften(toWorkingPixels(picture)), `${k}`).to.equal(false);
    for (const quality of [40, 60, 75])
      expect(turnsOften(toWorkingPixels(await avifDamaged(black, quality))), `${quality}`).to.equal(true);
  });
});
