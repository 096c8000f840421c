import { StageMemory } from './stage-memory.js';

const LEAST_ENTRIES = 1024;

/**
 * Symmetric positive definite systems whose rows begin late: only the part of each row from its first non-zero to the
 * diagonal is kept (the profile, or skyline; George & Liu 1981), and the factor fits in the same place. A chain's equations
 * are nearly banded, so solving is linear in their number; the few rows that close a loop are longer.
 */
export class ProfileSystem {
  size = 0;
  private first = new Int32Array(128);
  private offset = new Int32Array(129);
  private readonly memory: StageMemory;
  private matrix = new Float64Array(0);
  private factor = new Float64Array(0);
  rhs = new Float64Array(128);
  solution = new Float64Array(128);

  /** The system lasts until another stage uses `memory`. */
  constructor(memory = new StageMemory()) {
    this.memory = memory;
  }

  /** Begins a system of `size` unknowns; every row at first holds its diagonal alone. */
  begin(size: number): void {
    this.size = size;
    if (this.first.length < size) {
      const room = Math.max(size, this.first.length * 2);
      this.first = new Int32Array(room);
      this.offset = new Int32Array(room + 1);
      this.rhs = new Float64Array(room);
      this.solution = new Float64Array(room);
    }
    for (let i = 0; i < size; i++) this.first[i] = i;
  }

  /** Says that all of these unknowns (-1 for none) occur in one equation. */
  coupleAll(unknowns: Int32Array): void {
    const { first } = this;
    let least = this.size;
    for (let i = 0; i < unknowns.length; i++) if (unknowns[i] >= 0 && unknowns[i] < least) least = unknowns[i];
    for (let i = 0; i < unknowns.length; i++) {
      const unknown = unknowns[i];
      if (unknown >= 0 && least < first[unknown]) first[unknown] = least;
    }
  }

  /**
   * Fixes the profile after all coupling has been said. What is returned is room for `least` numbers or more: good from when a solution
   * has been found to when the next one is looked for.
   */
  layOut(least = 0): Float64Array<ArrayBuffer> {
    const { first, offset, size } = this;
    let total = 0;
    for (let i = 0; i < size; i++) {
      offset[i] = total - first[i];
      total += i - first[i] + 1;
    }
    offset[size] = total;
    const needed = Math.max(total, least);
    if (this.factor.length < needed || !this.memory.holds(this.factor)) {
      const room = Math.max(needed, LEAST_ENTRIES);
      const buffer = this.memory.take(room * 16);
      this.matrix = new Float64Array(buffer, 0, room);
      this.factor = new Float64Array(buffer, room * 8, room);
    }
    return this.factor;
  }

  clear(): void {
    this.matrix.fill(0, 0, this.offset[this.size]);
    this.rhs.fill(0, 0, this.size);
  }

  /** Adds to the entry at (a, b) and, by symmetry, (b, a). For a ≠ b to be said once. */
  add(a: number, b: number, value: number): void {
    if (a >= b) this.matrix[this.offset[a] + b] += value;
    else this.matrix[this.offset[b] + a] += value;
  }

  /** Solves with `damping` added to the diagonal; false where the matrix is not positive definite. The matrix is kept. */
  solve(damping: number): boolean {
    const { size, first, offset, matrix, factor, rhs, solution } = this;
    for (let i = 0; i < size; i++) {
      const row = offset[i];
      const from = first[i];
      for (let j = from; j < i; j++) {
        const other = offset[j];
        let sum = matrix[row + j];
        for (let k = from > first[j] ? from : first[j]; k < j; k++) sum -= factor[row + k] * factor[other + k];
        factor[row + j] = sum / factor[other + j];
      }
      let sum = matrix[row + i] + damping;
      for (let k = from; k < i; k++) sum -= factor[row + k] * factor[row + k];
      if (!(sum > 1e-12)) return false;
      factor[row + i] = Math.sqrt(sum);
    }
    for (let i = 0; i < size; i++) {
      const row = offset[i];
      let sum = rhs[i];
      for (let k = first[i]; k < i; k++) sum -= factor[row + k] * solution[k];
      solution[i] = sum / factor[row + i];
    }
    for (let i = size - 1; i >= 0; i--) {
      const row = offset[i];
      const value = solution[i] / factor[row + i];
      solution[i] = value;
      for (let k = first[i]; k < i; k++) solution[k] -= factor[row + k] * value;
    }
    return true;
  }
}
