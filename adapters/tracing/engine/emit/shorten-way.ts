import { distance } from '../math/distance.js';
import type { FloatList } from '../math/lists.js';
import type { Regions } from '../segment/regions.js';
import type { Stacking } from './stacking.js';

/** Kept between the way and the edge of what covers it, px, as pixels have that edge: it may be half a px nearer. */
const MARGIN_PX = 0.9;
/** Towards the way's two ends, which lie on the edge, the margin falls to nothing by this share of the distance. */
const MARGIN_SHARE = 0.5;
/** Nothing is asked nearer to the ends than this, px. */
const END_CLEARANCE_PX = 1;
const STEP_PX = 0.5;
/** A line is gone on with by no more than this multiple of its length: where it then leads is hidden, but no secret. */
const LONGEST_EXTENSION = 8;

/**
 * Takes vertices out of a way that is hidden beneath what is painted later. A vertex goes where its triangle with its neighbors lies
 * beneath the covers; two next to each other become the one in which the lines before and behind them meet. Where the
 * outline comes to the way, or leaves it, along a straight line, that line may go on beneath the covers.
 */
export class WayShortener {
  private readonly regions: Regions;
  private readonly rank: Int32Array;
  private readonly solid: Uint8Array;
  private way: FloatList | undefined;
  private rankBelow = 0;
  // The way's two ends, on the edge.
  private ax = 0;
  private ay = 0;
  private bx = 0;
  private by = 0;
  // Where two lines meet.
  private meetX = 0;
  private meetY = 0;

  constructor(regions: Regions, { rank, solid }: Stacking) {
    this.regions = regions;
    this.rank = rank;
    this.solid = solid;
  }

  /**
   * Shortens the way in place: x and y in turn, the outline's own vertices at both ends included. `lineBefore` and
   * `lineAfter` say that the way's first and its last edge are visible straight lines, which keep their direction
   * and everything that is seen of them. `mine` is the region whose outline it is.
   */
  shorten(way: FloatList, mine: number, lineBefore: boolean, lineAfter: boolean): void {
    const { data } = way;
    const last = way.length - 2;
    const a = lineBefore ? 2 : 0;
    const b = lineAfter ? last - 2 : last;
    this.way = way;
    this.rankBelow = this.rank[mine];
    this.ax = data[a];
    this.ay = data[a + 1];
    this.bx = data[b];
    this.by = data[b + 1];
    for (let changed = true; changed; ) {
      changed = false;
      // The ends of visible lines are no vertices to be left out, only to be moved along them.
      for (let k = a + 2; k + 2 <= way.length - 2 - (lineAfter ? 2 : 0); ) {
        if (this.isCoveredTriangle(k - 2, k, k + 2)) {
          this.remove(k);
          changed = true;
        } else k += 2;
      }
      for (let k = 2; k + 4 < way.length; ) {
        if (this.meets(k) && this.isFree(data[k], data[k + 1], data[k + 2], data[k + 3])) {
          data[k] = this.meetX;
          data[k + 1] = this.meetY;
          this.remove(k + 2);
          changed = true;
        } else k += 2;
      }
    }
  }

  private remove(k: number): void {
    const way = this.way as FloatList;
    way.data.copyWithin(k, k + 2, way.length);
    way.length -= 2;
  }

  private isCoveredTriangle(i: number, j: number, k: number): boolean {
    const { data } = this.way as FloatList;
    return (
      this.isCoveredLine(data[i], data[i + 1], data[k], data[k + 1]) &&
      this.isCoveredInside(data[i], data[i + 1], data[j], data[j + 1], data[k], data[k + 1])
    );
  }

