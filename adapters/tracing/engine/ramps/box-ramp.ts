import type { EnginePaint } from '../types.js';
import { type BlurredBox, locateBlurredBox } from './blurred-box.js';
import type { FittedRamp, RampFitter } from './fit-ramp.js';
import { gradientPaint } from './ramp-paint.js';
import { fewer, knotBefore, partOf, picked, type RampProfile, type RampSamples } from './ramp-profile.js';
import { RampRuler, type RampShape } from './ramp-shape.js';

/** Insets of the core from the box of the samples that the search begins with, as shares of its shorter half. */
const INSETS: readonly number[] = [0.15, 0.3, 0.5, 0.75];
/** Boxes less than this wide or high are none, px. */
const LEAST_SIDE_PX = 20;
const ROUNDS = 24;
const FIRST_STEP = 0.1;
const LEAST_STEP_PX = 0.25;
/** What a blurred rectangle's corners are off circles, as shares of its change: root mean square, and at most. */
const RMS_SHARE = 0.022;
const NEAR_SHARE = 0.12;
/** And root mean square where it is nearer than what else was found by this factor: of sharp corners under little blur. */
const FAR_RMS_SHARE = 0.026;
const FAR_BETTER_FACTOR = 0.2;
/** Share of the samples that a box must explain; the others are of edges that it meets. */
const LEAST_EXPLAINED = 0.8;
/** A profile that falls by this share, and so many levels, further in has been left. */
const FALLING_SHARE = 0.04;
const FALLING_LEVELS = 1;
/** Half the core's longer side is this at least, px: what is around a point is radial. */
const LEAST_HALF_PX = 12;
/** Sides that samples must be beyond, each with this share of them. */
const LEAST_SIDES = 3;
const LEAST_SIDE_SHARE = 0.05;
/** What changes by less (levels) is not worth nine pieces; what changes by more than this share within a px is an edge. */
const LEAST_CHANGE = 12;
const STEEPEST_SHARE = 0.3;
/** Nor does a step as large as this share of it, over a knot or two, change as many times as much as what is beside it, unless it is nearly all: blurred edges have none. */
const SUDDEN_SHARE = 0.1;
const ALL_SHARE = 0.6;
const SUDDEN_TIMES = 3;
/** All that changes along the way of what fades is this factor of the change at most, and so many levels. */
const ONE_WAY = 1.01;
const ONE_WAY_LEVELS = 3;
/** Of less (levels) an even ground changes from knot to knot, by what of other shadows comes near to it. */
const NO_STEP = 0.5;
/** So near (levels) to what it ends with, at so many knots in turn, it has faded. */
const FADED_LEVELS = 0.75;
const FADED_KNOTS = 3;
/** A box must be nearer than what else was found by this factor. */
const BETTER_FACTOR = 0.7;
/** How far within the sides of a blurred rectangle cores are tried, in its blur, beyond its radius; and how much farther it may be from a ramp around one. */
const CORE_SIGMAS: readonly number[] = [0.25, 0.75, 1.25, 1.75, 2.25, 3];
const LOCATED_FACTOR = 1.5;
/** Most areas are none, which so few samples tell, where the best box among these is farther than allowed by this factor. */
const TRYING_SAMPLES = 160;
const TRYING_FACTOR = 2;
/** Or explains less than this share of them. */
const LEAST_TRIED = 0.6;

/**
 * The box ramp nearest to samples: an upright rectangle around which the color changes with the distance from it, which a blurred
 * rectangle or rounded rectangle comes to. Its sides lie on whole pixels. Undefined where none explains nearly all samples, and
 * better than `other` does; `mostRms` is how near it must be, levels, where the change is slight. Where there is an even `ground` (four channels, premultiplied) that samples
 * fade into, a blurred rectangle is located first.
 */
