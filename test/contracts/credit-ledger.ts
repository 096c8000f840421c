import { expect } from 'chai';
import type { CreditLedger } from '#application/ports/credit-ledger.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { HOUR_MS, type MakeStores } from './make-stores.js';
import { refusalOf } from './refusal-of.js';

const NOVEMBER_30 = Date.UTC(2026, 10, 30, 23, 0, 0);

/** What every ledger keeps to. `make` gives stores without anything in them. */
export function describeCreditLedger(make: MakeStores) {
  const setUp = async (plan: 'free' | 'pro' = 'free') => {
    const clock = createManualClock(0, NOVEMBER_30);
    const { accounts, credits } = await make(clock);
    const { id } = await accounts.create({ email: null, plan });
    return { clock, accounts, credits, id };
  };
  const available = async (credits: CreditLedger, id: string) => availableCredits(await credits.balance(id));
  /** The balance is the sum of the entries, whoever asks. */
  const assertAddsUp = async (credits: CreditLedger, id: string) =>
    expect(sumEntries(await credits.entries(id))).to.deep.equal(await credits.balance(id));

  it('begins with the plan’s credits', async () => {
    for (const [plan, quota] of [
      ['free', 50],
      ['pro', 500],
    ] as const) {
      const { credits, id } = await setUp(plan);
      expect(await credits.balance(id)).to.deep.equal({ period: '2026-11', quota, monthly: quota, pack: 0, used: 0 });
      expect(await credits.entries(id)).to.deep.equal([]);
    }
  });

  it('sets credits aside and takes them once the work is done', async () => {
    const { credits, id, clock } = await setUp();
    const hold = await credits.hold(id, 5);
    expect(hold).to.include({ credits: 5, remaining: 45 });
    expect(await available(credits, id)).to.equal(45);
    expect(await hold.settle()).to.deep.equal({ charged: 5, remaining: 45 });
    expect(await credits.balance(id)).to.include({ monthly: 45, used: 5 });
    await assertAddsUp(credits, id);
    expect(
      (await credits.entries(id)).map(({ kind, monthly, used, holdId, atMs }) => [kind, monthly, used, holdId, atMs]),
    ).to.deep.equal([
      ['quota', 50, 0, null, clock.wallMs()],
      ['hold', -5, 0, hold.id, clock.wallMs()],
      ['settle', 0, 5, hold.id, clock.wallMs()],
    ]);
  });

  it('gives them back when it fails', async () => {
    const { credits, id } = await setUp();
    const hold = await credits.hold(id, 5);
    await hold.release();
    expect(await credits.balance(id)).to.include({ monthly: 50, used: 0 });
    await assertAddsUp(credits, id);
  });

  it('ends a hold once, however often it is asked', async () => {
    const { credits, id } = await setUp();
    const paid = await credits.hold(id, 5);
    await Promise.all([paid.settle(), paid.settle(), paid.release()]);
    await paid.release();
    expect(await credits.balance(id)).to.include({ monthly: 45, used: 5 });
    const failed = await credits.hold(id, 5);
    await Promise.all([failed.release(), failed.release(), failed.settle()]);
    expect(await credits.balance(id)).to.include({ monthly: 45, used: 5 });
    expect((await credits.entries(id)).length).to.equal(5);
    await assertAddsUp(credits, id);
  });

  it('refuses what is not there, and holds nothing then', async () => {
    const { credits, id } = await setUp();
    await credits.hold(id, 48);
    const refusal = await refusalOf(credits.hold(id, 3));
    expect(refusal).to.include({ code: 'INSUFFICIENT_CREDITS' });
    expect(refusal.details).to.deep.equal({ needed: 3, balance: 2 });
    expect(await available(credits, id)).to.equal(2);
    await (await credits.hold(id, 2)).settle();
    expect(await available(credits, id)).to.equal(0);
    await assertAddsUp(credits, id);
  });

  it('lets exactly as many in as there are credits for when all ask at once', async () => {
    const { credits, id } = await setUp();
    const asked = await Promise.allSettled(Array.from({ length: 120 }, () => credits.hold(id, 2)));
    expect(asked.filter(({ status }) => status === 'fulfilled').length).to.equal(25);
    expect(await available(credits, id)).to.equal(0);
    await assertAddsUp(credits, id);
  });

  it('holds nothing for free work', async () => {
    const { credits, id } = await setUp();
    const hold = await credits.hold(id, 0);
    expect(await hold.settle()).to.deep.equal({ charged: 0, remaining: 50 });
    expect((await credits.entries(id)).every(({ kind }) => kind === 'quota')).to.equal(true);
  });

  it('takes monthly credits first and pack credits last', async () => {
    const { credits, id } = await setUp();
    expect(await credits.grant(id, 500)).to.include({ monthly: 50, pack: 500 });
    const hold = await credits.hold(id, 52);
    expect(await credits.balance(id)).to.include({ monthly: 0, pack: 498 });
    await hold.release();
    expect(await credits.balance(id)).to.include({ monthly: 50, pack: 500 });
    await assertAddsUp(credits, id);
  });

  it('grants once for one reference', async () => {
    const { credits, id } = await setUp();
    await Promise.all(Array.from({ length: 5 }, () => credits.grant(id, 500, { reference: 'order-7' })));
    await credits.grant(id, 500, { reference: 'order-7' });
    expect(await credits.grant(id, 1500, { reference: 'order-8' })).to.include({ pack: 2000 });
  });

  it('renews monthly credits with the UTC month, and keeps pack credits', async () => {
    const { credits, id, clock } = await setUp();
    await credits.grant(id, 500);
    await (await credits.hold(id, 10)).settle();
    clock.advance(HOUR_MS);
    const december = { period: '2026-12', quota: 50, monthly: 50, pack: 500, used: 0 };
    expect(await credits.balance(id)).to.deep.equal(december);
    await (await credits.hold(id, 1)).settle();
    expect(await credits.balance(id)).to.deep.equal({ ...december, monthly: 49, used: 1 });
    await assertAddsUp(credits, id);
  });

  it('counts a hold over the turn of the month in the month it began', async () => {
    const { credits, id, clock } = await setUp();
    await credits.grant(id, 500);
    const [paid, failed] = [await credits.hold(id, 45), await credits.hold(id, 15)];
    clock.advance(HOUR_MS);
    await failed.release();
    // 5 of its 15 were November's and went with it.
    expect(await credits.balance(id)).to.deep.equal({ period: '2026-12', quota: 50, monthly: 50, pack: 500, used: 0 });
    expect(await paid.settle()).to.deep.equal({ charged: 45, remaining: 550 });
    expect(await credits.balance(id)).to.include({ monthly: 50, used: 0 });
    await assertAddsUp(credits, id);
  });

  it('gives the difference when the plan grows, and takes nothing back within the month when it shrinks', async () => {
    const { credits, accounts, id, clock } = await setUp();
    await (await credits.hold(id, 10)).settle();
    const change = (plan: 'free' | 'pro') => accounts.change(id, { plan });
    await change('pro');
    expect(await credits.balance(id)).to.include({ quota: 500, monthly: 490, used: 10 });
    await (await credits.hold(id, 1)).release();
    for (const plan of ['free', 'pro', 'free'] as const) {
      await change(plan);
      expect(await credits.balance(id)).to.include({ quota: 500, monthly: 490 });
    }
    await assertAddsUp(credits, id);
    clock.advance(HOUR_MS);
    expect(await credits.balance(id)).to.include({ quota: 50, monthly: 50 });
  });

  it('gives back what nobody ended, and a late end then changes nothing', async () => {
    const { credits, id, clock } = await setUp();
    const [forgotten, late] = [await credits.hold(id, 5), await credits.hold(id, 6)];
    expect(await credits.expireHolds()).to.equal(0);
    clock.advance(15 * 60 * 1000 - 1);
    const young = await credits.hold(id, 7);
    expect(await credits.expireHolds()).to.equal(0);
    clock.advance(1);
    const expired = await Promise.all([credits.expireHolds(), credits.expireHolds()]);
    expect(expired[0]! + expired[1]!).to.equal(2);
    expect(await available(credits, id)).to.equal(43);
    expect(await late.settle()).to.deep.equal({ charged: 0, remaining: 43 });
    await forgotten.release();
    expect(await young.settle()).to.deep.equal({ charged: 7, remaining: 43 });
    await assertAddsUp(credits, id);
  });

  it('charges work with a name once', async () => {
    const { credits, id } = await setUp();
    const reference = 'work-1';
    const failed = await credits.hold(id, 5, { reference });
    await failed.release();
    const [first, second] = [await credits.hold(id, 5, { reference }), await credits.hold(id, 5, { reference })];
    expect(await first.settle()).to.include({ charged: 5 });
    expect(await second.settle()).to.deep.equal({ charged: 0, remaining: 45 });
    const again = await credits.hold(id, 5, { reference });
    expect(again.credits).to.equal(0);
    expect(await again.settle()).to.deep.equal({ charged: 0, remaining: 45 });
    expect(await (await credits.hold(id, 5, { reference: 'work-2' })).settle()).to.include({ charged: 5 });
    await assertAddsUp(credits, id);
  });

  it('knows no account but those there are, and no credits but whole ones', async () => {
    const { credits, id, accounts } = await setUp();
    for (const refused of [credits.hold('nobody', 1), credits.balance('nobody'), credits.grant('nobody', 1)])
      expect((await refusalOf(refused)).code).to.equal('NOT_FOUND');
    for (const odd of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      for (const work of [credits.hold(id, odd), credits.grant(id, odd)])
        expect(await work.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    const hold = await credits.hold(id, 5);
    const removed = await accounts.remove(id);
    expect(await hold.settle()).to.deep.equal({ charged: 0, remaining: 0 });
    expect(await credits.entries(id)).to.deep.equal([]);
    expect((await credits.entries(removed!.ledgerAlias)).map(({ kind }) => kind)).to.deep.equal(['quota', 'hold']);
  });
}
