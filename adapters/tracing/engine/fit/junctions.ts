import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { EdgeSamples } from './samples.js';

/** Samples of an incident chain that a node's position is taken from, at most, looked for among its first so many. */
const USED_SAMPLES = 7;
const FARTHEST_SAMPLE = 14;
/** Samples next to the node that are passed over: three colors may meet in them. */
const SKIPPED_SAMPLES = 1;
/** Samples that found no pure color on one side are no evidence. */
const LEAST_TRUST = 0.4;
/** Trusted samples from which a chain's bend is believed, and not only its direction. */
const LEAST_FOR_PARABOLA = 6;
/** How strongly a node is held to its lattice vertex, beside unit weight for each incident line. */
const LATTICE_WEIGHT = 0.15;
/** A node found farther than this from its lattice vertex is not believed, px. */
const FARTHEST_PX = 1.6;
/** A line that passes the lattice vertex farther off than this is that of a side behind a corner, px. */
const FARTHEST_LINE_PX = 0.8;
/** That is told by samples so near to the node; farther ones may lie on a bend. */
const NEAR_SAMPLES = 3;
/** Two chains whose directions are opposite to within this cosine are one edge that runs through the node. */
const THROUGH_COSINE = -0.85;

/**
 * The sub-pixel positions of the nodes, x and y in turn.
 *
 * Where one edge runs through a node and others end on it (a T-junction, what one shape on top of another makes), the node
 * lies on a parabola through the samples of both sides of the edge that runs through, where the other edge meets it. Else it
 * is where the lines along the incident chains meet in the least squares sense. On the picture's border a node is where its
 * chain leaves the picture. A chain that turns a corner next to the node tells nothing of it, but where a picture `isNoisy` that cannot be told.
 */
export function placeNodes(map: PlanarMap, samples: EdgeSamples, isNoisy = false): Float64Array {
  const placer = new NodePlacer(map, samples, isNoisy ? Infinity : FARTHEST_LINE_PX);
  const positions = new Float64Array(map.nodes.length * 2);
  for (let node = 0; node < map.nodes.length; node++) {
    placer.place(node);
    positions[2 * node] = placer.x;
    positions[2 * node + 1] = placer.y;
  }
  return positions;
}

class NodePlacer {
  x = 0;
  y = 0;
  private readonly map: PlanarMap;
  private readonly samples: EdgeSamples;
  private readonly farthestLinePx: number;
  /** Chain ends at the node: point on and unit direction (away from the node) of the line along each. */
  private count = 0;
  private readonly ends = new Int32Array(4);
  private readonly px = new Float64Array(4);
  private readonly py = new Float64Array(4);
  private readonly dx = new Float64Array(4);
  private readonly dy = new Float64Array(4);
  // Sums and coefficients of the parabola fit.
  private readonly sums = new Float64Array(8);
  private c0 = 0;
  private c1 = 0;
  private c2 = 0;

  constructor(map: PlanarMap, samples: EdgeSamples, farthestLinePx: number) {
    this.map = map;
    this.samples = samples;
    this.farthestLinePx = farthestLinePx;
  }

  place(node: number): void {
    const { map } = this;
    const stride = map.width + 1;
    const latticeY = Math.floor(map.nodes[node] / stride);
    const latticeX = map.nodes[node] - latticeY * stride;
    const onSide = latticeX === 0 || latticeX === map.width;
    const onTop = latticeY === 0 || latticeY === map.height;
    // On the border one chain ends, and no other could tell more.
    const farthestPx = onSide || onTop ? Infinity : this.farthestLinePx;
    this.count = 0;
    for (let direction = 0; direction < 4; direction++) {
      const halfEdge = map.leaving[node * 4 + direction];
      if (halfEdge >= 0) this.addEnd(halfEdge, latticeX, latticeY, farthestPx);
    }
    this.x = latticeX;
    this.y = latticeY;
    if (this.count === 0) return;
    if (onSide || onTop) {
      if (onSide && onTop) return;
      const slide = this.samples.slides[node];
      if (slide !== 0) {
        if (onSide) this.y = latticeY + slide;
        else this.x = latticeX + slide;
        return;
      }
      this.leavePicture(onSide, latticeX, latticeY);
    } else if (!this.meetOnThroughEdge(latticeX, latticeY)) this.meetLines(latticeX, latticeY);
    if (!(distance(this.x - latticeX, this.y - latticeY) <= FARTHEST_PX)) {
      this.x = latticeX;
      this.y = latticeY;
    }
    this.x = Math.min(map.width, Math.max(0, this.x));
    this.y = Math.min(map.height, Math.max(0, this.y));
  }

