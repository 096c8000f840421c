import type { DepthField } from './depth-field.js';
import type { LinePiece, PieceEnd } from './line-pieces.js';
import { linesAndArcs } from './lines-and-arcs.js';

import { ontoPrimitive } from './point-moments.js';

/** Where a piece of a line ends, and how it would go on: on a circle, or straight. */
export interface OpenEnd {
  readonly piece: number;
  readonly atStart: boolean;
  readonly kind: PieceEnd;
  /** Whether its direction is hardly known. */
  readonly stub: boolean;
  /** Places at the end of the piece that show other things, and are none of its. */
  readonly skip: number;
  readonly x: number;
  readonly y: number;
  /** Unit direction out of the piece. */
  readonly ux: number;
  readonly uy: number;
  /** Curvature, 1/px: positive turns from x to y. */
  readonly bend: number;
  /** Where it would go, a step apart, as far as there is room for the line: x, y in turn, the end itself first. */
  readonly ahead: readonly number[];
}

export const STEP_PX = 0.5;
/** An end's course is told by so many widths and px before it. */
const WINDOW_WIDTHS = 2.5;
const WINDOW_PX = 8;
const LEAST_PLACES = 5;
/** A bend whose height over the window is less than this, px, is none. */
const STRAIGHT_PX = 0.12;
/** The last places before an end may show other things as well: at most so many. */
const MOST_SKIPPED = 5;
/** Nothing goes on unseen for more widths, and px. */
const FARTHEST_WIDTHS = 3;
const FARTHEST_PX = 4;

export function openEnd(
  pieces: readonly LinePiece[],
  number: number,
  atStart: boolean,
  width: number,
  depths: DepthField,
): OpenEnd {
  const { x, y, corner, start, end } = pieces[number];
  const kind = atStart ? start : end;
  const { xs, ys, count } = windowOf(x, y, corner, atStart, width);
  const { course, skip } = courseAt(xs, ys, count, kind === 'tip' ? 0 : Math.min(MOST_SKIPPED, count >> 1));
  const ahead = kind === 'tip' ? [course.x, course.y] : wayAhead(course, width, depths);
  const { ux, uy, bend } = course;
  return {
    piece: number,
    atStart,
    kind,
    stub: pieces[number].stub,
    skip,
    x: course.x,
    y: course.y,
    ux,
    uy,
    bend,
    ahead,
  };
}

/** An end that would go on straight. */
export function straightened(end: OpenEnd, width: number, depths: DepthField): OpenEnd {
  return { ...end, bend: 0, ahead: wayAhead({ ...end, bend: 0 }, width, depths) };
}

/** The end of a stub as it would lead to a place; undefined where that is not about its direction. Others stay as they are. */
export function aimed(end: OpenEnd, x: number, y: number): OpenEnd | undefined {
  if (!end.stub) return end;
  const dx = x - end.x;
  const dy = y - end.y;
  const way = Math.hypot(dx, dy) || 1;
  if (dx * end.ux + dy * end.uy < STUB_COSINE * way) return undefined;
  return { ...end, ux: dx / way, uy: dy / way };
}

/** How far off its direction a stub may lead: the cosine. */
const STUB_COSINE = 0.92;

function wayAhead(
  course: Pick<OpenEnd, 'x' | 'y' | 'ux' | 'uy' | 'bend'>,
  width: number,
  depths: DepthField,
): readonly number[] {
  const ahead = [course.x, course.y];
  const steps = Math.ceil((FARTHEST_WIDTHS * width + FARTHEST_PX) / STEP_PX);
  for (let s = 1; s <= steps; s++) {
    const [px, py] = onCourse(course, s * STEP_PX);
    if (!depths.holds(px, py, width / 2)) break;
    ahead.push(px, py);
  }
  return ahead;
}

/** The places that tell an end's course, from the end on: as many as there are to the first corner, in the window. */
function windowOf(
  x: readonly number[],
  y: readonly number[],
  corner: readonly number[],
  atStart: boolean,
  width: number,
) {
  const size = x.length;
  const farthest = WINDOW_WIDTHS * width + WINDOW_PX;
  const xs: number[] = [];
  const ys: number[] = [];
  let length = 0;
  for (let k = 0; k < size && length < farthest; k++) {
    const at = atStart ? k : size - 1 - k;
    if (k > 0) length += Math.hypot(x[at] - xs[k - 1], y[at] - ys[k - 1]);
    xs.push(x[at]);
    ys.push(y[at]);
    if (k > 0 && corner[at] === 1) break;
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys), count: xs.length };
}

