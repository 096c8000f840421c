import { BESIDE_EDGE } from '../fit/samples.js';
import { LeastSquares } from '../math/least-squares.js';
import { judge } from './closeness.js';
import type { ContourMoments } from './contour-moments.js';

const ROUNDS = 6;
/**
 * Corners rounder than this are round, px: square ones are measured as up to .77, those of 1 px in most places as .98 to 1.19. Where edges are
 * not clean, or samples are trusted less than those beside an edge, as between the lines of a grid finer than a pixel, square corners are
 * measured as up to 1.35 px.
 */
const LEAST_RADIUS_PX = 0.95;
const LEAST_UNSURE_RADIUS_PX = 1.4;
/** Samples this near to a square corner are not asked: its tip is blunted by the sampling, px. */
const CORNER_CLEARANCE_PX = 1.6;
const LEAST_SIDE_PX = 2.5;
/** Where all samples lie on straight sides nothing tells of the radius, and it stays. */
const UNSEEN_WEIGHT = 1e-6;
/** A contour whose area differs by more from the rectangle's around it can have no such corners, as a share. */
const MOST_MISSING = 1 - Math.PI / 4 + 0.02;

/** The upright rectangle, with corners of one radius, nearest to a closed row of samples, by Gauss–Newton on distances. */
export class RoundedRectFitter {
  cx = 0;
  cy = 0;
  /** Half the sides, px. */
  halfWidth = 0;
  halfHeight = 0;
  radius = 0;
  rms = 0;
  private readonly equations = new LeastSquares(5);
  private readonly row = new Float64Array(5);
  private distances = new Float64Array(256);
  private readonly times: number;

  /** `times` as far as those of exact edges samples may be off. */
  constructor(times: number) {
    this.times = times;
  }

  /** False where the samples are no such rectangle; `square` ones have no radius. Where edges are `isClean`, small radii are told. */
  fit(
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    count: number,
    moments: ContourMoments,
    square: boolean,
    isClean: boolean,
  ): boolean {
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let i = 0; i < count; i++) {
      left = Math.min(left, xs[i]);
      right = Math.max(right, xs[i]);
      top = Math.min(top, ys[i]);
      bottom = Math.max(bottom, ys[i]);
    }
    const width = right - left;
    const height = bottom - top;
    const missing = width * height - moments.area;
    if (Math.min(width, height) < LEAST_SIDE_PX || missing > MOST_MISSING * width * height + 1) return false;
    if (this.distances.length < count) this.distances = new Float64Array(count * 2);
    this.cx = (left + right) / 2;
    this.cy = (top + bottom) / 2;
    this.halfWidth = width / 2;
    this.halfHeight = height / 2;
    this.radius = Math.min(Math.sqrt(Math.max(0, missing) / (4 - Math.PI)), width / 2, height / 2);
    if (!square) {
      if (!this.improve(xs, ys, weights, count, true)) return false;
      if (this.radius >= (isClean && areSure(weights, count) ? LEAST_RADIUS_PX : LEAST_UNSURE_RADIUS_PX))
        return this.isNear(xs, ys, count);
    }
    this.radius = 0;
    return this.improve(xs, ys, weights, count, false) && this.isNear(xs, ys, count);
  }

  private isNear(xs: Float64Array, ys: Float64Array, count: number): boolean {
    for (let i = 0; i < count; i++)
      this.distances[i] = this.isAtTip(xs[i], ys[i]) ? Number.NaN : this.measure(xs[i], ys[i]);
    const { isNear, rms } = judge(this.distances, count, this.times);
    this.rms = rms;
    const most = Math.min(this.halfWidth, this.halfHeight);
    if (this.radius > most) this.radius = most;
    return isNear && 2 * most >= LEAST_SIDE_PX;
  }

  private improve(xs: Float64Array, ys: Float64Array, weights: Float32Array, count: number, round: boolean): boolean {
    const { equations, row } = this;
    for (let n = 0; n < ROUNDS; n++) {
      equations.clear();
      for (let i = 0; i < count; i++) {
        if (this.isAtTip(xs[i], ys[i])) continue;
        const d = this.measure(xs[i], ys[i]);
        if (!round) row[4] = 0;
        equations.add(row, d, weights[i]);
      }
      row.fill(0);
      row[4] = 1;
      equations.add(row, 0, round ? UNSEEN_WEIGHT : 1);
      if (!equations.solve()) return false;
      const { x } = equations;
      this.cx += x[0];
      this.cy += x[1];
      this.halfWidth += x[2];
      this.halfHeight += x[3];
      this.radius = Math.max(0, Math.min(this.radius + x[4], this.halfWidth, this.halfHeight));
      if (!(this.halfWidth > 1 && this.halfHeight > 1)) return false;
    }
    return true;
  }

  private isAtTip(x: number, y: number): boolean {
    if (this.radius > 0) return false;
    const dx = this.halfWidth - Math.abs(x - this.cx);
    const dy = this.halfHeight - Math.abs(y - this.cy);
    return dx < CORNER_CLEARANCE_PX && dy < CORNER_CLEARANCE_PX;
  }

  /** The signed distance of a point, outside positive; leaves in `row` by what it falls with each parameter. */
  private measure(x: number, y: number): number {
    const { row, radius } = this;
    const dx = x - this.cx;
    const dy = y - this.cy;
    const sx = dx < 0 ? -1 : 1;
    const sy = dy < 0 ? -1 : 1;
    const qx = sx * dx - this.halfWidth + radius;
    const qy = sy * dy - this.halfHeight + radius;
    // By hand: for so few numbers a call takes longer.
    row[0] = row[1] = row[2] = row[3] = row[4] = 0;
    if (qx > 0 && qy > 0 && radius > 0) {
      const length = Math.sqrt(qx * qx + qy * qy) || 1e-9;
      const nx = qx / length;
      const ny = qy / length;
      row[0] = sx * nx;
      row[1] = sy * ny;
      row[2] = nx;
      row[3] = ny;
      row[4] = 1 - nx - ny;
      return length - radius;
    }
    if (qx > qy) {
      row[0] = sx;
      row[2] = 1;
      return qx - radius;
    }
    row[1] = sy;
    row[3] = 1;
    return qy - radius;
  }
}

function areSure(weights: Float32Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (weights[i] < BESIDE_EDGE) return false;
  return true;
}
