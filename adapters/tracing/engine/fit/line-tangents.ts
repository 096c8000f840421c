import { wrap } from '../math/wrap.js';
import type { ChainEquations } from './chain-equations.js';
import { type ChainCurves, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** How firmly the tangent at a smooth vertex is held to a straight segment there, times the squared contrast. */
const LINE_TANGENT_WEIGHT = 3;
/** A segment's unknowns, as ChainEquations number them. */
const LOCAL = 8;
/** An equation's unknowns, the angle and both ends of the line, and their factors. */
const COUNT = 5;
const factors = new Float64Array(COUNT);
const unknowns = new Int32Array(COUNT);

/**
 * Adds equations that hold the tangents at chain `c`'s smooth vertices, angles `a0` and `a1` per segment, to the straight segments there. `at` has
 * the unknowns of all segments.
 */
export function addLineTangents(
  equations: ChainEquations,
  { kinds, points, starts }: ChainCurves,
  c: number,
  at: Int32Array,
  a0: Float64Array,
  a1: Float64Array,
  contrastSq: number,
): void {
  const weight = LINE_TANGENT_WEIGHT * contrastSq;
  for (let k = starts[c]; k < starts[c + 1]; k++) {
    if (kinds[k] !== SEGMENT_LINE) continue;
    const p = k * SEGMENT_SIZE;
    const ex = points[p + 6] - points[p];
    const ey = points[p + 7] - points[p + 1];
    const lengthSq = ex * ex + ey * ey || 1e-9;
    const direction = Math.atan2(ey, ex);
    factors[0] = 1;
    factors[1] = -ey / lengthSq;
    factors[2] = ex / lengthSq;
    factors[3] = ey / lengthSq;
    factors[4] = -ex / lengthSq;
    const own = k * LOCAL;
    for (let i = 0; i < 4; i++) unknowns[i + 1] = at[own + i];
    for (let side = 0; side < 2; side++) {
      unknowns[0] = at[own + 6 + side];
      if (unknowns[0] < 0) continue;
      equations.addRow(c, unknowns, factors, COUNT, weight, wrap(direction - (side === 0 ? a0[k] : a1[k])));
    }
  }
}
