import { expect } from 'chai';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import Value from 'typebox/value';
import { AccountAnswer, SessionAnswer } from '#adapters/http/schemas/account-answers.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService, type TestServiceOptions } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

const HOST = 'localhost:3000';
const OWN = `http://${HOST}`;
const PASSWORD = 'correct horse battery';
const picture = (size = 8) => convertForm(toPpm(discRaster(size)));

/** What a browser sends from a page of the service. */
const fromPage = (method: string): Record<string, string> => ({
  host: HOST,
  'sec-fetch-site': 'same-origin',
  ...(method === 'GET' ? { referer: `${OWN}/dashboard` } : { origin: OWN }),
});

function setUp(options: TestServiceOptions = {}) {
  // Behind a public address nobody is at home.
  const service = createTestService({
    ...options,
    server: { publicUrl: new URL(OWN), ...options.server },
  });
  const { app, stores } = service;
  /** A browser with one page open; it keeps its cookie as it is told. */
  const openBrowser = () => {
    let cookie = '';
    const ask = async (
      method: NonNullable<InjectOptions['method']>,
      url: string,
      payload?: object,
      headers: Record<string, string> = {},
    ): Promise<LightMyRequestResponse> => {
      const answer = await app.inject({
        method,
        url,
        headers: { ...fromPage(method as string), ...(cookie && { cookie }), ...headers },
        ...(payload !== undefined && { payload }),
      });
      const set = answer.headers['set-cookie'];
      if (set !== undefined) cookie = String(set).split(';', 1)[0] as string;
      return answer;
    };
    return {
      ask,
      cookie: () => cookie,
      useLink: (token: string, password?: string) =>
        ask('POST', '/api/v1/session/link', { token, ...(password !== undefined && { password }) }),
      convert: (body: Buffer, headers: Record<string, string> = {}) =>
        ask('POST', '/api/v1/convert', body, { 'content-type': MULTIPART_TYPE, ...headers }),
    };
  };
  const invite = async (email: string, plan: 'free' | 'pro' = 'free') => {
    const { id } = await stores.accounts.create({ email, plan });
    return { id, token: (await stores.links.create(id, 'invite')).token };
  };
  /** Somebody who has come in by an invitation. */
  const signedIn = async (email = 'ada@example.org', plan: 'free' | 'pro' = 'free') => {
    const { id, token } = await invite(email, plan);
    const browser = openBrowser();
    const answer = await browser.useLink(token, PASSWORD);
    expect(answer.statusCode, answer.body).to.equal(200);
    return { id, ...browser };
  };
  const owner = async () => {
    const { account } = await stores.accounts.ensureOwner();
    const browser = openBrowser();
    await browser.useLink((await stores.links.create(account.id, 'sign-in')).token);
    return { id: account.id, ...browser };
  };
  return { ...service, openBrowser, invite, signedIn, owner };
}

