import {
  MOST_PLACES,
  RUN_CUBIC,
  RUN_ENDS,
  RUN_FAR,
  RUN_HANDLES,
  RUN_OFF,
  RUN_PARAMETERS,
  RUN_PLACES,
  RUN_TANGENTS,
} from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { distance } from '../math/distance.js';
import { IntList } from '../math/lists.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { type ChainCurves, CurveList, isWholeShape, SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';

/** Segments that one cubic may take the place of. */
const MOST_MERGED = 6;
/** A joint that turns by more than this (radians) is a corner, and stays. */
const CORNER_TURN = 0.3;
/** Tangents that differ by less than this (radians) where two segments meet are one. */
const SMOOTH_TURN = 0.06;
/** A cubic turns by no more than this in all, one way and the other counted together, radians. */
const MOST_TURN = 2.8;
/** Numbers a segment takes. */
const LINE_NUMBERS = 2;
const CUBIC_NUMBERS = 6;
/** What being off by all of the tolerance costs, in numbers. */
const OFF_PRICE = 2;
/** Places a segment is followed by: least, most, and those of a run together. */
const LEAST_OF_SEGMENT = 3;
const MOST_OF_SEGMENT = MOST_PLACES / MOST_MERGED - 1;
const ALL_OF_RUN = 18;
/** Runs longer than this are known better, by their many samples, and may be off by less, px. */
const SURE_PX = 40;
/** A line as long as this was meant to be straight, px: a curve that bends a little along it is seen. */
const LONG_LINE_PX = 6;
/** Handles are no shorter than this share of the chord and no longer than this multiple of the run. */
const SHORTEST_HANDLE = 0.03;
const LONGEST_HANDLE = 0.9;

export interface MergedCurves {
  readonly curves: ChainCurves;
  /** Per chain: has it changed. */
  readonly changed: Uint8Array;
  /** Per segment the one it was, -1 for those that stand for several. */
  readonly origin: Int32Array;
}

/**
 * Draws runs of segments along which a chain does not turn sharply as one cubic each, where that is nowhere further off than
 * `tolerancePx` and takes fewer numbers. Ends of chains stay, tangents where a chain goes on smoothly, and the segments that are `fixed`.
 */
export function mergeSegments(
  map: Pick<PlanarMap, 'left' | 'right'>,
  curves: ChainCurves,
  tolerancePx: number,
  fixed?: Uint8Array,
): MergedCurves {
  const { starts, chainCount, kinds } = curves;
  const merger = new RunMerger(curves, tolerancePx, fixed);
  const changed = new Uint8Array(chainCount);
  const origin = new IntList(kinds.length);
  const list = new CurveList();
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const from = starts[c];
    const to = starts[c + 1];
    const isBorder = map.left[c] < 0 || map.right[c] < 0;
    const merges = to - from > 1 && !isBorder && !isWholeShape(kinds[from]) && merger.divide(from, to);
    if (merges) changed[c] = 1;
    for (let k = from; k < to; ) {
      const size = merges ? merger.sizes[k - from] : 1;
      origin.push(size === 1 ? k : -1);
      if (size === 1) list.copy(curves, k);
      else {
        const [x0, y0, x1, y1, x2, y2, x3, y3] = merger.curve(k - from);
        list.cubic(x0, y0, x1, y1, x2, y2, x3, y3);
      }
      k += size;
    }
  }
  return { curves: list.finish(), changed, origin: origin.data.slice(0, origin.length) };
}

class RunMerger {
  /** Per segment of the chain at hand: how many, from it on, are one. */
  sizes = new Int32Array(64);
  private readonly curves: ChainCurves;
  private readonly tolerance: number;
  private readonly fixed: Uint8Array | undefined;
  private cost = new Float64Array(65);
  private size = new Int32Array(65);
  /** Per segment the cubic that ends with it. */
  private found = new Float64Array(65 * 8);
  private turns = new Float64Array(65);
  private lengths = new Float64Array(65);
  /** How far the cubic fitted last is off, px, and how far it may be. */
  private off = 0;
  private limit = 0;

  constructor(curves: ChainCurves, tolerance: number, fixed: Uint8Array | undefined) {
    this.fixed = fixed;
    this.curves = curves;
    this.tolerance = tolerance;
  }

