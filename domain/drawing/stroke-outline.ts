import type { Stroke } from '#domain/drawing/drawing.js';
import { Polylines } from './polylines.js';

/** A pattern that repeats more often than this along one outline is drawn as a solid line. */
const MAX_DASHES = 100_000;

/**
 * What a stroke paints, as polygons of one orientation for the nonzero rule: one per piece of line, join and cap. They
 * overlap within the stroke, and nowhere else by more than the wedge inside a bend.
 */
export function strokeOutline(lines: Polylines, stroke: Stroke, tolerance: number, out: Polylines): void {
  if (!(stroke.width > 0)) return;
  const source = stroke.dashes.length > 0 ? dashed(lines, stroke) : lines;
  for (let i = 0; i < source.count; i++)
    strokeOne(source, source.starts[i]!, source.starts[i + 1]!, source.closed[i] === 1, stroke, tolerance, out);
  out.finish();
}

function strokeOne(
  { points, corners }: Polylines,
  from: number,
  to: number,
  closed: boolean,
  stroke: Stroke,
  tolerance: number,
  out: Polylines,
): void {
  const half = stroke.width / 2;
  const step = tolerance < half / 4 ? 2 * Math.acos(1 - tolerance / half) : Math.PI / 4;
  const firstX = points[2 * from]!;
  const firstY = points[2 * from + 1]!;
  let x = firstX;
  let y = firstY;
  let corner = 1;
  // Directions of the first and the previous piece.
  let haveFirst = false;
  let firstDx = 0;
  let firstDy = 0;
  let dx = 0;
  let dy = 0;
  const last = closed ? to : to - 1;
  for (let k = from + 1; k <= last; k++) {
    const at = k === to ? from : k;
    const nextX = points[2 * at]!;
    const nextY = points[2 * at + 1]!;
    const length = Math.hypot(nextX - x, nextY - y);
    if (length === 0) continue;
    const ux = (nextX - x) / length;
    const uy = (nextY - y) / length;
    if (haveFirst)
      addJoin(x, y, dx, dy, ux, uy, half, corner === 1 ? stroke.join : 'round', stroke.miterLimit, step, out);
    else {
      haveFirst = true;
      firstDx = ux;
      firstDy = uy;
    }
    const nx = -uy * half;
    const ny = ux * half;
    out.begin();
    out.add(x + nx, y + ny, 1);
    out.add(nextX + nx, nextY + ny, 1);
    out.add(nextX - nx, nextY - ny, 1);
    out.add(x - nx, y - ny, 1);
    x = nextX;
    y = nextY;
    dx = ux;
    dy = uy;
    corner = corners[at]!;
  }
  if (!haveFirst) {
    // A single point shows its caps.
    addCap(x, y, 1, 0, half, stroke.cap, step, out);
    addCap(x, y, -1, 0, half, stroke.cap, step, out);
  } else if (closed) {
    const join = corners[from] === 1 ? stroke.join : 'round';
    addJoin(x, y, dx, dy, firstDx, firstDy, half, join, stroke.miterLimit, step, out);
  } else {
    addCap(firstX, firstY, -firstDx, -firstDy, half, stroke.cap, step, out);
    addCap(x, y, dx, dy, half, stroke.cap, step, out);
  }
}

/** Points from (x, y) + (ax, ay) turned by `angle` in equal steps, the last one included. */
function addTurn(x: number, y: number, ax: number, ay: number, angle: number, step: number, out: Polylines): void {
  const steps = Math.max(1, Math.ceil(Math.abs(angle) / step));
  for (let k = 1; k <= steps; k++) {
    const cos = Math.cos((angle * k) / steps);
    const sin = Math.sin((angle * k) / steps);
    out.add(x + ax * cos - ay * sin, y + ax * sin + ay * cos, 0);
  }
}

