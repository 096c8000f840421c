import type { WorkingPixels } from '../intake/working-pixels.js';
import type { FoundRamp, Ramps } from './find-ramps.js';
import { LayerFitter } from './fit-layers.js';
import type { FittedRamp } from './fit-ramp.js';
import { CLEAN, LEFT_OVER } from './limits.js';
import { RampArea } from './ramp-area.js';
import { gradientPaint } from './ramp-paint.js';
import type { RampSamples } from './ramp-profile.js';
import { RampReader, readersOf } from './ramp-reader.js';
import { STEEPEST } from './seeds.js';

/** Areas hang together by steps of so many levels: edges of shapes in nearly their color have larger ones. */
const STEP = STEEPEST / 2;
const LEAST_AREA_PX = 300;
/** Areas that are looked at, the largest: each takes a tenth of a second. */
const MOST_AREAS = 24;
/** Samples that layers are solved for by, and how many there must be at least. */
const SAMPLES = 300;
const LEAST_SAMPLES = 120;
/** Areas in one piece this near to its ramp, levels, and of which no more than this share is none's, are drawn well as they are. */
const WELL_RMS = 1;
const WELL_LEFT = 0.05;
/** Of others in one piece layers leave no more than this share of what it does, or are not worth their numbers. */
const ONE_FACTOR = 0.5;
/** Levels that a pixel is off which no ramp explains. */
const NONE_LEVELS = 16;
/** Layers may leave so many times what the pieces do, as seams between these are seen by more than how far off they are; always so much, and never more than ramps that are not exact may, levels. */
const SEAM_FACTOR = 1.25;
const FINE_RMS = 1.2;
const MOST_RMS = LEFT_OVER.mostRms;
/** What is so near to the layers of its area, levels, is theirs: a piece that begins there would be seen by its seam. */
const OWN_LEVELS = 20;
/** Pieces of which no more than this is left are none. */
const LEAST_LEFT_PX = 144;

/**
 * Where ramps that come near to their pixels, and no nearer, lie side by side, gradients may lie on each other: an opaque one, and others that fade out on
 * it. Gives the pixels of such areas to one ramp of several layers each, where these leave about as little as the pieces; there are no seams between them then.
 */
export function layRamps(pixels: WorkingPixels, ramps: Ramps): Ramps {
  const { of, found } = ramps;
  const { width } = pixels;
  const isOpen = (r: number) => r >= 0 && found[r].ramp.shape.kind !== 'box' && !found[r].isThin;
  const isInexact = (r: number) => isOpen(r) && found[r].ramp.profile.rms > CLEAN.mostRms;
  if (!found.some((_, r) => isInexact(r))) return ramps;
  const closed = of.map((r) => (isOpen(r) ? -1 : r));
  const area = new RampArea(pixels, closed);
  const areas = findAreas(area, of, width, isOpen, isInexact);
  const layered: FoundRamp[] = [];
  const next = Int32Array.from(of);
  const readers = readersOf(found, pixels, LEFT_OVER.near);
  const tried = areas.starts
    .map((_, n) => n)
    .filter((n) => areas.sizes[n] >= LEAST_AREA_PX && areas.isInexact[n])
    .sort((a, b) => areas.sizes[b] - areas.sizes[a])
    .slice(0, MOST_AREAS);
  for (const n of tried) {
    area.flood(areas.starts[n], STEP);
    const samples = area.samples(SAMPLES);
    if (samples.count < LEAST_SAMPLES || !isOpaque(samples)) continue;
    const most = mostLeft(samples, of, width, readers);
    if (most === undefined) continue;
    const fitted = new LayerFitter(samples).fit(most);
    if (fitted === undefined) continue;
    const [base, ...over] = fitted.layers;
    const ramp: FittedRamp = { shape: base.shape, profile: { ...base.profile, rms: fitted.rms }, over };
    const reader = new RampReader(ramp, pixels, LEFT_OVER.near);
    const isNear = (i: number) => reader.isNear(i % width, Math.floor(i / width));
    const from = area.stack.subarray(0, area.size).find(isNear);
    if (from === undefined) continue;
    area.grow(ramp, LEFT_OVER.near, from, Infinity);
    // What is an area of its own is no other's, though one may go on as it begins.
    area.leave((i) => areas.of[i] >= 0 && areas.of[i] !== n && areas.sizes[areas.of[i]] >= LEAST_AREA_PX);
    const number = found.length + layered.length;
    area.keep(number);
    for (let k = 0; k < area.size; k++) next[area.stack[k]] = number;
    const own = new RampReader(ramp, pixels, OWN_LEVELS);
    for (let i = 0; i < of.length; i++)
      if (areas.of[i] === n && closed[i] < 0 && own.isNear(i % width, Math.floor(i / width)))
        next[i] = closed[i] = number;
    const paints = fitted.layers.map(({ shape, profile }) => gradientPaint(shape, profile));
    layered.push({ ramp, paints, isSolid: true, isThin: false });
  }
  return layered.length === 0 ? ramps : withoutRests({ of: next, found: [...found, ...layered] }, of);
}

