import { type ChainCurves, isWholeShape, SEGMENT_CIRCLE, SEGMENT_ELLIPSE, SEGMENT_LINE } from '../fit/curves.js';
import { FloatList, IntList } from '../math/lists.js';
import type { Loops } from '../planar-map/loops.js';
import type { RegionMask } from './region-mask.js';

/** Length of the straight pieces that curves are taken in, px. */
const STEP_PX = 0.8;
const MOST_STEPS = 64;
const QUARTER = 0.5522847498;
/** A line that begins this near outside the region is inside it: thin lines may cover no pixel's center. */
const SLACK_PX = 0.8;

/** A way across a region along a line: where it enters and leaves. */
export interface Crossing {
  /** Distances along the line. */
  enter: number;
  leave: number;
  /** Pieces of the edge that are met there, and how far along each, 0..1. */
  enterAt: number;
  leaveAt: number;
  enterPart: number;
  leavePart: number;
  /** How squarely either is met: 1 at right angles. */
  square: number;
  /** Direction of the region's middle between the two edges, along which it runs on: the unit normal of both, turned. */
  alongX: number;
  alongY: number;
}

/** The fitted outline of a region as short straight pieces, the region on the right of each, and where they are. */
export class RegionEdge {
  readonly x0: Float64Array;
  readonly y0: Float64Array;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  /** Per piece the first and the number after the last of its loop, and the way from that first one to where it begins, px. */
  readonly loopFrom: Int32Array;
  readonly loopTo: Int32Array;
  readonly travelled: Float64Array;
  /** Per piece its unit normal into the region. */
  readonly inwardX: Float64Array;
  readonly inwardY: Float64Array;
  readonly found: Crossing = {
    enter: 0,
    leave: 0,
    enterAt: 0,
    leaveAt: 0,
    enterPart: 0,
    leavePart: 0,
    square: 0,
    alongX: 0,
    alongY: 0,
  };
  private readonly mask: RegionMask;
  private readonly cellStarts: Int32Array;
  private readonly cells: Int32Array;
  private readonly seen: Int32Array;
  private round = 0;

  constructor(mask: RegionMask, loops: Loops, curves: ChainCurves, region: number) {
    this.mask = mask;
    const points = new FloatList(1024);
    const loopEnds = new IntList(16);
    for (let l = loops.regionStarts[region]; l < loops.regionStarts[region + 1]; l++) {
      const loop = loops.byRegion[l];
      const before = points.length;
      for (let k = loops.starts[loop]; k < loops.starts[loop + 1]; k++) drawChain(curves, loops.halfEdges[k], points);
      // Loops end where they began, to the last digit or nearly.
      if (points.length > before) {
        points.push(points.data[before]);
        points.push(points.data[before + 1]);
      }
      loopEnds.push(points.length / 2);
    }
    const count = Math.max(0, points.length / 2 - loopEnds.length);
    this.x0 = new Float64Array(count);
    this.y0 = new Float64Array(count);
    this.x1 = new Float64Array(count);
    this.y1 = new Float64Array(count);
    this.inwardX = new Float64Array(count);
    this.inwardY = new Float64Array(count);
    this.loopFrom = new Int32Array(count);
    this.loopTo = new Int32Array(count);
    this.travelled = new Float64Array(count);
    this.seen = new Int32Array(count);
    let piece = 0;
    let point = 0;
    for (let l = 0; l < loopEnds.length; l++) {
      const end = loopEnds.data[l];
      const first = piece;
      let way = 0;
      for (; point + 1 < end; point++) {
        const ax = points.data[point * 2];
        const ay = points.data[point * 2 + 1];
        const bx = points.data[point * 2 + 2];
        const by = points.data[point * 2 + 3];
        const length = Math.hypot(bx - ax, by - ay);
        if (length < 1e-9) continue;
        this.x0[piece] = ax;
        this.y0[piece] = ay;
        this.x1[piece] = bx;
        this.y1[piece] = by;
        // With y down, the right of (dx, dy) is (-dy, dx).
        this.inwardX[piece] = -(by - ay) / length;
        this.inwardY[piece] = (bx - ax) / length;
        this.travelled[piece] = way;
        way += length;
        piece++;
      }
      point = end;
      this.loopFrom.fill(first, first, piece);
      this.loopTo.fill(piece, first, piece);
    }
    this.pieces = piece;
    const { width, height } = mask;
    const counts = new Int32Array(width * height + 1);
    for (let k = 0; k < piece; k++) this.eachCell(k, (cell) => counts[cell + 1]++);
    for (let c = 0; c < width * height; c++) counts[c + 1] += counts[c];
    this.cellStarts = counts.slice();
    this.cells = new Int32Array(counts[width * height]);
    for (let k = 0; k < piece; k++) this.eachCell(k, (cell) => (this.cells[counts[cell]++] = k));
  }

