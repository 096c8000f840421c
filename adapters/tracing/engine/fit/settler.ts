import { arena } from '../math/arena.js';
import { distance } from '../math/distance.js';
import { NodeOrder } from '../math/node-order.js';
import { clamp, within } from '../math/within.js';
import { wrap } from '../math/wrap.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { ChainEnds } from './chain-ends.js';
import { ChainEquations } from './chain-equations.js';
import { CurvePainter } from './curve-painter.js';
import { type ChainCurves, isRoundShape, isWholeShape, SEGMENT_CIRCLE, SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';
import type { Roughness } from './edge-roughness.js';
import { isEvenWay } from './even-way.js';
import { Islands } from './islands.js';
import { addLineTangents } from './line-tangents.js';
import type { PixelBand } from './pixel-band.js';
import { numberRound, RoundEquations } from './round-equations.js';
import { goesOnStraight, goOn } from './smooth-joints.js';
import { type Misfits, type SplitCurves, splitMisfits } from './split-segments.js';
import { leavesPicture, lengthened, pullIn, shareWithin } from './swing.js';

/** Damping as a share of the squared contrast across a chain: at first, at least, and what success and failure make of it. */
const FIRST_DAMPING = 0.01;
const LEAST_DAMPING = 0.005;
const LOWER = 0.4;
const RAISE = 8;
/** Steps go beyond what the equations ask for by this factor, since segments hold each other back where they share pixels. */
const OVERSTEP = 1.1;
/**
 * A step that makes the whole worse is taken back for all that hangs together with the chains it made worse; for these alone where they are
 * at most this share, or the next step fails too.
 */
const LOCAL_SHARE = 0.2;
/** Islands are put together as each was best where that would cost less than this share of what all of it did when it was best. */
const WORTH_MIXING = 0.95;
/** A chain that gains less than this share of its cost, and less than this, has come to rest. */
const REST_SHARE = 0.03;
const REST_GAIN = 100;
/** Below this cost a chain is where it belongs from the start. */
const NOTHING = 10;
/** Added to the equations of what is not to move. */
const HELD = 1e12;
/** Largest change in one step: vertices in px, angles in radians, handles as a share of their length. */
const VERTEX_STEP_PX = 0.6;
const ANGLE_STEP = 0.2;
const HANDLE_STEP = 0.4;
/** Multiplications that a solution may take: those of some thirty thousand nodes in a noise of single pixels, whose edges have little to gain. */
const MOST_WORK = 4e7;
/** Unknowns of one segment: start x, y, end x, y, two handles, two angles. */
const LOCAL = 8;

/** One settling of all curves: its unknowns, the pixels' equations for them, and the steps. */
export class Settler {
  private readonly map: PlanarMap;
  private readonly curves: ChainCurves;
  private readonly nodePositions: Float64Array;
  private readonly painter: CurvePainter;
  private readonly equations: ChainEquations;
  private readonly round = new RoundEquations();
  // Vertices: the map's nodes first. Per segment its two, its handles' lengths and angles; of a round shape its center, half axes and angle.
  private readonly va: Int32Array;
  private readonly vb: Int32Array;
  private readonly vx: Float64Array;
  private readonly vy: Float64Array;
  private readonly d0: Float64Array;
  private readonly d1: Float64Array;
  private readonly a0: Float64Array;
  private readonly a1: Float64Array;
  private readonly band: PixelBand;
  /** All of these, as they were best, each island as it was best, and before the last step. */
  private readonly state: Float64Array;
  private readonly best: Float64Array;
  private readonly bestOfEach: Float64Array;
  private readonly before: Float64Array;
  /** Chains that the last step made worse, where it made the whole worse. */
  private readonly worse: Uint8Array;
  /** What hangs together of the chains that move at first. */
  private readonly islands: Islands;
  /** Per segment its eight unknowns, as ChainEquations number them. */
  private readonly at: Int32Array;
  private unknowns = 0;
  /** Whether its equations can be solved in time; else nothing is to be settled. */
  isSolvable = true;
  /** Per segment: does it begin at a corner, whatever its tangent. */
  private readonly corners: Uint8Array;
  /** Per segment: does its first handle mirror the last one of the segment before. */
  private readonly mirrored: Uint8Array;
  /** Per node coordinate: may it move. */
  private readonly free: Uint8Array;
  /** Per chain: does it still move, and how firmly is it held. */
  private readonly moving: Uint8Array;
  private readonly damping: Float64Array;
  /** Per chain the squared differences, summed, that were left when all was best. */
  readonly costs: Float64Array;
  /** Nodes that a chain ends at which still moves, and nodes that one ends at which rests. */
  private readonly busy: ChainEnds;
  private readonly held: ChainEnds;
  /** Whether what the painter compared last are the curves as they are. */
  private isCompared = false;

  constructor(
    map: PlanarMap,
    regions: Regions,
    band: PixelBand,
    { curves, changed, corners, mirrored }: SplitCurves,
    nodePositions: Float64Array,
  ) {
    this.map = map;
    this.band = band;
    this.corners = corners;
    this.mirrored = mirrored;
    this.curves = curves;
    this.nodePositions = nodePositions;
    const segments = curves.kinds.length;
    const nodes = map.nodes.length;
    const chains = curves.chainCount;
    this.va = arena.int32(segments);
    this.vb = arena.int32(segments);
    const vertices = nodes + segments;
    const handles = 2 * vertices;
    this.state = arena.float64(handles + 4 * segments);
    const part = (from: number, length: number) => this.state.subarray(from, from + length);
    this.vx = part(0, vertices);
    this.vy = part(vertices, vertices);
    this.d0 = part(handles, segments);
    this.d1 = part(handles + segments, segments);
    this.a0 = part(handles + 2 * segments, segments);
    this.a1 = part(handles + 3 * segments, segments);
    this.best = arena.float64(this.state.length);
    this.bestOfEach = arena.float64(this.state.length);
    this.before = arena.float64(this.state.length);
    this.worse = arena.uint8(chains);
    this.at = arena.int32(segments * LOCAL).fill(-1);
    this.free = arena.uint8(nodes * 2);
    this.moving = arena.uint8(chains);
    this.damping = arena.float64(chains).fill(FIRST_DAMPING);
    this.costs = arena.float64(chains);
    this.busy = new ChainEnds(map, arena.uint8(nodes));
    this.held = new ChainEnds(map, arena.uint8(nodes));
    this.equations = new ChainEquations(chains, segments);
    this.load();
    this.keepStill(changed);
    this.islands = new Islands(map, this.moving);
    const order = this.number();
    this.bestOfEach.set(this.state);
    this.painter = new CurvePainter(map, regions, band, curves);
    if (this.isSolvable) this.equations.lay(order);
    for (let c = 0; c < chains; c++) {
      if (this.moving[c] === 0) this.restUnlessBorder(c);
      else this.painter.release(c);
    }
  }

  /** At most so many rounds; where there may be a split behind them, the last one is tracked too. */
  settle(rounds: number, maySplit: boolean): void {
    const { painter } = this;
    let least = Infinity;
    let failures = 0;
    for (let round = 0; ; round++) {
      this.build();
      const cost = painter.compare(round < rounds || maySplit);
      if (round > 0) this.adaptDamping();
      this.keepBest();
      this.isCompared = cost < least;
      if (this.isCompared) {
        this.best.set(this.state);
        const resting = round < rounds && this.restQuiet(round === 0);
        least = cost;
        failures = 0;
        this.costs.set(painter.costs);
        if (round === rounds || resting) break;
        painter.linearize();
      } else {
        if (round === rounds) break;
        const isLocal = this.markWorse();
        if (failures++ === 0 && !isLocal) this.islands.spread(this.worse);
        this.keepOthers();
        painter.linearize(this.worse);
        this.takeBack();
      }
      this.before.set(this.state);
      if (!this.solve()) break;
      this.step();
    }
    this.takeBest(least, maySplit);
    this.build();
    for (let n = 0; n < this.map.nodes.length; n++) {
      this.nodePositions[2 * n] = this.vx[n];
      this.nodePositions[2 * n + 1] = this.vy[n];
    }
  }

  /** Takes all as it was best, or where that seems to be worth a look, and is, each island as it was. */
  private takeBest(least: number, maySplit: boolean): void {
    const { painter, islands } = this;
    if (islands.leastCost(painter.costs) < WORTH_MIXING * least) {
      this.state.set(this.bestOfEach);
      this.build();
      this.isCompared = painter.compare(maySplit) < least;
      if (this.isCompared) return;
    }
    this.state.set(this.best);
  }

  /** What segments miss; to be asked for once, before anything else is painted, after settling that may be followed by a split. */
  misfits(): Misfits {
    const { painter, curves } = this;
    const count = curves.kinds.length;
    const misfits = { misfit: arena.float64(count), pixels: arena.int32(count), place: arena.float64(count) };
    if (!this.isCompared) painter.compare(true);
    painter.misfits(misfits.misfit, misfits.pixels, misfits.place);
    return misfits;
  }

  /** Splits the segments that miss; undefined where none does. */
  split(
    misfits: Misfits,
    price: number,
    { corners, mirrored }: SplitCurves,
    ripples: Float32Array | undefined,
    roughness: Roughness,
  ): SplitCurves | undefined {
    const { words, width, height } = this.band;
    const isEven = (segment: number) => isEvenWay(words, width, height, this.curves.points, segment);
    const priceAt = (c: number) => price * (ripples?.[c] ?? 1) * this.painter.contrastSq(c);
    return splitMisfits(this.curves, misfits, priceAt, corners, mirrored, ripples !== undefined, roughness, isEven);
  }

  /** Only chains that have changed, and those that end where one of them does, are to move. */
  private keepStill(changed: Uint8Array): void {
    const { moving, busy } = this;
    for (let c = 0; c < moving.length; c++) if (changed[c] === 1) busy.mark(c);
    for (let c = 0; c < moving.length; c++) {
      if (changed[c] === 0 && !busy.touches(c)) moving[c] = 0;
    }
  }

  /** The picture's border follows its nodes and is painted anew each time. */
  private restUnlessBorder(c: number): void {
    if (this.map.left[c] >= 0 && this.map.right[c] >= 0) this.painter.rest(c);
  }

  /** Takes vertices, tangents and handles out of the curves. */
  private load(): void {
    const { map, curves, va, vb, vx, vy, d0, d1, a0, a1 } = this;
    const { points, kinds, starts } = curves;
    let next = map.nodes.length;
    for (let n = 0; n < next; n++) {
      vx[n] = this.nodePositions[2 * n];
      vy[n] = this.nodePositions[2 * n + 1];
    }
    for (let c = 0; c < curves.chainCount; c++) {
      const closed = map.startNode[c] < 0;
      const border = map.left[c] < 0 || map.right[c] < 0;
      const first = next;
      const to = starts[c + 1];
      const kind = kinds[starts[c]];
      this.moving[c] = border || (isWholeShape(kind) && !isRoundShape(kind)) ? 0 : 1;
      for (let k = starts[c]; k < to; k++) {
        const p = k * 8;
        if (k > starts[c]) va[k] = vb[k - 1];
        else va[k] = closed ? next++ : map.startNode[c];
        if (k + 1 < to) vb[k] = next++;
        else vb[k] = closed ? first : map.endNode[c];
        if (k > starts[c] || closed) {
          vx[va[k]] = points[p];
          vy[va[k]] = points[p + 1];
        }
        if (isRoundShape(kinds[k])) {
          d0[k] = points[p + 2];
          d1[k] = points[p + 3];
          a0[k] = points[p + 4];
        } else if (kinds[k] === SEGMENT_LINE) {
          a0[k] = a1[k] = Math.atan2(points[p + 7] - points[p + 1], points[p + 6] - points[p]);
        } else if (kinds[k] === SEGMENT_CUBIC) {
          a0[k] = Math.atan2(points[p + 3] - points[p + 1], points[p + 2] - points[p]);
          a1[k] = Math.atan2(points[p + 7] - points[p + 5], points[p + 6] - points[p + 4]);
          d0[k] = distance(points[p + 2] - points[p], points[p + 3] - points[p + 1]);
          d1[k] = distance(points[p + 6] - points[p + 4], points[p + 7] - points[p + 5]);
        }
      }
    }
  }

  /** Numbers the unknowns, chain by chain and along each, so that what occurs together lies together. */
  private number(): NodeOrder {
    const { map, curves, equations, free, moving } = this;
    const stride = map.width + 1;
    for (let n = 0; n < map.nodes.length; n++) {
      const y = Math.floor(map.nodes[n] / stride);
      const x = map.nodes[n] - y * stride;
      free[2 * n] = x === 0 || x === map.width ? 0 : 1;
      free[2 * n + 1] = y === 0 || y === map.height ? 0 : 1;
    }
    const order = new NodeOrder();
    order.begin(map.nodes.length);
    for (let c = 0; c < curves.chainCount; c++) {
      const start = map.startNode[c];
      const end = map.endNode[c];
      equations.beginChain(c, this.unknowns, start, end);
      if (moving[c] === 1) this.numberChain(c);
      equations.endChain(c, this.unknowns, this.at, curves.starts[c], curves.starts[c + 1]);
      // What rests has no equations.
      if (start >= 0 && moving[c] === 1) order.join(start, end);
    }
    this.isSolvable = order.find(MOST_WORK);
    return order;
  }

  private numberChain(c: number): void {
    const { map, curves, at, va, vb, a0, a1 } = this;
    const { kinds, starts } = curves;
    const from = starts[c];
    const to = starts[c + 1];
    const closed = map.startNode[c] < 0;
    const firstVertex = this.unknowns;
    let firstAngle = -1;
    if (closed) this.unknowns += 2;
    if (isRoundShape(kinds[from])) {
      this.numberEnd(from * LOCAL, va[from], firstVertex);
      this.unknowns = numberRound(at, from, kinds[from], a0[from], this.unknowns);
      return;
    }
    for (let k = from; k < to; k++) {
      const p = k * LOCAL;
      const cubic = kinds[k] === SEGMENT_CUBIC;
      const before = k > from ? k - 1 : closed ? to - 1 : -1;
      if (k > from) {
        at[p] = at[p - LOCAL + 2];
        at[p + 1] = at[p - LOCAL + 3];
      } else this.numberEnd(p, va[k], firstVertex);
      if (before >= 0 && this.isSmooth(before, k)) {
        // A line follows where its ends go, so it is the curve's tangent that counts.
        if (kinds[before] === SEGMENT_LINE) a1[before] = a0[k];
        else if (!cubic) a0[k] = a1[before];
        else a1[before] = a0[k] = a1[before] + wrap(a0[k] - a1[before]) / 2;
        at[p + 6] = k > from ? at[p - LOCAL + 7] : this.unknowns++;
        if (k === from) firstAngle = at[p + 6];
      } else if (cubic) at[p + 6] = this.unknowns++;
      if (cubic) {
        at[p + 4] = this.isMirrored(k) ? at[p - LOCAL + 5] : this.unknowns++;
        at[p + 5] = this.unknowns++;
      }
      if (k + 1 < to ? this.isSmooth(k, k + 1) || cubic : cubic || firstAngle >= 0) {
        at[p + 7] = k + 1 === to && firstAngle >= 0 ? firstAngle : this.unknowns++;
      }
      if (k + 1 < to) {
        at[p + 2] = this.unknowns++;
        at[p + 3] = this.unknowns++;
      } else this.numberEnd(p + 2, vb[k], firstVertex);
    }
  }

  /** Whether a segment's first handle is as long as the last one of the segment before. */
  private isMirrored(k: number): boolean {
    return this.mirrored[k] === 1 && this.isSmooth(k - 1, k);
  }

  /** The unknowns of a chain's end: its node's, or its first vertex's. */
  private numberEnd(p: number, vertex: number, firstVertex: number): void {
    const { at, free, equations } = this;
    for (let i = 0; i < 2; i++) {
      if (vertex >= this.map.nodes.length) at[p + i] = firstVertex + i;
      else at[p + i] = free[2 * vertex + i] === 1 ? equations.nodeNumber(2 * vertex + i) : -1;
    }
  }

  private isSmooth(before: number, after: number): boolean {
    const { kinds } = this.curves;
    const lineBefore = kinds[before] === SEGMENT_LINE;
    const lineAfter = kinds[after] === SEGMENT_LINE;
    if ((lineBefore && lineAfter) || this.corners[after] === 1) return false;
    const turn = Math.abs(wrap(this.a0[after] - this.a1[before]));
    return lineBefore || lineAfter ? goesOnStraight(turn, this.chord(lineBefore ? after : before)) : goOn(turn);
  }

  private chord(k: number): number {
    const { va, vb, vx, vy } = this;
    return distance(vx[vb[k]] - vx[va[k]], vy[vb[k]] - vy[va[k]]);
  }

  /** Control points from the unknowns; the picture's border follows its nodes. */
  private build(): void {
    const { curves, map, moving, va, vb, vx, vy, d0, d1, a0, a1 } = this;
    const { points, kinds, starts } = curves;
    for (let c = 0; c < curves.chainCount; c++) {
      const last = starts[c + 1] - 1;
      if (moving[c] === 1) {
        for (let k = starts[c]; k <= last; k++) {
          const cubic = kinds[k] === SEGMENT_CUBIC;
          const p = k * 8;
          points[p] = vx[va[k]];
          points[p + 1] = vy[va[k]];
          if (isRoundShape(kinds[k])) {
            this.holdWithin(k);
            points[p + 2] = d0[k];
            points[p + 3] = d1[k];
            points[p + 4] = a0[k];
            continue;
          }
          points[p + 6] = vx[vb[k]];
          points[p + 7] = vy[vb[k]];
          points[p + 2] = points[p] + (cubic ? d0[k] * Math.cos(a0[k]) : 0);
          points[p + 3] = points[p + 1] + (cubic ? d0[k] * Math.sin(a0[k]) : 0);
          points[p + 4] = points[p + 6] - (cubic ? d1[k] * Math.cos(a1[k]) : 0);
          points[p + 5] = points[p + 7] - (cubic ? d1[k] * Math.sin(a1[k]) : 0);
          if (cubic && leavesPicture(points, p, map.width, map.height)) {
            d0[k] *= pullIn(points, p, p + 2, map.width, map.height);
            d1[k] *= pullIn(points, p + 6, p + 4, map.width, map.height);
          }
        }
      } else if (map.startNode[c] >= 0 && (map.left[c] < 0 || map.right[c] < 0)) {
        const p = starts[c] * 8;
        points[p] = points[p + 2] = vx[map.startNode[c]];
        points[p + 1] = points[p + 3] = vy[map.startNode[c]];
        points[last * 8 + 6] = points[last * 8 + 4] = vx[map.endNode[c]];
        points[last * 8 + 7] = points[last * 8 + 5] = vy[map.endNode[c]];
      }
    }
  }

  /** Makes round segment `k` smaller where it has come to reach far out of the picture. */
  private holdWithin(k: number): void {
    const { curves, map, va, vx, vy, d0, d1, a0 } = this;
    const second = curves.kinds[k] === SEGMENT_CIRCLE ? d0[k] : d1[k];
    const share = shareWithin(vx[va[k]], vy[va[k]], d0[k], second, a0[k], map.width, map.height);
    d0[k] *= share;
    d1[k] *= share;
  }

  /** Holds chains more firmly that the last step made worse, and others less. */
  private adaptDamping(): void {
    const { damping, moving, costs, painter } = this;
    for (let c = 0; c < damping.length; c++) {
      if (moving[c] === 0) continue;
      if (isWorse(painter.costs[c], costs[c])) damping[c] *= RAISE;
      else damping[c] = Math.max(LEAST_DAMPING, damping[c] * LOWER);
    }
  }

  /**
   * Lets chains rest that gain no more, or `atFirst` have nothing to gain, unless one that still moves ends at the same node; whether
   * all rest.
   */
  private restQuiet(atFirst: boolean): boolean {
    const { moving, painter, busy } = this;
    busy.clear();
    for (let c = 0; c < moving.length; c++) if (moving[c] === 1 && !this.isQuiet(c, atFirst)) busy.mark(c);
    let resting = true;
    for (let c = 0; c < moving.length; c++) {
      if (moving[c] === 0) continue;
      if (busy.touches(c) || !this.isQuiet(c, atFirst)) resting = false;
      else {
        moving[c] = 0;
        painter.rest(c);
      }
    }
    return resting;
  }

  private isQuiet(c: number, atFirst: boolean): boolean {
    if (atFirst) return this.painter.costs[c] < NOTHING;
    const change = Math.abs(this.costs[c] - this.painter.costs[c]);
    return change < REST_GAIN + REST_SHARE * this.costs[c];
  }

  /** Sums the pixels' equations, eliminates what is the chains' own, solves for the nodes, and goes back. */
  private solve(): boolean {
    const { map, curves, painter, equations, round, at, damping, moving, free } = this;
    const { starts, kinds } = curves;
    equations.clear();
    for (let c = 0; c < curves.chainCount; c++) {
      if (moving[c] === 0) continue;
      const first = starts[c];
      // A round shape is the only segment of its chain.
      if (isRoundShape(kinds[first])) {
        round.take(curves, first, painter.normal, painter.gradient);
        equations.addRound(c, first, round.normal, round.gradient);
      } else equations.addSegments(c, first, starts[c + 1]);
      addLineTangents(equations, curves, c, at, this.a0, this.a1, painter.contrastSq(c));
      const hold = damping[c] * painter.contrastSq(c) + 1e-6;
      if (!equations.eliminate(c, hold)) return false;
      if (map.startNode[c] < 0) continue;
      for (let i = 0; i < 2; i++) {
        equations.holdNode(2 * map.startNode[c] + i, hold);
        equations.holdNode(2 * map.endNode[c] + i, hold);
      }
    }
    this.holdNodes();
    // Nodes that no moving chain ends at have no equations: any positive number will do.
    if (!equations.solve(1e-3)) return false;
    const { solution } = equations;
    for (let i = 0; i < free.length; i++) if (free[i] === 0 || this.held.marked[i >> 1] === 1) solution[i] = 0;
    for (let c = 0; c < curves.chainCount; c++) if (moving[c] === 1) equations.substitute(c);
    return true;
  }

  /** Holds nodes at which a chain rests, which would stay behind. The picture's border follows. */
  private holdNodes(): void {
    const { map, moving, held, equations } = this;
    held.clear();
    for (let c = 0; c < moving.length; c++) if (moving[c] === 0 && map.left[c] >= 0 && map.right[c] >= 0) held.mark(c);
    for (let i = 0; i < 2 * map.nodes.length; i++) if (held.marked[i >> 1] === 1) equations.holdNode(i, HELD);
  }

  /** Moves the unknowns by the solution, within the step limits. */
  private step(): void {
    const { curves, moving, at, va, d0, d1, a0, a1, equations, map } = this;
    const { kinds, starts } = curves;
    const { solution, steps: stepOf } = equations;
    const nodes = map.nodes.length;
    for (let i = 0; i < stepOf.length; i++) stepOf[i] *= OVERSTEP;
    for (let n = 0; n < nodes; n++) this.move(n, OVERSTEP * solution[2 * n], OVERSTEP * solution[2 * n + 1]);
    for (let c = 0; c < curves.chainCount; c++) {
      if (moving[c] === 0) continue;
      for (let k = starts[c]; k < starts[c + 1]; k++) {
        const p = k * LOCAL;
        // Each vertex once, as the start of a segment.
        if (va[k] >= nodes) this.move(va[k], stepOf[at[p]], stepOf[at[p + 1]]);
        if (isRoundShape(kinds[k])) {
          d0[k] += clamp(stepOf[at[p + 4]], d0[k] * HANDLE_STEP);
          if (at[p + 5] >= 0) d1[k] += clamp(stepOf[at[p + 5]], d1[k] * HANDLE_STEP);
        } else if (kinds[k] === SEGMENT_CUBIC) {
          const chord = this.chord(k);
          d0[k] = lengthened(d0[k], clamp(stepOf[at[p + 4]], d0[k] * HANDLE_STEP), chord);
          d1[k] = lengthened(d1[k], clamp(stepOf[at[p + 5]], d1[k] * HANDLE_STEP), chord);
          if (k > starts[c] && at[p + 4] === at[p - LOCAL + 5]) d0[k] = d1[k - 1] = Math.min(d0[k], d1[k - 1]);
        }
        if (at[p + 6] >= 0) a0[k] += clamp(stepOf[at[p + 6]], ANGLE_STEP);
        if (at[p + 7] >= 0) a1[k] += clamp(stepOf[at[p + 7]], ANGLE_STEP);
      }
    }
  }

  /** Moves a vertex, not too far at once, and not out of the picture. */
  private move(v: number, dx: number, dy: number): void {
    const length = distance(dx, dy);
    const scale = length > VERTEX_STEP_PX ? VERTEX_STEP_PX / length : 1;
    this.vx[v] = within(this.vx[v] + scale * dx, this.map.width);
    this.vy[v] = within(this.vy[v] + scale * dy, this.map.height);
  }

  /** Tells the chains that the last step made worse, and whether these are few. */
  private markWorse(): boolean {
    const { worse, moving, costs, painter } = this;
    let some = 0;
    let all = 0;
    for (let c = 0; c < worse.length; c++) {
      worse[c] = moving[c] === 1 && isWorse(painter.costs[c], costs[c]) ? 1 : 0;
      some += worse[c];
      all += moving[c];
    }
    return some <= LOCAL_SHARE * all;
  }

  /** Keeps of every island how it is, where it has never cost less. */
  private keepBest(): void {
    const { painter, islands, moving } = this;
    islands.weigh(painter.costs);
    for (let c = 0; c < moving.length; c++) if (islands.isBest(c)) this.copyChain(c, this.state, this.bestOfEach);
  }

  /** What the chains cost now that were not made worse is what the next step is measured by. */
  private keepOthers(): void {
    const { worse, costs, painter } = this;
    for (let c = 0; c < worse.length; c++) if (worse[c] === 0) costs[c] = painter.costs[c];
  }

  /** Puts the chains that the last step made worse back to where they were before it, and the nodes at their ends. */
  private takeBack(): void {
    const { state, before, worse } = this;
    for (let c = 0; c < worse.length; c++) if (worse[c] === 1) this.copyChain(c, before, state);
  }

  /** Copies what a chain is made of from one state to another, with the nodes at its ends. */
  private copyChain(c: number, from: Float64Array, to: Float64Array): void {
    const { starts } = this.curves;
    const { va, vb, vx, d0 } = this;
    const vertices = vx.length;
    for (let k = starts[c]; k < starts[c + 1]; k++) {
      for (let end = 0; end < 2; end++) {
        const v = end === 0 ? va[k] : vb[k];
        to[v] = from[v];
        to[vertices + v] = from[vertices + v];
      }
      for (let at = 2 * vertices + k; at < from.length; at += d0.length) to[at] = from[at];
    }
  }
}

function isWorse(cost: number, before: number): boolean {
  return cost > before * 1.0001 + 1;
}
