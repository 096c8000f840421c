import { arena } from '../math/arena.js';
import type { NodeSystem } from '../math/node-system.js';

/** Numbers of node coordinates begin here, so that they are told from the chains' own. */
const NODE_BASE = 1 << 28;
/** Coordinates of a chain's two end nodes. */
const ENDS = 4;

/**
 * The normal equations of all chains: each chain's own unknowns, which no other chain has, and the coordinates of the two
 * nodes it ends at, which it shares. The own ones are eliminated chain by chain; what is left is a system of the nodes alone
 * (the Schur complement), after whose solution the own ones follow. A chain's rows are kept from their first non-zero on.
 */
export class ChainEquations {
  private readonly base: Int32Array;
  private readonly size: Int32Array;
  private readonly ends: Int32Array;
  /** Per chain four node coordinates, the second two -1 for a chain that ends where it begins. */
  private readonly border: Int32Array;
  private first = new Int32Array(1024);
  private offset = new Int32Array(1024);
  private rows = 0;
  private readonly rowsOf: Int32Array;
  private readonly from: Int32Array;
  private total = 0;
  private matrix = new Float64Array(0);
  private rhs = new Float64Array(0);
  private readonly local = new Int32Array(8);

  constructor(chains: number) {
    this.base = new Int32Array(chains);
    this.size = new Int32Array(chains);
    this.ends = new Int32Array(chains);
    this.border = new Int32Array(chains * ENDS).fill(-1);
    this.rowsOf = new Int32Array(chains + 1);
    this.from = new Int32Array(chains + 1);
  }

  /** The number by which an unknown of the node system is known here. */
  nodeNumber(coordinate: number): number {
    return NODE_BASE + coordinate;
  }

  /** Begins a chain whose own unknowns are numbered from `base` on. */
  beginChain(c: number, base: number, startNode: number, endNode: number): void {
    this.base[c] = base;
    const b = c * ENDS;
    if (startNode >= 0) {
      this.border[b] = 2 * startNode;
      this.border[b + 1] = 2 * startNode + 1;
      if (endNode !== startNode) {
        this.border[b + 2] = 2 * endNode;
        this.border[b + 3] = 2 * endNode + 1;
      }
    }
    this.ends[c] = startNode < 0 ? 0 : endNode === startNode ? 2 : ENDS;
  }

  /** Lays the chain's rows out. `at` has eight unknowns for each of its segments. */
  endChain(c: number, next: number, at: Int32Array, from: number, to: number): void {
    const n = next - this.base[c];
    this.size[c] = n;
    const count = n + this.ends[c];
    if (this.first.length < this.rows + count) {
      const size = (this.rows + count) * 2;
      const first = new Int32Array(size);
      first.set(this.first);
      this.first = first;
      const offset = new Int32Array(size);
      offset.set(this.offset);
      this.offset = offset;
    }
    const row = this.rows;
    this.rowsOf[c] = row;
    const { first, offset, local } = this;
    // A node's row begins with the segment that ends there.
    for (let i = 0; i < count; i++) first[row + i] = i < n ? i : n;
    for (let k = from; k < to; k++) {
      this.localize(c, at, k * 8, 8);
      let least = n;
      for (let i = 0; i < 8; i++) if (local[i] >= 0 && local[i] < least) least = local[i];
      for (let i = 0; i < 8; i++) {
        const l = local[i];
        if (l >= 0 && least < first[row + l]) first[row + l] = least;
      }
    }
    let total = this.total;
    this.from[c] = total;
    for (let i = 0; i < count; i++) {
      offset[row + i] = total - first[row + i];
      total += i - first[row + i] + 1;
    }
    this.total = total;
    this.from[c + 1] = total;
    this.rows = row + count;
    this.rowsOf[c + 1] = this.rows;
  }

  /** Sets all equations to zero. */
  clear(): void {
    if (this.matrix.length < this.total) {
      this.matrix = arena.rawFloat64(this.total);
      this.rhs = arena.rawFloat64(this.rows);
    }
    this.matrix.fill(0, 0, this.total);
    this.rhs.fill(0, 0, this.rows);
  }

  /** Adds a segment's eight by eight sums (lower triangle) and its right side. */
  addSegment(
    c: number,
    at: Int32Array,
    atFrom: number,
    normal: Float64Array,
    normalFrom: number,
    gradient: Float64Array,
    gradientFrom: number,
  ): void {
    this.localize(c, at, atFrom, 8);
    const { local, rhs } = this;
    const row = this.rowsOf[c];
    for (let i = 0; i < 8; i++) {
      const a = local[i];
      if (a < 0) continue;
      rhs[row + a] += gradient[gradientFrom + i];
      for (let j = 0; j <= i; j++) {
        const b = local[j];
        if (b < 0) continue;
        const value = normal[normalFrom + i * 8 + j];
        // A closed chain of one segment meets the same vertex at both ends: its cross terms count twice.
        this.add(row, a, b, i !== j && a === b ? 2 * value : value);
      }
    }
  }

