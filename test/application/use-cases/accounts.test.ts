import { expect } from 'chai';
import { sha256Digest } from '#adapters/identity/sha256-digest.js';
import { createMemoryStores } from '#adapters/persistence/stores.js';
import { requestFingerprint } from '#application/request-fingerprint.js';
import { signInUrl } from '#application/sign-in-url.js';
import { createStartFirst } from '#application/use-cases/first-start.js';
import { createGrantCredits } from '#application/use-cases/grant-credits.js';
import { createManageAccounts } from '#application/use-cases/manage-accounts.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';
import { createReapExpired } from '#application/use-cases/reap-expired.js';
import { createReportUsage } from '#application/use-cases/report-usage.js';
import { DAY_MS } from '#test/contracts/make-stores.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';

function setUp() {
  const clock = createManualClock(0, Date.UTC(2026, 10, 21));
  const stores = createMemoryStores(clock);
  const removedFiles: string[] = [];
  const removeFile = async (basename: string) => void removedFiles.push(basename);
  return {
    clock,
    ...stores,
    removedFiles,
    startFirst: createStartFirst(stores),
    manageKeys: createManageKeys(stores),
    manageAccounts: createManageAccounts({ ...stores, removeFile }),
    grantCredits: createGrantCredits(stores),
    reportUsage: createReportUsage(stores),
  };
}

describe('the first start', () => {
  it('makes the owner, a link and a key that work, and says them once', async () => {
    const { startFirst, accounts, keys, links } = setUp();
    const started = await Promise.all([startFirst(), startFirst(), startFirst()]);
    const [first, ...more] = started.filter((start) => start !== undefined);
    expect(more).to.deep.equal([]);
    const owner = (await accounts.owner())!;
    expect(first!.accountId).to.equal(owner.id);
    expect((await keys.authenticate(first!.apiKey))!.account).to.deep.equal(owner);
    expect(owner).to.include({ plan: 'pro', role: 'owner' });
    expect(await links.redeem(first!.signInToken)).to.include({ accountId: owner.id, purpose: 'sign-in' });
    expect(await startFirst()).to.equal(undefined);
    expect(signInUrl('http://localhost:3000', 'abc')).to.equal('http://localhost:3000/dashboard/sign-in?token=abc');
  });
});

describe('managing keys', () => {
  it('makes a key for a new account of a plan, for one there is, or for the owner', async () => {
    const { manageKeys, startFirst, accounts, keys } = setUp();
    expect((await refusalOf(manageKeys.create({}))).code).to.equal('NOT_FOUND');
    const { accountId } = (await startFirst())!;
    const free = await manageKeys.create({ plan: 'free', name: 'script' });
    expect(free.account).to.include({ plan: 'free', role: 'member', email: null });
    expect((await keys.authenticate(free.secret))!.account.id).to.equal(free.account.id);
    expect((await manageKeys.create({})).account.id).to.equal(accountId);
    const ada = await accounts.create({ email: 'ada@example.org', plan: 'pro' });
    for (const account of [ada.id, 'Ada@example.org'])
      expect((await manageKeys.create({ account, plan: 'pro' })).account.id).to.equal(ada.id);
    const mismatch = await refusalOf(manageKeys.create({ account: ada.id, plan: 'free' }));
    expect(mismatch).to.include({ code: 'INVALID_REQUEST', field: 'plan' });
    expect((await refusalOf(manageKeys.create({ account: 'nobody' }))).message).to.include('"nobody"');
  });

  it('lists and revokes', async () => {
    const { manageKeys, keys, startFirst } = setUp();
    await startFirst();
    const { key, secret } = await manageKeys.create({ plan: 'free' });
    expect((await manageKeys.list()).length).to.equal(2);
    expect(await manageKeys.list(key.accountId)).to.deep.equal([key]);
    expect((await refusalOf(manageKeys.revoke(key.id, 'owner'))).code).to.equal('NOT_FOUND');
    expect((await manageKeys.revoke(key.prefix)).revokedAtMs).to.not.equal(null);
    expect(await keys.authenticate(secret)).to.equal(undefined);
    expect((await refusalOf(manageKeys.revoke('brn_live_zzzzzzzz'))).code).to.equal('NOT_FOUND');
  });
});

describe('managing accounts', () => {
  it('invites', async () => {
    const { manageAccounts, links } = setUp();
    const { account, token } = await manageAccounts.create({ email: 'Ada@Example.org', plan: 'free' });
    expect(account).to.include({ email: 'ada@example.org', plan: 'free', role: 'member' });
    expect(await links.redeem(token)).to.include({ accountId: account.id, purpose: 'invite' });
    const taken = await refusalOf(manageAccounts.create({ email: 'ada@example.org', plan: 'free' }));
    expect(taken).to.include({ field: 'email' });
    expect(await refusalOf(manageAccounts.create({ email: 'ada', plan: 'free' }))).to.include({ field: 'email' });
  });

  it('resets: signed out everywhere, one link that works', async () => {
    const { manageAccounts, startFirst, sessions, links, passwords } = setUp();
    const { accountId, signInToken } = (await startFirst())!;
    const { token: session } = await sessions.open(accountId);
    await passwords.set(accountId, 'correct horse');
    const { token } = await manageAccounts.reset('owner');
    expect(await sessions.find(session)).to.equal(undefined);
    expect(await links.redeem(signInToken)).to.equal(undefined);
    expect(await links.redeem(token)).to.include({ accountId, purpose: 'reset' });
    expect(await passwords.has(accountId)).to.equal(true);
  });

  it('deletes an account with its files, and never the owner’s', async () => {
    const { manageAccounts, startFirst, files, removedFiles, accounts, clock } = setUp();
    await startFirst();
    const { account } = await manageAccounts.create({ email: 'ada@example.org', plan: 'free' });
    for (const basename of ['a', 'b']) await files.add(account.id, { basename, expiresAtMs: clock.wallMs() + 1 });
    expect(await manageAccounts.remove('ada@example.org')).to.deep.equal({ account, files: 2 });
    expect(removedFiles).to.have.members(['a', 'b']);
    expect(await accounts.find(account.id)).to.equal(undefined);
    expect((await refusalOf(manageAccounts.remove('owner'))).code).to.equal('FORBIDDEN');
    expect((await manageAccounts.list()).length).to.equal(1);
  });
});

