import { distance } from '../math/distance.js';
import { type ChainCurves, CurveList, isWholeShape, SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';
import type { Roughness } from './edge-roughness.js';

/** A segment is split where it misses by more than this, squared px of area summed along it. */
const MISFIT_PX = 0.045;
/**
 * Where edges are as rough as any it may miss so many times as much, up to what that explains: so many times the variance of samples in every pixel. A curve that
 * follows each of what renderers round to takes more numbers, and is no nearer to what was drawn.
 */
const ROUGH_TIMES = 8;
const ROUGH_VARIANCES = 35;
/** What is missed beside that, squared levels a pixel: rounding, and colors that are not quite even. */
const NOISE = 8;
/** Where the picture is noisy all over, this share of what is missed in a pixel on average. */
const NOISE_SHARE = 2;
/** Shorter segments stay whole, px. */
const SHORTEST_PX = 2.5;
/** Largest differences this near to a segment's end (px) speak of a corner there. */
const CORNER_PX = 1.2;
/** Nearest to either end that a segment is split. */
const LEAST_SHARE = 0.25;
/** Tangents of a line and the curve beside it that differ by less (radians) were one. */
const LINE_TURN = 0.06;

export interface Misfits {
  /** Per segment, as CurvePainter measures them. */
  readonly misfit: Float64Array;
  readonly pixels: Int32Array;
  readonly place: Float64Array;
}

/** Squared levels missed in a pixel along the segments, on average. */
function meanMisfit({ misfit, pixels }: Misfits): number {
  let sum = 0;
  let count = 0;
  for (let k = 0; k < misfit.length; k++) {
    sum += misfit[k];
    count += pixels[k];
  }
  return count > 0 ? sum / count : 0;
}

export interface SplitCurves {
  readonly curves: ChainCurves;
  /** Per chain: has it changed. */
  readonly changed: Uint8Array;
  /** Per segment: does it begin at a corner, whatever its tangent now. */
  readonly corners: Uint8Array;
  /** Per segment: does its first handle mirror the last one of the segment before. */
  readonly mirrored: Uint8Array;
  /** Per segment: has it been given something new to follow the pixels with. */
  readonly fresh: Uint8Array;
}

/**
 * Gives segments that cannot follow the pixels more to follow them with: lines become cubics, cubics are split in two, and
 * smooth vertices next to which most is missed may turn. `priceAt` is the squared contrast across a chain, times what splitting costs there
 * (1 is neutral). `corners` are those made before. What is missed everywhere is held against
 * nobody where the picture is noisy, nor is what edges that are rough are off by, nor what is missed evenly all along (`isEven`). Undefined where nothing is missed.
 */
export function splitMisfits(
  curves: ChainCurves,
  misfits: Misfits,
  priceAt: (chain: number) => number,
  corners: Uint8Array,
  mirrored: Uint8Array,
  isNoisy: boolean,
  roughness: Roughness,
  isEven: (segment: number) => boolean,
): SplitCurves | undefined {
  const { starts, kinds, points, chainCount } = curves;
  const list = new CurveList();
  const changed = new Uint8Array(chainCount);
  const newCorners: number[] = [];
  const newMirrored: number[] = [];
  const fresh: number[] = [];
  let any = false;
  const noise = isNoisy ? Math.max(NOISE, NOISE_SHARE * meanMisfit(misfits)) : NOISE;
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const from = starts[c];
    const to = starts[c + 1];
    for (let k = from; k < to; k++) {
      const p = k * 8;
      newCorners.push(corners[k]);
      newMirrored.push(mirrored[k]);
      fresh.push(0);
      const limit = mayMiss(misfits.pixels[k], roughness) * priceAt(c) + noise * misfits.pixels[k];
      const misses = !isWholeShape(kinds[k]) && misfits.misfit[k] > limit && chord(points, p) > SHORTEST_PX;
      const bad = misses && !isEven(k);
      if (!bad) {
        list.copy(curves, k);
        continue;
      }
      any = true;
      changed[c] = 1;
      fresh[fresh.length - 1] = 1;
      const at = misfits.place[k];
      if (kinds[k] === SEGMENT_LINE) {
        bend(list, curves, k, k > from ? k - 1 : -1, k + 1 < to ? k + 1 : -1);
        continue;
      }
      // Handles of their own come first.
      const tiedAfter = k + 1 < to && mirrored[k + 1] === 1;
      if (mirrored[k] === 1 || tiedAfter) {
        newMirrored[newMirrored.length - 1] = 0;
        if (tiedAfter) mirrored[k + 1] = 0;
        list.copy(curves, k);
        continue;
      }
      const length = chord(points, p);
      // Where it already may turn there is nothing to be had from that.
      if (at * length < CORNER_PX && newCorners[newCorners.length - 1] === 0) {
        newCorners[newCorners.length - 1] = 1;
        list.copy(curves, k);
      } else if ((1 - at) * length < CORNER_PX && k + 1 < to && corners[k + 1] === 0) {
        corners[k + 1] = 1;
        list.copy(curves, k);
      } else {
        split(list, points, p, at < LEAST_SHARE ? LEAST_SHARE : at > 1 - LEAST_SHARE ? 1 - LEAST_SHARE : at);
        newCorners.push(0);
        newMirrored.push(0);
        fresh.push(1);
      }
    }
  }
  return any
    ? {
        curves: list.finish(),
        changed,
        corners: Uint8Array.from(newCorners),
        mirrored: Uint8Array.from(newMirrored),
        fresh: Uint8Array.from(fresh),
      }
    : undefined;
}

