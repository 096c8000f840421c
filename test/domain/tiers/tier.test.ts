import { expect } from 'chai';
import { priceOfConversion } from '#domain/credits/price.js';
import { TIER_IDS, tierOf } from '#domain/tiers/tier.js';

describe('tiers', () => {
  it('have the published prices, sizes and limits', () => {
    const rows = TIER_IDS.map((id) => {
      const { maxWorkingPixels, runLimitMs, maxWaiting, waitLimitMs } = tierOf(id);
      return [id, priceOfConversion(id), maxWorkingPixels, runLimitMs, maxWaiting, waitLimitMs];
    });
    expect(rows).to.deep.equal([
      ['fast', 1, 2e6, 10_000, 64, 10_000],
      ['balanced_crisp', 2, 4e6, 30_000, 32, 20_000],
      ['high_precision', 5, 16e6, 120_000, 8, 60_000],
    ]);
  });
});
