import { distance } from '../math/distance.js';
import type { Bend } from './bends.js';
import type { CurveWay } from './curve-way.js';
import { type ChainCurves, CurveList, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';
import type { SplitCurves } from './split-segments.js';

/** Ways between two corners are straight that are no farther than this from it, px. */
const STRAIGHT_PX = 0.12;
/** Pieces left of a curve that are shorter than this are left out, px. */
const SHORT_PX = 1;

/** The curves with some of their bends as corners. `way` is that on which these were found, chain by chain and along each. */
export function sharpenBends(curves: ChainCurves, way: CurveWay, bends: readonly Bend[]): SplitCurves {
  const { starts, chainCount } = curves;
  const list = new CurveList();
  const changed = new Uint8Array(chainCount);
  const corners: number[] = [];
  const fresh: number[] = [];
  const writer = new PieceWriter(list, way);
  const mark = (isFresh: 0 | 1, cornerAt = -1) => {
    while (fresh.length < list.kinds.length) {
      corners.push(fresh.length === cornerAt ? 1 : 0);
      fresh.push(isFresh);
    }
  };
  let b = 0;
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const from = b;
    while (b < bends.length && bends[b].chain === c) b++;
    if (b === from) {
      for (let k = starts[c]; k < starts[c + 1]; k++) list.copy(curves, k);
      mark(1);
      continue;
    }
    changed[c] = 1;
    way.load(c);
    if (!way.isClosed) writer.draw(undefined, bends[from]);
    mark(0);
    for (let n = from; n < b; n++) {
      const corner = list.kinds.length;
      writer.draw(bends[n], n + 1 < b ? bends[n + 1] : way.isClosed ? bends[from] : undefined);
      mark(0, corner);
    }
  }
  return {
    curves: list.finish(),
    changed,
    corners: Uint8Array.from(corners),
    mirrored: new Uint8Array(fresh.length),
    fresh: Uint8Array.from(fresh),
  };
}

interface Part {
  readonly k: number;
  readonly from: number;
  readonly to: number;
}

class PieceWriter {
  private readonly way: CurveWay;
  private readonly list: CurveList;

  constructor(list: CurveList, way: CurveWay) {
    this.list = list;
    this.way = way;
  }

  /** Draws the way from one bend to the next one, from its beginning where there is none before, and to its end where there is none behind. */
  draw(begin: Bend | undefined, end: Bend | undefined): void {
    const { way, list } = this;
    const { kinds, points } = this.way.curves;
    const from = begin?.last ?? 0;
    const isRound = begin !== undefined && end !== undefined && end.first < begin.last;
    const to = end === undefined ? way.places - 1 : isRound ? end.first + way.places : end.first;
    const x0 = begin?.x ?? way.x(from);
    const y0 = begin?.y ?? way.y(from);
    const x1 = end?.x ?? way.x(to);
    const y1 = end?.y ?? way.y(to);
    if (way.isStraight(from, to, x0, y0, x1, y1, STRAIGHT_PX)) {
      list.line(x0, y0, x1, y1);
      return;
    }
    const parts = this.parts(from, to);
    if (begin !== undefined) while (parts.length > 1 && this.lengthOf(parts[0]) < SHORT_PX) parts.shift();
    if (end !== undefined) while (parts.length > 1 && this.lengthOf(parts[parts.length - 1]) < SHORT_PX) parts.pop();
    for (let i = 0; i < parts.length; i++) {
      const { k } = parts[i];
      const isLine = kinds[k] === SEGMENT_LINE;
      const piece = partOf(points, k * SEGMENT_SIZE, parts[i].from, parts[i].to, isLine);
      if (i === 0 && begin !== undefined) lead(piece, 0, x0, y0);
      if (i + 1 === parts.length && end !== undefined) lead(piece, 6, x1, y1);
      const [a, b, c, d, e, f, g, h] = piece;
      if (isLine) list.line(a, b, g, h);
      else list.cubic(a, b, c, d, e, f, g, h);
    }
  }

  /** The segments between two places, and which part of each. */
  private parts(from: number, to: number): Part[] {
    const { way } = this;
    const { chain } = way;
    const first = this.way.curves.starts[chain];
    const size = this.way.curves.starts[chain + 1] - first;
    const last = way.segment(to);
    const parts: Part[] = [];
    let k = way.segment(from);
    let at = way.parameter(from);
    for (let n = 0; n <= size; n++) {
      const isLast = k === last && (n > 0 || way.parameter(to) > at);
      parts.push({ k, from: at, to: isLast ? way.parameter(to) : 1 });
      if (isLast) break;
      k = first + ((k - first + 1) % size);
      at = 0;
    }
    return parts;
  }

  private lengthOf({ k, from, to }: Part): number {
    const { points } = this.way.curves;
    const p = k * SEGMENT_SIZE;
    return distance(points[p + 6] - points[p], points[p + 7] - points[p + 1]) * (to - from);
  }
}

/** A part of a segment, by its polar form (blossom). */
function partOf(points: Float64Array, p: number, from: number, to: number, isLine: boolean): Float64Array {
  const piece = new Float64Array(SEGMENT_SIZE);
  const mix = (a: number, b: number, t: number) => a + t * (b - a);
  for (let i = 0; i < 2; i++) {
    const p0 = points[p + i];
    const p3 = points[p + 6 + i];
    const p1 = isLine ? mix(p0, p3, 1 / 3) : points[p + 2 + i];
    const p2 = isLine ? mix(p0, p3, 2 / 3) : points[p + 4 + i];
    const polar = (r: number, s: number, t: number) => {
      const middle = mix(p1, p2, r);
      return mix(mix(mix(p0, p1, r), middle, s), mix(middle, mix(p2, p3, r), s), t);
    };
    piece[i] = polar(from, from, from);
    piece[2 + i] = polar(from, from, to);
    piece[4 + i] = polar(from, to, to);
    piece[6 + i] = polar(to, to, to);
  }
  return piece;
}

/** Leads one end of a curve (0 its start, 6 its end) on to a place ahead of it. */
function lead(piece: Float64Array, end: 0 | 6, x: number, y: number): void {
  const handle = end === 0 ? 2 : 4;
  const other = 6 - end;
  const before = distance(piece[end] - piece[other], piece[end + 1] - piece[other + 1]);
  const scale = before > 0 ? Math.max(1, distance(x - piece[other], y - piece[other + 1]) / before) : 1;
  const hx = piece[handle] - piece[end];
  const hy = piece[handle + 1] - piece[end + 1];
  piece[end] = x;
  piece[end + 1] = y;
  piece[handle] = x + scale * hx;
  piece[handle + 1] = y + scale * hy;
}
