import { expect } from 'chai';
import { chooseFrontend } from '#adapters/tracing/engine/intake/choose-frontend.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle } from '#test/support/outlines.js';
import { jpegDamaged, layer, noise, paint, pixelwise } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const drawing = paint(96, 96, 0xffffff, [layer(0xe63946, circle(48, 48, 30))]);
const choose = (raster: Raster, forced?: 'flat' | 'photo') => chooseFrontend(toWorkingPixels(raster), forced);

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
  it('is flat for drawings and photo for noise, surer the clearer the case', () => {
    const flat = choose(drawing);
    expect([flat.frontend, flat.damaged]).to.deep.equal(['flat', false]);
    const photo = choose(noise(64, 64, 4));
    expect([photo.frontend, photo.damaged]).to.deep.equal(['photo', false]);
    for (const { confidence, reason } of [flat, photo]) {
      expect(confidence).to.be.within(0.8, 1);
      expect(reason).to.match(/\d+ % of the pixels equal their neighbors/);
    }
    expect(choose(speckled(0.11)).confidence).to.be.lessThan(flat.confidence);
  });

  it('is photo, but damaged flat art, where compression or noise has been at a drawing', async () => {
    const speckles = choose(speckled(0.2));
    expect([speckles.frontend, speckles.damaged]).to.deep.equal(['photo', true]);
    expect(speckles.reason).to.contain('flat art with noise or compression');
    expect(choose(await jpegDamaged(drawing, 30)).frontend).to.be.oneOf(['photo', 'flat']);
  });

  it('is what is asked for, with certainty', () => {
    for (const forced of ['flat', 'photo'] as const)
      for (const raster of [drawing, noise(20, 20, 1)]) {
        const { frontend, confidence, reason } = choose(raster, forced);
        expect([frontend, confidence]).to.deep.equal([forced, 1]);
        expect(reason).to.contain('the settings ask for it');
      }
  });
});
