import { SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import type { EngineParts } from './engine-parts.js';

type Point = readonly [number, number];
const POINTS_PER_CURVE = 10;

/** A loop's fitted curves as one closed row of points; empty where whole shapes are among them. */
function followLoop({ loops, curves }: EngineParts, loop: number): Point[] {
  const points: Point[] = [];
  for (let k = loops.starts[loop]!; k < loops.starts[loop + 1]!; k++) {
    const halfEdge = loops.halfEdges[k]!;
    const chain: Point[] = [];
    for (let s = curves.starts[halfEdge >> 1]!; s < curves.starts[(halfEdge >> 1) + 1]!; s++) {
      if (curves.kinds[s]! > SEGMENT_CUBIC) return [];
      const [x0, y0, x1, y1, x2, y2, x3, y3] = [...curves.points.subarray(s * 8, s * 8 + 8)] as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const steps = curves.kinds[s] === SEGMENT_LINE ? 1 : POINTS_PER_CURVE;
      if (chain.length === 0) chain.push([x0, y0]);
      for (let n = 1; n <= steps; n++) {
        const t = n / steps;
        const u = 1 - t;
        const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        chain.push([a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3]);
      }
    }
    if ((halfEdge & 1) === 1) chain.reverse();
    points.push(...chain.slice(0, -1));
  }
  return points;
}

const side = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** How often the contours of a picture's regions cross themselves; those of very many points are left out. */
export function countSelfCrossings(parts: EngineParts, mostPoints = 3000): number {
  let crossings = 0;
  for (let loop = 0; loop < parts.loops.count; loop++) {
    const points = followLoop(parts, loop);
    if (points.length < 4 || points.length > mostPoints) continue;
    for (let i = 0; i < points.length; i++)
      for (let j = i + 2; j < points.length - (i === 0 ? 1 : 0); j++) {
        const [a, b] = [points[i]!, points[(i + 1) % points.length]!];
        const [c, d] = [points[j]!, points[(j + 1) % points.length]!];
        if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) crossings++;
      }
  }
  return crossings;
}
