import { wrap } from '../math/wrap.js';
import type { ChainEquations } from './chain-equations.js';
import { type ChainCurves, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** How firmly the tangent at a smooth vertex is held to a straight segment there, times the squared contrast. */
const LINE_TANGENT_WEIGHT = 3;
/** A segment's unknowns, as ChainEquations number them, and where those of its angles are. */
const LOCAL = 8;
const ANGLES = 6;

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
    const angles = k * LOCAL + ANGLES;
    if (at[angles] < 0 && at[angles + 1] < 0) continue;
    const p = k * SEGMENT_SIZE;
    const ex = points[p + 6] - points[p];
    const ey = points[p + 7] - points[p + 1];
    const lengthSq = ex * ex + ey * ey || 1e-9;
    const direction = Math.atan2(ey, ex);
    const { factors } = equations;
    factors[0] = 1;
    factors[1] = -ey / lengthSq;
    factors[2] = ex / lengthSq;
    factors[3] = ey / lengthSq;
    factors[4] = -ex / lengthSq;
    if (at[angles] >= 0) equations.addTangent(c, k, 0, weight, wrap(direction - a0[k]));
    if (at[angles + 1] >= 0) equations.addTangent(c, k, 1, weight, wrap(direction - a1[k]));
  }
}
