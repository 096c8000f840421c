import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { contourMoments } from '../shapes/contour-moments.js';
import { type ChainCurves, isWholeShape, SEGMENT_CUBIC, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** Curves that run no further apart than this, across their way, are one for all that the pixels tell, px. */
export const EQUAL_PX = 0.02;
/** Where a curve goes on smoothly its vertex may stand anywhere along it: by how much two may be apart, px. */
const SLIDE_PX = 0.8;
/** Parameters at which cubics are held against each other; lines at their ends. */
const PLACES = [0, 0.25, 0.5, 0.75, 1];
/** Points per cubic of the polygon by which a contour is measured. */
const POLYGON_POINTS = 4;
/** Handles that differ by less from each other's mirror image are tied, px. */
const TIED_PX = 1e-6;
/** Steps in which equal shapes are apart, px: the digits that are written of them are then the same. */
const STEPS_PER_PX = 100;
/** Coordinates this near to whole pixels were put there, px. */
const WHOLE_PX = 1e-9;

/** A closed contour of lines and cubics about its centroid. */
export interface ContourShape {
  readonly count: number;
  /** Numbers its segments take when written as lines and cubics. */
  readonly numbers: number;
  readonly kinds: Int32Array;
  /** Eight numbers per segment as the curves have them, less the centroid, px. */
  readonly points: Float64Array;
  readonly cx: number;
  readonly cy: number;
  /** Px². */
  readonly area: number;
  /** Px, along the polygon it is measured by. */
  readonly length: number;
}

/**
 * The shape of a chain that is a closed contour by itself; undefined for chains between nodes, whole shapes (circles and such),
 * and contours that stand on whole pixels: those are exact already.
 */
export function contourShape(map: PlanarMap, curves: ChainCurves, chain: number): ContourShape | undefined {
  const from = curves.starts[chain];
  const count = curves.starts[chain + 1] - from;
  if (map.startNode[chain] >= 0 || count < 2 || isWholeShape(curves.kinds[from])) return undefined;
  const kinds = curves.kinds.slice(from, from + count);
  const points = curves.points.slice(from * SEGMENT_SIZE, (from + count) * SEGMENT_SIZE);
  const xs = new Float64Array(count * POLYGON_POINTS);
  const ys = new Float64Array(count * POLYGON_POINTS);
  let n = 0;
  for (let k = 0; k < count; k++) {
    const p = k * SEGMENT_SIZE;
    if (kinds[k] === SEGMENT_LINE && isOnWholePixels(points, p)) return undefined;
    const places = kinds[k] === SEGMENT_LINE ? 1 : POLYGON_POINTS;
    for (let i = 0; i < places; i++) {
      xs[n] = at(points, p, i / places);
      ys[n++] = at(points, p + 1, i / places);
    }
  }
  const { area, cx, cy } = contourMoments(xs, ys, n);
  if (!(area > 1)) return undefined;
  let length = 0;
  for (let i = 0, j = n - 1; i < n; j = i++) length += distance(xs[i] - xs[j], ys[i] - ys[j]);
  for (let p = 0; p < points.length; p += 2) {
    points[p] -= cx;
    points[p + 1] -= cy;
  }
  return { count, numbers: contourNumbers(kinds), kinds, points, cx, cy, area, length };
}

/** Numbers that segments take when written as lines and cubics. */
export function contourNumbers(kinds: Int32Array): number {
  let numbers = 0;
  for (const kind of kinds) numbers += kind === SEGMENT_LINE ? 2 : 6;
  return numbers;
}

/** The mirror image about an upright (axis 0) or level (axis 1) line through the centroid, walked the same way round. */
export function mirrorImage(shape: ContourShape, axis: 0 | 1): ContourShape {
  const { count, kinds, points } = shape;
  const mirrored = new Float64Array(points.length);
  for (let k = 0; k < count; k++) {
    const from = (count - 1 - k) * SEGMENT_SIZE;
    for (let i = 0; i < SEGMENT_SIZE; i += 2) {
      mirrored[k * SEGMENT_SIZE + i + axis] = -points[from + 6 - i + axis];
      mirrored[k * SEGMENT_SIZE + i + 1 - axis] = points[from + 6 - i + 1 - axis];
    }
  }
  return { ...shape, kinds: kinds.slice().reverse(), points: mirrored };
}

/** By how many segments `other` has to be turned to run along `shape` within the evidence; -1 where it does not. */
export function turnOnto(shape: ContourShape, other: ContourShape): number {
  if (shape.count !== other.count || Math.abs(shape.area - other.area) > EQUAL_PX * shape.length) return -1;
  const { points } = other;
  for (let turn = 0; turn < other.count; turn++) {
    const p = turn * SEGMENT_SIZE;
    const isNear =
      Math.abs(points[p] - shape.points[0]) < SLIDE_PX && Math.abs(points[p + 1] - shape.points[1]) < SLIDE_PX;
    if (isNear && runsAlong(shape, other, turn)) return turn;
  }
  return -1;
}

/** Whether `other`, turned by so many segments, runs along `shape` within the evidence. */
function runsAlong(shape: ContourShape, other: ContourShape, turn: number): boolean {
  const { count, kinds, points } = shape;
  for (let k = 0; k < count; k++) {
    const o = (k + turn) % count;
    if (kinds[k] !== other.kinds[o]) return false;
    const p = k * SEGMENT_SIZE;
    const q = o * SEGMENT_SIZE;
    const isLine = kinds[k] === SEGMENT_LINE;
    for (const t of PLACES) {
      if (isLine && t !== 0 && t !== 1) continue;
      const dx = at(points, p, t) - at(other.points, q, t);
      const dy = at(points, p + 1, t) - at(other.points, q + 1, t);
      // At its ends a cubic may have no slope: there its chord is as good.
      const fromEnd = t === 0 || t === 1;
      const tx = isLine || (fromEnd && isPoint(points, p, t)) ? points[p + 6] - points[p] : slope(points, p, t);
      const ty = isLine || (fromEnd && isPoint(points, p, t)) ? points[p + 7] - points[p + 1] : slope(points, p + 1, t);
      if (!(Math.abs(dx * ty - dy * tx) <= EQUAL_PX * distance(tx, ty)) || distance(dx, dy) > SLIDE_PX) return false;
    }
  }
  return true;
}

/**
 * The mean of shapes that run along the first one when turned by `turns`; undefined where one of them then does not run along
 * the mean. Handles that are tied in one of them are so in the mean, as are lines that are level or upright.
 */
export function meanShape(shapes: readonly ContourShape[], turns: readonly number[]): ContourShape | undefined {
  const [first] = shapes;
  const { count, kinds } = first;
  const size = first.points.length;
  const points = new Float64Array(size);
  const tied = new Uint8Array(count);
  const straight = new Uint8Array(2 * count);
  shapes.forEach((shape, s) => {
    const shift = turns[s] * SEGMENT_SIZE;
    for (let i = 0; i < size; i++) points[i] += shape.points[(i + shift) % size];
    for (let k = 0; k < count; k++) {
      const own = (k + turns[s]) % count;
      if (isTied(shape, own)) tied[k] = 1;
      for (let axis = 0; axis < 2; axis++) {
        const p = own * SEGMENT_SIZE + axis;
        if (kinds[k] === SEGMENT_LINE && shape.points[p] === shape.points[p + 6]) straight[2 * k + axis] = 1;
      }
    }
  });
  for (let i = 0; i < size; i++) points[i] /= shapes.length;
  for (let i = 0; i < straight.length; i++) if (straight[i] === 1) straighten(points, i >> 1, count, i & 1);
  for (let k = 0; k < count; k++) if (tied[k] === 1) tieHandles(points, k, count);
  const mean = { ...first, kinds, points };
  return shapes.every((shape, s) => runsAlong(mean, shape, turns[s])) ? mean : undefined;
}

/** The nearest place on the grid of written digits, px. */
export function onGrid(place: number): number {
  return Math.round(place * STEPS_PER_PX) / STEPS_PER_PX;
}

/** Puts a shape in the place of a chain's segments, its origin at x, y. */
export function placeShape(
  { starts, kinds, points }: ChainCurves,
  chain: number,
  shape: ContourShape,
  x: number,
  y: number,
): void {
  const from = starts[chain];
  kinds.set(shape.kinds, from);
  const p = from * SEGMENT_SIZE;
  for (let i = 0; i < shape.points.length; i += 2) {
    points[p + i] = x + shape.points[i];
    points[p + i + 1] = y + shape.points[i + 1];
  }
}

/** Whether the handles about the vertex that segment k begins at mirror each other. */
function isTied({ count, kinds, points }: ContourShape, k: number): boolean {
  const before = (k + count - 1) % count;
  if (kinds[k] !== SEGMENT_CUBIC || kinds[before] !== SEGMENT_CUBIC) return false;
  const p = k * SEGMENT_SIZE;
  const q = before * SEGMENT_SIZE;
  return (
    Math.abs(points[q + 4] + points[p + 2] - 2 * points[p]) < TIED_PX &&
    Math.abs(points[q + 5] + points[p + 3] - 2 * points[p + 1]) < TIED_PX
  );
}

/** Makes those handles each other's mirror images. */
function tieHandles(points: Float64Array, k: number, count: number): void {
  const p = k * SEGMENT_SIZE;
  const q = ((k + count - 1) % count) * SEGMENT_SIZE;
  for (let i = 0; i < 2; i++) {
    const half = (points[p + 2 + i] - points[q + 4 + i]) / 2;
    points[p + 2 + i] = points[p + i] + half;
    points[q + 4 + i] = points[p + i] - half;
  }
}

/** Puts both ends of line k on one coordinate, and the handles about them along with them. */
function straighten(points: Float64Array, k: number, count: number, axis: number): void {
  const p = k * SEGMENT_SIZE + axis;
  const before = ((k + count - 1) % count) * SEGMENT_SIZE + axis;
  const after = ((k + 1) % count) * SEGMENT_SIZE + axis;
  const place = (points[p] + points[p + 6]) / 2;
  points[before + 4] += place - points[p];
  points[after + 2] += place - points[p + 6];
  points[before + 6] = points[after] = place;
  for (let i = 0; i < SEGMENT_SIZE; i += 2) points[p + i] = place;
}

function isOnWholePixels(points: Float64Array, p: number): boolean {
  for (let i = 0; i < 2; i++) {
    const place = points[p + i];
    if (place === points[p + 6 + i] && Math.abs(place - Math.round(place)) < WHOLE_PX) return true;
  }
  return false;
}

function isPoint(points: Float64Array, p: number, t: number): boolean {
  return slope(points, p, t) === 0 && slope(points, p + 1, t) === 0;
}

/** One coordinate of a segment, whose numbers of it begin at p, at parameter t. */
export function at(points: Float64Array, p: number, t: number): number {
  const u = 1 - t;
  return u * u * u * points[p] + 3 * u * t * (u * points[p + 2] + t * points[p + 4]) + t * t * t * points[p + 6];
}

/** And its slope there, but for a factor. */
export function slope(points: Float64Array, p: number, t: number): number {
  const u = 1 - t;
  return (
    u * u * (points[p + 2] - points[p]) +
    2 * u * t * (points[p + 4] - points[p + 2]) +
    t * t * (points[p + 6] - points[p + 4])
  );
}
