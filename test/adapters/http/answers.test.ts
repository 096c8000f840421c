import { expect } from 'chai';
import Value from 'typebox/value';
import { STATUS_OF, toProblem } from '#adapters/http/problem.js';
import { StatusAnswer } from '#adapters/http/schemas/answers.js';
import { ERRORS, ServiceError } from '#domain/errors.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

describe('every answer', () => {
  it('carries an id of its own, which the log has too', async () => {
    const { app, logged } = createTestService();
    const ids = await Promise.all(
      [1, 2, 3].map(
        async () => (await app.inject({ url: '/livez', headers: { 'x-request-id': 'mine' } })).headers['x-request-id'],
      ),
    );
    expect(new Set(ids).size).to.equal(3);
    const lines = logged.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'answered');
    expect(lines.map(({ request_id }) => request_id)).to.have.members(ids as string[]);
    expect(lines[0]).to.include({ method: 'GET', path: '/livez', status: 200 });
  });

  it('is an error of the one form where there is no such address', async () => {
    const { app } = createTestService();
    for (const [method, url] of [
      ['GET', '/'],
      ['GET', '/nowhere?x=1'],
      ['POST', '/api/v2/convert'],
      ['GET', '/api/v1/convert/'],
      ['DELETE', '/a/b/c'],
      ['OPTIONS', '/nowhere'],
    ] as const)
      expectProblem(await app.inject({ method, url }), 404, 'NOT_FOUND');
  });

  it('names the methods that an address takes', async () => {
    const { app } = createTestService();
    const cases = [
      ['GET', '/api/v1/convert', 'POST'],
      ['PUT', '/api/v1/convert?x=1', 'POST'],
      ['POST', '/download-file', 'GET, HEAD'],
      ['DELETE', '/api/v1/status', 'GET, HEAD'],
      ['PATCH', '/livez', 'GET, HEAD'],
    ] as const;
    for (const [method, url, allow] of cases) {
      const answer = await app.inject({ method, url });
      expect(expectProblem(answer, 405, 'METHOD_NOT_ALLOWED').error).to.include(method);
      expect(answer.headers.allow).to.equal(allow);
    }
    const options = await app.inject({ method: 'OPTIONS', url: '/api/v1/convert' });
    expect([options.statusCode, options.headers.allow]).to.deep.equal([204, 'POST']);
  });

  it('is an error of the one form for an address that cannot be read', async () => {
    const { app } = createTestService();
    for (const url of ['/%zz', '/api/v1/%E0%A4%A', '/download-file%'])
      expectProblem(await app.inject({ url }), 400, 'INVALID_REQUEST', 'url');
  });

  it('maps every kind of refusal, and says when to come again where it must', () => {
    const kinds = new Set(Object.values(ERRORS).map(({ kind }) => kind));
    expect([...kinds].filter((kind) => STATUS_OF[kind] === undefined)).to.deep.equal([]);
    expect(kinds.size).to.be.greaterThan(14);
    const timeout = toProblem(new ServiceError('CONVERSION_TIMEOUT', { limitMs: 1, tier: 'fast' }), 'id');
    expect(timeout.headers['retry-after']).to.equal('30');
    const full = toProblem(new ServiceError('STORAGE_FULL', { retryAfterSeconds: 7.2 }), 'id');
    expect([full.status, full.headers['retry-after'], full.body.retry_after_seconds]).to.deep.equal([507, '8', 8]);
    const unsupported = toProblem(new ServiceError('UNSUPPORTED_FORMAT', { format: 'x', known: ['svg'] }), 'id');
    expect([unsupported.status, unsupported.body.field]).to.deep.equal([400, 'body']);
    const secret = toProblem(new Error('secret'), 'id');
    expect(secret.body).to.deep.equal({ error: 'Internal error.', code: 'INTERNAL_ERROR', request_id: 'id' });
  });
});

describe('the service says how it is', () => {
  it('to people', async () => {
    const { app, clock } = createTestService();
    clock.advance(61_500);
    const { body, statusCode } = await app.inject({ url: '/api/v1/status' });
    expect(statusCode).to.equal(200);
    const status = JSON.parse(body);
    expect([...Value.Errors(StatusAnswer, status)]).to.deep.equal([]);
    expect(status).to.include({ status: 'ok', version: '9.8.7', engine: 'planar-runs-1', uptime_seconds: 61 });
    expect(Date.parse(status.time)).to.equal(clock.wallMs());
  });

  it('to what watches it: alive, and ready or not', async () => {
    let workers: 'ok' | 'failing' = 'ok';
    const { app } = createTestService({ checks: () => ({ workers, queue: 'ok' }) });
    expect((await app.inject({ url: '/readyz' })).json()).to.deep.equal({
      status: 'ok',
      checks: { workers: 'ok', queue: 'ok' },
    });
    workers = 'failing';
    const unready = await app.inject({ url: '/readyz' });
    expect([unready.statusCode, unready.json().status, unready.headers['retry-after']]).to.deep.equal([
      503,
      'unavailable',
      '2',
    ]);
    expect((await app.inject({ url: '/api/v1/status' })).json().status).to.equal('degraded');
    expect((await app.inject({ url: '/livez' })).json()).to.deep.equal({ status: 'ok' });
  });
});

