import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** What a piece of work took. */
export interface Measured<T> {
  readonly result: T;
  readonly ms: number;
  /** Of all threads of this process. */
  readonly cpuMs: number;
  /** The most memory resident at once beyond what was before, with whatever `work` was given by `prepare`. */
  readonly peakBytes: number;
}

/** Looks every millisecond, from a thread of its own, since the one that works cannot. */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { openSync, readSync } = require('node:fs');
const file = openSync('/proc/self/statm', 'r');
const bytes = Buffer.alloc(64);
for (;;) {
  const pages = Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0)).split(' ')[1]);
  if (pages > Atomics.load(workerData, 0)) Atomics.store(workerData, 0, pages);
  Atomics.wait(workerData, 1, 0, 1);
}`;
const PAGE_BYTES = 4096;
const SETTLE_MS = 50;

/** Prepares (not timed, but its memory counts) and works. Linux only; best in a process that does nothing else. */
export async function measureRun<P, T>(prepare: () => P, work: (prepared: P) => T | Promise<T>): Promise<Measured<T>> {
  const watched = new Int32Array(new SharedArrayBuffer(8));
  const watch = new Worker(WATCH, { eval: true, workerData: watched });
  await new Promise((resolve) => watch.once('online', resolve));
  await sleep(SETTLE_MS);
  (globalThis as { gc?: () => void }).gc?.();
  const before = Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1]);
  Atomics.store(watched, 0, 0);
  const prepared = prepare();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const result = await work(prepared);
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  await watch.terminate();
  return { result, ms, cpuMs: (user + system) / 1000, peakBytes: (watched[0]! - before) * PAGE_BYTES };
}
