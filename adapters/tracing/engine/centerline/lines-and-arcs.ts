import { type ChainCurves, type CurveList, isWholeShape, SEGMENT_LINE } from '../fit/curves.js';
import { ontoPrimitive, PointMoments, type Primitive } from './point-moments.js';

/** What squared distance is worth beside a number written: by the noise of a line's middle, and how far it reaches. */
const SIGMA_PX = 0.06;
const REACH_PLACES = 3;
const NUMBER_PRICE = 1.6;
const LINE_NUMBERS = 2;
const ARC_NUMBERS = 4.5;
const CUBIC_NUMBERS = 6;
/** No primitive is farther than this from its places, px (RMS). */
const MOST_RMS_PX = 0.2;
/** Arcs have so many places at least, and turn by so many radians at most. */
const LEAST_ARC_PLACES = 5;
const MOST_SWEEP = 5.5;
/** Px of an arc for each of its places, which are about one apart, at most. */
const LONGEST_ARC = 3;
/** Places where one may end, at most. */
const MOST_BREAKS = 240;
/** An end between two of them lies at most so far from where the places change, px. */
const FARTHEST_PX = 2.5;
/** A place in the middle of an arc that is this near to an end which has been moved does not tell which way round the arc goes, px. */
const BESIDE_END_PX = 0.5;
const STEPS_PER_CUBIC = 24;

const ERROR_PRICE = 1 / (2 * SIGMA_PX * SIGMA_PX * REACH_PLACES);

/** A line's middle as straight lines and arcs of circles, by description length. */
export interface LinesAndArcs {
  readonly cost: number;
  /** Numbers of the places where they end. */
  readonly breaks: readonly number[];
  /** Places where they end, first and last among them: x, y in turn. */
  readonly nodes: readonly number[];
  readonly primitives: readonly Primitive[];
  /** Per primitive a place of its own about halfway. */
  readonly middles: readonly number[];
}

/** The cheapest lines and arcs through places; `closed` where the last goes on to the first, which is no corner. */
export function linesAndArcs(
  xs: Float64Array,
  ys: Float64Array,
  count: number,
  closed: boolean,
): LinesAndArcs | undefined {
  if (!closed) return divided(xs, ys, count, false);
  // A closed line begins where one of its parts does.
  const trial = breaksOf(new PointMoments(xs, ys, count), count);
  if (trial === undefined || trial.length < 3) return undefined;
  const turn = trial[trial.length >> 1];
  const x = new Float64Array(count + 1);
  const y = new Float64Array(count + 1);
  for (let k = 0; k <= count; k++) {
    x[k] = xs[(turn + k) % count];
    y[k] = ys[(turn + k) % count];
  }
  return divided(x, y, count + 1, true);
}

/** Numbers of the places where the cheapest division ends its parts. */
function breaksOf(moments: PointMoments, count: number): number[] | undefined {
  const step = Math.max(1, Math.ceil(count / MOST_BREAKS));
  const places: number[] = [];
  for (let k = 0; k < count - 1; k += step) places.push(k);
  places.push(count - 1);
  const most = places.length;
  const cost = new Float64Array(most).fill(Infinity);
  const previous = new Int32Array(most);
  cost[0] = 0;
  for (let j = 1; j < most; j++) {
    // Over more places errors only grow: what costs more by itself than the best way so far ends the search.
    let mayBeLine = true;
    let mayBeArc = true;
    for (let i = j - 1; i >= 0 && (mayBeLine || mayBeArc); i--) {
      const [from, to] = [places[i], places[j]];
      const n = to - from + 1;
      const limit = n * MOST_RMS_PX * MOST_RMS_PX;
      if (mayBeLine) {
        const error = moments.lineError(from, to);
        const price = NUMBER_PRICE * LINE_NUMBERS + error * ERROR_PRICE;
        if (price > cost[j]) mayBeLine = false;
        else if (error <= limit && cost[i] + price < cost[j]) {
          cost[j] = cost[i] + price;
          previous[j] = i;
        }
      }
      if (!mayBeArc || n < LEAST_ARC_PLACES) continue;
      const error = moments.circleError(from, to);
      const price = NUMBER_PRICE * ARC_NUMBERS + error * ERROR_PRICE;
      if (price > cost[j] && error < Infinity) mayBeArc = false;
      else if (error <= limit && cost[i] + price < cost[j] && n <= MOST_SWEEP * moments.radius) {
        cost[j] = cost[i] + price;
        previous[j] = i;
      }
    }
  }
  if (cost[most - 1] === Infinity) return undefined;
  const found: number[] = [];
  for (let j = most - 1; j > 0; j = previous[j]) found.push(places[j]);
  found.push(0);
  return found.reverse();
}

