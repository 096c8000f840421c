import { distance } from '../math/distance.js';
import type { FloatList } from '../math/lists.js';
import { windingNumber } from '../math/winding-number.js';
import type { Regions } from '../segment/regions.js';
import type { Stacking } from './stacking.js';

/** Kept between a way and the edge of what covers it, px, as pixels have that edge: it may be half a px nearer. */
const MARGIN_PX = 0.9;
/** Towards the way's two ends, which lie on the edge, the margin falls to nothing by this share of the distance. */
const MARGIN_SHARE = 0.25;
const MARGIN_GROWS_SQ = (MARGIN_PX / MARGIN_SHARE) ** 2;
/** A line is gone on with by no more than this multiple of its length: where it then leads is hidden, but no secret. */
export const LONGEST_EXTENSION = 8;
/** Nothing is asked nearer to the ends than this, px. */
const END_CLEARANCE_SQ = 1;
/** How far apart a line is looked at, px, and a few places of it before that: most that are not covered are not so for some px. */
const STEP_PX = 0.5;
const FEW_STEPS_PX = 6;
/** Where a line that is longer than this is looked at first. */
const PARTS = Float64Array.of(0.5, 0.25, 0.75);
const PARTS_PX = 2;

/**
 * What is painted after a region and hides what lies beneath it: the ground on which the region's outline may run unseen from
 * one point of it to another. `begin` says whose outline, and from where to where.
 */
export class Covers {
  private readonly width: number;
  private readonly height: number;
  private readonly of: Int32Array;
  private readonly rank: Int32Array;
  /** Per region: its rank if it hides what is beneath it, -1 if not. */
  readonly cover: Int32Array;
  /** Per region: x and y of a point in it; NaN for none. */
  private readonly inside: Float64Array;
  /** Regions by the row that point is in, and per row, and one more at the end, where they begin. */
  private readonly byRow: Int32Array;
  private readonly rowStarts: Int32Array;
  private mine = -1;
  private rankBelow = -1;
  private ax = 0;
  private ay = 0;
  private bx = 0;
  private by = 0;

  constructor(regions: Regions, { rank, solid }: Stacking) {
    const { of, width, height } = regions;
    this.of = of;
    this.width = width;
    this.height = height;
    this.rank = rank;
    this.cover = rank.map((place, region) => (solid[region] === 1 ? place : -1));
    const inside = middles(regions);
    this.inside = inside;
    const rowStarts = new Int32Array(height + 1);
    let count = 0;
    for (let r = 0; r < regions.count; r++) {
      if (!(inside[2 * r + 1] >= 0)) continue;
      rowStarts[Math.floor(inside[2 * r + 1]) + 1]++;
      count++;
    }
    for (let y = 0; y < height; y++) rowStarts[y + 1] += rowStarts[y];
    const byRow = new Int32Array(count);
    const next = rowStarts.slice();
    for (let r = 0; r < regions.count; r++)
      if (inside[2 * r + 1] >= 0) byRow[next[Math.floor(inside[2 * r + 1])]++] = r;
    this.byRow = byRow;
    this.rowStarts = rowStarts;
  }

  begin(region: number, ax: number, ay: number, bx: number, by: number): void {
    this.mine = region;
    this.rankBelow = this.rank[region];
    this.ax = ax;
    this.ay = ay;
    this.bx = bx;
    this.by = by;
  }

  /** Whether a point lies beneath covers, or beyond the picture, where nothing is seen. */
  isCovered(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return true;
    return this.cover[this.of[Math.floor(y) * this.width + Math.floor(x)]] > this.rankBelow;
  }

  /** Whether a line is beneath the covers, and so is what lies on both sides of it. */
  isCoveredLine(x0: number, y0: number, x1: number, y1: number): boolean {
    const dx = x1 - x0;
    const dy = y1 - y0;
    const length = distance(dx, dy);
    if (length === 0) return true;
    // Most lines that are not covered are found out by their middle or quarters.
    if (length > PARTS_PX && !this.arePartsCovered(x0, y0, dx, dy)) return false;
    const [ux, uy] = [dx / length, dy / length];
    for (let at = FEW_STEPS_PX; at < length; at += FEW_STEPS_PX)
      if (!this.isCoveredAcross(x0 + ux * at, y0 + uy * at, ux, uy)) return false;
    return this.coveredAlong(x0, y0, ux, uy, length) >= length;
  }

