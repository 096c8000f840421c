import { distance } from '../math/distance.js';
import { FloatList, IntList } from '../math/lists.js';
import { wrap } from '../math/wrap.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { at } from './contour-shape.js';
import { type ChainCurves, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** Places along a curve are so far apart at most, px. */
const PX_APART = 0.3;
const LEAST_ON_SEGMENT = 4;

/**
 * A chain as a way of short chords between places on its curves. Places are numbered from 0; around a closed chain any number is one, and of an open
 * one its last node is the last place.
 */
export class CurveWay {
  /** The chain that was taken last. */
  chain = -1;
  isClosed = false;
  /** How many places there are. */
  places = 0;
  /** Px. */
  length = 0;
  private readonly map: Pick<PlanarMap, 'startNode'>;
  readonly curves: ChainCurves;
  private readonly matters: (segment: number, chain: number) => boolean;
  private readonly xs = new FloatList(256);
  private readonly ys = new FloatList(256);
  private readonly segments = new IntList(256);
  private readonly parameters = new FloatList(256);
  /** Per place how long the chord is that begins there, and how much the way turns. */
  private readonly chords = new FloatList(256);
  private readonly turns = new FloatList(256);

  /** `matters`: whether a segment of a chain is one to look at closely. */
  constructor(
    map: Pick<PlanarMap, 'startNode'>,
    curves: ChainCurves,
    matters: (segment: number, chain: number) => boolean,
  ) {
    this.map = map;
    this.curves = curves;
    this.matters = matters;
  }

  /**
   * Takes a chain of lines and cubics, with few places on segments that do not matter, nor are next to one that does. Whether any does; else
   * nothing is taken.
   */
  load(chain: number): boolean {
    const { curves, xs, ys, segments, parameters } = this;
    const { starts, kinds, points } = curves;
    this.chain = chain;
    this.isClosed = this.map.startNode[chain] < 0;
    const first = starts[chain];
    const count = starts[chain + 1] - first;
    const fine = new Uint8Array(count);
    let any = false;
    for (let i = 0; i < count; i++) {
      if (!this.matters(first + i, chain)) continue;
      any = true;
      for (let j = i + count - 1; j <= i + count + 1; j++) fine[j % count] = 1;
    }
    if (!any) return false;
    xs.length = ys.length = segments.length = parameters.length = 0;
    for (let k = starts[chain]; k < starts[chain + 1]; k++) {
      const p = k * SEGMENT_SIZE;
      const isLine = kinds[k] === SEGMENT_LINE;
      let px = 0;
      if (fine[k - first] === 1)
        for (let i = p; i < p + 6; i += 2) px += distance(points[i + 2] - points[i], points[i + 3] - points[i + 1]);
      const pieces = Math.max(LEAST_ON_SEGMENT, Math.ceil(px / PX_APART));
      for (let i = 0; i < pieces; i++) {
        const t = i / pieces;
        xs.push(isLine ? points[p] + t * (points[p + 6] - points[p]) : at(points, p, t));
        ys.push(isLine ? points[p + 1] + t * (points[p + 7] - points[p + 1]) : at(points, p + 1, t));
        segments.push(k);
        parameters.push(t);
      }
    }
    if (!this.isClosed) {
      const last = starts[chain + 1] - 1;
      xs.push(points[last * SEGMENT_SIZE + 6]);
      ys.push(points[last * SEGMENT_SIZE + 7]);
      segments.push(last);
      parameters.push(1);
    }
    this.places = xs.length;
    this.measure();
    return true;
  }

  /** The place that a number stands for, -1 beyond the ends of an open way. */
  placeAt(i: number): number {
    const { places } = this;
    if (i >= 0 && i < places) return i;
    return this.isClosed ? ((i % places) + places) % places : -1;
  }

  x(i: number): number {
    return this.xs.data[this.placeAt(i)];
  }

  y(i: number): number {
    return this.ys.data[this.placeAt(i)];
  }

  /** The segment that a place is on; that which begins there, where two meet. */
  segment(i: number): number {
    return this.segments.data[this.placeAt(i)];
  }

  /** Where on its segment a place is, 0 to 1. */
  parameter(i: number): number {
    return this.parameters.data[this.placeAt(i)];
  }

  /** By how much the way turns at a place, radians, clockwise on screen; 0 at the ends of an open one. */
  turn(i: number): number {
    return this.turns.data[this.placeAt(i)];
  }

  /** By how much the way turns at a place and within so many px of it, radians. */
  turnAround(i: number, px: number): number {
    const { places, isClosed } = this;
    const chords = this.chords.data;
    const turns = this.turns.data;
    let sum = turns[i];
    for (let j = i, left = px; ; ) {
      if (j === 0 && !isClosed) break;
      j = j === 0 ? places - 1 : j - 1;
      left -= chords[j];
      if (left < 0) break;
      sum += turns[j];
    }
    for (let j = i, left = px; ; ) {
      left -= chords[j];
      j = j + 1 === places ? 0 : j + 1;
      if (left < 0 || (j === 0 && !isClosed)) break;
      sum += turns[j];
    }
    return sum;
  }

  /** How far it is from a place to the next one (`step` 1) or the one before (-1), px; 0 beyond the ends. */
  chord(i: number, step: number): number {
    const from = this.placeAt(step > 0 ? i : i - 1);
    return from < 0 ? 0 : this.chords.data[from];
  }

  /** Whether all places between two of them are within so many px of the line from one point to another. */
  isStraight(from: number, to: number, x0: number, y0: number, x1: number, y1: number, px: number): boolean {
    const dx = x1 - x0;
    const dy = y1 - y0;
    const limit = px * distance(dx, dy);
    for (let i = from; i <= to; i++)
      if (!(Math.abs((this.x(i) - x0) * dy - (this.y(i) - y0) * dx) < limit)) return false;
    return true;
  }

  private measure(): void {
    const { places, isClosed, chords, turns } = this;
    const xs = this.xs.data;
    const ys = this.ys.data;
    chords.length = turns.length = 0;
    this.length = 0;
    const last = isClosed ? places - 1 : places - 2;
    let before = isClosed ? Math.atan2(ys[0] - ys[last], xs[0] - xs[last]) : Math.atan2(ys[1] - ys[0], xs[1] - xs[0]);
    for (let i = 0; i <= last; i++) {
      const next = i + 1 < places ? i + 1 : 0;
      const dx = xs[next] - xs[i];
      const dy = ys[next] - ys[i];
      const px = distance(dx, dy);
      const now = Math.atan2(dy, dx);
      chords.push(px);
      turns.push(wrap(now - before));
      this.length += px;
      before = now;
    }
    if (isClosed) return;
    chords.push(0);
    turns.push(0);
  }
}
