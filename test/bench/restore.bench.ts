import { readdirSync, readFileSync } from 'node:fs';
import { createOnnxEdgeRecovery } from '#adapters/restoration/onnx-edge-recovery.js';
import { OWN_MODEL } from '#adapters/restoration/own-model.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import type { RecoveryDetail } from '#application/ports/edge-recovery.js';
import type { Raster, TraceOutcome } from '#application/ports/tracer.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { PLAIN_DOCUMENT, writeSvg } from '#domain/exports/svg-document.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { TIERS } from '#domain/tiers/tier.js';
import { type DamagedPicture, damagedPicture, psnrOf, type Rgb, rendered } from '#test/support/damaged-pictures.js';

/**
 * What edge_recovery=real_esrgan is worth: damaged pictures of drawings that the model was never trained on, traced with and
 * without it, both held against the drawing; and what it takes in time and memory. `npm run bench:restore`, which fails
 * where a mark is missed. The marks of time are for a machine with nothing else to do.
 */

const PICTURES = Number(process.env.BURIN_TEST_BENCH_PICTURES ?? 120);
const DETAIL = (process.env.BURIN_TEST_BENCH_DETAIL ?? 'med') as RecoveryDetail;
const WORSE_DB = 0.2;

const missed: string[] = [];
const say = (what: string, figures: string) => process.stdout.write(`${what.padEnd(44)} ${figures}\n`);
/** Says a figure and holds it to its mark. */
function mark(what: string, figure: number, unit: string, kept: boolean, words: string) {
  say(what, `${figure.toFixed(2)} ${unit} (${words}${kept ? '' : ': MISSED'})`);
  if (!kept) missed.push(what);
}
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const recovery = createOnnxEdgeRecovery({ model: OWN_MODEL, threads: 2 });
const tracer = createPlanarTracer({ decoder: {} as never, edgeRecovery: recovery });
const traced = (raster: Raster, edge_recovery: 'off' | 'real_esrgan' | 'auto'): Promise<TraceOutcome> =>
  tracer.trace({
    picture: { kind: 'raster', raster },
    settings: resolveSettings({ edge_recovery, recovery_detail: DETAIL }),
    tier: TIERS.balanced_crisp,
    fidelity: false,
    timeoutMs: 60_000,
  });

function rgbOf({ width, height, data }: Raster): Rgb {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) rgb.set(data.subarray(i * 4, i * 4 + 3), i * 3);
  return { width, height, rgb };
}

const truthOf = ({ drawing }: TraceOutcome, { fourfold }: DamagedPicture): number =>
  psnrOf(rendered(writeSvg(drawing, PLAIN_DOCUMENT).text, fourfold.width), fourfold);

async function measureGain() {
  const rows: { raster: number; gain: number; direct: number; nodes: readonly [number, number]; used: boolean }[] = [];
  for (let index = 0; index < PICTURES; index++) {
    const picture = await damagedPicture(index);
    const restored = await recovery.restore({ raster: picture.raster, detail: DETAIL, timeoutMs: 60_000 });
    if (!restored.ok) throw new Error(restored.reason);
    const direct = await traced(picture.raster, 'off');
    const other = await traced(picture.raster, 'real_esrgan');
    const directTruth = truthOf(direct, picture);
    rows.push({
      raster: psnrOf(rgbOf(restored.raster), picture.twice) - psnrOf(picture.enlarged, picture.twice),
      gain: truthOf(other, picture) - directTruth,
      direct: directTruth,
      nodes: [drawingStatsOf(direct.drawing).nodes, drawingStatsOf(other.drawing).nodes],
      used: other.edgeRecoveryResolved === 'real_esrgan',
    });
    if (process.env.BURIN_TEST_BENCH_ROWS !== undefined)
      say(`${index} q${picture.quality} blur ${picture.blurPx.toFixed(2)}`, JSON.stringify(rows.at(-1)));
  }
  const raster = meanOf(rows.map((row) => row.raster));
  mark('restored picture above Lanczos', raster, 'dB', raster >= 2, 'at least 2');
  const gain = meanOf(rows.map((row) => row.gain));
  say('direct traces against the truth', `${meanOf(rows.map((row) => row.direct)).toFixed(2)} dB`);
  mark('traces gain, on average', gain, 'dB', gain >= 1.5, 'at least 1.5');
  const worse = (rows.filter((row) => row.gain < -WORSE_DB).length / rows.length) * 100;
  mark('traces that lose more than 0.2 dB', worse, '%', worse <= 2, 'at most 2');
  say('the worst of them', `${Math.min(...rows.map((row) => row.gain)).toFixed(2)} dB`);
  const ratio = meanOf(rows.map((row) => row.nodes[1])) / meanOf(rows.map((row) => row.nodes[0]));
  mark('nodes against the direct traces', ratio, 'times', ratio <= 1.2, 'at most 1.2');
  say('restored traces that the gate let pass', `${rows.filter((row) => row.used).length} of ${rows.length}`);
}

