import { readSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setEnvironmentData } from 'node:worker_threads';
import { toFailureData } from '#application/failure-data.js';
import {
  STOP_FLAG_FD,
  toFailure,
  WORKER_DATA,
  type WorkerCall,
  type WorkerOrder,
  type WorkerReply,
  type WorkerWord,
} from './worker-protocol.js';

/**
 * The process behind a pool: loads an entry file and runs its tasks, one at a time, until whoever began it lets go of it. Signals
 * that a terminal sends to everybody are left to that one.
 */
type Tasks = Readonly<Record<string, (call: WorkerCall<unknown>) => Promise<WorkerReply<unknown>>>>;

/** More often within a stage nobody sees it, and every message wakes the process that it goes to. */
const TELL_EVERY_MS = 40;
/** What a task leaves behind above this is swept away as soon as it has been answered. */
const SWEEP_ABOVE_BYTES = 200 * 1024 ** 2;

const parent = process.ppid;
const flag = new Int32Array(1);
let tasks: Promise<Tasks>;

const say = (word: WorkerWord) => process.send?.(word);

/** One look into a file that lies in memory: nothing else can reach us while we compute. */
function isStopped(number: number): boolean {
  if (process.ppid !== parent) process.exit();
  return readSync(STOP_FLAG_FD, flag, 0, flag.byteLength, 0) === flag.byteLength && flag[0] === number;
}

function teller() {
  let told: string | undefined;
  let toldMs = 0;
  return ((stage, fraction) => {
    const now = performance.now();
    if (stage === told && now - toldMs < TELL_EVERY_MS) return;
    [told, toldMs] = [stage, now];
    say({ kind: 'progress', progress: [stage, fraction] });
  }) satisfies WorkerCall<unknown>['onProgress'];
}

setFlagsFromString('--expose-gc');
const sweep = runInNewContext('gc') as () => void;

async function load(entry: string, data: unknown): Promise<Tasks> {
  setEnvironmentData(WORKER_DATA, data as Parameters<typeof setEnvironmentData>[1]);
  const loaded = (await import(entry)) as Tasks;
  say({ kind: 'loaded' });
  return loaded;
}

async function handle(order: WorkerOrder): Promise<void> {
  if (order.kind === 'load') {
    tasks = load(order.entry, order.data);
    await tasks.catch((error: unknown) => say({ kind: 'broken', failure: toFailureData(error) }));
    return;
  }
  const { number, name, input, tellsProgress } = order;
  const call = { input, isStopped: () => isStopped(number), onProgress: tellsProgress ? teller() : undefined };
  const run = (await tasks)[name];
  const reply = run ? await run(call) : toFailure(new RangeError(`the worker has no task ${name}`));
  say({ kind: 'reply', reply });
  if (process.memoryUsage.rss() > SWEEP_ABOVE_BYTES) setImmediate(sweep);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.on('message', (order: WorkerOrder) => void handle(order));
try {
  // Where the machine runs out of memory, it is this process that is ended and not the service.
  writeFileSync('/proc/self/oom_score_adj', '500');
} catch {
  // Not Linux, or not allowed: then the system chooses.
}
