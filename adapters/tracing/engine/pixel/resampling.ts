/** How a small picture may have been enlarged: cells with hard edges, or samples in their middles with a curve through them. */
export type Resampling = 'cells' | 'linear' | 'cubic' | 'lanczos';
export const RESAMPLINGS: readonly Resampling[] = ['cells', 'linear', 'cubic', 'lanczos'];

/** And how a picture that is none of cells may: by a steeper cubic curve, or by one that smooths a little. */
export type Enlarging = Exclude<Resampling, 'cells'> | 'steep-cubic' | 'mitchell';

/** Samples that one pixel of the enlargement may mix. */
const TAPS: Readonly<Record<Resampling | Enlarging, number>> = {
  cells: 1,
  linear: 2,
  cubic: 4,
  'steep-cubic': 4,
  mitchell: 4,
  lanczos: 6,
};

/**
 * One axis of an enlargement as a banded matrix: pixel x is the sum over k of `weights[x * taps + k]` times cell `first[x] + k`.
 * Where the kernel reaches over a border, a ghost cell stands for everything beyond; a picture that was cropped has another
 * color there, one that was not the color of the border cell.
 */
export interface AxisModel {
  readonly taps: number;
  /** Cells, the two ghosts included. */
  readonly cells: number;
  readonly first: Int32Array;
  readonly weights: Float64Array;
}

/**
 * @param size px of the picture along the axis
 * @param step px of a cell, above 1
 * @param offset where the first cell begins, LEAST_VISIBLE_PX - step < offset <= LEAST_VISIBLE_PX; half a pixel, too, where the first pixel is of the ghost by half
 */
export function modelAxis(resampling: Resampling | Enlarging, size: number, step: number, offset: number): AxisModel {
  const taps = TAPS[resampling];
  const inner = countCells(size, step, offset);
  const cells = Math.max(inner + 2, taps);
  const first = new Int32Array(size);
  const weights = new Float64Array(size * taps);
  for (let x = 0; x < size; x++) {
    // In cells; the ghost before the first one is cell 0.
    const at = (x + 0.5 - offset) / step + 1;
    const from = taps === 1 ? Math.floor(at) : Math.floor(at - 0.5) - taps / 2 + 1;
    const begin = Math.min(Math.max(0, from), cells - taps);
    first[x] = begin;
    let sum = 0;
    for (let k = 0; k < taps; k++) sum += kernel(resampling, at - (from + k + 0.5));
    for (let k = 0; k < taps; k++) {
      const weight = kernel(resampling, at - (from + k + 0.5)) / sum;
      weights[x * taps + Math.min(Math.max(0, from + k - begin), taps - 1)] += weight;
    }
  }
  return { taps, cells, first, weights };
}

/** Of the first and the last cell at least this many px must show. */
export const LEAST_VISIBLE_PX = 0.4;

/** Cells of a grid that show. */
export const countCells = (size: number, step: number, offset: number): number =>
  Math.max(1, Math.ceil((size - offset - LEAST_VISIBLE_PX) / step));

function kernel(resampling: Resampling | Enlarging, distance: number): number {
  const t = Math.abs(distance);
  if (resampling === 'cells') return 1;
  if (resampling === 'linear') return Math.max(0, 1 - t);
  if (resampling === 'cubic') {
    // Catmull–Rom: a = -1/2.
    if (t < 1) return 1 + t * t * (1.5 * t - 2.5);
    return t < 2 ? 2 + t * (-4 + t * (2.5 - 0.5 * t)) : 0;
  }
  if (resampling === 'steep-cubic') return cubic(t, 0, 0.75);
  if (resampling === 'mitchell') return cubic(t, 1 / 3, 1 / 3);
  if (t >= 3) return 0;
  if (t < 1e-9) return 1;
  const phase = Math.PI * t;
  return (3 * Math.sin(phase) * Math.sin(phase / 3)) / (phase * phase);
}

/** Mitchell and Netravali's cubics (Reconstruction filters in computer graphics, 1988); with b = 0, Keys's with a = -c. */
function cubic(t: number, b: number, c: number): number {
  if (t < 1) return (6 - 2 * b + t * t * (-18 + 12 * b + 6 * c + t * (12 - 9 * b - 6 * c))) / 6;
  return t < 2 ? (8 * b + 24 * c + t * (-12 * b - 48 * c + t * (6 * b + 30 * c + t * (-b - 6 * c)))) / 6 : 0;
}

