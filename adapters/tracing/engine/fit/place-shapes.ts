import { type ContourShape, placeShape } from './contour-shape.js';
import { type ChainCurves, CurveList } from './curves.js';

/** What is to be drawn in the place of a chain, and where its origin is, px. */
export interface Place {
  readonly shape: ContourShape;
  readonly x: number;
  readonly y: number;
}

/** Draws shapes in the place of chains, by the chains' numbers. Returns the curves, changed in place but where chains have more or fewer segments now. */
export function placeShapes(curves: ChainCurves, places: ReadonlyMap<number, Place>): ChainCurves {
  const { starts } = curves;
  let isDividedAnew = false;
  for (const [chain, { shape, x, y }] of places) {
    if (shape.count === starts[chain + 1] - starts[chain]) placeShape(curves, chain, shape, x, y);
    else isDividedAnew = true;
  }
  return isDividedAnew ? divided(curves, places) : curves;
}

function divided(curves: ChainCurves, places: ReadonlyMap<number, Place>): ChainCurves {
  const { chainCount, starts } = curves;
  const list = new CurveList();
  for (let chain = 0; chain < chainCount; chain++) {
    list.beginChain();
    const place = places.get(chain);
    if (place === undefined) for (let s = starts[chain]; s < starts[chain + 1]; s++) list.copy(curves, s);
    else for (let k = 0; k < place.shape.count; k++) list.copy(place.shape, k);
  }
  const made = list.finish();
  for (const [chain, { shape, x, y }] of places) placeShape(made, chain, shape, x, y);
  return made;
}
