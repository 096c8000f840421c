import type { PlanarMap } from '../planar-map/planar-map.js';
import { type ContourShape, contourShape, meanShape, mirrorImage, onGrid, turnOnto } from './contour-shape.js';
import type { ChainCurves } from './curves.js';
import { mirrorHalves } from './mirror-halves.js';
import { type Place, placeShapes } from './place-shapes.js';

/**
 * Makes closed contours exactly symmetric that are so about an upright or a level line for all that the pixels tell: each
 * becomes the mean of itself and its mirror image, which also halves what noise is left in it; or one of its halves twice, where
 * the two were divided into segments in different ways. Returns the curves, changed in place but where contours are divided
 * otherwise now.
 */
export function keepSymmetry(map: PlanarMap, curves: ChainCurves): ChainCurves {
  const places = new Map<number, Place>();
  for (let chain = 0; chain < curves.chainCount; chain++) {
    const found = contourShape(map, curves, chain);
    if (found === undefined) continue;
    let shape: ContourShape = found;
    const origin: [number, number] = [found.cx, found.cy];
    let isSymmetric = false;
    for (const axis of [0, 1] as const) {
      const image = mirrorImage(shape, axis);
      const turn = turnOnto(shape, image);
      const mean = turn < 0 ? undefined : meanShape([shape, image], [0, turn]);
      // Both sides, and what is on the line, are then also written alike.
      if (mean !== undefined) {
        shape = mean;
        origin[axis] = onGrid(origin[axis]);
      } else {
        const made = mirrorHalves(shape, axis);
        if (made === undefined) continue;
        shape = made.shape;
        origin[0] += made.offset[0];
        origin[1] += made.offset[1];
        origin[axis] = onGrid(origin[axis] + made.line) - made.line;
      }
      isSymmetric = true;
    }
    if (isSymmetric) places.set(chain, { shape, x: origin[0], y: origin[1] });
  }
  return placeShapes(curves, places);
}
