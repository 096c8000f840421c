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
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return own + below.reduce((sum, each) => sum + residentMb(Number(each)), 0);
  } catch {
    return 0;
  }
}

async function trace(...argv: string[]): Promise<{ readonly memoryMb: readonly number[] }> {
  const child = spawn(process.execPath, [CLI, 'trace', ...argv, '-q'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const memoryMb: number[] = [];
  const sampling = setInterval(() => memoryMb.push(residentMb(child.pid as number)), 100);
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`burin trace ${argv.join(' ')} ended with ${code}`);
  return { memoryMb: memoryMb.filter((mb) => mb > 0) };
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
  const best = { jobs: 0, processes: 0, ratio: 0 };
  for (let round = 1; round <= ROUNDS; round++) {
    let startMs = performance.now();
    const { memoryMb } = await trace(at('all'), '-o', at(`out-${round}`), '--jobs', '2');
    const jobs = (PICTURES / (performance.now() - startMs)) * 1000;
    startMs = performance.now();
    await Promise.all([trace(at('a'), '-o', at(`a-${round}`)), trace(at('b'), '-o', at(`b-${round}`))]);
    const processes = (PICTURES / (performance.now() - startMs)) * 1000;
    best.jobs = Math.max(best.jobs, jobs);
    best.processes = Math.max(best.processes, processes);
    best.ratio = Math.max(best.ratio, jobs / processes);
    const half = Math.floor(memoryMb.length / 2);
    const peak = (part: readonly number[]) => Math.max(...part).toFixed(0);
    say(`round ${round}, --jobs 2`, `${jobs.toFixed(1)} pictures/s`);
    say(`round ${round}, two processes`, `${processes.toFixed(1)} pictures/s; ratio ${(jobs / processes).toFixed(2)}`);
    say(
      `round ${round}, memory of --jobs 2`,
      `peak ${peak(memoryMb.slice(0, half))} MB in its first half, ${peak(memoryMb.slice(half))} MB in its second`,
    );
  }
  say(
    'best',
    `--jobs 2 ${best.jobs.toFixed(1)}, two processes ${best.processes.toFixed(1)} pictures/s; best round's ratio ${best.ratio.toFixed(2)}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
