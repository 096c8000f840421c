import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.js';

/** Nothing where the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What a process was given of the environment, NAME=value. */
export const environmentOf = (pid: number): readonly string[] =>
  read(`/proc/${pid}/environ`)
    .split('\0')
    .filter((line) => line !== '');

/** The workers of the pools of a process, this one where none is named; of those, the ones with a line in their environment. */
export const workerProcesses = (line?: string, parent = process.pid): readonly number[] =>
  readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => read(`/proc/${parent}/task/${task}/children`).trim().split(' '))
    .filter((text) => text !== '')
    .map(Number)
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('task-process'))
    .filter((pid) => line === undefined || environmentOf(pid).includes(line));

const TICK_FIELD = 11;
/** Processor time so far, in the system's ticks. */
const ticksOf = (pid: number): number => {
  // Behind the name, which may hold spaces.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ');
  return Number(fields[TICK_FIELD] ?? 0);
};

/** Workers of a process that compute: found as soon as there is one whose processor time has grown. */
export async function busyWorkers(parent = process.pid): Promise<readonly number[]> {
  const first = new Map<number, number>();
  let busy: readonly number[] = [];
  await until(async () => {
    for (const pid of workerProcesses(undefined, parent)) if (!first.has(pid)) first.set(pid, ticksOf(pid));
    busy = [...first].filter(([pid, ticks]) => ticksOf(pid) > ticks + 2).map(([pid]) => pid);
    return busy.length > 0;
  });
  return busy;
}