/** The line or arc that places, given from the end on, come from last; what is too short for one may be left out. */
function courseAt(
  xs: Float64Array,
  ys: Float64Array,
  count: number,
  mostSkipped: number,
): { readonly course: Course; readonly skip: number } {
  const found = count >= LEAST_PLACES ? linesAndArcs(xs, ys, count, false) : undefined;
  if (found === undefined) return { course: courseOf(xs, ys, Math.min(count, LEAST_PLACES)), skip: 0 };
  const { breaks, primitives } = found;
  let first = 0;
  while (first + 1 < primitives.length && breaks[first + 1] <= mostSkipped) first++;
  const skip = breaks[first];
  const { x, y, radius } = primitives[first];
  const [px, py] = ontoPrimitive(primitives[first], xs[skip], ys[skip]);
  // Arcs are told over less than half a turn; the first places may lie behind each other.
  const reach = radius > 0 ? Math.ceil(radius) : count;
  const next = Math.max(skip + 1, Math.min(skip + reach, breaks[first + 1]));
  let { ux, uy } = primitives[first];
  if (radius > 0) [ux, uy] = [-(py - y) / radius, (px - x) / radius];
  if (ux * (xs[skip] - xs[next]) + uy * (ys[skip] - ys[next]) < 0) [ux, uy] = [-ux, -uy];
  const bend = radius > 0 ? Math.sign((x - px) * -uy + (y - py) * ux) / radius : 0;
  return { course: { x: px, y: py, ux, uy, bend }, skip };
}

/** A place on a course, so many px ahead. */
export function onCourse(
  { x, y, ux, uy, bend }: Pick<OpenEnd, 'x' | 'y' | 'ux' | 'uy' | 'bend'>,
  way: number,
): readonly [x: number, y: number] {
  if (Math.abs(bend * way) < 1e-4) return [x + ux * way, y + uy * way];
  const turn = bend * way;
  const along = Math.sin(turn) / bend;
  const aside = (1 - Math.cos(turn)) / bend;
  return [x + ux * along - uy * aside, y + uy * along + ux * aside];
}

interface Course {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
  readonly bend: number;
}

/** The parabola, or line, through the first `n` places, at the first, running out beyond it. */
function courseOf(xs: Float64Array, ys: Float64Array, n: number): Course {
  const fx = xs[0] - xs[n - 1];
  const fy = ys[0] - ys[n - 1];
  const chord = Math.hypot(fx, fy) || 1;
  const ux = fx / chord;
  const uy = fy / chord;
  let mx = 0;
  let my = 0;
  for (let k = 0; k < n; k++) {
    mx += xs[k] / n;
    my += ys[k] / n;
  }
  let u2 = 0;
  let u3 = 0;
  let u4 = 0;
  let v1 = 0;
  let v2 = 0;
  for (let k = 0; k < n; k++) {
    const u = (xs[k] - mx) * ux + (ys[k] - my) * uy;
    const v = (ys[k] - my) * ux - (xs[k] - mx) * uy;
    u2 += u * u;
    u3 += u * u * u;
    u4 += u * u * u * u;
    v1 += u * v;
    v2 += u * u * v;
  }
  // v = a + b u + c (u u), where the sums of u and of v are nothing.
  const determinant = u2 * (u4 - (u2 * u2) / n) - u3 * u3;
  let b = u2 > 0 ? v1 / u2 : 0;
  let c = 0;
  if (n >= LEAST_PLACES && determinant > 1e-9) {
    const bend = (v2 * u2 - v1 * u3) / determinant;
    if (Math.abs(bend) * chord * chord * 0.25 > STRAIGHT_PX) {
      c = bend;
      b = (v1 * (u4 - (u2 * u2) / n) - v2 * u3) / determinant;
    }
  }
  const a = (-c * u2) / n;
  const u = (xs[0] - mx) * ux + (ys[0] - my) * uy;
  const v = a + b * u + c * u * u;
  const slope = b + 2 * c * u;
  const norm = Math.hypot(1, slope);
  return {
    x: mx + ux * u - uy * v,
    y: my + uy * u + ux * v,
    ux: (ux - slope * uy) / norm,
    uy: (uy + slope * ux) / norm,
    bend: (2 * c) / norm ** 3,
  };
}
