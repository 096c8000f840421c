import { distance } from '../math/distance.js';
import { ProfileSystem } from '../math/profile-cholesky.js';
import { StageMemory } from '../math/stage-memory.js';
import { clamp } from '../math/within.js';
import { wrap } from '../math/wrap.js';
import { SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';
import type { Spans } from './spans.js';
import type { PolygonVertices } from './vertices.js';

/** Residuals beyond this are weighted down (Huber), px. */
const HUBER_PX = 0.3;
/** Samples farther than this count a constant: they must count, or losing them would look like progress. */
const OUTLIER_PX = 1.2;
const OUTLIER_COST = 0.36;
/** How firmly the tangent at a smooth vertex is held to a straight segment that begins or ends there. */
const LINE_TANGENT_WEIGHT = 30;
/** Tangents that differ by less than this (radians) where two segments meet are one. */
const SMOOTH_TURN = 0.12;
/** Largest change in one step: vertices in px, angles in radians, handles as a share of their length. */
const VERTEX_STEP_PX = 0.6;
const ANGLE_STEP = 0.2;
const HANDLE_STEP = 0.4;
const SHORTEST_HANDLE_PX = 0.05;
const FIRST_DAMPING = 0.05;
/** Foot points are moved this often when a sample is first met, and in later rounds. */
const FIRST_PROJECTIONS = 4;
const LATER_PROJECTIONS = 2;
/** Unknowns of one segment: start x, y, end x, y, two handles, two angles. */
const LOCAL = 8;
/** Their products two by two, each pair once. */
const PAIRS = (LOCAL * (LOCAL + 1)) / 2;

/**
 * Moves all vertices, tangents and handles of one chain together so that its curves pass as near as can be to its samples:
 * Levenberg–Marquardt on normal distances, with the samples' foot points moved along in every round. The largest single
 * gain in fidelity of the whole engine, at no byte.
 */
export class ChainRefiner {
  private readonly system: ProfileSystem;
  private capacity = 0;
  // Vertices: position, tangent angle where smooth.
  private nx = new Float64Array(0);
  private ny = new Float64Array(0);
  private angle = new Float64Array(0);
  private smooth = new Uint8Array(0);
  private nodeAt = new Int32Array(0);
  private angleAt = new Int32Array(0);
  // Segments: handle lengths and angles at either end where not smooth.
  private kinds = new Int32Array(0);
  private d0 = new Float64Array(0);
  private d1 = new Float64Array(0);
  private a0 = new Float64Array(0);
  private a1 = new Float64Array(0);
  private handleAt = new Int32Array(0);
  private a0At = new Int32Array(0);
  private a1At = new Int32Array(0);
  private points = new Float64Array(0);
  private saved = new Float64Array(0);
  /** Per segment its part of the equations, the lower triangle row by row: what has been solved makes room for what is to be next. */
  private normal = new Float64Array(0);
  private gradient = new Float64Array(0);
  // Samples: segment and parameter of the foot point.
  private segmentOf = new Int32Array(0);
  private parameterOf = new Float64Array(0);
  private segments = 0;
  private nodes = 0;
  private closed = false;

  /** Uses `memory` while it refines. */
  constructor(memory = new StageMemory()) {
    this.system = new ProfileSystem(memory);
  }

  /**
   * Refines `spans` in place. Samples are those numbered `from`..`to` (both included) of the arrays the spans were found in.
   * A closed chain's last vertex is its first; an open chain's ends stay where they are.
   */
  refine(
    spans: Spans,
    vertices: PolygonVertices,
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    from: number,
    to: number,
    closed: boolean,
    rounds: number,
  ): void {
    if (spans.count === 0 || to < from) return;
    this.load(spans, closed);
    const unknowns = this.number();
    if (unknowns === 0) return;
    this.assignSamples(spans, vertices, xs, ys, from, to);
    this.prepareSystem(unknowns);
    let best = Infinity;
    let damping = FIRST_DAMPING;
    for (let round = 0; ; round++) {
      this.build();
      const cost = this.linearize(xs, ys, weights, from, to, round === 0 ? FIRST_PROJECTIONS : LATER_PROJECTIONS);
      if (cost < best) {
        const little = best - cost < 1e-3 * best;
        best = cost;
        this.save();
        if (little) break;
        damping = Math.max(1e-3, damping * 0.4);
        this.scatter();
      } else {
        this.restore();
        damping *= 10;
        if (damping > 1e3) break;
      }
      if (round === rounds) break;
      if (!this.system.solve(damping)) break;
      this.step();
    }
    this.restore();
    this.build();
    for (let i = 0; i < spans.count * 8; i++) spans.points[i] = this.points[i];
  }

  private end(k: number): number {
    return this.closed && k === this.segments - 1 ? 0 : k + 1;
  }

  /** Takes vertices, tangents and handles out of the spans. */
  private load(spans: Spans, closed: boolean): void {
    const { count, points, kinds } = spans;
    this.reserve(count + 1);
    this.segments = count;
    this.closed = closed;
    this.nodes = closed ? count : count + 1;
    const { nx, ny, angle, smooth, d0, d1, a0, a1 } = this;
    for (let k = 0; k < count; k++) {
      const p = k * 8;
      this.kinds[k] = kinds[k];
      nx[k] = points[p];
      ny[k] = points[p + 1];
      if (k === count - 1 && !closed) {
        nx[count] = points[p + 6];
        ny[count] = points[p + 7];
      }
      if (kinds[k] === SEGMENT_LINE) {
        a0[k] = a1[k] = Math.atan2(points[p + 7] - points[p + 1], points[p + 6] - points[p]);
        d0[k] = d1[k] = 0;
      } else {
        a0[k] = Math.atan2(points[p + 3] - points[p + 1], points[p + 2] - points[p]);
        a1[k] = Math.atan2(points[p + 7] - points[p + 5], points[p + 6] - points[p + 4]);
        d0[k] = distance(points[p + 2] - points[p], points[p + 3] - points[p + 1]);
        d1[k] = distance(points[p + 6] - points[p + 4], points[p + 7] - points[p + 5]);
      }
    }
    for (let v = 0; v < this.nodes; v++) {
      const before = v === 0 ? (closed ? count - 1 : -1) : v - 1;
      smooth[v] = 0;
      if (before < 0 || v >= count) continue;
      const turn = wrap(a0[v] - a1[before]);
      const lineBefore = kinds[before] === SEGMENT_LINE;
      const lineAfter = kinds[v] === SEGMENT_LINE;
      if (Math.abs(turn) >= SMOOTH_TURN || (lineBefore && lineAfter)) continue;
      smooth[v] = 1;
      angle[v] = lineBefore ? a1[before] : lineAfter ? a0[v] : a1[before] + turn / 2;
    }
  }

  /** Numbers the unknowns along the chain, so that what occurs together lies together. */
  private number(): number {
    let next = 0;
    const { nodes, segments, closed, smooth } = this;
    for (let k = 0; k < Math.max(nodes, segments); k++) {
      if (k < nodes) {
        const fixed = !closed && (k === 0 || k === nodes - 1);
        this.nodeAt[k] = fixed ? -1 : next;
        if (!fixed) next += 2;
        this.angleAt[k] = smooth[k] === 1 ? next++ : -1;
      }
      if (k < segments) {
        const cubic = this.kinds[k] === SEGMENT_CUBIC;
        this.handleAt[k] = cubic ? next : -1;
        if (cubic) next += 2;
        this.a0At[k] = cubic && smooth[k] === 0 ? next++ : -1;
        this.a1At[k] = cubic && smooth[this.end(k)] === 0 ? next++ : -1;
      }
    }
    return next;
  }

  /** Gives samples to the segments between whose vertices they lie, with parameters by chord length. */
  private assignSamples(
    spans: Spans,
    vertices: PolygonVertices,
    xs: Float64Array,
    ys: Float64Array,
    from: number,
    to: number,
  ): void {
    if (this.segmentOf.length <= to) {
      const room = Math.max(to + 1, this.segmentOf.length * 2);
      this.segmentOf = new Int32Array(room);
      this.parameterOf = new Float64Array(room);
    }
    const { segmentOf, parameterOf } = this;
    for (let k = 0; k < spans.count; k++) {
      const first = Math.max(from, vertices.index[spans.vertices[k]]);
      const last = k === spans.count - 1 ? to : vertices.index[spans.vertices[k + 1]] - 1;
      const p = k * 8;
      let length = 0;
      let px = spans.points[p];
      let py = spans.points[p + 1];
      for (let i = first; i <= last; i++) {
        length += distance(xs[i] - px, ys[i] - py);
        px = xs[i];
        py = ys[i];
        segmentOf[i] = k;
        parameterOf[i] = length;
      }
      length += distance(spans.points[p + 6] - px, spans.points[p + 7] - py);
      for (let i = first; i <= last; i++) parameterOf[i] = length > 0 ? parameterOf[i] / length : 0.5;
    }
  }

  private prepareSystem(unknowns: number): void {
    const { system, nodeAt, angleAt, handleAt, a0At, a1At, segments, kinds, smooth } = this;
    system.begin(unknowns);
    const at = LOCAL_AT;
    for (let k = 0; k < segments; k++) {
      const a = k;
      const b = this.end(k);
      at[0] = nodeAt[a];
      at[1] = nodeAt[a] < 0 ? -1 : nodeAt[a] + 1;
      at[2] = nodeAt[b];
      at[3] = nodeAt[b] < 0 ? -1 : nodeAt[b] + 1;
      at[4] = handleAt[k];
      at[5] = handleAt[k] < 0 ? -1 : handleAt[k] + 1;
      at[6] = kinds[k] === SEGMENT_CUBIC && smooth[a] === 0 ? a0At[k] : angleAt[a];
      at[7] = kinds[k] === SEGMENT_CUBIC && smooth[b] === 0 ? a1At[k] : angleAt[b];
      system.coupleAll(at);
    }
    this.normal = system.layOut(segments * PAIRS);
  }

  /** Control points from the unknowns. */
  private build(): void {
    const { points, nx, ny, angle, smooth, d0, d1, a0, a1, kinds, segments } = this;
    for (let k = 0; k < segments; k++) {
      const a = k;
      const b = this.end(k);
      const p = k * 8;
      points[p] = nx[a];
      points[p + 1] = ny[a];
      points[p + 6] = nx[b];
      points[p + 7] = ny[b];
      if (kinds[k] === SEGMENT_LINE) {
        points[p + 2] = nx[a];
        points[p + 3] = ny[a];
        points[p + 4] = nx[b];
        points[p + 5] = ny[b];
        continue;
      }
      const ta = smooth[a] === 1 ? angle[a] : a0[k];
      const tb = smooth[b] === 1 ? angle[b] : a1[k];
      points[p + 2] = nx[a] + d0[k] * Math.cos(ta);
      points[p + 3] = ny[a] + d0[k] * Math.sin(ta);
      points[p + 4] = nx[b] - d1[k] * Math.cos(tb);
      points[p + 5] = ny[b] - d1[k] * Math.sin(tb);
    }
  }

  /** Residuals and their derivatives, summed per segment; returns the cost. */
  private linearize(
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    from: number,
    to: number,
    projections: number,
  ): number {
    const { segments, kinds, points, normal, gradient, segmentOf, parameterOf, smooth, angle, d0, d1, a0, a1 } = this;
    normal.fill(0, 0, segments * PAIRS);
    gradient.fill(0, 0, segments * LOCAL);
    const row = LOCAL_ROW;
    let cost = 0;
    let current = -1;
    let cosA = 0;
    let sinA = 0;
    let cosB = 0;
    let sinB = 0;
    for (let i = from; i <= to; i++) {
      let k = segmentOf[i];
      let p = k * 8;
      const sx = xs[i];
      const sy = ys[i];
      const weight = weights[i];
      let width = 4;
      let residual: number;
      if (kinds[k] === SEGMENT_LINE) {
        const ex = points[p + 6] - points[p];
        const ey = points[p + 7] - points[p + 1];
        const lengthSq = ex * ex + ey * ey || 1e-18;
        let t = ((sx - points[p]) * ex + (sy - points[p + 1]) * ey) / lengthSq;
        const raw = t;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        parameterOf[i] = t;
        this.moveOn(i, k, raw);
        const length = Math.sqrt(lengthSq);
        const normalX = -ey / length;
        const normalY = ex / length;
        residual = normalX * (sx - points[p]) + normalY * (sy - points[p + 1]);
        row[0] = (1 - t) * normalX;
        row[1] = (1 - t) * normalY;
        row[2] = t * normalX;
        row[3] = t * normalY;
      } else {
        let t = parameterOf[i];
        const x0 = points[p];
        const y0 = points[p + 1];
        const x1 = points[p + 2];
        const y1 = points[p + 3];
        const x2 = points[p + 4];
        const y2 = points[p + 5];
        const x3 = points[p + 6];
        const y3 = points[p + 7];
        let raw = t;
        for (let z = 0; z < projections; z++) {
          const u = 1 - t;
          const bx = u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3 - sx;
          const by = u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3 - sy;
          const dx = 3 * (u * u * (x1 - x0) + 2 * u * t * (x2 - x1) + t * t * (x3 - x2));
          const dy = 3 * (u * u * (y1 - y0) + 2 * u * t * (y2 - y1) + t * t * (y3 - y2));
          const ddx = 6 * (u * (x2 - 2 * x1 + x0) + t * (x3 - 2 * x2 + x1));
          const ddy = 6 * (u * (y2 - 2 * y1 + y0) + t * (y3 - 2 * y2 + y1));
          const speedSq = dx * dx + dy * dy;
          let slope = speedSq + bx * ddx + by * ddy;
          if (slope < 0.25 * speedSq) slope = speedSq;
          if (slope > 1e-12) raw = t - (bx * dx + by * dy) / slope;
          t = raw < 0 ? 0 : raw > 1 ? 1 : raw;
        }
        parameterOf[i] = t;
        this.moveOn(i, k, raw);
        const u = 1 - t;
        const b0 = u * u * u;
        const b1 = 3 * u * u * t;
        const b2 = 3 * u * t * t;
        const b3 = t * t * t;
        const dx = u * u * (x1 - x0) + 2 * u * t * (x2 - x1) + t * t * (x3 - x2);
        const dy = u * u * (y1 - y0) + 2 * u * t * (y2 - y1) + t * t * (y3 - y2);
        const speed = Math.sqrt(dx * dx + dy * dy) || 1e-9;
        const normalX = -dy / speed;
        const normalY = dx / speed;
        residual =
          normalX * (sx - b0 * x0 - b1 * x1 - b2 * x2 - b3 * x3) +
          normalY * (sy - b0 * y0 - b1 * y1 - b2 * y2 - b3 * y3);
        if (k !== current) {
          current = k;
          const a = k;
          const b = this.end(k);
          const ta = smooth[a] === 1 ? angle[a] : a0[k];
          const tb = smooth[b] === 1 ? angle[b] : a1[k];
          cosA = Math.cos(ta);
          sinA = Math.sin(ta);
          cosB = Math.cos(tb);
          sinB = Math.sin(tb);
        }
        row[0] = (b0 + b1) * normalX;
        row[1] = (b0 + b1) * normalY;
        row[2] = (b2 + b3) * normalX;
        row[3] = (b2 + b3) * normalY;
        row[4] = b1 * (normalX * cosA + normalY * sinA);
        row[5] = -b2 * (normalX * cosB + normalY * sinB);
        row[6] = b1 * d0[k] * (normalY * cosA - normalX * sinA);
        row[7] = -b2 * d1[k] * (normalY * cosB - normalX * sinB);
        width = 8;
      }
      const size = residual < 0 ? -residual : residual;
      if (!(size <= OUTLIER_PX)) {
        cost += weight * OUTLIER_COST;
        continue;
      }
      const w = size > HUBER_PX ? (weight * HUBER_PX) / size : weight;
      cost += w * residual * residual;
      p = k * PAIRS;
      k *= LOCAL;
      for (let a = 0; a < width; a++) {
        const scaled = w * row[a];
        gradient[k + a] += scaled * residual;
        for (let b = 0; b <= a; b++) normal[p++] += scaled * row[b];
      }
    }
    return cost + this.tangentCost();
  }

  /** Lets a sample whose foot point has left its segment belong to the next one from the next round on. */
  private moveOn(i: number, k: number, t: number): void {
    if (t < -0.02) {
      if (k > 0) {
        this.segmentOf[i] = k - 1;
        this.parameterOf[i] = 1;
      }
    } else if (t > 1.02 && k + 1 < this.segments) {
      this.segmentOf[i] = k + 1;
      this.parameterOf[i] = 0;
    }
  }

  /** Cost of tangents at smooth vertices that turn away from the straight segments there. */
  private tangentCost(): number {
    let cost = 0;
    for (let v = 0; v < this.nodes; v++) {
      if (this.smooth[v] === 0) continue;
      for (let side = 0; side < 2; side++) {
        const k = this.neighborSegment(v, side);
        if (this.kinds[k] !== SEGMENT_LINE) continue;
        const p = k * 8;
        const line = Math.atan2(this.points[p + 7] - this.points[p + 1], this.points[p + 6] - this.points[p]);
        const turn = wrap(line - this.angle[v]);
        cost += LINE_TANGENT_WEIGHT * turn * turn;
      }
    }
    return cost;
  }

  private neighborSegment(v: number, side: number): number {
    return side === 1 ? v : v === 0 ? this.segments - 1 : v - 1;
  }

  /** Adds the segments' sums and the tangent terms into the system. */
  private scatter(): void {
    const { system, segments, kinds, nodeAt, angleAt, handleAt, a0At, a1At, normal, gradient, smooth } = this;
    system.clear();
    const { rhs } = system;
    const at = LOCAL_AT;
    for (let k = 0; k < segments; k++) {
      const a = k;
      const b = this.end(k);
      const cubic = kinds[k] === SEGMENT_CUBIC;
      at[0] = nodeAt[a];
      at[1] = nodeAt[a] < 0 ? -1 : nodeAt[a] + 1;
      at[2] = nodeAt[b];
      at[3] = nodeAt[b] < 0 ? -1 : nodeAt[b] + 1;
      at[4] = handleAt[k];
      at[5] = handleAt[k] < 0 ? -1 : handleAt[k] + 1;
      at[6] = smooth[a] === 1 ? angleAt[a] : a0At[k];
      at[7] = smooth[b] === 1 ? angleAt[b] : a1At[k];
      const width = cubic ? 8 : 4;
      const base = k * LOCAL;
      for (let i = 0, row = k * PAIRS; i < width; row += ++i) {
        if (at[i] < 0) continue;
        rhs[at[i]] += gradient[base + i];
        for (let j = 0; j <= i; j++) {
          if (at[j] < 0) continue;
          const value = normal[row + j];
          // A closed chain of one segment meets the same vertex at both ends: its cross terms count twice.
          system.add(at[i], at[j], i !== j && at[i] === at[j] ? 2 * value : value);
        }
      }
    }
    this.scatterTangents();
  }

  private scatterTangents(): void {
    const { system, points, nodeAt, angleAt } = this;
    const { rhs } = system;
    const w = LINE_TANGENT_WEIGHT;
    for (let v = 0; v < this.nodes; v++) {
      if (this.smooth[v] === 0) continue;
      for (let side = 0; side < 2; side++) {
        const k = this.neighborSegment(v, side);
        if (this.kinds[k] !== SEGMENT_LINE) continue;
        const p = k * 8;
        const ex = points[p + 6] - points[p];
        const ey = points[p + 7] - points[p + 1];
        const lengthSq = ex * ex + ey * ey || 1e-9;
        const turn = wrap(Math.atan2(ey, ex) - this.angle[v]);
        const at = LOCAL_AT;
        const row = LOCAL_ROW;
        at[0] = angleAt[v];
        row[0] = 1;
        at[1] = nodeAt[k];
        row[1] = -ey / lengthSq;
        at[2] = nodeAt[k] < 0 ? -1 : nodeAt[k] + 1;
        row[2] = ex / lengthSq;
        const b = nodeAt[this.end(k)];
        at[3] = b;
        row[3] = ey / lengthSq;
        at[4] = b < 0 ? -1 : b + 1;
        row[4] = -ex / lengthSq;
        for (let i = 0; i < 5; i++) {
          if (at[i] < 0) continue;
          rhs[at[i]] += w * row[i] * turn;
          for (let j = 0; j <= i; j++) if (at[j] >= 0) system.add(at[i], at[j], w * row[i] * row[j]);
        }
      }
    }
  }

  /** Moves the unknowns by the solution, within the step limits. */
  private step(): void {
    const { solution } = this.system;
    for (let v = 0; v < this.nodes; v++) {
      const n = this.nodeAt[v];
      if (n >= 0) {
        this.nx[v] += clamp(solution[n], VERTEX_STEP_PX);
        this.ny[v] += clamp(solution[n + 1], VERTEX_STEP_PX);
      }
      if (this.angleAt[v] >= 0) this.angle[v] += clamp(solution[this.angleAt[v]], ANGLE_STEP);
    }
    for (let k = 0; k < this.segments; k++) {
      const h = this.handleAt[k];
      if (h >= 0) {
        this.d0[k] = Math.max(SHORTEST_HANDLE_PX, this.d0[k] + clamp(solution[h], this.d0[k] * HANDLE_STEP));
        this.d1[k] = Math.max(SHORTEST_HANDLE_PX, this.d1[k] + clamp(solution[h + 1], this.d1[k] * HANDLE_STEP));
      }
      if (this.a0At[k] >= 0) this.a0[k] += clamp(solution[this.a0At[k]], ANGLE_STEP);
      if (this.a1At[k] >= 0) this.a1[k] += clamp(solution[this.a1At[k]], ANGLE_STEP);
    }
  }

  private save(): void {
    const n = this.segments + 1;
    let at = 0;
    for (const values of [this.nx, this.ny, this.angle, this.d0, this.d1, this.a0, this.a1]) {
      for (let i = 0; i < n; i++) this.saved[at++] = values[i];
    }
  }

  private restore(): void {
    const n = this.segments + 1;
    let at = 0;
    for (const values of [this.nx, this.ny, this.angle, this.d0, this.d1, this.a0, this.a1]) {
      for (let i = 0; i < n; i++) values[i] = this.saved[at++];
    }
  }

  private reserve(size: number): void {
    if (this.capacity >= size) return;
    const n = Math.max(size, this.capacity * 2);
    this.capacity = n;
    this.nx = new Float64Array(n);
    this.ny = new Float64Array(n);
    this.angle = new Float64Array(n);
    this.smooth = new Uint8Array(n);
    this.nodeAt = new Int32Array(n);
    this.angleAt = new Int32Array(n);
    this.kinds = new Int32Array(n);
    this.d0 = new Float64Array(n);
    this.d1 = new Float64Array(n);
    this.a0 = new Float64Array(n);
    this.a1 = new Float64Array(n);
    this.handleAt = new Int32Array(n);
    this.a0At = new Int32Array(n);
    this.a1At = new Int32Array(n);
    this.points = new Float64Array(n * 8);
    this.saved = new Float64Array(n * 7);
    this.gradient = new Float64Array(n * LOCAL);
  }
}

const LOCAL_ROW = new Float64Array(LOCAL);
const LOCAL_AT = new Int32Array(LOCAL);
