import type { PlanarMap } from './planar-map.js';

/** Whether a closed chain runs clockwise as seen, y pointing down. */
export function turnsClockwise(map: Pick<PlanarMap, 'starts' | 'vertices' | 'width'>, c: number): boolean {
  const stride = map.width + 1;
  let twice = 0;
  for (let i = map.starts[c]; i + 1 < map.starts[c + 1]; i++) {
    const y0 = Math.floor(map.vertices[i] / stride);
    const x0 = map.vertices[i] - y0 * stride;
    const y1 = Math.floor(map.vertices[i + 1] / stride);
    const x1 = map.vertices[i + 1] - y1 * stride;
    twice += x0 * y1 - x1 * y0;
  }
  return twice > 0;
}
