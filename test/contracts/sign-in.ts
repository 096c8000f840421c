import { expect } from 'chai';
import { createManualClock } from '#test/support/manual-clock.js';
import { DAY_MS, HOUR_MS, type MakeStores } from './make-stores.js';
import { refusalOf } from './refusal-of.js';

/** What every store of sessions, links and passwords keeps to, and the register of files with them. */
export function describeSignIn(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 21));
    const stores = await make(clock);
    const { id } = await stores.accounts.create({ email: 'ada@example.org', plan: 'pro' });
    return { clock, ...stores, id };
  };

  it('opens sessions that last while they are used, and thirty days at most', async () => {
    const { sessions, id, clock } = await setUp();
    const { token, session } = await sessions.open(id, 'Browser/1.0'.padEnd(500, 'x'));
    const openedMs = clock.wallMs();
    expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(session).to.include({ accountId: id, createdAtMs: openedMs, expiresAtMs: openedMs + 7 * DAY_MS });
    expect(session.userAgent.length).to.equal(200);
    for (let day = 6; day <= 24; day += 6) {
      clock.advance(6 * DAY_MS);
      expect(await sessions.find(token), `day ${day}`).to.include({ id: session.id });
    }
    clock.advance(6 * DAY_MS - 1);
    expect(await sessions.find(token)).to.include({ expiresAtMs: openedMs + 30 * DAY_MS });
    clock.advance(1);
    expect(await sessions.find(token)).to.equal(undefined);
    const unused = await sessions.open(id);
    clock.advance(7 * DAY_MS);
    expect(await sessions.find(unused.token)).to.equal(undefined);
    expect(await sessions.sweep()).to.equal(2);
  });

  it('goes on under a new token with rotation', async () => {
    const { sessions, id } = await setUp();
    const first = await sessions.open(id);
    const second = await sessions.open(id);
    const rotated = await sessions.rotate(first.token);
    expect(rotated!.session).to.include({ id: first.session.id, accountId: id });
    expect(await sessions.find(first.token)).to.equal(undefined);
    expect(await sessions.find(rotated!.token)).to.include({ id: first.session.id });
    expect(await sessions.rotate(first.token)).to.equal(undefined);
    const listed = await sessions.list(id);
    expect(listed.map((session) => session.id)).to.have.members([first.session.id, second.session.id]);
  });

  it('ends one session, or all of an account', async () => {
    const { sessions, accounts, id } = await setUp();
    const other = await sessions.open((await accounts.create({ email: null, plan: 'free' })).id);
    const [first, second, third] = [await sessions.open(id), await sessions.open(id), await sessions.open(id)];
    expect(await sessions.end(first.token)).to.equal(true);
    expect(await sessions.end(first.token)).to.equal(false);
    const kept = await sessions.open(id);
    expect(await sessions.endAll(id, kept.token)).to.equal(2);
    expect(await sessions.find(kept.token)).to.include({ id: kept.session.id });
    expect(await sessions.endAll(id)).to.equal(1);
    for (const { token } of [first, second, third]) expect(await sessions.find(token)).to.equal(undefined);
    expect(await sessions.find(other.token)).to.not.equal(undefined);
    expect((await refusalOf(sessions.open('nobody'))).code).to.equal('NOT_FOUND');
  });

  it('lets a link be used once, by one, in its time', async () => {
    const { links, id, clock } = await setUp();
    const { token, ...link } = await links.create(id, 'invite');
    expect(link).to.deep.equal({ accountId: id, purpose: 'invite', expiresAtMs: clock.wallMs() + 72 * HOUR_MS });
    expect(await links.find(token)).to.deep.equal(link);
    const redeemed = await Promise.all(Array.from({ length: 6 }, () => links.redeem(token)));
    expect(redeemed.filter((found) => found !== undefined)).to.deep.equal([link]);
    expect(await links.find(token)).to.equal(undefined);
    expect(await links.redeem('x')).to.equal(undefined);

    const late = await links.create(id, 'invite');
    clock.advance(72 * HOUR_MS - 1);
    expect(await links.find(late.token)).to.not.equal(undefined);
    clock.advance(1);
    expect(await links.redeem(late.token)).to.equal(undefined);
    const cancelled = await links.create(id, 'reset');
    expect(await links.cancelAll(id)).to.be.greaterThan(0);
    expect(await links.redeem(cancelled.token)).to.equal(undefined);
    expect((await refusalOf(links.create('nobody', 'reset'))).code).to.equal('NOT_FOUND');
  });

  it('checks passwords, and tells nobody why one is wrong', async () => {
    const { passwords, accounts, id } = await setUp();
    expect(await passwords.has(id)).to.equal(false);
    expect(await passwords.check('ada@example.org', 'correct horse')).to.equal(undefined);
    await passwords.set(id, 'correct horse');
    expect(await passwords.has(id)).to.equal(true);
    expect(await passwords.check(' Ada@Example.org', 'correct horse')).to.equal(id);
    expect(await passwords.check('ada@example.org', 'correct horsf')).to.equal(undefined);
    expect(await passwords.check('bob@example.org', 'correct horse')).to.equal(undefined);
    await passwords.set(id, 'Ünïcode passphrase'.normalize('NFD'));
    expect(await passwords.check('ada@example.org', 'Ünïcode passphrase'.normalize('NFC'))).to.equal(id);
    expect(await passwords.check('ada@example.org', 'correct horse')).to.equal(undefined);
    for (const password of ['short', 'x'.repeat(201)])
      expect(await refusalOf(passwords.set(id, password))).to.include({ code: 'INVALID_REQUEST', field: 'password' });
    expect((await refusalOf(passwords.set('nobody', 'correct horse'))).code).to.equal('NOT_FOUND');
    await accounts.change(id, { email: null });
    expect(await passwords.check('ada@example.org', 'correct horse')).to.equal(undefined);
  });

  it('knows whose files are whose while they last', async () => {
    const { files, accounts, id, clock } = await setUp();
    const other = await accounts.create({ email: null, plan: 'free' });
    const nowMs = clock.wallMs();
    await files.add(id, { basename: 'late', expiresAtMs: nowMs + 20 });
    await files.add(id, { basename: 'early', expiresAtMs: nowMs + 10 });
    await files.add(other.id, { basename: 'other', expiresAtMs: nowMs + 10 });
    expect(await files.list(id)).to.deep.equal(['early', 'late']);
    clock.advance(10);
    expect(await files.list(id)).to.deep.equal(['late']);
    expect(await files.sweep()).to.equal(2);
    expect(await files.list(other.id)).to.deep.equal([]);
  });
}