describe('who may call', () => {
  const body = convertForm(toPpm(discRaster(8)));

  it('is anybody on this machine, without a key', async () => {
    const { convert } = createTestService();
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'LOCALHOST'])
      expect((await convert(body, { host })).statusCode, host).to.equal(200);
  });

  it('is not a page that has rebound its name to this machine', async () => {
    const { convert, app } = createTestService();
    for (const host of ['evil.example', 'localhost.evil.example:3000', '127.0.0.1.evil.example'])
      expectProblem(await convert(body, { host }), 403, 'FORBIDDEN');
    expectProblem(await app.inject({ url: '/nowhere', headers: { host: 'evil.example' } }), 403, 'FORBIDDEN');
    const named = createTestService({ server: { publicUrl: new URL('https://burin.example/x') } });
    expect((await named.convert(body, { host: 'burin.example' })).statusCode).to.equal(200);
    const open = createTestService({ server: { loopback: false } });
    expect((await open.convert(body, { host: 'anything.example' })).statusCode).to.equal(200);
  });

  it('is not a page of another origin', async () => {
    const { convert } = createTestService({
      server: { publicUrl: new URL('https://burin.example'), corsOrigins: ['https://ok.example'] },
    });
    const from = (origin: string) => convert(body, { host: 'localhost:3000', origin });
    for (const origin of ['http://localhost:3000', 'https://burin.example', 'https://ok.example'])
      expect((await from(origin)).statusCode, origin).to.equal(200);
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3001', ''])
      expectProblem(await from(origin), 403, 'FORBIDDEN');
  });

  it('may be a page of a named origin, which may then read the headers', async () => {
    const { app, convert } = createTestService({ server: { corsOrigins: ['https://ok.example'] } });
    const answer = await convert(body, { origin: 'https://ok.example' });
    expect(answer.headers['access-control-allow-origin']).to.equal('https://ok.example');
    expect(answer.headers['access-control-expose-headers'])
      .to.include('x-ratelimit-remaining')
      .and.to.include('x-credits-charged');
    const asking = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/api/v1/convert',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const asked = await asking('https://ok.example');
    expect(asked.statusCode).to.equal(204);
    expect(asked.headers['access-control-allow-headers']).to.include('x-api-key');
    expect((await asking('https://evil.example')).headers).not.to.have.property('access-control-allow-origin');
    // Its own refusals, and addresses that are not there, are for it to read as well.
    const headers = { origin: 'https://ok.example', 'x-api-key': 'brn_live_x' };
    const unknown = await app.inject({ url: '/nowhere', headers: { origin: 'https://ok.example' } });
    for (const [refused, status] of [
      [await app.inject({ url: '/api/v1/usage', headers }), 401],
      [unknown, 404],
      [await app.inject({ method: 'PUT', url: '/livez', headers }), 405],
    ] as const) {
      expect(refused.statusCode).to.equal(status);
      expect(refused.headers['access-control-allow-origin']).to.equal('https://ok.example');
    }
    expect(unknown.headers.vary).to.match(/origin/i);
  });

  it('is never somebody with a key that is not known', async () => {
    const { convert } = createTestService();
    for (const headers of [{ 'x-api-key': 'brn_live_x' }, { authorization: 'Bearer brn_live_x' }])
      expectProblem(await convert(body, headers as Record<string, string>), 401, 'UNAUTHORIZED');
  });

  it('is nobody without a key where that is switched off', async () => {
    const { convert } = createTestService({ server: { anonymous: false } });
    const answer = await convert(body);
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers['www-authenticate']).to.match(/^Bearer/);
  });

  it('leaves no key, cookie or file name in the log', async () => {
    const { convert, app, logged } = createTestService();
    await convert(body, { 'x-api-key': 'brn_live_topsecret', cookie: 'session=topsecret' });
    await app.inject({ url: '/download-file?fileBasename=topsecret&actualFilename=topsecret' });
    app.log.info(
      {
        req: { method: 'GET', url: '/x?key=topsecret' },
        headers: { authorization: 'topsecret', 'x-api-key': 'topsecret', cookie: 'topsecret' },
      },
      'x',
    );
    app.log.error({ err: Object.assign(new Error('e'), { headers: { cookie: 'topsecret' } }) }, 'x');
    expect(logged.length).to.be.at.least(4);
    expect(logged.join('')).not.to.include('topsecret');
  });
});
