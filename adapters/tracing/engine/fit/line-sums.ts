import { LINE_SUMS } from '../kernels/kernel-layout.js';
import { StageMemory } from '../math/stage-memory.js';

const POINT_BYTES = LINE_SUMS * 8;
const LEAST_POINTS = 1024;

/**
 * Prefix sums over a row of points, from which the least squares line through any stretch of them, and its error, follow in
 * constant time. Points are taken relative to the first one, so that large coordinates lose nothing.
 */
export class LineSums {
  private sums = new Float64Array(0);
  private readonly memory: StageMemory;
  private originX = 0;
  private originY = 0;

  /** Point on, and unit direction of, the line fitted last by `fit`. */
  x = 0;
  y = 0;
  dx = 1;
  dy = 0;

  /** The sums last until another stage uses `memory`. */
  constructor(memory = new StageMemory()) {
    this.memory = memory;
  }

  /** Takes the first `count` points. */
  load(xs: Float64Array, ys: Float64Array, count: number): void {
    this.reserve(count + 1);
    const { sums } = this;
    const ox = count > 0 ? xs[0] : 0;
    const oy = count > 0 ? ys[0] : 0;
    this.originX = ox;
    this.originY = oy;
    let sx = 0;
    let sy = 0;
    let sxx = 0;
    let sxy = 0;
    let syy = 0;
    sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = 0;
    for (let i = 0, at = 5; i < count; i++, at += 5) {
      const x = xs[i] - ox;
      const y = ys[i] - oy;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
      syy += y * y;
      sums[at] = sx;
      sums[at + 1] = sy;
      sums[at + 2] = sxx;
      sums[at + 3] = sxy;
      sums[at + 4] = syy;
    }
  }

  private reserve(points: number): void {
    if (this.sums.length >= points * LINE_SUMS && this.memory.holds(this.sums)) return;
    const room = Math.max(points, LEAST_POINTS);
    this.sums = new Float64Array(this.memory.take(room * POINT_BYTES), 0, room * LINE_SUMS);
  }

  /** Five sums of the points before each, and of all: of x, y, x squared, x times y and y squared. */
  prefixes(count: number): Float64Array {
    return this.sums.subarray(0, (count + 1) * LINE_SUMS);
  }

  /** Sum of squared distances of points i..j (both included) from the line that fits them best. */
  error(i: number, j: number): number {
    const { sums } = this;
    const a = 5 * i;
    const b = 5 * j + 5;
    const n = j - i + 1;
    const sx = sums[b] - sums[a];
    const sy = sums[b + 1] - sums[a + 1];
    const xx = sums[b + 2] - sums[a + 2] - (sx * sx) / n;
    const xy = sums[b + 3] - sums[a + 3] - (sx * sy) / n;
    const yy = sums[b + 4] - sums[a + 4] - (sy * sy) / n;
    const half = (xx - yy) / 2;
    const error = (xx + yy) / 2 - Math.sqrt(half * half + xy * xy);
    return error > 0 ? error : 0;
  }

  /** Fits points i..j; the line runs from point i's side to point j's. */
  fit(i: number, j: number): void {
    const { sums } = this;
    const a = 5 * i;
    const b = 5 * j + 5;
    const n = j - i + 1;
    const sx = sums[b] - sums[a];
    const sy = sums[b + 1] - sums[a + 1];
    const xx = sums[b + 2] - sums[a + 2] - (sx * sx) / n;
    const xy = sums[b + 3] - sums[a + 3] - (sx * sy) / n;
    const yy = sums[b + 4] - sums[a + 4] - (sy * sy) / n;
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    this.x = sx / n + this.originX;
    this.y = sy / n + this.originY;
    this.dx = Math.cos(angle);
    this.dy = Math.sin(angle);
  }
}
