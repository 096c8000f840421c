import type { PlanarMap } from '../planar-map/planar-map.js';
import { type ContourShape, contourShape, meanShape, onGrid, turnOnto } from './contour-shape.js';
import {
  type ChainCurves,
  isWholeShape,
  SEGMENT_CIRCLE,
  SEGMENT_ELLIPSE,
  SEGMENT_RECT,
  SEGMENT_SIZE,
} from './curves.js';
import { layOnto } from './lay-onto.js';
import { type Place, placeShapes } from './place-shapes.js';

/** Circles, ellipses and rectangles are fitted as a whole, and better known than a curve: how far their sizes may be apart, px. */
const EQUAL_SIZE_PX = 0.02;
/** A contour is compared with no more others than this that are nearly as large. */
const MOST_TRIES = 8;
/** Classes of areas, by which contours are found again, for each factor of e. */
const SIZES_PER_FACTOR_E = 10;
/** Areas of equal shapes differ by no more than this wide a strip along them, px. */
const AREA_PX = 0.03;
const NO_OFFSET = [0, 0] as const;
/** Rectangles with a side this near to whole pixels are exact already, px. */
const WHOLE_PX = 0.004;
/** By how much a corner is cut by what a radius grows. */
const CUT_PER_RADIUS = Math.SQRT2 - 1;
/** Numbers that say how large a whole shape is, and how turned: they follow its two of place. */
const SIZES = 3;

/**
 * Draws alike what is alike for all that the pixels tell: closed contours that are one shape at several places get its mean,
 * and circles, ellipses and upright rectangles of one size the mean of their sizes. Each stays at its own place, to the digits
 * written. Returns the curves, changed in place but where contours are divided otherwise now.
 */
export function repeatShapes(map: PlanarMap, curves: ChainCurves): ChainCurves {
  repeatWholeShapes(curves);
  const places = findRepeats(map, curves);
  return placeShapes(curves, places);
}

interface Contour {
  readonly chain: number;
  readonly shape: ContourShape;
}

function findRepeats(map: PlanarMap, curves: ChainCurves): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  const contours: Contour[] = [];
  for (let chain = 0; chain < curves.chainCount; chain++) {
    const shape = contourShape(map, curves, chain);
    if (shape !== undefined) contours.push({ chain, shape });
  }
  if (contours.length < 2) return places;
  // The simplest first, which the others of a group are then compared with.
  contours.sort((a, b) => a.shape.numbers - b.shape.numbers || a.shape.area - b.shape.area || a.chain - b.chain);
  const groups: Contour[][] = [];
  const bySize = new Map<number, Contour[][]>();
  for (const contour of contours) {
    const size = Math.floor(Math.log(contour.shape.area) * SIZES_PER_FACTOR_E);
    const group = [size, size - 1, size + 1]
      .flatMap((near) => bySize.get(near)?.slice(-MOST_TRIES) ?? [])
      .find(([first]) => isRepeated(first.shape, contour.shape));
    if (group !== undefined) {
      group.push(contour);
      continue;
    }
    const made = [contour];
    groups.push(made);
    const others = bySize.get(size);
    if (others === undefined) bySize.set(size, [made]);
    else others.push(made);
  }
  for (const group of groups) if (group.length > 1) drawAlike(group, places);
  return places;
}

/** Whether a contour can be drawn as one that takes no more numbers. */
function isRepeated(simplest: ContourShape, shape: ContourShape): boolean {
  if (Math.abs(simplest.area - shape.area) > AREA_PX * simplest.length) return false;
  return turnOnto(simplest, shape) >= 0 || layOnto(simplest, shape) !== undefined;
}

