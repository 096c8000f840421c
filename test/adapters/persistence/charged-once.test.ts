import { expect } from 'chai';
import { createKnexStores, createMemoryStores, type Stores } from '#adapters/persistence/stores.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { DATABASE_KINDS } from '#test/support/databases.js';
import { createManualClock } from '#test/support/manual-clock.js';

const RETRIES = 200;
const PRICE = 5;
const LEASE_MS = 2 * 60 * 1000;

/** A conversion as a door makes it, which dies where it is told to. */
async function convert(stores: Stores, id: string, dies: 'before-hold' | 'after-hold' | 'after-settle' | undefined) {
  const work = await stores.idempotency.begin({ caller: id, key: 'order 7', fingerprint: 'f' });
  if (work.state !== 'new') return work.state;
  if (dies === 'before-hold') return 'died';
  const hold = await stores.credits.hold(id, PRICE, { reference: work.id });
  if (dies === 'after-hold') return 'died';
  const { charged } = await hold.settle();
  if (dies === 'after-settle') return 'died';
  await work.finish({ status: 200, headers: { 'x-credits-charged': String(charged) }, body: new Uint8Array([1]) });
  return 'done';
}

/** Two doors on one set of stores; each retry comes through one of them. */
async function assertChargedOnce(doors: readonly Stores[], clock: ReturnType<typeof createManualClock>) {
  const [{ accounts, credits }] = doors as [Stores];
  const { id } = await accounts.create({ email: null, plan: 'free' });
  const seen = new Map<string, number>();
  const retry = async (i: number, dies?: Parameters<typeof convert>[2]) => {
    const end = await convert(doors[i % doors.length]!, id, dies);
    seen.set(end, (seen.get(end) ?? 0) + 1);
  };
  // The first three die on the way; their leases run out.
  for (const [i, dies] of (['before-hold', 'after-hold', 'after-settle'] as const).entries()) {
    await Promise.all(
      Array.from({ length: 20 }, (_, k) => retry(i + k, k === 0 ? dies : undefined).then(() => undefined)),
    );
    clock.advance(LEASE_MS);
  }
  for (let i = 60; i < RETRIES; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => retry(i + k)));
  expect([...seen.values()].reduce((a, b) => a + b, 0)).to.equal(RETRIES);
  expect(seen.get('done')).to.equal(1);
  expect(seen.get('replay')).to.be.greaterThan(100);

  clock.advance(60 * 60 * 1000);
  await credits.expireHolds();
  const entries = await credits.entries(id);
  expect(entries.filter(({ used }) => used > 0).map(({ used }) => used)).to.deep.equal([PRICE]);
  const balance = await credits.balance(id);
  expect(availableCredits(balance)).to.equal(50 - PRICE);
  expect(sumEntries(entries)).to.deep.equal(balance);
}

describe(`${RETRIES} retries with one Idempotency-Key, some of which die, charge once`, () => {
  it('in memory', async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 2));
    await assertChargedOnce([createMemoryStores(clock)], clock);
  });
  for (const { name, missing, create } of DATABASE_KINDS)
    (missing === undefined ? it : it.skip)(
      `in ${name}, from two connections${missing === undefined ? '' : ` (pending: ${missing})`}`,
      async () => {
        const test = await create();
        try {
          const clock = createManualClock(0, Date.UTC(2026, 10, 2));
          const doors = [test.database, test.connect()].map((database) => createKnexStores(database, clock));
          await assertChargedOnce(doors, clock);
        } finally {
          await test.remove();
        }
      },
    );
});
