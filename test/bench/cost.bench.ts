import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceStats } from '#application/use-cases/vectorize-answer.js';
import { circlesPng } from '#test/support/png-files.js';
import { prepareKeys } from './bench-accounts.js';
import { median, numberOption, quantile, say, tellVerdicts } from './figures.js';
import { prepareConversions } from './prepared-conversions.js';
import { figuresOf } from './process-figures.js';
import { createRawClient } from './raw-client.js';
import { type StartedService, start } from './start-service.js';

/**
 * What the service costs beside the tracing: the time that one client's conversion takes over what the engine takes, the start of
 * the process until it answers, and the memory that it keeps while nothing is asked. Ends with 1 where it is too much.
 * `npm run bench:cost -- --conversions 1000 --starts 15`
 */

const CONVERSIONS = numberOption('conversions', 1000);
const STARTS = numberOption('starts', 15);
const WARM_UP = 100;
const PICTURE_PX = 256;
const PICTURES = 20;
const BEFORE_IDLE = 20;
const IDLE_MS = 1000 * numberOption('idle-seconds', 70);
const SETTLE_MS = 3000;
const ms = (value: number) => `${value.toFixed(1)} ms`;

const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, i) => circlesPng(PICTURE_PX, 12, i + 1)));

/** One conversion after the other by one client, and what of their time was not the engine's. */
function conversionsAt(url: string, secret: string) {
  const client = createRawClient(url, 1);
  const requestOf = prepareConversions(url, pictures);
  return {
    async overEngine(index: number) {
      const request = requestOf(index, secret);
      const startMs = performance.now();
      const { status, body } = await client.send(request);
      const tookMs = performance.now() - startMs;
      if (status !== 200) throw new Error(`a conversion was answered with ${status}: ${body}`);
      const { timingsMs } = (JSON.parse(body.toString()) as { readonly traceStats: TraceStats }).traceStats;
      return { overMs: tookMs - timingsMs.total, engineMs: timingsMs.total };
    },
    close: client.close,
  };
}

/** Milliseconds from the start of the process until its first answer. */
async function startOnce(folder: string): Promise<number> {
  const service = await start({}, folder);
  await (await fetch(`${service.url}/livez`)).text();
  const tookMs = performance.now() - service.startMs;
  await service.stop({ keepFiles: true });
  return tookMs;
}

async function tellMemory(what: string, service: StartedService): Promise<number> {
  const { residentMb, processes } = await figuresOf(service.pid);
  say(what, `${residentMb.toFixed(0)} MB in all (${processes.map((mb) => mb.toFixed(0)).join(' + ')})`);
  return residentMb;
}

const folder = await mkdtemp(join(tmpdir(), 'burin-cost-'));
const [key] = await prepareKeys(join(folder, 'burin.sqlite'), 1, 100_000_000);
const secret = key?.secret as string;

const starts: number[] = [];
for (let i = 0; i < STARTS; i++) starts.push(await startOnce(folder));
say('start until the first answer', `least ${ms(Math.min(...starts))}, p50 ${ms(median(starts))}`);

const service = await start({ BURIN_DATABASE_URL: '', BURIN_RATE_PER_KEY: '1000000' }, folder);
const { overEngine, close } = conversionsAt(service.url, secret);
await sleep(SETTLE_MS);
const afterStartMb = await tellMemory('memory after the start', service);
for (let i = 0; i < BEFORE_IDLE; i++) await overEngine(i);
await tellMemory(`memory after ${BEFORE_IDLE} conversions`, service);
await sleep(IDLE_MS);
const idleMb = await tellMemory(`memory ${IDLE_MS / 1000} s later`, service);

const over: number[] = [];
const engine: number[] = [];
for (let i = 0; i < WARM_UP + CONVERSIONS; i++) {
  const { overMs, engineMs } = await overEngine(BEFORE_IDLE + i);
  if (i < WARM_UP) continue;
  over.push(overMs);
  engine.push(engineMs);
}
say(`the engine, ${PICTURE_PX} px`, `p50 ${ms(median(engine))}, p99 ${ms(quantile(engine, 0.99))}`);
say(
  'the round trip over it',
  `p50 ${ms(median(over))}, p95 ${ms(quantile(over, 0.95))}, p99 ${ms(quantile(over, 0.99))}`,
);
close();
await service.stop({ keepFiles: true });
await rm(folder, { recursive: true, force: true });

const verdict = (what: string, limit: number, measured: number, unit: string) => ({
  what,
  asked: `<= ${limit} ${unit}`,
  measured: `${measured.toFixed(1)} ${unit}`,
  holds: measured <= limit,
});
tellVerdicts([
  verdict(`a ${PICTURE_PX} px PNG over the engine, p50`, 5, median(over), 'ms'),
  verdict(`a ${PICTURE_PX} px PNG over the engine, p99`, 20, quantile(over, 0.99), 'ms'),
  verdict('start until the first answer, median', 1000, median(starts), 'ms'),
  verdict('memory after the start, all processes', 150, afterStartMb, 'MB'),
  verdict('memory idle after some conversions', 150, idleMb, 'MB'),
]);
