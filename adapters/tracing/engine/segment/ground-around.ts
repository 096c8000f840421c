/**
 * The one label that the pixels within `reach` px of a pixel have, along rows and columns, those left aside that are `aside` (above 0); -1 where there
 * are several, or none.
 */
export function groundAround(
  labels: Int32Array,
  aside: Uint8Array | Int32Array,
  width: number,
  height: number,
  pixel: number,
  reach: number,
): number {
  const y = Math.floor(pixel / width);
  const x = pixel - y * width;
  let ground = -1;
  for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
      const other = v * width + u;
      if (aside[other] > 0 || labels[other] === ground) continue;
      if (ground >= 0) return -1;
      ground = labels[other];
    }
  }
  return ground;
}
