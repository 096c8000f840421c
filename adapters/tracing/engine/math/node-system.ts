import { arena } from './arena.js';
import { eliminateByDegree } from './minimum-degree.js';

/** Numbers of a block of two by two: row by row, the first of either for x, the second for y. */
const BLOCK = 4;
/** A pivot must be larger. */
const LEAST_PIVOT = 1e-12;

/**
 * Symmetric positive definite equations for the two coordinates of points, of which few occur together: nodes that chains join. Solved by Cholesky's
 * decomposition in blocks of two by two (George and Liu 1981), in an order that keeps the factor small, which is found once; it lies where the matrix was.
 */
export class NodeSystem {
  /** Per coordinate, that of node n along x being 2 n: the right side, and the solution. */
  rhs = new Float64Array(0);
  solution = new Float64Array(0);
  private nodes = 0;
  private readonly pairs: number[] = [];
  private order: Int32Array = new Int32Array(0);
  /** Per node when it is eliminated; where its blocks begin, with nodes behind it, and which these are. */
  private place = new Int32Array(0);
  private starts = new Int32Array(0);
  private others = new Int32Array(0);
  /** For each two blocks of a column, one node after the other, the block that their product is taken from. */
  private products = new Int32Array(0);
  /** The blocks of every node with itself, of which the lower half is there, and then those with others, whose rows are of the one behind. */
  private blocks = new Float64Array(0);

  /** Begins the equations of so many nodes. */
  begin(nodes: number): void {
    this.nodes = nodes;
    this.pairs.length = 0;
  }

  /** Says that two nodes occur in one equation. */
  join(a: number, b: number): void {
    this.pairs.push(a, b);
  }

  /** Finds the order, after all has been joined; false where solving takes more than `mostWork` multiplications. */
  layOut(mostWork: number): boolean {
    const { nodes } = this;
    const elimination = eliminateByDegree(nodes, this.pairs, mostWork);
    if (elimination === undefined) return false;
    const { order, columns } = elimination;
    this.order = order;
    this.rhs = arena.float64(2 * nodes);
    this.solution = arena.float64(2 * nodes);
    this.place = arena.int32(nodes);
    this.starts = arena.int32(nodes + 1);
    let products = 0;
    for (let n = 0; n < nodes; n++) {
      const { length } = columns[n];
      this.place[order[n]] = n;
      this.starts[n + 1] = this.starts[n] + length;
      products += (length * (length - 1)) / 2;
    }
    this.others = arena.int32(this.starts[nodes]);
    this.products = arena.int32(products);
    this.blocks = arena.rawFloat64(BLOCK * (nodes + this.others.length));
    for (let n = 0; n < nodes; n++) this.others.set(columns[n], this.starts[n]);
    this.findProducts();
    return true;
  }

  private findProducts(): void {
    const { nodes, order, starts, others, products } = this;
    // Per node its block in the column at hand.
    const blockOf = new Int32Array(nodes);
    let next = 0;
    for (let k = 0; k < nodes; k++) {
      const from = starts[order[k]];
      const to = starts[order[k] + 1];
      for (let i = from; i < to; i++) {
        const column = others[i];
        for (let at = starts[column]; at < starts[column + 1]; at++) blockOf[others[at]] = nodes + at;
        for (let j = i + 1; j < to; j++) products[next++] = blockOf[others[j]];
      }
    }
  }

  clear(): void {
    this.blocks.fill(0);
    this.rhs.fill(0);
  }

  /** Adds to the entry of coordinates a and b of nodes that were joined and, by symmetry, to that of b and a. For a ≠ b to be said once. */
  add(a: number, b: number, value: number): void {
    const { blocks, place } = this;
    const [u, v] = [a >> 1, b >> 1];
    if (u === v) blocks[BLOCK * u + (a > b ? 2 * (a & 1) + (b & 1) : 2 * (b & 1) + (a & 1))] += value;
    else if (place[u] > place[v]) blocks[this.blockOf(u, v) + 2 * (a & 1) + (b & 1)] += value;
    else blocks[this.blockOf(v, u) + 2 * (b & 1) + (a & 1)] += value;
  }

