/** Binary min-heap of edges by cost, ties by edge number. Grows as needed. */
export class EdgeHeap {
  #costs: Float64Array;
  #edges: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#costs = new Float64Array(Math.max(16, capacity));
    this.#edges = new Int32Array(Math.max(16, capacity));
  }

  get size(): number {
    return this.#size;
  }

  /** Cost of the cheapest edge; NaN when empty. */
  get topCost(): number {
    return this.#size > 0 ? this.#costs[0] : Number.NaN;
  }

  push(cost: number, edge: number): void {
    if (this.#size === this.#edges.length) this.#grow();
    const costs = this.#costs;
    const edges = this.#edges;
    let at = this.#size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (costs[above] < cost || (costs[above] === cost && edges[above] < edge)) break;
      costs[at] = costs[above];
      edges[at] = edges[above];
      at = above;
    }
    costs[at] = cost;
    edges[at] = edge;
  }

  /** Takes out the cheapest edge; -1 when empty. */
  pop(): number {
    if (this.#size === 0) return -1;
    const costs = this.#costs;
    const edges = this.#edges;
    const top = edges[0];
    const last = --this.#size;
    const cost = costs[last];
    const edge = edges[last];
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= last) break;
      const right = below + 1;
      if (
        right < last &&
        (costs[right] < costs[below] || (costs[right] === costs[below] && edges[right] < edges[below]))
      ) {
        below = right;
      }
      if (cost < costs[below] || (cost === costs[below] && edge < edges[below])) break;
      costs[at] = costs[below];
      edges[at] = edges[below];
      at = below;
    }
    costs[at] = cost;
    edges[at] = edge;
    return top;
  }

  #grow(): void {
    const costs = new Float64Array(this.#costs.length * 2);
    costs.set(this.#costs);
    const edges = new Int32Array(this.#edges.length * 2);
    edges.set(this.#edges);
    this.#costs = costs;
    this.#edges = edges;
  }
}
