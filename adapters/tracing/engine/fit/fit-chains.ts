import type { PlanarMap } from '../planar-map/planar-map.js';
import { CircleFitter } from './circle.js';
import { type ChainCurves, CurveList, SEGMENT_LINE } from './curves.js';
import { LineSums } from './line-sums.js';
import { PolygonFinder } from './polygon.js';
import { ChainRefiner } from './refine.js';
import type { EdgeSamples } from './samples.js';
import { SpanFinder, type Spans } from './spans.js';
import { PolygonVertices } from './vertices.js';

export interface FitSettings {
  readonly tolerancePx: number;
  readonly cornerPx: number;
  readonly segmentPrice: number;
  readonly refineRounds: number;
  readonly primitives: boolean;
  readonly straightOnly: boolean;
}

/** Samples nearer to a node than this know more than two colors and are left out, px. */
const NODE_CLEARANCE_PX = 0.8;
/** Closed contours of fewer samples are drawn as they are. */
const LEAST_SAMPLES = 6;
/** Samples on either side of one over which the turning of a closed contour is looked at. */
const TURN_REACH = 6;
/** A closed contour that nowhere turns by this much (radians) has no corner to begin at. */
const CORNER_TURN = 0.9;
/** A corner found by intersecting lines is believed this near its sample, px. */
const CORNER_SHIFT_PX = 1.8;

/** Fits curves to chains `from`..`to - 1` of a map. Chains do not depend on each other, so ranges may be fitted apart. */
export function fitChains(
  map: PlanarMap,
  samples: EdgeSamples,
  nodePositions: Float64Array,
  settings: FitSettings,
  from: number,
  to: number,
): ChainCurves {
  const fitter = new ChainFitter(samples, nodePositions, settings);
  for (let c = from; c < to; c++) {
    fitter.fit(c, map.startNode[c], map.endNode[c], map.left[c] < 0 || map.right[c] < 0);
  }
  return fitter.curves.finish();
}

class ChainFitter {
  readonly curves = new CurveList();
  private readonly samples: EdgeSamples;
  private readonly nodePositions: Float64Array;
  private readonly settings: FitSettings;
  private readonly sums = new LineSums();
  private readonly polygon = new PolygonFinder();
  private readonly vertices = new PolygonVertices();
  private readonly spans = new SpanFinder();
  private readonly refiner = new ChainRefiner();
  private readonly circle = new CircleFitter();
  // The chain at hand, first and last being its ends.
  private xs = new Float64Array(1024);
  private ys = new Float64Array(1024);
  private weights = new Float64Array(1024);

  constructor(samples: EdgeSamples, nodePositions: Float64Array, settings: FitSettings) {
    this.samples = samples;
    this.nodePositions = nodePositions;
    this.settings = settings;
  }

  fit(chain: number, startNode: number, endNode: number, border: boolean): void {
    const from = this.samples.starts[chain];
    const to = this.samples.starts[chain + 1];
    this.reserve(to - from + 3);
    this.curves.beginChain();
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
      if (Math.hypot(x[i] - ax, y[i] - ay) < NODE_CLEARANCE_PX) continue;
      if (Math.hypot(x[i] - bx, y[i] - by) < NODE_CLEARANCE_PX) continue;
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
    const spans = this.findSpans(n, false, 0, 0);
    this.refiner.refine(spans, this.vertices, xs, ys, weights, 1, n - 2, false, this.settings.refineRounds);
    this.push(spans);
  }