  /**
   * Fits the line along the first trusted samples of a half-edge, unless that turns a corner before it comes to the node, as one does that
   * passes farther off than `farthestPx`.
   */
  private addEnd(halfEdge: number, latticeX: number, latticeY: number, farthestPx: number): void {
    const { map, samples } = this;
    const chain = halfEdge >> 1;
    if (map.left[chain] < 0 || map.right[chain] < 0) return;
    const backwards = (halfEdge & 1) === 1;
    const from = samples.starts[chain];
    const to = samples.starts[chain + 1];
    const step = backwards ? -1 : 1;
    const start = backwards ? to - 1 : from;
    const limit = Math.min(to - from, FARTHEST_SAMPLE);
    let n = 0;
    let mx = 0;
    let my = 0;
    let firstAt = -1;
    let lastAt = -1;
    for (let k = SKIPPED_SAMPLES; k < limit && n < USED_SAMPLES; k++) {
      const at = start + step * k;
      if (samples.weight[at] < LEAST_TRUST) continue;
      if (firstAt < 0) firstAt = at;
      lastAt = at;
      mx += samples.x[at];
      my += samples.y[at];
      n++;
    }
    if (n < 2) return;
    mx /= n;
    my /= n;
    let sxx = 0;
    let sxy = 0;
    let syy = 0;
    for (let at = firstAt; ; at += step) {
      if (samples.weight[at] >= LEAST_TRUST) {
        const dx = samples.x[at] - mx;
        const dy = samples.y[at] - my;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
      }
      if (at === lastAt) break;
    }
    const angle = 0.5 * Math.atan2(2 * sxy, sxx - syy);
    let dx = Math.cos(angle);
    let dy = Math.sin(angle);
    if (dx * (samples.x[lastAt] - samples.x[firstAt]) + dy * (samples.y[lastAt] - samples.y[firstAt]) < 0) {
      dx = -dx;
      dy = -dy;
    }
    const e = this.count++;
    this.ends[e] = halfEdge;
    this.px[e] = mx;
    this.py[e] = my;
    this.dx[e] = dx;
    this.dy[e] = dy;
    if (n >= LEAST_FOR_PARABOLA) this.bend(e, firstAt, lastAt, step);
    const away = this.dx[e] * (latticeY - this.py[e]) - this.dy[e] * (latticeX - this.px[e]);
    if (Math.abs(away) > farthestPx && Math.abs(firstAt - start) <= NEAR_SAMPLES) this.count--;
  }

  /** Replaces the line along a chain end by the tangent, at its first sample, of the parabola through its samples. */
  private bend(e: number, firstAt: number, lastAt: number, step: number): void {
    const { samples, sums, dx, dy } = this;
    const ux = dx[e];
    const uy = dy[e];
    sums.fill(0);
    for (let at = firstAt; ; at += step) {
      if (samples.weight[at] >= LEAST_TRUST)
        this.addPoint(samples.x[at] - samples.x[firstAt], samples.y[at] - samples.y[firstAt], ux, uy);
      if (at === lastAt) break;
    }
    if (!this.solveParabola()) return;
    const norm = distance(1, this.c1);
    this.px[e] = samples.x[firstAt] - this.c0 * uy;
    this.py[e] = samples.y[firstAt] + this.c0 * ux;
    dx[e] = (ux - this.c1 * uy) / norm;
    dy[e] = (uy + this.c1 * ux) / norm;
  }

  private addPoint(x: number, y: number, ux: number, uy: number): void {
    const { sums } = this;
    const u = x * ux + y * uy;
    const v = y * ux - x * uy;
    const uu = u * u;
    sums[0]++;
    sums[1] += u;
    sums[2] += uu;
    sums[3] += uu * u;
    sums[4] += uu * uu;
    sums[5] += v;
    sums[6] += u * v;
    sums[7] += uu * v;
  }

  /** v = c0 + c1 u + c2 u² through the points added; false where they do not say. */
  private solveParabola(): boolean {
    const [n, u1, u2, u3, u4, v0, v1, v2] = this.sums as unknown as number[];
    const p = u2 * u4 - u3 * u3;
    const q = u1 * u4 - u3 * u2;
    const r = u1 * u3 - u2 * u2;
    const determinant = n * p - u1 * q + u2 * r;
    if (n < 5 || Math.abs(determinant) < 1e-6) return false;
    this.c0 = (v0 * p - u1 * (v1 * u4 - u3 * v2) + u2 * (v1 * u3 - u2 * v2)) / determinant;
    this.c1 = (n * (v1 * u4 - v2 * u3) - v0 * q + u2 * (u1 * v2 - v1 * u2)) / determinant;
    this.c2 = (n * (u2 * v2 - v1 * u3) - u1 * (u1 * v2 - v1 * u2) + v0 * r) / determinant;
    return true;
  }