export function fitBox(
  fitter: RampFitter,
  samples: RampSamples,
  other: FittedRamp,
  mostRms: number,
  ground?: ArrayLike<number>,
): FittedRamp | undefined {
  const located = ground && locateBlurredBox(samples, ground);
  if (located !== undefined) return rampOf(fitter, located, other, mostRms);
  const few = fewer(samples, TRYING_SAMPLES);
  if (few !== samples && !mayBeBox(fitter, few, other, mostRms)) return undefined;
  const found = nearestBox(fitter, samples);
  if (found === undefined) return undefined;
  const { box, near } = found;
  const least = samples.count * LEAST_EXPLAINED;
  if (near.count < least) return undefined;
  const beyond = samplesBeyondPeak(near, fitter.refit(near, box));
  const explained = beyond.count < least ? near : beyond;
  const ramp = fitter.refit(explained, box);
  if (!hasSides(explained, box)) return undefined;
  const isNear = ramp.profile.rms <= farthestOf(ramp, other, mostRms);
  return isNear && isSoft(ramp.profile) && ramp.profile.rms <= other.profile.rms * BETTER_FACTOR ? ramp : undefined;
}

/** The ramp of a blurred rectangle: around that core within it by which its samples differ least from what is as far from it. */
function rampOf(fitter: RampFitter, located: BlurredBox, other: FittedRamp, mostRms: number): FittedRamp | undefined {
  const { left, top, right, bottom, sigma, radius, near } = located;
  const shorter = Math.min(right - left, bottom - top) / 2;
  let box: RampShape | undefined;
  let least = Infinity;
  for (const sigmas of CORE_SIGMAS) {
    const inset = Math.min(shorter, radius + sigmas * sigma);
    const tried = boxBetween(
      Math.round(left + inset),
      Math.round(top + inset),
      Math.round(right - inset),
      Math.round(bottom - inset),
    );
    const rms = fitter.rmsOf(near, tried);
    if (rms >= least) continue;
    least = rms;
    box = tried;
  }
  if (box === undefined || Math.max(box.core!.halfWidth, box.core!.halfHeight) < LEAST_HALF_PX) return undefined;
  const ramp = fitter.refit(near, box);
  const isNear = ramp.profile.rms <= farthestOf(ramp, other, mostRms) * LOCATED_FACTOR;
  return isNear && hasSides(near, box) && changeOf(ramp.profile) >= LEAST_CHANGE ? ramp : undefined;
}

/** Whether some of an area's samples could be of a box. */
function mayBeBox(fitter: RampFitter, few: RampSamples, other: FittedRamp, mostRms: number): boolean {
  const found = nearestBox(fitter, few);
  if (found === undefined || found.near.count < few.count * LEAST_TRIED) return false;
  const ramp = fitter.refit(found.near, found.box);
  const most = Math.min(farthestOf(ramp, other, mostRms), other.profile.rms * BETTER_FACTOR);
  return ramp.profile.rms <= most * TRYING_FACTOR;
}

/** The box nearest to samples, its sides on whole pixels, and the samples that are near to it; undefined where it would be too small. */
function nearestBox(
  fitter: RampFitter,
  samples: RampSamples,
): { readonly box: RampShape; readonly near: RampSamples } | undefined {
  const first = search(fitter, samples);
  if (first === undefined) return undefined;
  const near = samplesNear(samples, fitter.refit(samples, first));
  const { cx, cy, core } = search(fitter, near) ?? first;
  const { halfWidth, halfHeight } = core!;
  if (Math.max(halfWidth, halfHeight) < LEAST_HALF_PX) return undefined;
  const box = boxBetween(
    Math.round(cx - halfWidth),
    Math.round(cy - halfHeight),
    Math.round(cx + halfWidth),
    Math.round(cy + halfHeight),
  );
  return { box, near };
}

/** How far a box may be from its samples, root mean square, levels. */
function farthestOf({ profile }: FittedRamp, other: FittedRamp, mostRms: number): number {
  const share = profile.rms <= other.profile.rms * FAR_BETTER_FACTOR ? FAR_RMS_SHARE : RMS_SHARE;
  return Math.max(mostRms, share * changeOf(profile));
}

/** Whether samples lie beyond three sides of the core at least: what is beyond one, or two, is linear or radial. */
function hasSides({ x, y, count }: RampSamples, { cx, cy, core }: RampShape): boolean {
  const beyond = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const u = Math.abs(x[i] - cx) - core!.halfWidth;
    const v = Math.abs(y[i] - cy) - core!.halfHeight;
    if (u > 0 && u >= v) beyond[x[i] < cx ? 0 : 1]++;
    else if (v > 0) beyond[y[i] < cy ? 2 : 3]++;
  }
  return beyond.filter((side) => side >= count * LEAST_SIDE_SHARE).length >= LEAST_SIDES;
}