  /** The cubic that begins with a segment of the chain at hand, numbered from its first. */
  curve(k: number): Float64Array {
    const end = k + this.sizes[k];
    return this.found.subarray(end * 8, end * 8 + 8);
  }

  /** Divides a chain anew; whether that changes anything. */
  divide(from: number, to: number): boolean {
    const { kinds } = this.curves;
    const count = to - from;
    this.reserve(count);
    const { cost, size, turns, lengths, found, sizes } = this;
    let canMerge = false;
    for (let i = 0; i < count; i++) {
      const k = from + i;
      lengths[i] = this.lengthOf(k);
      turns[i] = i > 0 && !this.isFixed(k) && !this.isFixed(k - 1) ? this.turnAt(k) : Math.PI;
      if (i > 0 && Math.abs(turns[i]) < CORNER_TURN) canMerge = true;
    }
    if (!canMerge) return false;
    let any = false;
    cost[0] = 0;
    for (let j = 1; j <= count; j++) {
      const k = from + j - 1;
      cost[j] = cost[j - 1] + (kinds[k] === SEGMENT_LINE ? LINE_NUMBERS : CUBIC_NUMBERS);
      size[j] = 1;
      for (let n = 2; n <= MOST_MERGED && n <= j; n++) {
        if (Math.abs(turns[j - n + 1]) >= CORNER_TURN) break;
        const i = j - n;
        if (cost[i] + CUBIC_NUMBERS >= cost[j]) continue;
        if (!this.fit(from, from + i, from + j, to)) {
          // Where a run is far off, longer ones are too.
          if (this.off > RUN_FAR * this.limit) break;
          continue;
        }
        const share = this.off / this.limit;
        const price = cost[i] + CUBIC_NUMBERS + OFF_PRICE * share * share;
        if (!(price < cost[j])) continue;
        cost[j] = price;
        size[j] = n;
        for (let c = 0; c < 8; c++) found[j * 8 + c] = kernelMemory.head[RUN_CUBIC / 8 + c];
        any = true;
      }
    }
    if (!any) return false;
    any = false;
    for (let j = count; j > 0; j -= size[j]) {
      sizes[j - size[j]] = size[j];
      if (size[j] > 1) any = true;
    }
    return any;
  }

  /** Whether a segment is to stay as it is. */
  private isFixed(k: number): boolean {
    return this.fixed !== undefined && this.fixed[k] === 1;
  }

  /** One cubic for the segments `i`..`j - 1` of the chain `from`..`to - 1`; false where it is off by more than the tolerance. */
  private fit(from: number, i: number, j: number, to: number): boolean {
    const { points, kinds } = this.curves;
    this.off = Infinity;
    let total = 0;
    let turned = 0;
    for (let k = i; k < j; k++) {
      total += this.lengths[k - from];
      if (kinds[k] === SEGMENT_LINE && this.lengths[k - from] > LONG_LINE_PX) return false;
      if (k > i) turned += Math.abs(this.turns[k - from]);
      if (kinds[k] === SEGMENT_CUBIC) turned += this.turnAlong(k);
    }
    if (turned > MOST_TURN) return false;
    const tolerance = this.tolerance * Math.min(1, Math.sqrt(SURE_PX / total));
    this.limit = tolerance;
    const { head, kernel } = kernelMemory;
    let count = 0;
    let before = 0;
    for (let k = i; k < j; k++) {
      const share = this.lengths[k - from] / total;
      const places = Math.max(LEAST_OF_SEGMENT, Math.min(MOST_OF_SEGMENT, Math.round(ALL_OF_RUN * share)));
      for (let n = k > i ? 0 : 1; n < places; n++) {
        const t = n / places;
        head[RUN_PLACES / 8 + 2 * count] = this.at(k, t, 0);
        head[RUN_PLACES / 8 + 2 * count + 1] = this.at(k, t, 1);
        head[RUN_PARAMETERS / 8 + count++] = before + share * t;
      }
      before += share;
    }
    const x0 = points[i * 8];
    const y0 = points[i * 8 + 1];
    const x3 = points[j * 8 - 2];
    const y3 = points[j * 8 - 1];
    const fixedStart = i > from && this.isSmooth(i);
    const fixedEnd = j < to && this.isSmooth(j);
    this.tangent(i, true);
    const ux = this.dx;
    const uy = this.dy;
    this.tangent(j - 1, false);
    const vx = this.dx;
    const vy = this.dy;
    head[RUN_ENDS / 8] = x0;
    head[RUN_ENDS / 8 + 1] = y0;
    head[RUN_ENDS / 8 + 2] = x3;
    head[RUN_ENDS / 8 + 3] = y3;
    head[RUN_TANGENTS / 8] = ux;
    head[RUN_TANGENTS / 8 + 1] = uy;
    head[RUN_TANGENTS / 8 + 2] = vx;
    head[RUN_TANGENTS / 8 + 3] = vy;
    const follows = kernel.fitRun(count, tolerance, fixedStart ? 1 : 0, fixedEnd ? 1 : 0) !== 0;
    this.off = head[RUN_OFF / 8];
    if (!follows) return false;
    const hx = head[RUN_HANDLES / 8];
    const hy = head[RUN_HANDLES / 8 + 1];
    const gx = head[RUN_HANDLES / 8 + 2];
    const gy = head[RUN_HANDLES / 8 + 3];
    const h = distance(hx, hy);
    const g = distance(gx, gy);
    const shortest = SHORTEST_HANDLE * distance(x3 - x0, y3 - y0);
    const longest = LONGEST_HANDLE * total;
    // A handle that points backwards makes a loop.
    return h > shortest && g > shortest && h < longest && g < longest && hx * ux + hy * uy > 0 && gx * vx + gy * vy > 0;
  }

