import type { ChainCurves } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import { FloatList } from '../math/lists.js';
import { within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import type { Covers } from './covers.js';
import type { Stacking } from './stacking.js';

/** How far an outline is led beneath what is painted over it, at least, px. */
const LEAST_DEPTH_PX = 0.35;
/** The most is a share of the picture's longer side, within bounds in px. */
const DEPTH_SHARE = 1 / 16;
const DEEP_PX = 16;
const DEEPEST_PX = 64;
/** Between the tones of a photograph, which are a few px wide: deeper ways there are no shorter, and take twice the time to find. */
const TONES_PX = 5;
/** Steps in which the depth is felt out, px: fine ones to here, then coarse ones. */
const FINE_STEP_PX = 0.5;
const FINE_TO_PX = 4;
/** Kept between the outline and the far side of what covers it, px: room for the cover's own anti-aliasing. */
const MARGIN_PX = 0.6;
/** Where there is no room at all the outline may run this far from the boundary, px, and gates are not nearer to each other. */
const NO_ROOM_PX = 0.4;
const NO_ROOM_SPACING_PX = 1;
/** Gates are this near to each other, at their far ends too, px. */
const GATE_SPACING_PX = 1.5;
const FAN_SPACING_PX = 2;
const NEARLY_SPACING_PX = 1.999;
/** Gates nearer to the ends than this are not asked for, px: the line must come from the node. */
const END_CLEARANCE_PX = 0.7;
/** Shares of the room along the picture's border at which a way that begins there is tried. */
const SLIDES = [0.5, 1, 0.2];
/** Tangent of the angle that a gate's directions may be short of a half turn, for a point to lie on it. */
const ALONG_GATE = 0.06;
/** Numbers a gate takes: its near and its far end. */
const GATE = 4;

/**
 * Leads an outline beneath its neighbors: where a region borders others that are painted later, its own outline there will
 * never be seen, and may run anywhere under them. About every px of the boundary's curve, and in a fan around its
 * corners, there is a gate, a short segment across the covered side that the outline must cross; the outline is the line with
 * few vertices that passes all gates, found greedily by narrowing the cone of directions (Imai & Iri 1988). Where it begins or
 * ends at the picture's border, that end may slide along the border beneath the cover too.
 */
export class Underlap {
  /** Vertices of the way found last, x and y in turn, its two ends included. */
  readonly points = new FloatList(64);
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly stacking: Stacking;
  /** Per region: the rank of what hides what is beneath it, -1 for what does not. */
  private readonly cover: Int32Array;
  private readonly curves: ChainCurves;
  private readonly mostDepth: number;
  private gates = new Float64Array(GATE * 256);
  /** The place of the gate at hand, and its direction: numbers that are not handed over are not put in boxes. */
  private readonly here = new Float64Array(4);
  private count = 0;
  private mine = -1;
  // The gate before, where a fan may begin.
  private atX = 0;
  private atY = 0;
  private normalX = 0;
  private normalY = 0;
  private reach = -1;
  private depth = 0;
  // The gate without room before, which those that follow need not repeat.
  private narrowX = -1;
  private narrowY = -1;

  constructor(
    map: PlanarMap,
    regions: Regions,
    stacking: Stacking,
    { cover }: Covers,
    curves: ChainCurves,
    areTones: boolean,
  ) {
    this.map = map;
    this.regions = regions;
    this.stacking = stacking;
    this.cover = cover;
    this.curves = curves;
    const share = Math.max(map.width, map.height) * DEPTH_SHARE;
    this.mostDepth = areTones ? TONES_PX : share < DEEP_PX ? DEEP_PX : share > DEEPEST_PX ? DEEPEST_PX : share;
  }

  /** The region whose way was found last. */
  get region(): number {
    return this.mine;
  }

  /** Whether the region on the other side of a half-edge will be painted over this boundary. */
  isCovered(halfEdge: number): boolean {
    const { rank, solid } = this.stacking;
    const { map, regions } = this;
    const backwards = (halfEdge & 1) === 1;
    const chain = halfEdge >> 1;
    if (map.startNode[chain] < 0) return false;
    const other = backwards ? map.right[chain] : map.left[chain];
    if (other < 0 || solid[other] === 0) return false;
    const mine = backwards ? map.left[chain] : map.right[chain];
    return rank[other] > rank[mine] && regions.areaPx[other] > 0;
  }

  /**
   * Finds a way for the region on the right of `halfEdges[from..to)`, all of them covered and each beginning where the one
   * before ends. `slideStart` and `slideEnd` say whether the region's outline comes and goes along the picture's border.
   */
  find(halfEdges: ArrayLike<number>, from: number, to: number, slideStart: boolean, slideEnd: boolean): void {
    const { points, curves } = this;
    const first = halfEdges[from];
    const last = halfEdges[to - 1];
    this.mine = first & 1 ? this.map.left[first >> 1] : this.map.right[first >> 1];
    const a = first & 1 ? curves.starts[(first >> 1) + 1] * 8 - 2 : curves.starts[first >> 1] * 8;
    const b = last & 1 ? curves.starts[last >> 1] * 8 : curves.starts[(last >> 1) + 1] * 8 - 2;
    const ax = curves.points[a];
    const ay = curves.points[a + 1];
    const bx = curves.points[b];
    const by = curves.points[b + 1];
    this.count = 0;
    this.reach = -1;
    this.narrowX = ax;
    this.narrowY = ay;
    for (let k = from; k < to; k++) this.buildGates(halfEdges[k], ax, ay, bx, by);
    const before = slideStart ? this.roomAlongBorder(ax, ay) : NO_SLIDE;
    const after = slideEnd ? this.roomAlongBorder(bx, by) : NO_SLIDE;
    if (before.room <= 0 && after.room <= 0) {
      this.findBetween(ax, ay, bx, by);
      return;
    }
    let fewest = Infinity;
    let best = 0;
    for (let pass = 0; pass <= SLIDES.length; pass++) {
      const share = SLIDES[pass === SLIDES.length ? best : pass];
      if (pass === SLIDES.length && best === pass - 1) break;
      const sx = ax + before.dx * before.room * share;
      const sy = ay + before.dy * before.room * share;
      let ex = bx + after.dx * after.room * share;
      let ey = by + after.dy * after.room * share;
      // Ends on opposite sides at the same height or width make one straight line, and one number less.
      if (after.dx !== 0 && isBetween(sx, bx, bx + after.dx * after.room)) ex = sx;
      if (after.dy !== 0 && isBetween(sy, by, by + after.dy * after.room)) ey = sy;
      this.findBetween(sx, sy, ex, ey);
      if (pass < SLIDES.length && points.length < fewest) {
        fewest = points.length;
        best = pass;
      }
    }
  }

  /** Which way along the picture's border, and how far, the cover of a point there reaches. */
  private roomAlongBorder(x: number, y: number): Slide {
    const { width, height } = this.map;
    let best = NO_SLIDE;
    if ((x === 0 || x === width) && (y === 0 || y === height)) return best;
    for (let turn = 0; turn < 4; turn++) {
      const dx = turn === 0 ? 1 : turn === 1 ? -1 : 0;
      const dy = turn === 2 ? 1 : turn === 3 ? -1 : 0;
      const along = dx !== 0 ? y === 0 || y === height : x === 0 || x === width;
      if (!along) continue;
      const inX = dx !== 0 ? 0 : x === 0 ? 0.5 : -0.5;
      const inY = dy !== 0 ? 0 : y === 0 ? 0.5 : -0.5;
      const { here } = this;
      here[0] = x + inX;
      here[1] = y + inY;
      here[2] = dx;
      here[3] = dy;
      this.feel(false);
      const room = this.depth - MARGIN_PX;
      if (room > LEAST_DEPTH_PX && room > best.room) best = { dx, dy, room };
    }
    return best;
  }

  /** The way from (ax, ay) through all gates to (bx, by), both in `points`. */
  private findBetween(ax: number, ay: number, bx: number, by: number): void {
    const { gates, points, count } = this;
    points.length = 0;
    points.push(ax);
    points.push(ay);
    let px = ax;
    let py = ay;
    let passed = 0;
    // Gates that an end that slid is past already.
    let end = count;
    let begin = 0;
    while (begin < end && this.isPast(begin, ax, ay) > 0) begin++;
    while (end > begin && this.isPast(end - 1, bx, by) < 0) end--;
    // The cone: directions from (px, py) that cross all gates since the last turn, from (rx, ry) counterclockwise to (lx, ly).
    let rx = 0;
    let ry = 0;
    let lx = 0;
    let ly = 0;
    let open = false;
    for (let g = begin; g <= end; g++) {
      const atEnd = g === end;
      let ux = atEnd ? bx - px : gates[GATE * g] - px;
      let uy = atEnd ? by - py : gates[GATE * g + 1] - py;
      let vx = atEnd ? ux : gates[GATE * g + 2] - px;
      let vy = atEnd ? uy : gates[GATE * g + 3] - py;
      if (ux * vy - uy * vx < 0) {
        [ux, vx] = [vx, ux];
        [uy, vy] = [vy, uy];
      }
      // A gate on which the point lies is passed: seen from there it takes half of all directions, of which none is the middle.
      if (!atEnd && ux * vy - uy * vx < -ALONG_GATE * (ux * vx + uy * vy)) {
        passed = g;
        continue;
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
    points.push(bx);
    points.push(by);
  }

  /** Positive where a point lies past a gate in the direction the boundary is walked, negative where before it. */
  private isPast(gate: number, x: number, y: number): number {
    const { gates } = this;
    const at = GATE * gate;
    // The gate points to the left of the walk: with y down, the walk's direction is the gate's turned clockwise.
    const nx = gates[at + 2] - gates[at];
    const ny = gates[at + 3] - gates[at + 1];
    return (x - gates[at]) * -ny + (y - gates[at + 1]) * nx;
  }

  /** Adds the vertex where the cone's middle direction crosses a gate. */
  private turnOn(gate: number, px: number, py: number, rx: number, ry: number, lx: number, ly: number): void {
    const { gates, points } = this;
    const x0 = gates[GATE * gate];
    const y0 = gates[GATE * gate + 1];
    const ex = gates[GATE * gate + 2] - x0;
    const ey = gates[GATE * gate + 3] - y0;
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

  /** A gate for about every px along the half-edge's fitted curve. */
  private buildGates(halfEdge: number, ax: number, ay: number, bx: number, by: number): void {
    const { here } = this;
    const { points, starts } = this.curves;
    const chain = halfEdge >> 1;
    const backwards = (halfEdge & 1) === 1;
    const first = starts[chain];
    const end = starts[chain + 1];
    for (let k = first; k < end; k++) {
      const p = (backwards ? end - 1 - (k - first) : k) * 8;
      const length =
        distance(points[p + 2] - points[p], points[p + 3] - points[p + 1]) +
        distance(points[p + 4] - points[p + 2], points[p + 5] - points[p + 3]) +
        distance(points[p + 6] - points[p + 4], points[p + 7] - points[p + 5]);
      const steps = Math.max(2, Math.ceil(length / GATE_SPACING_PX));
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
        here[0] = x;
        here[1] = y;
        here[2] = dy;
        here[3] = -dx;
        this.fan();
      }
    }
  }

  /** The gate that is `here`, and gates between it and the one before where the two part. */
  private fan(): void {
    const { here, atX, atY, normalX, normalY, reach } = this;
    const x = here[0];
    const y = here[1];
    const nx = here[2];
    const ny = here[3];
    const cross = normalX * ny - normalY * nx;
    const dot = normalX * nx + normalY * ny;
    // An angle is no larger than its tangent: with nothing to put between it need not be known.
    const isNear = cross < 0 || (dot > 0 && cross * reach < NEARLY_SPACING_PX * dot);
    if (reach > 0 && !isNear) {
      const turn = Math.atan2(cross, dot);
      const between = turn > 0 ? Math.floor((turn * reach) / FAN_SPACING_PX) : 0;
      for (let i = 1; i <= between; i++) {
        const share = i / (between + 1);
        const angle = turn * share;
        const cos = Math.cos(angle);
        const sin = Math.sin(angle);
        here[0] = atX + (x - atX) * share;
        here[1] = atY + (y - atY) * share;
        here[2] = normalX * cos - normalY * sin;
        here[3] = normalX * sin + normalY * cos;
        this.addGate();
      }
      here[0] = x;
      here[1] = y;
      here[2] = nx;
      here[3] = ny;
    }
    this.addGate();
    this.atX = x;
    this.atY = y;
    this.normalX = nx;
    this.normalY = ny;
  }

  /** The gate that is `here`, towards the neighbor on the left: with y down, in its direction. */
  private addGate(): void {
    if (this.gates.length < GATE * (this.count + 1)) {
      const grown = new Float64Array(this.gates.length * 2);
      grown.set(this.gates);
      this.gates = grown;
    }
    const { gates, here } = this;
    this.feel(true);
    const depth = this.depth - MARGIN_PX;
    const x = here[0];
    const y = here[1];
    const nx = here[2];
    const ny = here[3];
    this.reach = depth;
    const isNarrow = depth <= LEAST_DEPTH_PX;
    if (isNarrow && distance(x - this.narrowX, y - this.narrowY) < NO_ROOM_SPACING_PX) return;
    const near = isNarrow ? 0 : LEAST_DEPTH_PX;
    const far = isNarrow ? NO_ROOM_PX : depth;
    if (isNarrow) {
      this.narrowX = x;
      this.narrowY = y;
    }
    const at = GATE * this.count++;
    gates[at] = x + nx * near;
    gates[at + 1] = y + ny * near;
    gates[at + 2] = x + nx * far;
    gates[at + 3] = y + ny * far;
  }

  /** How far from `here`, in its direction, everything is painted later and hides what is beneath it: `depth`, px. */
  private feel(pastOwn: boolean): void {
    const { regions, stacking, cover, mostDepth, here } = this;
    const x = here[0];
    const y = here[1];
    const nx = here[2];
    const ny = here[3];
    const { of, width, height } = regions;
    const myRank = stacking.rank[this.mine];
    let depth = 0;
    let beforeX = -1;
    let beforeY = -1;
    for (let d = FINE_STEP_PX; d <= mostDepth + MARGIN_PX; d += d < FINE_TO_PX ? FINE_STEP_PX : 1) {
      const px = Math.floor(x + nx * d);
      const py = Math.floor(y + ny * d);
      // Beyond the picture nothing is seen.
      if (px < 0 || py < 0 || px >= width || py >= height) {
        depth = d;
        break;
      }
      const there = of[py * width + px];
      if (pastOwn && there === this.mine && d < 1) continue;
      if (cover[there] <= myRank) break;
      // From corner to corner between two pixels of a line one px wide.
      const isAcross = beforeX >= 0 && px !== beforeX && py !== beforeY;
      if (isAcross && cover[of[py * width + beforeX]] <= myRank && cover[of[beforeY * width + px]] <= myRank) break;
      beforeX = px;
      beforeY = py;
      depth = d;
    }
    this.depth = depth;
  }
}

/** A way along the picture's border, and how far, px. */
interface Slide {
  readonly dx: number;
  readonly dy: number;
  readonly room: number;
}

const NO_SLIDE: Slide = { dx: 0, dy: 0, room: 0 };

function isBetween(value: number, a: number, b: number): boolean {
  return a < b ? value >= a && value <= b : value >= b && value <= a;
}
