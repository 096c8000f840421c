/** Strips that what a disk covers is measured in. */
const STRIPS = 16;

/** The area that an upright rectangle has in common with a disk, in strips. */
export function coveredByDisk(
  left: number,
  top: number,
  right: number,
  bottom: number,
  cx: number,
  cy: number,
  radius: number,
): number {
  const high = (bottom - top) / STRIPS;
  let sum = 0;
  for (let k = 0; k < STRIPS; k++) {
    const dy = top + (k + 0.5) * high - cy;
    const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
    const wide = Math.min(right, cx + half) - Math.max(left, cx - half);
    if (wide > 0) sum += wide;
  }
  return sum * high;
}
