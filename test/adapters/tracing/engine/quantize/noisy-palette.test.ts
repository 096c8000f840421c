import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { chooseNoisyPalette } from '#adapters/tracing/engine/quantize/noisy-palette.js';
import { bar, circle, ring } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';

describe('the palette of flat art with noise', () => {
  it('has one black, whatever compression makes of it, and both of two pale colors', async () => {
    const picture = paint(384, 384, 0xffffff, [
      layer(0xefefef, circle(280, 280, 90)),
      layer(0xffcc00, circle(120, 120, 90)),
      layer(0x000000, ...ring(120, 120, 100, 84)),
      layer(0x000000, bar(20, 200, 360, 60, 60)),
    ]);
    for (const quality of [60, 75, 85]) {
      const { size, channels, noise } = chooseNoisyPalette(toWorkingPixels(await jpegDamaged(picture, quality)));
      expect(size, `quality ${quality}`).to.equal(4);
      const darkest = [0, 1, 2, 3].filter((k) => channels[4 * k]! + channels[4 * k + 1]! + channels[4 * k + 2]! < 60);
      expect(darkest, `quality ${quality}`).to.have.length(1);
      expect(noise).to.be.below(4);
    }
  });
});