/** What a segment along so many pixels may miss, squared px of area. */
function mayMiss(pixels: number, { share, px }: Roughness): number {
  return Math.min(MISFIT_PX * (1 + ROUGH_TIMES * share), MISFIT_PX + ROUGH_VARIANCES * px * px * pixels);
}

function chord(points: Float64Array, p: number): number {
  return distance(points[p + 6] - points[p], points[p + 7] - points[p + 1]);
}

function cubic(list: CurveList, p: ArrayLike<number>): void {
  list.cubic(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
}

/** A line as a cubic, its tangents those of the curves it goes on from and into. */
function bend(list: CurveList, { kinds, points }: ChainCurves, k: number, before: number, after: number): void {
  const p = k * 8;
  const dx = points[p + 6] - points[p];
  const dy = points[p + 7] - points[p + 1];
  const third = distance(dx, dy) / 3;
  let ux = dx / (3 * third);
  let uy = dy / (3 * third);
  let vx = ux;
  let vy = uy;
  if (before >= 0 && kinds[before] === SEGMENT_CUBIC) {
    const b = before * 8;
    const ex = points[b + 6] - points[b + 4];
    const ey = points[b + 7] - points[b + 5];
    const length = distance(ex, ey);
    if (Math.abs(ux * ey - uy * ex) < LINE_TURN * length && ux * ex + uy * ey > 0) {
      ux = ex / length;
      uy = ey / length;
    }
  }
  if (after >= 0 && kinds[after] === SEGMENT_CUBIC) {
    const a = after * 8;
    const ex = points[a + 2] - points[a];
    const ey = points[a + 3] - points[a + 1];
    const length = distance(ex, ey);
    if (Math.abs(vx * ey - vy * ex) < LINE_TURN * length && vx * ex + vy * ey > 0) {
      vx = ex / length;
      vy = ey / length;
    }
  }
  list.cubic(
    points[p],
    points[p + 1],
    points[p] + third * ux,
    points[p + 1] + third * uy,
    points[p + 6] - third * vx,
    points[p + 7] - third * vy,
    points[p + 6],
    points[p + 7],
  );
}

/** The two halves of a cubic, by de Casteljau. */
function split(list: CurveList, points: Float64Array, p: number, t: number): void {
  const at = (a: number, b: number) => a + t * (b - a);
  const half = new Float64Array(16);
  for (let i = 0; i < 2; i++) {
    const p0 = points[p + i];
    const p1 = points[p + 2 + i];
    const p2 = points[p + 4 + i];
    const p3 = points[p + 6 + i];
    const a = at(p0, p1);
    const b = at(p1, p2);
    const c = at(p2, p3);
    const d = at(a, b);
    const e = at(b, c);
    half[i] = p0;
    half[2 + i] = a;
    half[4 + i] = d;
    half[6 + i] = half[8 + i] = at(d, e);
    half[10 + i] = e;
    half[12 + i] = c;
    half[14 + i] = p3;
  }
  cubic(list, half);
  cubic(list, half.subarray(8));
}
