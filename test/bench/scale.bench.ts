import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { createSplitFitter, type SplitFitter } from '#adapters/tracing/split-fitter.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import { createVectorizeImage } from '#application/use-cases/vectorize-image.js';
import { TIERS, type TierId } from '#domain/tiers/tier.js';
import { exporters } from '#plugins/index.js';
import { measureRun } from '#test/support/measure-run.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';
import { renderSvg } from '#test/support/render-svg.js';

/**
 * The engine at scale, each picture in a process of its own; memory is all that is resident beyond a process that has traced a small
 * picture, the picture itself included.
 *
 * `npm run bench:scale -- --tier balanced_crisp`: pictures at which engines break, against the tier's time limit.
 * `--fit`: how time grows from 1 to 24 megapixels, on a photograph and on a drawing, as a line and how well it fits.
 * `--areas`: one drawing at 256 to 4096 px, by stages, on one core and on two.
 */
interface Run {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytesPerPixel: number;
  readonly nodes: number;
  readonly stagesMs?: Readonly<Record<string, number>>;
  readonly problem?: string;
}

const DRAWING = 'an emoji';
const DRAWING_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">
<circle cx="64" cy="64" r="60" fill="#fcc21b"/><path d="M64 4a60 60 0 0 1 41 104C118 62 98 20 64 4z" fill="#e59600"/>
<ellipse cx="42" cy="52" rx="9" ry="13" fill="#422b0d"/><ellipse cx="86" cy="52" rx="9" ry="13" fill="#422b0d"/>
<circle cx="39" cy="47" r="3.4" fill="#fff"/><circle cx="83" cy="47" r="3.4" fill="#fff"/>
<path d="M28 76c8 30 64 30 72 0-20 9-52 9-72 0z" fill="#422b0d"/><path d="M34 82c18 6 42 6 60 0l-2 4c-18 5-38 5-56 0z" fill="#fff"/>
<path d="M48 96c8-7 24-7 32 0-9 6-23 6-32 0z" fill="#ed6c30"/><path d="M24 34c8-9 18-12 28-9M76 25c10-3 20 0 28 9" stroke="#6d4c41" stroke-width="4" fill="none" stroke-linecap="round"/>
<path d="M100 12l5 11 12 1-9 8 3 12-11-6-10 6 2-12-9-8 12-1z" fill="#ed6c30"/><path d="M10 100q12-14 24 0t24 12" stroke="#40c0e7" stroke-width="3" fill="none"/></svg>`;
const AREAS_PX = [256, 512, 1024, 2048, 4096];
const FIT_MEGAPIXELS = [1, 2, 4, 8, 16, 24];
const MEGAPIXEL = 1024 * 1024;

const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: 'balanced_crisp' },
    only: { type: 'string' },
    /** Of the runs of a picture the fastest counts. */
    runs: { type: 'string', default: '3' },
    logo: { type: 'string', default: '8000' },
    fit: { type: 'boolean', default: false },
    areas: { type: 'boolean', default: false },
    picture: { type: 'string' },
    side: { type: 'string', default: '1' },
    /** So many times in one process, of which the fastest counts: compiled, and the second thread started. */
    repeat: { type: 'string', default: '1' },
    cores: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const tier = TIERS[values.tier as TierId];
if (tier === undefined) throw new RangeError(`there is no tier ${values.tier}`);

const pictureOf = (name: string, side: number) =>
  name === DRAWING ? renderSvg(DRAWING_SVG, side, '#fff') : PATHOLOGICAL[name]!(side);

function vectorizer(splitFitter: SplitFitter | undefined) {
  const decoder = { decode: () => Promise.reject(new RangeError('there are pixels only')) };
  const tracer = createPlanarTracer({ decoder, ...(splitFitter && { splitFitter }) });
  const maxWorkingPixels = values.whole ? Number.POSITIVE_INFINITY : tier.maxWorkingPixels;
  return createVectorizeImage({
    tracers: [
      {
        ...tracer,
        trace: (request, signal) => tracer.trace({ ...request, tier: { ...request.tier, maxWorkingPixels } }, signal),
      },
    ],
    exporters: createExporterRegistry(exporters),
    clock: systemClock,
    runLimitMs: () => Number.POSITIVE_INFINITY,
  });
}

/** In this process. With `--whole` the picture is not reduced, however large it is. */
async function traceOne(name: string, side: number): Promise<Run> {
  const splitFitter = values.cores === '2' ? createSplitFitter() : undefined;
  const vectorize = vectorizer(splitFitter);
  const settings = { quality_tier: tier.id, fidelity: false, edge_recovery: 'off' };
  await vectorize({ picture: { kind: 'raster', raster: PATHOLOGICAL['a logo']!(64) }, settings });
  let pixels = 1;
  try {
    const runOnce = () =>
      measureRun(
        () => pictureOf(name, side),
        (raster) => {
          pixels = raster.width * raster.height;
          return vectorize({ picture: { kind: 'raster', raster }, settings });
        },
      );
    let run = await runOnce();
    for (let k = 1; k < Number(values.repeat); k++) {
      const again = await runOnce();
      if (again.ms < run.ms) run = again;
    }
    const { nodes, timingsMs } = run.result.traceStats;
    const { ms, cpuMs, peakBytes } = run;
    return { ms, cpuMs, bytesPerPixel: peakBytes / pixels, nodes, stagesMs: { ...timingsMs } };
  } catch (error) {
    return { ms: Number.POSITIVE_INFINITY, cpuMs: 0, bytesPerPixel: 0, nodes: 0, problem: String(error) };
  } finally {
    await splitFitter?.close();
  }
}

function inProcess(name: string, side: number, more: readonly string[] = []): Promise<Run> {
  return new Promise((resolve) => {
    const args = ['--tier', tier.id, '--picture', name, '--side', String(side), ...more];
    const child = fork(fileURLToPath(import.meta.url), args, { execArgv: ['--expose-gc'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), tier.runLimitMs * 10 + 60_000);
    let run: Run | undefined;
    child.on('message', (message: Run) => {
      run = message;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const problem = `ended: ${signal ?? code}`;
      resolve(run ?? { ms: Number.POSITIVE_INFINITY, cpuMs: 0, bytesPerPixel: 0, nodes: 0, problem });
    });
  });
}

const round = (value: number, digits = 0) => value.toFixed(digits);
const sideOf = (megapixels: number) => Math.round(Math.sqrt(megapixels * MEGAPIXEL));

async function benchAll(): Promise<number> {
  const whole = Math.round(Math.sqrt(tier.maxWorkingPixels));
  console.log(`${tier.id}: up to ${whole} x ${whole} px, ${tier.runLimitMs / 1000} s; processor time`);
  let failed = 0;
  for (const name of Object.keys(PATHOLOGICAL)) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const sized = PATHOLOGICAL[name]!.length > 0;
    const last = name === 'a logo' ? Number(values.logo) : name === 'a photograph' ? sideOf(24) : whole;
    const done: (Run & { readonly side: number })[] = [];
    for (const side of sized ? [Math.round(whole / 2), last] : [1])
      done.push({ ...(await inProcess(name, side)), side });
    const largest = done.at(-1)!;
    // Of working pixels, which a larger picture is reduced to.
    const growth = sized && last === whole ? Math.log(done[1]!.cpuMs / done[0]!.cpuMs) / Math.log(4) : undefined;
    const problem = done.find((run) => run.problem !== undefined)?.problem;
    // Others may be at work on this machine: what counts is the time that this work took of it.
    const isLate = problem !== undefined || Math.min(largest.ms, largest.cpuMs) > tier.runLimitMs;
    if (isLate) failed++;
    const times = done.map(
      ({ side, ms, cpuMs }) => `${sized ? `${side}²: ` : ''}${round(cpuMs)} ms (${round(ms)} by the clock)`,
    );
    console.log(
      `${name.padEnd(32)} ${times.join(', ')}; ${largest.nodes} nodes, ${round(largest.bytesPerPixel)} bytes a pixel${growth === undefined ? '' : `, growth ${round(growth, 2)}`}${isLate ? ' TOO LATE' : ''}${problem === undefined ? '' : ` ${problem}`}`,
    );
  }
  return failed;
}

async function fastest(name: string, side: number, times: number, more: readonly string[]): Promise<Run> {
  const done: Run[] = [];
  for (let k = 0; k < times; k++) done.push(await inProcess(name, side, more));
  return done.reduce((a, b) => (b.cpuMs < a.cpuMs ? b : a));
}

/** The line through points, and the share of their variance that it explains. */
function lineThrough(xs: readonly number[], ys: readonly number[]) {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const b = mean(xs.map((x, k) => (x - mx) * (ys[k]! - my))) / mean(xs.map((x) => (x - mx) ** 2));
  const a = my - b * mx;
  const r2 = 1 - mean(ys.map((y, k) => (y - a - b * xs[k]!) ** 2)) / mean(ys.map((y) => (y - my) ** 2));
  return { a, b, r2 };
}

async function benchFit(): Promise<void> {
  for (const name of ['a photograph', DRAWING]) {
    const times: number[] = [];
    const bytes: number[] = [];
    for (const megapixels of FIT_MEGAPIXELS) {
      const run = await fastest(name, sideOf(megapixels), runs, ['--whole']);
      times.push(run.cpuMs);
      bytes.push(run.bytesPerPixel * megapixels * MEGAPIXEL);
      console.log(
        `${name}, ${megapixels} megapixels: ${round(run.cpuMs)} ms of processor time, ${round(run.bytesPerPixel)} bytes a pixel${run.problem ?? ''}`,
      );
    }
    const time = lineThrough(FIT_MEGAPIXELS, times);
    const memory = lineThrough(
      FIT_MEGAPIXELS.map((m) => m * MEGAPIXEL),
      bytes,
    );
    console.log(
      `${name}: ${round(time.a)} ms + ${round(time.b)} ms a megapixel, R² ${round(time.r2, 4)}; ${round(memory.a / 1e6)} MB + ${round(memory.b, 1)} bytes a pixel, R² ${round(memory.r2, 4)}`,
    );
  }
}

async function benchAreas(): Promise<void> {
  const rows: { side: number; cpuMs: number }[] = [];
  for (const side of AREAS_PX) {
    const repeat = ['--whole', '--repeat', values.runs];
    const one = await inProcess(DRAWING, side, repeat);
    const two = await inProcess(DRAWING, side, [...repeat, '--cores', '2']);
    rows.push({ side, cpuMs: one.cpuMs });
    const stages = Object.entries(one.stagesMs ?? {}).filter(([, ms]) => ms >= 0.5);
    console.log(
      `${side}²: ${round(one.cpuMs)} ms of processor time; by the clock ${round(one.ms)} ms on one core (${stages.map(([stage, ms]) => `${stage} ${round(ms)}`).join(', ')}), ${round(two.ms)} ms on two`,
    );
  }
  for (let k = 1; k < rows.length; k++) {
    const growth = Math.log(rows[k]!.cpuMs / rows[k - 1]!.cpuMs) / Math.log((rows[k]!.side / rows[k - 1]!.side) ** 2);
    console.log(`from ${rows[k - 1]!.side}² to ${rows[k]!.side}²: area to the power of ${round(growth, 2)}`);
  }
}

if (values.picture !== undefined) {
  const run = await traceOne(values.picture, Number(values.side));
  process.send!(run, () => process.disconnect());
} else if (values.fit) await benchFit();
else if (values.areas) await benchAreas();
else process.exitCode = (await benchAll()) > 0 ? 1 : 0;
