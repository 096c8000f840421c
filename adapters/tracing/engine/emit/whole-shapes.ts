import { SEGMENT_CIRCLE, SEGMENT_ELLIPSE } from '../fit/curves.js';
import { DEGREES } from '../math/degrees.js';
import type { EngineGeometry } from '../types.js';
import type { OutlineBuffer } from './outline-buffer.js';

/** The native shape of such a segment, whose numbers begin at `at`. */
export function wholeShape(kind: number, points: Float64Array, at: number): EngineGeometry {
  const [a, b, c, d, e] = points.subarray(at, at + 5) as unknown as [number, number, number, number, number];
  if (kind === SEGMENT_CIRCLE) return { kind: 'circle', cx: a, cy: b, r: c };
  if (kind === SEGMENT_ELLIPSE) return { kind: 'ellipse', cx: a, cy: b, rx: c, ry: d, rotation: e * DEGREES };
  return { kind: 'rect', x: a, y: b, width: c, height: d, radius: e };
}

/** Draws such a segment as part of a path, beginning where its outline has its first point, without closing it. */
export function drawWholeShape(
  out: OutlineBuffer,
  kind: number,
  points: Float64Array,
  at: number,
  backwards: boolean,
): void {
  const [a, b, c, d, e] = points.subarray(at, at + 5) as unknown as [number, number, number, number, number];
  const sweep = !backwards;
  if (kind === SEGMENT_CIRCLE) {
    out.move(a - c, b);
    out.arc(c, c, 0, true, sweep, a + c, b);
    out.arc(c, c, 0, true, sweep, a - c, b);
  } else if (kind === SEGMENT_ELLIPSE) {
    const dx = c * Math.cos(e);
    const dy = c * Math.sin(e);
    out.move(a - dx, b - dy);
    out.arc(c, d, e * DEGREES, true, sweep, a + dx, b + dy);
    out.arc(c, d, e * DEGREES, true, sweep, a - dx, b - dy);
  } else drawRect(out, a, b, c, d, e, backwards);
}

function drawRect(
  out: OutlineBuffer,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  backwards: boolean,
): void {
  const right = x + width;
  const bottom = y + height;
  // Clockwise on screen from the upper left; for each corner where the outline comes to it and where it leaves.
  const corners = [
    [x, y + radius, x + radius, y],
    [right - radius, y, right, y + radius],
    [right, bottom - radius, right - radius, bottom],
    [x + radius, bottom, x, bottom - radius],
  ] as const;
  for (let k = 0; k < 4; k++) {
    const [x0, y0, x1, y1] = corners[backwards ? 3 - k : k];
    if (k === 0) out.move(backwards ? x1 : x0, backwards ? y1 : y0);
    else out.line(backwards ? x1 : x0, backwards ? y1 : y0);
    if (radius > 0) out.arc(radius, radius, 0, false, !backwards, backwards ? x0 : x1, backwards ? y0 : y1);
  }
}
