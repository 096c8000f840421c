/** A line or circle through places, by least squares. */
export interface Primitive {
  /** 0 for a line: then (x, y) is on it and (ux, uy) its direction; else the radius, px, and (x, y) is the center. */
  readonly radius: number;
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
  /** Sum of squared distances, px². */
  readonly error: number;
}

const SUMS = 8;
/** Flatter arcs, by their height, px, are lines; circles of smaller radius are none. */
const LEAST_RADIUS_PX = 1.5;
const LARGEST_RADIUS_PX = 4000;

/** Sums over places in a row, so that a line or circle through any stretch of them takes the same time. */
export class PointMoments {
  readonly count: number;
  private readonly sums: Float64Array;
  private readonly originX: number;
  private readonly originY: number;

  constructor(xs: Float64Array, ys: Float64Array, count: number) {
    this.count = count;
    let ox = 0;
    let oy = 0;
    for (let k = 0; k < count; k++) {
      ox += xs[k] / count;
      oy += ys[k] / count;
    }
    this.originX = ox;
    this.originY = oy;
    const sums = new Float64Array((count + 1) * SUMS);
    for (let k = 0; k < count; k++) {
      const x = xs[k] - ox;
      const y = ys[k] - oy;
      const z = x * x + y * y;
      const at = k * SUMS;
      sums[at + 8] = sums[at] + x;
      sums[at + 9] = sums[at + 1] + y;
      sums[at + 10] = sums[at + 2] + x * x;
      sums[at + 11] = sums[at + 3] + x * y;
      sums[at + 12] = sums[at + 4] + y * y;
      sums[at + 13] = sums[at + 5] + x * z;
      sums[at + 14] = sums[at + 6] + y * z;
      sums[at + 15] = sums[at + 7] + z * z;
    }
    this.sums = sums;
  }

  private sum(which: number, from: number, to: number): number {
    return this.sums[(to + 1) * SUMS + which] - this.sums[from * SUMS + which];
  }

  /** Sum of squared distances of places `from`..`to` to the line through them, px². */
  lineError(from: number, to: number): number {
    const { xx, xy, yy } = this.spread(from, to);
    return Math.max(0, (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy));
  }

  line(from: number, to: number): Primitive {
    const { mx, my, xx, xy, yy } = this.spread(from, to);
    const angle = Math.atan2(2 * xy, xx - yy) / 2;
    return {
      radius: 0,
      x: mx + this.originX,
      y: my + this.originY,
      ux: Math.cos(angle),
      uy: Math.sin(angle),
      error: this.lineError(from, to),
    };
  }

  /** The mean of places `from`..`to`, and their second moments about it. */
  private spread(from: number, to: number) {
    const n = to - from + 1;
    const mx = this.sum(0, from, to) / n;
    const my = this.sum(1, from, to) / n;
    const xx = this.sum(2, from, to) - n * mx * mx;
    const xy = this.sum(3, from, to) - n * mx * my;
    const yy = this.sum(4, from, to) - n * my * my;
    return { mx, my, xx, xy, yy };
  }

  /** Of the circle that `circleError` looked at last. */
  radius = 0;
  private centerX = 0;
  private centerY = 0;

  /**
   * Sum of squared distances of places `from`..`to` to the circle that least squares of power distances give, which for places so near to
   * it is as good, px²; Infinity where there is none.
   */
  circleError(from: number, to: number): number {
    const n = to - from + 1;
    const { sums } = this;
    const a = from * SUMS;
    const b = (to + 1) * SUMS;
    const mx = (sums[b] - sums[a]) / n;
    const my = (sums[b + 1] - sums[a + 1]) / n;
    const sxx = sums[b + 2] - sums[a + 2];
    const syy = sums[b + 4] - sums[a + 4];
    const xx = sxx - n * mx * mx;
    const xy = sums[b + 3] - sums[a + 3] - n * mx * my;
    const yy = syy - n * my * my;
    const determinant = xx * yy - xy * xy;
    if (determinant <= 1e-9 * (xx + yy) * (xx + yy)) return Infinity;
    const z = sxx + syy;
    const xz = sums[b + 5] - sums[a + 5] - mx * z;
    const yz = sums[b + 6] - sums[a + 6] - my * z;
    // z = 2 x cx + 2 y cy + c over all places.
    const cx = (xz * yy - yz * xy) / (2 * determinant);
    const cy = (yz * xx - xz * xy) / (2 * determinant);
    const radiusSq = (cx - mx) ** 2 + (cy - my) ** 2 + (xx + yy) / n;
    this.radius = Math.sqrt(radiusSq);
    this.centerX = cx;
    this.centerY = cy;
    if (!(this.radius >= LEAST_RADIUS_PX && this.radius <= LARGEST_RADIUS_PX)) return Infinity;
    const zz = sums[b + 7] - sums[a + 7] - (z * z) / n;
    return Math.max(0, zz - 2 * cx * xz - 2 * cy * yz) / (4 * radiusSq);
  }

  circle(from: number, to: number): Primitive | undefined {
    const error = this.circleError(from, to);
    if (error === Infinity) return undefined;
    return { radius: this.radius, x: this.centerX + this.originX, y: this.centerY + this.originY, ux: 0, uy: 0, error };
  }
}

/** The place of a line or circle that is nearest to (x, y). */
export function ontoPrimitive(p: Primitive, x: number, y: number): readonly [x: number, y: number] {
  const dx = x - p.x;
  const dy = y - p.y;
  if (p.radius === 0) {
    const along = dx * p.ux + dy * p.uy;
    return [p.x + p.ux * along, p.y + p.uy * along];
  }
  const norm = Math.hypot(dx, dy) || 1;
  return [p.x + (dx / norm) * p.radius, p.y + (dy / norm) * p.radius];
}
