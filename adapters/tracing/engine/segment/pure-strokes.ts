import type { WorkingPixels } from '../intake/working-pixels.js';
import { penColors, widthAcross } from './pen-width.js';

/** A stroke is so wide, px, that lies on both sides of a pixel as well: what is thinner than a pixel leaves less than it shows. */
const LEAST_ACROSS_PX = 1.05;
/** Of the pixels that have the color, this share is across strokes that end on both sides: what is between bold ones is not the ground. Of these, this share is across such, at least. */
const TELLING_SHARE = 0.3;
const PURE_SHARE = 0.6;

/**
 * Whether most of some pixels, all of (nearly) one color, are in the midst of strokes wider than a pixel on a ground: so many would not have the
 * very same color if it were a mixture. `bytes` are four a color, `color` and `grounds` some of them by number: letters are on several, of which one may be on the way from another to
 * theirs.
 */
export function arePureStrokes(
  pixels: WorkingPixels,
  some: readonly number[],
  bytes: Uint8Array,
  color: number,
  grounds: readonly number[],
): boolean {
  const pens = grounds.map((ground) => penColors(bytes, color, ground));
  let pure = 0;
  let telling = 0;
  for (const pixel of some) {
    let widest = 0;
    for (const pen of pens) {
      const wide = widthAcross(pixels, pixel, pen);
      if (wide < Infinity) widest = Math.max(widest, wide);
    }
    if (widest > 0) telling++;
    if (widest >= LEAST_ACROSS_PX) pure++;
  }
  return telling >= TELLING_SHARE * some.length && pure >= PURE_SHARE * telling;
}
