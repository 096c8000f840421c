import { arena } from './arena.js';
import { eliminateByDegree } from './minimum-degree.js';

/**
 * In which order points are eliminated that equations join, of which few occur together, and what their factor has: blocks of two by two, one for x and
 * y of every point, and one for each pair of which one is behind the other in the order (George and Liu 1981). The order keeps these few, and is found once
 * for all systems of the same points.
 */
export class NodeOrder {
  nodes = 0;
  /** The nodes in their order, and per node where it is there. */
  order: Int32Array = new Int32Array(0);
  place = new Int32Array(0);
  /** Per node where its blocks with nodes behind it begin, and one more at the end; and which these nodes are. */
  starts = new Int32Array(1);
  others = new Int32Array(0);
  /**
   * For each two blocks of a column, one node after the other, the block that their product is taken from: every node has one with itself, and those with
   * others follow.
   */
  products = new Int32Array(0);
  private readonly pairs: number[] = [];

  /** Begins with so many nodes. */
  begin(nodes: number): void {
    this.nodes = nodes;
    this.pairs.length = 0;
  }

  /** Says that two nodes occur in one equation. */
  join(a: number, b: number): void {
    this.pairs.push(a, b);
  }

  /** Finds the order, after all has been joined; false where solving takes more than `mostWork` multiplications. */
  find(mostWork: number): boolean {
    const { nodes } = this;
    const elimination = eliminateByDegree(nodes, this.pairs, mostWork);
    if (elimination === undefined) return false;
    const { order, columns } = elimination;
    this.order = order;
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
}
