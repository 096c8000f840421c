import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discPng } from '#test/support/png-files.js';
import { statusesOf, talkRaw } from '#test/support/raw-connection.js';
import { startProcess } from '#test/support/service-process.js';
import { until } from '#test/support/until.js';

interface Problem {
  readonly code?: string;
  readonly field?: string;
}

/** Of the last answer in these bytes. */
const problemOf = (bytes: Buffer): Problem => {
  const text = bytes.toString();
  return JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) as Problem;
};

const head = (start: string, ...lines: string[]) => `${[start, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
const post = (path: string, ...lines: string[]) => head(`POST ${path} HTTP/1.1`, ...lines);

/** Whether nothing waits or runs. */
async function nobodyRuns(url: string): Promise<boolean> {
  const { queues } = (await (await fetch(`${url}/health`)).json()) as {
    queues: Record<string, { waiting: number; running: number }>;
  };
  return Object.values(queues).every(({ waiting, running }) => waiting + running === 0);
}

/** What nobody listed: tricks with connections, heads and keys, against the real service. */
describe('the real service, attacked at its socket', () => {
  let folder: string;
  let service: ReturnType<typeof startProcess>;
  let url: string;
  let port: number;
  let key: string;
  let picture: Buffer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-attacked-'));
    service = startProcess({
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_WORKERS: '1',
      BURIN_RATE_ANONYMOUS: '100000',
      BURIN_MAX_UPLOAD_BYTES: '200KB',
    });
    url = await service.ready;
    port = Number(new URL(url).port);
    key = service.firstKey();
    picture = await discPng(24);
  });
  after(async () => {
    service.child.kill('SIGTERM');
    expect(await service.exited).to.equal(0);
    expect(service.lines.filter(({ msg }) => msg === 'a request failed')).to.deep.equal([]);
    await rm(folder, { recursive: true, force: true });
  });

  const convert = (body: Buffer, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      body: new Uint8Array(body),
    });
  const serves = async () => {
    const answer = await convert(convertForm(picture, { quality_tier: 'fast' }, 'disc.png'));
    expect(answer.status).to.equal(200);
    await answer.arrayBuffer();
    await until(() => nobodyRuns(url));
  };

  it('serves on beside connections that say nothing', async () => {
    const idle: Socket[] = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await serves();
    for (const socket of idle) socket.destroy();
  });

  it('takes no second request out of the body of the first', async () => {
    const smuggled = head('GET /api/v1/status HTTP/1.1');
    for (const lines of [
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5, 6'],
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding : chunked'],
      ['Content-Length: +5'],
    ]) {
      const { bytes } = await talkRaw(port, [post('/api/v1/estimate', ...lines), `0\r\n\r\n${smuggled}`]);
      expect(statusesOf(bytes), lines.join()).to.deep.equal([400]);
    }
  });

  it('answers a thousand requests in one piece in their order, and serves on', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => head(`GET /nothing/${i} HTTP/1.1`)).join('');
    const { bytes } = await talkRaw(port, [many + head('GET /livez HTTP/1.1', 'Connection: close')]);
    expect(statusesOf(bytes)).to.deep.equal([...Array.from({ length: 1000 }, () => 404), 200]);
    await serves();
  });

  it('refuses a head of too many bytes or lines', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `x${i}: ${i}`);
    for (const flood of [[`X: ${'x'.repeat(70_000)}`], lines]) {
      const { bytes } = await talkRaw(port, [head('GET /livez HTTP/1.1', ...flood)]);
      expect(statusesOf(bytes)).to.deep.equal([431]);
    }
    await serves();
  });

  it('is no proxy, and changes to no other protocol', async () => {
    let connections = 0;
    const elsewhere = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const there = `127.0.0.1:${(elsewhere.address() as { port: number }).port}`;
    const close = 'Connection: close';
    for (const [start, ...lines] of [
      [`CONNECT ${there} HTTP/1.1`, close],
      [`GET http://${there}/ HTTP/1.1`, close],
      [`GET //${there}/ HTTP/1.1`, close],
      [`TRACE http://${there}/ HTTP/1.1`, close],
      ['GET /livez HTTP/1.1', 'Connection: close, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
      ['GET /livez HTTP/1.1', 'Connection: close, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ] as const) {
      const { bytes, timedOut } = await talkRaw(port, [head(start, ...lines, 'X-Secret: marker')]);
      expect(timedOut, start).to.equal(false);
      expect(statusesOf(bytes), start).to.not.include(101);
      expect(bytes.toString(), start).to.not.contain('marker');
    }
    elsewhere.close();
    expect(connections).to.equal(0);
  });

  it('refuses a form whose boundary no parser looks for', async () => {
    for (const length of [71, 257, 5000]) {
      const boundary = 'b'.repeat(length);
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="preset"\r\n\r\nlogo\r\n--${boundary}--\r\n`;
      const answer = await fetch(`${url}/api/v1/convert`, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body,
      });
      expect(answer.status, `${length}`).to.equal(400);
      expect(await answer.json()).to.include({ code: 'INVALID_REQUEST' });
    }
  });

  it('inflates no body that is sent packed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    for (const path of ['convert', 'export', 'batch']) {
      const answer = await fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: new Uint8Array(bomb),
      });
      expect(answer.status, path).to.be.oneOf([400, 401, 403, 413, 415]);
    }
    await serves();
  });

  it('hands no prototype on: names that every object has are unknown parameters', async () => {
    for (const name of [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '__proto__.polluted',
      '__proto__[polluted]',
    ]) {
      const form = await convert(convertForm(picture, { [name]: 'polluted' }, 'disc.png'));
      expect(form.status, name).to.equal(400);
      const json = await fetch(`${url}/api/v1/export`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"svg":"<svg/>","format":"png",${JSON.stringify(name)}:{"polluted":true}}`,
      });
      expect(json.status, name).to.equal(400);
    }
    await serves();
  });

  it('closes the connection of an MCP client that asks for that', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const { bytes, timedOut } = await talkRaw(port, [
      post(
        '/mcp',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ),
      body,
    ]);
    expect(statusesOf(bytes)).to.deep.equal([200]);
    // An idle connection is kept for longer than this waits.
    expect(timedOut).to.equal(false);
  }).timeout(60_000);

  it('names no other host in what it answers, whoever claims to be one', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };
    const answer = await convert(convertForm(picture, { quality_tier: 'fast' }, 'disc.png'), {
      ...forged,
      prefer: 'respond-async',
    });
    expect(answer.status).to.equal(202);
    expect(JSON.stringify([...answer.headers]) + (await answer.text())).to.not.contain('evil.example');
    for (const path of ['/', '/docs', '/api/v1/openapi.json', '/api/v1/status'])
      expect(await (await fetch(url + path, { headers: forged })).text(), path).to.not.contain('evil.example');
    await until(() => nobodyRuns(url));
  });

  it('gives nobody the answer to somebody else with the same Idempotency-Key', async () => {
    const name = { 'idempotency-key': 'shared-key' };
    const body = convertForm(picture, { quality_tier: 'fast' }, 'disc.png');
    const mine = await convert(body, { ...name, 'x-api-key': key });
    const theirs = await convert(body, name);
    expect([mine.status, theirs.status]).to.deep.equal([200, 200]);
    expect(theirs.headers.get('idempotent-replayed')).to.equal(null);
    const [a, b] = [await mine.json(), await theirs.json()] as { downloadPathBasename: string }[];
    expect(a!.downloadPathBasename).to.not.equal(b!.downloadPathBasename);
  });

  it('writes one line of the log for one request, whatever its address or agent says', async () => {
    const before = service.lines.length;
    const printed = service.printed.length;
    await fetch(`${url}/nothing%0a{"msg":"forged"}%1b[2J`, { headers: { 'user-agent': 'a\t{"msg":"forged"}' } });
    await until(() => service.lines.length > before);
    expect(service.lines.slice(before).map(({ msg }) => msg)).to.not.include('forged');
    expect(service.printed).to.have.length(printed);
  });
});

