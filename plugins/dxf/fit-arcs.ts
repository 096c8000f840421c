import { cubicPieces } from '#domain/drawing/outline-visitors.js';
import { areaOf, type Contour, type Segment } from './contours.js';
import { type CubicSegment, type Extent, splitCubic, withNodesAtExtremes } from './extremes.js';

/** A curve is divided at most so often; what is left then is shorter than any tolerance. */
const MAX_DEPTH = 14;
/** Places on a cubic where the arcs' distance is measured. */
const SAMPLES = 9;
/** An arc that goes farther around than half a circle is a sign of a bad fit. */
const MAX_BULGE = 1;
/** Arcs flatter than this part of the tolerance are written as lines. */
const FLAT_PART = 0.01;
/** How far the area of what is fitted may be from the true one; readers are promised a thousandth. */
const AREA_SHARE = 0.0005;
const MAX_REFINEMENTS = 12;
/** Curves are fitted within this part of the tolerance; the rest is room to set the area right in. */
const FITTED_PART = 0.8;

/** tan of half the angle from direction a to direction b, positive counter-clockwise. */
function halfAngleTan(ax: number, ay: number, bx: number, by: number): number {
  const cross = ax * by - ay * bx;
  const length = Math.hypot(ax, ay) * Math.hypot(bx, by);
  return cross / (length + ax * bx + ay * by);
}

/** Distance from a point to the circle of the arc from (x0, y0) to (x1, y1), or to its line where it is flat. */
function distanceToArc(px: number, py: number, x0: number, y0: number, x1: number, y1: number, bulge: number): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const chord = Math.hypot(dx, dy);
  if (chord === 0) return Math.hypot(px - x0, py - y0);
  const toSide = ((px - x0) * -dy + (py - y0) * dx) / chord;
  if (Math.abs(bulge) < 1e-7) return Math.abs(toSide);
  // The center lies on the chord's bisector, to the left for a positive (counter-clockwise) bulge below 1.
  const reach = (chord * (1 - bulge * bulge)) / (4 * bulge);
  const cx = (x0 + x1) / 2 - (dy / chord) * reach;
  const cy = (y0 + y1) / 2 + (dx / chord) * reach;
  const radius = (chord * (1 + bulge * bulge)) / (4 * Math.abs(bulge));
  return Math.abs(Math.hypot(px - cx, py - cy) - radius);
}

interface Biarc {
  readonly jointX: number;
  readonly jointY: number;
  readonly first: number;
  readonly second: number;
  /** Direction of the curve at the joint. */
  readonly dirX: number;
  readonly dirY: number;
}

/**
 * Where the first arc may end, in times of the place that splits evenly. Curves that bend more towards one end are met better
 * off the middle.
 */
const JOINTS = [1, 0.7, 1.4, 0.45, 2, 0.85, 1.2];

