/** Steps looked for, px of a cell. */
const LEAST_STEP = 1.8;
const MOST_STEP = 24;
/** Peaks of the spectrum that are taken for steps. */
const PEAKS = 6;
/** Differences up to this many levels may be compression's. */
const DEAD_ZONE = 1.5;
const CLIP = 64;

/**
 * Steps that the changes along an axis may follow, likeliest first: peaks in the spectrum of where neighbors differ (hard edges
 * between cells) and of where their differences change (the kinks that linear enlargement leaves in the middle of cells).
 * @param lines `count` lines of `size` values each
 */
export function findSteps(lines: Float32Array, count: number, size: number): number[] {
  const edges = new Float64Array(size);
  const kinks = new Float64Array(size);
  for (let line = 0; line < count; line++) {
    const start = line * size;
    for (let x = 1; x < size; x++) {
      const before = lines[start + x - 1];
      const here = lines[start + x];
      edges[x] += Math.min(CLIP, Math.max(0, Math.abs(here - before) - DEAD_ZONE));
      if (x + 1 < size) {
        kinks[x] += Math.min(CLIP, Math.max(0, Math.abs(lines[start + x + 1] - 2 * here + before) - DEAD_ZONE));
      }
    }
  }
  const steps: number[] = [];
  for (const profile of [edges, kinks]) {
    for (const step of peaksOf(profile, size)) {
      // The strongest peak may be an overtone.
      for (const multiple of [1, 2, 3]) addStep(steps, step * multiple, size);
    }
  }
  return steps;
}

/** Adds a step unless one is known that ends within a third of a cell of it. */
export function addStep(steps: number[], step: number, size: number): void {
  if (step > MOST_STEP || step > size / 4) return;
  if (steps.every((known) => Math.abs(known - step) > (0.3 * step * step) / size)) steps.push(step);
}

function peaksOf(profile: Float64Array, size: number): number[] {
  let total = 0;
  for (let x = 0; x < size; x++) total += profile[x];
  if (total === 0) return [];
  const mean = total / size;
  // Fine enough that no peak, which is as wide as a wave over the whole line, falls between two frequencies.
  const grid = 1 / (4 * size);
  const least = Math.max(1 / MOST_STEP, 2 / size);
  const count = Math.max(3, Math.ceil((1 / LEAST_STEP - least) / grid));
  const power = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const turn = 2 * Math.PI * (least + k * grid);
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    let re = 1;
    let im = 0;
    let sumRe = 0;
    let sumIm = 0;
    for (let x = 0; x < size; x++) {
      sumRe += (profile[x] - mean) * re;
      sumIm += (profile[x] - mean) * im;
      const next = re * cos - im * sin;
      im = re * sin + im * cos;
      re = next;
    }
    power[k] = Math.hypot(sumRe, sumIm) / total;
  }
  const peaks: { step: number; power: number }[] = [];
  for (let k = 0; k < count; k++) {
    if ((k > 0 && power[k - 1] > power[k]) || (k + 1 < count && power[k + 1] >= power[k])) continue;
    peaks.push({ step: 1 / (least + k * grid), power: power[k] });
  }
  return peaks
    .sort((a, b) => b.power - a.power || a.step - b.step)
    .slice(0, PEAKS)
    .map(({ step }) => step);
}