  readonly pieces: number;

  /**
   * Looks along the line through (x, y) in direction (dx, dy), `reach` px either way, for where it enters and leaves the region around
   * that point; false where it does not. The answer is in `found`.
   */
  cross(x: number, y: number, dx: number, dy: number, reach: number): boolean {
    const { found } = this;
    found.enter = -Infinity;
    found.leave = Infinity;
    this.round++;
    this.look(x, y, dx, dy, 0, reach, true);
    if (found.leave === Infinity) return false;
    this.look(x, y, dx, dy, 0, -reach, false);
    if (found.enter === -Infinity) return false;
    const ax = this.inwardX[found.enterAt];
    const ay = this.inwardY[found.enterAt];
    const bx = this.inwardX[found.leaveAt];
    const by = this.inwardY[found.leaveAt];
    const nx = ax - bx;
    const ny = ay - by;
    const norm = Math.hypot(nx, ny) || 1;
    found.alongX = -ny / norm;
    found.alongY = nx / norm;
    found.square = norm / 2;
    return true;
  }

  /** How far along the line from (x, y), which is inside, the region ends; `reach` where it does not before. */
  end(x: number, y: number, dx: number, dy: number, reach: number): number {
    this.found.leave = Infinity;
    this.round++;
    this.look(x, y, dx, dy, 0, reach, true);
    return Math.min(reach, this.found.leave);
  }

  /** The way along the outline from one place to another on the same loop, region on the right; Infinity between loops. */
  wayBetween(from: number, fromPart: number, to: number, toPart: number): number {
    if (this.loopFrom[from] !== this.loopFrom[to]) return Infinity;
    const way = this.placeOf(to, toPart) - this.placeOf(from, fromPart);
    return way >= 0 ? way : way + this.lengthOf(from);
  }

  lengthOf(piece: number): number {
    const last = this.loopTo[piece] - 1;
    return this.travelled[last] + Math.hypot(this.x1[last] - this.x0[last], this.y1[last] - this.y0[last]);
  }

  private placeOf(piece: number, part: number): number {
    return this.travelled[piece] + part * Math.hypot(this.x1[piece] - this.x0[piece], this.y1[piece] - this.y0[piece]);
  }

  /** Walks the cells along a line, keeping the nearest place where the region is left, or entered looking backwards. */
  private look(x: number, y: number, dx: number, dy: number, from: number, to: number, leaving: boolean): void {
    const { mask, found, cellStarts, cells, seen } = this;
    const sign = to > 0 ? 1 : -1;
    const far = Math.abs(to);
    // Half a px at a time meets every cell that a line passes through by more than a corner; that much is looked around in any case.
    for (let t = -SLACK_PX; t <= far + 0.5; t += 0.5) {
      const best = leaving ? found.leave : -found.enter;
      if (t - 1 > best) return;
      const cx = Math.floor(x + dx * sign * t - mask.left);
      const cy = Math.floor(y + dy * sign * t - mask.top);
      for (let v = Math.max(0, cy - 1); v <= Math.min(mask.height - 1, cy + 1); v++) {
        for (let u = Math.max(0, cx - 1); u <= Math.min(mask.width - 1, cx + 1); u++) {
          const cell = v * mask.width + u;
          for (let k = cellStarts[cell]; k < cellStarts[cell + 1]; k++) {
            const piece = cells[k];
            const stamp = this.round * 2 + (leaving ? 0 : 1);
            if (seen[piece] === stamp) continue;
            seen[piece] = stamp;
            this.meet(piece, x, y, dx, dy, leaving, from, far);
          }
        }
      }
    }
  }

  private meet(
    piece: number,
    x: number,
    y: number,
    dx: number,
    dy: number,
    leaving: boolean,
    from: number,
    far: number,
  ): void {
    const { found } = this;
    const inward = this.inwardX[piece] * dx + this.inwardY[piece] * dy;
    if (leaving ? inward >= -1e-6 : inward <= 1e-6) return;
    const ex = this.x1[piece] - this.x0[piece];
    const ey = this.y1[piece] - this.y0[piece];
    const cross = dx * ey - dy * ex;
    if (Math.abs(cross) < 1e-12) return;
    const ox = this.x0[piece] - x;
    const oy = this.y0[piece] - y;
    const part = (ox * dy - oy * dx) / cross;
    if (part < -1e-9 || part > 1 + 1e-9) return;
    const t = (ox * ey - oy * ex) / cross;
    if (leaving) {
      if (t < from - SLACK_PX || t > far || t >= found.leave) return;
      found.leave = t;
      found.leaveAt = piece;
      found.leavePart = part;
    } else {
      if (t > Math.min(SLACK_PX, found.leave) || t < -far || t <= found.enter) return;
      found.enter = t;
      found.enterAt = piece;
      found.enterPart = part;
    }
  }

