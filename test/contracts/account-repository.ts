import { expect } from 'chai';
import { createManualClock } from '#test/support/manual-clock.js';
import type { MakeStores } from './make-stores.js';
import { refusalOf } from './refusal-of.js';

/** What every account repository keeps to. */
export function describeAccountRepository(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 21));
    return { clock, ...(await make(clock)) };
  };

  it('makes accounts and finds them', async () => {
    const { accounts, clock } = await setUp();
    const account = await accounts.create({ email: 'ada@example.org', plan: 'free' });
    const createdAtMs = clock.wallMs();
    expect(account).to.deep.equal({
      ...account,
      role: 'member',
      email: 'ada@example.org',
      plan: 'free',
      status: 'active',
      createdAtMs,
    });
    expect(account.id).to.match(/^[A-Za-z0-9_-]{22}$/);
    expect(await accounts.find(account.id)).to.deep.equal(account);
    expect(await accounts.findByEmail('ada@example.org')).to.deep.equal(account);
    expect(await accounts.find('nobody')).to.equal(undefined);
    expect(await accounts.findByEmail('bob@example.org')).to.equal(undefined);
    clock.advance(1);
    const other = await accounts.create({ email: null, plan: 'pro' });
    expect(await accounts.list()).to.deep.equal([account, other]);
  });

  it('has one owner, whoever asks first', async () => {
    const { accounts } = await setUp();
    expect(await accounts.owner()).to.equal(undefined);
    const asked = await Promise.all(Array.from({ length: 8 }, () => accounts.ensureOwner()));
    expect(asked.filter(({ created }) => created).length).to.equal(1);
    expect(new Set(asked.map(({ account }) => account.id)).size).to.equal(1);
    expect(await accounts.owner()).to.include({ role: 'owner', plan: 'pro', status: 'active', email: null });
    expect((await accounts.list()).length).to.equal(1);
  });

  it('gives an address to one account', async () => {
    const { accounts } = await setUp();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => accounts.create({ email: 'ada@example.org', plan: 'free' })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled').length).to.equal(1);
    const taken = await refusalOf(accounts.create({ email: 'ada@example.org', plan: 'pro' }));
    expect(taken).to.include({ code: 'INVALID_REQUEST', field: 'email' });
    const other = await accounts.create({ email: null, plan: 'free' });
    expect(await refusalOf(accounts.change(other.id, { email: 'ada@example.org' }))).to.include({ field: 'email' });
  });

  it('changes what is asked and nothing else', async () => {
    const { accounts } = await setUp();
    const account = await accounts.create({ email: 'ada@example.org', plan: 'free' });
    expect(await accounts.change(account.id, { plan: 'pro' })).to.deep.equal({ ...account, plan: 'pro' });
    const changed = { ...account, plan: 'pro', status: 'suspended', email: null };
    expect(await accounts.change(account.id, { status: 'suspended', email: null })).to.deep.equal(changed);
    expect(await accounts.change(account.id, {})).to.deep.equal(changed);
    expect(await accounts.find(account.id)).to.deep.equal(changed);
    expect(await accounts.change('nobody', { plan: 'pro' })).to.equal(undefined);
  });

  it('removes an account with all that is its own, and keeps its ledger under a name that leads nowhere', async () => {
    const { accounts, keys, credits, usage, sessions, links, passwords, idempotency, files, clock } = await setUp();
    const account = await accounts.create({ email: 'ada@example.org', plan: 'free' });
    const { id } = account;
    const other = await accounts.create({ email: null, plan: 'free' });
    const kept = await keys.create(other.id, 'kept');
    const { secret } = await keys.create(id, 'laptop');
    await (await credits.hold(id, 5)).settle();
    await usage.record({ accountId: id, kind: 'conversion', credits: 5 });
    const { token } = await sessions.open(id);
    const link = await links.create(id, 'reset');
    await passwords.set(id, 'correct horse battery');
    await files.add(id, { basename: 'A'.repeat(22), expiresAtMs: clock.wallMs() + 1000 });
    const request = { caller: id, key: 'k', fingerprint: 'f' };
    expect(await idempotency.begin(request)).to.include({ state: 'new' });

    const removed = await accounts.remove(id);
    expect(removed!.ledgerAlias).to.not.include(id);
    expect(await accounts.find(id)).to.equal(undefined);
    expect(await keys.authenticate(secret)).to.equal(undefined);
    expect(await keys.list()).to.deep.equal([kept.key]);
    expect(await sessions.find(token)).to.equal(undefined);
    expect(await links.redeem(link.token)).to.equal(undefined);
    expect(await passwords.check('ada@example.org', 'correct horse battery')).to.equal(undefined);
    expect(await files.list(id)).to.deep.equal([]);
    expect((await usage.history(id)).every(({ conversions }) => conversions === 0)).to.equal(true);
    expect(await idempotency.begin({ ...request, fingerprint: 'g' })).to.include({ state: 'new' });
    expect(await credits.entries(id)).to.deep.equal([]);
    const entries = await credits.entries(removed!.ledgerAlias);
    expect(entries.map(({ kind }) => kind)).to.deep.equal(['quota', 'hold', 'settle']);
    expect(await accounts.remove(id)).to.equal(undefined);
    // The address is free again, and what goes on for the old account is dropped.
    await accounts.create({ email: 'ada@example.org', plan: 'free' });
    await usage.record({ accountId: id, kind: 'export', credits: 0 });
    await usage.recordError({ accountId: id, requestId: 'r', code: 'NOT_FOUND', message: 'm', operation: 'o' });
    expect(await usage.recentErrors(id, 10)).to.deep.equal([]);
  });
}
