import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import { COMPRESSED } from './limits.js';
import { RampReader } from './ramp-reader.js';
import type { Ground } from './stand-ins.js';

/** Pixels of a color that are compared with the ramps, at most. */
const MOST_SAMPLES = 400;
/** Of the squared distances of a color's pixels from it, so many times may be those from a ramp that it is part of, and from one that has another such color. */
const MOST_TIMES = 1.5;
const MOST_TIMES_MORE = 2.2;
/** How far a pixel of such a color may be from the ramp to be of it, root mean square, levels. */
const LEVELS = 20;
const LEVELS_SQ = 3 * LEVELS * LEVELS;

/**
 * Per color of the ground the ramp that it is part of, -1 for none: nearly as near to the color's pixels as it is itself, or not much farther where the ramp has
 * another such color.
 */
export function findSharedColors(pixels: WorkingPixels, { of, found }: Ramps, ground: Ground): Int32Array {
  const { size } = ground;
  const readers = found.map(({ ramp }) => new RampReader(ramp, pixels, COMPRESSED.near));
  const times = new Float64Array(size * found.length);
  const places: number[][] = Array.from({ length: size }, () => []);
  for (let i = 0; i < of.length; i++) {
    const label = of[i] < 0 ? ground.labelOf(i) : -1;
    if (label >= 0) places[label].push(i);
  }
  for (let k = 0; k < size; k++) {
    const step = Math.max(1, Math.floor(places[k].length / MOST_SAMPLES));
    const sums = new Float64Array(found.length);
    let own = 0;
    for (let n = 0; n < places[k].length; n += step) {
      const i = places[k][n];
      const x = i % pixels.width;
      for (let c = 0; c < 4; c++) own += (pixels.rgba[i * 4 + c] - ground.channels[k * 4 + c]) ** 2;
      for (let r = 0; r < sums.length; r++) sums[r] += readers[r].distanceSq(x, (i - x) / pixels.width);
    }
    for (let r = 0; r < sums.length; r++) times[k * sums.length + r] = own > 0 ? sums[r] / own : Infinity;
  }
  const shared = new Int32Array(size).fill(-1);
  const seen = new Uint8Array(found.length);
  for (const most of [MOST_TIMES, MOST_TIMES_MORE]) {
    for (let k = 0; k < size; k++) {
      if (shared[k] >= 0) continue;
      let least = most;
      for (let r = 0; r < found.length; r++) {
        if (times[k * found.length + r] >= least || (most > MOST_TIMES && seen[r] === 0)) continue;
        least = times[k * found.length + r];
        shared[k] = r;
      }
    }
    for (const ramp of shared) if (ramp >= 0) seen[ramp] = 1;
  }
  return shared;
}

/** The ramps with the pixels of colors that they share. */
export function withSharedColors(pixels: WorkingPixels, ramps: Ramps, ground: Ground, shared: Int32Array): Ramps {
  const of = Int32Array.from(ramps.of);
  const readers = ramps.found.map(({ ramp }) => new RampReader(ramp, pixels, COMPRESSED.near));
  for (let i = 0; i < of.length; i++) {
    const label = of[i] < 0 ? ground.labelOf(i) : -1;
    const ramp = label < 0 ? -1 : shared[label];
    if (ramp < 0) continue;
    const x = i % pixels.width;
    if (readers[ramp].distanceSq(x, (i - x) / pixels.width) <= LEVELS_SQ) of[i] = ramp;
  }
  return { ...ramps, of };
}
