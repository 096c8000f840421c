import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';

/** How much of the pixel at a column and a row is of the color to a chain's right; `otherwise` (0 or 1), or no number, where that is not known. */
export type ShareAt = (x: number, y: number, otherwise: 0 | 1) => number;

/**
 * Puts a place on every crack of a chain, where the shares of the pixels on either side pass a half (linear, between their middles); on the crack
 * itself where they do not. Returns how many, from `from` on in `xs` and `ys`.
 */
export function placeOnCracks(
  { vertices, starts, width }: PlanarMap,
  chain: number,
  shareAt: ShareAt,
  xs: Float64Array,
  ys: Float64Array,
  from = 0,
): number {
  const stride = width + 1;
  const first = starts[chain];
  const count = starts[chain + 1] - first - 1;
  for (let i = 0; i < count; i++) {
    const y = Math.floor(vertices[first + i] / stride);
    const x = vertices[first + i] - y * stride;
    const nextY = Math.floor(vertices[first + i + 1] / stride);
    const nextX = vertices[first + i + 1] - nextY * stride;
    // The middle of the crack, and the way across it to its right, y down.
    const mx = (x + nextX) / 2;
    const my = (y + nextY) / 2;
    const rx = y - nextY;
    const ry = nextX - x;
    const right = shareAt(Math.floor(mx + rx / 2), Math.floor(my + ry / 2), 1);
    const left = shareAt(Math.floor(mx - rx / 2), Math.floor(my - ry / 2), 0);
    const passed = (0.5 - left) / (right - left);
    const off = passed >= 0 && passed <= 1 ? passed - 0.5 : 0;
    xs[from + i] = mx + off * rx;
    ys[from + i] = my + off * ry;
  }
  return count;
}

/** The place that is farthest from the middle of the first `count`: mostly a corner. */
export function farthestPlace(xs: Float64Array, ys: Float64Array, count: number): number {
  let [mx, my] = [0, 0];
  for (let i = 0; i < count; i++) {
    mx += xs[i] / count;
    my += ys[i] / count;
  }
  let first = 0;
  for (let i = 1; i < count; i++)
    if (distance(xs[i] - mx, ys[i] - my) > distance(xs[first] - mx, ys[first] - my)) first = i;
  return first;
}
