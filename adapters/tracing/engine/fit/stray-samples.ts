/** How far off the line of its neighbors a sample is stray, px, and how far off it those may be that tell of the line. */
const STRAY_PX = 0.6;
const IN_LINE_PX = 0.3;
/** The neighbors on either side of a sample lie no farther apart, px: they are of the same stretch of the edge. */
const BESIDE_PX = 3;
const NO_TRUST = -1;

/**
 * Leaves out samples that cannot be: single ones, not wholly to be trusted (`trust` between 0 and 1), far off the line on which the two before
 * and the two behind them lie. Such a one is in a pixel through which some other edge runs, as where the ground changes behind an
 * outline a pixel wide. The samples are numbers `from` to `to - 1` of the three lists; those that follow are moved up. Returns where they
 * end then.
 */
export function dropStraySamples(
  x: Float64Array,
  y: Float64Array,
  trust: Float32Array,
  from: number,
  to: number,
): number {
  let strays = 0;
  for (let i = from + 2; i + 2 < to; i++) {
    if (!(trust[i] > 0 && trust[i] < 1 && isStray(x, y, i))) continue;
    trust[i] = NO_TRUST;
    strays++;
  }
  if (strays === 0) return to;
  let kept = from;
  for (let i = from; i < to; i++) {
    if (trust[i] === NO_TRUST) continue;
    x[kept] = x[i];
    y[kept] = y[i];
    trust[kept++] = trust[i];
  }
  return kept;
}

function isStray(x: Float64Array, y: Float64Array, i: number): boolean {
  const ax = x[i - 1];
  const ay = y[i - 1];
  const dx = x[i + 1] - ax;
  const dy = y[i + 1] - ay;
  const lengthSq = dx * dx + dy * dy;
  if (lengthSq > BESIDE_PX * BESIDE_PX) return false;
  const length = Math.sqrt(lengthSq);
  const off = Math.abs((x[i] - ax) * dy - (y[i] - ay) * dx);
  if (off <= STRAY_PX * length) return false;
  const before = Math.abs((x[i - 2] - ax) * dy - (y[i - 2] - ay) * dx);
  const behind = Math.abs((x[i + 2] - ax) * dy - (y[i + 2] - ay) * dx);
  return before <= IN_LINE_PX * length && behind <= IN_LINE_PX * length;
}
