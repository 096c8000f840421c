import { FloatList } from '../math/lists.js';
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
/** Cracks on either side from which the direction of the boundary is taken. */
const NORMAL_REACH = 3;
/** Gates nearer to the ends than this are not asked for: the line must come from the node. */
const END_CLEARANCE = 2;

/**
 * Leads an outline beneath its neighbor: where a region borders one that is painted later, its own outline there will never
 * be seen, and may run anywhere under the later ones. Each crack of the boundary becomes a gate, a short segment across the
 * covered side that the outline must cross; the outline is the line with few vertices that passes all gates, found greedily by
 * narrowing the cone of directions (Imai & Iri 1988).
 */
export class Underlap {
  /** Vertices of the way found last, x and y in turn, without the two end points. */
  readonly points = new FloatList(64);
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly stacking: Stacking;
  private gates = new Float64Array(4 * 256);

  constructor(map: PlanarMap, regions: Regions, stacking: Stacking) {
    this.map = map;
    this.regions = regions;
    this.stacking = stacking;
  }

  /** Finds a way for the region on the right of `halfEdge`, from (ax, ay) to (bx, by). */
  find(halfEdge: number, ax: number, ay: number, bx: number, by: number): void {
    const count = this.buildGates(halfEdge);
    const { gates, points } = this;
    points.length = 0;
    let px = ax;
    let py = ay;
    let first = Math.min(END_CLEARANCE, count);
    const last = Math.max(first, count - END_CLEARANCE);
    let passed = first;
    // The cone: directions from (px, py) that cross all gates since `first`, from (rx, ry) counterclockwise to (lx, ly).
    let rx = 0;
    let ry = 0;
    let lx = 0;
    let ly = 0;
    let open = false;
    for (let g = first; g <= last; g++) {
      const atEnd = g === last;
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
      first = passed + 1;
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
    const rightLength = Math.hypot(rx, ry) || 1;
    const leftLength = Math.hypot(lx, ly) || 1;
    const dx = rx / rightLength + lx / leftLength;
    const dy = ry / rightLength + ly / leftLength;
    const cross = dx * ey - dy * ex;
    let t = Math.abs(cross) > 1e-12 ? ((x0 - px) * dy - (y0 - py) * dx) / cross : 0.5;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    points.push(x0 + t * ex);
    points.push(y0 + t * ey);
  }

  /** A gate (two points) per crack of the half-edge; returns how many. */
  private buildGates(halfEdge: number): number {
    const { map, regions, stacking } = this;
    const { vertices, starts } = map;
    const chain = halfEdge >> 1;
    const backwards = (halfEdge & 1) === 1;
    const from = starts[chain];
    const steps = starts[chain + 1] - 1 - from;
    if (this.gates.length < 4 * steps) this.gates = new Float64Array(8 * steps);
    const { gates } = this;
    const stride = map.width + 1;
    const mine = halfEdge & 1 ? map.left[chain] : map.right[chain];
    const myRank = stacking.rank[mine];
    const covers = (region: number) => stacking.rank[region] > myRank && stacking.solid[region] === 1;
    for (let e = 0; e < steps; e++) {
      const a = Math.max(0, e - NORMAL_REACH);
      const b = Math.min(steps, e + 1 + NORMAL_REACH);
      const at = (k: number) => vertices[backwards ? from + steps - k : from + k];
      const va = at(a);
      const vb = at(b);
      const v0 = at(e);
      const v1 = at(e + 1);
      const ay = Math.floor(va / stride);
      const byy = Math.floor(vb / stride);
      let dx = vb - byy * stride - (va - ay * stride);
      let dy = byy - ay;
      const length = Math.hypot(dx, dy) || 1;
      dx /= length;
      dy /= length;
      // The neighbor is on the left: with y down, that is (dy, -dx).
      const nx = dy;
      const ny = -dx;
      const y0 = Math.floor(v0 / stride);
      const y1 = Math.floor(v1 / stride);
      const mx = (v0 - y0 * stride + v1 - y1 * stride) / 2;
      const my = (y0 + y1) / 2;
      let depth = 0;
      for (let d = DEPTH_STEP_PX; d <= MOST_DEPTH_PX + MARGIN_PX; d += DEPTH_STEP_PX) {
        const px = Math.floor(mx + nx * d);
        const py = Math.floor(my + ny * d);
        if (px < 0 || py < 0 || px >= regions.width || py >= regions.height) {
          // Beyond the picture nothing is seen.
          depth = d;
          break;
        }
        if (!covers(regions.of[py * regions.width + px])) break;
        depth = d;
      }
      depth -= MARGIN_PX;
      const near = depth > LEAST_DEPTH_PX ? LEAST_DEPTH_PX : NO_ROOM_PX;
      const far = depth > LEAST_DEPTH_PX ? depth : NO_ROOM_PX;
      gates[4 * e] = mx + nx * near;
      gates[4 * e + 1] = my + ny * near;
      gates[4 * e + 2] = mx + nx * far;
      gates[4 * e + 3] = my + ny * far;
    }
    return steps;
  }
}
