import { MOST_UNKNOWNS } from '../kernels/kernel-layout.js';
import { LeastSquares } from '../math/least-squares.js';
import type { SidedContour } from './sided-contour.js';

/** To the right, down, larger, and turned. */
const MOTIONS = 4;
/** A corner moves no further in one step, px. */
export const LARGEST_STEP_PX = 0.8;

/**
 * Moves a contour as a whole: the equations for all of its corners (the upper half of a symmetric matrix, and the right side), held to the four motions
 * that leave its shape as it is, a similarity.
 */
export class ContourMotion {
  private readonly matrix: Float64Array;
  private readonly rhs: Float64Array;
  private readonly solution: Float64Array;
  /** Per motion what it does to each coordinate. */
  private readonly along = Array.from({ length: MOTIONS }, () => new Float64Array(MOST_UNKNOWNS));
  /** The equations for how much there is of each motion. */
  private readonly held = new LeastSquares(MOTIONS);

  constructor(matrix: Float64Array, rhs: Float64Array, solution: Float64Array) {
    this.matrix = matrix;
    this.rhs = rhs;
    this.solution = solution;
  }

  /** Solves for the motion, damped, and writes what it does to every corner into the solution; false where there is none. */
  solve(contour: SidedContour, damping: number): boolean {
    const { along, held, rhs, solution } = this;
    const size = 2 * contour.count;
    this.lay(contour);
    for (let a = 0; a < MOTIONS; a++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += along[a][i] * rhs[i];
      held.put(a, MOTIONS, sum);
      for (let b = a; b < MOTIONS; b++) held.put(a, b, this.product(a, b, size, damping));
    }
    if (!held.solve()) return false;
    let farthest = 0;
    solution.fill(0);
    for (let i = 0; i < size; i++) {
      for (let a = 0; a < MOTIONS; a++) solution[i] += held.x[a] * along[a][i];
      farthest = Math.max(farthest, Math.abs(solution[i]));
    }
    const most = LARGEST_STEP_PX * Math.SQRT1_2;
    if (farthest > most) for (let i = 0; i < size; i++) solution[i] *= most / farthest;
    return true;
  }

  /** About the mean of the corners. */
  private lay({ numbers, count }: SidedContour): void {
    const [right, down, larger, turned] = this.along;
    let cx = 0;
    let cy = 0;
    for (let k = 0; k < count; k++) {
      cx += numbers[3 * k] / count;
      cy += numbers[3 * k + 1] / count;
    }
    for (let k = 0; k < count; k++) {
      const x = 2 * k;
      right[x] = down[x + 1] = 1;
      right[x + 1] = down[x] = 0;
      larger[x] = turned[x + 1] = numbers[3 * k] - cx;
      larger[x + 1] = numbers[3 * k + 1] - cy;
      turned[x] = -larger[x + 1];
    }
  }

  private product(a: number, b: number, size: number, damping: number): number {
    const { matrix } = this;
    const one = this.along[a];
    const other = this.along[b];
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const row = i * MOST_UNKNOWNS;
      sum += one[i] * other[i] * (matrix[row + i] + damping);
      for (let j = i + 1; j < size; j++) sum += matrix[row + j] * (one[i] * other[j] + one[j] * other[i]);
    }
    return sum;
  }
}
