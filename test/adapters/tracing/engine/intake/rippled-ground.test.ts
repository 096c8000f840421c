import { expect } from 'chai';
import { mayBeRippled } from '#adapters/tracing/engine/intake/rippled-ground.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { circle, lettering, rectangle } from '#test/support/outlines.js';
import { gradient, jpegDamaged, layer, paint } from '#test/support/pictures.js';

const drawing = paint(140, 90, 0xffffff, [
  layer(0x1d3557, circle(38, 45, 22.3)),
  layer(0xe63946, rectangle(72.4, 50.2, 40, 30)),
  layer(0x222222, ...lettering(64, 12, 12)),
]);

describe('the ground of a picture', () => {
  it('is even where nothing has been at the picture, and rippled after lossy compression', async () => {
    expect(mayBeRippled(toWorkingPixels(drawing))).to.equal(false);
    for (const quality of [60, 75, 90, 95])
      expect(mayBeRippled(toWorkingPixels(await jpegDamaged(drawing, quality))), `${quality}`).to.equal(true);
  });

  it('tells nothing where there is hardly any', () => {
    expect(mayBeRippled(toWorkingPixels(gradient(64, 64)))).to.equal(true);
  });
});
