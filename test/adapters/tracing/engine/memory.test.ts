import { expect } from 'chai';
import { trace } from '#adapters/tracing/engine/trace.js';
import { countAllocations } from '#test/support/count-allocations.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';

/** Too large for the memory that is kept from one picture to the next, and for the pixels of it to be cells. */
const SIDE = 1100;

/** All that is taken for typed arrays, bytes a pixel, where nothing is kept from a picture before: less of it is in use at any one time. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  'spiral of three pixels': 120,
  'checkerboard of single pixels': 90,
  'checkerboard of two': 60,
  'dots of a pixel': 320,
};

describe('the memory of the engine', () => {
  for (const [name, most] of Object.entries(MOST_BYTES))
    it(`is at most ${most} bytes a pixel for ${name}, all arrays together`, () => {
      const picture = PATHOLOGICAL[name]!(SIDE);
      let shapes = 0;
      const { bytes } = countAllocations(() => {
        shapes = trace(picture, ENGINE, () => {}).drawing.items.length;
      });
      expect(shapes).to.be.greaterThan(0);
      expect(bytes / SIDE ** 2).to.be.within(10, most);
    });
});
