import type { WorkingPixels } from '../intake/working-pixels.js';
import { shareIn } from '../quantize/mixtures.js';

/** A stroke is so wide, px, that lies on both sides of a pixel as well: what is thinner than a pixel leaves less than it shows. */
const LEAST_ACROSS_PX = 1.05;
/** How far from a pixel the stroke's ground is looked for, px. */
const REACH_PX = 3;
/** Less than this of a stroke is nothing. */
const TRACE = 0.02;
/** Of the pixels that have the color, this share is across such strokes, at least. */
const PURE_SHARE = 0.5;

/**
 * Whether most of some pixels, all of (nearly) one color, are in the midst of strokes wider than a pixel on a ground: so many would not have the
 * very same color if it were a mixture. `bytes` are four a color, `color` and `ground` two of them by number.
 */
export function arePureStrokes(
  { width, height, rgba }: WorkingPixels,
  some: readonly number[],
  bytes: Uint8Array,
  color: number,
  ground: number,
): boolean {
  /** How much of the stroke there is from a pixel on, in steps, before the ground; infinite where that is not met. */
  const sumTo = (pixel: number, step: number, most: number) => {
    let sum = 0;
    for (let k = 1; k <= most && k <= REACH_PX; k++) {
      const share = shareIn(rgba, 4 * (pixel + k * step), bytes, [4 * ground, 4 * color]);
      if (Number.isNaN(share)) return Infinity;
      if (share <= TRACE) return sum;
      sum += share;
    }
    return Infinity;
  };
  let pure = 0;
  for (const pixel of some) {
    const x = pixel % width;
    const y = (pixel - x) / width;
    const across = 1 + sumTo(pixel, -1, x) + sumTo(pixel, 1, width - 1 - x);
    const down = 1 + sumTo(pixel, -width, y) + sumTo(pixel, width, height - 1 - y);
    const wide = Math.min(across, down);
    if (wide >= LEAST_ACROSS_PX && wide < Infinity) pure++;
  }
  return pure >= PURE_SHARE * some.length;
}
