import type { CurveList } from '../fit/curves.js';

/** A handle of a quarter of a circle, over its radius: what of that it is short of the tip. */
const SHORT_OF_TIP = 1 - (4 / 3) * (Math.SQRT2 - 1);
/** A side no longer than this between two round corners is none, px. */
const NO_SIDE_PX = 0.03;

/** Adds lines between points (x and y in turn) to a chain, and quarters of circles around those that have a radius. */
export class WayWriter {
  private x = 0;
  private y = 0;
  private readonly list: CurveList;
  private readonly points: Float64Array;
  private readonly radiusOf: (k: number) => number;

  constructor(list: CurveList, points: Float64Array, radiusOf: (k: number) => number) {
    this.list = list;
    this.points = points;
    this.radiusOf = radiusOf;
  }

  /** Begins behind the corner at point `k`. */
  begin(k: number): void {
    [this.x, this.y] = this.beside(k, k + 1, this.radiusOf(k));
  }

  /** Goes on to point `k`, and around it. */
  corner(k: number): void {
    const { list, x, y } = this;
    const radius = this.radiusOf(k);
    const [fromX, fromY] = this.beside(k, k - 1, radius);
    const isSide = radius === 0 || Math.hypot(fromX - x, fromY - y) > NO_SIDE_PX;
    if (isSide) list.line(x, y, fromX, fromY);
    const [startX, startY] = isSide ? [fromX, fromY] : [x, y];
    [this.x, this.y] = [fromX, fromY];
    if (radius === 0) return;
    const [toX, toY] = this.beside(k, k + 1, radius);
    const [ax, ay] = this.beside(k, k - 1, SHORT_OF_TIP * radius);
    const [bx, by] = this.beside(k, k + 1, SHORT_OF_TIP * radius);
    list.cubic(startX, startY, ax, ay, bx, by, toX, toY);
    [this.x, this.y] = [toX, toY];
  }

  /** The point `length` px from point `k` towards another. */
  private beside(k: number, other: number, length: number): readonly [number, number] {
    const { points } = this;
    const [x, y] = [points[2 * k], points[2 * k + 1]];
    if (length === 0) return [x, y];
    const [dx, dy] = [points[2 * other] - x, points[2 * other + 1] - y];
    const share = length / Math.hypot(dx, dy);
    return [x + share * dx, y + share * dy];
  }
}
