import { expect } from 'chai';
import { findEnlarged } from '#adapters/tracing/engine/intake/enlargement.js';
import type { Raster } from '#application/ports/tracer.js';
import { enlarged, type Kernel } from '#test/support/enlarged-pictures.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { softened } from '#test/support/soft-pictures.js';

const small = paint(72, 60, 0xffffff, [
  layer(0x000000, circle(25.3, 28.6, 18.2)),
  layer(0xe63946, star(52.7, 30.2, 16, 7, 5)),
  layer(0xffffff, circle(25.3, 28.6, 8.1)),
]);

/** Pixels of which a channel is off by more than so many levels. */
const farther = (a: Raster, b: Raster, levels: number) => {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if ([0, 1, 2].some((c) => Math.abs(a.data[i + c]! - b.data[i + c]!) > levels)) count++;
  return count;
};

describe('enlarged pictures', () => {
  for (const kernel of ['linear', 'cubic', 'steep-cubic', 'mitchell', 'lanczos'] as const satisfies readonly Kernel[]) {
    // Lanczos's rings cover all of so small a picture, and hide where it is even.
    for (const factor of kernel === 'lanczos' ? [2, 3, 4] : [1.5, 2, 3, 4]) {
      it(`are brought back, enlarged ${factor} times, ${kernel}`, () => {
        const found = findEnlarged(enlarged(small, 72 * factor, 60 * factor, kernel)) as Raster;
        expect([found.width, found.height]).to.deep.equal([72, 60]);
        // Beyond white and black nothing is known of what the rings would have been.
        expect(farther(found, small, 8)).to.be.at.most(0.01 * 72 * 60);
      });
    }
  }

  it('are no others: sharp, soft, grainy or see-through ones, or ones that were changed since', () => {
    const large = enlarged(small, 144, 120, 'linear');
    const moved = {
      ...large,
      data: large.data.map((value, i) => (i % 4 === 3 ? value : Math.max(0, value - (i % 28 === 0 ? 9 : 0)))),
    };
    const clear = { ...large, data: large.data.map((value, i) => (i % 4 === 3 && i < 4000 ? 128 : value)) };
    expect(findEnlarged(large)).not.to.equal(undefined);
    for (const [name, picture] of Object.entries({
      sharp: small,
      soft: softened(small, 0.15),
      grainy: grainy(large, 3),
      moved,
      clear,
      tiny: enlarged(paint(10, 10, 0xffffff, [layer(0, circle(5, 5, 3))]), 20, 20, 'linear'),
    }))
      expect(findEnlarged(picture), name).to.equal(undefined);
  });
});