  private fitClosed(from: number, to: number): void {
    const { x, y, weight } = this.samples;
    const { xs, ys, weights, curves } = this;
    const count = to - from;
    if (this.settings.primitives && !this.settings.straightOnly) {
      xs.set(x.subarray(from, to));
      ys.set(y.subarray(from, to));
      weights.set(weight.subarray(from, to));
      if (this.circle.fit(xs, ys, weights, count)) {
        curves.circle(this.circle.x, this.circle.y, this.circle.r);
        return;
      }
    }
    if (count < LEAST_SAMPLES) {
      for (let i = from; i < to; i++) {
        const next = i + 1 < to ? i + 1 : from;
        curves.line(x[i], y[i], x[next], y[next]);
      }
      return;
    }
    // Begin at the sharpest corner, or where the contour is flattest if there is none.
    const reach = Math.min(TURN_REACH, count >> 2);
    let sharpest = 0;
    let sharpestTurn = -1;
    let flattest = 0;
    let flattestTurn = Infinity;
    for (let i = 0; i < count; i++) {
      const at = from + i;
      const a = from + ((i - reach + count) % count);
      const b = from + ((i + reach) % count);
      const ux = x[at] - x[a];
      const uy = y[at] - y[a];
      const vx = x[b] - x[at];
      const vy = y[b] - y[at];
      const turn = Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
      if (turn > sharpestTurn) {
        sharpestTurn = turn;
        sharpest = i;
      }
      if (turn < flattestTurn) {
        flattestTurn = turn;
        flattest = i;
      }
    }
    const smooth = sharpestTurn < CORNER_TURN;
    const start = smooth ? flattest : sharpest;
    for (let i = 0; i < count; i++) {
      const at = from + ((i + start) % count);
      xs[i] = x[at];
      ys[i] = y[at];
      weights[i] = weight[at];
    }
    let tx = 0;
    let ty = 0;
    let skip = 0;
    if (smooth) {
      tx = xs[reach] - xs[count - reach];
      ty = ys[reach] - ys[count - reach];
      const length = Math.hypot(tx, ty) || 1;
      tx /= length;
      ty /= length;
    } else if (this.placeCorner(count)) {
      skip = 1;
    }
    xs[count] = xs[0];
    ys[count] = ys[0];
    weights[count] = weights[0];
    const spans = this.findSpans(count + 1, smooth, tx, ty);
    this.refiner.refine(spans, this.vertices, xs, ys, weights, skip, count - 1, true, this.settings.refineRounds);
    this.push(spans);
  }

  /** Moves the first sample of a closed contour to where the lines before and after it meet. */
  private placeCorner(count: number): boolean {
    const { xs, ys, sums } = this;
    const reach = Math.min(7, count >> 2);
    if (reach < 2) return false;
    sums.load(xs, ys, count);
    sums.fit(1, reach);
    const ax = sums.x;
    const ay = sums.y;
    const adx = sums.dx;
    const ady = sums.dy;
    sums.fit(count - reach, count - 1);
    const cross = adx * sums.dy - ady * sums.dx;
    if (Math.abs(cross) <= 0.2) return false;
    const t = ((sums.x - ax) * sums.dy - (sums.y - ay) * sums.dx) / cross;
    const px = ax + t * adx;
    const py = ay + t * ady;
    if (Math.hypot(px - xs[0], py - ys[0]) >= CORNER_SHIFT_PX) return false;
    xs[0] = px;
    ys[0] = py;
    return true;
  }

  private findSpans(count: number, smooth: boolean, tx: number, ty: number): Spans {
    const { xs, ys, sums, polygon, vertices, settings } = this;
    sums.load(xs, ys, count);
    const size = polygon.find(sums, count);
    vertices.load(xs, ys, count, polygon.vertices, size, sums, settings.cornerPx);
    if (smooth) vertices.closeSmoothly(tx, ty);
    return this.spans.find(xs, ys, vertices, settings.tolerancePx, settings.segmentPrice, settings.straightOnly);
  }

  private push(spans: Spans): void {
    const { points, kinds, count } = spans;
    for (let k = 0; k < count; k++) {
      const p = k * 8;
      if (kinds[k] === SEGMENT_LINE) this.curves.line(points[p], points[p + 1], points[p + 6], points[p + 7]);
      else {
        this.curves.cubic(
          points[p],
          points[p + 1],
          points[p + 2],
          points[p + 3],
          points[p + 4],
          points[p + 5],
          points[p + 6],
          points[p + 7],
        );
      }
    }
  }

  private reserve(size: number): void {
    if (this.xs.length >= size) return;
    this.xs = new Float64Array(size * 2);
    this.ys = new Float64Array(size * 2);
    this.weights = new Float64Array(size * 2);
  }
}
