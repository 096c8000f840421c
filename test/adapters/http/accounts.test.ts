import { expect } from 'chai';
import Value from 'typebox/value';
import { BatchConversionAnswer, UsageAnswer } from '#adapters/http/schemas/answers.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

/** Pictures that differ, so that none is a free re-trace of another. */
const pictureOf = (i: number) => toPpm(discRaster(8 + i));
const form = (i = 0, settings: Record<string, string> = {}) => convertForm(pictureOf(i), settings);
const credits = (answer: { headers: Record<string, unknown> }) => [
  answer.headers['x-credits-charged'],
  answer.headers['x-credits-remaining'],
];
const rates = ({ headers }: { headers: Record<string, unknown> }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN));
const batchForm = (pictures: readonly Uint8Array[], settings: Record<string, string> = {}) =>
  multipartBody([
    ...Object.entries(settings).map(([name, value]) => ({ name, value })),
    ...pictures.map((value, i) => ({ name: 'imageFiles', value, fileName: `${i}.ppm` })),
  ]);

function setUp(options: Parameters<typeof createTestService>[0] = {}) {
  const service = createTestService(options);
  const batch = (payload: Buffer, headers: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/api/v1/convert-batch',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      payload,
    });
  const usage = (headers: Record<string, string> = {}) => service.app.inject({ url: '/api/v1/usage', headers });
  return { ...service, batch, usage };
}

describe('keys', () => {
  it('are taken in either header, and by /usage in one', async () => {
    const { convert, createKey, usage } = setUp();
    const { secret, key } = await createKey('free');
    const bearer = { authorization: `Bearer ${secret}` };
    expect((await convert(form(), bearer)).headers['x-credits-charged']).to.equal('2');
    expect((await convert(form(1), { 'x-api-key': secret, ...bearer })).statusCode).to.equal(200);
    expectProblem(await usage(bearer), 401, 'UNAUTHORIZED');
    expectProblem(await usage(), 401, 'UNAUTHORIZED');
    const answer = await usage({ 'x-api-key': secret });
    expect([...Value.Errors(UsageAnswer, answer.json())]).to.deep.equal([]);
    expect(answer.json()).to.include({
      plan: 'free',
      status: 'active',
      api_credits_balance: 46,
      api_credits_used_this_period: 4,
      monthly_credits_quota: 50,
      key_prefix: key.prefix,
    });
    expect(answer.json().history.at(-1)).to.include({ conversions: 2, credits_used: 4, failures: 0 });
  });

  it('that are bad, revoked or two are never anonymous', async () => {
    const { convert, app, createKey, stores } = setUp();
    const { secret, key } = await createKey();
    await stores.keys.revoke(key.id);
    for (const headers of [
      { 'x-api-key': secret },
      { 'x-api-key': '' },
      { authorization: 'Basic abc' },
      { 'x-api-key': secret, authorization: 'Bearer other' },
    ] as Record<string, string>[]) {
      expectProblem(await convert(form(), headers), 401, 'UNAUTHORIZED');
      expectProblem(await app.inject({ url: '/api/v1/status', headers }), 401, 'UNAUTHORIZED');
    }
  });

  it('of an account that is suspended tell its usage, and convert nothing', async () => {
    const { convert, createKey, stores, usage } = setUp();
    const { headers, account } = await createKey();
    await stores.accounts.change(account.id, { status: 'suspended' });
    expectProblem(await convert(form(), headers), 403, 'FORBIDDEN');
    expect((await usage(headers)).json().status).to.equal('suspended');
  });
});

