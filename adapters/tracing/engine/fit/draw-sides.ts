import { distance } from '../math/distance.js';
import type { CurveList } from './curves.js';

/** Sides that turn by less than this into each other, radians, are of one curve, and so are those of small closed polygons that turn by less than that. */
export const BLUNT_TURN = 0.95;
const ROUND_TURN = 1.35;
/** But such as are longer than this, px, or than those beside them by this factor are straight. */
const LONG_PX = 8;
const LONGER = 2.2;

export interface Polygon {
  /** Places, and the numbers of those that are its corners: one more than it has `count` sides. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly corners: Int32Array;
  readonly count: number;
  /** Whether the last corner is the first, and whether it is so small that it is round rather than a polygon. */
  readonly isClosed: boolean;
  readonly isSmall: boolean;
}

type Way = readonly [number, number];

/** Adds a polygon to the curves: lines, and cubics for those of its sides that are joined by blunt corners, unless they are long, with common tangents where they meet. */
export function drawSides(list: CurveList, polygon: Polygon): void {
  const sides = new Sides(polygon);
  for (let k = 0; k < polygon.count; k++) {
    const [x0, y0] = sides.corner(k);
    const [x1, y1] = sides.corner(k + 1);
    if (sides.isStraight(k)) {
      list.line(x0, y0, x1, y1);
      continue;
    }
    const [ux, uy] = sides.tangentBefore(k);
    const [vx, vy] = sides.tangentBehind(k);
    const handle = sides.length(k) / 3;
    const a = handle / (distance(ux, uy) || 1);
    const b = handle / (distance(vx, vy) || 1);
    list.cubic(x0, y0, x0 + a * ux, y0 + a * uy, x1 - b * vx, y1 - b * vy, x1, y1);
  }
}

class Sides {
  private readonly polygon: Polygon;
  private readonly mostTurn: number;

  constructor(polygon: Polygon) {
    this.polygon = polygon;
    this.mostTurn = polygon.isClosed && polygon.isSmall ? ROUND_TURN : BLUNT_TURN;
  }

  corner(k: number): Way {
    const { xs, ys, corners } = this.polygon;
    return [xs[corners[k]], ys[corners[k]]];
  }

  length(k: number): number {
    return distance(...this.way(k));
  }

  /** Whether a side is a line. */
  isStraight(k: number): boolean {
    const before = this.before(k);
    let shorter = Infinity;
    if (before >= 0 && this.isBlunt(before)) shorter = this.length(before);
    if (this.isBlunt(k)) shorter = Math.min(shorter, this.length(this.next(k)));
    return shorter === Infinity || this.length(k) > Math.min(LONG_PX, LONGER * shorter);
  }

  /** The direction in which side `k`, which is none that is straight, begins: where it does not go on from another, as bent as it ends. */
  tangentBefore(k: number): Way {
    const before = this.before(k);
    return before >= 0 && this.isBlunt(before) ? this.tangent(before) : this.mirrored(k, this.tangent(k));
  }

  /** And that in which it ends. */
  tangentBehind(k: number): Way {
    return this.isBlunt(k) ? this.tangent(k) : this.mirrored(k, this.tangent(this.before(k)));
  }

  private way(k: number): Way {
    const [x0, y0] = this.corner(k);
    const [x1, y1] = this.corner(k + 1);
    return [x1 - x0, y1 - y0];
  }

  private before(k: number): number {
    return k > 0 ? k - 1 : this.polygon.isClosed ? this.polygon.count - 1 : -1;
  }

  private next(k: number): number {
    return k + 1 < this.polygon.count ? k + 1 : this.polygon.isClosed ? 0 : -1;
  }

  /** Whether side `k` goes on smoothly into the next one. */
  private isBlunt(k: number): boolean {
    const next = this.next(k);
    if (next < 0 || next === k) return false;
    const [ux, uy] = this.way(k);
    const [vx, vy] = this.way(next);
    return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) < this.mostTurn;
  }

  /** The direction where side `k` goes on into the next one: that of a straight one, or of both together. */
  private tangent(k: number): Way {
    const next = this.next(k);
    if (this.isStraight(k)) return this.way(k);
    if (this.isStraight(next)) return this.way(next);
    const [ux, uy] = this.way(k);
    const [vx, vy] = this.way(next);
    const [u, v] = [this.length(k), this.length(next)];
    return [ux / u + vx / v, uy / u + vy / v];
  }

  /** A direction on the other side of that of side `k`. */
  private mirrored(k: number, [tx, ty]: Way): Way {
    const [x, y] = this.way(k);
    const along = (2 * (tx * x + ty * y)) / (x * x + y * y);
    return [along * x - tx, along * y - ty];
  }
}