  /** Where the block of a node with one that is eliminated before it begins. */
  private blockOf(row: number, column: number): number {
    const { others, starts } = this;
    for (let at = starts[column]; at < starts[column + 1]; at++)
      if (others[at] === row) return BLOCK * (this.nodes + at);
    throw new RangeError(`nodes ${row} and ${column} were not joined`);
  }

  /** Solves with `damping` added to the diagonal; false where the matrix is not positive definite. The matrix and the right side are gone then. */
  solve(damping: number): boolean {
    const { nodes, order, starts, others, products, blocks, rhs } = this;
    let next = 0;
    for (let k = 0; k < nodes; k++) {
      const node = order[k];
      const d = BLOCK * node;
      const xx = blocks[d] + damping;
      if (!(xx > LEAST_PIVOT)) return false;
      const l0 = Math.sqrt(xx);
      const l1 = blocks[d + 2] / l0;
      const yy = blocks[d + 3] + damping - l1 * l1;
      if (!(yy > LEAST_PIVOT)) return false;
      const l2 = Math.sqrt(yy);
      blocks[d] = l0;
      blocks[d + 2] = l1;
      blocks[d + 3] = l2;
      const x = rhs[2 * node] / l0;
      const y = (rhs[2 * node + 1] - l1 * x) / l2;
      rhs[2 * node] = x;
      rhs[2 * node + 1] = y;
      const from = starts[node];
      const to = starts[node + 1];
      for (let i = from; i < to; i++) {
        const b = BLOCK * (nodes + i);
        const b0 = blocks[b] / l0;
        const b1 = (blocks[b + 1] - b0 * l1) / l2;
        const b2 = blocks[b + 2] / l0;
        const b3 = (blocks[b + 3] - b2 * l1) / l2;
        blocks[b] = b0;
        blocks[b + 1] = b1;
        blocks[b + 2] = b2;
        blocks[b + 3] = b3;
        const other = others[i];
        rhs[2 * other] -= b0 * x + b1 * y;
        rhs[2 * other + 1] -= b2 * x + b3 * y;
        const o = BLOCK * other;
        blocks[o] -= b0 * b0 + b1 * b1;
        blocks[o + 2] -= b2 * b0 + b3 * b1;
        blocks[o + 3] -= b2 * b2 + b3 * b3;
      }
      for (let i = from; i < to; i++) {
        const a = BLOCK * (nodes + i);
        const a0 = blocks[a];
        const a1 = blocks[a + 1];
        const a2 = blocks[a + 2];
        const a3 = blocks[a + 3];
        for (let j = i + 1; j < to; j++) {
          const b = BLOCK * (nodes + j);
          const p = BLOCK * products[next++];
          blocks[p] -= blocks[b] * a0 + blocks[b + 1] * a1;
          blocks[p + 1] -= blocks[b] * a2 + blocks[b + 1] * a3;
          blocks[p + 2] -= blocks[b + 2] * a0 + blocks[b + 3] * a1;
          blocks[p + 3] -= blocks[b + 2] * a2 + blocks[b + 3] * a3;
        }
      }
    }
    this.substituteBack();
    return true;
  }

  private substituteBack(): void {
    const { nodes, order, starts, others, blocks, rhs, solution } = this;
    for (let k = nodes - 1; k >= 0; k--) {
      const node = order[k];
      let x = rhs[2 * node];
      let y = rhs[2 * node + 1];
      for (let i = starts[node]; i < starts[node + 1]; i++) {
        const b = BLOCK * (nodes + i);
        const u = solution[2 * others[i]];
        const v = solution[2 * others[i] + 1];
        x -= blocks[b] * u + blocks[b + 2] * v;
        y -= blocks[b + 1] * u + blocks[b + 3] * v;
      }
      const d = BLOCK * node;
      y /= blocks[d + 3];
      solution[2 * node] = (x - blocks[d + 2] * y) / blocks[d];
      solution[2 * node + 1] = y;
    }
  }
}
