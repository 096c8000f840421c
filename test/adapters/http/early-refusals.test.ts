import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService, type TestServiceOptions } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { talkRaw } from '#test/support/raw-connection.js';
import { toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';

const picture = toPpm(discRaster(12));
const form = (settings: Record<string, string> = {}) => convertForm(picture, settings);
const anybody = { id: 'anybody', maxInFlight: 100 };
const EARLY = 'requests were refused early';

/** A service whose lines are full: `leave` lets the one that runs go, and with it the line move up. */
async function crowdedService(options: TestServiceOptions = {}) {
  const lookUps: string[] = [];
  const service = createTestService({ waiting: 1, ...options });
  const { authenticate } = service.stores.keys;
  Object.assign(service.stores.keys, {
    authenticate: (secret: string) => {
      lookUps.push(secret);
      return authenticate(secret);
    },
  });
  const key = await service.createKey();
  // Looked up once while there is room.
  expect((await service.convert(form(), key.headers)).statusCode).to.equal(200);
  lookUps.length = 0;
  const slot = await service.queue.enter('balanced_crisp', anybody);
  const leaving = new AbortController();
  const inLine = service.queue.enter('balanced_crisp', anybody, leaving.signal);
  inLine.catch(() => {});
  const empty = () => {
    leaving.abort();
    slot.release();
  };
  const earlyLines = () => service.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === EARLY);
  return { ...service, ...key, lookUps, empty, slot, inLine, earlyLines };
}

