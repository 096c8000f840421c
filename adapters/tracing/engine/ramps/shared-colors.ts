import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import { COMPRESSED } from './limits.js';
import { readersOf } from './ramp-reader.js';
import { RING_SQ } from './rings.js';
import type { Ground } from './stand-ins.js';

/** About so many pixels of a color are compared with the ramps. */
const SAMPLES = 400;
/** Of the squared distances of a color's pixels from it, so many times may be those from a ramp that it is part of, and from one that has another such color. */
const MOST_TIMES = 1.5;
const MOST_TIMES_MORE = 2.2;

/**
 * Per color of the ground the ramp that it is part of, -1 for none: nearly as near to the color's pixels as it is itself, or not much farther where the ramp has
 * another such color.
 */
export function findSharedColors(pixels: WorkingPixels, ramps: Ramps, ground: Ground): Int32Array {
  const times = timesAsFar(pixels, ramps, ground);
  const count = ramps.found.length;
  const shared = new Int32Array(ground.size).fill(-1);
  const shares = new Uint8Array(count).fill(1);
  for (const most of [MOST_TIMES, MOST_TIMES_MORE]) {
    for (let k = 0; k < shared.length; k++) {
      if (shared[k] >= 0) continue;
      let least = most;
      for (let r = 0; r < count; r++) {
        if (shares[r] === 0 || times[k * count + r] >= least) continue;
        least = times[k * count + r];
        shared[k] = r;
      }
    }
    shares.fill(0);
    for (const ramp of shared) if (ramp >= 0) shares[ramp] = 1;
  }
  return shared;
}

/** Per color and ramp how many times as far, squared, the color's pixels that are on no ramp are from the ramp as from the color. */
function timesAsFar(pixels: WorkingPixels, ramps: Ramps, ground: Ground): Float64Array {
  const { own, sums } = compareWithRamps(pixels, ramps, ground);
  return sums.map((sum, at) => {
    const distance = own[Math.floor(at / ramps.found.length)];
    return distance > 0 ? sum / distance : Infinity;
  });
}

/** Squared distances of samples of a color's pixels, summed: from the color, per color, and from a ramp, per color and ramp. */
export interface ColorDistances {
  /** Samples of each color. */
  readonly counts: Int32Array;
  readonly own: Float64Array;
  readonly sums: Float64Array;
}

/** Compares the pixels of the ground's colors that are on no ramp with the ramps. */
export function compareWithRamps(pixels: WorkingPixels, { of, found }: Ramps, ground: Ground): ColorDistances {
  const { width, rgba } = pixels;
  const readers = readersOf(found, pixels, COMPRESSED.near);
  const all = new Int32Array(ground.size);
  for (let i = 0; i < of.length; i++) if (of[i] < 0 && ground.labelOf(i) >= 0) all[ground.labelOf(i)]++;
  const seen = new Int32Array(ground.size);
  const counts = new Int32Array(ground.size);
  const own = new Float64Array(ground.size);
  const sums = new Float64Array(ground.size * found.length);
  for (let i = 0; i < of.length; i++) {
    const k = of[i] < 0 ? ground.labelOf(i) : -1;
    if (k < 0 || seen[k]++ % Math.max(1, Math.floor(all[k] / SAMPLES)) !== 0) continue;
    const x = i % width;
    counts[k]++;
    for (let c = 0; c < 4; c++) own[k] += (rgba[i * 4 + c] - ground.channels[k * 4 + c]) ** 2;
    for (let r = 0; r < readers.length; r++) sums[k * readers.length + r] += readers[r].distanceSq(x, (i - x) / width);
  }
  return { counts, own, sums };
}

/** The ramps with the pixels of colors that they share, as far as these are off them as rings are. */
export function withSharedColors(pixels: WorkingPixels, ramps: Ramps, ground: Ground, shared: Int32Array): Ramps {
  const of = Int32Array.from(ramps.of);
  const readers = readersOf(ramps.found, pixels, COMPRESSED.near);
  for (let i = 0; i < of.length; i++) {
    const label = of[i] < 0 ? ground.labelOf(i) : -1;
    const ramp = label < 0 ? -1 : shared[label];
    if (ramp < 0) continue;
    const x = i % pixels.width;
    if (readers[ramp].distanceSq(x, (i - x) / pixels.width) <= RING_SQ) of[i] = ramp;
  }
  return { ...ramps, of };
}