describe('signing in', () => {
  it('by an invitation sets a password, works once, and says whose it is before', async () => {
    const { invite, openBrowser } = setUp();
    const { token } = await invite('ada@example.org');
    const { ask, useLink, cookie } = openBrowser();
    expect((await ask('GET', '/api/v1/session')).json()).to.include({ as: 'nobody', account: null, credits: null });
    const described = await ask('GET', `/api/v1/session/link?token=${token}`);
    expect(described.json()).to.include({ purpose: 'invite', email: 'ada@example.org', needs_password: true });
    // What is refused leaves the link as it was.
    expectProblem(await useLink(token), 400, 'INVALID_REQUEST', 'password');
    expectProblem(await useLink(token, 'short'), 400, 'INVALID_REQUEST', 'password');
    const welcome = await useLink(token, PASSWORD);
    expect([...Value.Errors(SessionAnswer, welcome.json())]).to.deep.equal([]);
    expect(welcome.json()).to.deep.include({ as: 'session', credits: 50 });
    expect(welcome.headers['set-cookie']).to.match(
      /^burin_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(welcome.headers['cache-control']).to.equal('no-store');
    expect(welcome.body).to.not.include(cookie().slice('burin_session='.length));
    expect((await ask('GET', '/api/v1/session')).json().account).to.include({ email: 'ada@example.org' });
    expectProblem(await openBrowser().useLink(token, PASSWORD), 404, 'NOT_FOUND');
    expectProblem(await ask('GET', `/api/v1/session/link?token=${token}`), 404, 'NOT_FOUND');
  });

  it('by password takes ten tries a minute, and every sign-in ends the session from before', async () => {
    const { signedIn, openBrowser, clock } = setUp();
    const first = await signedIn();
    const before = first.cookie();
    const enter = (password: string, browser = openBrowser()) =>
      browser.ask('POST', '/api/v1/session', { email: ' Ada@Example.org ', password });
    expect((await enter(PASSWORD, first)).statusCode).to.equal(200);
    expect(first.cookie()).to.not.equal(before);
    const old = await openBrowser().ask('GET', '/api/v1/session', undefined, { cookie: before });
    expect(old.json().as).to.equal('nobody');
    for (let i = 0; i < 9; i++) expectProblem(await enter('wrong password'), 401, 'UNAUTHORIZED');
    expectProblem(await enter(PASSWORD), 429, 'RATE_LIMITED');
    clock.advance(60_000);
    expect((await enter(PASSWORD)).statusCode).to.equal(200);
  });

  it('ends by signing out, here or everywhere', async () => {
    const { signedIn, openBrowser } = setUp();
    const here = await signedIn();
    const there = openBrowser();
    await there.ask('POST', '/api/v1/session', { email: 'ada@example.org', password: PASSWORD });
    expect((await here.ask('GET', '/api/v1/account/sessions')).json().sessions).to.have.length(2);
    const stolen = here.cookie();
    const out = await here.ask('DELETE', '/api/v1/session');
    expect(out.headers['set-cookie']).to.match(/^burin_session=; Path=\/; Max-Age=0;/);
    expect(out.json().as).to.equal('nobody');
    expectProblem(await here.ask('GET', '/api/v1/account', undefined, { cookie: stolen }), 401, 'UNAUTHORIZED');
    expect((await there.ask('DELETE', '/api/v1/account/sessions')).json()).to.deep.equal({ ended: 1 });
    expectProblem(await there.ask('GET', '/api/v1/account'), 401, 'UNAUTHORIZED');
  });

  it('is kept to TLS where the public address is', async () => {
    const { app, stores } = setUp({ server: { publicUrl: new URL('https://burin.example') } });
    const { id } = await stores.accounts.create({ email: null, plan: 'free' });
    const { token } = await stores.links.create(id, 'sign-in');
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/session/link',
      headers: { origin: 'https://burin.example', host: 'burin.example' },
      payload: { token },
    });
    expect(answer.headers['set-cookie']).to.match(/^__Host-burin_session=[^;]+; Path=\/; .*; Secure$/);
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] as string;
    const ask = (name: string) =>
      app.inject({ url: '/api/v1/session', headers: { host: 'burin.example', cookie: name } });
    expect((await ask(cookie)).json().as).to.equal('session');
    expect((await ask(cookie.replace('__Host-', ''))).json().as).to.equal('nobody');
  });

  it('keeps no answer with a secret to be given again', async () => {
    const { signedIn } = setUp();
    const { ask } = await signedIn();
    const asked = await ask('POST', '/api/v1/account/keys', { name: 'a' }, { 'idempotency-key': 'k' });
    expectProblem(asked, 400, 'INVALID_REQUEST', 'Idempotency-Key');
  });
});

