import { arena } from '../math/arena.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { isRounding } from './pixel-rounding.js';

/** Longest side of what is looked at, px: larger ones are told as well by their edges. */
const LONGEST_PX = 64;
const ROOM = LONGEST_PX + 2;
/** Pixels at each corner that a box may cover less than half of: they are its ground's. */
const CORNER_PX = 3;
/** Coverage that is none, and that is all of a pixel. */
const NOTHING = 0.004;
const WHOLE = 0.985;
/** A side this near to one of the pixels' own is there, px. */
const SNAP_PX = 0.015;
/** How much less than the longest row another may have covered that runs from side to side as well, px. */
const FULL_ROW_PX = 0.03;
/** What a round corner has less than a square one, over its radius squared, and the radii that are looked for, px. */
const CORNER_SHARE = 1 - Math.PI / 4;
const LEAST_RADIUS_PX = 0.4;
const LARGEST_RADIUS_PX = 8;
/** A square that may be a dot has sides of so many px at most, about equally long. */
const LARGEST_DOT_PX = 2;
const DOT_LONGER_PX = 0.2;
/** Strips that a pixel with a part of a round corner is measured in. */
const STRIPS = 16;

/** An upright rectangle, px; its corners have one radius. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly radius: number;
}

/** Where a rectangle lies along the columns, or along the rows: found from what is covered of each. */
class Extent {
  from = 0;
  to = 0;
  /** Of how many columns, from number `origin` of the picture on, how much of each is covered. */
  count = 0;
  readonly sums = new Float64Array(ROOM);
  /** The share that a column has of those rows alone that run from side to side. */
  readonly profile = new Float64Array(ROOM);
  private origin = 0;
  private first = 0;
  private last = 0;

  begin(origin: number, count: number): void {
    this.origin = origin;
    this.count = count;
    this.sums.fill(0, 0, count);
    this.profile.fill(0, 0, count);
  }

  largest(): number {
    let largest = 0;
    for (let k = 0; k < this.count; k++) if (this.sums[k] > largest) largest = this.sums[k];
    return largest;
  }

  /** Finds the first and the last column that anything is covered of; false where there are none. */
  bound(): boolean {
    const { sums, count } = this;
    const least = NOTHING * this.largest();
    this.first = 0;
    this.last = count - 1;
    while (this.first < count && !(sums[this.first] > least)) this.first++;
    while (this.last > this.first && !(sums[this.last] > least)) this.last--;
    return this.first < count;
  }

  /** What is covered of the columns that lie wholly within, on average; 0 where there are none. */
  inner(): number {
    const { first, last } = this;
    if (last - first < 2) return 0;
    let sum = 0;
    for (let k = first + 1; k < last; k++) sum += this.sums[k];
    return sum / (last - first - 1);
  }

  /** Places both sides by what is covered of the columns, `whole` of one wholly within; false where that leaves them open. */
  place(covered: Float64Array, whole: number): boolean {
    const { first, last, origin } = this;
    const begin = Math.min(1, covered[first] / whole);
    const end = Math.min(1, covered[last] / whole);
    if (first === last && begin < WHOLE) return false;
    this.from = snapped(origin + first + 1 - begin);
    this.to = snapped(origin + last + end);
    return this.to > this.from;
  }

  /** Places both sides `length` apart about the middle of what is covered. */
  center(length: number): void {
    let sum = 0;
    let moment = 0;
    for (let k = 0; k < this.count; k++) {
      sum += this.sums[k];
      moment += this.sums[k] * (this.origin + k + 0.5);
    }
    this.from = snapped(moment / sum - length / 2);
    this.to = snapped(moment / sum + length / 2);
  }

  /** How much of column `k` lies within, 0..1. */
  share(k: number): number {
    const at = this.origin + k;
    return Math.max(0, Math.min(at + 1, this.to) - Math.max(at, this.from));
  }

  /** Whether column `k` reaches into one of the stretches at both sides that are `radius` long. */
  isAtEnd(k: number, radius: number): boolean {
    const at = this.origin + k;
    return at < this.from + radius || at + 1 > this.to - radius;
  }

  get length(): number {
    return this.to - this.from;
  }
}

function snapped(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < SNAP_PX ? whole : value;
}

function isNearly(boxPx: number, areaPx: number): boolean {
  return areaPx <= boxPx && areaPx >= boxPx - 4 * CORNER_PX;
}

/**
 * Finds upright rectangles that the pixels prove, square or with corners of one radius: closed chains around a region each of whose pixels, and those
 * around it, have to within their rounding what such a rectangle covers of them. Sums over columns and rows give all its sides, also of bars
 * too narrow for samples along their ends to mean anything.
 */
