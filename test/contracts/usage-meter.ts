import { expect } from 'chai';
import { createManualClock } from '#test/support/manual-clock.js';
import { DAY_MS, type MakeStores } from './make-stores.js';

/** What every usage meter keeps to. */
export function describeUsageMeter(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 1, 27, 23, 59));
    const { accounts, usage } = await make(clock);
    const { id } = await accounts.create({ email: null, plan: 'pro' });
    return { clock, accounts, usage, id };
  };

  it('counts by UTC day, thirty days, oldest first', async () => {
    const { usage, id, clock } = await setUp();
    await usage.record({ accountId: id, kind: 'conversion', credits: 2 });
    clock.advance(DAY_MS);
    await usage.record({ accountId: id, kind: 'failure', credits: 0 });
    clock.advance(60_000);
    await Promise.all([
      usage.record({ accountId: id, kind: 'conversion', credits: 5 }),
      usage.record({ accountId: id, kind: 'conversion', credits: 0 }),
      usage.record({ accountId: id, kind: 'export', credits: 0 }),
    ]);
    const days = await usage.history(id);
    expect(days.length).to.equal(30);
    expect([days[0]!.date, days[29]!.date]).to.deep.equal(['2026-01-31', '2026-03-01']);
    expect(days.slice(27)).to.deep.equal([
      { date: '2026-02-27', conversions: 1, exports: 0, credits_used: 2, failures: 0 },
      { date: '2026-02-28', conversions: 0, exports: 0, credits_used: 0, failures: 1 },
      { date: '2026-03-01', conversions: 2, exports: 1, credits_used: 5, failures: 0 },
    ]);
    expect(days.slice(0, 27).every(({ conversions, failures }) => conversions + failures === 0)).to.equal(true);
  });

  it('loses nothing when many are counted at once, and mixes no accounts', async () => {
    const { usage, accounts, id } = await setUp();
    const other = await accounts.create({ email: null, plan: 'free' });
    await Promise.all(
      Array.from({ length: 700 }, (_, i) =>
        usage.record({ accountId: i % 7 === 0 ? other.id : id, kind: 'conversion', credits: 2 }),
      ),
    );
    expect((await usage.history(id)).at(-1)).to.include({ conversions: 600, credits_used: 1200 });
    expect((await usage.history(other.id)).at(-1)).to.include({ conversions: 100, credits_used: 200 });
  });

  it('counts what happened many times at once', async () => {
    const { usage, id } = await setUp();
    await usage.record({ accountId: id, kind: 'failure', credits: 0, times: 57 });
    await usage.record({ accountId: id, kind: 'failure', credits: 0 });
    await usage.record({ accountId: id, kind: 'conversion', credits: 6, times: 3 });
    expect((await usage.history(id)).at(-1)).to.include({ failures: 58, conversions: 3, credits_used: 6 });
  });

  it('forgets with an account what comes after it, and counts the others who came at the same time', async () => {
    const { usage, accounts, id } = await setUp();
    const gone = await accounts.create({ email: null, plan: 'free' });
    await usage.record({ accountId: gone.id, kind: 'conversion', credits: 1 });
    await accounts.remove(gone.id);
    const failure = { requestId: 'r', code: 'QUEUE_FULL', message: 'full', operation: 'POST /x' };
    // The first is written alone, those that come meanwhile together.
    await Promise.all(
      [id, gone.id, id, gone.id, id].flatMap((accountId) => [
        usage.record({ accountId, kind: 'conversion', credits: 2 }),
        usage.recordError({ accountId, ...failure }),
      ]),
    );
    expect((await usage.history(id)).at(-1)).to.include({ conversions: 3, credits_used: 6 });
    expect((await usage.recentErrors(id, 10)).length).to.equal(3);
    expect((await usage.history(gone.id)).every(({ conversions }) => conversions === 0)).to.equal(true);
    expect(await usage.recentErrors(gone.id, 10)).to.deep.equal([]);
    // Of an account alone, too.
    await usage.record({ accountId: gone.id, kind: 'failure', credits: 0 });
    expect((await usage.history(gone.id)).at(-1)).to.include({ failures: 0 });
  });

  it('keeps errors for seven days, newest first', async () => {
    const { usage, accounts, id, clock } = await setUp();
    const other = await accounts.create({ email: null, plan: 'free' });
    const error = (requestId: string) => ({
      accountId: id,
      requestId,
      code: 'UNREADABLE_IMAGE',
      message: 'The PNG image cannot be read: it ends early',
      operation: 'POST /api/v1/convert',
    });
    await usage.recordError(error('old'));
    const firstMs = clock.wallMs();
    clock.advance(DAY_MS);
    await usage.recordError(error('new'));
    expect(await usage.recentErrors(id, 10)).to.deep.equal([
      { ...error('new'), atMs: firstMs + DAY_MS },
      { ...error('old'), atMs: firstMs },
    ]);
    expect((await usage.recentErrors(id, 1)).map(({ requestId }) => requestId)).to.deep.equal(['new']);
    expect(await usage.recentErrors(other.id, 10)).to.deep.equal([]);
    clock.advance(6 * DAY_MS);
    expect((await usage.recentErrors(id, 10)).map(({ requestId }) => requestId)).to.deep.equal(['new']);
  });

  it('sweeps what nobody sees any more', async () => {
    const { usage, id, clock } = await setUp();
    await usage.record({ accountId: id, kind: 'conversion', credits: 2 });
    await usage.recordError({ accountId: id, requestId: 'r', code: 'NOT_FOUND', message: 'm', operation: 'o' });
    clock.advance(29 * DAY_MS);
    expect(await usage.sweep()).to.equal(1);
    expect((await usage.history(id))[0]).to.include({ conversions: 1 });
    clock.advance(DAY_MS);
    expect(await usage.sweep()).to.equal(1);
    expect(await usage.sweep()).to.equal(0);
    for (let i = 0; i < 1003; i++)
      await usage.recordError({ accountId: id, requestId: `r${i}`, code: 'NOT_FOUND', message: 'm', operation: 'o' });
    expect(await usage.sweep()).to.equal(3);
    const left = await usage.recentErrors(id, 5000);
    expect([left.length, left[0]!.requestId, left.at(-1)!.requestId]).to.deep.equal([1000, 'r1002', 'r3']);
  });
}
