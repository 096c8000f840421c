import { type ChainCurves, SEGMENT_CIRCLE, SEGMENT_CUBIC, SEGMENT_LINE } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { ArcFitter, type ArcRuns } from './arc-runs.js';

/** What places on a settled curve are uncertain by, as a share of what arcs may be off it, and how far apart two are that err independently, px. */
const NOISE_SHARE = 0.4;
const APART_PX = 3;
/** Places of each segment that circles are fitted to. */
const PLACES = 6;
/** Agreement of a radius, and of a center, in squared standard deviations. */
const SAME_RADIUS = 6;
const SAME_CENTER = 9;
/** However uncertain, radii further apart than this share and centers further apart than this, px, are not the same. */
const MOST_RADIUS_SHARE = 0.02;
const MOST_CENTER_PX = 0.5;
/** Circles that each is compared with in search of its center. */
const MOST_COMPARED = 64;
/** Centers are searched in order along a slanted direction: upright rows and columns of circles are many. */
const SLANT = 0.618;
/** A line that meets an arc at a smaller angle (its sine) is tangent to it. */
const TANGENT_SINE = 0.05;
/** And one that meets it at a larger angle has its end where it crosses the circle. */
const CROSSING_SINE = 0.3;
/**
 * How far an arc's end may move across the arc, px: a corner slides along its line, which nothing else is measured by. Where curves go
 * on smoothly they were settled together with the end, and lose more than the arc gains: it moves no further than the arc may be off them.
 */
const MOST_CORNER_MOVE_PX = 0.05;
/** By what share of its square a half circle's chord may be longer than twice the radius. */
const HALF_TURN_SLACK = 1e-9;
/** Times that a chain is drawn again without the arcs that would be too far from its curves. */
const MOST_ROUNDS = 4;

/** An arc's circle or a whole one, by least squares, with the information (inverse covariance) of center and radius. */
interface Circle {
  /** Its first segment. */
  readonly segment: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly xx: number;
  readonly xy: number;
  readonly yy: number;
  readonly xr: number;
  readonly yr: number;
  readonly rr: number;
  /** The center and the radius it is drawn with. */
  centerX: number;
  centerY: number;
  radius: number;
  /** Does it share either with others. */
  shares: boolean;
}

/**
 * Makes radii, and centers, that are the same within what can be told from the curves exactly so, over the whole drawing: each arc's
 * circle is fitted to its stretch, circles that agree are fitted together, and an arc's ends inside its chain move onto its circle. An
 * arc that would leave the curves by more than `findArcs` allows stays as it is, and so do ends at the map's nodes.
 * `arcs` are changed in place; the curves come back, copied where an end or a whole circle has moved.
 */
export function agreeArcs(map: Pick<PlanarMap, 'startNode'>, curves: ChainCurves, arcs: ArcRuns): ChainCurves {
  const circles = findCircles(curves, arcs);
  if (circles.length < 2) return curves;
  const alike = shareCenters(circles);
  shareRadii(circles);
  placeCenters(alike);
  const at = new Map<number, Circle>();
  for (const circle of circles) if (circle.shares) at.set(circle.segment, circle);
  if (at.size === 0) return curves;
  const moved: ChainCurves = {
    chainCount: curves.chainCount,
    starts: curves.starts,
    kinds: curves.kinds,
    points: curves.points.slice(),
  };
  const chains = new ChainMover(curves, moved.points, arcs, at);
  for (let c = 0; c < curves.chainCount; c++) chains.move(c, map.startNode[c] < 0);
  return moved;
}

