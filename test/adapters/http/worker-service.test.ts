import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerVectorizer } from '#adapters/tracing/worker-vectorizer.js';
import { TIER_IDS } from '#domain/tiers/tier.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { createRecordingLogger } from '#test/support/recording-logger.js';
import { type Mischief, toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';
import { busyWorkers, workerProcesses } from '#test/support/worker-processes.js';

/** A run may take longer than any test waits: what frees a worker sooner is that its client has gone. */
const RUN_LIMIT_MS = 600_000;

const form = (mischief?: Mischief, settings: Record<string, string> = {}) =>
  convertForm(toPpm(discRaster(16), mischief), settings);

describe('the server over a pool of workers', () => {
  const workers = 2;
  let pool: WorkerPool;
  let service: ReturnType<typeof createTestService>;
  let port: number;

  before(async () => {
    pool = createWorkerPool({
      entry: new URL('../../support/run-worker.js', import.meta.url),
      workers,
      heapBytes: 64 * 1024 * 1024,
      residentBytes: 256 * 1024 * 1024,
      logger: createRecordingLogger(),
    });
    await pool.warm();
    const vectorizeToFile = createWorkerVectorizer({
      pool,
      runLimitMs: ({ id }) => (id === 'fast' ? 50 : RUN_LIMIT_MS),
    });
    service = createTestService({ vectorizeToFile });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
  });
  after(async () => {
    await service.app.close();
    await pool.close();
  });

  const post = (body: Buffer, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      body: new Uint8Array(body),
    });
  /** Sends a request's head and as much of its body as is given, and keeps the connection. */
  const begin = (body: Buffer, length = body.length, headers = ''): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /api/v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${length}\r\n${headers}\r\n`,
    );
    socket.write(body);
    return socket;
  };
  const isFree = () => pool.state().busy === 0 && pool.state().workers === workers;
  const serves = async () => {
    const answer = await post(form());
    expect(answer.status).to.equal(200);
    expect(((await answer.json()) as { svg: string }).svg).to.match(/^<svg /);
    expect(service.queue.load().balanced_crisp).to.include({ running: 0, waiting: 0 });
  };

  it('converts', serves);

  for (const mischief of ['endless', 'stuck'] as const)
    it(`frees the worker of a client that leaves while its picture is ${mischief}`, async () => {
      const socket = begin(form(mischief));
      await until(() => pool.state().busy === 1);
      socket.destroy();
      await until(isFree);
      await serves();
    });

  it('bothers no worker for a client that leaves while it waits', async () => {
    const { secret, account } = await service.createKey();
    const withKey = (body: Buffer) => begin(body, body.length, `X-API-Key: ${secret}\r\n`);
    const running = withKey(form('endless'));
    await until(() => pool.state().busy === 1);
    const waiting = withKey(form());
    await until(() => service.queue.load().balanced_crisp.waiting === 1);
    waiting.destroy();
    await until(() => service.queue.load().balanced_crisp.waiting === 0);
    expect(pool.state().busy).to.equal(1);
    running.destroy();
    await until(isFree);
    await serves();
    // Neither was charged: what was set aside for work is back, and for waiting nothing was.
    const kinds = async () => (await service.stores.credits.entries(account.id)).map(({ kind }) => kind);
    while ((await kinds()).length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(await kinds()).to.deep.equal(['quota', 'hold', 'release']);
    const read = async (path: string) =>
      (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': secret } })).json()) as Record<
        string,
        never
      >;
    expect(await read('/api/v1/usage')).to.include({ api_credits_balance: 500, api_credits_used_this_period: 0 });
    expect((await read('/health')).queues).to.deep.equal(
      Object.fromEntries(TIER_IDS.map((tier) => [tier, { waiting: 0, running: 0, capacity: 1 }])),
    );
    expect((await service.stores.credits.balance(account.id)).monthly).to.equal(500);
  });

  it('forgets a client that leaves in the middle of its upload', async () => {
    const body = form();
    const before = service.logged.length;
    const begun = once(service.app.server, 'request');
    const socket = begin(body.subarray(0, 200), body.length);
    await begun;
    socket.destroy();
    await until(() => service.logged.slice(before).some((line) => line.includes('the client has gone')));
    expect(pool.state().busy).to.equal(0);
    await serves();
  });

  it('answers a client that ends its upload half way and goes on listening', async () => {
    const body = form();
    const socket = begin(body.subarray(0, 200), body.length);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.end();
    await once(socket, 'close');
    const [head, problem] = Buffer.concat(chunks).toString().split('\r\n\r\n') as [string, string];
    expect(head).to.match(/^HTTP\/1.1 400 /);
    expect(JSON.parse(problem)).to.include({ code: 'INVALID_REQUEST', field: 'body' });
    await serves();
  });

  it('answers 504 past the limit, and serves on', async () => {
    for (const mischief of ['endless', 'stuck'] as const) {
      const answer = await post(form(mischief, { quality_tier: 'fast' }));
      expect(answer.status).to.equal(504);
      expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
      expect(await answer.json()).to.include({ code: 'CONVERSION_TIMEOUT' });
    }
    await serves();
  });

  it('answers 422 for a picture over which a worker breaks down, takes nothing for it, and serves on', async () => {
    const { secret, account } = await service.createKey();
    for (const [mischief, problem] of [
      ['exit', /broke down/],
      ['hog', /more memory/],
      ['swell', /more memory/],
    ] as const) {
      const answer = await post(form(mischief), { 'x-api-key': secret });
      expect(answer.status).to.equal(422);
      const body = (await answer.json()) as { code: string; error: string };
      expect(body.code).to.equal('CONVERSION_FAILED');
      expect(body.error).to.match(problem);
      await serves();
    }
    const kinds = (await service.stores.credits.entries(account.id)).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['quota', ...Array.from({ length: 3 }, () => ['hold', 'release']).flat()]);
  });

  it('answers 503 where its worker is killed from outside, takes nothing for it, and serves on', async () => {
    const { secret, account } = await service.createKey();
    const answering = post(form('endless'), { 'x-api-key': secret });
    await until(() => pool.state().busy === 1);
    await busyWorkers();
    // All of them: one that is only starting computes as well.
    for (const pid of workerProcesses()) process.kill(pid, 'SIGKILL');
    const answer = await answering;
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(((await answer.json()) as { code: string }).code).to.equal('WORKER_LOST');
    expect((await service.stores.credits.entries(account.id)).map(({ kind }) => kind)).to.deep.equal([
      'quota',
      'hold',
      'release',
    ]);
    await serves();
  });
});
