import type { PlanarMap } from '../planar-map/planar-map.js';

/** Marks on the map's nodes: those that some of the chains end at. Closed chains end nowhere. */
export class ChainEnds {
  /** Per node: 1 where one of the marked chains ends. */
  readonly marked: Uint8Array;
  private readonly map: PlanarMap;

  constructor(map: PlanarMap, marked: Uint8Array) {
    this.map = map;
    this.marked = marked;
  }

  clear(): void {
    this.marked.fill(0);
  }

  /** Marks the nodes that a chain ends at. */
  mark(chain: number): void {
    const { startNode, endNode } = this.map;
    if (startNode[chain] < 0) return;
    this.marked[startNode[chain]] = 1;
    this.marked[endNode[chain]] = 1;
  }

  /** Whether a chain ends at a marked node. */
  touches(chain: number): boolean {
    const { startNode, endNode } = this.map;
    return startNode[chain] >= 0 && this.marked[startNode[chain]] + this.marked[endNode[chain]] > 0;
  }
}
