import { distance } from '../math/distance.js';

/** Samples a candidate curve is judged by; more change the answer less than they cost. */
const MOST_SAMPLES = 14;
/** Of so few samples the way between them says little of their parameters; they take these rounds at least. */
const FEW_SAMPLES = 8;
const FEW_ROUNDS = 4;
/** A round that leaves more than this share of the error is the last. */
const LITTLE_GAIN = 0.9;
/** Handles shorter than this share of the chord make cusps, longer than this multiple of the arc make loops. */
const SHORTEST_HANDLE = 0.02;
const LONGEST_HANDLE = 1.2;

/**
 * Least squares cubic through a stretch of samples with given ends and end tangents: only the two handle lengths are free.
 * Schneider's inner loop (Graphics Gems, 1990): solve for the handles, move each sample's parameter to its foot point,
 * repeat.
 */
export class CubicFitter {
  /** Handle lengths, px. */
  startHandle = 0;
  endHandle = 0;
  /** Largest distance of a sample from the curve, px, and the sum of squares over all samples of the stretch. */
  largest = 0;
  error = 0;
  /** What `fit` goes by: start x, y, the unit tangent there along the curve, end x, y, and the unit tangent there. */
  readonly ends = new Float64Array(8);
  private readonly parameters = new Float64Array(MOST_SAMPLES + 2);

  /**
   * Fits samples between `from` and `to` (both excluded), from and to what is in `ends`, in at most so many `rounds` (1 and more; few samples take
   * more): the first takes the samples' parameters from the way between them. Gives up early, with `largest` far above it, when `tolerance` is out
   * of reach.
   */
  fit(xs: Float64Array, ys: Float64Array, from: number, to: number, tolerance: number, rounds: number): void {
    const { ends } = this;
    const x0 = ends[0];
    const y0 = ends[1];
    const t0x = ends[2];
    const t0y = ends[3];
    const x3 = ends[4];
    const y3 = ends[5];
    const t1x = ends[6];
    const t1y = ends[7];
    const inside = to - from - 1;
    const stride = inside > MOST_SAMPLES ? Math.ceil(inside / MOST_SAMPLES) : 1;
    const { parameters } = this;
    const chord = distance(x3 - x0, y3 - y0);
    let length = 0;
    let px = x0;
    let py = y0;
    let count = 0;
    for (let i = from + 1; i < to; i += stride) {
      length += distance(xs[i] - px, ys[i] - py);
      px = xs[i];
      py = ys[i];
      parameters[count++] = length;
    }
    length += distance(x3 - px, y3 - py);
    if (length < 1e-9) length = 1e-9;
    for (let k = 0; k < count; k++) parameters[k] /= length;

    let d0 = chord / 3;
    let d1 = chord / 3;
    let largest = 0;
    let error = 0;
    let before = Infinity;
    const most = inside > FEW_SAMPLES || rounds > FEW_ROUNDS ? rounds : FEW_ROUNDS;
    for (let round = 1; round <= most; round++) {
      const isLast = round === most;
      let a00 = 0;
      let a01 = 0;
      let a11 = 0;
      let b0 = 0;
      let b1 = 0;
      const cross = -(t0x * t1x + t0y * t1y);
      for (let k = 0, i = from + 1; k < count; k++, i += stride) {
        const t = parameters[k];
        const u = 1 - t;
        const w1 = 3 * u * u * t;
        const w2 = 3 * u * t * t;
        const start = u * u * u + w1;
        const end = w2 + t * t * t;
        const ex = xs[i] - start * x0 - end * x3;
        const ey = ys[i] - start * y0 - end * y3;
        a00 += w1 * w1;
        a01 += w1 * w2 * cross;
        a11 += w2 * w2;
        b0 += w1 * (t0x * ex + t0y * ey);
        b1 -= w2 * (t1x * ex + t1y * ey);
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

      const x1 = x0 + d0 * t0x;
      const y1 = y0 + d0 * t0y;
      const x2 = x3 - d1 * t1x;
      const y2 = y3 - d1 * t1y;
      largest = 0;
      error = 0;
      for (let k = 0, i = from + 1; k < count; k++, i += stride) {
        const t = parameters[k];
        const u = 1 - t;
        const bx = u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3 - xs[i];
        const by = u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3 - ys[i];
        const dx = 3 * (u * u * (x1 - x0) + 2 * u * t * (x2 - x1) + t * t * (x3 - x2));
        const dy = 3 * (u * u * (y1 - y0) + 2 * u * t * (y2 - y1) + t * t * (y3 - y2));
        if (!isLast) {
          const ddx = 6 * (u * (x2 - 2 * x1 + x0) + t * (x3 - 2 * x2 + x1));
          const ddy = 6 * (u * (y2 - 2 * y1 + y0) + t * (y3 - 2 * y2 + y1));
          const curvature = dx * dx + dy * dy + bx * ddx + by * ddy;
          if (curvature > 1e-9) {
            const moved = t - (bx * dx + by * dy) / curvature;
            parameters[k] = moved < 0 ? 0 : moved > 1 ? 1 : moved;
          }
        }
        const speedSq = dx * dx + dy * dy || 1e-18;
        const across = bx * dy - by * dx;
        const distanceSq = (across * across) / speedSq;
        error += distanceSq;
        if (distanceSq > largest) largest = distanceSq;
      }
      largest = Math.sqrt(largest);
      if (round > 1 && (largest > tolerance * 3 || largest < tolerance * 0.15 || error > LITTLE_GAIN * before)) break;
      before = error;
    }
    this.startHandle = d0;
    this.endHandle = d1;
    this.largest = largest;
    this.error = error * stride;
  }
}
