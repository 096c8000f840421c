import { expect } from 'chai';
import { TIER_IDS } from '#domain/tiers/tier.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { DAY_MS, type MakeStores } from './make-stores.js';

/** What every memory of paid pictures keeps to. */
export function describeRetraceMemory(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 21));
    return { clock, retrace: (await make(clock)).retrace };
  };
  const traced = { caller: 'key-1', picture: 'a'.repeat(64) } as const;

  it('makes the same and lower tiers free, and nothing else', async () => {
    const { retrace } = await setUp();
    await retrace.remember({ ...traced, tier: 'balanced_crisp' });
    const free = await Promise.all(TIER_IDS.map((tier) => retrace.isFree({ ...traced, tier })));
    expect(free).to.deep.equal([true, true, false]);
    expect(await retrace.isFree({ ...traced, caller: 'key-2', tier: 'fast' })).to.equal(false);
    expect(await retrace.isFree({ ...traced, picture: 'b'.repeat(64), tier: 'fast' })).to.equal(false);
  });

  it('for 24 hours from the payment', async () => {
    const { retrace, clock } = await setUp();
    await retrace.remember({ ...traced, tier: 'high_precision' });
    clock.advance(DAY_MS / 2);
    await retrace.remember({ ...traced, tier: 'fast' });
    clock.advance(DAY_MS / 2 - 1);
    expect(await retrace.isFree({ ...traced, tier: 'balanced_crisp' })).to.equal(true);
    clock.advance(1);
    expect(await retrace.isFree({ ...traced, tier: 'balanced_crisp' })).to.equal(false);
    expect(await retrace.isFree({ ...traced, tier: 'fast' })).to.equal(true);
    expect(await retrace.sweep()).to.equal(1);
    await retrace.remember({ ...traced, tier: 'fast' });
    clock.advance(DAY_MS - 1);
    expect(await retrace.isFree({ ...traced, tier: 'fast' })).to.equal(true);
  });
}