function findCircles({ kinds, points }: ChainCurves, { counts, radii, large, offPx }: ArcRuns): Circle[] {
  const noiseSq = (NOISE_SHARE * offPx) ** 2;
  const found: Circle[] = [];
  for (let k = 0; k < kinds.length; k++) {
    if (kinds[k] === SEGMENT_CIRCLE) {
      const r = points[k * 8 + 2];
      const places = (2 * Math.PI * r) / (APART_PX * noiseSq);
      found.push(circleOf(k, points[k * 8], points[k * 8 + 1], r, places / 2, 0, places / 2, 0, 0, places));
    } else if (counts[k] > 0) {
      const end = (k + counts[k]) * 8 - 2;
      const center = centerOf(points, k * 8, end, radii[k], large[k] === 1);
      const circle = center && fitCircle(points, k, counts[k], center[0], center[1], Math.abs(radii[k]), noiseSq);
      if (circle !== undefined) found.push(circle);
    }
  }
  return found;
}

function circleOf(
  segment: number,
  x: number,
  y: number,
  r: number,
  xx: number,
  xy: number,
  yy: number,
  xr: number,
  yr: number,
  rr: number,
): Circle {
  return { segment, x, y, r, xx, xy, yy, xr, yr, rr, centerX: x, centerY: y, radius: r, shares: false };
}

/** The center of the arc between two places in the points; undefined where the radius is too small. */
function centerOf(
  points: Float64Array,
  begin: number,
  end: number,
  radius: number,
  large: boolean,
): readonly [number, number] | undefined {
  const dx = points[end] - points[begin];
  const dy = points[end + 1] - points[begin + 1];
  const square = dx * dx + dy * dy;
  const left = radius * radius - square / 4;
  // Half circles have their chord through the center, but for the last digits.
  if (!(left >= -HALF_TURN_SLACK * square && square > 0)) return undefined;
  const toCenter = Math.sqrt(Math.max(0, left) / square) * (radius > 0 !== large ? 1 : -1);
  return [points[begin] + dx / 2 - dy * toCenter, points[begin + 1] + dy / 2 + dx * toCenter];
}

/** One step of least squares from a circle that is near already; undefined where the stretch does not tell it. */
function fitCircle(
  points: Float64Array,
  segment: number,
  count: number,
  x: number,
  y: number,
  r: number,
  noiseSq: number,
): Circle | undefined {
  let [xx, xy, yy, xr, yr, rr, bx, by, br] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = segment; k < segment + count; k++) {
    const p = k * 8;
    const length = distance(points[p + 6] - points[p], points[p + 7] - points[p + 1]);
    const weight = length / (APART_PX * noiseSq * PLACES);
    for (let i = 0; i < PLACES; i++) {
      const t = (i + 0.5) / PLACES;
      const ux = at(points, p, t) - x;
      const uy = at(points, p + 1, t) - y;
      const d = distance(ux, uy);
      const nx = ux / d;
      const ny = uy / d;
      const off = d - r;
      xx += weight * nx * nx;
      xy += weight * nx * ny;
      yy += weight * ny * ny;
      xr += weight * nx;
      yr += weight * ny;
      rr += weight;
      bx += weight * nx * off;
      by += weight * ny * off;
      br += weight * off;
    }
  }
  // The radius goes out first, then the center is solved for.
  const [sxx, sxy, syy] = [xx - (xr * xr) / rr, xy - (xr * yr) / rr, yy - (yr * yr) / rr];
  const [tx, ty] = [bx - (xr * br) / rr, by - (yr * br) / rr];
  const det = sxx * syy - sxy * sxy;
  if (!(det > 1e-9 * (sxx + syy) ** 2)) return undefined;
  const dx = (tx * syy - ty * sxy) / det;
  const dy = (ty * sxx - tx * sxy) / det;
  const dr = (br - xr * dx - yr * dy) / rr;
  return circleOf(segment, x + dx, y + dy, r + dr, xx, xy, yy, xr, yr, rr);
}

