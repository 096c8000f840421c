import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHolds, prepareKeys } from './bench-accounts.js';
import { median, numberOption, say, slopeOf, tellVerdicts, type Verdict } from './figures.js';
import { type Deed, mixedTraffic } from './mixed-traffic.js';
import { figuresOf } from './process-figures.js';
import { start } from './start-service.js';

/**
 * Everything that people do with the service, at 70 % of what it can take, for an hour: whether anything grows. Every minute the
 * clients rest until nothing is in work, and what the service then holds is told in one line. Ends with 1 where something grows.
 * `npm run bench:soak -- --minutes 60 [--snapshots FOLDER]`
 */

const MINUTES = numberOption('minutes', 60);
const LOAD = 0.7;
const LANES = 4;
const KEYS = 12;
const CALIBRATION_MS = Math.min(60_000, MINUTES * 4000);
const SAMPLE_EVERY_MS = Math.min(60_000, MINUTES * 3000);
/** What is left out of the growth: caches fill, code is compiled, the first files expire. */
const WARM_UP_SHARE = 0.35;
/** Far shorter than the bench, so that as many files go as come. */
const FILE_LIFETIME_MS = Math.max(30_000, Math.min(120_000, MINUTES * 6000));
/** Children come and go with what is asked for; a leak would be one for each of thousands of deeds. */
const FILES_OF_A_CHILD = 30;
const PAUSE_AT_LEAST = 0.1;
const HOUR_MS = 3_600_000;
/** Refusals that belong to the deed: the second of two at the same time is told to wait. */
const REFUSED: ReadonlySet<string> = new Set(['idempotent retry 409', 'job 404']);
const SNAPSHOTS = process.argv.includes('--snapshots')
  ? process.argv[process.argv.indexOf('--snapshots') + 1]
  : undefined;

const folder = await mkdtemp(join(tmpdir(), 'burin-soak-'));
const database = join(folder, 'burin.sqlite');
const keys = await prepareKeys(database, KEYS, 100_000_000);
const service = await start(
  {
    BURIN_DATABASE_URL: '',
    BURIN_STORAGE_URL: '',
    BURIN_FILE_LIFETIME: `${FILE_LIFETIME_MS}ms`,
    BURIN_RATE_PER_KEY: '1000000',
    BURIN_CONCURRENT_PER_KEY: '16',
  },
  folder,
  ['--expose-gc'],
);

const statuses = new Map<string, number>();
const unexpected = new Map<string, number>();
const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
const deeds = await mixedTraffic({
  url: service.url,
  keys: keys.map(({ secret }) => secret),
  onStatus(deed, status) {
    count(statuses, String(status));
    const refused = status === 429 || status === 503 || status === 504;
    const asMeant = refused || deed === 'bad input' || REFUSED.has(`${deed} ${status}`);
    if (status >= 400 && (status >= 500 ? !refused : !asMeant)) count(unexpected, `${deed} ${status}`);
  },
});
const done = new Map<string, number>();
let finished = 0;
let broken = 0;
/** Of a lane's time, beside what its deeds took. */
let pause = 0;

/** Every deed as often as it weighs, in an order that is the same each time. */
const round: readonly Deed[] = deeds
  .flatMap((deed) => Array.from({ length: deed.weight }, (_, i) => ({ deed, at: (i + 0.5) / deed.weight })))
  .sort((a, b) => a.at - b.at)
  .map(({ deed }) => deed);
let next = 0;

async function runDeed(deed: Deed): Promise<void> {
  await deed.run().catch((error: unknown) => {
    broken++;
    process.stdout.write(`${deed.name}: ${String((error as Error).cause ?? error)}\n`);
  });
  finished++;
  count(done, deed.name);
}

async function runLane(endMs: number): Promise<void> {
  while (performance.now() < endMs) {
    const deed = round[next++ % round.length] as Deed;
    const startMs = performance.now();
    await runDeed(deed);
    await sleep((performance.now() - startMs) * pause);
  }
}

/** Deeds a second, all lanes together. */
async function drive(forMs: number): Promise<number> {
  const [startMs, before] = [performance.now(), finished];
  await Promise.all(Array.from({ length: LANES }, () => runLane(startMs + forMs)));
  return ((finished - before) / (performance.now() - startMs)) * 1000;
}

interface Queues {
  readonly queues: Readonly<Record<string, { readonly waiting: number; readonly running: number }>>;
}
/** Conversions that wait or run. */
async function slotsTaken(): Promise<number> {
  const { queues } = (await (await fetch(`${service.url}/health`)).json()) as Queues;
  return Object.values(queues).reduce((sum, { waiting, running }) => sum + waiting + running, 0);
}

/** Work that nobody waits for any more comes to its end as well, or is a slot that is lost. */
async function rest(): Promise<number> {
  let taken = await slotsTaken();
  for (let i = 0; taken > 0 && i < 100; i++) {
    await sleep(100);
    taken = await slotsTaken();
  }
  return taken;
}

const storedFiles = async () => (await readdir(join(folder, 'files'), { recursive: true }).catch(() => [])).length;