interface Ends {
  readonly x0: number;
  readonly y0: number;
  readonly x: number;
  readonly y: number;
  /** Unit directions of the curve at its ends. */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

function directionOf(candidates: readonly (readonly [number, number])[]): readonly [number, number] | undefined {
  for (const [dx, dy] of candidates) {
    const length = Math.hypot(dx, dy);
    if (length > 1e-12) return [dx / length, dy / length];
  }
  return undefined;
}

/** Undefined for a curve that is a point. */
function endsOf(x0: number, y0: number, { x, y, controls }: CubicSegment): Ends | undefined {
  const [x1, y1, x2, y2] = controls;
  const from = directionOf([
    [x1 - x0, y1 - y0],
    [x2 - x0, y2 - y0],
    [x - x0, y - y0],
  ]);
  const to = directionOf([
    [x - x2, y - y2],
    [x - x1, y - y1],
    [x - x0, y - y0],
  ]);
  return from && to && { x0, y0, x, y, from, to };
}

/** How far along both end tangents the arcs reach where they share the way evenly. */
function evenReach({ x0, y0, x, y, from, to }: Ends): number | undefined {
  const vx = x - x0;
  const vy = y - y0;
  const chordSq = vx * vx + vy * vy;
  const along = vx * (from[0] + to[0]) + vy * (from[1] + to[1]);
  const turn = 2 * (1 - (from[0] * to[0] + from[1] * to[1]));
  const reach = turn > 1e-9 ? (-along + Math.sqrt(along * along + turn * chordSq)) / turn : chordSq / (2 * along);
  return reach > 0 && Number.isFinite(reach) ? reach : undefined;
}

/** Two arcs that leave and arrive in the curve's own directions and meet without a corner, the first reaching `reach` far. */
function biarcOf({ x0, y0, x, y, from, to }: Ends, reach: number): Biarc | undefined {
  const vx = x - x0;
  const vy = y - y0;
  const turn = 1 - (from[0] * to[0] + from[1] * to[1]);
  const reachBack =
    ((vx * vx + vy * vy) / 2 - reach * (vx * from[0] + vy * from[1])) / (vx * to[0] + vy * to[1] + reach * turn);
  if (!(reachBack > 0)) return undefined;
  const ax = x0 + reach * from[0];
  const ay = y0 + reach * from[1];
  const dirX = x - reachBack * to[0] - ax;
  const dirY = y - reachBack * to[1] - ay;
  const share = reach / (reach + reachBack);
  const jointX = ax + share * dirX;
  const jointY = ay + share * dirY;
  // The chord turns half as far from the tangent as the arc does in all.
  const first = halfAngleTan(from[0], from[1], jointX - x0, jointY - y0);
  const second = halfAngleTan(x - jointX, y - jointY, to[0], to[1]);
  const sane = Math.abs(first) <= MAX_BULGE && Math.abs(second) <= MAX_BULGE;
  return sane ? { jointX, jointY, first, second, dirX, dirY } : undefined;
}

/** The first pair of arcs that is near enough. */
function biarcWithin(x0: number, y0: number, cubic: CubicSegment, tolerance: number): Biarc | undefined {
  const ends = endsOf(x0, y0, cubic);
  const even = ends && evenReach(ends);
  if (even === undefined) return undefined;
  for (const joint of JOINTS) {
    const biarc = biarcOf(ends!, even * joint);
    if (biarc !== undefined && isWithin(x0, y0, cubic, biarc, tolerance)) return biarc;
  }
  return undefined;
}

function isWithin(x0: number, y0: number, { x, y, controls }: CubicSegment, biarc: Biarc, tolerance: number): boolean {
  const [x1, y1, x2, y2] = controls;
  const { jointX, jointY, first, second, dirX, dirY } = biarc;
  for (let k = 1; k <= SAMPLES; k++) {
    const t = k / (SAMPLES + 1);
    const s = 1 - t;
    const a = s * s * s;
    const b = 3 * s * s * t;
    const c = 3 * s * t * t;
    const d = t * t * t;
    const px = a * x0 + b * x1 + c * x2 + d * x;
    const py = a * y0 + b * y1 + c * y2 + d * y;
    const before = (px - jointX) * dirX + (py - jointY) * dirY < 0;
    const off = before
      ? distanceToArc(px, py, x0, y0, jointX, jointY, first)
      : distanceToArc(px, py, jointX, jointY, x, y, second);
    if (!(off <= tolerance)) return false;
  }
  return true;
}

/** A line or an arc; an arc that hardly leaves its chord is a line. */
function piece(fromX: number, fromY: number, x: number, y: number, bulge: number, tolerance: number): Segment {
  const rise = (Math.abs(bulge) * Math.hypot(x - fromX, y - fromY)) / 2;
  return { x, y, bulge: rise < FLAT_PART * tolerance ? 0 : bulge };
}

/** Whether a cubic hardly leaves its chord and never runs back along it. */
function isStraight(x0: number, y0: number, { x, y, controls }: CubicSegment, tolerance: number): boolean {
  const dx = x - x0;
  const dy = y - y0;
  const chord = Math.hypot(dx, dy);
  const [x1, y1, x2, y2] = controls;
  const aside = (px: number, py: number) => Math.abs((px - x0) * dy - (py - y0) * dx);
  const along = (px: number, py: number) => ((px - x0) * dx + (py - y0) * dy) / (chord * chord);
  if (chord === 0) return Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x0, y2 - y0) < tolerance * FLAT_PART;
  const near = tolerance * 0.1 * chord;
  if (aside(x1, y1) > near || aside(x2, y2) > near) return false;
  return along(x1, y1) >= 0 && along(x2, y2) <= 1 && along(x1, y1) <= 1 && along(x2, y2) >= 0;
}

/** How much of a curve is tried when all of it does not fit, longest first; the last is taken in any case. */
const PARTS = [0.8, 0.65, 0.5];

