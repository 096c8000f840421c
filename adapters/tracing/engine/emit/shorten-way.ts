import { distance } from '../math/distance.js';
import type { FloatList } from '../math/lists.js';
import { type Covers, LONGEST_EXTENSION } from './covers.js';

/**
 * Takes vertices out of a way that is hidden beneath what is painted later. A vertex goes where its triangle with its neighbors lies
 * beneath the covers; two next to each other become the one in which the lines before and behind them meet. Where the
 * outline comes to the way, or leaves it, along a straight line, that line may go on beneath the covers.
 */
export class WayShortener {
  private readonly covers: Covers;
  private readonly width: number;
  private readonly height: number;
  private way: FloatList | undefined;
  // Where two lines meet.
  private meetX = 0;
  private meetY = 0;

  constructor(covers: Covers, width: number, height: number) {
    this.covers = covers;
    this.width = width;
    this.height = height;
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
    this.covers.begin(mine, data[a], data[a + 1], data[b], data[b + 1]);
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
      this.covers.isCoveredLine(data[i], data[i + 1], data[k], data[k + 1]) &&
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
    const { width, height } = this;
    return this.meetX >= 0 && this.meetY >= 0 && this.meetX <= width && this.meetY <= height;
  }

  /** Whether the way may turn where two lines meet instead of in (x0, y0) and (x1, y1). */
  private isFree(x0: number, y0: number, x1: number, y1: number): boolean {
    const { meetX, meetY } = this;
    return (
      this.covers.isCoveredLine(x0, y0, meetX, meetY) &&
      this.covers.isCoveredLine(meetX, meetY, x1, y1) &&
      this.isCoveredInside(x0, y0, meetX, meetY, x1, y1)
    );
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
        if (!this.covers.isCoveredPixel(column, row)) return false;
      }
    }
    return true;
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
