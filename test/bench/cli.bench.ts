import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { CLI } from '#test/support/run-burin.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { pngOf } from '#test/support/write-png.js';

/**
 * 200 pictures by `burin trace --jobs 2`, and by two processes of one job each that share them; in turns, on the same machine.
 * `npm run bench:cli`
 */

const PICTURES = Number(process.env.BURIN_TEST_BENCH_PICTURES ?? 200);
const ROUNDS = Number(process.env.BURIN_TEST_BENCH_ROUNDS ?? 3);
const SIDE = 256;
const SAMPLE_MS = 100;
/** Of /proc, on every Linux. */
const TICK_MS = 10;
const say = (what: string, figures: string) => process.stdout.write(`${what.padEnd(34)} ${figures}\n`);

/** Shapes with smooth edges at places of their own. */
function picture(seed: number): Uint8Array {
  const random = createSeededRandom(seed);
  const between = (least: number, most: number) => least + random() * (most - least);
  const layers = Array.from({ length: 12 }, () =>
    layer(
      Math.floor(random() * 0xffffff),
      star(between(20, 236), between(20, 236), between(12, 50), between(4, 12), 5),
    ),
  );
  return pngOf(paint(SIDE, SIDE, 0xffffff, layers));
}

/** MB of memory that a process and those it has started hold now, without what they share. */
function residentMb(pid: number): number {
  try {
    const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    return own + startedBy(pid).reduce((sum, each) => sum + residentMb(each), 0);
  } catch {
    return 0;
  }
}

const startedBy = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Ticks of processor time that a process and those it has started took until now. */
function ticksOf(pid: number): number {
  try {
    // After the name, which may have spaces in it: utime, stime, and those of children that have ended.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const own = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
    return own + startedBy(pid).reduce((sum, each) => sum + ticksOf(each), 0);
  } catch {
    return 0;
  }
}

interface Run {
  readonly memoryMb: readonly number[];
  /** Processor time, which says more than the clock where others use the machine too. */
  readonly cpuMs: number;
}

async function trace(...argv: string[]): Promise<Run> {
  const child = spawn(process.execPath, [CLI, 'trace', ...argv, '-q'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const memoryMb: number[] = [];
  let ticks = 0;
  const sampling = setInterval(() => {
    memoryMb.push(residentMb(child.pid as number));
    ticks = Math.max(ticks, ticksOf(child.pid as number));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`burin trace ${argv.join(' ')} ended with ${code}`);
  return { memoryMb: memoryMb.filter((mb) => mb > 0), cpuMs: ticks * TICK_MS };
}

const folder = await mkdtemp(join(tmpdir(), 'burin-bench-cli-'));
try {
  const at = (...names: string[]) => join(folder, ...names);
  for (const name of ['all', 'a', 'b']) await mkdir(at(name));
  for (let n = 0; n < PICTURES; n++) {
    const bytes = picture(n + 1);
    await writeFile(at('all', `${n}.png`), bytes);
    await writeFile(at(n % 2 === 0 ? 'a' : 'b', `${n}.png`), bytes);
  }
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    let startMs = performance.now();
    const { memoryMb, cpuMs } = await trace(at('all'), '-o', at(`out-${round}`), '--jobs', '2');
    const jobs = (PICTURES / (performance.now() - startMs)) * 1000;
    startMs = performance.now();
    const two = await Promise.all([trace(at('a'), '-o', at(`a-${round}`)), trace(at('b'), '-o', at(`b-${round}`))]);
    const processes = (PICTURES / (performance.now() - startMs)) * 1000;
    ratios.push(jobs / processes);
    const twoCpuMs = two.reduce((sum, each) => sum + each.cpuMs, 0);
    const each = (ms: number) => `${(ms / PICTURES).toFixed(1)} ms of processor time a picture`;
    const quarter = (n: number) =>
      Math.max(...memoryMb.slice((memoryMb.length * n) / 4, (memoryMb.length * (n + 1)) / 4)).toFixed(0);
    say(`round ${round}, --jobs 2`, `${jobs.toFixed(1)} pictures/s, ${each(cpuMs)}`);
    say(`round ${round}, two processes`, `${processes.toFixed(1)} pictures/s, ${each(twoCpuMs)}`);
    say(`round ${round}, ratio`, `${(jobs / processes).toFixed(2)} by the clock`);
    say(
      `round ${round}, memory of --jobs 2`,
      `peak of each quarter, all processes: ${[0, 1, 2, 3].map(quarter).join(', ')} MB`,
    );
  }
  ratios.sort((a, b) => a - b);
  say('ratios', ratios.map((ratio) => ratio.toFixed(2)).join(', '));
} finally {
  await rm(folder, { recursive: true, force: true });
}
