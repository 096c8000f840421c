import { expect } from 'chai';
import { chooseFrontend } from '#adapters/tracing/engine/intake/choose-frontend.js';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle } from '#test/support/outlines.js';
import { jpegDamaged, layer, noise, paint, pixelwise } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const drawing = paint(96, 96, 0xffffff, [layer(0xe63946, circle(48, 48, 30))]);
const choose = (raster: Raster, forced?: 'flat' | 'photo') =>
  chooseFrontend(measureFlatness(toWorkingPixels(raster)), forced);

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

  it('is what is asked for', () => {
    for (const forced of ['flat', 'photo'] as const)
      for (const raster of [drawing, noise(20, 20, 1)]) {
        expect(choose(raster, forced).frontend).to.equal(forced);
      }
  });
});