/** Gives all contours the mean of those that are divided as the simplest one is. */
function drawAlike(group: readonly Contour[], places: Map<number, Place>): void {
  const [{ shape: first }] = group;
  const turns = group.map(({ shape }) => turnOnto(first, shape));
  const isAlike = (_: unknown, i: number) => turns[i] >= 0;
  const shapes = group.map(({ shape }) => shape).filter(isAlike);
  const mean = meanShape(shapes, turns.filter(isAlike));
  if (mean === undefined) return;
  group.forEach(({ chain, shape }, i) => {
    const offset = turns[i] >= 0 ? NO_OFFSET : layOnto(mean, shape);
    if (offset === undefined) return;
    places.set(chain, {
      shape: mean,
      x: first.cx + onGrid(shape.cx + offset[0] - first.cx),
      y: first.cy + onGrid(shape.cy + offset[1] - first.cy),
    });
  });
}

function repeatWholeShapes({ starts, kinds, points, chainCount }: ChainCurves): void {
  const shapes: number[] = [];
  for (let c = 0; c < chainCount; c++) {
    const s = starts[c];
    if (starts[c + 1] - s !== 1 || !isWholeShape(kinds[s])) continue;
    if (kinds[s] !== SEGMENT_RECT || !isOnWholePixels(points, s * SEGMENT_SIZE)) shapes.push(s);
  }
  if (shapes.length < 2) return;
  const size = (s: number) => points[s * SEGMENT_SIZE + 2];
  shapes.sort((a, b) => kinds[a] - kinds[b] || size(a) - size(b) || a - b);
  const groups: number[][] = [];
  for (const s of shapes) {
    let group: number[] | undefined;
    for (let g = groups.length - 1; g >= 0 && g >= groups.length - MOST_TRIES; g--) {
      const [first] = groups[g];
      if (kinds[first] !== kinds[s] || size(s) - size(first) > EQUAL_SIZE_PX) break;
      if (!isOneSize(kinds[s], points, first * SEGMENT_SIZE, s * SEGMENT_SIZE)) continue;
      group = groups[g];
      break;
    }
    if (group !== undefined) group.push(s);
    else groups.push([s]);
  }
  for (const group of groups) if (group.length > 1) toMeanSize(kinds[group[0]], points, group);
}

/** Whether two whole shapes, whose numbers begin at p and q, are equally large, and turned alike. */
function isOneSize(kind: number, points: Float64Array, p: number, q: number): boolean {
  const off = (i: number) => Math.abs(points[p + i] - points[q + i]);
  if (off(2) > EQUAL_SIZE_PX) return false;
  if (kind === SEGMENT_CIRCLE) return true;
  const third = kind === SEGMENT_ELLIPSE ? Math.abs(points[p + 2] - points[p + 3]) : CUT_PER_RADIUS;
  // Square corners and round ones are not between themselves.
  const isSquare = kind === SEGMENT_RECT && points[p + 4] > 0 !== points[q + 4] > 0;
  return !isSquare && off(3) <= EQUAL_SIZE_PX && off(4) * third <= EQUAL_SIZE_PX;
}

/** Gives whole shapes of one kind the mean of their sizes; their centers stay where they are, to the digits written. */
function toMeanSize(kind: number, points: Float64Array, shapes: readonly number[]): void {
  const share = kind === SEGMENT_RECT ? 0.5 : 0;
  const center = (s: number, i: number) => points[s * SEGMENT_SIZE + i] + share * points[s * SEGMENT_SIZE + 2 + i];
  const origin = [center(shapes[0], 0), center(shapes[0], 1)];
  const sizes = [0, 0, 0];
  for (const s of shapes) for (let i = 0; i < SIZES; i++) sizes[i] += points[s * SEGMENT_SIZE + 2 + i] / shapes.length;
  for (const s of shapes) {
    const p = s * SEGMENT_SIZE;
    for (let i = 0; i < 2; i++) points[p + i] = origin[i] + onGrid(center(s, i) - origin[i]) - share * sizes[i];
    for (let i = 0; i < SIZES; i++) points[p + 2 + i] = sizes[i];
  }
}

function isOnWholePixels(points: Float64Array, p: number): boolean {
  for (let i = 0; i < 2; i++) {
    const from = points[p + i];
    const to = from + points[p + 2 + i];
    if (Math.abs(from - Math.round(from)) < WHOLE_PX || Math.abs(to - Math.round(to)) < WHOLE_PX) return true;
  }
  return false;
}
