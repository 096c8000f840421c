import type { FloatList } from './lists.js';

/** How often a closed polygon, x and y in turn, goes around a point: 0 where the point is outside. */
export function windingNumber({ data, length }: FloatList, x: number, y: number): number {
  let winding = 0;
  let px = data[length - 2];
  let py = data[length - 1];
  for (let k = 0; k < length; k += 2) {
    const qx = data[k];
    const qy = data[k + 1];
    if (py <= y !== qy <= y && px + ((y - py) / (qy - py)) * (qx - px) > x) winding += py <= y ? 1 : -1;
    px = qx;
    py = qy;
  }
  return winding;
}
