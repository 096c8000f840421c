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
      ['fast', 1, 2 * 1024 ** 2, 10_000, 64, 10_000],
      ['balanced_crisp', 2, 2048 ** 2, 30_000, 32, 20_000],
      ['high_precision', 5, 4096 ** 2, 120_000, 8, 60_000],
    ]);
  });
});
