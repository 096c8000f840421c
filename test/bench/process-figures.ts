import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Memory of a service, in MB of 1024², all its processes together. Linux only. */
export interface ProcessFigures {
  /** Resident memory of each, the service itself first. */
  readonly processes: readonly number[];
  /** Resident, as each process reports it: what they share is counted with each. */
  readonly rssMb: number;
  /** Resident, with what they share counted once. */
  readonly residentMb: number;
  readonly openFiles: number;
}

const KB_PER_MB = 1024;

/** A process may end while it is looked at. */
const orNothing = async <T>(reading: Promise<T>, nothing: T): Promise<T> => reading.catch(() => nothing);

async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await orNothing(readdir(`/proc/${pid}/task`), []);
  const lists = await Promise.all(
    threads.map((thread) => orNothing(readFile(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** The process and everything that it has started, itself first. */
async function processTree(pid: number): Promise<readonly number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(processTree));
  return [pid, ...below.flat()];
}

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

async function memoryOf(pid: number) {
  const text = await orNothing(readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), '');
  const shared = kilobytes(text, 'Shared_Clean') + kilobytes(text, 'Shared_Dirty');
  return { rss: kilobytes(text, 'Rss'), shared };
}

async function openFilesOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await orNothing(readdir(folder), []);
  const targets = await Promise.all(names.map((name) => orNothing(readlink(join(folder, name)), '')));
  return targets.filter((target) => target !== '').length;
}

/** What the process `pid` and all below it take now. */
export async function figuresOf(pid: number): Promise<ProcessFigures> {
  const pids = await processTree(pid);
  const memories = await Promise.all(pids.map(memoryOf));
  const rss = memories.reduce((sum, one) => sum + one.rss, 0);
  const own = memories.reduce((sum, one) => sum + one.rss - one.shared, 0);
  const shared = memories.reduce((most, one) => Math.max(most, one.shared), 0);
  const openFiles = (await Promise.all(pids.map(openFilesOf))).reduce((sum, count) => sum + count, 0);
  return {
    processes: memories.filter((one) => one.rss > 0).map((one) => one.rss / KB_PER_MB),
    rssMb: rss / KB_PER_MB,
    residentMb: (own + shared) / KB_PER_MB,
    openFiles,
  };
}
