import { StageMemory } from '../math/stage-memory.js';

/** Bytes of a point: five sums, a cost and a number. */
const POINT_BYTES = 5 * 8 + 8 + 4;
const LEAST_POINTS = 1024;

/**
 * Prefix sums over a row of points, from which the least squares line through any stretch of them, and its error, follow in
 * constant time. Points are taken relative to the first one, so that large coordinates lose nothing.
 */
export class LineSums {
  /** Scratch beside the sums for who looks for a way along the points: a number a point each, lost with the next `load`. */
  costs = new Float64Array(0);
  previous = new Int32Array(0);
  private sums = new Float64Array(0);
  private readonly memory: StageMemory;
  private originX = 0;
  private originY = 0;

  /** Point on, and unit direction of, the line fitted last by `fit`. */
  x = 0;
  y = 0;
  dx = 1;
  dy = 0;
  /** What `cheapestStart` found. */
  leastCost = 0;

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
    if (this.costs.length >= points && this.memory.holds(this.sums)) return;
    const room = Math.max(points, LEAST_POINTS);
    const buffer = this.memory.take(room * POINT_BYTES);
    this.sums = new Float64Array(buffer, 0, room * 5);
    this.costs = new Float64Array(buffer, room * 40, room);
    this.previous = new Int32Array(buffer, room * 48, room);
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

  /**
   * The polygon's inner loop, written out: the starting point i < j (down to `first`) of the side that ends at j for which
   * cost[i] + error(i, j) · perSquare is least, -1 for none, the later one of equals; sides whose mean squared error is over
   * `worstSq` are none, and after `giveUpAfter` of these longer ones are not looked at. The sum itself is in `leastCost`.
   * `hint` is a likely start, tried first: with a good one nearly all others are dearer before their error is known.
   */
  cheapestStart(
    j: number,
    first: number,
    hint: number,
    cost: Float64Array,
    perSquare: number,
    worstSq: number,
    giveUpAfter: number,
  ): number {
    const { sums } = this;
    const end = 5 * j + 5;
    const ex = sums[end];
    const ey = sums[end + 1];
    const exx = sums[end + 2];
    const exy = sums[end + 3];
    const eyy = sums[end + 4];
    let from = -1;
    let least = Infinity;
    let failures = 0;
    if (hint >= first) {
      const error = this.error(hint, j);
      if (error <= worstSq * (j - hint + 1)) {
        least = cost[hint] + error * perSquare;
        from = hint;
      }
    }
    for (let i = j - 1, a = 5 * i, n = 2; i >= first; i--, a -= 5, n++) {
      if (cost[i] >= least) continue;
      const sx = ex - sums[a];
      const sy = ey - sums[a + 1];
      const each = 1 / n;
      const xx = exx - sums[a + 2] - sx * sx * each;
      const xy = exy - sums[a + 3] - sx * sy * each;
      const yy = eyy - sums[a + 4] - sy * sy * each;
      const half = (xx - yy) / 2;
      const middle = (xx + yy) / 2;
      const squared = half * half + xy * xy;
      // The error is the middle less the root, which few are worth taking for.
      const over = middle - worstSq * n;
      if (over > 0 && over * over > squared) {
        if (++failures >= giveUpAfter) break;
        continue;
      }
      let error = middle - Math.sqrt(squared);
      if (error < 0) error = 0;
      const total = cost[i] + error * perSquare;
      if (total < least) {
        least = total;
        from = i;
      }
    }
    this.leastCost = least;
    return from;
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