  /** Where the edge before vertex k and the one behind the next meet, going on from both. */
  private meets(k: number): boolean {
    const { data } = this.way as FloatList;
    const ux = data[k] - data[k - 2];
    const uy = data[k + 1] - data[k - 1];
    const vx = data[k + 2] - data[k + 4];
    const vy = data[k + 3] - data[k + 5];
    const dx = data[k + 2] - data[k];
    const dy = data[k + 3] - data[k + 1];
    const cross = ux * vy - uy * vx;
    if (Math.abs(cross) < 1e-3 * distance(ux, uy) * distance(vx, vy)) return false;
    const s = (dx * vy - dy * vx) / cross;
    const t = (dx * uy - dy * ux) / cross;
    if (!(s > 0 && t > 0 && s < LONGEST_EXTENSION && t < LONGEST_EXTENSION)) return false;
    // Upright and level lines stay so to the last bit.
    this.meetX = ux === 0 ? data[k] : vx === 0 ? data[k + 2] : data[k] + s * ux;
    this.meetY = uy === 0 ? data[k + 1] : vy === 0 ? data[k + 3] : data[k + 1] + s * uy;
    const { width, height } = this.regions;
    return this.meetX >= 0 && this.meetY >= 0 && this.meetX <= width && this.meetY <= height;
  }

  /** Whether the way may turn where two lines meet instead of in (x0, y0) and (x1, y1). */
  private isFree(x0: number, y0: number, x1: number, y1: number): boolean {
    const { meetX, meetY } = this;
    return (
      this.isCoveredLine(x0, y0, meetX, meetY) &&
      this.isCoveredLine(meetX, meetY, x1, y1) &&
      this.isCoveredInside(x0, y0, meetX, meetY, x1, y1)
    );
  }

  /** Whether a line is beneath the covers, and so is what lies on both sides of it. */
  private isCoveredLine(x0: number, y0: number, x1: number, y1: number): boolean {
    const dx = x1 - x0;
    const dy = y1 - y0;
    const length = distance(dx, dy);
    const steps = Math.ceil(length / STEP_PX) + 1;
    for (let i = 0; i <= steps; i++) {
      const x = x0 + (dx * i) / steps;
      const y = y0 + (dy * i) / steps;
      const toEnd = this.toEnd(x, y);
      if (toEnd < END_CLEARANCE_PX) continue;
      const margin = Math.min(MARGIN_PX, toEnd * MARGIN_SHARE);
      const nx = (dy / length) * margin;
      const ny = (-dx / length) * margin;
      if (!this.isCovered(x + nx, y + ny) || !this.isCovered(x - nx, y - ny)) return false;
    }
    return true;
  }

  /** Whether every pixel whose middle lies in a triangle is beneath the covers. */
  private isCoveredInside(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): boolean {
    const from = Math.ceil(Math.min(y0, y1, y2) - 0.5);
    const to = Math.floor(Math.max(y0, y1, y2) - 0.5);
    for (let row = from; row <= to; row++) {
      const y = row + 0.5;
      const a = crossing(x0, y0, x1, y1, y);
      const b = crossing(x1, y1, x2, y2, y);
      const c = crossing(x2, y2, x0, y0, y);
      // Two of the three sides cross a row; the third is NaN.
      const left = least(a, b, c);
      const right = -least(-a, -b, -c);
      for (let column = Math.ceil(left - 0.5); column + 0.5 <= right; column++) {
        if (!this.isCovered(column + 0.5, y) && this.toEnd(column + 0.5, y) >= END_CLEARANCE_PX) return false;
      }
    }
    return true;
  }

  private toEnd(x: number, y: number): number {
    const a = distance(x - this.ax, y - this.ay);
    const b = distance(x - this.bx, y - this.by);
    return a < b ? a : b;
  }

  private isCovered(x: number, y: number): boolean {
    const { of, width, height } = this.regions;
    // Beyond the picture nothing is seen.
    if (x < 0 || y < 0 || x >= width || y >= height) return true;
    const there = of[Math.floor(y) * width + Math.floor(x)];
    return this.rank[there] > this.rankBelow && this.solid[there] === 1;
  }
}

/** Where an edge crosses a row; NaN where it does not. */
function crossing(x0: number, y0: number, x1: number, y1: number, y: number): number {
  if (y0 < y === y1 < y) return Number.NaN;
  return x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
}

/** The least of those that are numbers. */
function least(a: number, b: number, c: number): number {
  let found = Infinity;
  if (a < found) found = a;
  if (b < found) found = b;
  if (c < found) found = c;
  return found;
}
