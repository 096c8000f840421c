import { distance } from '../math/distance.js';
import { type ChainCurves, SEGMENT_CUBIC } from './curves.js';

/** Handles whose lengths are further apart than this factor stay as they are. */
const MOST_RATIO = 4;
/** Handles as alike as this need no other place for their vertex. */
const ALIKE_RATIO = 1.02;
/** Tangents that differ by less than this (radians) where two curves meet are one. */
const SMOOTH_TURN = 0.005;
/** A place for the vertex is bettered by ever smaller steps, as shares of the curve it moves into. */
const FIRST_STEP = 0.08;
const LEAST_STEP = 0.004;
const SIDES = [-1, 1];
/** Places that are off by more than this multiple of what is allowed are none to begin from. */
const FAR = 8;
/** Short curves move by no more than this share of both their chords: they have few pixels to win it back from. */
const MOST_SHARE = 5e-4;
/** A handle is no longer than this multiple of its curve's chord, and no shorter than this share of it. */
const LONGEST_HANDLE = 1.3;
const SHORTEST_HANDLE = 0.03;
/** Places along the curve before, and along what is added to it, at which the new one is held against them. */
const CHECKS = 4;
const FEET = 2;

/**
 * Makes the handles at smooth vertices mirror each other, so that the second needs no numbers of its own: where a curve goes on
 * smoothly, its vertex may stand anywhere along it, and there is a place at which both handles are equally long. The curves are
 * changed in place, by no more than `tolerancePx` each, and less where they are short; vertices that are ends of chains stay.
 *
 * Returns per segment whether it begins at such a vertex.
 */
export function mirrorHandles({ chainCount, starts, kinds, points }: ChainCurves, tolerancePx: number): Uint8Array {
  const mirrored = new Uint8Array(kinds.length);
  for (let c = 0; c < chainCount; c++) {
    for (let k = starts[c] + 1; k < starts[c + 1]; k++) {
      if (kinds[k] !== SEGMENT_CUBIC || kinds[k - 1] !== SEGMENT_CUBIC) continue;
      const before = (k - 1) * 8;
      const after = k * 8;
      const ux = points[before + 6] - points[before + 4];
      const uy = points[before + 7] - points[before + 5];
      const vx = points[after + 2] - points[after];
      const vy = points[after + 3] - points[after + 1];
      const u = distance(ux, uy);
      const v = distance(vx, vy);
      if (!(u > 0 && v > 0 && u < MOST_RATIO * v && v < MOST_RATIO * u)) continue;
      if (Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) > SMOOTH_TURN) continue;
      if (u < ALIKE_RATIO * v && v < ALIKE_RATIO * u) mirrored[k] = 1;
      // The curve with the longer handle gives, the other takes; one that is tied already keeps that handle.
      else if (v > u) {
        A.set(points.subarray(before, before + 8));
        B.set(points.subarray(after, after + 8));
        if (!move(mirrored[k - 1] === 1, tolerancePx)) continue;
        points.set(A, before);
        points.set(B, after);
        mirrored[k] = 1;
      } else {
        reverse(points, after, A);
        reverse(points, before, B);
        // What the curve before gives must not take the handle that is tied.
        if (mirrored[k - 1] === 1 || !move(false, tolerancePx)) continue;
        reverse(A, 0, OUT);
        points.set(OUT, after);
        reverse(B, 0, OUT);
        points.set(OUT, before);
        mirrored[k] = 1;
      }
    }
  }
  return mirrored;
}

/** The curve before the vertex and the one behind it, and what becomes of them. */
const A = new Float64Array(8);
const B = new Float64Array(8);
const OUT = new Float64Array(8);
const REST = new Float64Array(8);
const TAKEN = new Float64Array(8);
const GROWN = new Float64Array(8);

/** Moves the vertex between A and B on into B; false, and nothing changed, where no place does. */
function move(keepsStart: boolean, tolerancePx: number): boolean {
  const chords = distance(A[6] - A[0], A[7] - A[1]) + distance(B[6] - B[0], B[7] - B[1]);
  const limit = Math.min(tolerancePx, MOST_SHARE * chords);
  // Where it would be if both were parts of one curve, which they often nearly are.
  const handle = distance(A[6] - A[4], A[7] - A[5]);
  let place = (1 - handle / distance(B[2] - B[0], B[3] - B[1])) / 2;
  let best = Math.min(FAR * limit, tryPlace(place, keepsStart, FAR * limit));
  for (let step = FIRST_STEP; step >= LEAST_STEP; step /= 2) {
    const middle = place;
    for (const side of SIDES) {
      const there = middle + side * step;
      if (there <= 0) continue;
      const off = tryPlace(there, keepsStart, best);
      if (!(off < best)) continue;
      best = off;
      place = there;
      break;
    }
  }
  if (!(best < limit)) return false;
  tryPlace(place, keepsStart, limit);
  A.set(GROWN);
  B.set(REST);
  return true;
}