  /** Adds one equation: weight · (row · unknowns = value). */
  addRow(c: number, at: Int32Array, values: Float64Array, count: number, weight: number, value: number): void {
    this.localize(c, at, 0, count);
    const { local, rhs } = this;
    const row = this.rowsOf[c];
    for (let i = 0; i < count; i++) {
      const a = local[i];
      if (a < 0) continue;
      rhs[row + a] += weight * values[i] * value;
      for (let j = 0; j <= i; j++) if (local[j] >= 0) this.add(row, a, local[j], weight * values[i] * values[j]);
    }
  }

  /**
   * Eliminates the chain's own unknowns, with `damping` on the diagonal, and adds what is left to the nodes' system. False
   * where the equations are not positive definite.
   */
  eliminate(c: number, damping: number, nodes: NodeSystem): boolean {
    const { matrix, rhs, first, offset } = this;
    const n = this.size[c];
    const count = n + this.ends[c];
    const row = this.rowsOf[c];
    const border = c * ENDS;
    for (let i = 0; i < count; i++) {
      const at = offset[row + i];
      const from = first[row + i];
      const own = i < n ? i : n;
      let right = rhs[row + i];
      for (let j = from; j < own; j++) {
        const other = offset[row + j];
        const begin = first[row + j];
        let sum = matrix[at + j];
        for (let k = from > begin ? from : begin; k < j; k++) sum -= matrix[at + k] * matrix[other + k];
        sum /= matrix[other + j];
        matrix[at + j] = sum;
        right -= sum * rhs[row + j];
      }
      if (i < n) {
        let sum = matrix[at + i] + damping;
        for (let k = from; k < i; k++) sum -= matrix[at + k] * matrix[at + k];
        if (!(sum > 1e-9)) return false;
        sum = Math.sqrt(sum);
        matrix[at + i] = sum;
        rhs[row + i] = right / sum;
        continue;
      }
      nodes.rhs[this.border[border + i - n]] += right;
      for (let j = n; j <= i; j++) {
        const other = offset[row + j];
        const begin = first[row + j];
        let sum = matrix[at + j];
        for (let k = from > begin ? from : begin; k < n; k++) sum -= matrix[at + k] * matrix[other + k];
        nodes.add(this.border[border + i - n], this.border[border + j - n], sum);
      }
    }
    return true;
  }

  /** Writes the chain's own unknowns to `out` by their numbers, the nodes being known. */
  substitute(c: number, nodes: Float64Array, out: Float64Array): void {
    const { matrix, rhs, first, offset } = this;
    const n = this.size[c];
    const row = this.rowsOf[c];
    const base = this.base[c];
    for (let i = 0; i < n; i++) out[base + i] = rhs[row + i];
    for (let e = 0; e < this.ends[c]; e++) {
      const value = nodes[this.border[c * ENDS + e]];
      const at = offset[row + n + e];
      for (let i = first[row + n + e]; i < n; i++) out[base + i] -= matrix[at + i] * value;
    }
    for (let i = n - 1; i >= 0; i--) {
      const at = offset[row + i];
      const value = out[base + i] / matrix[at + i];
      out[base + i] = value;
      for (let k = first[row + i]; k < i; k++) out[base + k] -= matrix[at + k] * value;
    }
  }

  private add(row: number, a: number, b: number, value: number): void {
    if (a >= b) this.matrix[this.offset[row + a] + b] += value;
    else this.matrix[this.offset[row + b] + a] += value;
  }

  /** Numbers within the chain: its own first, then its nodes' coordinates; -1 for what is fixed. */
  private localize(c: number, at: Int32Array, from: number, count: number): void {
    const { local, border, base, size } = this;
    const own = base[c];
    const n = size[c];
    const b = c * ENDS;
    for (let i = 0; i < count; i++) {
      const number = at[from + i];
      if (number < NODE_BASE) {
        local[i] = number < 0 ? -1 : number - own;
        continue;
      }
      const coordinate = number - NODE_BASE;
      local[i] =
        n + (coordinate === border[b] ? 0 : coordinate === border[b + 1] ? 1 : coordinate === border[b + 2] ? 2 : 3);
    }
  }
}