  /** Whether the chain goes on smoothly where a segment begins. */
  private isSmooth(k: number): boolean {
    const { kinds } = this.curves;
    if (kinds[k] === SEGMENT_LINE && kinds[k - 1] === SEGMENT_LINE) return false;
    return Math.abs(this.turnAt(k)) < SMOOTH_TURN;
  }

  private dx = 0;
  private dy = 0;

  /** The unit tangent where a segment begins or ends. */
  private tangent(k: number, atStart: boolean): void {
    const { points, kinds } = this.curves;
    const p = k * 8;
    const line = kinds[k] === SEGMENT_LINE;
    const a = line ? p : atStart ? p : p + 4;
    const b = line ? p + 6 : atStart ? p + 2 : p + 6;
    const x = points[b] - points[a];
    const y = points[b + 1] - points[a + 1];
    const length = distance(x, y) || 1;
    this.dx = x / length;
    this.dy = y / length;
  }

  /** How a chain turns where a segment begins, radians. */
  private turnAt(k: number): number {
    this.tangent(k - 1, false);
    const ux = this.dx;
    const uy = this.dy;
    this.tangent(k, true);
    return Math.atan2(ux * this.dy - uy * this.dx, ux * this.dx + uy * this.dy);
  }

  /** How far a cubic turns, radians, one way and the other counted together. */
  private turnAlong(k: number): number {
    const { points } = this.curves;
    const p = k * 8;
    let turned = 0;
    for (let i = 0; i < 4; i += 2) {
      const ux = points[p + i + 2] - points[p + i];
      const uy = points[p + i + 3] - points[p + i + 1];
      const vx = points[p + i + 4] - points[p + i + 2];
      const vy = points[p + i + 5] - points[p + i + 3];
      turned += Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
    }
    return turned;
  }

  private lengthOf(k: number): number {
    const { points, kinds } = this.curves;
    const p = k * 8;
    const chord = distance(points[p + 6] - points[p], points[p + 7] - points[p + 1]);
    if (kinds[k] === SEGMENT_LINE) return chord;
    let way = 0;
    for (let i = 0; i < 6; i += 2)
      way += distance(points[p + i + 2] - points[p + i], points[p + i + 3] - points[p + i + 1]);
    return (chord + way) / 2;
  }

  private at(k: number, t: number, i: number): number {
    const { points, kinds } = this.curves;
    const p = k * 8 + i;
    const u = 1 - t;
    if (kinds[k] === SEGMENT_LINE) return u * points[p] + t * points[p + 6];
    return u * u * u * points[p] + 3 * u * t * (u * points[p + 2] + t * points[p + 4]) + t * t * t * points[p + 6];
  }

  private reserve(count: number): void {
    if (this.sizes.length >= count) return;
    const size = count * 2;
    this.sizes = new Int32Array(size);
    this.cost = new Float64Array(size + 1);
    this.size = new Int32Array(size + 1);
    this.found = new Float64Array((size + 1) * 8);
    this.turns = new Float64Array(size + 1);
    this.lengths = new Float64Array(size + 1);
  }
}
