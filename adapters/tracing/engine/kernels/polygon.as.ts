/** The polygon of least cost through a row of samples, by dynamic programming over its vertices. */
import { LINE_SUMS, SAMPLE_SIGMA_PX, SCRATCH } from './kernel-layout';

/** What one polygon side is worth, in units of squared error over the noise variance. */
const SIDE_PRICE: f64 = 5;
/** One over the variance of a sample. */
const PER_SQUARE: f64 = 1 / (SAMPLE_SIGMA_PX * SAMPLE_SIGMA_PX);
/** A stretch whose samples lie farther (RMS) than this from a line is no side, px. */
const WORST_RMS_PX: f64 = 0.1;
const WORST_SQ: f64 = WORST_RMS_PX * WORST_RMS_PX;
/** Sides are at most this many samples long; a straight edge of more becomes several collinear ones. */
const LONGEST_SIDE: i32 = 160;
/** After so many starting points in a row that do not work, longer sides will not either. */
const GIVE_UP_AFTER: i32 = 3;
/** Bytes of a place of the prefix sums. */
const SUMS: usize = LINE_SUMS * 8;

let costs: usize = 0;
let leastCost: f64 = 0;

function placeOf(i: i32): usize {
  return SCRATCH + <usize>i * SUMS;
}

function costAt(i: i32): f64 {
  return load<f64>(costs + ((<usize>i) << 3));
}

/**
 * Of `count` samples (at least 2), whose prefix sums begin the room behind the layout; behind them the costs up to each, and the vertex before it. Returns how
 * many vertices there are; what they are is in that order behind all of this.
 */
export function findPolygon(count: i32): i32 {
  costs = placeOf(count + 1);
  const previous = costs + ((<usize>count) << 3);
  const vertices = previous + ((<usize>count) << 2);
  store<f64>(costs, 0);
  store<i32>(previous, 0);
  for (let j = 1; j < count; j++) {
    const first = j > LONGEST_SIDE ? j - LONGEST_SIDE : 0;
    const at = previous + ((<usize>j) << 2);
    // A likely start: with it nearly all others are dearer before their error is known.
    const from = cheapestStart(j, first, load<i32>(at - 4));
    store<f64>(costs + ((<usize>j) << 3), leastCost + SIDE_PRICE);
    store<i32>(at, from < 0 ? j - 1 : from);
  }
  let size = 1;
  for (let j = count - 1; j > 0; j = load<i32>(previous + ((<usize>j) << 2))) size++;
  let to = vertices + ((<usize>size) << 2);
  for (let j = count - 1; j > 0; j = load<i32>(previous + ((<usize>j) << 2))) {
    to -= 4;
    store<i32>(to, j);
  }
  store<i32>(vertices, 0);
  return size;
}

/**
 * The starting point i < j (down to `first`) of the side that ends at j for which the costs up to i and those of the side's errors are least, -1 for none, the
 * later one of equals. The sum itself is in `leastCost`.
 */
function cheapestStart(j: i32, first: i32, hint: i32): i32 {
  const end = placeOf(j + 1);
  const ex = load<f64>(end);
  const ey = load<f64>(end, 8);
  const exx = load<f64>(end, 16);
  const exy = load<f64>(end, 24);
  const eyy = load<f64>(end, 32);
  let from = -1;
  let least: f64 = Infinity;
  let failures = 0;
  if (hint >= first) {
    const error = errorOf(hint, j);
    if (error <= WORST_SQ * <f64>(j - hint + 1)) {
      least = costAt(hint) + error * PER_SQUARE;
      from = hint;
    }
  }
  let n: f64 = 2;
  let a = placeOf(j - 1);
  for (let i = j - 1; i >= first; i--, a -= SUMS, n += 1) {
    const before = costAt(i);
    if (before >= least) continue;
    const sx = ex - load<f64>(a);
    const sy = ey - load<f64>(a, 8);
    const each = 1 / n;
    const xx = exx - load<f64>(a, 16) - sx * sx * each;
    const xy = exy - load<f64>(a, 24) - sx * sy * each;
    const yy = eyy - load<f64>(a, 32) - sy * sy * each;
    const half = (xx - yy) / 2;
    const middle = (xx + yy) / 2;
    const squared = half * half + xy * xy;
    // The error is the middle less the root, which few are worth taking for.
    const over = middle - WORST_SQ * n;
    if (over > 0 && over * over > squared) {
      if (++failures >= GIVE_UP_AFTER) break;
      continue;
    }
    let error = middle - sqrt(squared);
    if (error < 0) error = 0;
    const total = before + error * PER_SQUARE;
    if (total < least) {
      least = total;
      from = i;
    }
  }
  leastCost = least;
  return from;
}

/** Sum of squared distances of samples i to j (both included) from the line that fits them best. */
function errorOf(i: i32, j: i32): f64 {
  const a = placeOf(i);
  const b = placeOf(j + 1);
  const n = <f64>(j - i + 1);
  const sx = load<f64>(b) - load<f64>(a);
  const sy = load<f64>(b, 8) - load<f64>(a, 8);
  const xx = load<f64>(b, 16) - load<f64>(a, 16) - (sx * sx) / n;
  const xy = load<f64>(b, 24) - load<f64>(a, 24) - (sx * sy) / n;
  const yy = load<f64>(b, 32) - load<f64>(a, 32) - (sy * sy) / n;
  const half = (xx - yy) / 2;
  const error = (xx + yy) / 2 - sqrt(half * half + xy * xy);
  return error > 0 ? error : 0;
}
