import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startFleet } from '#test/support/fleet.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { startRedis } from '#test/support/own-redis.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { circlesPng, discPng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';

/**
 * What a fleet costs: the throughput of two worker processes behind a queue against that of two processes that only trace, round
 * by round in turn; and what the queue adds to one small conversion. Ends with 1 where the throughput is below 0.9 of the bare
 * one, or the queue adds more than 10 ms at p50. Needs redis-server. `npm run bench:fleet`
 */

const SIZE = 2000;
const CIRCLES = 100;
const TIER = 'balanced_crisp';
const ROUNDS = Number(process.env.BURIN_TEST_BENCH_ROUNDS ?? 3);
const PER_PROCESS = 8;
const SMALL_REQUESTS = 150;
const MIN_SHARE = 0.9;
const MAX_ADDED_MS = 10;
const WARM_UP = 20;

const say = (what: string, figures: string) => process.stdout.write(`${what.padEnd(44)} ${figures}\n`);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

interface Bare {
  readonly child: ChildProcess;
  trace(count: number, seed: number): Promise<number>;
}

async function startBare(): Promise<Bare> {
  const child = spawn(
    process.execPath,
    [join(PACKAGE_ROOT, 'dist/test/bench/bare-tracing.js'), String(SIZE), String(CIRCLES), TIER],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  // The log and what is asked come on one stream.
  const next = async (): Promise<string> => {
    const { value } = await lines.next();
    return value.startsWith('{') ? next() : value;
  };
  await next();
  return {
    child,
    async trace(count, seed) {
      child.stdin!.write(`${count} ${seed}\n`);
      return Number(await next());
    },
  };
}

const redis = await startRedis();
const env = {
  BURIN_CONCURRENT_PER_KEY: '50',
  BURIN_RATE_PER_KEY: '1000000',
  BURIN_RATE_ANONYMOUS: '1000000',
  BURIN_LOG_LEVEL: 'info',
};
const fleet = await startFleet({ apis: 1, workers: 2, redisUrl: redis.url, env });
const [fleetUrl] = fleet.urls as [string];
const bares = await Promise.all([startBare(), startBare()]);
let seed = 1000;

const post = async (
  url: string,
  headers: Record<string, string>,
  picture: Uint8Array,
  settings: Record<string, string>,
) => {
  const answer = await fetch(`${url}/api/v1/convert`, {
    method: 'POST',
    headers: { 'content-type': MULTIPART_TYPE, ...headers },
    body: new Uint8Array(convertForm(picture, settings, 'a.png')),
  });
  const body = (await answer.json()) as { traceStats?: { timingsMs: { total: number } } };
  if (body.traceStats === undefined) throw new Error(`refused with ${answer.status}: ${JSON.stringify(body)}`);
  return body.traceStats.timingsMs.total;
};

/** Milliseconds until so many pictures are drawn, in turns of the fleet and the bare processes. */
const fleetRound = async () => {
  const pictures = await Promise.all(Array.from({ length: 2 * PER_PROCESS }, () => circlesPng(SIZE, CIRCLES, seed++)));
  const startMs = performance.now();
  const traces: number[] = [];
  // Twice as many at once as there are workers, so that none of them waits for us.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let picture = pictures.pop(); picture !== undefined; picture = pictures.pop())
        traces.push(await post(fleetUrl, { 'x-api-key': fleet.key }, picture, { quality_tier: TIER }));
    }),
  );
  return { ms: performance.now() - startMs, traces };
};
const bareRound = async () => {
  seed += 100;
  // Each says for itself, without the making of its pictures.
  return Math.max(...(await Promise.all(bares.map((bare, i) => bare.trace(PER_PROCESS, seed + 50 * i)))));
};

await fleetRound();
await bareRound();
const shares: number[] = [];
const fleetMs: number[] = [];
const bareMs: number[] = [];
const traces: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const before = await bareRound();
  const measured = await fleetRound();
  const after = await bareRound();
  const bare = (before + after) / 2;
  bareMs.push(before, after);
  fleetMs.push(measured.ms);
  traces.push(...measured.traces);
  shares.push(bare / measured.ms);
}
for (const { child } of bares) child.kill();
const perSecond = (ms: readonly number[]) => ((2 * PER_PROCESS * ms.length * 1000) / sumOf(ms)).toFixed(2);
say('a trace takes, p50', `${median(traces).toFixed(0)} ms`);
say('two bare processes', `${perSecond(bareMs)} conversions a second`);
say('two worker processes of a fleet', `${perSecond(fleetMs)} conversions a second`);
const share = median(shares);
say(
  'of the bare throughput, median of the rounds',
  `${share.toFixed(3)}   (${shares.map((one) => one.toFixed(3)).join(', ')})`,
);

const folder = await mkdtemp(join(tmpdir(), 'burin-alone-'));
const alone = startProcess({
  ...env,
  BURIN_PORT: '0',
  BURIN_DATA_DIR: folder,
  BURIN_DATABASE_URL: '',
  BURIN_WORKERS: '1',
});
const aloneUrl = await alone.ready;
const aloneKey = /brn_live_\S+/.exec(alone.printed.join('\n'))?.[0] ?? '';
const small = await discPng(32);
const timed = async (url: string, key: string) => {
  const startMs = performance.now();
  await post(url, { 'x-api-key': key }, small, { quality_tier: 'fast', fidelity: 'false' });
  return performance.now() - startMs;
};
for (let i = 0; i < WARM_UP; i++) {
  await timed(aloneUrl, aloneKey);
  await timed(fleetUrl, fleet.key);
}
const here: number[] = [];
const there: number[] = [];
for (let i = 0; i < SMALL_REQUESTS; i++) {
  here.push(await timed(aloneUrl, aloneKey));
  there.push(await timed(fleetUrl, fleet.key));
}
const added = median(there) - median(here);
say('a small conversion in one process, p50', `${median(here).toFixed(1)} ms`);
say('the same through the queue, p50', `${median(there).toFixed(1)} ms`);
say('added by the queue, p50', `${added.toFixed(1)} ms`);

alone.child.kill('SIGKILL');
await alone.exited;
await rm(folder, { recursive: true, force: true });
await fleet.remove();
await redis.remove();
const broken = [
  ...(median(traces) < 500 ? ['traces take 500 ms or more'] : []),
  ...(share < MIN_SHARE ? [`the fleet reaches ${MIN_SHARE} of the bare throughput`] : []),
  ...(added > MAX_ADDED_MS ? [`the queue adds at most ${MAX_ADDED_MS} ms`] : []),
];
for (const promise of broken) say('NOT KEPT', promise);
process.exit(broken.length > 0 ? 1 : 0);
