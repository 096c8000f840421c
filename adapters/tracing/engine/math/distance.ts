/**
 * Length of a vector. Pixels are far from the ends of the floating-point range that Math.hypot guards against, at many times
 * the cost.
 */
export function distance(dx: number, dy: number): number {
  return Math.sqrt(dx * dx + dy * dy);
}