function addCap(
  x: number,
  y: number,
  dx: number,
  dy: number,
  half: number,
  cap: Stroke['cap'],
  step: number,
  out: Polylines,
): void {
  if (cap === 'butt') return;
  const nx = -dy * half;
  const ny = dx * half;
  out.begin();
  out.add(x + nx, y + ny, 1);
  if (cap === 'round') addTurn(x, y, nx, ny, -Math.PI, step, out);
  else {
    out.add(x + nx + dx * half, y + ny + dy * half, 1);
    out.add(x - nx + dx * half, y - ny + dy * half, 1);
    out.add(x - nx, y - ny, 1);
  }
}

/** Fills the wedge on the outer side of a bend from direction (dx, dy) to (ux, uy). */
function addJoin(
  x: number,
  y: number,
  dx: number,
  dy: number,
  ux: number,
  uy: number,
  half: number,
  join: Stroke['join'],
  miterLimit: number,
  step: number,
  out: Polylines,
): void {
  const cross = dx * uy - dy * ux;
  const dot = dx * ux + dy * uy;
  if (cross === 0 && dot > 0) return;
  // From a to b runs the way round that the pieces of line have.
  const ax = (cross > 0 ? uy : -dy) * half;
  const ay = (cross > 0 ? -ux : dx) * half;
  const bx = (cross > 0 ? dy : -uy) * half;
  const by = (cross > 0 ? -dx : ux) * half;
  out.begin();
  out.add(x, y, 1);
  out.add(x + ax, y + ay, 1);
  if (join === 'round') addTurn(x, y, ax, ay, -Math.abs(Math.atan2(cross, dot)), step, out);
  else {
    if (join === 'miter' && dot > -1 && 2 <= miterLimit * miterLimit * (1 + dot)) {
      const reach = 1 / (1 + dot);
      out.add(x + (ax + bx) * reach, y + (ay + by) * reach, 1);
    }
    out.add(x + bx, y + by, 1);
  }
}

/** The dashes of every line, as open lines of their own. */
function dashed(lines: Polylines, { dashes, dashOffset }: Stroke): Polylines {
  const { points, corners, starts } = lines;
  const pattern = dashes.length % 2 === 1 ? [...dashes, ...dashes] : dashes;
  const period = pattern.reduce((sum, length) => sum + length, 0);
  if (!(period > 0) || pattern.some((length) => !(length >= 0))) return lines;
  const out = new Polylines();
  for (let i = 0; i < lines.count; i++) {
    const from = starts[i]!;
    const to = starts[i + 1]!;
    const last = lines.closed[i] === 1 ? to : to - 1;
    let total = 0;
    for (let k = from + 1; k <= last; k++) {
      const at = k === to ? from : k;
      total += Math.hypot(points[2 * at]! - points[2 * k - 2]!, points[2 * at + 1]! - points[2 * k - 1]!);
    }
    if (total / period > MAX_DASHES) return lines;
    // Where in the pattern the line begins.
    let dash = 0;
    let left = dashOffset - Math.floor(dashOffset / period) * period;
    while (left >= pattern[dash]!) {
      left -= pattern[dash]!;
      dash = (dash + 1) % pattern.length;
    }
    left = pattern[dash]! - left;
    let drawn = dash % 2 === 0;
    if (drawn) {
      out.begin();
      out.add(points[2 * from]!, points[2 * from + 1]!, 1);
    }
    for (let k = from + 1; k <= last; k++) {
      const at = k === to ? from : k;
      const x0 = points[2 * k - 2]!;
      const y0 = points[2 * k - 1]!;
      const x1 = points[2 * at]!;
      const y1 = points[2 * at + 1]!;
      const length = Math.hypot(x1 - x0, y1 - y0);
      let done = 0;
      while (length - done >= left) {
        done += left;
        const x = x0 + ((x1 - x0) * done) / (length || 1);
        const y = y0 + ((y1 - y0) * done) / (length || 1);
        dash = (dash + 1) % pattern.length;
        left = pattern[dash]!;
        if (drawn) out.add(x, y, 1);
        drawn = !drawn;
        if (drawn) {
          out.begin();
          out.add(x, y, 1);
        }
        if (length === 0) break;
      }
      left -= length - done;
      if (drawn) out.add(x1, y1, corners[at] === 1 ? 1 : 0);
    }
  }
  out.finish();
  return out;
}