  private eachCell(piece: number, visit: (cell: number) => void): void {
    const { left, top, width, height } = this.mask;
    const clampX = (v: number) => Math.max(0, Math.min(width - 1, Math.floor(v - left)));
    const clampY = (v: number) => Math.max(0, Math.min(height - 1, Math.floor(v - top)));
    const u1 = clampX(Math.max(this.x0[piece], this.x1[piece]));
    const v1 = clampY(Math.max(this.y0[piece], this.y1[piece]));
    for (let v = clampY(Math.min(this.y0[piece], this.y1[piece])); v <= v1; v++)
      for (let u = clampX(Math.min(this.x0[piece], this.x1[piece])); u <= u1; u++) visit(v * width + u);
  }
}

/** Appends a half-edge's points, its last one left out. */
function drawChain(curves: ChainCurves, halfEdge: number, out: FloatList): void {
  const { starts, kinds, points } = curves;
  const chain = halfEdge >> 1;
  const backwards = (halfEdge & 1) === 1;
  const first = starts[chain];
  const end = starts[chain + 1];
  for (let k = first; k < end; k++) {
    const s = backwards ? end - 1 - (k - first) : k;
    const p = points.subarray(s * 8, s * 8 + 8);
    if (isWholeShape(kinds[s])) drawWhole(kinds[s], p, backwards, out);
    else if (kinds[s] === SEGMENT_LINE) {
      const [a, b] = backwards ? [6, 0] : [0, 6];
      steps(out, p[a], p[a + 1], p[a], p[a + 1], p[b], p[b + 1], p[b], p[b + 1], true);
    } else if (backwards) steps(out, p[6], p[7], p[4], p[5], p[2], p[3], p[0], p[1], false);
    else steps(out, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], false);
  }
}

/** Appends points of a line or cubic, its end left out. */
function steps(
  out: FloatList,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  straight: boolean,
): void {
  const length = straight
    ? Math.hypot(x3 - x0, y3 - y0)
    : Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x1, y2 - y1) + Math.hypot(x3 - x2, y3 - y2);
  const wanted = Math.ceil(length / (straight ? 2 * STEP_PX : STEP_PX));
  const count = Math.max(1, straight ? wanted : Math.min(MOST_STEPS * 8, wanted));
  for (let k = 0; k < count; k++) {
    const t = k / count;
    const r = 1 - t;
    const a = straight ? r : r * r * r;
    const b = straight ? 0 : 3 * r * r * t;
    const c = straight ? 0 : 3 * r * t * t;
    const d = straight ? t : t * t * t;
    out.push(a * x0 + b * x1 + c * x2 + d * x3);
    out.push(a * y0 + b * y1 + c * y2 + d * y3);
  }
}

/** Whole shapes are walked clockwise on screen forwards, so that the inside is on the right. */
function drawWhole(kind: number, p: Float64Array, backwards: boolean, out: FloatList): void {
  const corners: number[][] = [];
  const turn = (cx: number, cy: number, ux: number, uy: number, vx: number, vy: number) => {
    const k = QUARTER;
    const at = (a: number, b: number) => [cx + a * ux + b * vx, cy + a * uy + b * vy];
    corners.push([...at(1, 0), ...at(1, k), ...at(k, 1), ...at(0, 1)]);
  };
  if (kind === SEGMENT_CIRCLE || kind === SEGMENT_ELLIPSE) {
    const [x, y, rx] = p;
    const ry = kind === SEGMENT_CIRCLE ? rx : p[3];
    const angle = kind === SEGMENT_CIRCLE ? 0 : p[4];
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    turn(x, y, rx * c, rx * s, -ry * s, ry * c);
    turn(x, y, -ry * s, ry * c, -rx * c, -rx * s);
    turn(x, y, -rx * c, -rx * s, ry * s, -ry * c);
    turn(x, y, ry * s, -ry * c, rx * c, rx * s);
  } else {
    const [x, y, width, height, r] = p;
    turn(x + width - r, y + r, 0, -r, r, 0);
    turn(x + width - r, y + height - r, r, 0, 0, r);
    turn(x + r, y + height - r, 0, r, -r, 0);
    turn(x + r, y + r, -r, 0, 0, -r);
  }
  for (let k = 0; k < 4; k++) {
    const c = corners[backwards ? 3 - k : k];
    const after = corners[backwards ? (2 - k + 4) & 3 : (k + 1) & 3];
    if (backwards) steps(out, c[6], c[7], c[4], c[5], c[2], c[3], c[0], c[1], false);
    else steps(out, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], false);
    const [ex, ey] = backwards ? [c[0], c[1]] : [c[6], c[7]];
    const [fx, fy] = backwards ? [after[6], after[7]] : [after[0], after[1]];
    if (Math.hypot(fx - ex, fy - ey) > 1e-9) steps(out, ex, ey, ex, ey, fx, fy, fx, fy, true);
  }
}