describe('a session', () => {
  it('is its account before the API', async () => {
    const { signedIn, stores } = setUp();
    const { id, ask, convert } = await signedIn('ada@example.org', 'pro');
    const converted = await convert(picture());
    expect(converted.headers).to.include({ 'x-credits-charged': '2', 'x-credits-remaining': '498' });
    expect((await convert(picture())).headers['x-credits-charged']).to.equal('0');
    expect(converted.headers['x-ratelimit-limit']).to.equal('100000');
    const account = (await ask('GET', '/api/v1/account')).json();
    expect([...Value.Errors(AccountAnswer, account)]).to.deep.equal([]);
    expect(account.usage.history.at(-1)).to.include({ conversions: 2, credits_used: 2 });
    const dxf = await ask('POST', '/api/v1/export', {
      sourceSvgBasename: converted.json().downloadPathBasename,
      format: 'dxf',
    });
    expect(dxf.statusCode, dxf.body).to.equal(200);
    expectProblem(await ask('GET', '/api/v1/usage'), 401, 'UNAUTHORIZED');
    expect(await stores.files.list(id)).to.include(converted.json().downloadPathBasename);
  });

  it('speaks for no page of another origin', async () => {
    const { signedIn, app, createKey } = setUp();
    const { cookie, ask } = await signedIn();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:8080' },
      { origin: 'null' },
      { origin: OWN, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      {},
    ] as Record<string, string>[]) {
      const sent = { host: HOST, cookie: cookie(), ...headers };
      for (const url of ['/api/v1/convert', '/api/v1/account/keys', '/api/v1/accounts'])
        expectProblem(await app.inject({ method: 'POST', url, headers: sent }), 403, 'FORBIDDEN');
      expectProblem(await app.inject({ method: 'DELETE', url: '/api/v1/session', headers: sent }), 403, 'FORBIDDEN');
    }
    for (const site of ['cross-site', 'same-site']) {
      const headers = { host: HOST, cookie: cookie(), 'sec-fetch-site': site };
      expect((await app.inject({ url: '/api/v1/session', headers })).json().as).to.equal('nobody');
    }
    // A key speaks for itself, whatever cookie comes with it.
    const { headers } = await createKey();
    const keyed = await app.inject({
      method: 'POST',
      url: '/api/v1/convert',
      headers: { ...headers, host: HOST, cookie: cookie(), 'content-type': MULTIPART_TYPE },
      payload: picture(),
    });
    expect(keyed.headers['x-credits-remaining']).to.equal('498');
    const signIn = {
      method: 'POST',
      url: '/api/v1/session',
      payload: { email: 'ada@example.org', password: PASSWORD },
    };
    const foreign = await app.inject({
      ...signIn,
      headers: { host: HOST, origin: 'https://evil.example' },
    } as InjectOptions);
    expectProblem(foreign, 403, 'FORBIDDEN');
    expect((await ask('GET', '/api/v1/session')).json().as).to.equal('session');
  });

  it('ends with its time, and with its account', async () => {
    const { signedIn, clock, stores } = setUp();
    const [ada, bob] = [await signedIn(), await signedIn('bob@example.org')];
    await stores.accounts.remove(bob.id);
    expect((await bob.ask('GET', '/api/v1/session')).json().as).to.equal('nobody');
    clock.advance(7 * 24 * 60 * 60 * 1000);
    expect((await ada.ask('GET', '/api/v1/session')).json().as).to.equal('nobody');
  });
});

describe('at home', () => {
  const atHome = { publicUrl: null };

  it('the pages are the owner while nobody is signed in', async () => {
    const { openBrowser, stores, invite } = setUp({ server: atHome });
    await stores.accounts.ensureOwner();
    const { ask, convert, useLink } = openBrowser();
    expect((await ask('GET', '/api/v1/session')).json()).to.deep.include({ as: 'owner_at_home', credits: 500 });
    expect((await convert(picture())).headers['x-credits-remaining']).to.equal('498');
    expect((await ask('GET', '/api/v1/accounts')).statusCode).to.equal(200);
    await useLink((await invite('ada@example.org')).token, PASSWORD);
    expect((await ask('GET', '/api/v1/session')).json().account).to.include({ email: 'ada@example.org' });
    expectProblem(await ask('GET', '/api/v1/accounts'), 403, 'FORBIDDEN');
  });

  it('is nobody who is no page of ours, comes from elsewhere, or through a proxy', async () => {
    const asked = async (
      headers: Record<string, string>,
      server: TestServiceOptions['server'] = atHome,
      remoteAddress = '127.0.0.1',
    ) => {
      const { app, stores } = setUp({ server });
      await stores.accounts.ensureOwner();
      const all = { host: HOST, ...headers };
      return (await app.inject({ url: '/api/v1/session', headers: all, remoteAddress })).json().as;
    };
    const page = { referer: `${OWN}/`, 'sec-fetch-site': 'same-origin' };
    expect(await asked(page)).to.equal('owner_at_home');
    expect(await asked({ referer: `${OWN}/` })).to.equal('owner_at_home');
    expect(await asked({})).to.equal('nobody');
    expect(await asked({ 'sec-fetch-site': 'same-origin' })).to.equal('nobody');
    expect(await asked({ ...page, 'sec-fetch-site': 'same-site' })).to.equal('nobody');
    expect(await asked({ ...page, referer: 'http://localhost:8080/' })).to.equal('nobody');
    expect(await asked({ ...page, referer: 'https://burin.example/' })).to.equal('nobody');
    expect(await asked({ ...page, origin: 'https://burin.example' })).to.equal('nobody');
    expect(await asked({ ...page, 'x-forwarded-for': '203.0.113.7' })).to.equal('nobody');
    expect(await asked(page, atHome, '203.0.113.7')).to.equal('nobody');
    expect(await asked(page, { ...atHome, loopback: false })).to.equal('nobody');
    expect(await asked(page, { ...atHome, trustProxy: true })).to.equal('nobody');
    expect(await asked(page, { publicUrl: new URL(OWN) })).to.equal('nobody');
  });
});

