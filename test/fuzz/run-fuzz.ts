import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SurfaceName } from './surfaces/index.js';

export interface FuzzOrder {
  readonly surface: SurfaceName;
  readonly seed: number;
  /** Cases from this one up to and without `to`. */
  readonly from: number;
  readonly to: number;
  readonly progressFile: string;
}

/** Something that must not be. The seed and the index make it again. */
export interface FuzzFind {
  readonly index: number;
  readonly what: string;
  readonly error: string;
}

export interface FuzzReport {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly finds: readonly FuzzFind[];
  readonly done: number;
  readonly ended: boolean;
}

export interface FuzzResult {
  readonly surface: SurfaceName;
  readonly seed: number;
  readonly cases: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly finds: readonly FuzzFind[];
  readonly seconds: number;
}

export interface FuzzOptions extends Pick<FuzzOrder, 'surface' | 'seed'> {
  /** The first case; 0 where left out. */
  readonly from?: number;
  readonly cases: number;
  /** No case is begun past it. */
  readonly maxSeconds?: number;
  /** Of the process that runs the cases. */
  readonly hangMs?: number;
}

const PROCESS = fileURLToPath(new URL('./fuzz-process.js', import.meta.url));
const LOOK_EVERY_MS = 1000;
const HANG_MS = 60_000;
/** Until the first case is begun, which may take a service of its own. */
const STARTING_MS = 300_000;
/** Cases of one process: what a native library leaves behind does not add up. */
const CASES_PER_PROCESS = 20_000;
const MOST_FINDS = 25;

interface Stretch {
  readonly report: FuzzReport;
  /** Where to go on. */
  readonly next: number;
}

/** Runs cases in a process of their own, up to their end, or that of the process. */
function runStretch(order: FuzzOrder, hangMs: number, deadlineMs: number): Promise<Stretch> {
  return new Promise((resolve, reject) => {
    // At the head of a group: a service that it has started ends with it.
    const child = fork(PROCESS, [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--enable-source-maps'],
      detached: true,
    });
    let report: FuzzReport = { outcomes: {}, finds: [], done: 0, ended: false };
    let complaint = '';
    let killedFor: string | undefined;
    let before = '';
    let sinceMs = performance.now();
    const progress = () => {
      try {
        return readFileSync(order.progressFile, 'utf8').trim();
      } catch {
        return '';
      }
    };
    const watch = setInterval(() => {
      const now = progress();
      if (now !== before) [before, sinceMs] = [now, performance.now()];
      const hangs = performance.now() - sinceMs > (now === '' ? STARTING_MS : hangMs);
      if (!hangs && performance.now() < deadlineMs) return;
      killedFor ??= hangs ? 'hung' : 'out of time';
      process.kill(-child.pid!, 'SIGKILL');
    }, LOOK_EVERY_MS);
    child.stderr!.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    });
    child.on('message', (message: FuzzReport) => {
      report = message;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      if (report.ended) return resolve({ report, next: order.from + report.done });
      const at = progress();
      const index = at === '' ? order.from : Number(at);
      const done = index - order.from;
      if (killedFor === 'out of time') return resolve({ report: { ...report, done }, next: Number.POSITIVE_INFINITY });
      const what = killedFor ?? `ended the process (${signal ?? code})`;
      const finds = [...report.finds, { index, what, error: complaint }];
      resolve({ report: { ...report, finds, done: done + 1 }, next: index + 1 });
    });
    child.send(order);
  });
}

/** Puts seeded cases into one surface, and says what came of them. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { surface, seed, from: first = 0, cases, maxSeconds = Number.POSITIVE_INFINITY, hangMs = HANG_MS } = options;
  const folder = mkdtempSync(join(tmpdir(), 'burin-fuzz-'));
  const startMs = performance.now();
  const deadlineMs = startMs + maxSeconds * 1000;
  const outcomes: Record<string, number> = {};
  const finds: FuzzFind[] = [];
  const end = first + cases;
  let total = 0;
  try {
    for (let from = first; from < end && performance.now() < deadlineMs && finds.length < MOST_FINDS; ) {
      const to = Math.min(end, from + CASES_PER_PROCESS);
      const order = { surface, seed, from, to, progressFile: join(folder, 'case') };
      const { report, next } = await runStretch(order, hangMs, deadlineMs);
      for (const [outcome, count] of Object.entries(report.outcomes))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
      finds.push(...report.finds);
      total += report.done;
      from = next;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { surface, seed, cases: total, outcomes, finds, seconds: (performance.now() - startMs) / 1000 };
}