describe('a conversion for which there is no place', () => {
  it('is refused before its key is looked up and its picture is read, in the words of the queue', async () => {
    const { convert, headers, lookUps, account, stores, app, earlyLines, empty } = await crowdedService();
    const answer = await convert(form(), headers);
    const early = expectProblem(answer, 429, 'QUEUE_FULL');
    expect(early.error).to.include('balanced_crisp');
    expect(early.retry_after_seconds).to.be.greaterThan(0);
    expect(lookUps).to.deep.equal([]);
    // As when it is refused further in, where a form goes that has more to it.
    const late = await convert(form(), { ...headers, 'idempotency-key': 'mine' });
    expectProblem(late, 429, 'QUEUE_FULL');
    expect(lookUps.length).to.equal(1);
    const told = Object.keys(late.headers).sort();
    expect(Object.keys(answer.headers).sort()).to.deep.equal(told);
    expect(told).to.include.members(['retry-after', 'x-credits-remaining', 'x-ratelimit-remaining', 'x-request-id']);
    for (const name of ['x-credits-charged', 'x-credits-remaining', 'content-type'])
      expect(answer.headers[name], name).to.equal(late.headers[name]);
    expect(Number(answer.headers['x-ratelimit-remaining'])).to.equal(Number(late.headers['x-ratelimit-remaining']) + 1);
    empty();
    await app.close();
    expect((await stores.usage.history(account.id)).at(-1)).to.include({ conversions: 1, failures: 2 });
    const errors = await stores.usage.recentErrors(account.id, 10);
    expect(errors.map(({ code, operation }) => `${operation} ${code}`)).to.deep.equal([
      'POST /api/v1/convert QUEUE_FULL',
      'POST /api/v1/convert QUEUE_FULL',
    ]);
    expect(errors.map(({ requestId }) => requestId)).to.include(early.request_id);
    expect(earlyLines()).to.have.lengthOf(1);
  });

  it('is counted every time and told of once, however many there are', async () => {
    const { convert, headers, account, stores, app, earlyLines, logged, empty } = await crowdedService();
    const before = logged.length;
    for (let i = 0; i < 50; i++) expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    expect(logged.length - before).to.be.lessThan(5);
    empty();
    await app.close();
    expect((await stores.usage.history(account.id)).at(-1)).to.include({ failures: 50 });
    expect((await stores.usage.recentErrors(account.id, 100)).length).to.be.lessThan(10);
    const told = earlyLines().reduce((sum, { refused }) => sum + refused.QUEUE_FULL, 0);
    expect(told).to.equal(50);
  });

  it('is let in the moment there is one, and so is who asks for another tier meanwhile', async () => {
    const { convert, headers, empty, lookUps } = await crowdedService({ running: 2 });
    expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    expect((await convert(form({ quality_tier: 'fast' }), headers)).statusCode).to.equal(200);
    empty();
    const answers = await Promise.all(Array.from({ length: 2 }, () => convert(form(), headers)));
    expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal([200, 200]);
    expect(lookUps.length).to.equal(3);
  });

  it('keeps the place that it was promised', async () => {
    const { convert, headers, key, clock, queue, slot, inLine } = await crowdedService({ waiting: 2 });
    const leaving = new AbortController();
    const second = queue.enter('balanced_crisp', anybody, leaving.signal);
    second.catch(() => {});
    const { retry_after_seconds: seconds } = expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    clock.advance((seconds as number) * 1000);
    leaving.abort();
    // The only place is kept for who was told to come now.
    expect(() => queue.requirePlace('balanced_crisp', anybody)).to.throw(/full|wait/i);
    expect(() => queue.requirePlace('balanced_crisp', { id: `key:${key.id}`, maxInFlight: 9 })).not.to.throw();
    const converting = convert(form(), headers);
    await until(() => queue.load().balanced_crisp.waiting === 2);
    slot.release();
    (await inLine).release();
    expect((await converting).statusCode).to.equal(200);
  });

  it('is not refused early for what could still be answered, or be refused for another reason', async () => {
    const { app, convert, headers, lookUps, empty } = await crowdedService();
    const dry = await convert(form({ dry_run: 'true' }), headers);
    expect([dry.statusCode, dry.json().dryRun]).to.deep.equal([200, true]);
    expectProblem(await convert(form({ preset: 'nothing such' }), headers), 400, 'INVALID_REQUEST', 'preset');
    expectProblem(await convert(convertForm(undefined), headers), 400, 'INVALID_REQUEST', 'imageFile');
    const later = multipartBody([
      { name: 'imageFile', value: picture, fileName: 'a.ppm' },
      { name: 'dry_run', value: 'true' },
    ]);
    expect((await convert(later, headers)).statusCode).to.equal(200);
    expect((await convert(form(), { ...headers, prefer: 'respond-async' })).statusCode).to.equal(202);
    const misplaced = { method: 'POST', url: '/api/v1/convert?preset=logo', payload: form() } as const;
    expectProblem(
      await app.inject({ ...misplaced, headers: { ...headers, 'content-type': MULTIPART_TYPE } }),
      400,
      'INVALID_REQUEST',
      'preset',
    );
    expect(lookUps.length).to.equal(6);
    for (const url of ['/livez', '/readyz', '/health', '/api/v1/status'])
      expect((await app.inject({ url })).statusCode, url).to.equal(200);
    empty();
  });

  it('tells who has no good key nothing of that', async () => {
    const { convert, stores, headers, key, account, lookUps, empty } = await crowdedService();
    expectProblem(await convert(form(), { 'x-api-key': `${headers['x-api-key']}x` }), 401, 'UNAUTHORIZED');
    expectProblem(await convert(form(), { ...headers, authorization: 'Bearer another' }), 401, 'UNAUTHORIZED');
    // Without a key it is the address's one conversion at a time that counts, further in.
    expectProblem(await convert(form()), 429, 'QUEUE_FULL');
    expect(lookUps.length).to.equal(1);
    await stores.keys.revoke(key.id, account.id);
    empty();
    expectProblem(await convert(form(), headers), 401, 'UNAUTHORIZED');
  });

  it('counts against the requests of its key, past which it is refused for them', async () => {
    const { convert, headers, empty } = await crowdedService({
      server: { requestsPerMinute: { key: 4, anonymous: 100 } },
    });
    for (let i = 0; i < 3; i++) expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    expectProblem(await convert(form(), headers), 429, 'RATE_LIMITED');
    empty();
  });

  it('leaves the connection good for the next request, and one that breaks off leaves nothing behind', async () => {
    const { app, headers, slot, empty } = await crowdedService();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const body = form();
    const head = (length: number) =>
      `POST /api/v1/convert HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${MULTIPART_TYPE}\r\ncontent-length: ${length}\r\nx-api-key: ${headers['x-api-key']}\r\n`;
    // In pieces, cut anywhere, and two after each other on one connection.
    const { bytes } = await talkRaw(port, [
      `${head(body.length)}\r\n`,
      body.subarray(0, 10),
      body.subarray(10, 200),
      body.subarray(200),
      `${head(body.length)}connection: close\r\n\r\n`,
      body,
    ]);
    expect(bytes.toString('latin1').match(/HTTP\/1\.1 429/g)).to.have.lengthOf(2);
    await talkRaw(port, [`${head(body.length)}\r\n`, body.subarray(0, 100)], { leaving: 'leaves' });
    empty();
    slot.release();
    const { bytes: served } = await talkRaw(port, [`${head(body.length)}connection: close\r\n\r\n`, body]);
    expect(served.toString('latin1')).to.match(/^HTTP\/1\.1 200/);
    await app.close();
  });

  it('hands on whole what it has looked at and lets in, in however many pieces that came', async () => {
    const { app, headers, queue, slot, inLine, empty } = await crowdedService({ waiting: 2 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const body = convertForm(toPpm(discRaster(480)), { output: 'svg' });
    expect(body.length).to.be.greaterThan(600_000);
    const converting = fetch(`http://127.0.0.1:${port}/api/v1/convert`, {
      method: 'POST',
      headers: { ...headers, 'content-type': MULTIPART_TYPE },
      body: new Uint8Array(body),
    });
    await until(() => queue.load().balanced_crisp.waiting === 2);
    slot.release();
    (await inLine).release();
    const answer = await converting;
    expect([answer.status, answer.headers.get('x-burin-width')]).to.deep.equal([200, '480']);
    const calm = createTestService();
    expect(await answer.text()).to.equal((await calm.convert(body)).body);
    empty();
    await app.close();
  });

  it('is judged as if those who were let in before it stood in line already', async () => {
    const { convert, headers, queue, stores, slot, inLine, empty } = await crowdedService({ waiting: 2 });
    // The way to the queue is held up where the key is looked up.
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { authenticate } = stores.keys;
    Object.assign(stores.keys, { authenticate: async (secret: string) => held.then(() => authenticate(secret)) });
    const first = convert(form(), headers);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    goOn();
    await until(() => queue.load().balanced_crisp.waiting === 2);
    slot.release();
    (await inLine).release();
    expect((await first).statusCode).to.equal(200);
    empty();
  });
});
