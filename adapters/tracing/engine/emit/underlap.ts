import type { ChainCurves } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import { FloatList } from '../math/lists.js';
import { within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import type { Stacking } from './stacking.js';

/** How far an outline is led beneath what is painted over it, at least and at most, px. */
const LEAST_DEPTH_PX = 0.35;
const MOST_DEPTH_PX = 6;
const DEPTH_STEP_PX = 0.5;
/** Kept between the outline and the far side of what covers it, px: room for the cover's own anti-aliasing. */
const MARGIN_PX = 0.6;
/** Where there is no room at all. */
const NO_ROOM_PX = 0.2;
const GATE_SPACING_PX = 1;
/** Gates nearer to the ends than this are not asked for, px: the line must come from the node. */
const END_CLEARANCE_PX = 0.7;

/**
 * Leads an outline beneath its neighbor: where a region borders one that is painted later, its own outline there will never
 * be seen, and may run anywhere under the later ones. About every px of the boundary's curve there is a gate, a short segment
 * across the covered side that the outline must cross; the outline is the line with few vertices that passes all gates, found greedily by
 * narrowing the cone of directions (Imai & Iri 1988).
 */
export class Underlap {
  /** Vertices of the way found last, x and y in turn, without the two end points. */
  readonly points = new FloatList(64);
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly stacking: Stacking;
  private readonly curves: ChainCurves;
  private gates = new Float64Array(4 * 256);

  constructor(map: PlanarMap, regions: Regions, stacking: Stacking, curves: ChainCurves) {
    this.map = map;
    this.regions = regions;
    this.stacking = stacking;
    this.curves = curves;
  }

  /** Finds a way for the region on the right of `halfEdge`, from (ax, ay) to (bx, by). */
  find(halfEdge: number, ax: number, ay: number, bx: number, by: number): void {
    const count = this.buildGates(halfEdge, ax, ay, bx, by);
    const { gates, points } = this;
    points.length = 0;
    let px = ax;
    let py = ay;
    let passed = 0;
    // The cone: directions from (px, py) that cross all gates since the last turn, from (rx, ry) counterclockwise to (lx, ly).
    let rx = 0;
    let ry = 0;
    let lx = 0;
    let ly = 0;
    let open = false;
    for (let g = 0; g <= count; g++) {
      const atEnd = g === count;
      let ux = atEnd ? bx - px : gates[4 * g] - px;
      let uy = atEnd ? by - py : gates[4 * g + 1] - py;
      let vx = atEnd ? ux : gates[4 * g + 2] - px;
      let vy = atEnd ? uy : gates[4 * g + 3] - py;
      if (ux * vy - uy * vx < 0) {
        [ux, vx] = [vx, ux];
        [uy, vy] = [vy, uy];
      }
      if (!open) {
        if (atEnd) break;
        rx = ux;
        ry = uy;
        lx = vx;
        ly = vy;
        open = true;
        passed = g;
        continue;
      }
      // Newly narrowed bounds; empty where the right one passes the left one.
      const newRight = rx * uy - ry * ux > 0;
      const newLeft = vx * ly - vy * lx > 0;
      const nrx = newRight ? ux : rx;
      const nry = newRight ? uy : ry;
      const nlx = newLeft ? vx : lx;
      const nly = newLeft ? vy : ly;
      const turnsBack = ux * (rx + lx) + uy * (ry + ly) < 0 && vx * (rx + lx) + vy * (ry + ly) < 0;
      if (nrx * nly - nry * nlx >= 0 && !turnsBack) {
        rx = nrx;
        ry = nry;
        lx = nlx;
        ly = nly;
        passed = g;
        continue;
      }
      // The cone is empty: turn on the last gate that was passed, in the middle of what the cone leaves of it.
      this.turnOn(passed, px, py, rx, ry, lx, ly);
      px = points.data[points.length - 2];
      py = points.data[points.length - 1];
      open = false;
      g = passed;
    }
  }

  /** Adds the vertex where the cone's middle direction crosses a gate. */
  private turnOn(gate: number, px: number, py: number, rx: number, ry: number, lx: number, ly: number): void {
    const { gates, points } = this;
    const x0 = gates[4 * gate];
    const y0 = gates[4 * gate + 1];
    const ex = gates[4 * gate + 2] - x0;
    const ey = gates[4 * gate + 3] - y0;
    const rightLength = distance(rx, ry) || 1;
    const leftLength = distance(lx, ly) || 1;
    const dx = rx / rightLength + lx / leftLength;
    const dy = ry / rightLength + ly / leftLength;
    const cross = dx * ey - dy * ex;
    let t = Math.abs(cross) > 1e-12 ? ((x0 - px) * dy - (y0 - py) * dx) / cross : 0.5;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    // Outside the picture nothing shows; a drawing that reaches there would be larger than its picture.
    points.push(within(x0 + t * ex, this.map.width));
    points.push(within(y0 + t * ey, this.map.height));
  }

  /** A gate (two points) for about every px along the half-edge's fitted curve; returns how many. */
  private buildGates(halfEdge: number, ax: number, ay: number, bx: number, by: number): number {
    const { curves } = this;
    const chain = halfEdge >> 1;
    const backwards = (halfEdge & 1) === 1;
    const first = curves.starts[chain];
    const end = curves.starts[chain + 1];
    const mine = backwards ? this.map.left[chain] : this.map.right[chain];
    let count = 0;
    for (let k = first; k < end; k++) {
      const p = (backwards ? end - 1 - (k - first) : k) * 8;
      const { points } = curves;
      const length =
        distance(points[p + 2] - points[p], points[p + 3] - points[p + 1]) +
        distance(points[p + 4] - points[p + 2], points[p + 5] - points[p + 3]) +
        distance(points[p + 6] - points[p + 4], points[p + 7] - points[p + 5]);
      const steps = Math.max(2, Math.ceil(length / GATE_SPACING_PX));
      if (this.gates.length < 4 * (count + steps)) {
        const grown = new Float64Array(8 * (count + steps));
        grown.set(this.gates);
        this.gates = grown;
      }
      for (let i = 0; i < steps; i++) {
        const t = backwards ? 1 - (i + 0.5) / steps : (i + 0.5) / steps;
        const u = 1 - t;
        const x =
          u * u * u * points[p] +
          3 * u * u * t * points[p + 2] +
          3 * u * t * t * points[p + 4] +
          t * t * t * points[p + 6];
        const y =
          u * u * u * points[p + 1] +
          3 * u * u * t * points[p + 3] +
          3 * u * t * t * points[p + 5] +
          t * t * t * points[p + 7];
        if (distance(x - ax, y - ay) < END_CLEARANCE_PX || distance(x - bx, y - by) < END_CLEARANCE_PX) continue;
        let dx =
          u * u * (points[p + 2] - points[p]) +
          2 * u * t * (points[p + 4] - points[p + 2]) +
          t * t * (points[p + 6] - points[p + 4]);
        let dy =
          u * u * (points[p + 3] - points[p + 1]) +
          2 * u * t * (points[p + 5] - points[p + 3]) +
          t * t * (points[p + 7] - points[p + 5]);
        const speed = (distance(dx, dy) || 1) * (backwards ? -1 : 1);
        dx /= speed;
        dy /= speed;
        this.addGate(count++, x, y, dy, -dx, mine);
      }
    }
    return count;
  }

  /** The gate at (x, y), towards the neighbor on the left: with y down, in the direction (nx, ny). */
  private addGate(gate: number, x: number, y: number, nx: number, ny: number, mine: number): void {
    const { regions, stacking, gates } = this;
    const { rank, solid } = stacking;
    const myRank = rank[mine];
    let depth = 0;
    for (let d = DEPTH_STEP_PX; d <= MOST_DEPTH_PX + MARGIN_PX; d += DEPTH_STEP_PX) {
      const px = Math.floor(x + nx * d);
      const py = Math.floor(y + ny * d);
      if (px < 0 || py < 0 || px >= regions.width || py >= regions.height) {
        // Beyond the picture nothing is seen.
        depth = d;
        break;
      }
      const there = regions.of[py * regions.width + px];
      if (there === mine && d < 1) continue;
      if (rank[there] <= myRank || solid[there] === 0) break;
      depth = d;
    }
    depth -= MARGIN_PX;
    const near = depth > LEAST_DEPTH_PX ? LEAST_DEPTH_PX : NO_ROOM_PX;
    const far = depth > LEAST_DEPTH_PX ? depth : NO_ROOM_PX;
    gates[4 * gate] = x + nx * near;
    gates[4 * gate + 1] = y + ny * near;
    gates[4 * gate + 2] = x + nx * far;
    gates[4 * gate + 3] = y + ny * far;
  }
}