/** Solves for the cells along one axis, by least squares: the inverse of an enlargement. */
export class AxisSolver {
  /** Of the model. */
  readonly cells: number;
  /** Pixels of a line. */
  readonly size: number;
  readonly model: AxisModel;
  /** Cholesky factor of the normal equations, banded, row by row. */
  readonly #factor: Float64Array;
  readonly #band: number;
  readonly #right: Float64Array;

  constructor(model: AxisModel) {
    const { taps, cells, first, weights } = model;
    this.model = model;
    this.cells = cells;
    this.size = first.length;
    this.#right = new Float64Array(cells);
    // One off-diagonal at least: neighbors are tied to each other.
    const band = Math.max(2, taps);
    this.#band = band;
    const factor = new Float64Array(cells * band);
    // Cells that no pixel shows follow their neighbors.
    for (let k = 0; k < cells; k++)
      factor[k * band + band - 1] += TIE * (k === 0 || k === cells - 1 ? 1 : 2) + TIE * TIE;
    for (let k = 1; k < cells; k++) factor[k * band + band - 2] -= TIE;
    for (let x = 0; x < first.length; x++) {
      for (let j = 0; j < taps; j++) {
        for (let k = 0; k <= j; k++) {
          factor[(first[x] + j) * band + band - 1 + k - j] += weights[x * taps + j] * weights[x * taps + k];
        }
      }
    }
    for (let row = 0; row < cells; row++) {
      const from = Math.max(0, row - band + 1);
      for (let column = from; column <= row; column++) {
        let sum = factor[row * band + band - 1 + column - row];
        for (let k = Math.max(from, column - band + 1); k < column; k++) {
          sum -= factor[row * band + band - 1 + k - row] * factor[column * band + band - 1 + k - column];
        }
        factor[row * band + band - 1 + column - row] =
          column === row ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[column * band + band - 1];
      }
    }
    this.#factor = factor;
  }

  /** The cells of a line of pixels `values[start + x * stride]`, into `out` from `outStart` at `outStride`. */
  solve(
    values: Float32Array | Float64Array,
    start: number,
    stride: number,
    out: Float64Array,
    outStart: number,
    outStride: number,
  ): void {
    const { cells } = this.model;
    const band = this.#band;
    const factor = this.#factor;
    const right = this.#right;
    this.#substitute(values, start, stride);
    for (let row = cells - 1; row >= 0; row--) {
      let sum = right[row];
      const last = Math.min(cells - 1, row + band - 1);
      for (let k = row + 1; k <= last; k++) sum -= factor[k * band + band - 1 + row - k] * right[k];
      right[row] = sum / factor[row * band + band - 1];
    }
    for (let k = 0; k < cells; k++) out[outStart + k * outStride] = right[k];
  }

  /** The squared error that the cells solved for last leave of their line, which began at the first of these pixels. */
  leftOf(values: Float32Array): number {
    const { taps, first, weights } = this.model;
    const right = this.#right;
    let errorSq = 0;
    for (let x = 0; x < first.length; x++) {
      let value = values[x];
      for (let k = 0; k < taps; k++) value -= weights[x * taps + k] * right[first[x] + k];
      errorSq += value * value;
    }
    return errorSq;
  }

  /**
   * The squared error that the best cells would leave of a line of `squares` = sum of values²: by Pythagoras that less the squared right
   * side of the factored equations, which takes half of what solving takes.
   */
  errorSq(values: Float32Array, start: number, squares: number): number {
    const right = this.#right;
    this.#substitute(values, start, 1);
    let left = squares;
    for (let k = 0; k < right.length; k++) left -= right[k] * right[k];
    return left > 0 ? left : 0;
  }

  /** The right side of the normal equations, divided by the factor. */
  #substitute(values: Float32Array | Float64Array, start: number, stride: number): void {
    const { taps, cells, first, weights } = this.model;
    const band = this.#band;
    const factor = this.#factor;
    const right = this.#right;
    right.fill(0);
    for (let x = 0; x < first.length; x++) {
      const value = values[start + x * stride];
      for (let k = 0; k < taps; k++) right[first[x] + k] += weights[x * taps + k] * value;
    }
    for (let row = 0; row < cells; row++) {
      let sum = right[row];
      for (let k = Math.max(0, row - band + 1); k < row; k++) sum -= factor[row * band + band - 1 + k - row] * right[k];
      right[row] = sum / factor[row * band + band - 1];
    }
  }
}

/** How strongly neighbors are tied: enough to settle what no pixel shows, too little to move what one does. */
const TIE = 1e-5;
