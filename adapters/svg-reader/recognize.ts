import { CLOSE, CUBIC, type Geometry, LINE, MOVE, type PathGeometry } from '#domain/drawing/drawing.js';

/** How far control points may stand off, as a part of the outline's size: the normaliser has seven digits. */
const TOLERANCE = 1e-4;
/** Where the control points of a quarter circle of radius 1 stand. */
const KAPPA = (4 / 3) * (Math.SQRT2 - 1);

const ELLIPSE = [MOVE, CUBIC, CUBIC, CUBIC, CUBIC, CLOSE];
const RECT = [MOVE, LINE, LINE, LINE, CLOSE];

const isOf = (commands: Uint8Array, path: PathGeometry, wanted: readonly number[]) =>
  path.commandCount === wanted.length && wanted.every((command, i) => commands[path.firstCommand + i] === command);

/**
 * The circle, ellipse or rectangle that a normalised path was before it became cubics and lines; the path itself where it was
 * none. Axis-parallel only: turned ones stand in a group with a matrix.
 */
export function recognize(path: PathGeometry, commands: Uint8Array, coords: Float64Array): Geometry {
  const at = path.firstCoord;
  if (isOf(commands, path, RECT)) {
    const [x1, y1, x2, y2, x3, y3, x4, y4] = [...coords.subarray(at, at + 8)] as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const isRect = y1 === y2 && x2 === x3 && y3 === y4 && x4 === x1 && x2 > x1 && y3 > y2;
    return isRect ? { kind: 'rect', x: x1, y: y1, width: x2 - x1, height: y3 - y1, radius: 0 } : path;
  }
  if (!isOf(commands, path, ELLIPSE)) return path;
  const p = coords.subarray(at, at + 26);
  // From the right clockwise, as the normaliser writes them: right, bottom, left, top.
  const cx = (p[0]! + p[12]!) / 2;
  const cy = (p[7]! + p[19]!) / 2;
  const rx = (p[0]! - p[12]!) / 2;
  const ry = (p[7]! - p[19]!) / 2;
  if (!(rx > 0 && ry > 0)) return path;
  const k = KAPPA;
  const unit = [1, 0, 1, k, k, 1, 0, 1, -k, 1, -1, k, -1, 0, -1, -k, -k, -1, 0, -1, k, -1, 1, -k, 1, 0];
  const near = unit.every((u, i) => {
    const wanted = i % 2 === 0 ? cx + u * rx : cy + u * ry;
    return Math.abs(p[i]! - wanted) <= TOLERANCE * Math.max(rx, ry) + 1e-6 * Math.abs(wanted);
  });
  if (!near) return path;
  if (Math.abs(rx - ry) <= TOLERANCE * 0.01 * rx) return { kind: 'circle', cx, cy, r: rx };
  return { kind: 'ellipse', cx, cy, rx, ry, rotation: 0 };
}
