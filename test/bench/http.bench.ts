import sharp from 'sharp';
import type { TraceStats } from '#application/use-cases/vectorize-answer.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { quantile, say } from './figures.js';
import { type StartedService, start } from './start-service.js';

/** What the service costs beside the tracing: start, round trip, event loop, memory. `npm run bench:http` */

const CONVERSIONS = Number(process.env.BURIN_TEST_BENCH_CONVERSIONS ?? 1000);

const ms = (value: number) => `${value.toFixed(1)} ms`;

interface Answer {
  readonly svg: string;
  readonly traceStats: TraceStats;
}

async function convert(url: string, form: Buffer): Promise<{ status: number; tookMs: number; answer: Answer }> {
  const startMs = performance.now();
  const response = await fetch(`${url}/api/v1/convert`, {
    method: 'POST',
    headers: { 'content-type': MULTIPART_TYPE },
    body: new Uint8Array(form),
  });
  const answer = (await response.json()) as Answer;
  return { status: response.status, tookMs: performance.now() - startMs, answer };
}

/** Flat shapes with smooth edges, other ones for another seed. */
async function flatPng(size: number, seed: number): Promise<Buffer> {
  const random = createSeededRandom(seed);
  const color = () => `hsl(${Math.floor(random() * 360)},70%,50%)`;
  const shapes = Array.from({ length: 12 }, () => {
    const [x, y, r] = [random() * size, random() * size, size * (0.05 + random() * 0.2)];
    return random() < 0.5
      ? `<circle cx="${x}" cy="${y}" r="${r}" fill="${color()}"/>`
      : `<rect x="${x}" y="${y}" width="${r}" height="${r * 1.4}" fill="${color()}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="#fff"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Blobs of noise: thousands of shapes. */
async function busyPng(size: number): Promise<Buffer> {
  const random = createSeededRandom(7);
  const small = Math.round(size / 6);
  const data = Buffer.from(Array.from({ length: small * small * 3 }, () => Math.floor(random() * 256)));
  return sharp(data, { raw: { width: small, height: small, channels: 3 } })
    .resize(size, size, { kernel: 'cubic' })
    .png()
    .toBuffer();
}

async function benchStart() {
  const form = convertForm(await flatPng(256, 1));
  const tookMs: number[] = [];
  for (let i = 0; i < 5; i++) {
    const service = await start();
    await convert(service.url, form);
    tookMs.push(performance.now() - service.startMs);
    await service.stop();
  }
  say('process start to first conversion answered', `min ${ms(Math.min(...tookMs))}, p50 ${ms(quantile(tookMs, 0.5))}`);
}

async function benchRoundTrip(url: string) {
  const form = convertForm(await flatPng(256, 2));
  const over: number[] = [];
  const engine: number[] = [];
  for (let i = 0; i < 250; i++) {
    const { tookMs, answer } = await convert(url, form);
    if (i < 50) continue;
    over.push(tookMs - answer.traceStats.timingsMs.total);
    engine.push(answer.traceStats.timingsMs.total);
  }
  say('256 px: the engine itself', `p50 ${ms(quantile(engine, 0.5))}`);
  say('256 px: round trip over the engine', `p50 ${ms(quantile(over, 0.5))}, p95 ${ms(quantile(over, 0.95))}`);
}

async function benchLoad({ url, probe }: StartedService) {
  const form = convertForm(await flatPng(256, 3));
  await probe();
  let inFlight = 50;
  const probes: number[] = [];
  const running = Array.from({ length: 50 }, () => convert(url, form).finally(() => inFlight--));
  while (inFlight > 0) {
    const startMs = performance.now();
    await (await fetch(`${url}/livez`)).text();
    probes.push(performance.now() - startMs);
  }
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  const count = (status: number) => statuses.filter((one) => one === status).length;
  const { delayP50Ms, delayP99Ms, delayMaxMs } = await probe();
  say('50 at once: answered', `${count(200)} with 200, ${count(429)} with 429`);
  say(
    '50 at once: /livez',
    `p50 ${ms(quantile(probes, 0.5))}, p99 ${ms(quantile(probes, 0.99))}, max ${ms(Math.max(...probes))}`,
  );
  say('50 at once: event-loop delay', `p50 ${ms(delayP50Ms)}, p99 ${ms(delayP99Ms)}, max ${ms(delayMaxMs)}`);
}

async function benchLargeDrawing({ url, probe }: StartedService) {
  const form = convertForm(await busyPng(900), { preset: 'photo' });
  await convert(url, form);
  await probe();
  const { tookMs, answer } = await convert(url, form);
  const { delayMaxMs } = await probe();
  const { shapes, svgBytes } = answer.traceStats;
  say('a large drawing', `${shapes} shapes, ${(svgBytes / 1e6).toFixed(1)} MB of SVG, ${ms(tookMs)}`);
  say('a large drawing: event-loop delay', `max ${ms(delayMaxMs)}`);
}

async function benchMemory({ url, probe }: StartedService) {
  const forms = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => convertForm(await flatPng(128 + 64 * i, i))),
  );
  const samples: string[] = [];
  const every = Math.max(1, Math.floor(CONVERSIONS / 5));
  for (let i = 1; i <= CONVERSIONS; i++) {
    await convert(url, forms[i % forms.length]!);
    if (i % every !== 0) continue;
    const { rssMb, heapMb } = await probe();
    samples.push(`${i}: ${rssMb.toFixed(0)} (${heapMb.toFixed(0)})`);
  }
  say('memory, MB resident (main heap), after', samples.join(', '));
}

await benchStart();
const service = await start();
await benchRoundTrip(service.url);
await benchLoad(service);
await benchLargeDrawing(service);
await benchMemory(service);
await service.stop();