describe('the account of who is signed in', () => {
  it('makes, names, lists and revokes its own keys', async () => {
    const { signedIn, app } = setUp();
    const [ada, bob] = [await signedIn(), await signedIn('bob@example.org')];
    const made = (await ada.ask('POST', '/api/v1/account/keys', { name: 'laptop' })).json();
    expect(made.key).to.include({ name: 'laptop', last_used_at: null, revoked_at: null });
    const usage = () => app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': made.secret } });
    expect((await usage()).json()).to.include({ plan: 'free', key_prefix: made.key.prefix });
    const own = `/api/v1/account/keys/${made.key.id}`;
    expect((await ada.ask('PATCH', own, { name: 'desk' })).json().name).to.equal('desk');
    for (const asked of [await bob.ask('PATCH', own, { name: 'mine' }), await bob.ask('DELETE', own)])
      expectProblem(asked, 404, 'NOT_FOUND');
    const { keys } = (await ada.ask('GET', '/api/v1/account/keys')).json();
    expect(keys.map(({ name, revoked_at }: never) => [name, revoked_at])).to.deep.equal([['desk', null]]);
    expect(JSON.stringify(keys)).to.not.include(made.secret.slice(17));
    expect((await ada.ask('DELETE', own)).json().revoked_at).to.be.a('string');
    expectProblem(await usage(), 401, 'UNAUTHORIZED');
  });

  it('shows what was charged and what was refused, with request ids', async () => {
    const { signedIn } = setUp();
    const { ask, convert } = await signedIn();
    await convert(picture());
    const refused = await convert(convertForm(Buffer.from('no picture')));
    const { errors } = (await ask('GET', '/api/v1/account/errors')).json();
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include({
      request_id: refused.headers['x-request-id'],
      code: 'UNSUPPORTED_IMAGE',
      operation: 'POST /api/v1/convert',
    });
    const charges = async (limit = '') => (await ask('GET', `/api/v1/account/charges${limit}`)).json().charges;
    expect((await charges()).map(({ kind, monthly, used }: never) => [kind, monthly, used])).to.deep.equal([
      ['release', 2, 0],
      ['hold', -2, 0],
      ['settle', 0, 2],
      ['hold', -2, 0],
      ['quota', 50, 0],
    ]);
    expect(await charges('?limit=1')).to.have.length(1);
    for (const limit of ['0', '501', 'x', '1.5'])
      expectProblem(await ask('GET', `/api/v1/account/errors?limit=${limit}`), 400, 'INVALID_REQUEST', 'limit');
  });

  it('changes address and password with the one it has, and other sessions end', async () => {
    const { signedIn, openBrowser } = setUp();
    const [ada, other] = [await signedIn(), openBrowser()];
    await other.ask('POST', '/api/v1/session', { email: 'ada@example.org', password: PASSWORD });
    const change = (body: object) => ada.ask('PATCH', '/api/v1/account', body);
    expectProblem(await change({}), 400, 'INVALID_REQUEST', 'body');
    expectProblem(await change({ password: 'another passphrase' }), 400, 'INVALID_REQUEST', 'current_password');
    expectProblem(await change({ email: 'x@y.z', current_password: 'wrong password' }), 403, 'FORBIDDEN');
    const changed = await change({
      email: 'Lovelace@example.org',
      password: 'another passphrase',
      current_password: PASSWORD,
    });
    expect(changed.json().account.email).to.equal('lovelace@example.org');
    expect((await ada.ask('GET', '/api/v1/session')).json().as).to.equal('session');
    expect((await other.ask('GET', '/api/v1/session')).json().as).to.equal('nobody');
    const entered = await other.ask('POST', '/api/v1/session', {
      email: 'lovelace@example.org',
      password: 'another passphrase',
    });
    expect(entered.statusCode).to.equal(200);
  });

  it('is not for keys, nor for nobody', async () => {
    const { app, createKey, openBrowser } = setUp();
    const { headers } = await createKey();
    expectProblem(await app.inject({ url: '/api/v1/account', headers }), 403, 'FORBIDDEN');
    expectProblem(await openBrowser().ask('GET', '/api/v1/account'), 401, 'UNAUTHORIZED');
    expectProblem(await app.inject({ url: '/api/v1/accounts', headers }), 403, 'FORBIDDEN');
    expect((await app.inject({ url: '/api/v1/session', headers })).json().as).to.equal('key');
  });
});