function divided(xs: Float64Array, ys: Float64Array, count: number, closed: boolean): LinesAndArcs | undefined {
  const moments = new PointMoments(xs, ys, count);
  const breaks = breaksOf(moments, count);
  if (breaks === undefined) return undefined;
  const primitives: Primitive[] = [];
  const middles: number[] = [];
  let cost = 0;
  for (let k = 0; k + 1 < breaks.length; k++) {
    const [from, to] = [breaks[k], breaks[k + 1]];
    const line = moments.line(from, to);
    const circle = to - from + 1 >= LEAST_ARC_PLACES ? moments.circle(from, to) : undefined;
    const lineCost = NUMBER_PRICE * LINE_NUMBERS + line.error * ERROR_PRICE;
    const arcCost =
      circle === undefined || to - from + 1 > MOST_SWEEP * circle.radius
        ? Infinity
        : NUMBER_PRICE * ARC_NUMBERS + circle.error * ERROR_PRICE;
    primitives.push(arcCost < lineCost && circle !== undefined ? circle : line);
    cost += Math.min(arcCost, lineCost);
    const middle = (from + to) >> 1;
    middles.push(xs[middle], ys[middle]);
  }
  const last = primitives.length;
  const nodes: number[] = [];
  for (let k = 0; k <= last; k++) {
    const at = breaks[k];
    let [x, y] = [xs[at], ys[at]];
    const isEnd = k === 0 || k === last;
    const a = isEnd && !closed ? undefined : primitives[(k + last - 1) % last];
    const b = isEnd && !closed ? undefined : primitives[k % last];
    if (a !== undefined && b !== undefined) {
      for (let n = 0; n < 12; n++) {
        const p = ontoPrimitive(a, x, y);
        const q = ontoPrimitive(b, p[0], p[1]);
        if (Math.hypot(q[0] - xs[at], q[1] - ys[at]) > FARTHEST_PX) break;
        [x, y] = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
      }
    }
    nodes.push(x, y);
  }
  return { cost, breaks, nodes, primitives, middles };
}

/** What a chain's curves cost by the same measure: their numbers, and how far places lie from them. */
export function costOfCurves(
  curves: ChainCurves,
  chain: number,
  xs: Float64Array,
  ys: Float64Array,
  count: number,
): number {
  const { starts, kinds, points } = curves;
  const line: number[] = [];
  let numbers = 0;
  for (let s = starts[chain]; s < starts[chain + 1]; s++) {
    // Whole shapes are best as they are.
    if (isWholeShape(kinds[s])) return 0;
    const p = points.subarray(s * 8, s * 8 + 8);
    numbers += kinds[s] === SEGMENT_LINE ? LINE_NUMBERS : CUBIC_NUMBERS;
    const steps = kinds[s] === SEGMENT_LINE ? 1 : STEPS_PER_CUBIC;
    for (let k = line.length === 0 ? 0 : 1; k <= steps; k++) {
      const t = k / steps;
      const r = 1 - t;
      if (steps === 1) line.push(p[0] * r + p[6] * t, p[1] * r + p[7] * t);
      else {
        const [a, b, c, d] = [r * r * r, 3 * r * r * t, 3 * r * t * t, t * t * t];
        line.push(a * p[0] + b * p[2] + c * p[4] + d * p[6], a * p[1] + b * p[3] + c * p[5] + d * p[7]);
      }
    }
  }
  let error = 0;
  for (let k = 0; k < count; k++) {
    let best = Infinity;
    for (let i = 2; i < line.length; i += 2) {
      const [ax, ay] = [line[i - 2], line[i - 1]];
      const dx = line[i] - ax;
      const dy = line[i + 1] - ay;
      const t = Math.max(0, Math.min(1, ((xs[k] - ax) * dx + (ys[k] - ay) * dy) / (dx * dx + dy * dy || 1)));
      const [ex, ey] = [xs[k] - ax - t * dx, ys[k] - ay - t * dy];
      best = Math.min(best, ex * ex + ey * ey);
    }
    error += best;
  }
  return NUMBER_PRICE * numbers + error * ERROR_PRICE;
}

