import { SAMPLE_SIGMA_PX } from '../kernels/kernel-layout.js';
import { distance } from '../math/distance.js';
import { StageMemory } from '../math/stage-memory.js';
import { CubicFitter } from './cubic.js';
import { SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';
import type { PolygonVertices } from './vertices.js';

/** Prices of segments, about the bytes they take in a file. */
const LINE_PRICE = 6;
const CUBIC_PRICE = 14;
/**
 * What squared error over the noise variance is worth beside a byte, and where edges are clean, on whose straight stretches samples lie to a
 * hundredth of a pixel: a curve that is off one by a tenth all along it is seen to sway.
 */
const ERROR_WEIGHT = 0.3;
const CLEAN_ERROR_WEIGHT = 0.6;
/** What a kink costs at a vertex that looks smooth: this times one minus the cosine of the angle. */
const KINK_PRICE = 60;
/**
 * What the eye pays for a facet: every end of a straight segment that leaves the direction of a smooth vertex costs this, nearly all
 * of it as soon as the sine of the angle is well over `FACET_SINE`. Without it two lines are cheaper than one curve, and round things
 * become polygons wherever the pixels leave the choice. What turns as far as `CORNER_SINE` is rather a corner that was not sure.
 */
const FACET_PRICE = 6;
const FACET_SINE = 0.03;
const CORNER_SINE = 0.4;
/** Lines are tried over so many polygon sides at most; a straight edge is one or two. */
const LINE_SIDES = 2;
/** A curve that misses by so many tolerances over at least four sides will not do over more. */
const HOPELESS = 2;
/**
 * Curves that may be tried freely for a sample, and for any chain; a clean edge takes one or two a sample. Where a long ragged chain takes
 * more, curves are tried over so many sides only, until the rest of it has made up for that.
 */
const TRIES_PER_SAMPLE = 6;
const FREE_TRIES = 4000;
const RAGGED_SIDES = 8;
/** Bytes of a vertex: a cost, eight coordinates, two numbers. */
const VERTEX_BYTES = 8 + 64 + 4 + 4;
const LEAST_VERTICES = 256;

export interface SpanSettings {
  readonly tolerancePx: number;
  readonly segmentPrice: number;
  readonly straightOnly: boolean;
  readonly fitRounds: number;
  /** Whether nothing but anti-aliasing has been at the edges. */
  readonly isClean?: boolean;
}

/** The segments chosen for one chain. */
export class Spans {
  count = 0;
  kinds = new Int32Array(128);
  /** Numbers of the polygon vertices where segments begin, and where the last one ends. */
  vertices = new Int32Array(129);
  /** Eight per segment, as in ChainCurves. */
  points = new Float64Array(128 * 8);
}

/**
 * Chooses lines and cubics between the corners of a chain by dynamic programming over the polygon's vertices: the least sum
 * of bytes and errors. Works in place on its own scratch; the result is overwritten by the next call.
 */
export class SpanFinder {
  readonly result = new Spans();
  private readonly cubic = new CubicFitter();
  private readonly memory: StageMemory;
  private cost = new Float64Array(0);
  private previous = new Int32Array(0);
  private kind = new Int32Array(0);
  private points = new Float64Array(0);
  /** Curves tried for the chain at hand. */
  tries = 0;

  /** Uses `memory` while it searches. */
  constructor(memory = new StageMemory()) {
    this.memory = memory;
  }

  find(xs: Float64Array, ys: Float64Array, vertices: PolygonVertices, settings: SpanSettings): Spans {
    const { count } = vertices;
    this.reserve(count);
    const { result } = this;
    result.count = 0;
    result.vertices[0] = 0;
    this.tries = 0;
    for (let first = 0; first < count - 1; ) {
      let last = first + 1;
      while (vertices.corner[last] === 0) last++;
      this.solve(xs, ys, vertices, first, last, settings);
      this.emit(first, last);
      first = last;
    }
    return result;
  }

  /** Least cost from corner `first` to every vertex up to corner `last`. */
  private solve(
    xs: Float64Array,
    ys: Float64Array,
    vertices: PolygonVertices,
    first: number,
    last: number,
    { tolerancePx: tolerance, segmentPrice, straightOnly, fitRounds, isClean }: SpanSettings,
  ): void {
    const { cost, previous, kind, points } = this;
    const { x, y } = vertices;
    const errorPrice = (isClean ? CLEAN_ERROR_WEIGHT : ERROR_WEIGHT) / (SAMPLE_SIGMA_PX * SAMPLE_SIGMA_PX);
    const linePrice = LINE_PRICE * segmentPrice;
    const curvePrice = CUBIC_PRICE * segmentPrice;
    const facetPrice = straightOnly ? 0 : FACET_PRICE;
    cost[first] = 0;
    // No curve from before this vertex will do, however near it ends.
    let hopeful = first;
    for (let j = first + 1; j <= last; j++) {
      cost[j] = Infinity;
      // Long spans first: once one does, most shorter ones are dearer before they are fitted.
      const mayTry = this.tries < FREE_TRIES + TRIES_PER_SAMPLE * vertices.index[j];
      const sides = straightOnly ? LINE_SIDES : RAGGED_SIDES;
      for (let i = straightOnly || !mayTry ? Math.max(hopeful, j - sides) : hopeful; i < j; i++) {
        if (j - i <= LINE_SIDES || (i === first && j === last)) {
          if (cost[i] + linePrice < cost[j]) {
            const price =
              cost[i] + linePrice + this.lineError(xs, ys, vertices, i, j, tolerance, errorPrice, facetPrice);
            if (price < cost[j]) {
              cost[j] = price;
              previous[j] = i;
              kind[j] = SEGMENT_LINE;
            }
          }
        }
        if (straightOnly || cost[i] + curvePrice >= cost[j]) continue;
        const largest = this.tryCurve(xs, ys, vertices, i, j, tolerance, fitRounds, curvePrice, errorPrice);
        this.tries++;
        if (i === hopeful && j - i > 3 && largest > tolerance * HOPELESS) hopeful++;
      }
      if (cost[j] === Infinity) {
        // Nothing fits within tolerance: the polygon's own side always may stand.
        cost[j] = cost[j - 1] + linePrice + 50;
        previous[j] = j - 1;
        kind[j] = SEGMENT_LINE;
      }
      const at = j * 8;
      const from = previous[j];
      points[at] = x[from];
      points[at + 1] = y[from];
      points[at + 6] = x[j];
      points[at + 7] = y[j];
      if (kind[j] === SEGMENT_LINE) {
        points[at + 2] = x[from];
        points[at + 3] = y[from];
        points[at + 4] = x[j];
        points[at + 5] = y[j];
      }
    }
  }

  /** Takes a cubic from vertex i for the way to vertex j where it does and is cheaper; returns its largest distance, px. */
  private tryCurve(
    xs: Float64Array,
    ys: Float64Array,
    vertices: PolygonVertices,
    i: number,
    j: number,
    tolerance: number,
    rounds: number,
    curvePrice: number,
    errorPrice: number,
  ): number {
    const { cost, previous, kind, points, cubic } = this;
    const { index, x, y } = vertices;
    vertices.tangentTowards(i, j, xs, ys);
    const t0x = vertices.endX;
    const t0y = vertices.endY;
    vertices.tangentTowards(j, i, xs, ys);
    const t1x = vertices.endX;
    const t1y = vertices.endY;
    const { ends } = cubic;
    ends[0] = x[i];
    ends[1] = y[i];
    ends[2] = t0x;
    ends[3] = t0y;
    ends[4] = x[j];
    ends[5] = y[j];
    ends[6] = t1x;
    ends[7] = t1y;
    cubic.fit(xs, ys, index[i], index[j], tolerance, rounds);
    const price = cost[i] + curvePrice + cubic.error * errorPrice;
    if (cubic.largest < tolerance && price < cost[j]) {
      cost[j] = price;
      previous[j] = i;
      kind[j] = SEGMENT_CUBIC;
      const at = j * 8;
      points[at + 2] = x[i] + cubic.startHandle * t0x;
      points[at + 3] = y[i] + cubic.startHandle * t0y;
      points[at + 4] = x[j] - cubic.endHandle * t1x;
      points[at + 5] = y[j] - cubic.endHandle * t1y;
    }
    return cubic.largest;
  }

  /** Error and kinks of a straight segment from vertex i to j, Infinity where it misses a sample by the tolerance. */
  private lineError(
    xs: Float64Array,
    ys: Float64Array,
    vertices: PolygonVertices,
    i: number,
    j: number,
    tolerance: number,
    errorPrice: number,
    facetPrice: number,
  ): number {
    const { index, x, y, corner } = vertices;
    const dx = x[j] - x[i];
    const dy = y[j] - y[i];
    const length = distance(dx, dy);
    // From a vertex around a closed contour back to itself is no line.
    if (length < 1e-6) return Infinity;
    const limit = tolerance * length;
    let sum = 0;
    for (let k = index[i] + 1; k < index[j]; k++) {
      const across = (xs[k] - x[i]) * dy - (ys[k] - y[i]) * dx;
      if (across > limit || across < -limit) return Infinity;
      sum += across * across;
    }
    let kinks = 0;
    if (corner[i] !== 1) kinks += kinkPrice(vertices, i, dx / length, dy / length, facetPrice);
    if (corner[j] !== 1) kinks += kinkPrice(vertices, j, dx / length, dy / length, facetPrice);
    return (sum / (length * length)) * errorPrice + kinks;
  }

  /** Writes the cheapest way from `first` to `last` behind what is there. */
  private emit(first: number, last: number): void {
    const { result, previous, kind, points } = this;
    let size = 0;
    for (let j = last; j > first; j = previous[j]) size++;
    let at = result.count + size;
    if (at > result.kinds.length) {
      const room = Math.max(at, result.kinds.length * 2);
      const kinds = new Int32Array(room);
      kinds.set(result.kinds);
      result.kinds = kinds;
      const ends = new Int32Array(room + 1);
      ends.set(result.vertices);
      result.vertices = ends;
      const grown = new Float64Array(room * 8);
      grown.set(result.points);
      result.points = grown;
    }
    result.count = at;
    for (let j = last; j > first; j = previous[j]) {
      at--;
      result.kinds[at] = kind[j];
      result.vertices[at + 1] = j;
      for (let i = 0; i < 8; i++) result.points[at * 8 + i] = points[j * 8 + i];
    }
  }

  private reserve(count: number): void {
    if (this.cost.length >= count && this.memory.holds(this.cost)) return;
    const room = Math.max(count, LEAST_VERTICES);
    const buffer = this.memory.take(room * VERTEX_BYTES);
    this.cost = new Float64Array(buffer, 0, room);
    this.points = new Float64Array(buffer, room * 8, room * 8);
    this.previous = new Int32Array(buffer, room * 72, room);
    this.kind = new Int32Array(buffer, room * 76, room);
  }
}

/** What it costs that a straight segment of direction ux, uy ends at smooth vertex k. */
function kinkPrice({ tangentX, tangentY }: PolygonVertices, k: number, ux: number, uy: number, facet: number): number {
  const sine = tangentX[k] * uy - tangentY[k] * ux;
  const cosine = tangentX[k] * ux + tangentY[k] * uy;
  const turn = sine * sine;
  const rest = 1 - turn / (CORNER_SINE * CORNER_SINE);
  return KINK_PRICE * (1 - cosine) + (rest > 0 ? (facet * rest * turn) / (turn + FACET_SINE * FACET_SINE) : 0);
}
