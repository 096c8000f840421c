import { type ContourShape, contourNumbers } from './contour-shape.js';
import { SEGMENT_CUBIC, SEGMENT_SIZE } from './curves.js';
import { layOnto } from './lay-onto.js';

/** Vertices this near to the line through the centroid stand on the line of symmetry, px. */
const ON_LINE_PX = 0.35;
/** The line of symmetry is no further than this from the one through those vertices, px. */
const LINE_SHIFT_PX = 0.1;
/** Two halves that were fitted each by itself, with vertices at other places, may run this far apart, px. */
const EQUAL_PX = 0.09;
/** A contour that turns by less than this (the sine of the angle) where it crosses the line goes straight across. */
const STRAIGHT_SINE = 0.1;

/** A symmetric contour, and by how much its origin has to be moved (x, y, px) to be drawn in the other's place. */
export interface MirroredHalves {
  readonly shape: ContourShape;
  readonly offset: readonly [number, number];
  /** Where its line of symmetry is, from its origin, px. */
  readonly line: number;
}

/**
 * The contour made of one half of a shape and that half's mirror image about an upright (axis 0) or level (axis 1) line, for shapes
 * whose halves are alike but divided into segments in different ways. The half of fewer numbers is tried first. Undefined where
 * no two vertices stand on such a line, or where the result would be seen to differ.
 */
export function mirrorHalves(shape: ContourShape, axis: 0 | 1): MirroredHalves | undefined {
  const ends = verticesOnLine(shape, axis);
  if (ends === undefined) return undefined;
  const [i, j] = ends;
  const line = (shape.points[i * SEGMENT_SIZE + axis] + shape.points[j * SEGMENT_SIZE + axis]) / 2;
  const halves = [halfOf(shape, i, j, axis, line), halfOf(shape, j, i, axis, line)];
  halves.sort((a, b) => a.numbers - b.numbers);
  for (const half of halves) {
    if (half.numbers > shape.numbers) continue;
    const offset = layOnto(half, shape, EQUAL_PX);
    if (offset !== undefined && Math.abs(offset[axis]) < LINE_SHIFT_PX) return { shape: half, offset, line };
  }
  return undefined;
}

/** Of the vertices on the line the two that are furthest apart. */
function verticesOnLine({ count, points }: ContourShape, axis: 0 | 1): readonly [number, number] | undefined {
  let first = -1;
  let last = -1;
  for (let k = 0; k < count; k++) {
    const p = k * SEGMENT_SIZE;
    if (Math.abs(points[p + axis]) > ON_LINE_PX) continue;
    const along = points[p + 1 - axis];
    if (first < 0 || along < points[first * SEGMENT_SIZE + 1 - axis]) first = k;
    if (last < 0 || along > points[last * SEGMENT_SIZE + 1 - axis]) last = k;
  }
  return first === last ? undefined : [first, last];
}

/** The segments from vertex `from` to vertex `to` and their mirror image, as one contour. */
function halfOf(shape: ContourShape, from: number, to: number, axis: 0 | 1, line: number): ContourShape {
  const own = (to - from + shape.count) % shape.count;
  const count = 2 * own;
  const kinds = new Int32Array(count);
  const points = new Float64Array(count * SEGMENT_SIZE);
  for (let k = 0; k < own; k++) {
    const s = (from + k) % shape.count;
    kinds[k] = shape.kinds[s];
    points.set(shape.points.subarray(s * SEGMENT_SIZE, (s + 1) * SEGMENT_SIZE), k * SEGMENT_SIZE);
  }
  putOnLine(points, 0, kinds[0], 0, 2, axis, line, goesStraightAcross(shape, from));
  putOnLine(points, (own - 1) * SEGMENT_SIZE, kinds[own - 1], 6, 4, axis, line, goesStraightAcross(shape, to));
  for (let k = 0; k < own; k++) {
    const p = k * SEGMENT_SIZE;
    const q = (count - 1 - k) * SEGMENT_SIZE;
    kinds[count - 1 - k] = kinds[k];
    for (let i = 0; i < SEGMENT_SIZE; i += 2) {
      points[q + 6 - i + axis] = 2 * line - points[p + i + axis];
      points[q + 7 - i - axis] = points[p + i + 1 - axis];
    }
  }
  return { ...shape, count, numbers: contourNumbers(kinds), kinds, points };
}

/** Puts one end of the segment at p onto the line, its handle along with it: straight across the line where the contour goes so. */
function putOnLine(
  points: Float64Array,
  p: number,
  kind: number,
  end: number,
  handle: number,
  axis: 0 | 1,
  line: number,
  across: boolean,
): void {
  points[p + handle + axis] += line - points[p + end + axis];
  points[p + end + axis] = line;
  if (kind === SEGMENT_CUBIC && across) points[p + handle + 1 - axis] = points[p + end + 1 - axis];
}

/** Whether a shape has no corner at vertex k. */
function goesStraightAcross({ count, kinds, points }: ContourShape, k: number): boolean {
  const p = k * SEGMENT_SIZE;
  const b = (k + count - 1) % count;
  const q = b * SEGMENT_SIZE;
  const isCurved = kinds[k] === SEGMENT_CUBIC && kinds[b] === SEGMENT_CUBIC;
  if (!isCurved) return false;
  const ux = points[q + 6] - points[q + 4];
  const uy = points[q + 7] - points[q + 5];
  const vx = points[p + 2] - points[p];
  const vy = points[p + 3] - points[p + 1];
  const size = Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy)) || 1;
  return ux * vx + uy * vy > 0 && Math.abs(ux * vy - uy * vx) < STRAIGHT_SINE * size;
}