describe('the real service, and clients that never end what they send', () => {
  let service: ReturnType<typeof startProcess>;
  let folder: string;
  let url: string;
  let port: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-slow-'));
    service = startProcess({
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_WORKERS: '1',
      BURIN_REQUEST_TIMEOUT: '500ms',
      BURIN_HEADERS_TIMEOUT: '300ms',
    });
    url = await service.ready;
    port = Number(new URL(url).port);
  });
  after(async () => {
    service.child.kill('SIGTERM');
    expect(await service.exited).to.equal(0);
    await rm(folder, { recursive: true, force: true });
  });

  it('cuts off a client that trickles its picture, at the time limit, with 408 and no slot taken', async () => {
    const body = convertForm(await discPng(24), { quality_tier: 'fast' }, 'disc.png');
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.write(post('/api/v1/convert', `Content-Type: ${MULTIPART_TYPE}`, `Content-Length: ${body.length}`));
    // A byte whenever the last one has left: it never rests, and would never end.
    let sent = 0;
    const trickle = setInterval(() => socket.write(body.subarray(sent, ++sent)), 20);
    await once(socket, 'close');
    clearInterval(trickle);
    expect(sent).to.be.below(body.length);
    expect(statusesOf(Buffer.concat(chunks))).to.deep.equal([408]);
    expect(problemOf(Buffer.concat(chunks))).to.include({ code: 'INVALID_REQUEST', field: 'body' });
    expect(await nobodyRuns(url)).to.equal(true);
  });

  it('cuts off a client that trickles its head', async () => {
    const { bytes, timedOut } = await talkRaw(port, ['GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ']);
    expect(timedOut).to.equal(false);
    expect(statusesOf(bytes)).to.deep.equal([408]);
  });
});