describe('granting credits', () => {
  it('adds packs, once for a reference', async () => {
    const { grantCredits, startFirst } = setUp();
    const { accountId } = (await startFirst())!;
    expect(await grantCredits({ account: 'owner', credits: 500 })).to.deep.include({ balance: 1000 });
    for (let i = 0; i < 2; i++)
      expect((await grantCredits({ account: accountId, credits: 4000, reference: 'order-1' })).balance).to.equal(5000);
    for (const credits of [0, 1, -500, 501, Number.NaN])
      expect(await refusalOf(grantCredits({ account: 'owner', credits }))).to.include({ field: 'credits' });
    expect(await refusalOf(grantCredits({ account: 'owner', credits: 500, reference: '' }))).to.include({
      field: 'reference',
    });
  });
});

describe('the usage report', () => {
  it('has the published fields, and adds up with the ledger', async () => {
    const { reportUsage, accounts, credits, usage } = setUp();
    const account = await accounts.create({ email: null, plan: 'free' });
    await credits.grant(account.id, 500);
    for (const price of [1, 2, 5]) {
      const { charged } = await (await credits.hold(account.id, price)).settle();
      await usage.record({ accountId: account.id, kind: 'conversion', credits: charged });
    }
    const open = await credits.hold(account.id, 5);
    const report = await reportUsage(account, 'brn_live_12345678');
    const { history, ...summary } = report;
    expect(summary).to.deep.equal({
      plan: 'free',
      status: 'active',
      api_credits_balance: 537,
      api_credits_used_this_period: 8,
      monthly_credits_quota: 50,
      key_prefix: 'brn_live_12345678',
    });
    expect(history.length).to.equal(30);
    expect(history.at(-1)).to.deep.equal({
      date: '2026-11-21',
      conversions: 3,
      exports: 0,
      credits_used: 8,
      failures: 0,
    });
    await open.release();
    expect((await reportUsage(account, '')).api_credits_balance).to.equal(542);
  });
});

describe('reaping', () => {
  it('gives forgotten credits back and sweeps every store', async () => {
    const { credits, accounts, idempotency, retrace, usage, sessions, links, files, clock } = setUp();
    const { id } = await accounts.create({ email: null, plan: 'free' });
    await credits.hold(id, 5);
    await idempotency.begin({ caller: id, key: 'k', fingerprint: 'f' });
    await retrace.remember({ caller: id, picture: 'p', tier: 'fast' });
    await usage.recordError({ accountId: id, requestId: 'r', code: 'NOT_FOUND', message: 'm', operation: 'o' });
    await sessions.open(id);
    await links.create(id, 'invite');
    await files.add(id, { basename: 'b', expiresAtMs: clock.wallMs() + 1 });
    const reap = createReapExpired({ credits, stores: { idempotency, retrace, usage, sessions, links, files } });
    const nothing = { idempotency: 0, retrace: 0, usage: 0, sessions: 0, links: 0, files: 0 };
    expect(await reap()).to.deep.equal({ holds: 0, swept: nothing });
    clock.advance(8 * DAY_MS);
    const all = Object.fromEntries(Object.keys(nothing).map((name) => [name, 1]));
    expect(await reap()).to.deep.equal({ holds: 1, swept: all });
    expect(await reap()).to.deep.equal({ holds: 0, swept: nothing });
  });
});

describe('the fingerprint of a request', () => {
  const of = (fields: unknown, files: string[] = [], operation = 'convert') =>
    requestFingerprint(sha256Digest, { operation, fields, files: files.map((text) => new TextEncoder().encode(text)) });

  it('is the same for the same fields in any order', () => {
    expect(of({ a: 1, b: { c: [1, 2], d: 'ü' } }, ['x'])).to.equal(
      of({ b: { d: 'ü', c: [1, 2] }, a: 1, e: undefined }, ['x']),
    );
    expect(of({})).to.match(/^[0-9a-f]{64}$/);
  });

  it('is another for another value, file, order of files or operation', () => {
    const all = [
      of({ a: 1 }, ['x', 'y']),
      of({ a: '1' }, ['x', 'y']),
      of({ a: [1] }, ['x', 'y']),
      of({ a: null }, ['x', 'y']),
      of({ b: 1 }, ['x', 'y']),
      of({ a: 1 }, ['y', 'x']),
      of({ a: 1 }, ['xy']),
      of({ a: 1 }, ['x', 'y'], 'export'),
    ];
    expect(new Set(all).size).to.equal(all.length);
  });
});