/** Whether colors change by much, and nowhere by most of it at once. */
function isSoft(profile: RampProfile): boolean {
  const { knots, values } = profile;
  const change = changeOf(profile);
  if (change < LEAST_CHANGE) return false;
  for (let k = 0; k + 1 < knots.length; k++) {
    const most = change * STEEPEST_SHARE * (knots[k + 1] - knots[k]);
    for (let c = 0; c < 4; c++) if (stepAt(values, k, c) > most) return false;
  }
  return true;
}

/** Whether colors along a box change as what is blurred does: not to and fro, and in no place much more than beside it. */
export function isGradual(profile: RampProfile): boolean {
  const change = changeOf(profile);
  for (let c = 0; c < 4; c++) {
    const steps = profile.knots.length - 1;
    const at = (k: number) => (k >= 0 && k < steps ? stepAt(profile.values, k, c) : 0);
    let sum = 0;
    for (let k = 0; k < steps; k++) {
      if (at(k) > NO_STEP) sum += at(k);
      for (const more of [0, 1]) {
        const step = at(k) + more * at(k + 1);
        const before = at(k - 1) + more * at(k - 2);
        const behind = at(k + 1 + more) + more * at(k + 2 + more);
        const isPart = step > SUDDEN_SHARE * change && step < ALL_SHARE * change;
        if (isPart && step > SUDDEN_TIMES * Math.max(before, behind)) return false;
      }
    }
    if (sum > ONE_WAY * change + ONE_WAY_LEVELS) return false;
  }
  return true;
}

/** Where along a box its colors have come to what they end with, px; where they never do, its end. */
export function fadeEnd({ knots, values }: RampProfile): number {
  const last = knots.length - 1;
  const isFaded = (k: number) => {
    for (let c = 0; c < 4; c++)
      if (Math.abs(premultiplied(values, k, c) - premultiplied(values, last, c)) > FADED_LEVELS) return false;
    return true;
  };
  for (let k = 0, faded = 0; k <= last; k++) {
    faded = isFaded(k) ? faded + 1 : 0;
    if (faded === FADED_KNOTS) return knots[k - 1];
  }
  return knots[last];
}

/** By how much a channel changes from a knot to the next. */
function stepAt(values: Float64Array, knot: number, channel: number): number {
  return Math.abs(premultiplied(values, knot + 1, channel) - premultiplied(values, knot, channel));
}

/** The samples that are near enough to a box to be of it. */
function samplesNear(samples: RampSamples, box: FittedRamp): RampSamples {
  const { knots, values } = box.profile;
  const { channels } = samples;
  const most = nearnessOf(box, 0);
  return samplesWhere(samples, box.shape, (i, position) => {
    const k = knotBefore(knots, position);
    const f = partOf(knots, k, position);
    const alpha = channels[i * 4 + 3] / 255;
    for (let c = 0; c < 4; c++) {
      const off = channels[i * 4 + c] - values[k * 4 + c] - f * (values[k * 4 + 4 + c] - values[k * 4 + c]);
      if (Math.abs(off) * (c === 3 ? 1 : alpha) > most) return false;
    }
    return true;
  });
}

/** What is blurred changes one way only: the samples from where it begins to; further in are edges of what lies upon it. */
function samplesBeyondPeak(samples: RampSamples, { shape, profile }: FittedRamp): RampSamples {
  const { knots, values } = profile;
  const last = knots.length - 1;
  const awayFromEnd = (k: number) => {
    let sum = 0;
    for (let c = 0; c < 4; c++) sum += (premultiplied(values, k, c) - premultiplied(values, last, c)) ** 2;
    return Math.sqrt(sum);
  };
  let peak = last;
  for (let k = last; k >= 0; k--) {
    const away = awayFromEnd(k);
    if (away > awayFromEnd(peak)) peak = k;
    else if (away < awayFromEnd(peak) * (1 - FALLING_SHARE) - FALLING_LEVELS) break;
  }
  const from = peak === 0 ? -1 : knots[peak];
  return samplesWhere(samples, shape, (_, position) => position >= from);
}

function samplesWhere(
  samples: RampSamples,
  shape: RampShape,
  isTaken: (sample: number, position: number) => boolean,
): RampSamples {
  const ruler = new RampRuler(shape);
  const { x, y, count } = samples;
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (isTaken(i, ruler.at(x[i], y[i]))) kept.push(i);
  return picked(samples, kept.length, (k) => kept[k]);
}