export class BoxFinder {
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  private readonly mayBeRound: boolean;
  private readonly columns = new Extent();
  private readonly rows = new Extent();
  /** What is covered of each pixel, of the fullest, and of all. */
  private readonly covered = arena.rawFloat64(ROOM * ROOM);
  private fullest = 0;
  private area = 0;
  /** The ground's color, and what the box's has more. */
  private readonly ground = new Float64Array(4);
  private readonly more = new Float64Array(4);

  /** Corners are square unless they `mayBeRound`. */
  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array, mayBeRound: boolean) {
    this.mayBeRound = mayBeRound;
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
  }

  /** The rectangle that a closed chain with a region on either side is the outline of. */
  find(chain: number): Box | undefined {
    const { map, columns, rows } = this;
    const { width, height, areaPx } = this.regions;
    if (map.starts[chain + 1] - map.starts[chain] > 4 * LONGEST_PX) return undefined;
    let left = width;
    let right = 0;
    let top = height;
    let bottom = 0;
    for (let i = map.starts[chain]; i < map.starts[chain + 1]; i++) {
      const y = Math.floor(map.vertices[i] / (width + 1));
      const x = map.vertices[i] - y * (width + 1);
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    if (right - left > LONGEST_PX || bottom - top > LONGEST_PX) return undefined;
    const boxPx = (right - left) * (bottom - top);
    const isLeft = isNearly(boxPx, areaPx[map.left[chain]]);
    if (!isLeft && !isNearly(boxPx, areaPx[map.right[chain]])) return undefined;
    const inside = isLeft ? map.left[chain] : map.right[chain];
    const outside = isLeft ? map.right[chain] : map.left[chain];
    // The pixels around it as well: less than half covered, they are the ground's.
    left = Math.max(0, left - 1);
    top = Math.max(0, top - 1);
    columns.begin(left, Math.min(width, right + 1) - left);
    rows.begin(top, Math.min(height, bottom + 1) - top);
    if (!this.measure(inside, outside, left, top)) return undefined;
    if (!columns.bound() || !rows.bound()) return undefined;
    if (this.placeSquare() && this.isProven(left, top, 0)) {
      const square = this.found(0);
      return this.findDot(left, top) ?? square;
    }
    if (!this.mayBeRound || this.fullest < WHOLE) return undefined;
    this.measureProfiles();
    const radius = this.placeRound();
    if (radius > 0 && this.isProven(left, top, radius)) return this.found(radius);
    const half = this.placeBar();
    return half > 0 && this.isProven(left, top, half) ? this.found(half) : undefined;
  }

  /** The dot that pixels may be which prove a square of a px or two: of so few they prove both, and a dot is likelier. */
  private findDot(left: number, top: number): Box | undefined {
    const { columns, rows } = this;
    if (!this.mayBeRound || Math.max(columns.length, rows.length) > LARGEST_DOT_PX) return undefined;
    if (Math.abs(columns.length - rows.length) > DOT_LONGER_PX) return undefined;
    const radius = Math.sqrt(this.area / Math.PI);
    columns.center(2 * radius);
    rows.center(2 * radius);
    return this.isProven(left, top, radius) ? this.found(radius) : undefined;
  }

  private found(radius: number): Box {
    const { columns, rows } = this;
    return { left: columns.from, right: columns.to, top: rows.from, bottom: rows.to, radius };
  }

  /** Measures what is covered; false where there is something else beside. */
  private measure(inside: number, outside: number, left: number, top: number): boolean {
    const { columns, rows, rgba, ground, more, covered } = this;
    const { of, width, colors } = this.regions;
    let lengthSq = 0;
    for (let i = 0; i < 4; i++) {
      ground[i] = colors[outside * 4 + i];
      more[i] = colors[inside * 4 + i] - ground[i];
      lengthSq += more[i] * more[i];
    }
    if (!(lengthSq > 0)) return false;
    this.fullest = 0;
    this.area = 0;
    for (let v = 0; v < rows.count; v++) {
      for (let u = 0; u < columns.count; u++) {
        const pixel = (top + v) * width + left + u;
        if (of[pixel] !== inside && of[pixel] !== outside) return false;
        let dot = 0;
        for (let i = 0; i < 4; i++) dot += (rgba[pixel * 4 + i] - ground[i]) * more[i];
        const share = dot / lengthSq;
        covered[v * ROOM + u] = share;
        if (share > this.fullest) this.fullest = share;
        columns.sums[u] += share;
        rows.sums[v] += share;
        this.area += share;
      }
    }
    return true;
  }

  /**
   * Where the box is if its corners are square: what it covers of a pixel is then what it covers of its column times what it covers of its row. A
   * column that lies wholly within tells the height, and that the width; or a row both. Where none does, nothing tells.
   */
  private placeSquare(): boolean {
    const { columns, rows, area } = this;
    const height = columns.inner() || (this.fullest < WHOLE ? area / rows.inner() : columns.largest());
    if (!Number.isFinite(height) || !(height > 0)) return false;
    return columns.place(columns.sums, height) && rows.place(rows.sums, area / height);
  }

  /**
   * Where it is if they are round, and their radius; 0 for none. Rows between the corners tell the width, columns the height, and what is covered
   * less in the corners than by a square box the radius.
   */
  private placeRound(): number {
    const { columns, rows, covered } = this;
    if (!columns.place(columns.profile, 1) || !rows.place(rows.profile, 1)) return 0;
    const most = Math.min(columns.length, rows.length) / 2;
    const reach = Math.min(most, LARGEST_RADIUS_PX);
    let missing = 0;
    for (let v = 0; v < rows.count; v++) {
      if (!rows.isAtEnd(v, reach)) continue;
      const high = rows.share(v);
      for (let u = 0; u < columns.count; u++)
        if (columns.isAtEnd(u, reach)) missing += high * columns.share(u) - covered[v * ROOM + u];
    }
    const radius = missing > 0 ? Math.sqrt(missing / (4 * CORNER_SHARE)) : 0;
    return radius < LEAST_RADIUS_PX || radius > most ? 0 : radius;
  }

  /** Where a bar with round ends is, which has rows from side to side only, or columns, and half its width; 0 for none. */
  private placeBar(): number {
    const { columns, rows, area } = this;
    const isUpright = rows.count > columns.count;
    const [across, along] = isUpright ? [columns, rows] : [rows, columns];
    if (!across.place(across.profile, 1)) return 0;
    const width = across.length;
    along.center((area + CORNER_SHARE * width * width) / width);
    return along.length > width ? width / 2 : 0;
  }

  private measureProfiles(): void {
    const { columns, rows, covered } = this;
    const leastRow = rows.largest() - FULL_ROW_PX;
    const leastColumn = columns.largest() - FULL_ROW_PX;
    let fullRows = 0;
    let fullColumns = 0;
    for (let v = 0; v < rows.count; v++) if (rows.sums[v] >= leastRow) fullRows++;
    for (let u = 0; u < columns.count; u++) if (columns.sums[u] >= leastColumn) fullColumns++;
    for (let v = 0; v < rows.count; v++) {
      for (let u = 0; u < columns.count; u++) {
        const share = covered[v * ROOM + u];
        if (rows.sums[v] >= leastRow) columns.profile[u] += share / fullRows;
        if (columns.sums[u] >= leastColumn) rows.profile[v] += share / fullColumns;
      }
    }
  }

  /** Whether all pixels have what the rectangle covers of them. */
  private isProven(left: number, top: number, radius: number): boolean {
    const { columns, rows, rgba, ground, more } = this;
    const { width } = this.regions;
    for (let v = 0; v < rows.count; v++) {
      const high = rows.share(v);
      for (let u = 0; u < columns.count; u++) {
        const isCorner = radius > 0 && columns.isAtEnd(u, radius) && rows.isAtEnd(v, radius);
        const covered = isCorner ? this.coveredOf(left + u, top + v, radius) : high * columns.share(u);
        const at = ((top + v) * width + left + u) * 4;
        for (let i = 0; i < 4; i++) {
          const off = rgba[at + i] - ground[i] - covered * more[i];
          if (!isRounding(off, more[i])) return false;
        }
      }
    }
    return true;
  }

  /** How much of a pixel a rectangle with round corners covers, in strips. */
  private coveredOf(x: number, y: number, radius: number): number {
    const { columns, rows } = this;
    const top = Math.max(y, rows.from);
    const high = (Math.min(y + 1, rows.to) - top) / STRIPS;
    if (!(high > 0)) return 0;
    let sum = 0;
    for (let k = 0; k < STRIPS; k++) {
      const at = top + (k + 0.5) * high;
      // How far the strip is beyond the centers of the corners' circles, and by what that makes it shorter on either side.
      const beyond = Math.max(0, rows.from + radius - at, at - rows.to + radius);
      const shorter = radius - Math.sqrt(Math.max(0, radius * radius - beyond * beyond));
      const from = Math.max(x, columns.from + shorter);
      const to = Math.min(x + 1, columns.to - shorter);
      if (to > from) sum += to - from;
    }
    return sum * high;
  }
}
