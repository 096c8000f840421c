import { distance } from '../math/distance.js';
import type { LineSums } from './line-sums.js';

/** Polygon sides shorter than this are none that an arc could join, px. */
const LEAST_SIDE_PX = 3;
/** Samples left out at either end of a side when its line is sought, at most: those of the arc may have become part of it. */
const MOST_TRIMMED = 3;
/** How far the samples of a straight side may be off its line, px, on average (RMS) and each: edges are known to about that. */
const STRAIGHT_RMS_PX = 0.03;
const STRAIGHT_PX = 0.06;
/** How far the samples around a corner may be off the arc, RMS, px. */
const ARC_RMS_PX = 0.06;
/** Samples are off a sharp corner this many times as far as off the rounded one, squared; those on either side so many times, and so far, px. */
const LEAST_GAIN = 6;
const LEAST_GAIN_BESIDE = 3;
const LEAST_OFF_PX = 0.03;
/**
 * The sample nearest to a sharp tip is off it too, px: its pixels are not covered to their end. Not so where level and upright sides meet, which
 * turn by less than this (its sine) from the pixels'.
 */
const TIP_PX = 0.9;
const LEVEL_SINE = 0.01;
/** What rounding takes off the corner, px²: less is hardly seen, and settles by itself. */
const LEAST_CUT_PX2 = 0.2;
/** An arc of the corner's radius would leave either side by more than this, px: a piece of a larger round shape is no side. */
const LEAST_SAGITTA_PX = 0.6;
/** Polygon sides and samples that an arc may stand for, at most, and the samples on either side that tell of it too. */
const MOST_BETWEEN = 4;
const MOST_SAMPLES = 14;
const BESIDE = 2;
/** How far a side turns into the next one, radians. */
const LEAST_TURN = 0.35;
const MOST_TURN = 2.6;
/** Halvings in search of the radius, by the golden section. */
const SEARCHES = 16;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Corners that are rounded: two straight sides and the arc of a circle that is tangent to both. Samples of clean edges lie on such sides to
 * a hundredth of a pixel, so that a radius of a pixel shows; a polygon, which allows for noise, cuts across the arc or makes it sharp.
 *
 *     ────────T0.                d = r · tan(turn / 2) from the tip, on either side
 *                `.
 *                  T1
 *                  │
 */
export class RoundedCorners {
  count = 0;
  /** Per corner: the last sample of the side before, and the first one of the side after. */
  before = new Int32Array(16);
  after = new Int32Array(16);
  /** Per corner: x, y, and direction of the way where the arc begins, and where it ends. */
  ends = new Float64Array(16 * 8);
  // The straight sides, in order: the line's point and direction, and the first and last sample on it.
  private sides = 0;
  private sideOf = new Int32Array(64);
  private lines = new Float64Array(64 * 4);
  private first = new Int32Array(64);
  private last = new Int32Array(64);
  // The corner at hand: its tip, the directions of its sides, their normals towards the arc's center, and tan(turn / 2).
  private tipX = 0;
  private tipY = 0;
  private ux = 0;
  private uy = 0;
  private vx = 0;
  private vy = 0;
  private inwards = 1;
  private tangent = 0;

  /** Finds them among `count` polygon vertices over the samples whose sums are given. The ends of the row are no corners. */
  find(xs: Float64Array, ys: Float64Array, samples: number, polygon: Int32Array, count: number, sums: LineSums): void {
    this.count = 0;
    this.findSides(xs, ys, samples, polygon, count, sums);
    const { sideOf } = this;
    for (let s = 0; s + 1 < this.sides; s++) {
      if (sideOf[s + 1] - sideOf[s] - 1 <= MOST_BETWEEN) this.join(s, xs, ys);
    }
  }

  private findSides(
    xs: Float64Array,
    ys: Float64Array,
    samples: number,
    polygon: Int32Array,
    count: number,
    sums: LineSums,
  ): void {
    this.sides = 0;
    for (let k = 0; k + 1 < count; k++) {
      const a = polygon[k];
      const b = polygon[k + 1];
      const size = b - a + 1;
      if (size < 4 || distance(xs[b] - xs[a], ys[b] - ys[a]) < LEAST_SIDE_PX) continue;
      const trimmed = Math.min(MOST_TRIMMED, (size - 3) >> 1);
      const i = a + trimmed;
      const j = b - trimmed;
      if (sums.error(i, j) > STRAIGHT_RMS_PX * STRAIGHT_RMS_PX * (j - i + 1)) continue;
      sums.fit(i, j);
      const flip = sums.dx * (xs[j] - xs[i]) + sums.dy * (ys[j] - ys[i]) < 0 ? -1 : 1;
      this.reserve();
      const s = this.sides++;
      const dx = sums.dx * flip;
      const dy = sums.dy * flip;
      this.sideOf[s] = k;
      this.lines[4 * s] = sums.x;
      this.lines[4 * s + 1] = sums.y;
      this.lines[4 * s + 2] = dx;
      this.lines[4 * s + 3] = dy;
      let from = i;
      let to = j;
      while (from > 0 && this.isOn(s, xs[from - 1], ys[from - 1])) from--;
      while (to + 1 < samples && this.isOn(s, xs[to + 1], ys[to + 1])) to++;
      this.first[s] = from;
      this.last[s] = to;
    }
  }

  /** Whether a point lies on a side's line. */
  private isOn(s: number, x: number, y: number): boolean {
    const { lines } = this;
    const at = 4 * s;
    return Math.abs((x - lines[at]) * lines[at + 3] - (y - lines[at + 1]) * lines[at + 2]) <= STRAIGHT_PX;
  }

  /** Takes the corner between one side and the next, where it is a rounded one. */
  private join(s: number, xs: Float64Array, ys: Float64Array): void {
    const { lines, first, last } = this;
    const a = 4 * s;
    const b = a + 4;
    let before = last[s];
    let after = first[s + 1];
    // There is an arc between, and something of either side.
    if (after - before < BESIDE || after - before > MOST_SAMPLES || before <= first[s] || after >= last[s + 1]) return;
    const ux = lines[a + 2];
    const uy = lines[a + 3];
    const vx = lines[b + 2];
    const vy = lines[b + 3];
    const sine = ux * vy - uy * vx;
    const turn = Math.abs(Math.atan2(sine, ux * vx + uy * vy));
    if (turn < LEAST_TURN || turn > MOST_TURN) return;
    const t = ((lines[b] - lines[a]) * vy - (lines[b + 1] - lines[a + 1]) * vx) / sine;
    const tipX = lines[a] + t * ux;
    const tipY = lines[a + 1] + t * uy;
    this.tipX = tipX;
    this.tipY = tipY;
    this.ux = ux;
    this.uy = uy;
    this.vx = vx;
    this.vy = vy;
    this.inwards = sine < 0 ? -1 : 1;
    this.tangent = Math.tan(turn / 2);
    const from = before - BESIDE > first[s] ? before - BESIDE : first[s];
    const to = after + BESIDE < last[s + 1] ? after + BESIDE : last[s + 1];
    const lengthBefore = (tipX - xs[first[s]]) * ux + (tipY - ys[first[s]]) * uy;
    const lengthAfter = (xs[last[s + 1]] - tipX) * vx + (ys[last[s + 1]] - tipY) * vy;
    const most = Math.min(lengthBefore, lengthAfter);
    if (!(most > 0)) return;
    const d = this.search(xs, ys, from, to, most);
    const r = d / this.tangent;
    if (r * r * (this.tangent - turn / 2) < LEAST_CUT_PX2) return;
    const error = this.error(xs, ys, from, to, d, 0);
    if (error > ARC_RMS_PX * ARC_RMS_PX * (to - from + 1)) return;
    if (this.error(xs, ys, from, to, 0, 0) < LEAST_GAIN * error) return;
    // An arc leaves both sides; where a curve leaves one of them, the other goes on to a sharp corner.
    const middle = this.nearestToBoth(xs, ys, from, to);
    if (!this.leavesSide(xs, ys, from, middle, d) || !this.leavesSide(xs, ys, middle + 1, to, d)) return;
    const leastLength = Math.sqrt(8 * LEAST_SAGITTA_PX * r);
    if (lengthBefore - d < leastLength || lengthAfter - d < leastLength) return;
    // The arc's samples are those between its ends.
    while (before < middle && this.along(xs, ys, before + 1) <= -d) before++;
    while (before > first[s] && this.along(xs, ys, before) > -d) before--;
    while (after > middle + 1 && this.beyond(xs, ys, after - 1) >= d) after--;
    while (after < last[s + 1] && this.beyond(xs, ys, after) < d) after++;
    if (before <= (this.count > 0 ? this.after[this.count - 1] : 0)) return;
    if (this.count * 8 === this.ends.length) this.grow();
    const c = this.count++;
    this.before[c] = before;
    this.after[c] = after;
    this.ends.set([tipX - d * ux, tipY - d * uy, ux, uy, tipX + d * vx, tipY + d * vy, vx, vy], c * 8);
  }

  /** How far a sample is beyond the tip along the side before, px. */
  private along(xs: Float64Array, ys: Float64Array, i: number): number {
    return (xs[i] - this.tipX) * this.ux + (ys[i] - this.tipY) * this.uy;
  }

  /** And along the side after. */
  private beyond(xs: Float64Array, ys: Float64Array, i: number): number {
    return (xs[i] - this.tipX) * this.vx + (ys[i] - this.tipY) * this.vy;
  }

  /** The last sample that is nearer to the side before than to the side after. */
  private nearestToBoth(xs: Float64Array, ys: Float64Array, from: number, to: number): number {
    const { tipX, tipY, ux, uy, vx, vy } = this;
    let i = from;
    while (i < to) {
      const x = xs[i + 1] - tipX;
      const y = ys[i + 1] - tipY;
      if (Math.abs(y * ux - x * uy) >= Math.abs(y * vx - x * vy)) break;
      i++;
    }
    return i;
  }

  /** Whether samples show that the corner is round, and not sharp. */
  private leavesSide(xs: Float64Array, ys: Float64Array, from: number, to: number, d: number): boolean {
    const isLevel = Math.abs(this.ux * this.uy) < LEVEL_SINE && Math.abs(this.vx * this.vy) < LEVEL_SINE;
    const clearance = isLevel ? 0 : TIP_PX;
    const sharp = this.error(xs, ys, from, to, 0, clearance);
    return (
      sharp >= LEAST_OFF_PX * LEAST_OFF_PX && sharp >= LEAST_GAIN_BESIDE * this.error(xs, ys, from, to, d, clearance)
    );
  }

  /** How far from the tip the arc begins that is nearest to the samples, px. */
  private search(xs: Float64Array, ys: Float64Array, from: number, to: number, most: number): number {
    let low = 0;
    let high = most;
    let x0 = high - GOLDEN * (high - low);
    let x1 = low + GOLDEN * (high - low);
    let e0 = this.error(xs, ys, from, to, x0, 0);
    let e1 = this.error(xs, ys, from, to, x1, 0);
    for (let n = 0; n < SEARCHES; n++) {
      if (e0 < e1) {
        high = x1;
        x1 = x0;
        e1 = e0;
        x0 = high - GOLDEN * (high - low);
        e0 = this.error(xs, ys, from, to, x0, 0);
      } else {
        low = x0;
        x0 = x1;
        e0 = e1;
        x1 = low + GOLDEN * (high - low);
        e1 = this.error(xs, ys, from, to, x1, 0);
      }
    }
    return (low + high) / 2;
  }

  /**
   * Squared distances of samples `from`..`to` from the corner at hand, with an arc that begins `d` from its tip; those nearer to the tip than
   * `clearance` do not count.
   */
  private error(xs: Float64Array, ys: Float64Array, from: number, to: number, d: number, clearance: number): number {
    const { tipX, tipY, ux, uy, vx, vy, inwards } = this;
    const r = d / this.tangent;
    const centerX = -d * ux - inwards * uy * r;
    const centerY = -d * uy + inwards * ux * r;
    let sum = 0;
    for (let i = from; i <= to; i++) {
      const x = xs[i] - tipX;
      const y = ys[i] - tipY;
      if (x * x + y * y < clearance * clearance) continue;
      const along = x * ux + y * uy;
      const beyond = x * vx + y * vy;
      const offBefore = inwards * (y * ux - x * uy);
      const offAfter = inwards * (y * vx - x * vy);
      // Between the tangent points it is the arc that counts; where there is none, the nearer side.
      const off =
        along > -d && beyond < d
          ? r > 0
            ? r - distance(x - centerX, y - centerY)
            : Math.min(Math.abs(offBefore), Math.abs(offAfter))
          : along <= -d
            ? offBefore
            : offAfter;
      sum += off * off;
    }
    return sum;
  }

  private reserve(): void {
    if (this.sides < this.sideOf.length) return;
    const size = this.sideOf.length * 2;
    this.sideOf = grown(this.sideOf, new Int32Array(size));
    this.first = grown(this.first, new Int32Array(size));
    this.last = grown(this.last, new Int32Array(size));
    this.lines = grown(this.lines, new Float64Array(size * 4));
  }

  private grow(): void {
    const size = this.count * 2;
    this.before = grown(this.before, new Int32Array(size));
    this.after = grown(this.after, new Int32Array(size));
    this.ends = grown(this.ends, new Float64Array(size * 8));
  }
}

function grown<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
