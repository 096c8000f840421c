import type { Drawing, Geometry, Matrix, PathVisitor } from './drawing.js';
import { applyX, applyY, determinantOf, isSimilarity, scaleOf } from './matrix.js';
import { visitGeometry } from './outline-visitors.js';
import type { OutlineWriter } from './outline-writer.js';

/** Half axes of an ellipse and how far the first is turned, in degrees. */
export interface EllipseAxes {
  readonly rx: number;
  readonly ry: number;
  readonly rotation: number;
}

/** Below this part of the larger, a difference of half axes is what rounding leaves of a circle. */
const CIRCLE_TOLERANCE = 1e-6;

/** What the matrix makes of an ellipse; its center is another matter. */
export function transformEllipse({ rx, ry, rotation }: EllipseAxes, matrix: Matrix): EllipseAxes {
  const turn = (rotation * Math.PI) / 180;
  const [a, b, c, d] = matrix;
  // The ellipse is the unit circle seen through M = matrix x turn x diag(rx, ry); its axes are M's singular vectors.
  const p = (a * Math.cos(turn) + c * Math.sin(turn)) * rx;
  const q = (b * Math.cos(turn) + d * Math.sin(turn)) * rx;
  const r = (c * Math.cos(turn) - a * Math.sin(turn)) * ry;
  const s = (d * Math.cos(turn) - b * Math.sin(turn)) * ry;
  const even = Math.hypot((p + s) / 2, (q - r) / 2);
  const odd = Math.hypot((p - s) / 2, (q + r) / 2);
  const large = even + odd;
  const small = Math.abs(even - odd);
  if (large - small <= CIRCLE_TOLERANCE * large) return { rx: large, ry: large, rotation: 0 };
  const angle = (Math.atan2(q + r, p - s) + Math.atan2(q - r, p + s)) / 2;
  return { rx: large, ry: small, rotation: (angle * 180) / Math.PI };
}

/** A visitor that passes on what the matrix makes of what it is given. */
export function transformed(matrix: Matrix, to: PathVisitor): PathVisitor {
  const x = (px: number, py: number) => applyX(matrix, px, py);
  const y = (px: number, py: number) => applyY(matrix, px, py);
  const mirrors = determinantOf(matrix) < 0;
  return {
    move: (px, py) => to.move(x(px, py), y(px, py)),
    line: (px, py) => to.line(x(px, py), y(px, py)),
    quadratic: (x1, y1, px, py) => to.quadratic(x(x1, y1), y(x1, y1), x(px, py), y(px, py)),
    cubic: (x1, y1, x2, y2, px, py) => to.cubic(x(x1, y1), y(x1, y1), x(x2, y2), y(x2, y2), x(px, py), y(px, py)),
    arc(rx, ry, rotation, large, sweep, px, py) {
      const axes = transformEllipse({ rx: Math.abs(rx), ry: Math.abs(ry), rotation }, matrix);
      to.arc(axes.rx, axes.ry, axes.rotation, large, sweep !== mirrors, x(px, py), y(px, py));
    },
    close: () => to.close(),
  };
}

const isTurnless = ([, b, c]: Matrix) => b === 0 && c === 0;

/**
 * What the matrix makes of an outline: circles, ellipses and rectangles stay such where they can, anything else becomes a path
 * that is written behind `out`.
 */
export function transformGeometry(
  geometry: Geometry,
  outlines: Pick<Drawing, 'commands' | 'coords'>,
  matrix: Matrix,
  out: OutlineWriter,
): Geometry {
  if (geometry.kind === 'circle' || geometry.kind === 'ellipse') {
    const { cx, cy } = geometry;
    const center = { cx: applyX(matrix, cx, cy), cy: applyY(matrix, cx, cy) };
    if (geometry.kind === 'circle' && isSimilarity(matrix))
      return { kind: 'circle', ...center, r: geometry.r * scaleOf(matrix) };
    const own =
      geometry.kind === 'circle' ? { rx: geometry.r, ry: geometry.r, rotation: 0 } : (geometry as EllipseAxes);
    if (isTurnless(matrix) && own.rotation === 0) {
      const rx = own.rx * Math.abs(matrix[0]);
      const ry = own.ry * Math.abs(matrix[3]);
      return { kind: 'ellipse', ...center, rx, ry, rotation: 0 };
    }
    return { kind: 'ellipse', ...center, ...transformEllipse(own, matrix) };
  }
  if (geometry.kind === 'rect' && isTurnless(matrix) && (geometry.radius === 0 || isSimilarity(matrix))) {
    const x1 = applyX(matrix, geometry.x, geometry.y);
    const y1 = applyY(matrix, geometry.x, geometry.y);
    const width = geometry.width * matrix[0];
    const height = geometry.height * matrix[3];
    return {
      kind: 'rect',
      x: Math.min(x1, x1 + width),
      y: Math.min(y1, y1 + height),
      width: Math.abs(width),
      height: Math.abs(height),
      radius: geometry.radius * Math.abs(matrix[0]),
    };
  }
  visitGeometry(geometry, outlines, transformed(matrix, out));
  return out.path(geometry.kind === 'path' && geometry.evenOdd);
}
