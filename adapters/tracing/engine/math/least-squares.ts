/** Damping, as a share of the diagonal: parameters that no sample speaks of stay where they are. */
const DAMPING = 1e-9;
const LEAST_PIVOT = 1e-9;

/** Normal equations of a few unknowns, collected row by row and solved in place. */
export class LeastSquares {
  /** The unknowns, once solved. */
  readonly x: Float64Array;
  private readonly size: number;
  private readonly matrix: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.x = new Float64Array(size);
    this.matrix = new Float64Array(size * (size + 1));
  }

  clear(): void {
    this.matrix.fill(0);
  }

  /** One equation: `row` times the unknowns is `value`. */
  add(row: Float64Array, value: number, weight: number): void {
    const { matrix, size } = this;
    const stride = size + 1;
    for (let a = 0; a < size; a++) {
      const w = weight * row[a];
      if (w === 0) continue;
      for (let b = a; b < size; b++) matrix[a * stride + b] += w * row[b];
      matrix[a * stride + size] += w * value;
    }
  }

  /** Puts the sum of products of unknowns `a` and `b`, no less than `a`, in place of what there is, or with `b` the number of unknowns the right side. */
  put(a: number, b: number, sum: number): void {
    this.matrix[a * (this.size + 1) + b] = sum;
  }

  /** False where the equations leave an unknown open, or tell of one less than this share of what they tell of all. */
  solve(leastShare = 0): boolean {
    const { matrix, size, x } = this;
    const stride = size + 1;
    let all = 0;
    for (let a = 0; a < size; a++) all += matrix[a * stride + a];
    const least = Math.max(LEAST_PIVOT, leastShare * all);
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < a; b++) matrix[a * stride + b] = matrix[b * stride + a];
      matrix[a * stride + a] *= 1 + DAMPING;
    }
    for (let a = 0; a < size; a++) {
      const pivot = matrix[a * stride + a];
      if (!(pivot > least)) return false;
      for (let b = a + 1; b < size; b++) {
        const m = matrix[b * stride + a] / pivot;
        for (let k = a; k <= size; k++) matrix[b * stride + k] -= m * matrix[a * stride + k];
      }
    }
    for (let a = size - 1; a >= 0; a--) {
      let value = matrix[a * stride + size];
      for (let b = a + 1; b < size; b++) value -= matrix[a * stride + b] * x[b];
      x[a] = value / matrix[a * stride + a];
    }
    return true;
  }
}