function fitCubic(x0: number, y0: number, cubic: CubicSegment, tolerance: number, depth: number, out: Segment[]): void {
  if (depth === MAX_DEPTH || isStraight(x0, y0, cubic, tolerance)) {
    out.push({ x: cubic.x, y: cubic.y, bulge: 0 });
    return;
  }
  if (putBiarc(x0, y0, cubic, tolerance, out)) return;
  for (const part of PARTS) {
    const [head, tail] = splitCubic(x0, y0, cubic, part);
    const last = part === PARTS[PARTS.length - 1];
    if (last) fitCubic(x0, y0, head, tolerance, depth + 1, out);
    else if (!putBiarc(x0, y0, head, tolerance, out)) continue;
    fitCubic(head.x, head.y, tail, tolerance, depth + 1, out);
    return;
  }
}

function putBiarc(x0: number, y0: number, cubic: CubicSegment, tolerance: number, out: Segment[]): boolean {
  const biarc = biarcWithin(x0, y0, cubic, tolerance);
  if (biarc === undefined) return false;
  const { first, second, jointX, jointY } = biarc;
  out.push(piece(x0, y0, jointX, jointY, first, tolerance));
  out.push(piece(jointX, jointY, cubic.x, cubic.y, second, tolerance));
  return true;
}

function chordsOf(x0: number, y0: number, cubic: CubicSegment, finer: number, tolerance: number, out: Segment[]): void {
  const [x1, y1, x2, y2] = cubic.controls;
  const count = cubicPieces(x0, y0, x1, y1, x2, y2, cubic.x, cubic.y, finer);
  const first = out.length;
  let rest = cubic;
  let fromX = x0;
  let fromY = y0;
  for (let k = count; k > 1; k--) {
    const [head, tail] = splitCubic(fromX, fromY, rest, 1 / k);
    out.push({ x: head.x, y: head.y, bulge: 0 });
    fromX = head.x;
    fromY = head.y;
    rest = tail;
  }
  out.push({ x: cubic.x, y: cubic.y, bulge: 0 });
  if (count > 1) bulgeOut(x0, y0, out, first, count, tolerance - finer);
}

/**
 * Chords cut the area short of a curve that bends away from them: a third of the height of each triangle of three neighbors,
 * a quarter of it a chord. The vertices within a cubic stand out by that much, and take over what its ends, which stay, cannot.
 */
function bulgeOut(x0: number, y0: number, out: Segment[], first: number, count: number, most: number): void {
  const share = count / (count - 1) / 6;
  let beforeX = x0;
  let beforeY = y0;
  for (let i = first; i < first + count - 1; i++) {
    const { x, y } = out[i]!;
    const after = out[i + 1]!;
    const dx = after.x - beforeX;
    const dy = after.y - beforeY;
    const length = Math.hypot(dx, dy);
    beforeX = x;
    beforeY = y;
    if (length === 0) continue;
    const height = ((x - after.x) * dy - (y - after.y) * dx) / length;
    const by = Math.max(-most, Math.min(most, share * height));
    out[i] = { x: x + (by * dy) / length, y: y - (by * dx) / length, bulge: 0 };
  }
}

/** An arc as chords within the tolerance. */
function arcChords(fromX: number, fromY: number, { x, y, bulge }: Segment, tolerance: number, out: Segment[]): void {
  const sweep = 4 * Math.atan(bulge);
  const chord = Math.hypot(x - fromX, y - fromY);
  const radius = (chord * (1 + bulge * bulge)) / (4 * Math.abs(bulge));
  const widest = 2 * Math.acos(Math.max(0, 1 - tolerance / radius));
  const reach = (chord * (1 - bulge * bulge)) / (4 * bulge);
  const cx = (fromX + x) / 2 - ((y - fromY) / chord) * reach;
  const cy = (fromY + y) / 2 + ((x - fromX) / chord) * reach;
  const start = Math.atan2(fromY - cy, fromX - cx);
  // Nodes at the four sides of the circle keep its extents.
  const quarter = Math.PI / 2;
  const sides: number[] = [];
  const [low, high] = sweep > 0 ? [start, start + sweep] : [start + sweep, start];
  for (let n = Math.floor(low / quarter) + 1; n * quarter < high - 1e-9; n++)
    if (n * quarter > low + 1e-9) sides.push(n * quarter);
  if (sweep < 0) sides.reverse();
  let from = start;
  for (const to of [...sides, start + sweep]) {
    const count = Math.max(1, Math.ceil(Math.abs(to - from) / widest - 1e-9));
    for (let k = 1; k <= count; k++) {
      const angle = from + (k * (to - from)) / count;
      out.push({ x: cx + radius * Math.cos(angle), y: cy + radius * Math.sin(angle), bulge: 0 });
    }
    from = to;
  }
  out[out.length - 1] = { x, y, bulge: 0 };
}

