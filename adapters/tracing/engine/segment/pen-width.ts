import type { WorkingPixels } from '../intake/working-pixels.js';
import { type ColorPair, shareIn } from '../quantize/mixtures.js';

/** How far from a pixel the ground of the line that it is of is looked for, px. */
const REACH_PX = 3;
/** Less than this of a line is nothing. */
const TRACE = 0.02;
/** Pixels with so many times as much of a line tell how wide it is where it is of its color. */
const TIMES_AS_MUCH = 1.25;
/** So many pixels of each must tell, of so many that are looked at, how wide lines are; and by what share of it their widths may differ. */
const LEAST_PIXELS = 6;
const LEAST_OTHERS = 20;
const MOST_PIXELS = 256;
const SAME_SHARE = 0.1;
/** Aslant lines are as much wider, in the row or the column, as they are aslant: this rank of them is level or upright, or nearly. */
const STRAIGHT_RANK = 0.25;

/** Two colors of some (four bytes each): of what lines are on, and theirs. */
export interface PenColors {
  readonly bytes: Uint8Array;
  readonly pair: ColorPair;
}

/** Colors of a pen by their numbers. */
export const penColors = (bytes: Uint8Array, ink: number, ground: number): PenColors => ({
  bytes,
  pair: [4 * ground, 4 * ink],
});

/**
 * How wide a line is at a pixel, px: how much of its color there is in the row or in the column, whichever has less, up to the ground on both
 * sides; infinite where that is not met, or anything else is.
 */
export function widthAcross({ width, height, rgba }: WorkingPixels, pixel: number, pen: PenColors): number {
  const { bytes, pair } = pen;
  const shareAt = (i: number) => shareIn(rgba, 4 * i, bytes, pair);
  const sumTo = (step: number, most: number) => {
    let sum = 0;
    for (let k = 1; k <= most && k <= REACH_PX; k++) {
      const share = shareAt(pixel + k * step);
      if (Number.isNaN(share)) return Infinity;
      if (share <= TRACE) return sum;
      sum += share;
    }
    return Infinity;
  };
  const own = shareAt(pixel);
  if (Number.isNaN(own)) return Infinity;
  const x = pixel % width;
  const y = (pixel - x) / width;
  const across = sumTo(-1, x) + sumTo(1, width - 1 - x);
  return own + Math.min(across, sumTo(-width, y) + sumTo(width, height - 1 - y));
}

/**
 * Whether some pixels, all of one color, are of lines as wide as those that other pixels (`others`) have more of, if their color is but a little of
 * these lines' ink: then the same pen has drawn both, and went between two rows or columns in the ones. Lines of a color of their own have another width
 * by that measure, or what they leave beside them has.
 */
export function areOfOnePen(
  pixels: WorkingPixels,
  some: readonly number[],
  others: ArrayLike<number>,
  pen: PenColors,
): boolean {
  const shareAt = (i: number) => shareIn(pixels.rgba, 4 * i, pen.bytes, pen.pair);
  const widths = widthsOf(pixels, some, pen, () => true);
  if (widths.length < LEAST_PIXELS) return false;
  const least = TIMES_AS_MUCH * shareAt(some[0]);
  const darker = widthsOf(pixels, others, pen, (pixel) => shareAt(pixel) >= least);
  if (darker.length < LEAST_OTHERS) return false;
  const straight = (sorted: readonly number[]) => sorted[Math.floor(STRAIGHT_RANK * sorted.length)];
  return Math.abs(straight(widths) - straight(darker)) <= SAME_SHARE * straight(darker);
}

/** The widths of lines at some pixels that are asked for, ascending; of so many of them that are spread over all. */
function widthsOf(
  pixels: WorkingPixels,
  some: ArrayLike<number>,
  pen: PenColors,
  isAsked: (pixel: number) => boolean,
): readonly number[] {
  const asked = Array.from(some).filter(isAsked);
  const step = Math.max(1, asked.length / MOST_PIXELS);
  const widths: number[] = [];
  for (let n = 0; n < asked.length; n += step) {
    const wide = widthAcross(pixels, asked[Math.floor(n)], pen);
    if (wide < Infinity) widths.push(wide);
  }
  return widths.sort((a, b) => a - b);
}
