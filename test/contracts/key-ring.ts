import { expect } from 'chai';
import { createManualClock } from '#test/support/manual-clock.js';
import type { MakeStores } from './make-stores.js';
import { refusalOf } from './refusal-of.js';

/** What every key ring keeps to. */
export function describeKeyRing(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 21));
    const stores = await make(clock);
    return { clock, ...stores, account: await stores.accounts.create({ email: null, plan: 'pro' }) };
  };

  it('tells the key once, and knows it again', async () => {
    const { keys, account, clock } = await setUp();
    const { key, secret } = await keys.create(account.id, 'laptop');
    expect(secret).to.match(/^brn_live_[A-Za-z0-9_-]{51}$/);
    const createdAtMs = clock.wallMs();
    const wanted = {
      accountId: account.id,
      prefix: secret.slice(0, 17),
      name: 'laptop',
      createdAtMs,
      revokedAtMs: null,
    };
    expect(key).to.deep.equal({ id: key.id, ...wanted, lastUsedAtMs: null });
    expect(JSON.stringify(await keys.list())).to.not.include(secret.slice(17));
    expect(await keys.authenticate(secret)).to.deep.equal({ key, account });
    expect(await keys.list(account.id)).to.deep.equal([{ ...key, lastUsedAtMs: createdAtMs }]);
  });

  it('takes nothing but the whole key', async () => {
    const { keys, account } = await setUp();
    const { secret } = await keys.create(account.id, 'a');
    const last = secret.endsWith('A') ? 'B' : 'A';
    const wrong = [
      '',
      secret.slice(0, 17),
      secret.slice(0, -1),
      `${secret}A`,
      secret.slice(0, -1) + last,
      ` ${secret}`,
      secret.toUpperCase(),
      `brn_live_${'%'.repeat(51)}`,
      `brn_live_${'A'.repeat(51)}`,
    ];
    for (const text of wrong) expect(await keys.authenticate(text), text).to.equal(undefined);
    expect(await keys.authenticate(secret)).to.not.equal(undefined);
  });

  it('notes its use to the minute', async () => {
    const { keys, account, clock } = await setUp();
    const { secret } = await keys.create(account.id, 'a');
    const lastUse = async () => (await keys.list(account.id))[0]!.lastUsedAtMs;
    const firstMs = clock.wallMs();
    await keys.authenticate(secret);
    clock.advance(59_999);
    await keys.authenticate(secret);
    expect(await lastUse()).to.equal(firstMs);
    clock.advance(1);
    await keys.authenticate(secret);
    expect(await lastUse()).to.equal(firstMs + 60_000);
  });

  it('revokes by id or prefix, for good, and of one account where it is asked', async () => {
    const { keys, accounts, account, clock } = await setUp();
    const other = await accounts.create({ email: null, plan: 'free' });
    const [first, second] = [await keys.create(account.id, '1'), await keys.create(account.id, '2')];
    expect(await keys.revoke(first.key.id, other.id)).to.equal(undefined);
    expect(await keys.revoke('brn_live_nothing0')).to.equal(undefined);
    const atMs = clock.wallMs();
    expect(await keys.revoke(first.key.prefix)).to.deep.equal({ ...first.key, revokedAtMs: atMs });
    expect(await keys.revoke(second.key.id, account.id)).to.include({ revokedAtMs: atMs });
    clock.advance(5);
    expect(await keys.revoke(first.key.id)).to.include({ revokedAtMs: atMs });
    for (const { secret } of [first, second]) expect(await keys.authenticate(secret)).to.equal(undefined);
    expect((await keys.list(account.id)).length).to.equal(2);
    expect(await keys.list(other.id)).to.deep.equal([]);
  });

  it('renames keys of their account alone', async () => {
    const { keys, accounts, account } = await setUp();
    const other = await accounts.create({ email: null, plan: 'free' });
    const { key } = await keys.create(account.id, 'old');
    expect(await keys.rename(key.id, 'new'.padEnd(120, '!'), account.id)).to.deep.equal({
      ...key,
      name: 'new'.padEnd(100, '!'),
    });
    expect(await keys.rename(key.id, 'theirs', other.id)).to.equal(undefined);
    expect((await keys.list(account.id)).map(({ name }) => name)).to.deep.equal(['new'.padEnd(100, '!')]);
  });

  it('answers with the account as it is now', async () => {
    const { keys, accounts, account } = await setUp();
    const { secret } = await keys.create(account.id, 'a');
    await accounts.change(account.id, { plan: 'free', status: 'suspended' });
    expect((await keys.authenticate(secret))!.account).to.include({
      id: account.id,
      plan: 'free',
      status: 'suspended',
    });
    expect((await refusalOf(keys.create('nobody', 'a'))).code).to.equal('NOT_FOUND');
  });
}
