/** Fits one cubic to a few samples: what CubicFitter does for each candidate. */
import { FIT_ENDS, FIT_ERROR, FIT_LARGEST, FIT_PARAMETERS, FIT_RESULT, FIT_SAMPLES } from './kernel-layout';

/** A round that leaves more than this share of the error is the last. */
const LITTLE_GAIN: f64 = 0.9;
/** Handles shorter than this share of the chord make cusps, longer than this multiple of the arc make loops. */
const SHORTEST_HANDLE: f64 = 0.02;
const LONGEST_HANDLE: f64 = 1.2;

function pair(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}

function lengthOf(way: v128): f64 {
  const squares = f64x2.mul(way, way);
  return sqrt(f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1));
}

function dot(a: v128, b: v128): f64 {
  const products = f64x2.mul(a, b);
  return f64x2.extract_lane(products, 0) + f64x2.extract_lane(products, 1);
}

/** The first of two numbers, twice, and the second. */
function firstOf(a: v128): v128 {
  return v128.shuffle<f64>(a, a, 0, 0);
}

function secondOf(a: v128): v128 {
  return v128.shuffle<f64>(a, a, 1, 1);
}

function scaled(v: v128, by: f64): v128 {
  return f64x2.mul(v, f64x2.splat(by));
}

/**
 * Fits `count` samples (x and y in turn) between the ends, in at most `most` rounds, as CubicFitter.fit says; writes the handles' lengths, the
 * largest distance and the sum of squares.
 */
