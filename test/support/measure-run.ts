import { readFileSync, writeFileSync } from 'node:fs';

/** What a piece of work took. */
export interface Measured<T> {
  readonly result: T;
  readonly ms: number;
  /** Of all threads of this process. */
  readonly cpuMs: number;
  /** The most memory resident at once beyond what was before, with whatever `work` was given by `prepare`. */
  readonly peakBytes: number;
}

/** Written there, the kernel forgets the most memory that was resident so far. */
const FORGET_PEAK = ['/proc/self/clear_refs', '5'] as const;

/** A line of `/proc/self/status`, bytes. */
function statusOf(name: 'VmHWM' | 'VmRSS'): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'latin1'));
  return Number(line?.[1]) * 1024;
}

/** Prepares (not timed, but its memory counts) and works. Linux only; best in a process that does nothing else. */
export async function measureRun<P, T>(prepare: () => P, work: (prepared: P) => T | Promise<T>): Promise<Measured<T>> {
  (globalThis as { gc?: () => void }).gc?.();
  const before = statusOf('VmRSS');
  writeFileSync(...FORGET_PEAK);
  const prepared = prepare();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const result = await work(prepared);
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  return { result, ms, cpuMs: (user + system) / 1000, peakBytes: statusOf('VmHWM') - before };
}
