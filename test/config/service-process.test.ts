import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discPng, noisePng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';

/** Sends bytes as they are and gives everything that comes back until the other side closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the service as a process', () => {
  let folder: string;
  let service: ReturnType<typeof startProcess>;
  let url: string;
  /** The owner's first key, as it was printed. */
  let key: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-service-'));
    service = startProcess({
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_DATABASE_URL: '',
      BURIN_CONCURRENT_PER_KEY: '50',
    });
    url = await service.ready;
    key = service.firstKey();
  });
  after(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
    await rm(folder, { recursive: true, force: true });
  });

  const convert = (body: Buffer, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      body: new Uint8Array(body),
    });

  it('converts a picture, and the drawing can be fetched', async () => {
    const answer = await convert(convertForm(await discPng(48), {}, 'disc.png'));
    expect(answer.status).to.equal(200);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body.svg).to.match(/^<svg /);
    const query = new URLSearchParams({
      fileBasename: String(body.downloadPathBasename),
      actualFilename: String(body.downloadActualFilename),
    });
    const file = await fetch(`${url}/download-file?${query}`);
    expect(await file.text()).to.equal(body.svg);
    expect(await readdir(join(folder, 'files'))).to.deep.equal([body.downloadPathBasename]);
  });

  it('is alive and ready, and says what it is', async () => {
    expect(await (await fetch(`${url}/livez`)).json()).to.deep.equal({ status: 'ok' });
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    expect(await (await fetch(`${url}/api/v1/status`)).json()).to.include({ status: 'ok' });
  });

  it('refuses bad pictures by what they are', async () => {
    const png = await discPng(48);
    const jpeg = await sharp(png).jpeg().toBuffer();
    const header = Buffer.from(png);
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    const cases: [string, Buffer, string, number, string][] = [
      ['text named .png', Buffer.from('this is text'), 'text.png', 415, 'UNSUPPORTED_IMAGE'],
      ['a truncated JPEG', jpeg.subarray(0, jpeg.length >> 1), 'a.jpg', 422, 'UNREADABLE_IMAGE'],
      ['a 60000 x 60000 header', header, 'a.png', 413, 'IMAGE_TOO_LARGE'],
      ['no bytes', Buffer.alloc(0), 'a.png', 400, 'INVALID_REQUEST'],
      ['30 MB', Buffer.alloc(30 * 1024 * 1024), 'a.png', 413, 'PAYLOAD_TOO_LARGE'],
    ];
    for (const [name, bytes, fileName, status, code] of cases) {
      const answer = await convert(convertForm(bytes, {}, fileName));
      expect(answer.status, name).to.equal(status);
      expect(((await answer.json()) as { code: string }).code, name).to.equal(code);
    }
    expect((await convert(convertForm(png))).status).to.equal(200);
  });

  it('answers in the one form what never becomes a request', async () => {
    const port = Number(new URL(url).port);
    const cases: [string, string, number, string][] = [
      ['no HTTP', 'this is no HTTP\r\n\r\n', 400, 'INVALID_REQUEST'],
      ['a method nobody knows', 'FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'INVALID_REQUEST'],
      ['a broken header', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n', 400, 'INVALID_REQUEST'],
      ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
      [
        'a vast header',
        `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'PAYLOAD_TOO_LARGE',
      ],
      [
        'a bad length',
        'POST /api/v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
        400,
        'INVALID_REQUEST',
      ],
    ];
    for (const [name, bytes, status, code] of cases) {
      const [head, body] = (await exchange(port, bytes)).split('\r\n\r\n') as [string, string];
      expect(head, name).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      const problem = JSON.parse(body);
      expect(problem.code, name).to.equal(code);
      expect(head.toLowerCase()).to.include(`x-request-id: ${problem.request_id}`.toLowerCase());
      if (status === 400) expect(problem.field, name).to.be.a('string');
      for (const header of ['limit', 'remaining', 'reset'])
        expect(head.toLowerCase(), `${name}: ${header}`).to.match(
          new RegExp(`\r\nx-ratelimit-${header}: \\d+(\r\n|$)`),
        );
    }
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
  });

  it('tells its owner how to get in, once and not in its log, with a line that works as pasted', async () => {
    const text = service.printed.join('\n');
    expect(text).to.include(`${url}/dashboard/sign-in?token=`);
    expect(JSON.stringify(service.lines)).not.to.include('brn_live_').and.not.to.include('token=');
    const line = service.printed.find((printed) => printed.startsWith('echo '));
    execFileSync('bash', ['-c', line as string], { cwd: folder });
    expect(await readFile(join(folder, 'first.svg'), 'utf8')).to.match(/^<svg /);
    const usage = await fetch(`${url}/api/v1/usage`, { headers: { 'x-api-key': key } });
    expect(await usage.json()).to.include({ plan: 'pro', api_credits_balance: 498, api_credits_used_this_period: 2 });
  });

  it('answers fifty at once, each rightly, and probes meanwhile', async () => {
    const body = convertForm(await discPng(256));
    let inFlight = 50;
    const conversions = Array.from({ length: 50 }, async () => {
      const answer = await convert(body, { 'x-api-key': key });
      const text = await answer.text();
      inFlight--;
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: JSON.parse(text) };
    });
    const probes: number[] = [];
    while (inFlight > 0) {
      const startMs = performance.now();
      expect((await fetch(`${url}/livez`)).status).to.equal(200);
      probes.push(performance.now() - startMs);
    }
    const answers = await Promise.all(conversions);
    expect(probes.length).to.be.greaterThan(5);
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(done.length + refused.length).to.equal(50);
    // As many as may run and wait in the tier.
    expect(done.length).to.be.at.least(33);
    expect(new Set(done.map(({ body: { svg } }) => svg)).size).to.equal(1);
    expect(new Set(done.map(({ body: { downloadPathBasename } }) => downloadPathBasename)).size).to.equal(done.length);
    for (const { body: problem, retryAfter } of refused) {
      expect(problem.code).to.equal('QUEUE_FULL');
      expect(retryAfter).to.equal(String(problem.retry_after_seconds));
    }
    probes.sort((a, b) => a - b);
    expect(probes[probes.length >> 1]).to.be.below(50);
  });

  /** A process of its own that has a conversion of this picture under way. */
  const startBusy = async (picture: Buffer, env: Record<string, string> = {}) => {
    const busy = startProcess({ BURIN_PORT: '0', BURIN_DATA_DIR: folder, BURIN_STORAGE_URL: 'memory:', ...env });
    const ownUrl = await busy.ready;
    const running = fetch(`${ownUrl}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE },
      body: new Uint8Array(convertForm(picture, { quality_tier: 'high_precision' })),
    });
    running.catch(() => {});
    // Sent first, it is under way when what was sent after it has been answered.
    for (let i = 0; i < 5; i++) await (await fetch(`${ownUrl}/livez`)).text();
    return { ...busy, running };
  };

  it('finishes what runs when it is told to stop', async () => {
    const { child, running, exited, lines, errors } = await startBusy(await discPng(1200));
    child.kill('SIGTERM');
    const answer = await running;
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('connection')).to.equal('close');
    expect(((await answer.json()) as { svg: string }).svg).to.match(/^<svg /);
    expect(await exited).to.equal(0);
    expect(lines.map(({ msg }) => msg)).to.include('stopped');
    expect(errors.join('')).to.equal('');
  });

  it('cuts nobody off and loses no credit when it is told to stop under load', async () => {
    const busy = startProcess({
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_DATABASE_URL: `sqlite:${join(folder, 'stopping.sqlite')}`,
      BURIN_STORAGE_URL: 'memory:',
      BURIN_CONCURRENT_PER_KEY: '50',
    });
    const ownUrl = await busy.ready;
    const ownKey = busy.firstKey();
    const picture = await discPng(400);
    const requests = Array.from({ length: 12 }, (_, i) =>
      fetch(`${ownUrl}/api/v1/convert`, {
        method: 'POST',
        headers: { 'content-type': MULTIPART_TYPE, 'x-api-key': ownKey },
        body: new Uint8Array(convertForm(Buffer.concat([picture, Buffer.from([i])]))),
      }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { code?: string } })),
    );
    await Promise.race(requests);
    busy.child.kill('SIGTERM');
    const answers = await Promise.all(requests);
    expect(await busy.exited).to.equal(0);
    // Who ran was served to the end, who waited was told to come again: nobody was cut off.
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).to.be.at.least(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).to.deep.equal([503, 'AT_CAPACITY']);
    const database = createDatabase(join(folder, 'stopping.sqlite'));
    try {
      const { accounts, credits } = createKnexStores(database, systemClock);
      const balance = await credits.balance((await accounts.owner())!.id);
      expect(balance).to.include({ used: served * 2, monthly: 500 - served * 2 });
    } finally {
      await database.close();
    }
  });

  it('cuts off what still runs at its shutdown limit', async () => {
    const { child, running, exited, lines } = await startBusy(await noisePng(1500), { BURIN_SHUTDOWN_LIMIT: '0s' });
    child.kill('SIGTERM');
    const outcome = await running.then(
      ({ status }) => status,
      () => 'cut off',
    );
    expect(outcome).to.be.oneOf(['cut off', 500]);
    expect(await exited).to.equal(0);
    expect(lines.map(({ msg }) => msg).join())
      .to.include('cut off')
      .and.to.include('stopped');
  });

  it('does not wait for ever for a slow sender', async () => {
    const impatient = startProcess({ BURIN_PORT: '0', BURIN_STORAGE_URL: 'memory:', BURIN_HEADERS_TIMEOUT: '100ms' });
    const port = Number(new URL(await impatient.ready).port);
    const [head, body] = (await exchange(port, 'GET /livez HTTP/1.1\r\nHost: loc')).split('\r\n\r\n') as [
      string,
      string,
    ];
    expect(head).to.match(/^HTTP\/1.1 408 /);
    expect(JSON.parse(body)).to.include({ code: 'INVALID_REQUEST', field: 'body' });
    impatient.child.kill('SIGTERM');
    expect(await impatient.exited).to.equal(0);
  });

  it('says in one line what is wrong with its environment', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ BURIN_PORT: 'many' }, /^burin: BURIN_PORT takes a whole number from 0 to 65535; it was given "many"\./],
      [{ BURIN_PROT: '1' }, /^burin: BURIN_PROT is no variable of Burin; the nearest is BURIN_PORT\./],
      [{ BURIN_PORT: new URL(url).port, BURIN_STORAGE_URL: 'memory:' }, /^burin: port \d+ of 127\.0\.0\.1 is taken/],
    ];
    for (const [env, message] of cases) {
      const failing = startProcess(env);
      failing.ready.catch(() => {});
      expect(await failing.exited).to.equal(1);
      expect(failing.errors.join(''))
        .to.match(message)
        .and.to.match(/^[^\n]+\n$/);
    }
  });

  it('stops at once when nothing runs', async () => {
    service.child.kill('SIGINT');
    expect(await service.exited).to.equal(0);
  });
});