/** All circles by center: those of one center are in one group, and have their radii about it. */
function shareCenters(circles: readonly Circle[]): Circle[][] {
  const sorted = [...circles].sort((a, b) => a.x + SLANT * a.y - (b.x + SLANT * b.y) || a.segment - b.segment);
  const taken = new Set<Circle>();
  const groups: Circle[][] = [];
  sorted.forEach((first, i) => {
    if (taken.has(first)) return;
    const group = [first];
    // Information of the center alone, and the mean by it.
    let [xx, xy, yy] = centerInformation(first);
    let { x, y } = first;
    for (let j = i + 1; j < sorted.length && j <= i + MOST_COMPARED; j++) {
      const other = sorted[j];
      if (other.x - first.x + SLANT * (other.y - first.y) > 2 * MOST_CENTER_PX) break;
      const [dx, dy] = [other.x - x, other.y - y];
      if (taken.has(other) || distance(dx, dy) > MOST_CENTER_PX) continue;
      const [oxx, oxy, oyy] = centerInformation(other);
      const [sxx, sxy, syy] = [xx + oxx, xy + oxy, yy + oyy];
      const det = sxx * syy - sxy * sxy;
      // From the mean to the mean of both.
      const [gx, gy] = [oxx * dx + oxy * dy, oxy * dx + oyy * dy];
      const mx = (gx * syy - gy * sxy) / det;
      const my = (gy * sxx - gx * sxy) / det;
      const [rx, ry] = [dx - mx, dy - my];
      const misfit = gx * rx + gy * ry;
      if (!(misfit <= SAME_CENTER)) continue;
      [xx, xy, yy] = [sxx, sxy, syy];
      x += mx;
      y += my;
      group.push(other);
      taken.add(other);
    }
    groups.push(group);
    if (group.length < 2) return;
    for (const circle of group) {
      circle.shares = true;
      circle.radius = circle.r - (circle.xr * (x - circle.x) + circle.yr * (y - circle.y)) / circle.rr;
    }
  });
  return groups;
}

/** What is known of a center while the radius is free. */
function centerInformation({ xx, xy, yy, xr, yr, rr }: Circle): [number, number, number] {
  return [xx - (xr * xr) / rr, xy - (xr * yr) / rr, yy - (yr * yr) / rr];
}

/** What is known of the radius: much where the center is known from others. */
function radiusInformation({ xx, xy, yy, xr, yr, rr, shares }: Circle): number {
  if (shares) return rr;
  return rr - (xr * xr * yy - 2 * xr * yr * xy + yr * yr * xx) / (xx * yy - xy * xy);
}

/** Gives circles whose radii agree their mean, by what is known of each. */
function shareRadii(circles: readonly Circle[]): void {
  const sorted = [...circles].sort((a, b) => a.radius - b.radius || a.segment - b.segment);
  const known = sorted.map(radiusInformation);
  for (let i = 0; i < sorted.length; ) {
    let mean = sorted[i].radius;
    let sum = known[i];
    let end = i + 1;
    for (; end < sorted.length; end++) {
      const off = sorted[end].radius - mean;
      if (off > MOST_RADIUS_SHARE * mean || off * off * ((sum * known[end]) / (sum + known[end])) > SAME_RADIUS) break;
      sum += known[end];
      mean += (off * known[end]) / sum;
    }
    if (end - i > 1) {
      for (let k = i; k < end; k++) {
        sorted[k].radius = mean;
        sorted[k].shares = true;
      }
    }
    i = end;
  }
}

/** The center of each group that suits the radii best. */
function placeCenters(groups: readonly Circle[][]): void {
  for (const group of groups) {
    let [xx, xy, yy, bx, by] = [0, 0, 0, 0, 0];
    const [{ x, y }] = group;
    for (const c of group) {
      xx += c.xx;
      xy += c.xy;
      yy += c.yy;
      bx += c.xx * (c.x - x) + c.xy * (c.y - y) - c.xr * (c.radius - c.r);
      by += c.xy * (c.x - x) + c.yy * (c.y - y) - c.yr * (c.radius - c.r);
    }
    const det = xx * yy - xy * xy;
    for (const c of group) {
      c.centerX = x + (bx * yy - by * xy) / det;
      c.centerY = y + (by * xx - bx * xy) / det;
    }
  }
}

/** Draws the arcs of a chain with the circles they share. */
class ChainMover {
  private readonly settled: ChainCurves;
  private readonly points: Float64Array;
  private readonly arcs: ArcRuns;
  private readonly circles: Map<number, Circle>;
  private readonly fitter: ArcFitter;
  private from = 0;
  private to = 0;
  private closed = false;
  /** Whether the last place found is where a line crosses the circle. */
  private crosses = false;

