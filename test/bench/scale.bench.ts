import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { composeVectorizeImage } from '#config/compose.js';
import { TIERS, type TierId } from '#domain/tiers/tier.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';

/**
 * Pictures at which engines break, each in a process of its own: time against the tier's limit, memory above the process that
 * has only loaded, and how time grows with pixels (1 is linear). `npm run bench:scale -- --tier balanced_crisp`
 */
interface Run {
  readonly ms: number;
  readonly bytesPerPixel: number;
  readonly nodes: number;
  readonly problem?: string;
}

const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: 'balanced_crisp' },
    picture: { type: 'string' },
    side: { type: 'string' },
    logo: { type: 'string', default: '8000' },
  },
});
const tier = TIERS[values.tier as TierId];
if (tier === undefined) throw new RangeError(`there is no tier ${values.tier}`);

async function traceOne(name: string, side: number): Promise<Run> {
  const raster = PATHOLOGICAL[name]!(side);
  const vectorize = composeVectorizeImage();
  const warm = PATHOLOGICAL['a logo']!(64);
  await vectorize({ picture: { kind: 'raster', raster: warm }, settings: { quality_tier: tier.id } });
  const before = process.resourceUsage().maxRSS * 1024;
  const startMs = performance.now();
  try {
    const settings = { quality_tier: tier.id, fidelity: false, edge_recovery: 'off' };
    const { traceStats } = await vectorize({ picture: { kind: 'raster', raster }, settings });
    const ms = performance.now() - startMs;
    const grown = process.resourceUsage().maxRSS * 1024 - before;
    return { ms, bytesPerPixel: grown / (raster.width * raster.height), nodes: traceStats.nodes };
  } catch (error) {
    return { ms: performance.now() - startMs, bytesPerPixel: 0, nodes: 0, problem: String(error) };
  }
}

function inProcess(name: string, side: number): Promise<Run> {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url), ['--tier', tier.id, '--picture', name, '--side', String(side)]);
    const timer = setTimeout(() => child.kill('SIGKILL'), tier.runLimitMs * 2 + 20_000);
    let run: Run | undefined;
    child.on('message', (message: Run) => {
      run = message;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(run ?? { ms: Number.POSITIVE_INFINITY, bytesPerPixel: 0, nodes: 0, problem: `ended: ${signal ?? code}` });
    });
  });
}

async function benchAll(): Promise<void> {
  const whole = Math.round(Math.sqrt(tier.maxWorkingPixels));
  const [small, middle] = [Math.round(whole / 4), Math.round(whole / 2)];
  console.log(`${tier.id}: up to ${tier.maxWorkingPixels / 1e6} megapixels, ${tier.runLimitMs / 1000} s`);
  let failed = 0;
  for (const name of Object.keys(PATHOLOGICAL)) {
    const sized = PATHOLOGICAL[name]!.length > 0;
    const last = name === 'a logo' ? Number(values.logo) : whole;
    const runs: (Run & { readonly side: number })[] = [];
    for (const side of sized ? [small, middle, last] : [1]) runs.push({ ...(await inProcess(name, side)), side });
    const largest = runs.at(-1)!;
    // Of working pixels, which a larger picture is reduced to.
    const steps = runs.slice(-2);
    const growth =
      sized && name !== 'a logo'
        ? Math.log(steps[1]!.ms / steps[0]!.ms) / Math.log((steps[1]!.side / steps[0]!.side) ** 2)
        : undefined;
    const isLate = !(largest.ms <= tier.runLimitMs);
    if (isLate || runs.some(({ problem }) => problem !== undefined)) failed++;
    const times = runs.map(({ side, ms }) => `${sized ? `${side}²: ` : ''}${Math.round(ms)} ms`).join(', ');
    const problem = runs.find((run) => run.problem !== undefined)?.problem;
    console.log(
      `${name.padEnd(32)} ${times}; ${largest.nodes} nodes, ${Math.round(largest.bytesPerPixel)} bytes a pixel${growth === undefined ? '' : `, growth ${growth.toFixed(2)}`}${isLate ? ' TOO LATE' : ''}${problem === undefined ? '' : ` ${problem}`}`,
    );
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

if (values.picture !== undefined) {
  process.send!(await traceOne(values.picture, Number(values.side)));
  process.disconnect();
} else await benchAll();
