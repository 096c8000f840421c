import { FIT_ENDS, FIT_ERROR, FIT_LARGEST, FIT_RESULT, FIT_SAMPLES, MOST_SAMPLES } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';

/** Of so few samples the way between them says little of their parameters; they take these rounds at least. */
const FEW_SAMPLES = 8;
const FEW_ROUNDS = 4;

/**
 * Least squares cubic through a stretch of samples with given ends and end tangents: only the two handle lengths are free.
 * Schneider's inner loop (Graphics Gems, 1990): solve for the handles, move each sample's parameter to its foot point,
 * repeat.
 */
export class CubicFitter {
  /** Handle lengths, px. */
  startHandle = 0;
  endHandle = 0;
  /** Largest distance of a sample from the curve, px, and the sum of squares over all samples of the stretch. */
  largest = 0;
  error = 0;
  /** What `fit` goes by: start x, y, the unit tangent there along the curve, end x, y, and the unit tangent there. */
  readonly ends = new Float64Array(8);

  /**
   * Fits samples between `from` and `to` (both excluded), from and to what is in `ends`, in at most so many `rounds` (1 and more; few samples take
   * more): the first takes the samples' parameters from the way between them. Gives up early, with `largest` far above it, when `tolerance` is out
   * of reach.
   */
  fit(xs: Float64Array, ys: Float64Array, from: number, to: number, tolerance: number, rounds: number): void {
    const { head, kernel } = kernelMemory;
    head.set(this.ends, FIT_ENDS / 8);
    const inside = to - from - 1;
    const stride = inside > MOST_SAMPLES ? Math.ceil(inside / MOST_SAMPLES) : 1;
    let count = 0;
    for (let i = from + 1, at = FIT_SAMPLES / 8; i < to; i += stride, count++) {
      head[at++] = xs[i];
      head[at++] = ys[i];
    }
    kernel.fitCubic(count, tolerance, inside > FEW_SAMPLES || rounds > FEW_ROUNDS ? rounds : FEW_ROUNDS);
    this.startHandle = head[FIT_RESULT / 8];
    this.endHandle = head[FIT_RESULT / 8 + 1];
    this.largest = head[FIT_LARGEST / 8];
    this.error = head[FIT_ERROR / 8] * stride;
  }
}
