import { AxisSolver, countCells, LEAST_VISIBLE_PX, modelAxis, type Resampling } from './resampling.js';

/** A way in which one axis may have been enlarged, and how well it explains the picture. */
export interface AxisFit {
  readonly resampling: Resampling;
  /** px of a cell. */
  readonly step: number;
  /** Where the first cell begins, px. */
  readonly offset: number;
  readonly cells: number;
  /** Squared error per px that is left, free parameters discounted. */
  readonly variance: number;
}

/** Lines of one axis to try models on. */
export interface AxisLines {
  readonly values: Float32Array;
  readonly count: number;
  readonly size: number;
  /** Per line the sum of its values squared. */
  readonly squares: Float64Array;
}

const LEAST_CELLS = 4;
/** A model tried at a rough place must leave less than this share of the spread. */
const WORTH_REFINING = 0.6;
const ROUNDS_PER_STRIDE = 4;
/** Strides are halved until they move the far end by less than this many px. */
const ROUGHLY = 0.06;

/**
 * For each step, the best place of a grid in one kind of enlargement; those that explain little of the lines' `spread` (mean
 * squared difference from their means) are left out.
 */
export function fitAxis(lines: AxisLines, resampling: Resampling, steps: readonly number[], spread: number): AxisFit[] {
  const { size } = lines;
  const rough: AxisFit[] = [];
  for (const step of steps) {
    let best: AxisFit | undefined;
    const phases = Math.max(3, Math.min(Math.ceil(step), resampling === 'cells' ? 8 : 5));
    for (let k = 0; k < phases; k++) {
      best = tryModel(lines, resampling, step, (-k * step) / phases, best?.variance) ?? best;
    }
    // A picture that was not cropped: a whole number of cells from border to border.
    for (let cells = Math.floor(size / step); cells <= Math.ceil(size / step); cells++) {
      if (cells >= 1) best = tryModel(lines, resampling, size / cells, 0, (best?.variance ?? Infinity) * 1.02) ?? best;
    }
    if (best !== undefined && best.variance < spread * WORTH_REFINING) rough.push(best);
  }
  return rough.map((fit) => refineFit(lines, fit, ROUGHLY));
}

/** The squared error per px of a model; undefined where it has too few cells, or no px to spare, or its error is not below `limit`. */
export function tryModel(
  lines: AxisLines,
  resampling: Resampling,
  step: number,
  offset: number,
  limit = Infinity,
): AxisFit | undefined {
  const { values, count, size, squares } = lines;
  const cells = countCells(size, step, offset);
  if (step < 1.5 || cells < LEAST_CELLS || size - cells < 2) return undefined;
  const solver = new AxisSolver(modelAxis(resampling, size, step, offset));
  const freedom = count * (size - cells);
  let errorSq = 0;
  for (let line = 0; line < count; line++) {
    errorSq += solver.errorSq(values, line * size, squares[line]);
    if (errorSq >= limit * freedom) return undefined;
  }
  return { resampling, step, offset, cells, variance: errorSq / freedom };
}

/** The same grid with the offset in its range. */
export const wrapOffset = (offset: number, step: number): number => {
  const from = LEAST_VISIBLE_PX - step;
  return from + ((((offset - from) % step) + step) % step);
};

/** Walks downhill in step and offset, by smaller and smaller strides, down to one of `leastStride` px. */
export function refineFit(lines: AxisLines, from: AxisFit, leastStride: number): AxisFit {
  let best = from;
  for (let stride = 0.25; stride >= leastStride; stride /= 2) {
    const turn = (stride * from.step) / lines.size;
    for (let round = 0; round < ROUNDS_PER_STRIDE; round++) {
      const before = best;
      for (const [step, offset] of [
        [best.step, best.offset + stride],
        [best.step, best.offset - stride],
        // Turned about the middle of the line rather than about its start.
        [best.step + turn, best.offset - stride / 2],
        [best.step - turn, best.offset + stride / 2],
      ] as const) {
        best = tryModel(lines, best.resampling, step, wrapOffset(offset, step), best.variance) ?? best;
      }
      if (best === before) break;
    }
  }
  return best;
}
