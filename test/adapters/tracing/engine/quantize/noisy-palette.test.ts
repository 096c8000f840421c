import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { chooseNoisyPalette } from '#adapters/tracing/engine/quantize/noisy-palette.js';
import { bar, circle, ring } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint, pixelwise } from '#test/support/pictures.js';

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

  it('is of pixels alone that are even, wherever the picture is parted to look for them', () => {
    // Of pictures so wide 131 rows are looked at at once: of two rows no pixel has its like above and below, of three the middle ones have.
    const stripes = (top: number, rows: number) =>
      toWorkingPixels(
        pixelwise(1000, 150, (x, y) => {
          const isStripe = y >= top && y < top + rows;
          const level = isStripe ? 120 : (x * 7 + y * 11) % 2 === 0 ? 0 : 255;
          return [level, level, level, 255];
        }),
      );
    for (let top = 127; top < 135; top++) {
      expect(chooseNoisyPalette(stripes(top, 2)).size, `from row ${top}`).to.equal(0);
      const { size, channels } = chooseNoisyPalette(stripes(top, 3));
      expect(size, `from row ${top}`).to.equal(1);
      expect([...channels]).to.deep.equal([120, 120, 120, 255]);
    }
  });
});
