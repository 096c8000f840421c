import type { PlanarMap } from '../planar-map/planar-map.js';
import {
  type ContourShape,
  contourShape,
  meanShape,
  mirrorImage,
  onGrid,
  placeShape,
  turnOnto,
} from './contour-shape.js';
import type { ChainCurves } from './curves.js';

/**
 * Makes closed contours exactly symmetric that are so about an upright or a level line for all that the pixels tell: each
 * becomes the mean of itself and its mirror image, which also halves what noise is left in it. The curves are changed in place.
 */
export function keepSymmetry(map: PlanarMap, curves: ChainCurves): void {
  for (let chain = 0; chain < curves.chainCount; chain++) {
    const found = contourShape(map, curves, chain);
    if (found === undefined) continue;
    let shape: ContourShape = found;
    let { cx, cy } = found;
    let isSymmetric = false;
    for (const axis of [0, 1] as const) {
      const image = mirrorImage(shape, axis);
      const turn = turnOnto(shape, image);
      const mean: ContourShape | undefined = turn < 0 ? undefined : meanShape([shape, image], [0, turn]);
      if (mean === undefined) continue;
      shape = mean;
      isSymmetric = true;
      // Then both sides, and what is on the line, are also written alike.
      if (axis === 0) cx = onGrid(cx);
      else cy = onGrid(cy);
    }
    if (isSymmetric) placeShape(curves, chain, shape, cx, cy);
  }
}
