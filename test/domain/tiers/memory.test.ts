import { expect } from 'chai';
import { conversionMemoryBytes, pixelsWithinMemory } from '#domain/tiers/memory.js';
import { TIER_IDS, tierOf } from '#domain/tiers/tier.js';

describe('the memory of a conversion', () => {
  for (const id of TIER_IDS)
    it(`is enough for as many pixels as it says, and for not one more: ${id}`, () => {
      const tier = tierOf(id);
      for (const bytes of [100_000_176, 3e8, 1e9, 2.5e9, 4 * 1024 ** 3]) {
        const pixels = pixelsWithinMemory(bytes, tier);
        expect(pixels).to.be.above(0);
        expect(conversionMemoryBytes(pixels, tier)).to.be.at.most(bytes);
        expect(conversionMemoryBytes(pixels + 1, tier)).to.be.above(bytes);
      }
      expect(pixelsWithinMemory(50_000_000, tier)).to.equal(0);
    });

  it('grows with the picture, and with the tier', () => {
    const of = (pixels: number) => TIER_IDS.map((id) => conversionMemoryBytes(pixels, tierOf(id)));
    expect(of(1_000_000)).to.deep.equal([276e6, 276e6, 276e6]);
    // Of the picture 16 bytes a pixel, and 160 for each of the 2, 4 and 16 megapixels of 1024 x 1024 that the tiers trace.
    expect(of(50_000_000)).to.deep.equal([2, 4, 16].map((megapixels) => 900e6 + 160 * megapixels * 1024 ** 2));
  });
});
