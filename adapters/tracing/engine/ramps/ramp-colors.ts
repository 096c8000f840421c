import type { WorkingPixels } from '../intake/working-pixels.js';
import { shareIn } from '../quantize/mixtures.js';
import type { Ramps } from './find-ramps.js';
import { CLEAN } from './limits.js';
import { readersOf } from './ramp-reader.js';
import { compareWithRamps } from './shared-colors.js';
import type { Ground } from './stand-ins.js';

/**
 * Pixels of a color that is a ramp's are this near to it, squared levels over four channels (rounding and dithering), and no farther from it than from
 * the color itself: what is even is an area of its own, though a ramp ends in its color.
 */
const OWN_SQ = 3;
/** A mixture of a ramp and a color beside it explains so large a share of the pixels of a color that is none. */
const MIXED_SHARE = 0.8;
/** How far around a pixel the ramp and the color are looked for, px. */
const REACH = 2;

/** Which of a ground's colors are none: they are what a picture's ramps are somewhere, or are mixed to along their edges. */
export interface RampColors {
  /** Per color the ramp that its pixels are of, -1 for none. */
  readonly shared: Int32Array;
  /** Colors (1) that are mixtures. */
  readonly mixed: Uint8Array;
}

/**
 * Finds colors of a clean picture's ground that its ramps explain. A gentle gradient has squares of one color, a dithered one many; and where edges run with a
 * gradient, or lie alike at several places, mixtures with it come up again and again. `narrow` are the numbers of colors that have no interior: only these may
 * be mixtures.
 */
export function findRampColors(
  pixels: WorkingPixels,
  ramps: Ramps,
  ground: Ground,
  narrow: readonly number[],
): RampColors {
  const { size } = ground;
  const { counts, own, sums } = compareWithRamps(pixels, ramps, ground);
  const rampCount = ramps.found.length;
  const shared = new Int32Array(size).fill(-1);
  for (let k = 0; k < size; k++) {
    let least = Math.min(OWN_SQ * counts[k], own[k]);
    for (let r = 0; r < rampCount; r++) {
      if (sums[k * rampCount + r] >= least) continue;
      least = sums[k * rampCount + r];
      shared[k] = r;
    }
  }
  const mixed = findMixed(pixels, ramps, ground, narrow);
  for (let k = 0; k < size; k++) if (shared[k] >= 0) mixed[k] = 0;
  return { shared, mixed };
}

/** Those of the narrow colors (1) whose pixels are mixtures of a ramp and a color beside it. */
function findMixed(pixels: WorkingPixels, { of, found }: Ramps, ground: Ground, narrow: readonly number[]): Uint8Array {
  const { width, height, rgba } = pixels;
  const { size, channels } = ground;
  const mixed = new Uint8Array(size);
  if (narrow.length === 0) return mixed;
  const isNarrow = new Uint8Array(size);
  for (const k of narrow) isNarrow[k] = 1;
  const readers = readersOf(found, pixels, CLEAN.near);
  const counts = new Int32Array(size);
  const explained = new Int32Array(size);
  /** The ramp's color at a pixel, and one beside it. */
  const pair = new Float64Array(8);
  const beside: number[] = [];
  const rampsBeside: number[] = [];
  const isMixed = (i: number, ramp: number): boolean => {
    const x = i % width;
    readers[ramp].read(x, (i - x) / width, pair, 0);
    return beside.some((k) => {
      for (let c = 0; c < 4; c++) pair[4 + c] = channels[k * 4 + c];
      return !Number.isNaN(shareIn(rgba, i * 4, pair, [0, 4]));
    });
  };
  for (let i = 0; i < of.length; i++) {
    const k = of[i] < 0 ? ground.labelOf(i) : -1;
    if (k < 0 || isNarrow[k] === 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    counts[k]++;
    beside.length = rampsBeside.length = 0;
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        const ramp = of[v * width + u];
        const label = ramp < 0 ? ground.labelOf(v * width + u) : -1;
        if (ramp >= 0 && !rampsBeside.includes(ramp)) rampsBeside.push(ramp);
        else if (label >= 0 && isNarrow[label] === 0 && !beside.includes(label)) beside.push(label);
      }
    }
    if (rampsBeside.some((ramp) => isMixed(i, ramp))) explained[k]++;
  }
  for (const k of narrow) if (counts[k] > 0 && explained[k] >= MIXED_SHARE * counts[k]) mixed[k] = 1;
  return mixed;
}
