import { distance } from '../math/distance.js';
import { StageMemory } from '../math/stage-memory.js';
import { within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { WholeShapes } from '../shapes/whole-shapes.js';
import { CircleFitter } from './circle.js';
import { type ChainCurves, CurveList, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';
import { LineEnds } from './line-ends.js';
import { LineSums } from './line-sums.js';
import { PolygonFinder } from './polygon.js';
import { ChainRefiner } from './refine.js';
import { dearerBy } from './ripples.js';
import type { EdgeSamples } from './samples.js';
import { SpanFinder, type SpanSettings, type Spans } from './spans.js';
import { leavesPicture, pullIn } from './swing.js';
import { PolygonVertices } from './vertices.js';

export interface FitSettings extends SpanSettings {
  readonly cornerPx: number;
  readonly refineRounds: number;
  readonly primitives: boolean;
  /** Per chain how many times as dear its segments are as those of clean edges; undefined where all edges are clean. */
  readonly ripples?: Float32Array | undefined;
  /** How many times as far as those of exact edges samples may be off a whole shape; once where it is left out. */
  readonly shapeTimes?: number;
}

/** Samples nearer to a node than this know more than two colors and are left out, px. */
const NODE_CLEARANCE_PX = 0.8;
/** Samples that found no pure color on one side are left out this far from a node, px. */
const CROWDED_CLEARANCE_PX = 4;
const LEAST_TRUST = 0.4;
/** Closed contours of fewer samples are drawn as they are. */
const LEAST_SAMPLES = 6;
/** In clean pictures a circle's own samples are off by less than this (root mean square), px. */
const ROUND_RMS_PX = 0.03;
/** Where a contour begins on a straight side, its start is no further off that, px. */
const IN_LINE_PX = 0.1;
/** Samples on either side of one over which the turning of a closed contour is looked at. */
const TURN_REACH = 6;
/** Cosine of a turn that is none. */
const ALL_STRAIGHT = 1 - 1e-6;

/** What fitting needs to know of a planar map. */
export type FitMap = Pick<PlanarMap, 'width' | 'height' | 'startNode' | 'endNode' | 'left' | 'right'>;

/** What fitting needs to know of the edges' samples. */
export type FitSamples = Pick<EdgeSamples, 'starts' | 'x' | 'y' | 'weight'>;

/** Fits curves to chains `from`..`to - 1` of a map. Chains do not depend on each other, so ranges may be fitted apart. */
export function fitChains(
  map: FitMap,
  samples: FitSamples,
  nodePositions: Float64Array,
  settings: FitSettings,
  from: number,
  to: number,
): ChainCurves {
  const fitter = new ChainFitter(map.width, map.height, samples, nodePositions, settings);
  for (let c = from; c < to; c++) {
    fitter.fit(c, map.startNode[c], map.endNode[c], map.left[c] < 0 || map.right[c] < 0);
  }
  return fitter.curves.finish();
}

/** The curves of two stretches of chains, the second following the first, as one. */
export function joinCurves(first: ChainCurves, second: ChainCurves): ChainCurves {
  const segments = first.kinds.length;
  const starts = new Int32Array(first.chainCount + second.chainCount + 1);
  starts.set(first.starts);
  for (let c = 0; c <= second.chainCount; c++) starts[first.chainCount + c] = second.starts[c] + segments;
  const kinds = new Int32Array(segments + second.kinds.length);
  kinds.set(first.kinds);
  kinds.set(second.kinds, segments);
  const points = new Float64Array(first.points.length + second.points.length);
  points.set(first.points);
  points.set(second.points, first.points.length);
  return { chainCount: first.chainCount + second.chainCount, starts, kinds, points };
}

class ChainFitter {
  readonly curves = new CurveList();
  private readonly width: number;
  private readonly height: number;
  private readonly samples: FitSamples;
  private readonly nodePositions: Float64Array;
  private readonly settings: FitSettings;
  private readonly memory = new StageMemory();
  private readonly sums = new LineSums(this.memory);
  private readonly polygon = new PolygonFinder();
  private readonly vertices = new PolygonVertices();
  private readonly spans = new SpanFinder(this.memory);
  private refiner: ChainRefiner | undefined;
  private readonly circle = new CircleFitter();
  private readonly shapes: WholeShapes;
  private readonly ends = new LineEnds();
  // The chain at hand, first and last being its ends.
  private xs = new Float64Array(1024);
  private ys = new Float64Array(1024);
  private weights = new Float32Array(1024);
  /** What its segments cost. */
  private prices: SpanSettings;
  /** The sample a closed chain begins with. */
  private rotation = 0;

  constructor(width: number, height: number, samples: FitSamples, nodePositions: Float64Array, settings: FitSettings) {
    this.width = width;
    this.height = height;
    this.samples = samples;
    this.nodePositions = nodePositions;
    this.settings = settings;
    this.prices = settings;
    this.shapes = new WholeShapes(settings.shapeTimes ?? 1);
  }

  fit(chain: number, startNode: number, endNode: number, border: boolean): void {
    const from = this.samples.starts[chain];
    const to = this.samples.starts[chain + 1];
    this.reserve(to - from + 3);
    this.curves.beginChain();
    const times = this.settings.ripples?.[chain];
    if (times !== undefined) this.prices = dearerBy(times, this.settings);
    if (border) this.fitBorder(from, to, startNode, endNode);
    else if (startNode < 0) this.fitClosed(from, to);
    else this.fitOpen(from, to, startNode, endNode);
  }

  /** Along the picture's border: straight from corner to corner. */
  private fitBorder(from: number, to: number, startNode: number, endNode: number): void {
    const { x, y } = this.samples;
    const { nodePositions, curves } = this;
    for (let i = from; i + 1 < to; i++) {
      const first = i === from && startNode >= 0;
      const last = i + 2 === to && endNode >= 0;
      curves.line(
        first ? nodePositions[2 * startNode] : x[i],
        first ? nodePositions[2 * startNode + 1] : y[i],
        last ? nodePositions[2 * endNode] : x[i + 1],
        last ? nodePositions[2 * endNode + 1] : y[i + 1],
      );
    }
  }

  private fitOpen(from: number, to: number, startNode: number, endNode: number): void {
    const { x, y, weight } = this.samples;
    const { nodePositions, xs, ys, weights } = this;
    const ax = nodePositions[2 * startNode];
    const ay = nodePositions[2 * startNode + 1];
    const bx = nodePositions[2 * endNode];
    const by = nodePositions[2 * endNode + 1];
    let n = 0;
    xs[n] = ax;
    ys[n] = ay;
    weights[n++] = 1;
    for (let i = from; i < to; i++) {
      const clearance = weight[i] < LEAST_TRUST ? CROWDED_CLEARANCE_PX : NODE_CLEARANCE_PX;
      if (distance(x[i] - ax, y[i] - ay) < clearance) continue;
      if (distance(x[i] - bx, y[i] - by) < clearance) continue;
      xs[n] = x[i];
      ys[n] = y[i];
      weights[n++] = weight[i];
    }
    xs[n] = bx;
    ys[n] = by;
    weights[n++] = 1;
    if (n < 3) {
      this.curves.line(ax, ay, bx, by);
      return;
    }
    this.findVertices(n);
    const { vertices, prices } = this;
    const spans = this.spans.find(xs, ys, vertices, prices);
    this.refine(spans, 1, n - 2, false);
    this.push(spans);
  }

  private fitClosed(from: number, to: number): void {
    const { x, y, weight } = this.samples;
    const { xs, ys, weights, curves } = this;
    const count = to - from;
    if (this.fitBetweenEnds(from, count)) return;
    if (this.settings.primitives) {
      const { straightOnly, isClean = false, shapeTimes = 1 } = this.settings;
      xs.set(x.subarray(from, to));
      ys.set(y.subarray(from, to));
      weights.set(weight.subarray(from, to));
      const { circle, shapes } = this;
      const isRound = !straightOnly && circle.fit(xs, ys, weights, count, shapeTimes);
      const off = isRound ? circle.rms : Infinity;
      if (isClean && off > ROUND_RMS_PX * shapeTimes && shapes.fitInsteadOfCircle(xs, ys, weights, count, off, curves))
        return;
      if (isRound) {
        curves.circle(circle.x, circle.y, circle.r);
        return;
      }
      if (shapes.fit(xs, ys, weights, count, straightOnly, isClean, curves)) return;
    }
    if (count < LEAST_SAMPLES) {
      for (let i = from; i < to; i++) {
        const next = i + 1 < to ? i + 1 : from;
        curves.line(x[i], y[i], x[next], y[next]);
      }
      return;
    }
    // Begin where the contour is flattest; if that shows a corner, begin there instead.
    this.rotate(from, count, flattestSample(x, y, from, count));
    const reach = Math.min(TURN_REACH, count >> 2);
    let tx = xs[reach] - xs[count - reach];
    let ty = ys[reach] - ys[count - reach];
    const length = distance(tx, ty) || 1;
    tx /= length;
    ty /= length;
    this.findVertices(count + 1);
    const { vertices } = this;
    const corner = vertices.sharpestCorner();
    const smooth = corner < 0;
    if (smooth) vertices.closeSmoothly(tx, ty);
    else {
      const start = vertices.index[corner];
      const cx = vertices.x[corner];
      const cy = vertices.y[corner];
      const cut = vertices.cut[corner];
      this.rotate(from, count, (start + this.rotation) % count);
      xs[0] = cx;
      ys[0] = cy;
      for (let i = count - cut; i <= count; i++) {
        xs[i] = cx;
        ys[i] = cy;
      }
      this.findVertices(count + 1);
    }
    const spans = this.spans.find(xs, ys, vertices, this.prices);
    this.refine(spans, smooth ? 0 : 1, count - 1, true);
    if (smooth) joinAtStart(spans);
    this.push(spans);
  }

  /**
   * A contour with the ends of thin lines in it: curves along either side of the lines, and a straight cut across each end. Whether it has
   * such ends, and sides long enough.
   */
  private fitBetweenEnds(from: number, count: number): boolean {
    const { ends, xs, ys, weights, curves, vertices } = this;
    if (!ends.find(this.samples, from, count)) return false;
    const { x, y, weight } = this.samples;
    const { corners } = ends;
    for (let end = 0; end < ends.count; end++) {
      const next = (end + 1) % ends.count;
      const last = ends.before[next] + (next <= end ? count : 0);
      let n = 0;
      xs[n] = corners[4 * end + 2];
      ys[n] = corners[4 * end + 3];
      weights[n++] = 1;
      for (let k = ends.after[end]; k <= last; k++) {
        const i = from + ((k + count) % count);
        xs[n] = x[i];
        ys[n] = y[i];
        weights[n++] = weight[i];
      }
      xs[n] = corners[4 * next];
      ys[n] = corners[4 * next + 1];
      weights[n++] = 1;
      this.findVertices(n);
      const spans = this.spans.find(xs, ys, vertices, this.prices);
      this.refine(spans, 1, n - 2, false);
      this.push(spans);
      const [x0, x1] = [corners[4 * next], corners[4 * next + 2]].map((value) => within(value, this.width));
      const [y0, y1] = [corners[4 * next + 1], corners[4 * next + 3]].map((value) => within(value, this.height));
      curves.line(x0, y0, x1, y1);
    }
    return true;
  }

  /** Refines `spans` against samples `from`..`to`, where that is asked for. */
  private refine(spans: Spans, from: number, to: number, closed: boolean): void {
    const { vertices, xs, ys, weights } = this;
    const { refineRounds } = this.settings;
    if (refineRounds === 0) return;
    this.refiner ??= new ChainRefiner(this.memory);
    this.refiner.refine(spans, vertices, xs, ys, weights, from, to, closed, refineRounds);
  }

  /** Takes a closed chain's samples beginning with number `start`, the first repeated at the end. */
  private rotate(from: number, count: number, start: number): void {
    const { x, y, weight } = this.samples;
    const { xs, ys, weights } = this;
    this.rotation = start;
    const tail = count - start;
    xs.set(x.subarray(from + start, from + count));
    ys.set(y.subarray(from + start, from + count));
    weights.set(weight.subarray(from + start, from + count));
    xs.set(x.subarray(from, from + start), tail);
    ys.set(y.subarray(from, from + start), tail);
    weights.set(weight.subarray(from, from + start), tail);
    xs[count] = xs[0];
    ys[count] = ys[0];
    weights[count] = weights[0];
  }

  private findVertices(count: number): void {
    const { xs, ys, sums, polygon, vertices } = this;
    sums.load(xs, ys, count);
    const size = polygon.find(sums, count);
    vertices.load(xs, ys, count, polygon.vertices, size, sums, this.settings.cornerPx);
  }

  /** Takes the segments found. Vertices that refinement has led out of the picture come back, their handles with them. */
  private push(spans: Spans): void {
    const { width, height } = this;
    const { points, kinds, count } = spans;
    for (let k = 0; k < count; k++) {
      const p = k * 8;
      const x0 = within(points[p], width);
      const y0 = within(points[p + 1], height);
      const x3 = within(points[p + 6], width);
      const y3 = within(points[p + 7], height);
      if (kinds[k] === SEGMENT_LINE) this.curves.line(x0, y0, x3, y3);
      else {
        this.curves.cubic(
          x0,
          y0,
          points[p + 2] + (x0 - points[p]),
          points[p + 3] + (y0 - points[p + 1]),
          points[p + 4] + (x3 - points[p + 6]),
          points[p + 5] + (y3 - points[p + 7]),
          x3,
          y3,
        );
        const { data, length } = this.curves.points;
        const at = length - SEGMENT_SIZE;
        if (!leavesPicture(data, at, width, height)) continue;
        pullIn(data, at, at + 2, width, height);
        pullIn(data, at + 6, at + 4, width, height);
      }
    }
  }

  private reserve(size: number): void {
    if (this.xs.length >= size) return;
    const room = Math.max(size, this.xs.length * 2);
    this.xs = new Float64Array(room);
    this.ys = new Float64Array(room);
    this.weights = new Float32Array(room);
  }
}

/** Where a closed contour begins within a straight side, that side is one line and not two. */
function joinAtStart(spans: Spans): void {
  const { kinds, points, count } = spans;
  const last = count - 1;
  if (count < 3 || kinds[0] !== SEGMENT_LINE || kinds[last] !== SEGMENT_LINE) return;
  const at = last * SEGMENT_SIZE;
  const x0 = points[at];
  const y0 = points[at + 1];
  const dx = points[6] - x0;
  const dy = points[7] - y0;
  const off = Math.abs((points[0] - x0) * dy - (points[1] - y0) * dx);
  if (off > IN_LINE_PX * distance(dx, dy)) return;
  points[0] = points[2] = x0;
  points[1] = points[3] = y0;
  spans.count = last;
}

/** The sample of a closed contour around which it turns least; of a straight side, the one in its middle. */
function flattestSample(x: Float64Array, y: Float64Array, from: number, count: number): number {
  const reach = Math.min(TURN_REACH, count >> 2);
  let flattest = 0;
  let best = -Infinity;
  let run = 0;
  for (let i = 0; i < count; i++) {
    const at = from + i;
    const a = from + (i >= reach ? i - reach : i - reach + count);
    const b = from + (i + reach < count ? i + reach : i + reach - count);
    const ux = x[at] - x[a];
    const uy = y[at] - y[a];
    const vx = x[b] - x[at];
    const vy = y[b] - y[at];
    // The cosine of the turn.
    const dot = ux * vx + uy * vy;
    const straight = dot / (Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy)) || 1);
    run = straight > ALL_STRAIGHT ? run + 1 : 0;
    // Where it does not turn at all, the middle of the longest such stretch.
    const value = run > 0 ? 1 + run : straight;
    if (value > best) {
      best = value;
      flattest = run > 0 ? i - (run >> 1) : i;
    }
  }
  return flattest;
}