function search(fitter: RampFitter, samples: RampSamples): RampShape | undefined {
  const { x, y, count } = samples;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  const shorter = Math.min(right - left, bottom - top) / 2;
  if (!(shorter * 2 >= LEAST_SIDE_PX)) return undefined;
  let best = boxBetween(left, top, right, bottom);
  let least = Infinity;
  for (const inset of INSETS) {
    const d = inset * shorter;
    const tried = boxBetween(left + d, top + d, right - d, bottom - d);
    const rms = fitter.rmsOf(samples, tried);
    if (rms >= least) continue;
    least = rms;
    best = tried;
  }
  for (let step = shorter * FIRST_STEP, round = 0; round < ROUNDS && step > LEAST_STEP_PX; round++) {
    const before = least;
    for (let side = 0; side < 4; side++) {
      for (let sign = 1; sign >= -1; sign -= 2) {
        const tried = moved(best, side, sign * step);
        const rms = tried === undefined ? Infinity : fitter.rmsOf(samples, tried);
        if (rms >= least - 1e-9) continue;
        least = rms;
        best = tried!;
        break;
      }
    }
    if (least > before * 0.98) step /= 2;
  }
  return best;
}

/** How far a pixel may be from a ramp to be of it, levels: farther from a box, which is only nearly what it stands for. */
export function nearnessOf({ shape, profile }: FittedRamp, near: number): number {
  return shape.kind === 'box' ? Math.max(near, NEAR_SHARE * changeOf(profile)) : near;
}

/** The part of a box that a pixel's center lies in, row by row from the upper left: 0 to 8, of which 4 is the core. */
export function partOfBox({ cx, cy, core }: RampShape, x: number, y: number): number {
  const { halfWidth, halfHeight } = core!;
  const column = x < cx - halfWidth ? 0 : x < cx + halfWidth ? 1 : 2;
  const row = y < cy - halfHeight ? 0 : y < cy + halfHeight ? 1 : 2;
  return row * 3 + column;
}

/**
 * What draws a part of a box: linear at its sides, radial at its corners, even within. All have the same stops, so that they meet
 * without a step.
 */
export function boxPaint(box: RampShape, part: number, stops: RampProfile): EnginePaint {
  const { halfWidth, halfHeight } = box.core!;
  const column = (part % 3) - 1;
  const row = Math.floor(part / 3) - 1;
  const x = box.cx + column * halfWidth;
  const y = box.cy + row * halfHeight;
  const kind = column !== 0 && row !== 0 ? 'circle' : 'linear';
  return gradientPaint({ ...box, kind, cx: x, cy: y, angle: Math.atan2(row, column) }, stops);
}

function premultiplied(values: Float64Array, knot: number, channel: number): number {
  const value = values[knot * 4 + channel];
  return channel === 3 ? value : (value * values[knot * 4 + 3]) / 255;
}

/** The largest change of a profile over the channels, premultiplied, levels. */
function changeOf({ values }: RampProfile): number {
  let most = 0;
  for (let c = 0; c < 4; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let at = 0; at < values.length; at += 4) {
      const v = premultiplied(values, at >> 2, c);
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    most = Math.max(most, high - low);
  }
  return most;
}

function boxBetween(left: number, top: number, right: number, bottom: number): RampShape {
  const core = { halfWidth: Math.max(0, right - left) / 2, halfHeight: Math.max(0, bottom - top) / 2 };
  const size = Math.max(right - left, bottom - top, 2);
  return { kind: 'box', cx: (left + right) / 2, cy: (top + bottom) / 2, angle: 0, squeeze: 1, size, core };
}

/** A box with one side elsewhere; undefined where nothing would be left of it. */
function moved({ cx, cy, core }: RampShape, side: number, by: number): RampShape | undefined {
  const { halfWidth, halfHeight } = core!;
  const left = cx - halfWidth + (side === 0 ? by : 0);
  const top = cy - halfHeight + (side === 1 ? by : 0);
  const right = cx + halfWidth + (side === 2 ? by : 0);
  const bottom = cy + halfHeight + (side === 3 ? by : 0);
  return right < left || bottom < top ? undefined : boxBetween(left, top, right, bottom);
}
