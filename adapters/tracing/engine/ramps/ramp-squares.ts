import type { WorkingPixels } from '../intake/working-pixels.js';
import { nearnessOf } from './box-ramp.js';
import type { FittedRamp } from './fit-ramp.js';
import { COMPRESSED, type RampLimits } from './limits.js';
import { RampReader } from './ramp-reader.js';
import { lookAtSquare } from './seeds.js';

/**
 * Share of the squares that are like ramps or of one, up to which nothing is left over in compressed pictures: a ground that hardly changes looks even from square to
 * square, and a few at edges would outweigh it. (Of what is drawn: under .02 in three grounds that were lost by that, .08 where a ramp was found across stripes.)
 */
const FEW_LEFT = 0.04;

/**
 * Share of the squares that look like part of a ramp that are of none that was found (`of`: per pixel the ramp it is of, -1 for none): where it is large, a blur that is no
 * gradient.
 */
export function shareLeft(pixels: WorkingPixels, of: Int32Array, limits: RampLimits): number {
  const { seedPx } = limits;
  const half = seedPx >> 1;
  let left = 0;
  let taken = 0;
  let even = 0;
  for (let y = 0; y + seedPx <= pixels.height; y += seedPx) {
    for (let x = 0; x + seedPx <= pixels.width; x += seedPx) {
      const isTaken = of[(y + half) * pixels.width + x + half] >= 0;
      const isRamp = lookAtSquare(pixels, x, y, 1, limits) === 'ramp';
      if (isTaken && isRamp) taken++;
      else if (isTaken) even++;
      else if (isRamp) left++;
    }
  }
  if (limits === COMPRESSED && left <= FEW_LEFT * (left + taken + even)) return 0;
  return left / Math.max(1, left + taken);
}

/** Whether no pixel of a square is of a ramp. */
export function isFree(of: Int32Array, width: number, x: number, y: number, side: number): boolean {
  for (let v = 0; v < side; v++) {
    for (let u = 0; u < side; u++) if (of[(y + v) * width + x + u] >= 0) return false;
  }
  return true;
}

/** A ramp found already that the whole of a seed is of, -1 for none. */
export function knownRamp(
  ramps: readonly FittedRamp[],
  pixels: WorkingPixels,
  x: number,
  y: number,
  { seedPx, near }: RampLimits,
): number {
  for (let r = 0; r < ramps.length; r++) {
    const reader = new RampReader(ramps[r], pixels, nearnessOf(ramps[r], near));
    let all = true;
    for (let v = 0; v < seedPx && all; v++) for (let u = 0; u < seedPx && all; u++) all = reader.isNear(x + u, y + v);
    if (all) return r;
  }
  return -1;
}