describe('the owner', () => {
  it('invites, grants, changes, resets and deletes', async () => {
    const { owner, openBrowser, artifacts } = setUp();
    const { ask } = await owner();
    const invited = (await ask('POST', '/api/v1/accounts', { email: 'ada@example.org', plan: 'free' })).json();
    expect(invited.link).to.match(/^http:\/\/localhost:3000\/dashboard\/sign-in\?token=[\w-]{43}$/);
    const { id } = invited.account;
    const ada = openBrowser();
    await ada.useLink(new URL(invited.link).searchParams.get('token') as string, PASSWORD);
    const granted = await ask('POST', `/api/v1/accounts/${id}/credits`, { credits: 500, reference: 'order 1' });
    expect(granted.json()).to.deep.include({ credits: 550 });
    await ask('POST', `/api/v1/accounts/${id}/credits`, { credits: 500, reference: 'order 1' });
    const wrong = await ask('POST', `/api/v1/accounts/${id}/credits`, { credits: 1 });
    expectProblem(wrong, 400, 'INVALID_REQUEST', 'credits');
    expect((await ask('PATCH', `/api/v1/accounts/${id}`, { plan: 'pro' })).json().plan).to.equal('pro');
    const { accounts } = (await ask('GET', '/api/v1/accounts')).json();
    expect(accounts.map(({ role, credits }: never) => [role, credits])).to.deep.equal([
      ['owner', 500],
      ['member', 1000],
    ]);
    const converted = (await ada.convert(picture())).json();
    const asked = { sourceSvgBasename: converted.downloadPathBasename, format: 'svg' };
    const exported = (await ada.ask('POST', '/api/v1/export', asked)).json();
    const zip = (await ada.ask('POST', '/api/v1/batch', { items: [asked] })).json();
    const job = await ada.convert(picture(9), { prefer: 'respond-async' });
    await ada.ask('GET', job.json().links.events);
    const reset = (await ask('POST', `/api/v1/accounts/${id}/reset`)).json();
    expect((await ada.ask('GET', '/api/v1/session')).json().as).to.equal('nobody');
    await ada.useLink(new URL(reset.link).searchParams.get('token') as string, 'a new passphrase');
    const removed = await ask('DELETE', `/api/v1/accounts/${id}`);
    // The conversion, its export, the ZIP, the job's drawing and the job's result.
    expect(removed.json().files).to.equal(5);
    for (const [basename, name] of [
      [converted.downloadPathBasename, converted.downloadActualFilename],
      [exported.downloadPathBasename, exported.downloadActualFilename],
      [zip.zipBasename, zip.zipFilename],
    ])
      expect(await artifacts.get(basename, name), name).to.equal(undefined);
    expect((await ada.ask('GET', '/api/v1/session')).json().as).to.equal('nobody');
    expectProblem(await ask('DELETE', `/api/v1/accounts/${id}`), 404, 'NOT_FOUND');
  });

  it('stays, and is nobody else', async () => {
    const { owner, signedIn } = setUp();
    const { id, ask } = await owner();
    expectProblem(await ask('DELETE', `/api/v1/accounts/${id}`), 403, 'FORBIDDEN');
    expectProblem(await ask('PATCH', `/api/v1/accounts/${id}`, { status: 'suspended' }), 403, 'FORBIDDEN');
    const ada = await signedIn();
    for (const [method, url] of [
      ['GET', '/api/v1/accounts'],
      ['POST', '/api/v1/accounts'],
      ['PATCH', `/api/v1/accounts/${id}`],
      ['DELETE', `/api/v1/accounts/${id}`],
      ['POST', `/api/v1/accounts/${id}/reset`],
      ['POST', `/api/v1/accounts/${id}/credits`],
    ] as const)
      expectProblem(await ada.ask(method, url), 403, 'FORBIDDEN');
  });
});
