import { expect } from 'chai';
import fc from 'fast-check';
import { medianOf } from '#adapters/tracing/engine/math/median.js';
import { holds } from '#test/support/properties.js';

describe('the median', () => {
  it('is what lies in the middle of the sorted values, however these are spread', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const few = fc.constantFrom(-1, 0, 0.5, 1e5);
    holds(
      fc.property(fc.array(fc.oneof(number, few), { minLength: 1, maxLength: 300 }), (values) => {
        const sorted = Float64Array.from(values).sort();
        expect(medianOf(Float64Array.from(values))).to.equal(sorted[values.length >> 1]);
      }),
    );
  });
});