  /** Where the line along the one chain that ends on the picture's border crosses it. */
  private leavePicture(onSide: boolean, latticeX: number, latticeY: number): void {
    const along = onSide ? this.dx[0] : this.dy[0];
    if (Math.abs(along) < 0.2) return;
    if (onSide) this.y = this.py[0] + ((latticeX - this.px[0]) * this.dy[0]) / this.dx[0];
    else this.x = this.px[0] + ((latticeY - this.py[0]) * this.dx[0]) / this.dy[0];
  }

  /** The T-junction; false where no edge runs through. */
  private meetOnThroughEdge(latticeX: number, latticeY: number): boolean {
    const { count, dx, dy, px, py } = this;
    let a = -1;
    let b = -1;
    let most = THROUGH_COSINE;
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const cosine = dx[i] * dx[j] + dy[i] * dy[j];
        if (cosine < most) {
          most = cosine;
          a = i;
          b = j;
        }
      }
    }
    if (a < 0) return false;
    // The frame of the parabola: origin at the lattice vertex, u from end a to end b.
    let ux = dx[b] - dx[a];
    let uy = dy[b] - dy[a];
    const norm = distance(ux, uy);
    ux /= norm;
    uy /= norm;
    this.sums.fill(0);
    this.addToParabola(this.ends[a], latticeX, latticeY, ux, uy);
    this.addToParabola(this.ends[b], latticeX, latticeY, ux, uy);
    if (!this.solveParabola()) return false;
    const { c0, c1, c2 } = this;
    // Where the other edges cross it, by Newton steps along each; the mean of several.
    let sum = 0;
    let others = 0;
    for (let e = 0; e < count; e++) {
      if (e === a || e === b) continue;
      const du = dx[e] * ux + dy[e] * uy;
      const dv = dy[e] * ux - dx[e] * uy;
      if (Math.abs(dv - c1 * du) < 0.15) continue;
      const pu = (px[e] - latticeX) * ux + (py[e] - latticeY) * uy;
      const pv = (py[e] - latticeY) * ux - (px[e] - latticeX) * uy;
      let u = 0;
      for (let z = 0; z < 4; z++) {
        // Line: u = pu + t du, v = pv + t dv; the parabola's tangent at u: v = w + s (u' - u).
        const slope = c1 + 2 * c2 * u;
        const w = c0 + c1 * u + c2 * u * u;
        const t = (w + slope * (pu - u) - pv) / (dv - slope * du);
        u = pu + t * du;
      }
      sum += u;
      others++;
    }
    const u = others > 0 ? sum / others : 0;
    const v = c0 + c1 * u + c2 * u * u;
    this.x = latticeX + u * ux - v * uy;
    this.y = latticeY + u * uy + v * ux;
    return true;
  }

  private addToParabola(halfEdge: number, ox: number, oy: number, ux: number, uy: number): void {
    const { samples } = this;
    const chain = halfEdge >> 1;
    const backwards = (halfEdge & 1) === 1;
    const from = samples.starts[chain];
    const to = samples.starts[chain + 1];
    const limit = Math.min(to - from, FARTHEST_SAMPLE);
    let used = 0;
    for (let k = SKIPPED_SAMPLES; k < limit && used < USED_SAMPLES; k++) {
      const at = backwards ? to - 1 - k : from + k;
      if (samples.weight[at] < LEAST_TRUST) continue;
      used++;
      this.addPoint(samples.x[at] - ox, samples.y[at] - oy, ux, uy);
    }
  }

  /** Least squares meeting point of the lines, held loosely to the lattice vertex. */
  private meetLines(latticeX: number, latticeY: number): void {
    let xx = LATTICE_WEIGHT;
    let xy = 0;
    let yy = LATTICE_WEIGHT;
    let bx = LATTICE_WEIGHT * latticeX;
    let by = LATTICE_WEIGHT * latticeY;
    for (let e = 0; e < this.count; e++) {
      const nx = -this.dy[e];
      const ny = this.dx[e];
      const offset = nx * this.px[e] + ny * this.py[e];
      xx += nx * nx;
      xy += nx * ny;
      yy += ny * ny;
      bx += nx * offset;
      by += ny * offset;
    }
    const determinant = xx * yy - xy * xy;
    this.x = (bx * yy - by * xy) / determinant;
    this.y = (by * xx - bx * xy) / determinant;
  }
}