/** Arcs are bent by at most so much for the area's sake: their neighbors meet them with a kink of four times that, in radians. */
const MAX_BEND = 0.008;

function fitted(contour: Contour, finer: number, tolerance: number, arcs: boolean): Contour {
  const segments: Segment[] = [];
  /** Which segments stand for a cubic and may be bent. */
  const bendable: number[] = [];
  let fromX = contour.x;
  let fromY = contour.y;
  for (const segment of contour.segments) {
    const { controls, bulge } = segment;
    const first = segments.length;
    if (controls !== undefined) {
      const cubic = { ...segment, controls };
      if (arcs) fitCubic(fromX, fromY, cubic, finer, 0, segments);
      else chordsOf(fromX, fromY, cubic, finer, tolerance, segments);
    } else if (bulge !== 0 && !arcs) arcChords(fromX, fromY, segment, finer, segments);
    else segments.push(segment);
    if (arcs && controls !== undefined)
      for (let i = first; i < segments.length; i++) if (segments[i]!.bulge !== 0) bendable.push(i);
    fromX = segment.x;
    fromY = segment.y;
  }
  return arcs && contour.closed
    ? bent({ ...contour, segments }, bendable, areaOf(contour), tolerance - finer)
    : { ...contour, segments };
}

/** The contour with its arcs bent a little, all alike, towards the area that it should have; each moves by at most `most`. */
function bent(contour: Contour, bendable: readonly number[], area: number, most: number): Contour {
  const { segments } = contour;
  const chordOf = (i: number) => {
    const from = segments[i - 1] ?? contour;
    return Math.hypot(segments[i]!.x - from.x, segments[i]!.y - from.y);
  };
  let squares = 0;
  let longest = 0;
  for (const i of bendable) {
    const chord = chordOf(i);
    squares += chord * chord;
    longest = Math.max(longest, chord);
  }
  if (squares === 0) return contour;
  // A flat arc stands chord x bulge / 2 high, and two thirds of the chord times that is its area.
  const limit = Math.min(MAX_BEND, (2 * most) / longest);
  const bend = Math.max(-limit, Math.min(limit, (3 * (area - areaOf(contour))) / squares));
  const result = [...segments];
  for (const i of bendable) result[i] = { ...segments[i]!, bulge: segments[i]!.bulge + bend };
  return { ...contour, segments: result };
}

/**
 * Contours of lines, and of circular arcs where `arcs` is set, that stand off the true ones by at most `tolerance`. Closed
 * ones keep the area of the whole outline within 0.05 %: where the tolerance alone would not, arcs are bent and chords moved
 * by what is left of it, and at last it is made finer. The drawing's extent stays as it is.
 */
export function fitContours(
  contours: readonly Contour[],
  tolerance: number,
  arcs: boolean,
  extent: Extent,
): readonly Contour[] {
  const nodes = withNodesAtExtremes(contours, extent);
  const closed = nodes.filter((contour) => contour.closed);
  const areas = closed.map(areaOf);
  const allowed = AREA_SHARE * Math.abs(areas.reduce((sum, area) => sum + area, 0));
  let finer = FITTED_PART * tolerance;
  let result = nodes.map((contour) => fitted(contour, finer, tolerance, arcs));
  for (let pass = 0; pass < MAX_REFINEMENTS; pass++) {
    const off = result
      .filter((contour) => contour.closed)
      .reduce((sum, contour, i) => sum + Math.abs(areaOf(contour) - areas[i]!), 0);
    if (off <= allowed) break;
    // Chords err with the tolerance in proportion, arcs a little less evenly; half the way leaves room to move within.
    finer *= Math.max(0.25, Math.min(0.5, (0.8 * allowed) / off));
    result = nodes.map((contour) => fitted(contour, finer, tolerance, arcs));
  }
  return result;
}
