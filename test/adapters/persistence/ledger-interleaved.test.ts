import { expect } from 'chai';
import fc from 'fast-check';
import { createKnexStores, createMemoryStores } from '#adapters/persistence/stores.js';
import type { CreditHold, CreditLedger } from '#application/ports/credit-ledger.js';
import { applyEntry, availableCredits, EMPTY_BALANCE, type LedgerEntry } from '#domain/credits/balance.js';
import { HOUR_MS, type MakeStores, type ManualClock } from '#test/contracts/make-stores.js';
import { DATABASE_KINDS } from '#test/support/databases.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { SEED } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const CONVERSIONS = 10_000;
const PRICES = [1, 2, 5] as const;
const ENDS = ['settle', 'settle', 'settle', 'release', 'crash', 'settle-and-release', 'settle-twice'] as const;
const GRANT = 4000;

interface Conversion {
  readonly account: number;
  readonly price: number;
  readonly end: (typeof ENDS)[number];
}

const conversionsOf = (seed: number): readonly Conversion[] => {
  const random = createSeededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: CONVERSIONS }, () => ({
    account: below(3),
    price: PRICES[below(PRICES.length)]!,
    end: ENDS[below(ENDS.length)]!,
  }));
};

interface Tally {
  refused: number;
  crashed: number;
  /** By account. */
  readonly charged: number[];
}

async function endIt(hold: CreditHold, { end, account }: Conversion, tally: Tally): Promise<void> {
  const settle = async () => {
    const { charged, remaining } = await hold.settle();
    expect(remaining).to.be.at.least(0);
    return charged;
  };
  switch (end) {
    case 'crash':
      tally.crashed++;
      return;
    case 'release':
      await hold.release();
      return;
    case 'settle': {
      const charged = await settle();
      tally.charged[account]! += charged;
      return;
    }
    case 'settle-and-release': {
      const [charged] = await Promise.all([settle(), hold.release()]);
      tally.charged[account]! += charged;
      return;
    }
    case 'settle-twice': {
      const [first, second] = await Promise.all([settle(), settle()]);
      expect(second).to.equal(first);
      tally.charged[account]! += first;
      return;
    }
  }
}

/** Begins and ends all of them in an order of `seed`'s making, many at once; time passes and the reaper comes by meanwhile. */
async function interleave(
  credits: CreditLedger,
  clock: ManualClock,
  ids: readonly string[],
  conversions: readonly Conversion[],
  seed: number,
): Promise<Tally> {
  const random = createSeededRandom(seed);
  const tally: Tally = { refused: 0, crashed: 0, charged: ids.map(() => 0) };
  const holds = new Map<number, Promise<CreditHold | undefined>>();
  // Each number stands twice; where it comes first it begins, then it ends.
  const steps = conversions.flatMap((_, i) => [i, i]);
  for (let i = steps.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [steps[i], steps[j]] = [steps[j]!, steps[i]!];
  }
  let running: Promise<unknown>[] = [];
  for (const step of steps) {
    const conversion = conversions[step]!;
    const begun = holds.get(step);
    if (begun === undefined) {
      const hold = credits.hold(ids[conversion.account]!, conversion.price).catch((error: { code?: string }) => {
        if (error.code !== 'INSUFFICIENT_CREDITS') throw error;
        tally.refused++;
        return undefined;
      });
      holds.set(step, hold);
      running.push(hold);
    } else {
      running.push(begun.then((hold) => hold && endIt(hold, conversion, tally)));
    }
    if (random() < 0.002) running.push(credits.expireHolds());
    if (random() < 0.004) {
      await Promise.all(running);
      running = [];
      clock.advance(Math.floor(random() * 60_000));
    }
  }
  await Promise.all(running);
  return tally;
}

