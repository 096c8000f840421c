import { type ChainCurves, SEGMENT_LINE } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import { FloatList, type IntList } from '../math/lists.js';
import { windingNumber } from '../math/winding-number.js';
import type { Covers } from './covers.js';

/** Lines that stand for a cubic where only what lies on which side of it is asked. */
const PIECES = 6;
/** At how many places along the edge the region itself is looked for, at most, and how near to each other, px. */
const MOST_PLACES = 16;
const SPACING_PX = 2;
/** So near to its ends, px, a way may be on the wrong side of the edge by no more than this, px. */
const NEAR_END_PX = 2.5;
const NEAR_EDGE_PX = 0.1;
/** How far from the edge, px: curves and pixels part by less. */
const BESIDE_PX = 1.2;
/** How far beneath the covers a way is led on the mean, at least, px: where its ends are near, nothing else is asked of it. */
const LEAST_DEPTH_PX = 0.25;

/** Edges of a region beneath covers, one behind the other, as one polygon with the region on its right. */
export class CoveredEdge {
  /** x and y in turn; behind `length` there may be a way back. */
  readonly polygon = new FloatList(256);
  /** Places along it: x and y, and the direction to its left, of length 1. */
  readonly places = new FloatList(64);
  /** Numbers of `polygon` that are the edge. */
  length = 0;
  private readonly covers: Covers;
  private readonly curves: ChainCurves;

  constructor(covers: Covers, curves: ChainCurves) {
    this.covers = covers;
    this.curves = curves;
  }

  /** Takes the edges that `run` lists, half-edges with the region on the right. */
  lay(run: IntList): void {
    const { polygon, curves } = this;
    const { starts, kinds, points } = curves;
    polygon.length = 0;
    for (let r = 0; r < run.length; r++) {
      const chain = run.data[r] >> 1;
      const backwards = (run.data[r] & 1) === 1;
      const first = starts[chain];
      const end = starts[chain + 1];
      for (let k = first; k < end; k++) {
        const s = backwards ? end - 1 - (k - first) : k;
        const p = s * 8;
        if (polygon.length === 0) this.add(points[backwards ? p + 6 : p], points[backwards ? p + 7 : p + 1]);
        const pieces = kinds[s] === SEGMENT_LINE ? 1 : PIECES;
        for (let i = 1; i <= pieces; i++) {
          const t = backwards ? 1 - i / pieces : i / pieces;
          const u = 1 - t;
          const a = u * u * u;
          const b = 3 * u * u * t;
          const c = 3 * u * t * t;
          const d = t * t * t;
          this.add(
            a * points[p] + b * points[p + 2] + c * points[p + 4] + d * points[p + 6],
            a * points[p + 1] + b * points[p + 3] + c * points[p + 5] + d * points[p + 7],
          );
        }
      }
    }
    this.length = polygon.length;
  }

  /** Takes the stretch of a way from one of its vertices to another for an edge. */
  layWay(way: FloatList, from: number, to: number): void {
    const { polygon } = this;
    polygon.length = 0;
    for (let k = from; k <= to; k += 2) this.add(way.data[k], way.data[k + 1]);
    this.length = polygon.length;
  }

  /** Its length along its lines, px. */
  measure(): number {
    const { data } = this.polygon;
    let total = 0;
    for (let k = 2; k < this.length; k += 2) total += distance(data[k] - data[k - 2], data[k + 1] - data[k - 1]);
    return total;
  }

  /** Puts places at even distances along it into `places`, the first half a distance from its beginning. */
  layPlaces(spacing: number): void {
    const { places } = this;
    const { data } = this.polygon;
    places.length = 0;
    let next = spacing / 2;
    let at = 0;
    for (let k = 2; k < this.length; k += 2) {
      const dx = data[k] - data[k - 2];
      const dy = data[k + 1] - data[k - 1];
      const size = distance(dx, dy);
      for (; next <= at + size; next += spacing) {
        const share = (next - at) / size;
        places.push(data[k - 2] + dx * share);
        places.push(data[k - 1] + dy * share);
        // With y down, the left of a direction (dx, dy) is (dy, -dx).
        places.push(dy / size);
        places.push(-dx / size);
      }
      at += size;
    }
  }

