import type { CurveList } from '#adapters/tracing/engine/fit/curves.js';

/** An arc about a center as cubics of equal angles, radians, y down. */
export function addArc(
  list: CurveList,
  cx: number,
  cy: number,
  r: number,
  from: number,
  to: number,
  pieces: number,
): void {
  for (let k = 0; k < pieces; k++) {
    const a = from + ((to - from) * k) / pieces;
    const b = from + ((to - from) * (k + 1)) / pieces;
    const d = (4 / 3) * Math.tan((b - a) / 4) * r;
    const [ax, ay, bx, by] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    list.cubic(
      cx + r * ax,
      cy + r * ay,
      cx + r * ax - d * ay,
      cy + r * ay + d * ax,
      cx + r * bx + d * by,
      cy + r * by - d * bx,
      cx + r * bx,
      cy + r * by,
    );
  }
}
