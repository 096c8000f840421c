import { distance } from '../math/distance.js';
import { at, type ContourShape, slope } from './contour-shape.js';
import { SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** Contours divided in different ways are one shape where they run no further apart than this, px. */
const EQUAL_PX = 0.03;
/** Before they are laid onto each other they may be further apart: a tip that is drawn otherwise moves the centroid, px. */
const FAR_PX = 0.2;
/** So near to a corner that turns by more (radians) the pixels tell little of it, px: tips may be blunt or sharp. */
const CORNER_CLEARANCE_PX = 1.6;
const CORNER_TURN = 0.3;
/** Longer contours are not compared piece by piece. */
const MOST_SEGMENTS = 48;
/** Places of a segment that are held against the other contour; pieces that a cubic is divided into for that. */
const PLACES = [0.25, 0.5, 0.75];
const PIECES = 16;

/**
 * Where the origin of `shape` has to be put, from that of `other` (x, y, px), for `shape` to be drawn in its place, however the two
 * are divided into segments; undefined where that would show: where they would run further apart than `equalPx`.
 */
export function layOnto(
  shape: ContourShape,
  other: ContourShape,
  equalPx = EQUAL_PX,
): readonly [number, number] | undefined {
  if (Math.max(shape.count, other.count) > MOST_SEGMENTS) return undefined;
  const target = polygonOf(other);
  const rows: number[] = [];
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let bx = 0;
  let by = 0;
  for (let k = 0; k < shape.count; k++) {
    const p = k * SEGMENT_SIZE;
    for (const t of PLACES) {
      const tx = slope(shape.points, p, t);
      const ty = slope(shape.points, p + 1, t);
      const size = distance(tx, ty) || 1;
      const off = offsetFrom(target, at(shape.points, p, t), at(shape.points, p + 1, t));
      const nx = -ty / size;
      const ny = tx / size;
      const r = off[0] * nx + off[1] * ny;
      if (distance(off[0], off[1]) > FAR_PX) return undefined;
      rows.push(nx, ny, r);
      xx += nx * nx;
      xy += nx * ny;
      yy += ny * ny;
      bx += nx * r;
      by += ny * r;
    }
  }
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 1e-6)) return undefined;
  const dx = (bx * yy - by * xy) / determinant;
  const dy = (by * xx - bx * xy) / determinant;
  for (let i = 0; i < rows.length; i += 3)
    if (Math.abs(rows[i + 2] - rows[i] * dx - rows[i + 1] * dy) > equalPx) return undefined;
  return coversAll(shape, target, dx, dy, equalPx) ? [dx, dy] : undefined;
}

/** Whether all of a polygon but what is near to corners lies on a shape moved by dx, dy. */
function coversAll(shape: ContourShape, polygon: Float64Array, dx: number, dy: number, equalPx: number): boolean {
  const own = polygonOf(shape);
  const corners = cornersOf(shape);
  for (let i = 0; i < polygon.length; i += 2) {
    const x = polygon[i] - dx;
    const y = polygon[i + 1] - dy;
    const off = offsetFrom(own, x, y);
    if (distance(off[0], off[1]) <= equalPx) continue;
    let isAtTip = false;
    for (let c = 0; c < corners.length && !isAtTip; c += 2)
      isAtTip = distance(corners[c] - x, corners[c + 1] - y) < CORNER_CLEARANCE_PX;
    if (!isAtTip) return false;
  }
  return true;
}

/** Points along a shape, x and y in turn. */
function polygonOf({ count, kinds, points }: ContourShape): Float64Array {
  const polygon = new Float64Array(count * PIECES * 2);
  let n = 0;
  for (let k = 0; k < count; k++) {
    const p = k * SEGMENT_SIZE;
    const pieces = kinds[k] === SEGMENT_LINE ? 1 : PIECES;
    for (let i = 0; i < pieces; i++) {
      polygon[n++] = at(points, p, i / pieces);
      polygon[n++] = at(points, p + 1, i / pieces);
    }
  }
  return polygon.subarray(0, n);
}

/** The vertices at which a shape turns, x and y in turn. */
function cornersOf({ count, points }: ContourShape): readonly number[] {
  const corners: number[] = [];
  for (let k = 0; k < count; k++) {
    const p = k * SEGMENT_SIZE;
    const q = ((k + count - 1) % count) * SEGMENT_SIZE;
    const ux = points[q + 6] - at(points, q, 0.9);
    const uy = points[q + 7] - at(points, q + 1, 0.9);
    const vx = at(points, p, 0.1) - points[p];
    const vy = at(points, p + 1, 0.1) - points[p + 1];
    if (Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) > CORNER_TURN)
      corners.push(points[p], points[p + 1]);
  }
  return corners;
}

/** The way from a point to the nearest one of a closed polygon, px. */
function offsetFrom(polygon: Float64Array, x: number, y: number): readonly [number, number] {
  let nearest = Infinity;
  let ox = 0;
  let oy = 0;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const ux = polygon[i] - polygon[j];
    const uy = polygon[i + 1] - polygon[j + 1];
    const along = ((x - polygon[j]) * ux + (y - polygon[j + 1]) * uy) / (ux * ux + uy * uy || 1);
    const t = along < 0 ? 0 : along > 1 ? 1 : along;
    const dx = polygon[j] + t * ux - x;
    const dy = polygon[j + 1] + t * uy - y;
    const squared = dx * dx + dy * dy;
    if (squared >= nearest) continue;
    nearest = squared;
    ox = dx;
    oy = dy;
  }
  return [ox, oy];
}
