import { expect } from 'chai';
import { chooseFrontend } from '#adapters/tracing/engine/intake/choose-frontend.js';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { inventPhoto } from '#test/support/labelled-pictures.js';
import { bar, circle, rectangle, ring } from '#test/support/outlines.js';
import {
  avifDamaged,
  blurredBox,
  jpegDamaged,
  layer,
  noise,
  paint,
  pixelwise,
  single,
} from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const drawing = paint(96, 96, 0xffffff, [layer(0xe63946, circle(48, 48, 30))]);
const choose = (raster: Raster, forced?: 'flat' | 'photo') => {
  const pixels = toWorkingPixels(raster);
  return chooseFrontend(measureFlatness(pixels), pixels, forced);
};

/** A drawing of which a share of the pixels is off by a level or two. */
function speckled(share: number): Raster {
  const random = createSeededRandom(3);
  return pixelwise(96, 96, (x, y) => {
    const at = (y * 96 + x) * 4;
    const off = random() < share ? 3 : 0;
    return [drawing.data[at]! - (drawing.data[at]! > 9 ? off : 0), drawing.data[at + 1]!, drawing.data[at + 2]!, 255];
  });
}

describe('the choice of who segments', () => {
  it('is flat for drawings and photo for noise', () => {
    const flat = choose(drawing);
    expect([flat.frontend, flat.damaged]).to.deep.equal(['flat', false]);
    const photo = choose(noise(64, 64, 4));
    expect([photo.frontend, photo.damaged]).to.deep.equal(['photo', false]);
  });

  it('is photo, but damaged flat art, where compression or noise has been at a drawing', async () => {
    const speckles = choose(speckled(0.2));
    expect([speckles.frontend, speckles.damaged]).to.deep.equal(['photo', true]);
    expect(choose(await jpegDamaged(drawing, 30)).frontend).to.be.oneOf(['photo', 'flat']);
  });

  it('is flat for small pictures that are mostly edge, unless compression has been at them', async () => {
    const colors = [0xe63946, 0x1d3557, 0x2a9d8f, 0xf4a261];
    const dots = Array.from({ length: 36 }, (_, k) =>
      layer(colors[k % 4]!, circle(7.3 + (k % 6) * 11.7, 6.8 + Math.floor(k / 6) * 11.6, 4.6)),
    );
    const busy = paint(72, 72, 0xffffff, dots);
    const flatness = measureFlatness(toWorkingPixels(busy));
    expect(flatness.exact).to.be.within(0.45, 0.62);
    expect(choose(busy)).to.deep.equal({ frontend: 'flat', damaged: false });
    expect(choose(await jpegDamaged(busy, 80)).frontend).to.equal('photo');
    // The same share of a large picture speaks of something else.
    const large = toWorkingPixels(single(1000, 1000, 0xffffff));
    expect(chooseFrontend(flatness, large, undefined)).to.deep.equal({ frontend: 'photo', damaged: true });
  });

  it('is flat for icons that are all edges, on paper and on nothing, and photo for a small photograph', () => {
    const rings = [15.2, 12.4, 9.6, 6.8, 4].flatMap((radius) => ring(16.1, 15.7, radius, radius - 1.4));
    for (const ground of [0xffffff, null]) {
      const icon = paint(32, 32, ground, [layer(0x000000, ...rings)]);
      expect(measureFlatness(toWorkingPixels(icon)).exact).to.be.below(0.3);
      expect(choose(icon).frontend).to.equal('flat');
    }
    for (const seed of [3, 5, 8]) expect(choose(inventPhoto(48, 48, seed)).frontend).to.equal('photo');
  });

  it('is what is asked for', () => {
    for (const forced of ['flat', 'photo'] as const)
      for (const raster of [drawing, noise(20, 20, 1)]) {
        expect(choose(raster, forced).frontend).to.equal(forced);
      }
  });

  it('is flat, but damaged, where compression has been at a drawing whose ground is even', async () => {
    const large = paint(256, 256, 0xffffff, [
      layer(0xe63946, ...ring(100, 128, 60, 44)),
      layer(0x1d3557, circle(190, 60, 24)),
    ]);
    expect(choose(large)).to.deep.equal({ frontend: 'flat', damaged: false });
    for (const quality of [40, 60, 80, 92])
      expect(choose(await jpegDamaged(large, quality)), `${quality}`).to.deep.equal({
        frontend: 'flat',
        damaged: true,
      });
  });

  it('is flat, but damaged, where AVIF has left little but what turns often; what is left of ramps may turn, too', async () => {
    const large = paint(256, 256, 0xffffff, [
      layer(0x000000, ...ring(128.3, 127.6, 118.4, 101.2)),
      layer(0x000000, bar(70.3, 96.4, 186.2, 156.4, 9.3)),
    ]);
    expect(choose(large)).to.deep.equal({ frontend: 'flat', damaged: false });
    for (const quality of [40, 60, 75])
      expect(choose(await avifDamaged(large, quality)), `${quality}`).to.deep.equal({
        frontend: 'flat',
        damaged: true,
      });
    const [clean, turning] = [toWorkingPixels(large), toWorkingPixels(await avifDamaged(large, 60))];
    const few = { exact: 0.93, within4: 0.95, within12: 0.952, strong: 0.03 };
    const chooseOf = (source: typeof clean) => chooseFrontend(few, turning, undefined, source).damaged;
    expect([chooseOf(turning), chooseOf(clean)]).to.deep.equal([true, false]);
  });

  it('is flat and clean where a card has a shadow', () => {
    for (const sigma of [1, 2, 3, 5]) {
      const shade = blurredBox({ left: 60, top: 48, right: 190, bottom: 138, sigma, opacity: 0.3 });
      const card = paint(256, 200, 0xf4f5f7, [
        { color: 0, outline: [rectangle(20, 20, 216, 160)], shade },
        layer(0xffffff, rectangle(60, 45, 130, 90)),
        layer(0x334455, rectangle(74, 60, 60, 10)),
      ]);
      expect(choose(card), `${sigma}`).to.deep.equal({ frontend: 'flat', damaged: false });
    }
  });

  it('is flat and clean where edges are of low contrast', () => {
    const pale = paint(256, 256, 0xffffff, [
      layer(0xf6f6f4, circle(90, 100, 70)),
      layer(0xeef0f2, circle(160, 140, 60)),
      layer(0xe63946, circle(128, 128, 6)),
    ]);
    expect(choose(pale)).to.deep.equal({ frontend: 'flat', damaged: false });
  });
});