/** Never below zero at any entry, and every hold begun once and ended once. Answers the credits spent. */
function assertSound(entries: readonly LedgerEntry[]): { spent: number; holds: number } {
  let balance = EMPTY_BALANCE;
  const open = new Map<string, number>();
  const ended = new Set<string>();
  let spent = 0;
  for (const entry of entries) {
    balance = applyEntry(balance, entry);
    if (balance.monthly < 0 || balance.pack < 0) throw new Error(`below zero at ${JSON.stringify(entry)}`);
    if (entry.holdId === null) continue;
    if (entry.kind === 'hold') {
      expect(open.has(entry.holdId) || ended.has(entry.holdId)).to.equal(false);
      open.set(entry.holdId, 0 - entry.monthly - entry.pack);
    } else {
      const held = open.get(entry.holdId);
      expect(open.delete(entry.holdId), 'a hold ended twice').to.equal(true);
      ended.add(entry.holdId);
      expect(entry.monthly + entry.pack + entry.used).to.equal(held);
      spent += entry.used;
    }
  }
  expect(open.size).to.equal(0);
  return { spent, holds: ended.size };
}

async function tryOut(make: MakeStores, workSeed: number, orderSeed: number) {
  const clock = createManualClock(0, Date.UTC(2026, 10, 2));
  const { accounts, credits } = await make(clock);
  const ids: string[] = [];
  for (const plan of ['pro', 'pro', 'free'] as const) ids.push((await accounts.create({ email: null, plan })).id);
  for (const id of ids.slice(1)) await credits.grant(id, GRANT);
  const given = [500, 500 + GRANT, 50 + GRANT];

  const conversions = conversionsOf(workSeed);
  const tally = await interleave(credits, clock, ids, conversions, orderSeed);
  clock.advance(HOUR_MS);
  await credits.expireHolds();
  expect(await credits.expireHolds()).to.equal(0);
  let holds = 0;
  for (const [i, id] of ids.entries()) {
    const entries = await credits.entries(id);
    const sound = assertSound(entries);
    holds += sound.holds;
    const balance = await credits.balance(id);
    expect(entries.reduce(applyEntry, EMPTY_BALANCE)).to.deep.equal(balance);
    expect(sound.spent).to.equal(tally.charged[i]);
    expect(balance.used).to.equal(sound.spent);
    expect(availableCredits(balance)).to.equal(given[i]! - sound.spent);
  }
  // It saw what it is about: work that was paid, refused for want of credits, and that died.
  expect(holds + tally.refused).to.equal(conversions.length);
  return { ...tally, holds };
}

const assertInterleaved = async (make: MakeStores, numRuns: number) => {
  const seen = { runs: 0, refused: 0, crashed: 0, holds: 0 };
  // What is generated are seeds: a counterexample is two numbers, not ten thousand conversions.
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer(), async (workSeed, orderSeed) => {
      const tally = await tryOut(make, workSeed, orderSeed);
      seen.runs++;
      for (const what of ['refused', 'crashed', 'holds'] as const) seen[what] += tally[what];
    }),
    { seed: Number(process.env.BURIN_TEST_SEED ?? SEED), numRuns, endOnFailure: true },
  );
  expect(seen.runs).to.equal(numRuns);
  for (const what of ['refused', 'crashed', 'holds'] as const)
    expect(seen[what], what).to.be.greaterThan(CONVERSIONS / 100);
};

describe(`${CONVERSIONS} conversions at once never overdraw, double or lose a credit`, () => {
  it('in memory', () => assertInterleaved(async (clock) => createMemoryStores(clock), 5));

  for (const { name, missing, create } of DATABASE_KINDS)
    (missing === undefined ? it : it.skip)(
      `in ${name}${missing === undefined ? '' : ` (pending: ${missing})`}`,
      async () => {
        const test = await create();
        // Every other hold comes from another connection, as from another process.
        try {
          await assertInterleaved(async (clock) => {
            const [here, there] = [createKnexStores(test.database, clock), createKnexStores(test.connect(), clock)];
            let turn = 0;
            const hold: CreditLedger['hold'] = (...args) => (turn++ % 2 === 0 ? here : there).credits.hold(...args);
            return { ...here, credits: { ...here.credits, hold } };
          }, 1);
        } finally {
          await test.remove();
        }
      },
    );
});