  constructor(settled: ChainCurves, points: Float64Array, arcs: ArcRuns, circles: Map<number, Circle>) {
    this.settled = settled;
    this.points = points;
    this.arcs = arcs;
    this.circles = circles;
    this.fitter = new ArcFitter(settled.points, settled.kinds, Infinity, arcs.offPx);
  }

  move(chain: number, closed: boolean): void {
    const { settled, points, arcs, circles } = this;
    this.from = settled.starts[chain];
    this.to = settled.starts[chain + 1];
    this.closed = closed;
    const own: Circle[] = [];
    for (let k = this.from; k < this.to; k++) {
      const circle = circles.get(k);
      if (circle === undefined) continue;
      if (settled.kinds[k] === SEGMENT_CIRCLE) this.moveWhole(circle);
      else own.push(circle);
    }
    let left = own;
    for (let round = 1; left.length > 0; round++) {
      for (let k = this.from; k < this.to; k++) this.joint(k);
      const kept: Circle[] = left.filter((circle) => this.isNear(circle));
      if (kept.length === left.length) break;
      points.set(settled.points.subarray(this.from * 8, this.to * 8), this.from * 8);
      for (const circle of left) if (round === MOST_ROUNDS || !kept.includes(circle)) circles.delete(circle.segment);
      left = round === MOST_ROUNDS ? [] : kept;
    }
    for (const { segment, radius } of left) arcs.radii[segment] = Math.sign(arcs.radii[segment]) * radius;
  }

  private moveWhole({ segment, x, y, r, centerX, centerY, radius }: Circle): void {
    if (distance(centerX - x, centerY - y) + Math.abs(radius - r) > this.arcs.offPx) return;
    this.points.set([centerX, centerY, radius], segment * 8);
  }

  /** Whether the arc, through its ends as they are now, is as near to the settled curves as an arc must be. */
  private isNear({ segment, radius }: Circle): boolean {
    const { points, arcs } = this;
    const last = segment + arcs.counts[segment] - 1;
    const [begin, end] = [segment * 8, last * 8 + 6];
    const signed = Math.sign(arcs.radii[segment]) * radius;
    const large = arcs.large[segment] === 1;
    const center = centerOf(points, begin, end, signed, large);
    if (center === undefined) return false;
    const chord = distance(points[end] - points[begin], points[end + 1] - points[begin + 1]);
    const part = Math.asin(Math.min(1, chord / (2 * radius)));
    const half = large ? Math.PI - part : part;
    // Places between the ends: those have their own limits.
    return this.fitter.accepts(
      segment,
      last,
      center[0],
      center[1],
      signed,
      half,
      segment > this.from,
      last + 1 < this.to,
      0.5,
    );
  }

  /** Moves the place where a segment begins onto the circle of the arc that ends or begins there. */
  private joint(k: number): void {
    const before = this.before(k);
    if (before < 0) return;
    const ending = this.arcEndingAt(before);
    const beginning = this.circles.get(k);
    if ((ending === undefined) === (beginning === undefined)) return;
    const circle = (ending ?? beginning) as Circle;
    const place = this.placeOn(circle, ending === undefined ? before : k, k, ending === undefined);
    if (place === undefined) return;
    const { points } = this.settled;
    const dx = place[0] - points[k * 8];
    const dy = place[1] - points[k * 8 + 1];
    const [nx, ny] = [points[k * 8] - circle.centerX, points[k * 8 + 1] - circle.centerY];
    const d = distance(nx, ny);
    const across = (dx * nx + dy * ny) / d;
    const along = (dy * nx - dx * ny) / d;
    if (Math.abs(across) > (this.crosses ? Math.max(MOST_CORNER_MOVE_PX, this.arcs.offPx) : this.arcs.offPx)) return;
    if (along * along > 2 * circle.radius * this.arcs.offPx) return;
    this.shift(k * 8, k * 8 + 2, place);
    this.shift(before * 8 + 6, before * 8 + 4, place);
  }