describe('the rate limit', () => {
  const server = { requestsPerMinute: { key: 200, anonymous: 20 } };

  it('refuses the 201st request of a key in a minute, and no other key', async () => {
    const { app, createKey, clock } = setUp({ server });
    const [{ headers }, other] = [await createKey(), await createKey()];
    const ask = () => app.inject({ url: '/api/v1/status', headers });
    for (let i = 1; i <= 200; i++) expect(rates(await ask())).to.deep.equal([200, 200 - i, 60]);
    clock.advance(20_000);
    const refused = await ask();
    expect(expectProblem(refused, 429, 'RATE_LIMITED').retry_after_seconds).to.equal(40);
    expect(rates(refused)).to.deep.equal([200, 0, 40]);
    expect((await app.inject({ url: '/api/v1/status', headers: other.headers })).statusCode).to.equal(200);
    expect((await app.inject({ url: '/api/v1/status' })).statusCode).to.equal(200);
    clock.advance(40_000);
    expect((await ask()).statusCode).to.equal(200);
  });

  it('counts failed keys against their address', async () => {
    const { app } = setUp({ server });
    const ask = (key: string) => app.inject({ url: '/api/v1/status', headers: { 'x-api-key': key } });
    for (let i = 0; i < 20; i++) expectProblem(await ask(`brn_live_${i}`), 401, 'UNAUTHORIZED');
    expectProblem(await ask('brn_live_x'), 429, 'RATE_LIMITED');
  });

  it('leaves who has no key their requests while they look how things stand', async () => {
    const { app, convert } = setUp({ server });
    const job = await convert(form(), { prefer: 'respond-async' });
    expect(rates(job)[1]).to.equal(19);
    for (const url of ['/api/v1/status', job.json().links.self, job.json().links.events])
      expect(rates(await app.inject({ url })), url).to.deep.equal([20, 19, 60]);
  });

  it('is told on every answer, and used up by the API alone', async () => {
    const { app, convert } = setUp({ server });
    const answers = [
      await app.inject({ url: '/nowhere' }),
      await app.inject({ url: '/download-file?fileBasename=x&actualFilename=y' }),
      await app.inject({ method: 'DELETE', url: '/livez' }),
      await app.inject({ url: '/livez' }),
      await app.inject({ url: '/docs/api' }),
      await app.inject({ url: '/%zz' }),
      await app.inject({ url: '/livez', headers: { host: 'evil.example' } }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal([404, 404, 405, 200, 200, 400, 403]);
    for (const answer of answers) expect(rates(answer)).to.deep.equal([20, 20, 60]);
    const counted = [
      await app.inject({ url: '/api/v1/nowhere' }),
      await app.inject({ method: 'PUT', url: '/api/v1/convert' }),
      await convert(convertForm(new Uint8Array(1_100_000))),
      await app.inject({ url: '/api/v1/usage' }),
    ];
    expect(counted.map(({ statusCode }) => statusCode)).to.deep.equal([404, 405, 413, 401]);
    expect(counted.map((answer) => rates(answer)[1])).to.deep.equal([19, 18, 17, 16]);
  });
});

describe('credits', () => {
  it('are charged by tier, and not for the same picture again at that tier or a lower one', async () => {
    const { convert, createKey, app, clock } = setUp();
    const { headers } = await createKey();
    const at = (tier: string, i = 0) => convert(form(i, { quality_tier: tier }), headers);
    expect(credits(await at('balanced_crisp'))).to.deep.equal(['2', '498']);
    expect(credits(await at('balanced_crisp'))).to.deep.equal(['0', '498']);
    expect(credits(await at('fast'))).to.deep.equal(['0', '498']);
    expect(credits(await at('high_precision'))).to.deep.equal(['5', '493']);
    expect(credits(await at('fast', 1))).to.deep.equal(['1', '492']);
    const dry = await convert(form(0, { dry_run: 'true' }), headers);
    expect([dry.json().credits, ...credits(dry)]).to.deep.equal([0, '0', '492']);
    const priced = await convert(form(2, { dry_run: 'true', quality_tier: 'high_precision' }), headers);
    expect([priced.json().credits, ...credits(priced)]).to.deep.equal([5, '0', '492']);
    clock.advance(24 * 60 * 60 * 1000);
    expect(credits(await at('fast'))).to.deep.equal(['1', '491']);
    expect(credits(await convert(form()))).to.deep.equal(['0', '0']);
    await app.close();
  });

  it('are not touched, and nothing is traced, where the file could not be kept', async () => {
    const { convert, createKey, stores, queue } = setUp({
      capBytes: 10,
      vectorizeToFile: () => {
        throw new Error('no work is to be done');
      },
    });
    const { headers, account } = await createKey();
    const full = await convert(form(), headers);
    expectProblem(full, 507, 'STORAGE_FULL');
    expect(credits(full)).to.deep.equal(['0', '500']);
    expect(await stores.credits.entries(account.id)).to.deep.equal([]);
    expect(queue.load().balanced_crisp).to.include({ running: 0, waiting: 0 });
  });

  it('are not touched by what the queue refuses', async () => {
    const { convert, createKey, stores, queue } = setUp({ waiting: 0, waitLimitMs: 1, perKey: 1 });
    const [{ headers, account }, other] = [await createKey(), await createKey()];
    const slot = await queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
    expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    slot.release();
    const held = await queue.enter('balanced_crisp', { id: `key:${other.key.id}`, maxInFlight: 1 });
    expectProblem(await convert(form(), other.headers), 429, 'API_KEY_BUSY');
    held.release();
    await queue.close();
    expectProblem(await convert(form(), headers), 503, 'AT_CAPACITY');
    for (const { id } of [account, other.account]) expect(await stores.credits.entries(id)).to.deep.equal([]);
  });

  it('are not charged for what fails, and what failed is noted', async () => {
    const { convert, createKey, stores, queue } = setUp({ waiting: 0 });
    const { headers, account } = await createKey();
    const slot = await queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
    expectProblem(await convert(form(), headers), 429, 'QUEUE_FULL');
    slot.release();
    expectProblem(await convert(convertForm(Buffer.from('no picture')), headers), 415, 'UNSUPPORTED_IMAGE');
    const kinds = (await stores.credits.entries(account.id)).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['quota', 'hold', 'release']);
    expect((await stores.usage.history(account.id)).at(-1)).to.include({
      conversions: 0,
      failures: 2,
      credits_used: 0,
    });
    const errors = await stores.usage.recentErrors(account.id, 10);
    expect(errors.map(({ code, operation }) => `${operation} ${code}`)).to.deep.equal([
      'POST /api/v1/convert UNSUPPORTED_IMAGE',
      'POST /api/v1/convert QUEUE_FULL',
    ]);
  });

  it('that are too few refuse before any work', async () => {
    const { convert, createKey, queue } = setUp({
      vectorizeToFile: () => {
        throw new Error('no work is to be done');
      },
    });
    const { headers, spend } = await createKey('free');
    await spend(49);
    const refused = await convert(form(), headers);
    expect(expectProblem(refused, 402, 'INSUFFICIENT_CREDITS').error).to.equal('This needs 2 credits and 1 are left.');
    expect(credits(refused)).to.deep.equal(['0', '1']);
    expect(queue.load().balanced_crisp.running).to.equal(0);
  });
});

describe('an Idempotency-Key', () => {
  it('charges two hundred retries once', async () => {
    const { convert, createKey } = setUp();
    const { headers } = await createKey();
    const keyed = { ...headers, 'idempotency-key': 'order 7' };
    const answers = await Promise.all(Array.from({ length: 200 }, () => convert(form(), keyed)));
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 200).length).to.be.at.least(1);
    for (const answer of answers) if (answer.statusCode !== 200) expectProblem(answer, 409, 'REQUEST_IN_PROGRESS');
    const again = await convert(form(0, { preset: 'auto' }).subarray(0, 0), headers);
    expect(again.statusCode).to.equal(400);
    const replayed = await convert(form(), keyed);
    const first = answers.find(({ statusCode, headers: h }) => statusCode === 200 && !h['idempotent-replayed'])!;
    expect(replayed.headers['idempotent-replayed']).to.equal('true');
    expect(first.headers).not.to.have.property('idempotent-replayed');
    expect(replayed.body).to.equal(first.body);
    expect(credits(replayed)).to.deep.equal(['2', '498']);
    expect(replayed.headers['x-request-id']).not.to.equal(first.headers['x-request-id']);
    expect(credits(await convert(form(), headers))).to.deep.equal(['0', '498']);
  });

  it('compares fields and bytes, not how they were sent, and each caller has its own', async () => {
    const { convert, createKey } = setUp();
    const [{ headers }, other] = [await createKey(), await createKey()];
    const keyed = { ...headers, 'idempotency-key': 'k' };
    expect((await convert(form(0, { palette_count: '8', preset: 'logo' }), keyed)).statusCode).to.equal(200);
    const reordered = convertForm(pictureOf(0), { preset: 'logo', paletteCount: '8.0' }, 'other-name.ppm');
    expect((await convert(reordered, keyed)).headers['idempotent-replayed']).to.equal('true');
    expectProblem(await convert(form(0, { preset: 'logo' }), keyed), 409, 'IDEMPOTENCY_CONFLICT');
    expectProblem(await convert(form(1, { palette_count: '8', preset: 'logo' }), keyed), 409, 'IDEMPOTENCY_CONFLICT');
    const others = await convert(form(1), { ...other.headers, 'idempotency-key': 'k' });
    expect([others.statusCode, others.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    for (const key of ['', 'x'.repeat(256)])
      expectProblem(
        await convert(form(), { ...headers, 'idempotency-key': key }),
        400,
        'INVALID_REQUEST',
        'Idempotency-Key',
      );
    expect((await convert(form(), { ...headers, 'idempotency-key': 'x'.repeat(255) })).statusCode).to.equal(200);
  });

  it('is refused with a body that is nested without end', async () => {
    const { app } = setUp();
    const payload = `{"svg":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
    const answer = await app.inject({ method: 'POST', url: '/api/v1/export', headers, payload });
    expectProblem(answer, 400, 'INVALID_REQUEST', 'body');
  });

  it('is free again when the work failed', async () => {
    const { convert, createKey } = setUp();
    const { headers } = await createKey();
    const keyed = { ...headers, 'idempotency-key': 'k' };
    const bad = convertForm(Buffer.from('no picture'));
    for (let i = 0; i < 2; i++) expectProblem(await convert(bad, keyed), 415, 'UNSUPPORTED_IMAGE');
    expect((await convert(form(), keyed)).statusCode).to.equal(200);
  });
});

describe('POST /api/v1/convert-batch', () => {
  it('converts ten with a broken third, and stops where the credits end', async () => {
    const { batch, createKey, stores } = setUp();
    const { headers, account, spend } = await createKey('free');
    // Enough for four: the third costs nothing, so the sixth finds none.
    await spend(42);
    const pictures = Array.from({ length: 10 }, (_, i) => (i === 2 ? Buffer.from('broken') : pictureOf(i)));
    const answer = await batch(batchForm(pictures), headers);
    expect(answer.statusCode, answer.body).to.equal(200);
    const body = answer.json();
    expect([...Value.Errors(BatchConversionAnswer, body)]).to.deep.equal([]);
    expect([body.succeeded, body.failed, body.totalRequested]).to.deep.equal([4, 2, 10]);
    expect(body.results.map(({ ok, code, filename }: never) => [filename, ok, code])).to.deep.equal([
      ['0.ppm', true, undefined],
      ['1.ppm', true, undefined],
      ['2.ppm', false, 'UNSUPPORTED_IMAGE'],
      ['3.ppm', true, undefined],
      ['4.ppm', true, undefined],
      ['5.ppm', false, 'INSUFFICIENT_CREDITS'],
    ]);
    expect(credits(answer)).to.deep.equal(['8', '0']);
    expect((await stores.credits.balance(account.id)).used).to.equal(50);
  });

  it('is refused itself where the very first finds no credits', async () => {
    const { batch, createKey } = setUp();
    const { headers, spend } = await createKey('free');
    await spend(50);
    const refused = await batch(batchForm([pictureOf(0), pictureOf(1)]), headers);
    expectProblem(refused, 402, 'INSUFFICIENT_CREDITS');
    expect(credits(refused)).to.deep.equal(['0', '0']);
  });

  it('stops where its key is revoked meanwhile', async () => {
    const { batch, createKey, stores, queue } = setUp();
    const { headers, key } = await createKey();
    const enter = queue.enter.bind(queue);
    let entered = 0;
    queue.enter = async (...asked) => {
      if (++entered === 2) await stores.keys.revoke(key.id);
      return enter(...asked);
    };
    const body = (await batch(batchForm([0, 1, 2, 3].map(pictureOf)), headers)).json();
    expect([body.succeeded, body.failed, body.totalRequested]).to.deep.equal([2, 1, 4]);
    expect(body.results.at(-1).code).to.equal('UNAUTHORIZED');
  });

  it('refuses no files, a bad preset and eleven files, and replays under an Idempotency-Key', async () => {
    const { batch, createKey } = setUp();
    const { headers } = await createKey();
    expectProblem(await batch(batchForm([]), headers), 400, 'INVALID_REQUEST', 'imageFiles');
    expectProblem(await batch(batchForm([pictureOf(0)], { preset: 'x' }), headers), 400, 'INVALID_REQUEST', 'preset');
    const eleven = batchForm(Array.from({ length: 11 }, (_, i) => pictureOf(i)));
    expect(expectProblem(await batch(eleven, headers), 413, 'TOO_MANY_FILES').error).to.match(/^11 files/);
    const keyed = { ...headers, 'idempotency-key': 'b' };
    const first = await batch(batchForm([pictureOf(0)]), keyed);
    const second = await batch(batchForm([pictureOf(0)]), keyed);
    expect([second.headers['idempotent-replayed'], second.body]).to.deep.equal(['true', first.body]);
    expect(credits(second)).to.deep.equal(['2', '498']);
  });
});
