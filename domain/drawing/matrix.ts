import type { Matrix } from './drawing.js';

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What `inner` and then `outer` do to a point. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

export const applyX = ([a, , c, , e]: Matrix, x: number, y: number) => a * x + c * y + e;
export const applyY = ([, b, , d, , f]: Matrix, x: number, y: number) => b * x + d * y + f;

/** The factor by which areas grow; negative where it mirrors. */
export const determinantOf = ([a, b, c, d]: Matrix) => a * d - b * c;

/** Undefined where the matrix lays everything onto a line. */
export function invert(matrix: Matrix): Matrix | undefined {
  const [a, b, c, d, e, f] = matrix;
  const determinant = determinantOf(matrix);
  if (!Number.isFinite(1 / determinant)) return undefined;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}

/** Turns, mirrors, moves and scales evenly: circles stay circles within `tolerance`, a part of their size. */
export function isSimilarity([a, b, c, d]: Matrix, tolerance = 1e-6): boolean {
  const sizeSq = Math.max(a * a + b * b, c * c + d * d);
  return (
    Math.abs(a * a + b * b - (c * c + d * d)) <= 2 * tolerance * sizeSq && Math.abs(a * c + b * d) <= tolerance * sizeSq
  );
}

/** How much larger lengths become, on average of all directions. */
export const scaleOf = (matrix: Matrix) => Math.sqrt(Math.abs(determinantOf(matrix)));

/** Moves and scales only: what it is laid upon stays parallel to the axes, the right way around. */
export const isUpright = ([a, b, c, d]: Matrix): boolean => b === 0 && c === 0 && a > 0 && d > 0;
