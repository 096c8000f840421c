import type { WorkingPixels } from '../intake/working-pixels.js';
import { penColors, widthAcross } from './pen-width.js';

/** A stroke is so wide, px, that lies on both sides of a pixel as well: what is thinner than a pixel leaves less than it shows. */
const LEAST_ACROSS_PX = 1.05;
/** Of the pixels that have the color, this share is across such strokes, at least. */
const PURE_SHARE = 0.5;

/**
 * Whether most of some pixels, all of (nearly) one color, are in the midst of strokes wider than a pixel on a ground: so many would not have the
 * very same color if it were a mixture. `bytes` are four a color, `color` and `ground` two of them by number.
 */
export function arePureStrokes(
  pixels: WorkingPixels,
  some: readonly number[],
  bytes: Uint8Array,
  color: number,
  ground: number,
): boolean {
  const pen = penColors(bytes, color, ground);
  let pure = 0;
  for (const pixel of some) {
    const wide = widthAcross(pixels, pixel, pen);
    if (wide >= LEAST_ACROSS_PX && wide < Infinity) pure++;
  }
  return pure >= PURE_SHARE * some.length;
}
