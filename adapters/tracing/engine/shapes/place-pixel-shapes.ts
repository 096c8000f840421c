import { type ChainCurves, CurveList, isRoundShape, SEGMENT_CIRCLE, SEGMENT_SIZE } from '../fit/curves.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type Box, BoxFinder } from './pixel-boxes.js';
import { UprightOutlineFinder } from './upright-outline.js';
import { WayWriter } from './way-writer.js';

/** Half a rectangle's length is no more than this more than half its width, px, and its corners are nowhere this far beyond a circle's: it is one. */
const LONGER_PX = 0.05;
const BEYOND_PX = 0.08;
/** Nodes that are farther than this off the sides of an outline that ends there, px, are where it does something else: nothing is proven near to them. */
const MOST_OFF_PX = 0.25;
/** Radii that are equal but for this are one, px. */
const SAME_RADIUS_PX = 0.15;
/** At its diagonals a rectangle goes beyond the circle by what its corners leave of the sides, times this. */
const DIAGONAL = Math.SQRT2 - 1;

export interface PixelShapes {
  readonly curves: ChainCurves;
  /** The chains (1) that are drawn as the pixels prove; undefined where there are none. */
  readonly proven?: Uint8Array;
}

/**
 * Draws chains as what the pixels prove that they are: rectangles, or outlines of level and upright sides. What is proven needs no
 * samples, which mean little on short sides and beside corners. Corners of rectangles are square unless they `mayBeRound`; one whose corners
 * leave nothing of its sides is a circle. `nodes` (x and y in turn) at which such outlines end are moved onto their sides. Returns the same curves where
 * there is nothing of the kind.
 */
export function placePixelShapes(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  curves: ChainCurves,
  nodes: Float64Array,
  mayBeRound: boolean,
): PixelShapes {
  const boxes = new BoxFinder(map, regions, rgba, mayBeRound);
  const outlines = new UprightOutlineFinder(map, regions, rgba, mayBeRound);
  const list = new CurveList();
  const proven = new Uint8Array(curves.chainCount);
  for (let c = 0; c < curves.chainCount; c++) {
    list.beginChain();
    const isBetween = map.left[c] >= 0 && map.right[c] >= 0;
    const isClosed = map.startNode[c] < 0 && isBetween;
    const box = isClosed ? boxes.find(c) : undefined;
    if (box !== undefined && isCircle(box)) drawCircle(box, curves, c, list);
    else if (box !== undefined) list.rect(box.left, box.top, box.right - box.left, box.bottom - box.top, box.radius);
    else if (isClosed && outlines.find(c) && !(isRounded(outlines) && isRoundShape(curves.kinds[curves.starts[c]])))
      drawOutline(outlines, list);
    else if (
      isBetween &&
      !isClosed &&
      outlines.find(c) &&
      outlines.offEnds(nodes, map.startNode[c], map.endNode[c]) < MOST_OFF_PX
    ) {
      outlines.moveEnds(nodes, map.startNode[c], map.endNode[c]);
      drawBetween(outlines, nodes, map.startNode[c], map.endNode[c], list);
    } else {
      for (let s = curves.starts[c]; s < curves.starts[c + 1]; s++) list.copy(curves, s);
      continue;
    }
    proven[c] = 1;
  }
  if (!proven.includes(1)) return { curves };
  return { curves: withEndsAt(map, nodes, list.finish()), proven };
}

function isCircle({ left, right, top, bottom, radius }: Box): boolean {
  const longer = Math.max(right - left, bottom - top) / 2;
  const shorter = Math.min(right - left, bottom - top) / 2;
  return radius > 0 && longer - shorter < LONGER_PX && DIAGONAL * (longer - radius) < BEYOND_PX;
}

/** The circle that samples have found, or else the one that is as large as the box. */
function drawCircle({ left, right, top, bottom }: Box, curves: ChainCurves, chain: number, list: CurveList): void {
  const first = curves.starts[chain];
  if (curves.kinds[first] === SEGMENT_CIRCLE) list.copy(curves, first);
  else list.circle((left + right) / 2, (top + bottom) / 2, (right - left + bottom - top) / 4);
}

/** Whether an outline is a rectangle whose corners have one radius: samples tell that as well, and circles besides. */
function isRounded({ count, radii }: UprightOutlineFinder): boolean {
  if (count !== 4) return false;
  const own = radii.subarray(0, 4);
  const least = Math.min(...own);
  return least > 0 && Math.max(...own) - least < SAME_RADIUS_PX;
}

function drawOutline(outline: UprightOutlineFinder, list: CurveList): void {
  const { corners, radii, count, isSharp } = outline;
  if (count === 4 && (isSharp || isRounded(outline))) {
    const left = Math.min(corners[0], corners[4]);
    const top = Math.min(corners[1], corners[5]);
    list.rect(
      left,
      top,
      Math.abs(corners[4] - corners[0]),
      Math.abs(corners[5] - corners[1]),
      radii.reduce((sum, radius, k) => (k < 4 ? sum + radius / 4 : sum), 0),
    );
    return;
  }
  if (isSharp) {
    list.polygon(corners, count);
    return;
  }
  const points = Float64Array.from({ length: 2 * count + 4 }, (_, i) => corners[(i + 2 * count - 2) % (2 * count)]);
  const way = new WayWriter(list, points, (k) => radii[(k + count - 1) % count]);
  way.begin(0);
  for (let k = 1; k <= count; k++) way.corner(k);
}

/** A chain between two nodes. */
function drawBetween(
  { corners, radii, count }: UprightOutlineFinder,
  nodes: Float64Array,
  start: number,
  end: number,
  list: CurveList,
): void {
  const points = new Float64Array(2 * count + 4);
  points.set(nodes.subarray(2 * start, 2 * start + 2));
  points.set(corners.subarray(0, 2 * count), 2);
  points.set(nodes.subarray(2 * end, 2 * end + 2), 2 * count + 2);
  const way = new WayWriter(list, points, (k) => (k === 0 || k > count ? 0 : radii[k - 1]));
  way.begin(0);
  for (let k = 1; k <= count + 1; k++) way.corner(k);
}

/** The curves, changed in place, of which those that begin or end at nodes do so where these now are; handles go with them. */
function withEndsAt(map: PlanarMap, nodes: Float64Array, curves: ChainCurves): ChainCurves {
  const { starts, points } = curves;
  for (let c = 0; c < curves.chainCount; c++) {
    if (map.startNode[c] < 0) continue;
    const first = starts[c] * SEGMENT_SIZE;
    const last = starts[c + 1] * SEGMENT_SIZE - 2;
    for (let axis = 0; axis < 2; axis++) {
      const fromStart = nodes[2 * map.startNode[c] + axis] - points[first + axis];
      points[first + axis] += fromStart;
      points[first + 2 + axis] += fromStart;
      const fromEnd = nodes[2 * map.endNode[c] + axis] - points[last + axis];
      points[last + axis] += fromEnd;
      points[last - 2 + axis] += fromEnd;
    }
  }
  return curves;
}
