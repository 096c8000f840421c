import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { circlesPng } from '#test/support/png-files.js';
import { openHolds, prepareKeys } from './bench-accounts.js';
import { median, numberOption, quantile, say, tellVerdicts } from './figures.js';
import { closedLoad, conversionClients, type LoadAnswer, openLoad } from './open-load.js';
import { figuresOf } from './process-figures.js';
import { start } from './start-service.js';

/**
 * Ten times as many conversions as the service can do, for five minutes: whether it still does what it can, says no at once,
 * keeps its memory, and is itself again when they stop. Ends with 1 where it is not. `npm run bench:overload -- --seconds 300`
 */

const SECONDS = numberOption('seconds', 300);
const TIMES = 10;
const KEYS = 60;
const CREDITS = 100_000_000;
const PICTURE_PX = 640;
const CIRCLES = 40;
const BEST_MS = Math.min(30_000, SECONDS * 250);
const MINUTE_MS = Math.min(60_000, SECONDS * 200);
const WARM_UP_MS = Math.min(10_000, BEST_MS);
/** Clients of the closed loop by number; the best of these counts. */
const LANES = [3, 8, 24];
const NS_PER_MS = 1e6;
/** A lone request is normal again when it takes no longer than this many times what it took before. */
const NORMAL = 2;
const RECOVERY_TRIES = 100;

const folder = await mkdtemp(join(tmpdir(), 'burin-overload-'));
const database = join(folder, 'burin.sqlite');
const keys = await prepareKeys(database, KEYS + 1, CREDITS);
const service = await start(
  { BURIN_DATABASE_URL: '', BURIN_STORAGE_URL: '', BURIN_RATE_PER_KEY: '1000000', BURIN_FILE_LIFETIME: '1min' },
  folder,
  ['--expose-gc'],
);
const pictures = await Promise.all(Array.from({ length: 24 }, (_, i) => circlesPng(PICTURE_PX, CIRCLES, i + 1)));
const secrets = keys.map(({ secret }) => secret);
const clients = conversionClients(service.url, secrets.slice(0, KEYS), pictures);
/** Somebody who has asked for nothing so far. */
const stranger = conversionClients(service.url, secrets.slice(KEYS), pictures);

const served = (answers: readonly LoadAnswer[]) => answers.filter(({ status }) => status === 200);
const perSecond = (answers: readonly LoadAnswer[], forMs: number) => (1000 * served(answers).length) / forMs;
const ms = (value: number) => `${value.toFixed(1)} ms`;

await closedLoad(clients, 8, WARM_UP_MS);
const alone = (await closedLoad(stranger, 1, WARM_UP_MS)).map(({ tookMs }) => tookMs);
say('a lone request', `p50 ${ms(median(alone))}, p99 ${ms(quantile(alone, 0.99))}`);

async function bestThroughput(): Promise<number> {
  const rates: number[] = [];
  for (const lanes of LANES) {
    const rate = perSecond(await closedLoad(clients, lanes, BEST_MS), BEST_MS);
    say(`${lanes} clients, each after its answer`, `${rate.toFixed(1)} conversions/s`);
    rates.push(rate);
  }
  return Math.max(...rates);
}
const before = await bestThroughput();

/** Holds answers only as long as a minute lasts: the bench runs as long as it is told to. */
const refusalMs: number[] = [];
const byCode = new Map<string, number>();
let servedCount = 0;
let servedMs: number[] = [];
let unexpected = 0;
const onAnswer = ({ status, code, tookMs }: LoadAnswer) => {
  byCode.set(`${status} ${code}`.trim(), (byCode.get(`${status} ${code}`.trim()) ?? 0) + 1);
  if (status === 200) {
    servedCount++;
    servedMs.push(tookMs);
  } else if (status === 0 || (status >= 500 && status !== 503 && status !== 504)) unexpected++;
  // Who waited for a slot in vain was told so after the time that it may wait.
  else if (code !== 'QUEUE_TIMEOUT') refusalMs.push(tookMs);
};