export function fitCubic(count: i32, tolerance: f64, most: i32): void {
  const start = v128.load(FIT_ENDS);
  const along0 = v128.load(FIT_ENDS, 16);
  const finish = v128.load(FIT_ENDS, 32);
  const along1 = v128.load(FIT_ENDS, 48);
  const chord = lengthOf(f64x2.sub(finish, start));
  // The samples' parameters, at first from the way between them.
  let length: f64 = 0;
  let before = start;
  for (let k = 0; k < count; k++) {
    const sample = v128.load(FIT_SAMPLES + ((<usize>k) << 4));
    length += lengthOf(f64x2.sub(sample, before));
    before = sample;
    store<f64>(FIT_PARAMETERS + ((<usize>k) << 3), length);
  }
  length += lengthOf(f64x2.sub(finish, before));
  if (length < 1e-9) length = 1e-9;
  for (let k = 0; k < count; k++) {
    const at = FIT_PARAMETERS + ((<usize>k) << 3);
    store<f64>(at, load<f64>(at) / length);
  }
  let d0 = chord / 3;
  let d1 = chord / 3;
  let largest: f64 = 0;
  let error: f64 = 0;
  let errorBefore: f64 = Infinity;
  const cross = f64x2.splat(-dot(along0, along1));
  const one = f64x2.splat(1);
  const three = f64x2.splat(3);
  const startX = firstOf(start);
  const startY = secondOf(start);
  const finishX = firstOf(finish);
  const finishY = secondOf(finish);
  const alongX0 = firstOf(along0);
  const alongY0 = secondOf(along0);
  const alongX1 = firstOf(along1);
  const alongY1 = secondOf(along1);
  // Two samples at a time; where they are odd, there is room for one that counts for nothing.
  for (let round = 1; round <= most; round++) {
    const isLast = round === most;
    let a00: f64 = 0;
    let a01: f64 = 0;
    let a11: f64 = 0;
    let b0: f64 = 0;
    let b1: f64 = 0;
    for (let k = 0; k < count; k += 2) {
      const t = v128.load(FIT_PARAMETERS + ((<usize>k) << 3));
      const u = f64x2.sub(one, t);
      const w1 = f64x2.mul(f64x2.mul(f64x2.mul(three, u), u), t);
      const w2 = f64x2.mul(f64x2.mul(f64x2.mul(three, u), t), t);
      const atStart = f64x2.add(f64x2.mul(f64x2.mul(u, u), u), w1);
      const atEnd = f64x2.add(w2, f64x2.mul(f64x2.mul(t, t), t));
      const sample = v128.load(FIT_SAMPLES + ((<usize>k) << 4));
      const next = v128.load(FIT_SAMPLES + ((<usize>k) << 4), 16);
      const x = v128.shuffle<f64>(sample, next, 0, 2);
      const y = v128.shuffle<f64>(sample, next, 1, 3);
      const offX = f64x2.sub(f64x2.sub(x, f64x2.mul(startX, atStart)), f64x2.mul(finishX, atEnd));
      const offY = f64x2.sub(f64x2.sub(y, f64x2.mul(startY, atStart)), f64x2.mul(finishY, atEnd));
      const ofStart = f64x2.mul(w1, f64x2.add(f64x2.mul(alongX0, offX), f64x2.mul(alongY0, offY)));
      const ofEnd = f64x2.mul(w2, f64x2.add(f64x2.mul(alongX1, offX), f64x2.mul(alongY1, offY)));
      const squares1 = f64x2.mul(w1, w1);
      const products = f64x2.mul(f64x2.mul(w1, w2), cross);
      const squares2 = f64x2.mul(w2, w2);
      a00 += f64x2.extract_lane(squares1, 0);
      a01 += f64x2.extract_lane(products, 0);
      a11 += f64x2.extract_lane(squares2, 0);
      b0 += f64x2.extract_lane(ofStart, 0);
      b1 -= f64x2.extract_lane(ofEnd, 0);
      if (k + 1 === count) break;
      a00 += f64x2.extract_lane(squares1, 1);
      a01 += f64x2.extract_lane(products, 1);
      a11 += f64x2.extract_lane(squares2, 1);
      b0 += f64x2.extract_lane(ofStart, 1);
      b1 -= f64x2.extract_lane(ofEnd, 1);
    }
    const determinant = a00 * a11 - a01 * a01;
    if (count >= 2 && determinant > 1e-9 * a00 * a11) {
      d0 = (b0 * a11 - b1 * a01) / determinant;
      d1 = (a00 * b1 - a01 * b0) / determinant;
    } else {
      d0 = chord / 3;
      d1 = chord / 3;
    }
    const shortest = chord * SHORTEST_HANDLE;
    if (!(d0 > shortest)) d0 = chord / 3;
    if (!(d1 > shortest)) d1 = chord / 3;
    if (d0 > length * LONGEST_HANDLE) d0 = length;
    if (d1 > length * LONGEST_HANDLE) d1 = length;

    const p1 = f64x2.add(start, scaled(along0, d0));
    const p2 = f64x2.sub(finish, scaled(along1, d1));
    const side0 = f64x2.sub(p1, start);
    const side1 = f64x2.sub(p2, p1);
    const side2 = f64x2.sub(finish, p2);
    const bend0 = f64x2.add(f64x2.sub(p2, scaled(p1, 2)), start);
    const bend1 = f64x2.add(f64x2.sub(finish, scaled(p2, 2)), p1);
    largest = 0;
    error = 0;
    for (let k = 0; k < count; k += 2) {
      const at = FIT_PARAMETERS + ((<usize>k) << 3);
      const t = v128.load(at);
      const u = f64x2.sub(one, t);
      const sample = v128.load(FIT_SAMPLES + ((<usize>k) << 4));
      const next = v128.load(FIT_SAMPLES + ((<usize>k) << 4), 16);
      const w0 = f64x2.mul(f64x2.mul(u, u), u);
      const w1 = f64x2.mul(f64x2.mul(f64x2.mul(three, u), u), t);
      const w2 = f64x2.mul(f64x2.mul(f64x2.mul(three, u), t), t);
      const w3 = f64x2.mul(f64x2.mul(t, t), t);
      let x = f64x2.add(f64x2.mul(startX, w0), f64x2.mul(firstOf(p1), w1));
      let y = f64x2.add(f64x2.mul(startY, w0), f64x2.mul(secondOf(p1), w1));
      x = f64x2.add(f64x2.add(x, f64x2.mul(firstOf(p2), w2)), f64x2.mul(finishX, w3));
      y = f64x2.add(f64x2.add(y, f64x2.mul(secondOf(p2), w2)), f64x2.mul(finishY, w3));
      const offX = f64x2.sub(x, v128.shuffle<f64>(sample, next, 0, 2));
      const offY = f64x2.sub(y, v128.shuffle<f64>(sample, next, 1, 3));
      const uu = f64x2.mul(u, u);
      const ut = f64x2.mul(f64x2.mul(f64x2.splat(2), u), t);
      const tt = f64x2.mul(t, t);
      let speedX = f64x2.add(f64x2.mul(firstOf(side0), uu), f64x2.mul(firstOf(side1), ut));
      let speedY = f64x2.add(f64x2.mul(secondOf(side0), uu), f64x2.mul(secondOf(side1), ut));
      speedX = f64x2.mul(f64x2.add(speedX, f64x2.mul(firstOf(side2), tt)), three);
      speedY = f64x2.mul(f64x2.add(speedY, f64x2.mul(secondOf(side2), tt)), three);
      const speedSq = f64x2.add(f64x2.mul(speedX, speedX), f64x2.mul(speedY, speedY));
      if (!isLast) {
        const bendX = f64x2.add(f64x2.mul(firstOf(bend0), u), f64x2.mul(firstOf(bend1), t));
        const bendY = f64x2.add(f64x2.mul(secondOf(bend0), u), f64x2.mul(secondOf(bend1), t));
        const ofX = f64x2.mul(offX, f64x2.mul(bendX, f64x2.splat(6)));
        const ofY = f64x2.mul(offY, f64x2.mul(bendY, f64x2.splat(6)));
        const curvature = f64x2.add(f64x2.add(speedSq, ofX), ofY);
        const along = f64x2.add(f64x2.mul(offX, speedX), f64x2.mul(offY, speedY));
        let moved = f64x2.sub(t, f64x2.div(along, curvature));
        moved = v128.bitselect(f64x2.splat(0), moved, f64x2.lt(moved, f64x2.splat(0)));
        moved = v128.bitselect(one, moved, f64x2.gt(moved, one));
        v128.store(at, v128.bitselect(moved, t, f64x2.gt(curvature, f64x2.splat(1e-9))));
      }
      const across = f64x2.sub(f64x2.mul(offX, speedY), f64x2.mul(offY, speedX));
      const per = v128.bitselect(f64x2.splat(1e-18), speedSq, f64x2.eq(speedSq, f64x2.splat(0)));
      const distancesSq = f64x2.div(f64x2.mul(across, across), per);
      let distanceSq = f64x2.extract_lane(distancesSq, 0);
      error += distanceSq;
      if (distanceSq > largest) largest = distanceSq;
      if (k + 1 === count) break;
      distanceSq = f64x2.extract_lane(distancesSq, 1);
      error += distanceSq;
      if (distanceSq > largest) largest = distanceSq;
    }
    largest = sqrt(largest);
    if (round > 1 && (largest > tolerance * 3 || largest < tolerance * 0.15 || error > LITTLE_GAIN * errorBefore))
      break;
    errorBefore = error;
  }
  v128.store(FIT_RESULT, pair(d0, d1));
  store<f64>(FIT_LARGEST, largest);
  store<f64>(FIT_ERROR, error);
}
