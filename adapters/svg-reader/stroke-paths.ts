import type { Drawing, Geometry, Matrix, Stroke } from '#domain/drawing/drawing.js';
import { applyX, applyY } from '#domain/drawing/matrix.js';
import { flattenGeometry } from '#domain/drawing/outline-visitors.js';
import type { OutlineWriter } from '#domain/drawing/outline-writer.js';
import { Polylines } from '#domain/drawing/polylines.js';
import { strokeOutline } from '#domain/drawing/stroke-outline.js';

/**
 * What a stroke paints, as an outline to be filled: for strokes that a matrix stretches more one way than the other, and for
 * those that something stands in for the paint of. `tolerance` is in the outline's own units, before the matrix.
 */
export function strokePath(
  geometry: Geometry,
  outlines: Pick<Drawing, 'commands' | 'coords'>,
  stroke: Stroke,
  matrix: Matrix,
  tolerance: number,
  out: OutlineWriter,
): Geometry {
  const lines = new Polylines();
  for (const { points, closed } of flattenGeometry(geometry, outlines, tolerance)) {
    lines.begin();
    for (let i = 0; i < points.length; i += 2) lines.add(points[i]!, points[i + 1]!, 1);
    if (closed) lines.close();
  }
  lines.finish();
  const painted = new Polylines();
  strokeOutline(lines, stroke, tolerance, painted);
  for (let i = 0; i < painted.count; i++) {
    for (let k = painted.starts[i]!; k < painted.starts[i + 1]!; k++) {
      const x = painted.points[2 * k]!;
      const y = painted.points[2 * k + 1]!;
      const put = k === painted.starts[i] ? out.move : out.line;
      put(applyX(matrix, x, y), applyY(matrix, x, y));
    }
    out.close();
  }
  return out.path(false);
}
