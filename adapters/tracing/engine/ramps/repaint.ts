import type { WorkingPixels } from '../intake/working-pixels.js';
import { changeRegions, type Regions } from '../segment/regions.js';
import type { RampReader } from './ramp-reader.js';

/** Share of a region's pixels that have no stand-in's color in them, for its own color to be none of these mixtures. */
const KEPT_SHARE = 0.8;
/**
 * Regions of up to so many px are compared with the ramp that they seem to be of: one whose pixels are farther from it than this (squared, four
 * channels, on average) and this many times as far as from their own mean is none of it.
 */
const STRANGER_PX = 400;
const STRANGER_SQ = 16 * 16;
const STRANGER_TIMES = 3;

/**
 * The regions, small ones in the mean color of their pixels where they have a stand-in's and are nothing of what it stands for: what lies
 * between two colors may look like the stand-in of a third.
 */
export function withoutStrangers(
  regions: Regions,
  standIns: Float64Array,
  same: number,
  { rgba, width }: WorkingPixels,
  readers: readonly RampReader[],
): Regions {
  const { count, of, areaPx } = regions;
  const rampOf = new Int32Array(count).fill(-1);
  let some = false;
  for (let r = 0; r < count; r++) {
    if (areaPx[r] > STRANGER_PX) continue;
    for (let k = 0; k < readers.length; k++)
      if (colorDistanceSq(regions.colors, r, standIns, k) < same * same) rampOf[r] = k;
    if (rampOf[r] >= 0) some = true;
  }
  if (!some) return regions;
  // Per region how far its pixels are from the ramp, and their sums and squares.
  const off = new Float64Array(count);
  const sums = new Float64Array(count * 4);
  const squares = new Float64Array(count);
  for (let i = 0; i < of.length; i++) {
    const r = of[i];
    if (rampOf[r] < 0) continue;
    off[r] += readers[rampOf[r]].distanceSq(i % width, Math.floor(i / width));
    for (let c = 0; c < 4; c++) {
      const value = rgba[i * 4 + c];
      sums[r * 4 + c] += value;
      squares[r] += value * value;
    }
  }
  const colors = Float64Array.from(regions.colors);
  for (let r = 0; r < count; r++) {
    if (rampOf[r] < 0) continue;
    const n = areaPx[r];
    let around = squares[r];
    for (let c = 0; c < 4; c++) around -= sums[r * 4 + c] ** 2 / n;
    if (off[r] <= n * STRANGER_SQ + STRANGER_TIMES * around) continue;
    for (let c = 0; c < 4; c++) colors[r * 4 + c] = sums[r * 4 + c] / n;
  }
  return changeRegions(regions, { colors });
}

/** Squared distance of two colors of four channels, by their numbers in two lists. */
export function colorDistanceSq(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let d = 0;
  for (let c = 0; c < 4; c++) d += (a[i * 4 + c] - b[j * 4 + c]) ** 2;
  return d;
}

/** The regions in the picture's own `words`, where they are not as `flattened`. */
export function inOwnColors(
  regions: Regions,
  known: Float64Array,
  same: number,
  words: Uint32Array,
  flattened: Uint32Array,
): Regions {
  const { count, of, areaPx } = regions;
  const colors = Float64Array.from(regions.colors);
  const isForeign = new Uint8Array(count);
  let foreign = 0;
  for (let r = 0; r < count; r++) {
    let nearest = Infinity;
    for (let k = 0; k * 4 < known.length; k++) nearest = Math.min(nearest, colorDistanceSq(colors, r, known, k));
    if (nearest < same * same) continue;
    isForeign[r] = 1;
    foreign++;
  }
  if (foreign === 0) return regions;
  // What was left as it is has found its own color: a thin line's is not the mean of its pixels.
  const kept = new Int32Array(count);
  for (let i = 0; i < of.length; i++) if (words[i] === flattened[i]) kept[of[i]]++;
  for (let r = 0; r < count; r++) {
    if (isForeign[r] === 0) continue;
    if (kept[r] >= KEPT_SHARE * areaPx[r]) isForeign[r] = 0;
    else colors.fill(0, r * 4, r * 4 + 4);
  }
  const rgba = new Uint8Array(words.buffer, words.byteOffset, words.length * 4);
  for (let i = 0; i < of.length; i++) {
    const r = of[i];
    if (isForeign[r] === 1) for (let c = 0; c < 4; c++) colors[r * 4 + c] += rgba[i * 4 + c] / areaPx[r];
  }
  return changeRegions(regions, { colors });
}