  /** Moves an end to a place, and its handle with it. */
  private shift(end: number, handle: number, [x, y]: readonly [number, number]): void {
    const { points } = this.settled;
    this.points[handle] = points[handle] + x - points[end];
    this.points[handle + 1] = points[handle + 1] + y - points[end + 1];
    this.points[end] = x;
    this.points[end + 1] = y;
  }

  private before(k: number): number {
    return k > this.from ? k - 1 : this.closed && this.to - this.from > 1 ? this.to - 1 : -1;
  }

  private arcEndingAt(k: number): Circle | undefined {
    const first = this.arcs.firsts[k];
    return first < 0 ? undefined : this.circles.get(first);
  }

  /** Where an arc's end is best: `beside` is the segment that goes on there, `k` the one that begins there. */
  private placeOn(circle: Circle, beside: number, k: number, isBegin: boolean): readonly [number, number] | undefined {
    const { points, kinds } = this.settled;
    const { arcs } = this;
    const [x, y] = [points[k * 8], points[k * 8 + 1]];
    const [nx, ny] = [x - circle.centerX, y - circle.centerY];
    const d = distance(nx, ny);
    this.crosses = false;
    // An arc that shares nothing stays, and so does its end.
    if (arcs.counts[beside] > 0 || arcs.firsts[beside] >= 0) return undefined;
    const nearest = [circle.centerX + (nx * circle.radius) / d, circle.centerY + (ny * circle.radius) / d] as const;
    if (kinds[beside] === SEGMENT_CUBIC) return nearest;
    if (kinds[beside] !== SEGMENT_LINE) return undefined;
    const p = beside * 8;
    const [lx, ly] = [points[p + 6] - points[p], points[p + 7] - points[p + 1]];
    const length = distance(lx, ly);
    const sine = (lx * nx + ly * ny) / (length * d);
    if (Math.abs(sine) > CROSSING_SINE) {
      this.crosses = true;
      const t = (circle.radius - d) / (sine * length);
      return [x + lx * t, y + ly * t];
    }
    // Level and upright lines have their places from more than one arc.
    if (lx === 0 || ly === 0) return undefined;
    if (Math.abs(sine) > TANGENT_SINE) return nearest;
    const other = isBegin ? this.arcEndingAt(this.before(beside)) : this.circles.get(this.after(beside));
    const far = isBegin ? p : p + 6;
    const signed = (c: Circle) => Math.sign(arcs.radii[c.segment]) * c.radius;
    const own = { x: circle.centerX, y: circle.centerY, r: signed(circle) };
    const opposite =
      other === undefined
        ? { x: points[far], y: points[far + 1], r: 0 }
        : { x: other.centerX, y: other.centerY, r: signed(other) };
    return isBegin ? tangent(opposite, own, false) : tangent(own, opposite, true);
  }

  private after(k: number): number {
    return k + 1 < this.to ? k + 1 : this.closed ? this.from : -1;
  }
}

/** Where the line that goes on smoothly from one circle to another leaves the first, or reaches the other. */
function tangent(
  a: { readonly x: number; readonly y: number; readonly r: number },
  b: { readonly x: number; readonly y: number; readonly r: number },
  atFirst: boolean,
): readonly [number, number] | undefined {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const d = distance(dx, dy);
  const sin = (b.r - a.r) / d;
  if (!(Math.abs(sin) < 1)) return undefined;
  const cos = Math.sqrt(1 - sin * sin);
  // The line's right, where centers of clockwise arcs are.
  const nx = (sin * dx - cos * dy) / d;
  const ny = (sin * dy + cos * dx) / d;
  const { x, y, r } = atFirst ? a : b;
  return [x - r * nx, y - r * ny];
}

function at(points: Float64Array, p: number, t: number): number {
  const u = 1 - t;
  return u * u * u * points[p] + 3 * u * t * (u * points[p + 2] + t * points[p + 4]) + t * t * t * points[p + 6];
}
