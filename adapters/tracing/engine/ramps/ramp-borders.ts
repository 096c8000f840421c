import type { WorkingPixels } from '../intake/working-pixels.js';
import type { FittedRamp } from './fit-ramp.js';
import { boxesOfRamps, widened } from './ramp-boxes.js';
import { RampReader } from './ramp-reader.js';

/** Ramps are compared over the squares that reach so far around a pixel, px: borders become as smooth as these are large. */
const REACH_PX = 5;
/** How far around its pixels a ramp may come to, px. */
const MARGIN_PX = 12;

/**
 * Where ramps that come near to their pixels, and no nearer, lie side by side, one color change is drawn in pieces, and where one
 * piece ends hangs on noise. Gives every pixel of theirs to the one that is nearest over the square around it, of those that are within
 * `near` levels of it: borders between them are smooth then, and lie where the two ramps hardly differ. `of` has the ramp of every
 * pixel, -1 for none, and changes in place; `numbers` says which ramps are meant.
 */
export function smoothBorders(
  pixels: WorkingPixels,
  of: Int32Array,
  ramps: readonly FittedRamp[],
  numbers: readonly number[],
  near: number,
): void {
  if (numbers.length < 2) return;
  const { width, height } = pixels;
  const isMeant = new Uint8Array(ramps.length);
  for (const r of numbers) isMeant[r] = 1;
  const least = new Float32Array(of.length).fill(Infinity);
  const best = Int32Array.from(of);
  const cap = 4 * near * near;
  const boxes = boxesOfRamps(width, height, ramps.length, (i) => of[i]);
  for (const r of numbers) {
    if (boxes[r].right < 0) continue;
    const { left, top, right, bottom } = widened(boxes[r], MARGIN_PX, width, height);
    const [across, down] = [right - left + 1, bottom - top + 1];
    const reader = new RampReader(ramps[r], pixels, near);
    // Summed areas of squared distances, and of the pixels they are of.
    const stride = across + 1;
    const sums = new Float64Array(stride * (down + 1));
    const counts = new Int32Array(stride * (down + 1));
    for (let y = 0; y < down; y++) {
      let sum = 0;
      let count = 0;
      for (let x = 0; x < across; x++) {
        const ramp = of[(top + y) * width + left + x];
        if (ramp >= 0 && isMeant[ramp] === 1) {
          sum += Math.min(cap, reader.distanceSq(left + x, top + y));
          count++;
        }
        const at = (y + 1) * stride + x + 1;
        sums[at] = sums[at - stride] + sum;
        counts[at] = counts[at - stride] + count;
      }
    }
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const i = (top + y) * width + left + x;
        if (of[i] < 0 || isMeant[of[i]] === 0) continue;
        if (of[i] !== r && !reader.isNear(left + x, top + y)) continue;
        const x0 = Math.max(0, x - REACH_PX);
        const x1 = Math.min(across, x + REACH_PX + 1);
        const a = Math.max(0, y - REACH_PX) * stride;
        const b = Math.min(down, y + REACH_PX + 1) * stride;
        const count = counts[b + x1] - counts[a + x1] - counts[b + x0] + counts[a + x0];
        const mean = (sums[b + x1] - sums[a + x1] - sums[b + x0] + sums[a + x0]) / count;
        if (mean >= least[i]) continue;
        least[i] = mean;
        best[i] = r;
      }
    }
  }
  of.set(best);
}
