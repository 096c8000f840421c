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
  const cross = -dot(along0, along1);
  for (let round = 1; round <= most; round++) {
    const isLast = round === most;
    let a00: f64 = 0;
    let a01: f64 = 0;
    let a11: f64 = 0;
    let b0: f64 = 0;
    let b1: f64 = 0;
    for (let k = 0; k < count; k++) {
      const t = load<f64>(FIT_PARAMETERS + ((<usize>k) << 3));
      const u = 1 - t;
      const w1 = 3 * u * u * t;
      const w2 = 3 * u * t * t;
      const atStart = u * u * u + w1;
      const atEnd = w2 + t * t * t;
      const sample = v128.load(FIT_SAMPLES + ((<usize>k) << 4));
      const off = f64x2.sub(f64x2.sub(sample, scaled(start, atStart)), scaled(finish, atEnd));
      a00 += w1 * w1;
      a01 += w1 * w2 * cross;
      a11 += w2 * w2;
      b0 += w1 * dot(along0, off);
      b1 -= w2 * dot(along1, off);
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
    for (let k = 0; k < count; k++) {
      const at = FIT_PARAMETERS + ((<usize>k) << 3);
      const t = load<f64>(at);
      const u = 1 - t;
      const sample = v128.load(FIT_SAMPLES + ((<usize>k) << 4));
      const w0 = u * u * u;
      const w1 = 3 * u * u * t;
      const w2 = 3 * u * t * t;
      const w3 = t * t * t;
      let point = f64x2.add(scaled(start, w0), scaled(p1, w1));
      point = f64x2.add(f64x2.add(point, scaled(p2, w2)), scaled(finish, w3));
      const off = f64x2.sub(point, sample);
      let speed = f64x2.add(scaled(side0, u * u), scaled(side1, 2 * u * t));
      speed = scaled(f64x2.add(speed, scaled(side2, t * t)), 3);
      const speedSq = dot(speed, speed);
      if (!isLast) {
        const bend = scaled(f64x2.add(scaled(bend0, u), scaled(bend1, t)), 6);
        const bends = f64x2.mul(off, bend);
        const curvature = speedSq + f64x2.extract_lane(bends, 0) + f64x2.extract_lane(bends, 1);
        if (curvature > 1e-9) {
          const moved = t - dot(off, speed) / curvature;
          store<f64>(at, moved < 0 ? 0 : moved > 1 ? 1 : moved);
        }
      }
      const across =
        f64x2.extract_lane(off, 0) * f64x2.extract_lane(speed, 1) -
        f64x2.extract_lane(off, 1) * f64x2.extract_lane(speed, 0);
      const distanceSq = (across * across) / (speedSq !== 0 ? speedSq : 1e-18);
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
