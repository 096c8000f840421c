import { type ChainCurves, CurveList, SEGMENT_CIRCLE } from '../fit/curves.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type Box, BoxFinder } from './pixel-boxes.js';
import { UprightOutlineFinder } from './upright-outline.js';

/** Half a rectangle's length is no more than this more than half its width, px, and its corners are nowhere this far beyond a circle's: it is one. */
const LONGER_PX = 0.05;
const BEYOND_PX = 0.08;
/** At its diagonals a rectangle goes beyond the circle by what its corners leave of the sides, times this. */
const DIAGONAL = Math.SQRT2 - 1;

/**
 * Draws closed chains as what the pixels prove that they are: rectangles, or outlines of level and upright sides. What is proven needs no
 * samples, which mean little on short sides and beside corners. Corners of rectangles are square unless they `mayBeRound`; one whose corners
 * leave nothing of its sides is a circle. Returns the same curves where there is nothing of the kind.
 */
export function placePixelShapes(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  curves: ChainCurves,
  mayBeRound: boolean,
): ChainCurves {
  const boxes = new BoxFinder(map, regions, rgba, mayBeRound);
  const outlines = new UprightOutlineFinder(map, regions, rgba);
  const list = new CurveList();
  let isChanged = false;
  for (let c = 0; c < curves.chainCount; c++) {
    list.beginChain();
    const isClosed = map.startNode[c] < 0 && map.left[c] >= 0 && map.right[c] >= 0;
    const box = isClosed ? boxes.find(c) : undefined;
    if (box !== undefined && isCircle(box)) drawCircle(box, curves, c, list);
    else if (box !== undefined) list.rect(box.left, box.top, box.right - box.left, box.bottom - box.top, box.radius);
    else if (isClosed && outlines.find(c)) drawOutline(outlines, list);
    else {
      for (let s = curves.starts[c]; s < curves.starts[c + 1]; s++) list.copy(curves, s);
      continue;
    }
    isChanged = true;
  }
  return isChanged ? list.finish() : curves;
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

function drawOutline({ corners, count }: UprightOutlineFinder, list: CurveList): void {
  if (count === 4) {
    const left = Math.min(corners[0], corners[4]);
    const top = Math.min(corners[1], corners[5]);
    list.rect(left, top, Math.abs(corners[4] - corners[0]), Math.abs(corners[5] - corners[1]), 0);
    return;
  }
  list.polygon(corners, count);
}