  /**
   * Whether a way from its beginning to its end may be drawn instead of it: vertices `from` to `to` of `way`. Nothing that must be seen may lie between
   * the two, and what the region has of its own must be on the right of both.
   */
  allows(way: FloatList, from: number, to: number): boolean {
    const { data } = this.polygon;
    const last = this.length - 2;
    // Where the way turns first, from either end; with no turn, at the other one.
    let first = from;
    while (first <= to && way.data[first] === data[0] && way.data[first + 1] === data[1]) first += 2;
    let end = to;
    while (end >= from && way.data[end] === data[last] && way.data[end + 1] === data[last + 1]) end -= 2;
    const [aims, begin] = first <= to ? [way.data, first] : [data, last];
    const [aimsBack, beginBack] = end >= from ? [way.data, end] : [data, 0];
    if (!this.leavesOwn(0, 1, aims[begin], aims[begin + 1])) return false;
    if (!this.leavesOwn(last, -1, aimsBack[beginBack], aimsBack[beginBack + 1])) return false;
    this.goBack(way, from, to);
    return (
      this.area() <= -2 * LEAST_DEPTH_PX * this.measure() &&
      this.covers.areAllOutside(this.polygon) &&
      this.isOwnOutside()
    );
  }

  /** As `allows`, of another way that is beneath the covers too and may lie on either side. */
  allowsBeside(way: FloatList, from: number, to: number): boolean {
    this.goBack(way, from, to);
    return this.covers.areAllOutside(this.polygon);
  }

  private goBack(way: FloatList, from: number, to: number): void {
    this.polygon.length = this.length;
    for (let k = to; k >= from; k -= 2) this.add(way.data[k], way.data[k + 1]);
  }

  /** Twice the polygon's area; positive where it has what is in it on the right. */
  private area(): number {
    const { data, length } = this.polygon;
    let doubled = 0;
    for (let k = 0, p = length - 2; k < length; p = k, k += 2) doubled += data[p] * data[k + 1] - data[p + 1] * data[k];
    return doubled;
  }

  /**
   * Whether the edge near one of its ends, `at` in the polygon and walked in the direction of `sign`, lies on the region's side of a
   * line from there to (x, y). Pixels tell nothing so near to an end, but the edge does.
   */
  private leavesOwn(at: number, sign: 1 | -1, x: number, y: number): boolean {
    const { data } = this.polygon;
    const wx = x - data[at];
    const wy = y - data[at + 1];
    const away = distance(wx, wy);
    let along = 0;
    for (let k = at; along < NEAR_END_PX; k += 2 * sign) {
      const p = k + 2 * sign;
      if (p < 0 || p >= this.length) break;
      const dx = data[p] - data[k];
      const dy = data[p + 1] - data[k + 1];
      const size = distance(dx, dy);
      const share = size > 0 ? Math.min(1, (NEAR_END_PX - along) / size) : 1;
      const ex = data[k] + dx * share - data[at];
      const ey = data[k + 1] + dy * share - data[at + 1];
      const isBeside = wx * ex + wy * ey < away * away;
      // With y down, what is on the right of a direction turns clockwise from it.
      if (isBeside && sign * (wx * ey - wy * ex) < -NEAR_EDGE_PX * away) return false;
      along += size;
    }
    return true;
  }

  /** Whether the region's own pixels beside the edge are outside the polygon. */
  private isOwnOutside(): boolean {
    const { covers, polygon, places } = this;
    this.layPlaces(Math.max(SPACING_PX, this.measure() / MOST_PLACES));
    for (let k = 0; k < places.length; k += 4) {
      const x = places.data[k] - places.data[k + 2] * BESIDE_PX;
      const y = places.data[k + 1] - places.data[k + 3] * BESIDE_PX;
      if (covers.isOwn(x, y) && windingNumber(polygon, x, y) !== 0) return false;
    }
    return true;
  }

  private add(x: number, y: number): void {
    this.polygon.push(x);
    this.polygon.push(y);
  }
}
