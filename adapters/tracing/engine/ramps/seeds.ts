import type { WorkingPixels } from '../intake/working-pixels.js';
import type { RampLimits } from './limits.js';

/** Largest step within a ramp, levels; edges of shapes have larger ones. */
export const STEEPEST = 12;

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
export function lookAtSquare(
  pixels: WorkingPixels,
  x: number,
  y: number,
  stride: number,
  { seedPx, seedRms, seedRise }: RampLimits,
): SquareLook {
  const { rgba, words, width, height, opaque } = pixels;
  if (x + (seedPx - 1) * stride >= width || y + (seedPx - 1) * stride >= height) return 'edge';
  const first = y * width + x;
  let even = true;
  for (let v = 0; v < seedPx && even; v++) {
    for (let u = 0; u < seedPx; u++) if (words[first + (v * width + u) * stride] !== words[first]) even = false;
  }
  if (even) return 'even';
  const half = (seedPx - 1) / 2;
  const count = seedPx * seedPx;
  const moment = (count * (count - 1)) / 12;
  const down = width * stride;
  let squares = 0;
  let rise = 0;
  // Where all is opaque, opacity adds nothing.
  const channels = opaque ? 3 : 4;
  for (let c = 0; c < channels; c++) {
    let sum = 0;
    let sumX = 0;
    let sumY = 0;
    let sumSq = 0;
    for (let v = 0; v < seedPx; v++) {
      let at = (first + v * down) * 4 + c;
      let before = rgba[at];
      let ofRow = 0;
      for (let u = 0; u < seedPx; u++, at += stride * 4) {
        const value = rgba[at];
        const step = value - before;
        if (step > STEEPEST || step < -STEEPEST) return 'edge';
        if (v > 0) {
          const fall = value - rgba[at - down * 4];
          if (fall > STEEPEST || fall < -STEEPEST) return 'edge';
        }
        before = value;
        ofRow += value;
        sumSq += value * value;
        sumX += value * (u - half);
      }
      sum += ofRow;
      sumY += ofRow * (v - half);
    }
    squares += sumSq - (sum * sum) / count - (sumX * sumX + sumY * sumY) / moment;
    rise = Math.max(rise, (Math.sqrt(sumX * sumX + sumY * sumY) / moment) * (seedPx - 1));
  }
  if (squares >= seedRms * seedRms * count * 3) return 'rough';
  return rise >= seedRise ? 'ramp' : 'weak';
}

/**
 * Whether a square that is near to no plane is near to a quadratic surface, as it is on a small radial ramp. Over a square the terms of such
 * a surface, freed of their means, are orthogonal: each takes its own share of the variance.
 */
export function isCurved({ rgba, width, opaque }: WorkingPixels, x: number, y: number, limits: RampLimits): boolean {
  const { seedPx, seedRms } = limits;
  const half = (seedPx - 1) / 2;
  const count = seedPx * seedPx;
  const meanSq = (count - 1) / 12;
  const moment = (count * (count - 1)) / 12;
  let normXX = 0;
  let normXY = 0;
  for (let v = 0; v < seedPx; v++) {
    for (let u = 0; u < seedPx; u++) {
      normXX += ((u - half) ** 2 - meanSq) ** 2;
      normXY += ((u - half) * (v - half)) ** 2;
    }
  }
  let squares = 0;
  const channels = opaque ? 3 : 4;
  for (let c = 0; c < channels; c++) {
    let sum = 0;
    let sumSq = 0;
    let sumX = 0;
    let sumY = 0;
    let sumXX = 0;
    let sumYY = 0;
    let sumXY = 0;
    for (let v = 0; v < seedPx; v++) {
      for (let u = 0; u < seedPx; u++) {
        const value = rgba[((y + v) * width + x + u) * 4 + c];
        const a = u - half;
        const b = v - half;
        sum += value;
        sumSq += value * value;
        sumX += value * a;
        sumY += value * b;
        sumXX += value * (a * a - meanSq);
        sumYY += value * (b * b - meanSq);
        sumXY += value * a * b;
      }
    }
    squares += sumSq - (sum * sum) / count - (sumX * sumX + sumY * sumY) / moment;
    squares -= (sumXX * sumXX + sumYY * sumYY) / normXX + (sumXY * sumXY) / normXY;
  }
  return squares < seedRms * seedRms * count * 3;
}