/** What hangs together by small steps. */
interface Areas {
  /** Per pixel the area it is of, -1 for none. */
  readonly of: Int32Array;
  /** Of each the first pixel, how many it has, and whether a ramp in it is not exact. */
  readonly starts: readonly number[];
  readonly sizes: readonly number[];
  readonly isInexact: readonly boolean[];
}

/** The areas that open ramps are in. Even places are flooded to from nowhere: each is of the area beside it, if there is one by then. */
function findAreas(
  area: RampArea,
  of: Int32Array,
  width: number,
  isOpen: (ramp: number) => boolean,
  isInexact: (ramp: number) => boolean,
): Areas {
  const areaOf = new Int32Array(of.length).fill(-1);
  const starts: number[] = [];
  const sizes: number[] = [];
  const areInexact: boolean[] = [];
  const areaBeside = (i: number): number => {
    const x = i % width;
    if (x > 0 && areaOf[i - 1] >= 0) return areaOf[i - 1];
    if (x + 1 < width && areaOf[i + 1] >= 0) return areaOf[i + 1];
    if (i >= width && areaOf[i - width] >= 0) return areaOf[i - width];
    return i + width < of.length ? areaOf[i + width] : -1;
  };
  for (let i = 0; i < of.length; i++) {
    if (areaOf[i] >= 0 || !isOpen(of[i])) continue;
    const beside = area.isEven(i) ? areaBeside(i) : -1;
    if (beside >= 0) {
      areaOf[i] = beside;
      continue;
    }
    area.flood(i, STEP);
    let hasInexact = false;
    for (let k = 0; k < area.size; k++) {
      areaOf[area.stack[k]] = starts.length;
      hasInexact ||= isInexact(of[area.stack[k]]);
    }
    starts.push(i);
    sizes.push(area.size);
    areInexact.push(hasInexact);
  }
  return { of: areaOf, starts, sizes, isInexact: areInexact };
}

const isOpaque = ({ channels }: RampSamples): boolean => channels.every((value, k) => k % 4 !== 3 || value === 255);

/** How far off layers may be at samples, root mean square, levels, to be drawn in place of the ramps that are there; undefined where those do well. */
function mostLeft(
  { count, x, y }: RampSamples,
  of: Int32Array,
  width: number,
  readers: readonly RampReader[],
): number | undefined {
  let sum = 0;
  let none = 0;
  const seen = new Set<number>();
  for (let k = 0; k < count; k++) {
    const [u, v] = [Math.floor(x[k]), Math.floor(y[k])];
    const r = of[v * width + u];
    if (r < 0) none++;
    else seen.add(r);
    const cap = 3 * NONE_LEVELS * NONE_LEVELS;
    sum += r < 0 ? cap : Math.min(cap, readers[r].distanceSq(u, v));
  }
  const rms = Math.sqrt(sum / (3 * count));
  if (seen.size === 1 && none <= WELL_LEFT * count) return rms <= WELL_RMS ? undefined : rms * ONE_FACTOR;
  return Math.min(MOST_RMS, Math.max(FINE_RMS, rms * SEAM_FACTOR));
}

/** Without ramps that have no pixel any more, or few of those that they had. */
function withoutRests({ of, found }: Ramps, before: Int32Array): Ramps {
  const counts = new Int32Array(found.length);
  const had = new Int32Array(found.length);
  for (let i = 0; i < of.length; i++) {
    if (of[i] >= 0) counts[of[i]]++;
    if (before[i] >= 0) had[before[i]]++;
  }
  const number = new Int32Array(found.length).fill(-1);
  const kept = found.filter((_, r) => counts[r] > 0 && (counts[r] >= had[r] || counts[r] >= LEAST_LEFT_PX));
  kept.forEach((ramp, k) => {
    number[found.indexOf(ramp)] = k;
  });
  return { of: of.map((r) => (r < 0 ? -1 : number[r])), found: kept };
}