/**
 * With the vertex at B's parameter s: REST is what is left of B, GROWN the curve that follows A and what B lost, with the same
 * tangents at its ends, a handle as long as REST's there, and the same area beneath it. Returns how far off GROWN is, px; Infinity where that is more than `most`.
 */
function tryPlace(s: number, keepsStart: boolean, most: number): number {
  splitAt(B, s, TAKEN, REST);
  const x3 = REST[0] - A[0];
  const y3 = REST[1] - A[1];
  const chord = distance(x3, y3);
  const end = distance(REST[2] - REST[0], REST[3] - REST[1]);
  const start = distance(A[2] - A[0], A[3] - A[1]);
  if (!(end > SHORTEST_HANDLE * chord && end < LONGEST_HANDLE * chord && start > 0)) return Infinity;
  const ux = (REST[2] - REST[0]) / end;
  const uy = (REST[3] - REST[1]) / end;
  const tx = (A[2] - A[0]) / start;
  const ty = (A[3] - A[1]) / start;
  let grown = start;
  if (!keepsStart) {
    const area = areaOver(A) + areaOver(TAKEN) + ((A[6] - A[0]) * y3 - (A[7] - A[1]) * x3) / 2;
    const turn = 3 * (2 * (tx * y3 - ty * x3) - end * (tx * uy - ty * ux));
    grown = (20 * area + 6 * end * (ux * y3 - uy * x3)) / turn;
    if (!(grown > SHORTEST_HANDLE * chord && grown < LONGEST_HANDLE * chord)) return Infinity;
  }
  GROWN[0] = A[0];
  GROWN[1] = A[1];
  GROWN[2] = A[0] + grown * tx;
  GROWN[3] = A[1] + grown * ty;
  GROWN[4] = REST[0] - end * ux;
  GROWN[5] = REST[1] - end * uy;
  GROWN[6] = REST[0];
  GROWN[7] = REST[1];
  let off = 0;
  for (let i = 1; i <= CHECKS; i++) {
    const share = i / (CHECKS + 1);
    off = Math.max(off, distanceTo(GROWN, at(A, share, 0), at(A, share, 1), share / (1 + s)));
    off = Math.max(off, distanceTo(GROWN, at(TAKEN, share, 0), at(TAKEN, share, 1), (1 + share * s) / (1 + s)));
    if (off > most) return Infinity;
  }
  return off;
}

/** Signed area between a curve and its chord, as the cross product of its way has it. */
function areaOver(p: Float64Array): number {
  const x1 = p[2] - p[0];
  const y1 = p[3] - p[1];
  const x2 = p[4] - p[0];
  const y2 = p[5] - p[1];
  const x3 = p[6] - p[0];
  const y3 = p[7] - p[1];
  return (3 * (x1 * y2 - y1 * x2) + 3 * (x1 * y3 - y1 * x3) + 6 * (x2 * y3 - y2 * x3)) / 20;
}

/** Distance from a curve to a point whose foot is near parameter t. */
function distanceTo(p: Float64Array, x: number, y: number, t: number): number {
  let dx = 0;
  let dy = 0;
  for (let round = 0; ; round++) {
    dx = at(p, t, 0) - x;
    dy = at(p, t, 1) - y;
    if (round === FEET) break;
    const vx = slope(p, t, 0);
    const vy = slope(p, t, 1);
    const moved = t - (dx * vx + dy * vy) / (vx * vx + vy * vy || 1);
    t = moved < 0 ? 0 : moved > 1 ? 1 : moved;
  }
  return distance(dx, dy);
}

function at(p: Float64Array, t: number, i: number): number {
  const u = 1 - t;
  return u * u * u * p[i] + 3 * u * t * (u * p[2 + i] + t * p[4 + i]) + t * t * t * p[6 + i];
}

function slope(p: Float64Array, t: number, i: number): number {
  const u = 1 - t;
  return 3 * (u * u * (p[2 + i] - p[i]) + 2 * u * t * (p[4 + i] - p[2 + i]) + t * t * (p[6 + i] - p[4 + i]));
}

/** The two parts of a cubic, by de Casteljau. */
function splitAt(p: Float64Array, t: number, first: Float64Array, second: Float64Array): void {
  for (let i = 0; i < 2; i++) {
    const a = p[i] + t * (p[2 + i] - p[i]);
    const b = p[2 + i] + t * (p[4 + i] - p[2 + i]);
    const c = p[4 + i] + t * (p[6 + i] - p[4 + i]);
    const d = a + t * (b - a);
    const e = b + t * (c - b);
    first[i] = p[i];
    first[2 + i] = a;
    first[4 + i] = d;
    first[6 + i] = second[i] = d + t * (e - d);
    second[2 + i] = e;
    second[4 + i] = c;
    second[6 + i] = p[6 + i];
  }
}

function reverse(p: Float64Array, from: number, to: Float64Array): void {
  for (let n = 0; n < 4; n++) {
    to[2 * n] = p[from + 6 - 2 * n];
    to[2 * n + 1] = p[from + 7 - 2 * n];
  }
}
