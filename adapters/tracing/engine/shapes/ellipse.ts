import { LeastSquares } from '../math/least-squares.js';
import { judge } from './closeness.js';
import type { ContourMoments } from './contour-moments.js';

/** The moments of an ellipse give its area; a contour whose own differs by more is none, as a share and px². */
const AREA_SHARE = 0.012;
const AREA_PX = 0.6;
/** What an ellipse may become nearest to its samples, as times their contour's area. */
const GROWN_TIMES = 1.5;
/** A narrow ellipse is hardly farther from the samples of a short bar than from its own: half its width, px, how much longer it is, and how near. */
const NARROW_PX = 2;
const NARROW_ASPECT = 1.8;
const NARROW_RMS_PX = 0.05;
const ROUNDS = 5;
/** An ellipse whose axes stand this near to upright (radians), or whose turning moves it less than this (px), is upright. */
const UPRIGHT_RAD = 0.012;
const UPRIGHT_PX = 0.04;

/** The ellipse nearest to a closed row of samples: from its moments, then Gauss–Newton on distances to first order. */
export class EllipseFitter {
  cx = 0;
  cy = 0;
  rx = 0;
  ry = 0;
  /** Radians, clockwise on screen. */
  angle = 0;
  rms = 0;
  private readonly equations = new LeastSquares(5);
  private readonly row = new Float64Array(5);
  private distances = new Float64Array(256);
  private readonly times: number;

  /** `times` as far as those of exact edges samples may be off. */
  constructor(times: number) {
    this.times = times;
  }

  /** False where the samples are no ellipse. */
  fit(xs: Float64Array, ys: Float64Array, weights: Float32Array, count: number, moments: ContourMoments): boolean {
    const { area, xx, xy, yy } = moments;
    const middle = (xx + yy) / 2;
    const spread = Math.hypot(xy, (xx - yy) / 2);
    if (!(middle > spread)) return false;
    this.cx = moments.cx;
    this.cy = moments.cy;
    this.rx = 2 * Math.sqrt(middle + spread);
    this.ry = 2 * Math.sqrt(middle - spread);
    this.angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    if (Math.abs(area - Math.PI * this.rx * this.ry) > AREA_SHARE * area + AREA_PX) return false;
    if (this.distances.length < count) this.distances = new Float64Array(count * 2);
    // Samples of a stem tell nothing of its ends: it may have come to be several times as long.
    if (!this.improve(xs, ys, weights, count, true) || this.hasGrown(area)) return false;
    const quarter = Math.PI / 2;
    const upright = Math.round(this.angle / quarter) * quarter;
    const off = Math.abs(this.angle - upright);
    if (off < UPRIGHT_RAD || off * Math.abs(this.rx - this.ry) < UPRIGHT_PX) {
      const { cx, cy, rx, ry, angle } = this;
      this.angle = 0;
      if (Math.round(angle / quarter) % 2 !== 0) [this.rx, this.ry] = [ry, rx];
      if (this.improve(xs, ys, weights, count, false) && !this.hasGrown(area) && this.isNear(xs, ys, count))
        return true;
      Object.assign(this, { cx, cy, rx, ry, angle });
    }
    return this.isNear(xs, ys, count);
  }

  /** Whether the ellipse at hand has become plainly larger than what its samples enclose, px². */
  private hasGrown(area: number): boolean {
    return Math.PI * this.rx * this.ry > GROWN_TIMES * area;
  }

  private isNear(xs: Float64Array, ys: Float64Array, count: number): boolean {
    for (let i = 0; i < count; i++) this.distances[i] = this.measure(xs[i], ys[i]);
    const { isNear, rms } = judge(this.distances, count, this.times);
    this.rms = rms;
    const least = Math.min(this.rx, this.ry);
    const isNarrow = least < NARROW_PX && Math.max(this.rx, this.ry) > NARROW_ASPECT * least;
    return isNear && least > 0 && (!isNarrow || rms <= NARROW_RMS_PX);
  }

  private improve(xs: Float64Array, ys: Float64Array, weights: Float32Array, count: number, turns: boolean): boolean {
    const { equations, row } = this;
    for (let round = 0; round < ROUNDS; round++) {
      equations.clear();
      for (let i = 0; i < count; i++) {
        const d = this.measure(xs[i], ys[i]);
        if (!turns) row[4] = 0;
        equations.add(row, d, weights[i]);
      }
      // Upright, the angle is held by an equation of its own.
      if (!turns) {
        row.fill(0);
        row[4] = 1;
        equations.add(row, 0, 1);
      }
      if (!equations.solve()) return false;
      const { x } = equations;
      this.cx += x[0];
      this.cy += x[1];
      this.rx += x[2];
      this.ry += x[3];
      this.angle += x[4];
      if (!(this.rx > 0.3 && this.ry > 0.3)) return false;
    }
    return true;
  }

  /** The signed distance of a point, outside positive, to first order; leaves in `row` by what it falls with each parameter. */
  private measure(x: number, y: number): number {
    const { row, rx, ry } = this;
    const cos = Math.cos(this.angle);
    const sin = Math.sin(this.angle);
    const dx = x - this.cx;
    const dy = y - this.cy;
    const u = dx * cos + dy * sin;
    const v = dy * cos - dx * sin;
    const level = Math.sqrt((u / rx) ** 2 + (v / ry) ** 2) || 1e-9;
    const gu = u / (rx * rx * level);
    const gv = v / (ry * ry * level);
    const slope = Math.sqrt(gu * gu + gv * gv) || 1e-9;
    const nu = gu / slope;
    const nv = gv / slope;
    row[0] = nu * cos - nv * sin;
    row[1] = nu * sin + nv * cos;
    row[2] = (nu * u) / rx;
    row[3] = (nv * v) / ry;
    row[4] = nv * u - nu * v;
    return (level - 1) / slope;
  }
}
