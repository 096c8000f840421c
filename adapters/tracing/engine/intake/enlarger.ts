import type { AxisModel } from '../pixel/resampling.js';

/** By how much more than the last round has it what was cut off is put back, which comes nearer in fewer rounds (successive over-relaxation). */
const RELAXATION = 1.7;
/** Once it is put back to within so many levels, it is. */
export const UNCLIPPED_LEVELS = 0.25;
/** How often it is at most. */
export const MOST_ROUNDS = 12;

/** One axis of an enlargement of so many cells, the first of them being this one of the model; what is beyond the border is as within it. */
export class Enlarger {
  private readonly taps: number;
  private readonly weights: Float64Array;
  /** Per tap of a pixel its cell. */
  private readonly cells: Int32Array;

  constructor({ taps, first, weights }: AxisModel, count: number, skipped: number) {
    this.taps = taps;
    this.weights = weights;
    this.cells = Int32Array.from(weights, (_, i) =>
      Math.max(0, Math.min(count - 1, first[Math.floor(i / taps)] + (i % taps) - skipped)),
    );
  }

  /** A line of cells from one on into one of pixels. */
  enlarge(from: Float64Array, start: number, to: Float64Array, toStart: number): void {
    const { taps, weights, cells } = this;
    for (let i = 0, out = toStart; i < weights.length; out++) {
      let sum = 0;
      for (let k = 0; k < taps; k++, i++) sum += weights[i] * from[start + cells[i]];
      to[out] = sum;
    }
  }

  /** Rows of cells, so wide, into more such rows. */
  enlargeRows(from: Float64Array, width: number, to: Float64Array): void {
    const { taps, weights, cells } = this;
    to.fill(0);
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i];
      if (weight === 0) continue;
      const out = Math.floor(i / taps) * width;
      const row = cells[i] * width;
      for (let x = 0; x < width; x++) to[out + x] += weight * from[row + x];
    }
  }
}

/** Puts back what was cut off at black and white of levels seen, as what they were enlarged from has it; returns by how many levels at most. */
export function putBack(
  levels: Float32Array,
  seen: ArrayLike<number>,
  from: number,
  stride: number,
  again: Float64Array,
): number {
  let moved = 0;
  for (let i = 0, at = from; i < levels.length; i++, at += stride) {
    const level = seen[at];
    if (level > 0 && level < 255) continue;
    const meant = level === 0 ? Math.min(0, again[i]) : Math.max(255, again[i]);
    const step = meant - levels[i];
    if (step === 0) continue;
    moved = Math.max(moved, Math.abs(step));
    const next = levels[i] + RELAXATION * step;
    levels[i] = level === 0 ? Math.min(0, next) : Math.max(255, next);
  }
  return moved;
}