/** A drawing of that size, with noise on it. */
function noisy(width: number, height: number): Raster {
  const { rgb } = rendered(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none"><rect width="100" height="100" fill="#fff"/><circle cx="40" cy="50" r="30" fill="#c42"/><path d="M20 80L60 10L90 90Z" fill="#28a" stroke="#000" stroke-width="2"/></svg>`,
    width,
  );
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++)
      data[i * 4 + c] = Math.max(
        0,
        Math.min(255, (rgb[i * 3 + c] as number) + (((i * 31 + c * 7) * 2654435761) >>> 29) - 4),
      );
  return { width, height, data };
}

/** MB that our children hold at most, as the system counts it; undefined where it does not say. */
function childrenPeakMb(): number | undefined {
  try {
    const children = readdirSync('/proc/self/task').flatMap((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    const peaks = children.map((pid) => /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return Math.max(...peaks.map(Number)) / 1024;
  } catch {
    return undefined;
  }
}

async function measureCost() {
  const time = async (raster: Raster) => {
    const startMs = performance.now();
    const outcome = await recovery.restore({ raster, detail: DETAIL, timeoutMs: 120_000 });
    if (!outcome.ok) throw new Error(outcome.reason);
    return (performance.now() - startMs) / 1000;
  };
  const small = Math.min(...[await time(noisy(256, 256)), await time(noisy(256, 256)), await time(noisy(256, 256))]);
  mark('256 x 256 px take', small, 's', small <= 1, 'at most 1');
  const large = await time(noisy(1000, 1000));
  mark('a megapixel takes', large, 's', large <= 12, 'at most 12');
  const peakMb = childrenPeakMb();
  if (peakMb !== undefined) mark('and its process holds at most', peakMb, 'MB', peakMb <= 1024, 'at most 1024');

  const waits: number[] = [];
  for (let round = 1; round <= 5; round++) {
    const aborting = new AbortController();
    let abortedMs = 0;
    let ticks = 0;
    const onProgress = (fraction: number) => {
      // In the midst of it, a little later each round.
      if (fraction > 0 && ++ticks === round) {
        abortedMs = performance.now();
        aborting.abort();
      }
    };
    const raster = noisy(1000, 1000);
    await recovery
      .restore({ raster, detail: DETAIL, timeoutMs: 120_000, onProgress }, aborting.signal)
      .catch(() => undefined);
    waits.push(performance.now() - abortedMs);
  }
  const slowest = Math.max(...waits);
  mark('a cancelled one is over after', slowest, 'ms', slowest <= 300, 'at most 300');
}

try {
  say('pictures, detail', `${PICTURES}, ${DETAIL}`);
  await measureGain();
  await measureCost();
} finally {
  recovery.close();
}
if (missed.length > 0) {
  process.stdout.write(`missed: ${missed.join('; ')}\n`);
  process.exitCode = 1;
}
