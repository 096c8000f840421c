import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BurinClient, BurinError } from 'burin/client';
import { expect } from 'chai';
import { composeOpenApi } from '#config/compose-openapi.js';
import { TIERS } from '#domain/tiers/tier.js';
import { FAULTS, type Fault, type FaultProxy, startFaultProxy } from '#test/support/fault-proxy.js';
import { createTestService } from '#test/support/http-service.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { single } from '#test/support/pictures.js';
import { toPpm } from '#test/support/run-tracer.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const CLIENT = join(PACKAGE_ROOT, 'dist/adapters/client');
const ppm = (color: number) => toPpm(single(6, 4, color));
const CHROMIUM = process.env.BURIN_TEST_CHROMIUM;

describe('the client', function () {
  // Processes of their own, on machines that have other things to do.
  this.timeout(120_000);
  const service = createTestService({ waiting: 64 });
  let direct: string;
  let folder: string;
  let proxy: FaultProxy | undefined;
  before(async () => {
    direct = await service.app.listen({ host: '127.0.0.1', port: 0 });
    folder = mkdtempSync(join(tmpdir(), 'burin-client-'));
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });
  after(async () => {
    await service.app.close();
    rmSync(folder, { recursive: true });
  });
  const withProxy = async (next: (request: IncomingMessage) => Fault | 'none') => {
    proxy = await startFaultProxy(direct, next);
    return proxy;
  };
  /** A client of a new account, which waits for nothing and says how long it would have. */
  const clientOf = async (baseUrl: string, maxRetries = 5) => {
    const key = await service.createKey('pro');
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    return { client: new BurinClient({ baseUrl, apiKey: key.secret, maxRetries, wait }), key, waits };
  };

  it('has the types of the description', () => {
    const text = readFileSync(join(PACKAGE_ROOT, 'adapters/client/api-types.ts'), 'utf8');
    expect(text, 'run: node dist/config/main/cli.js openapi --types > adapters/client/api-types.ts').to.equal(
      composeOpenApi().types,
    );
    expect(text.match(/^export /gm)!.length).to.be.above(20);
  });

  it('pays once for every picture behind a proxy that refuses, and breaks connections at every point', async () => {
    const random = createSeededRandom(20261121);
    const left = new Map<string, Fault[]>();
    // Up to five failures for each piece of work, then it goes through.
    const faulty = await withProxy(({ headers }) => {
      const key = String(headers['idempotency-key'] ?? 'get');
      if (!left.has(key))
        left.set(
          key,
          Array.from({ length: Math.floor(random() * 6) }, () => FAULTS[Math.floor(random() * FAULTS.length)] as Fault),
        );
      return left.get(key)!.shift() ?? 'none';
    });
    const { client, key } = await clientOf(faulty.url);
    const before = await new BurinClient({ baseUrl: direct, apiKey: key.secret }).usage();
    const pictures = 40;
    let charged = 0;
    for (let n = 0; n < pictures; n++) {
      const { svg, credits } = await client.convert(ppm(0x100000 + n * 4001));
      expect(svg).to.include('<svg');
      charged += credits.charged;
    }
    const after = await new BurinClient({ baseUrl: direct, apiKey: key.secret }).usage();
    const price = TIERS.balanced_crisp.credits;
    expect(before.api_credits_balance - after.api_credits_balance).to.equal(pictures * price);
    expect(charged).to.equal(pictures * price);
    const today = after.history.at(-1)!;
    expect(today).to.include({ conversions: pictures, credits_used: pictures * price });
    const met = new Set(faulty.seen.map(({ fault }) => fault));
    expect([...FAULTS, 'none']).to.have.members([...met]);
    expect(faulty.seen.length).to.be.above(pictures * 2);
    expect(new Set(faulty.seen.map(({ key: one }) => one)).size).to.equal(pictures);
  });

  it('waits as long as it is asked to, else longer each time, and gives up when it was refused often enough', async () => {
    const faulty = await withProxy(({ url }) => (url!.includes('status') ? '503' : 'drop-before'));
    const { client, waits } = await clientOf(faulty.url, 3);
    const refusal = await client.status().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(BurinError);
    expect(refusal).to.include({ code: 'AT_CAPACITY', status: 503, retryAfterSeconds: 7, requestId: 'proxy' });
    expect(waits).to.deep.equal([7000, 7000, 7000]);
    waits.length = 0;
    const broken = await client.usage().catch((error: unknown) => error);
    expect(broken).to.include({ code: 'NETWORK_ERROR', status: 0 });
    expect(waits).to.have.length(3);
    for (const [i, ms] of waits.entries()) expect(ms).to.be.within(250 * 2 ** i * 0.7, 250 * 2 ** i * 1.3);
    const hasty = new BurinClient({ baseUrl: faulty.url, maxRetryDelayMs: 6999 });
    expect(await hasty.status().catch((error: unknown) => error)).to.include({ code: 'AT_CAPACITY' });
    expect(faulty.seen).to.have.length(9);
  });

  it('does not repeat what was refused for what it is, and says the field', async () => {
    const faulty = await withProxy(() => 'none');
    const { client } = await clientOf(faulty.url);
    const refusals: readonly [() => Promise<unknown>, object][] = [
      [
        () => client.convert(ppm(1), { palette_count: 65 }),
        { code: 'INVALID_REQUEST', status: 400, field: 'palette_count' },
      ],
      [() => client.convert(new TextEncoder().encode('text')), { code: 'UNSUPPORTED_IMAGE', status: 415 }],
      [
        () => new BurinClient({ baseUrl: faulty.url, apiKey: 'brn_live_x' }).usage(),
        { code: 'UNAUTHORIZED', status: 401 },
      ],
      [() => client.job('AAAAAAAAAAAAAAAAAAAAAA'), { code: 'NOT_FOUND', status: 404 }],
    ];
    for (const [refused, wanted] of refusals)
      expect(await refused().catch((error: unknown) => error)).to.include(wanted);
    expect(faulty.seen).to.have.length(refusals.length);
    const stopped = await client
      .convert(ppm(2), {}, { signal: AbortSignal.abort(new Error('enough')) })
      .catch((e) => e);
    expect(stopped).to.have.property('message', 'enough');
    expect(await client.convert(5 as never).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(() => new BurinClient({ baseUrl: 'nowhere' })).to.throw(TypeError);
  });

  it('takes a picture from a path, a URL, bytes, a Blob, a File or a stream, and calls it by its name', async () => {
    const { client } = await clientOf(direct);
    const path = join(folder, 'a drawing.png');
    const bytes = ppm(0x33aa55);
    writeFileSync(path, bytes);
    const inputs: readonly [Parameters<typeof client.convert>[0], string][] = [
      [path, 'a-drawing.svg'],
      [pathToFileURL(path), 'a-drawing.svg'],
      [bytes, 'picture.svg'],
      [Buffer.from(bytes), 'picture.svg'],
      [Uint8Array.from(bytes).buffer, 'picture.svg'],
      [new Blob([Uint8Array.from(bytes)]), 'picture.svg'],
      [new File([Uint8Array.from(bytes)], 'named.png'), 'named.svg'],
      [createReadStream(path), 'picture.svg'],
      [new Blob([Uint8Array.from(bytes)]).stream(), 'picture.svg'],
    ];
    const svgs = new Set<string>();
    for (const [input, name] of inputs) {
      const answer = await client.convert(input);
      expect(answer.downloadActualFilename).to.equal(name);
      svgs.add(answer.svg);
    }
    expect(svgs.size).to.equal(1);
    const named = await client.convert(bytes, {}, { fileName: 'mine.png' });
    expect(named.downloadActualFilename).to.equal('mine.svg');
    expect(await client.convert(join(folder, 'none.png')).catch((error: unknown) => error)).to.have.property(
      'code',
      'ENOENT',
    );
  });

  it('has a method for every operation', async () => {
    const { client } = await clientOf(direct);
    const bytes = ppm(0xaa3311);
    const estimate = await client.estimate({ quality_tier: 'fast', curves: ['line', 'arc'] }, bytes);
    expect(estimate).to.include({ dryRun: true, credits: TIERS.fast.credits });
    expect(estimate.settings.curves).to.deep.include({ value: ['line', 'arc'], origin: 'explicit' });
    const converted = await client.convert(bytes, { fixed_palette: ['#ff0000', '#ffffff'] });
    expect(new TextDecoder().decode(await client.download(converted))).to.equal(converted.svg);
    const batch = await client.convertBatch([ppm(1), new Blob(['text'])]);
    expect(batch).to.include({ succeeded: 1, failed: 1, totalRequested: 2 });
    expect(batch.credits.charged).to.be.above(0);
    const exported = await client.export({ sourceSvgBasename: converted.downloadPathBasename, format: 'pdf' });
    expect(Buffer.from(await client.download(exported)).toString('latin1')).to.match(/^%PDF/);
    const zip = await client.exportZip([{ svg: converted.svg, format: 'eps' }]);
    expect(Buffer.from(await client.download(zip)).toString('latin1')).to.match(/^PK/);
    const job = await client.startConversion(ppm(77));
    let ended = await client.job(job.id);
    while (ended.state === 'queued' || ended.state === 'running') ended = await client.job(job.id);
    expect(ended.result!.svg).to.include('<svg');
    expect((await client.cancelJob(job.id)).state).to.equal('succeeded');
    expect((await client.usage()).plan).to.equal('pro');
    expect((await client.capabilities()).presets.map(({ id }) => id)).to.include('logo');
    expect((await client.status()).status).to.equal('ok');
    const key = 'the same work';
    const once = await client.convert(ppm(500), {}, { idempotencyKey: key });
    const again = await client.convert(ppm(500), {}, { idempotencyKey: key });
    expect([once.credits.replayed, again.credits.replayed]).to.deep.equal([false, true]);
    expect(again.downloadPathBasename).to.equal(once.downloadPathBasename);
  });

  it('names nothing of Node where a browser loads it', () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      const source = readFileSync(join(CLIENT, file), 'utf8');
      for (const [, name] of source.matchAll(/^(?:import|export)\b[^;]*?from\s*'([^']+)'/gm)) {
        expect(name, file).to.match(/^\.\//);
        visit(basename(name as string));
      }
    };
    visit('index.js');
    expect([...reached]).to.include.members(['burin-client.js', 'send.js', 'picture.js', 'burin-error.js']);
    expect(readdirSync(CLIENT)).to.include('index.d.ts');
  });

  (CHROMIUM === undefined ? it.skip : it)(
    `converts in a browser${CHROMIUM === undefined ? ' (pending: BURIN_TEST_CHROMIUM is not set)' : ''}`,
    async () => {
      const { key } = await clientOf(direct);
      const faults: Fault[] = ['drop-after', '503'];
      proxy = await startFaultProxy(
        direct,
        () => faults.shift() ?? 'none',
        (path) => {
          if (path === '/') return { type: 'text/html', bytes: Buffer.from('<!doctype html><title>client</title>') };
          if (!path.startsWith('/client/')) return undefined;
          return { type: 'text/javascript', bytes: readFileSync(join(CLIENT, basename(path))) };
        },
      );
      const { chromium } = await import('playwright-core');
      const browser = await chromium.launch({ executablePath: CHROMIUM as string, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage();
        await page.goto(proxy.url);
        const script = `(async () => {
          const { BurinClient } = await import('/client/index.js');
          const client = new BurinClient({ baseUrl: location.origin, apiKey: '${key.secret}', wait: async () => {} });
          const file = new File([Uint8Array.from(${JSON.stringify([...ppm(0x123456)])})], 'page.png');
          const answer = await client.convert(file);
          const refused = await client.convert('a/path.png').catch((error) => error.message);
          return { name: answer.downloadActualFilename, svg: answer.svg, credits: answer.credits, refused };
        })()`;
        const answer = (await page.evaluate(script)) as {
          readonly name: string;
          readonly svg: string;
          readonly credits: object;
          readonly refused: string;
        };
        expect(answer.name).to.equal('page.svg');
        expect(answer.svg).to.include('<svg');
        expect(answer.credits).to.include({ charged: TIERS.balanced_crisp.credits });
        expect(answer.refused).to.include('paths exist in Node only');
      } finally {
        await browser.close();
      }
    },
  );
});