const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();
say('\noverload', `${(TIMES * before).toFixed(0)} conversions/s for ${SECONDS} s`);
const memory: { heapMb: number; residentMb: number }[] = [];
const rates: number[] = [];
const startMs = performance.now();
const loading = openLoad(clients, TIMES * before, SECONDS * 1000, onAnswer);
while (performance.now() - startMs < SECONDS * 1000 - MINUTE_MS / 2) {
  const [count, sinceMs] = [servedCount, performance.now()];
  servedMs = [];
  const refused = refusalMs.length;
  await sleep(MINUTE_MS);
  const rate = (1000 * (servedCount - count)) / (performance.now() - sinceMs);
  rates.push(rate);
  const { heapMb, rssMb } = await service.probe();
  const { residentMb } = await figuresOf(service.pid);
  memory.push({ heapMb, residentMb });
  process.stdout.write(
    `${((performance.now() - startMs) / 1000).toFixed(0).padStart(5)} s: ${rate.toFixed(1)} served/s (${((100 * rate) / before).toFixed(0)} %), ` +
      `served p50 ${ms(median(servedMs))}, refused ${refusalMs.length - refused} p99 ${ms(quantile(refusalMs.slice(refused), 0.99))}, ` +
      `heap ${heapMb.toFixed(0)} MB, rss ${rssMb.toFixed(0)}, all processes ${residentMb.toFixed(0)}\n`,
  );
}
const { answered } = await loading;
const stoppedMs = performance.now();
const clientDelayMs = loopDelay.percentile(99) / NS_PER_MS;

/** Seconds from the end of the load until a lone request took what it takes. */
async function recover(): Promise<number> {
  for (let i = 0; i < RECOVERY_TRIES; i++) {
    const { status, tookMs, retryAfterMs } = await stranger.convert(0);
    if (status === 200 && tookMs <= NORMAL * quantile(alone, 0.99)) return (performance.now() - stoppedMs) / 1000;
    await sleep(Math.min(retryAfterMs, 100));
  }
  return Number.POSITIVE_INFINITY;
}
const recoverySeconds = await recover();
await answered;
const { heapMb: heldMb } = await service.held();
// The machine may have become faster or slower in the meantime: what it can do now counts as well.
say('\nafterwards', `heap after collection ${heldMb.toFixed(0)} MB`);
const after = await bestThroughput();
clients.close();
stranger.close();
await service.stop({ keepFiles: true });
const holds = await openHolds(database);
await rm(folder, { recursive: true, force: true });

say('\nanswers', [...byCode].map(([name, times]) => `${name}: ${times}`).join(', '));
say("the clients' own event loop, late by", `p99 ${ms(clientDelayMs)}`);
const best = Math.max(before, after);
const useful = median(rates);
const [first, last] = [memory[Math.min(1, memory.length - 1)], memory.at(-1)] as const;
const grown = (100 * ((last?.residentMb ?? 0) - (first?.residentMb ?? 0))) / (first?.residentMb ?? 1);
tellVerdicts([
  {
    what: 'served under overload, of the best',
    asked: '>= 90 %',
    measured: `${((100 * useful) / best).toFixed(1)} % (${useful.toFixed(1)} of ${best.toFixed(1)}/s)`,
    holds: useful >= 0.9 * best,
  },
  {
    what: 'refusals answered, p99',
    asked: '<= 50 ms',
    measured: `${ms(quantile(refusalMs, 0.99))} (p50 ${ms(median(refusalMs))})`,
    holds: quantile(refusalMs, 0.99) <= 50,
  },
  {
    what: 'memory of all processes, second minute to last',
    asked: '<= 5 %',
    measured: `${first?.residentMb.toFixed(0)} -> ${last?.residentMb.toFixed(0)} MB (${grown.toFixed(1)} %)`,
    holds: grown <= 5,
  },
  {
    what: 'a lone request is normal again after',
    asked: '<= 5 s',
    measured: `${recoverySeconds.toFixed(2)} s`,
    holds: recoverySeconds <= 5,
  },
  { what: 'answers that nobody should get', asked: '0', measured: String(unexpected), holds: unexpected === 0 },
  { what: 'credits still held', asked: '0', measured: String(holds), holds: holds === 0 },
]);