/** Appends lines and arcs to curves, each arc as cubics of a quarter turn at most. */
export function addLinesAndArcs({ breaks, nodes, primitives, middles }: LinesAndArcs, curves: CurveList): void {
  for (let k = 0; k < primitives.length; k++) {
    const [ax, ay, bx, by] = nodes.slice(k * 2, k * 2 + 4);
    const primitive = primitives[k];
    const arc =
      primitive.radius === 0
        ? undefined
        : throughThree(ax, ay, middleOf(primitive, middles, k, ax, ay, bx, by), bx, by);
    // Its ends may have been moved past each other; then it would go the long way round, where no place is.
    const longest = LONGEST_ARC * (breaks[k + 1] - breaks[k] + 1);
    if (arc === undefined || Math.abs(arc.sweep) * arc.radius > longest) {
      curves.line(ax, ay, bx, by);
      continue;
    }
    const { x, y, radius, start, sweep } = arc;
    const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-6));
    const step = sweep / parts;
    const handle = (4 / 3) * Math.tan(step / 4) * radius;
    for (let i = 0; i < parts; i++) {
      const [p, q] = [start + step * i, start + step * (i + 1)];
      const [px, py] = i === 0 ? [ax, ay] : [x + radius * Math.cos(p), y + radius * Math.sin(p)];
      const [qx, qy] = i === parts - 1 ? [bx, by] : [x + radius * Math.cos(q), y + radius * Math.sin(q)];
      curves.cubic(
        px,
        py,
        px - handle * Math.sin(p),
        py + handle * Math.cos(p),
        qx + handle * Math.sin(q),
        qy - handle * Math.cos(q),
        qx,
        qy,
      );
    }
  }
}

/** Halfway along a circle between two places, on the side where its own places are; on the shorter one where these do not tell. */
function middleOf(
  circle: Primitive,
  middles: readonly number[],
  k: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): readonly [x: number, y: number] {
  const start = Math.atan2(ay - circle.y, ax - circle.x);
  const end = Math.atan2(by - circle.y, bx - circle.x);
  const seen = Math.atan2(middles[k * 2 + 1] - circle.y, middles[k * 2] - circle.x);
  const turn = 2 * Math.PI;
  const sweep = (((end - start) % turn) + turn) % turn;
  const way = (((seen - start) % turn) + turn) % turn;
  const besideEnd = Math.min(way, Math.abs(way - sweep), turn - way) * circle.radius < BESIDE_END_PX;
  const isForward = besideEnd ? sweep <= Math.PI : way <= sweep;
  const middle = isForward ? start + sweep / 2 : start + (sweep - turn) / 2;
  return [circle.x + circle.radius * Math.cos(middle), circle.y + circle.radius * Math.sin(middle)];
}

/** The arc from one place through another to a third; undefined where that is straight. */
function throughThree(ax: number, ay: number, [mx, my]: readonly [number, number], bx: number, by: number) {
  const [px, py, qx, qy] = [mx - ax, my - ay, bx - ax, by - ay];
  const cross = 2 * (px * qy - py * qx);
  if (Math.abs(cross) < 1e-6) return undefined;
  const [p, q] = [px * px + py * py, qx * qx + qy * qy];
  const x = ax + (qy * p - py * q) / cross;
  const y = ay + (px * q - qx * p) / cross;
  const start = Math.atan2(ay - y, ax - x);
  const end = Math.atan2(by - y, bx - x);
  const turn = 2 * Math.PI;
  let sweep = (((end - start) % turn) + turn) % turn;
  if (cross < 0) sweep -= turn;
  return { x, y, radius: Math.hypot(ax - x, ay - y), start, sweep };
}
