import type { PlanarMap } from '../planar-map/planar-map.js';

/**
 * What hangs together of some chains: those that nodes join, directly or by way of others, are one island (Tarjan's disjoint sets). What one
 * costs hardly depends on where another lies, so that each may be kept as it was when it cost least.
 */
export class Islands {
  /** Per chain the island that it is part of, -1 for none. */
  private readonly of: Int32Array;
  /** Per island the least that it has cost, and whether that was when it was weighed last. */
  private readonly least: Float64Array;
  private readonly isLeast: Uint8Array;
  private readonly costs: Float64Array;

  /** Of the chains that are a `part` (1). */
  constructor({ chainCount, startNode, endNode, nodes }: PlanarMap, part: Uint8Array) {
    const roots = Int32Array.from(nodes, (_, n) => n);
    const rootOf = (node: number) => {
      let n = node;
      while (roots[n] !== n) {
        roots[n] = roots[roots[n]];
        n = roots[n];
      }
      return n;
    };
    for (let c = 0; c < chainCount; c++)
      if (part[c] === 1 && startNode[c] >= 0) roots[rootOf(startNode[c])] = rootOf(endNode[c]);
    this.of = new Int32Array(chainCount).fill(-1);
    const ofRoot = new Int32Array(nodes.length).fill(-1);
    let count = 0;
    for (let c = 0; c < chainCount; c++) {
      if (part[c] === 0) continue;
      const root = startNode[c] < 0 ? -1 : rootOf(startNode[c]);
      this.of[c] = root >= 0 && ofRoot[root] >= 0 ? ofRoot[root] : count++;
      if (root >= 0) ofRoot[root] = this.of[c];
    }
    this.least = new Float64Array(count).fill(Infinity);
    this.isLeast = new Uint8Array(count);
    this.costs = new Float64Array(count);
  }

  /** From the chains that are marked (1) to all of their islands. */
  spread(marks: Uint8Array): void {
    const { of, costs } = this;
    const isMarked = costs.fill(0);
    for (let c = 0; c < of.length; c++) if (marks[c] === 1 && of[c] >= 0) isMarked[of[c]] = 1;
    for (let c = 0; c < of.length; c++) if (of[c] >= 0) marks[c] = isMarked[of[c]];
  }

  /** Weighs the islands by what their chains cost now. */
  weigh(chainCosts: Float64Array): void {
    const { of, costs, least, isLeast } = this;
    costs.fill(0);
    for (let c = 0; c < of.length; c++) if (of[c] >= 0) costs[of[c]] += chainCosts[c];
    for (let i = 0; i < costs.length; i++) {
      isLeast[i] = costs[i] < least[i] ? 1 : 0;
      if (isLeast[i] === 1) least[i] = costs[i];
    }
  }

  /** Whether a chain is part of an island that had never cost less than when it was weighed last. */
  isBest(chain: number): boolean {
    return this.of[chain] >= 0 && this.isLeast[this.of[chain]] === 1;
  }

  /** What all would cost with each island as it cost least, and the chains of none as they do now, as far as islands do not touch. */
  leastCost(chainCosts: Float64Array): number {
    let sum = this.least.reduce((all, cost) => all + cost, 0);
    for (let c = 0; c < this.of.length; c++) if (this.of[c] < 0) sum += chainCosts[c];
    return sum;
  }
}