  /**
   * How far from a point of the picture's a line in a direction (of length 1) runs beneath covers, px: up to `most`, or where it leaves
   * the picture, or short of where the covers end.
   */
  roomAlong(x: number, y: number, dx: number, dy: number, most: number): number {
    let border = most;
    if (dx > 0) border = Math.min(border, (this.width - x) / dx);
    else if (dx < 0) border = Math.min(border, -x / dx);
    if (dy > 0) border = Math.min(border, (this.height - y) / dy);
    else if (dy < 0) border = Math.min(border, -y / dy);
    const room = this.coveredAlong(x, y, dx, dy, border);
    return room >= border ? border : Math.max(0, room - MARGIN_PX);
  }

  /** Whether a point of the picture's lies beneath covers. */
  isCoveredInPicture(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.isCovered(x, y);
  }

  /** Whether a point of the picture's is of the region itself. */
  isOwn(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return false;
    return this.of[Math.floor(y) * this.width + Math.floor(x)] === this.mine;
  }

  /** Whether a line from (x, y) runs along the picture's border. */
  isAlongBorder(x: number, y: number, dx: number, dy: number): boolean {
    return (dx === 0 && (x === 0 || x === this.width)) || (dy === 0 && (y === 0 || y === this.height));
  }

  /** Whether a pixel is beneath the covers, or so near to the way's ends that it does not matter. */
  isCoveredPixel(column: number, row: number): boolean {
    return this.isCovered(column + 0.5, row + 0.5) || this.toEndSq(column + 0.5, row + 0.5) < END_CLEARANCE_SQ;
  }

  /** Whether everything that must be seen is outside a closed polygon whose sides it does not cross: one point of a region tells. */
  areAllOutside(polygon: FloatList): boolean {
    const { data, length } = polygon;
    const { cover, inside, byRow, rowStarts, rankBelow } = this;
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let k = 0; k < length; k += 2) {
      if (data[k] < left) left = data[k];
      if (data[k] > right) right = data[k];
      if (data[k + 1] < top) top = data[k + 1];
      if (data[k + 1] > bottom) bottom = data[k + 1];
    }
    const end = rowStarts[Math.min(this.height, Math.max(0, Math.ceil(bottom)))];
    for (let k = rowStarts[Math.min(this.height, Math.max(0, Math.floor(top)))]; k < end; k++) {
      const r = byRow[k];
      const x = inside[2 * r];
      const y = inside[2 * r + 1];
      if (!(x > left && x < right && y > top && y < bottom) || cover[r] > rankBelow) continue;
      if (windingNumber(polygon, x, y) !== 0) return false;
    }
    return true;
  }

  /** How far a line is beneath covers, itself and what lies on both sides of it, px, in steps; at least `length` where it is all along. */
  private coveredAlong(x0: number, y0: number, dx: number, dy: number, length: number): number {
    for (let at = 0; at < length + STEP_PX; at += STEP_PX) {
      const d = at < length ? at : length;
      if (!this.isCoveredAcross(x0 + dx * d, y0 + dy * d, dx, dy)) return at;
    }
    return length;
  }

  /** Whether what lies on both sides of a point of a line is beneath covers, as far as the margin goes there. */
  private isCoveredAcross(x: number, y: number, dx: number, dy: number): boolean {
    const toEndSq = this.toEndSq(x, y);
    if (toEndSq < END_CLEARANCE_SQ) return true;
    const margin = toEndSq < MARGIN_GROWS_SQ ? MARGIN_SHARE * Math.sqrt(toEndSq) : MARGIN_PX;
    const nx = dy * margin;
    const ny = -dx * margin;
    return this.isCovered(x + nx, y + ny) && this.isCovered(x - nx, y - ny);
  }

  private arePartsCovered(x0: number, y0: number, dx: number, dy: number): boolean {
    for (let part = 0; part < PARTS.length; part++) {
      const x = x0 + dx * PARTS[part];
      const y = y0 + dy * PARTS[part];
      if (!this.isCovered(x, y) && this.toEndSq(x, y) >= END_CLEARANCE_SQ) return false;
    }
    return true;
  }

  private toEndSq(x: number, y: number): number {
    const { ax, ay, bx, by } = this;
    const a = (x - ax) * (x - ax) + (y - ay) * (y - ay);
    const b = (x - bx) * (x - bx) + (y - by) * (y - by);
    return a < b ? a : b;
  }
}

/** Per region a point in it, as far from its left and right as any: the middle of its longest run of pixels. */
function middles({ of, runs, count, width }: Regions): Float64Array {
  const longest = new Int32Array(count);
  const points = new Float64Array(2 * count).fill(Number.NaN);
  for (let i = 0; i + 1 < runs.length; i++) {
    const from = runs[i];
    const length = runs[i + 1] - from;
    const region = of[from];
    if (length <= longest[region]) continue;
    longest[region] = length;
    const row = Math.floor(from / width);
    points[2 * region] = from - row * width + length / 2;
    points[2 * region + 1] = row + 0.5;
  }
  return points;
}
