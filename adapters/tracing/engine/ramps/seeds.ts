import type { WorkingPixels } from '../intake/working-pixels.js';

/** Side of the squares a ramp is looked for from, in pixels or in every so manieth. */
export const SEED_PX = 6;
/** Px a step is long: steep ramps show over few pixels, gentle ones over many. */
export const STRIDES: readonly number[] = [1, 4, 12];
/** Largest step within a ramp, levels; edges of shapes have larger ones. */
export const STEEPEST = 12;
/** A seed is nearer to a plane than this, root mean square, and the plane rises by this over it, levels. */
const SEED_RMS = 0.8;
const SEED_RISE = 2.5;

/** What a square of pixels looks like. */
export type SquareLook =
  /** Of one color. */
  | 'even'
  /** Of one smooth change: near to a plane that is no level. */
  | 'ramp'
  /** Nearly even, or nearly level. */
  | 'weak'
  /** In small steps, but near to no plane: noise, texture, or where ramps meet. */
  | 'rough'
  /** With an edge in it, or not within the picture. */
  | 'edge';

/** Looks at the square whose upper left pixel is (x, y), taking every `stride`-th pixel. */
export function lookAtSquare(pixels: WorkingPixels, x: number, y: number, stride: number): SquareLook {
  const { rgba, words, width, height } = pixels;
  if (x + (SEED_PX - 1) * stride >= width || y + (SEED_PX - 1) * stride >= height) return 'edge';
  const first = y * width + x;
  let even = true;
  for (let v = 0; v < SEED_PX && even; v++) {
    for (let u = 0; u < SEED_PX; u++) if (words[first + (v * width + u) * stride] !== words[first]) even = false;
  }
  if (even) return 'even';
  const half = (SEED_PX - 1) / 2;
  const count = SEED_PX * SEED_PX;
  const moment = (count * (count - 1)) / 12;
  const down = width * stride;
  let squares = 0;
  let rise = 0;
  for (let c = 0; c < 4; c++) {
    let sum = 0;
    let sumX = 0;
    let sumY = 0;
    let sumSq = 0;
    for (let v = 0; v < SEED_PX; v++) {
      for (let u = 0; u < SEED_PX; u++) {
        const at = (first + v * down + u * stride) * 4 + c;
        const value = rgba[at];
        if (u > 0 && Math.abs(value - rgba[at - stride * 4]) > STEEPEST) return 'edge';
        if (v > 0 && Math.abs(value - rgba[at - down * 4]) > STEEPEST) return 'edge';
        sum += value;
        sumSq += value * value;
        sumX += value * (u - half);
        sumY += value * (v - half);
      }
    }
    squares += sumSq - (sum * sum) / count - (sumX * sumX + sumY * sumY) / moment;
    rise = Math.max(rise, (Math.hypot(sumX, sumY) / moment) * (SEED_PX - 1));
  }
  if (squares >= SEED_RMS * SEED_RMS * count * 3) return 'rough';
  return rise >= SEED_RISE ? 'ramp' : 'weak';
}
