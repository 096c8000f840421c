import { distance } from '../math/distance.js';
import { type EdgeSamples, LINE_END } from './samples.js';

/** Samples nearer to a line's end than this know of the end as well as of its side, px. */
const CLEARANCE_PX = 1.2;
/** Samples a side must have left, and over how many the direction of a line at its end is taken. */
const LEAST_SIDE = 3;
const DIRECTION_SAMPLES = 4;
/** Ends so few samples apart are those of one pixel that is joined across its corner. */
const SAME_END = 2;
/** Sides farther apart than this at an end are no line's, px. */
const WIDEST_PX = 2;

/**
 * The ends of thin lines in a closed contour. Each is cut straight: the corners lie where the sides, prolonged along the line, reach
 * its end. Sample numbers count from the contour's first.
 */
export class LineEnds {
  count = 0;
  /** Per end: the last sample of the side before it and the first one of the side after it. */
  readonly before: number[] = [];
  readonly after: number[] = [];
  /** Per end: the corner at the side before it and at the side after it, x and y in turn. */
  readonly corners: number[] = [];

  /** Finds the ends of the contour of samples `from`..`from + count - 1`; whether there are any, and all sides between them are long enough. */
  find({ x, y, weight }: Pick<EdgeSamples, 'x' | 'y' | 'weight'>, from: number, count: number): boolean {
    const { before, after, corners } = this;
    this.count = before.length = after.length = corners.length = 0;
    const at = (k: number) => from + ((k + count) % count);
    for (let k = 0; k < count; k++) {
      if (weight[from + k] !== LINE_END) continue;
      // Those that belong together are met at the first.
      let isFirst = true;
      for (let n = 1; n <= SAME_END; n++) if (weight[at(k - n)] === LINE_END) isFirst = false;
      if (!isFirst) continue;
      let last = k;
      for (let n = 1; n <= SAME_END; n++) if (weight[at(k + n)] === LINE_END) last = k + n;
      const tipX = (x[at(k)] + x[at(last)]) / 2;
      const tipY = (y[at(k)] + y[at(last)]) / 2;
      let a = k - 1;
      while (k - a < count && distance(x[at(a)] - tipX, y[at(a)] - tipY) < CLEARANCE_PX) a--;
      let b = last + 1;
      while (b - last < count && distance(x[at(b)] - tipX, y[at(b)] - tipY) < CLEARANCE_PX) b++;
      before.push(a);
      after.push(b);
      corners.push(tipX, tipY, tipX, tipY);
      this.count++;
    }
    for (let n = 0; n < this.count; n++) {
      const isLast = n + 1 === this.count;
      const side = before[isLast ? 0 : n + 1] + (isLast ? count : 0) - after[n] + 1;
      if (side < LEAST_SIDE) return false;
    }
    for (let n = 0; n < this.count; n++) if (!this.prolong(n, x, y, at)) return false;
    return this.count > 0;
  }

  /** Moves the corners of end `n` from its middle to the sides; false where it is no line's. */
  private prolong(n: number, x: Float64Array, y: Float64Array, at: (k: number) => number): boolean {
    const { corners } = this;
    const a = at(this.before[n]);
    const b = at(this.after[n]);
    const a1 = at(this.before[n] - DIRECTION_SAMPLES + 1);
    const b1 = at(this.after[n] + DIRECTION_SAMPLES - 1);
    let dx = x[a] + x[b] - x[a1] - x[b1];
    let dy = y[a] + y[b] - y[a1] - y[b1];
    const length = distance(dx, dy);
    if (length < 1 || distance(x[a] - x[b], y[a] - y[b]) > WIDEST_PX) return false;
    dx /= length;
    dy /= length;
    const tipX = corners[4 * n];
    const tipY = corners[4 * n + 1];
    for (const [i, side] of [
      [0, a],
      [2, b],
    ]) {
      const along = (tipX - x[side]) * dx + (tipY - y[side]) * dy;
      corners[4 * n + i] = x[side] + along * dx;
      corners[4 * n + i + 1] = y[side] + along * dy;
    }
    return true;
  }
}