/** Every deed once by each client, so that all threads and children are there that come and go with what is asked for. */
async function touchAll(): Promise<void> {
  const left = Array.from({ length: LANES }, () => [...deeds]).flat();
  const lane = async () => {
    for (let deed = left.shift(); deed !== undefined; deed = left.shift()) await runDeed(deed);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const began = performance.now();
async function sample(rate: number) {
  await touchAll();
  const slots = await rest();
  const { heapMb, codeMb, workersHeapMb, workers, externalMb, handles } = await service.held();
  const { processes, residentMb, openFiles } = await figuresOf(service.pid);
  return {
    atMs: performance.now() - began,
    rate,
    heapMb,
    codeMb,
    workersHeapMb,
    workers,
    externalMb,
    residentMb,
    processes,
    openFiles,
    handles: Object.values(handles).reduce((sum, of) => sum + of, 0),
    handlesBy: handles,
    stored: await storedFiles(),
    slots,
    holds: await openHolds(database),
  };
}
type Sample = Awaited<ReturnType<typeof sample>>;

const tell = (one: Sample, capacity: number) =>
  process.stdout.write(
    `${(one.atMs / 60_000).toFixed(1).padStart(5)} min: ${one.rate.toFixed(1)} deeds/s (${((100 * one.rate) / capacity).toFixed(0)} %), ` +
      `heap ${one.heapMb.toFixed(2)} MB (${one.codeMb.toFixed(2)} code), ${one.workers} threads' ${one.workersHeapMb.toFixed(1)}, beside ${one.externalMb.toFixed(1)}, ` +
      `resident ${one.residentMb.toFixed(0)} (${one.processes.map((mb) => mb.toFixed(0)).join(' + ')}), open files ${one.openFiles}, ` +
      `handles ${one.handles}, stored ${one.stored}, slots ${one.slots}, holds ${one.holds}\n`,
  );

say('soak', `${MINUTES} min at ${LOAD * 100} % load, ${LANES} clients, a file lives ${FILE_LIFETIME_MS / 1000} s`);
await drive(CALIBRATION_MS / 4);
const capacity = await drive(CALIBRATION_MS);
say('without a pause', `${capacity.toFixed(1)} deeds/s`);
pause = 1 / LOAD - 1;
const endMs = performance.now() + MINUTES * 60_000;
const samples: Sample[] = [];
let snapshotted = false;
while (performance.now() < endMs) {
  const rate = await drive(SAMPLE_EVERY_MS);
  // A machine that has become slower is asked for less: the pause is a share of what a deed takes, and never none.
  pause = Math.max(PAUSE_AT_LEAST, Math.min(10, (1 + pause) * (rate / (LOAD * capacity)) ** 0.5 - 1));
  const one = await sample(rate);
  samples.push(one);
  tell(one, capacity);
  if (SNAPSHOTS !== undefined && !snapshotted && one.atMs > WARM_UP_SHARE * MINUTES * 60_000) {
    snapshotted = true;
    await service.held(join(SNAPSHOTS, 'warm.heapsnapshot'));
  }
}
if (SNAPSHOTS !== undefined) await service.held(join(SNAPSHOTS, 'end.heapsnapshot'));
await service.stop({ keepFiles: true });
await rm(folder, { recursive: true, force: true });

say('\ndeeds', [...done].map(([name, times]) => `${name} ${times}`).join(', '));
say('statuses', [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '));
say('handles at the end', JSON.stringify(samples.at(-1)?.handlesBy));
const warmFrom = WARM_UP_SHARE * MINUTES * 60_000;
const warm = samples.filter(({ atMs }) => atMs >= warmFrom);

/** Growth in an hour, as the fitted line has it, and where that line began. */
function growth(value: (one: Sample) => number): { readonly perHour: number; readonly level: number } {
  const perHour = slopeOf(warm.map((one) => [one.atMs / HOUR_MS, value(one)]));
  return { perHour, level: median(warm.map(value)) };
}
function share(what: string, limit: number, value: (one: Sample) => number): Verdict {
  const { perHour, level } = growth(value);
  const percent = (100 * perHour) / level;
  return {
    what,
    asked: `<= ${limit} %/h`,
    measured: `${percent.toFixed(2)} %/h of ${level.toFixed(1)} MB`,
    holds: percent <= limit,
  };
}
/** A number that goes up and down must not drift: the last third has no more at most than the first third had. */
function noMore(what: string, value: (one: Sample) => number, spare = 0): Verdict {
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [early, late] = [warm.slice(0, third), warm.slice(-third)].map((part) => Math.max(...part.map(value)));
  return { what, asked: 'no growth', measured: `${early} -> ${late}`, holds: (late ?? 0) <= (early ?? 0) + spare };
}
const last = samples.at(-1);
const storedMost = Math.max(...warm.map(({ stored }) => stored));
tellVerdicts([
  share('heap after collection', 1, (one) => one.heapMb),
  share('  of which is not compiled code', 1, (one) => one.heapMb - one.codeMb),
  share('resident memory of all processes', 5, (one) => one.residentMb),
  noMore('handles', (one) => one.handles, 4),
  noMore('open files', (one) => one.openFiles, FILES_OF_A_CHILD),
  noMore('files in the store', (one) => one.stored, 0.2 * storedMost),
  {
    what: 'slots still taken at rest',
    asked: '0',
    measured: `${last?.slots}`,
    holds: warm.every(({ slots }) => slots === 0),
  },
  { what: 'credits still held at rest', asked: '0', measured: `${last?.holds}`, holds: last?.holds === 0 },
  {
    what: 'answers that nobody should get',
    asked: '0',
    measured: [...unexpected].map(([name, times]) => `${name}: ${times}`).join(', ') || '0',
    holds: unexpected.size === 0,
  },
  { what: 'requests without an answer', asked: '0', measured: String(broken), holds: broken === 0 },
]);
