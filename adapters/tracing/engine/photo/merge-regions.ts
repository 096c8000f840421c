import { EdgeHeap } from './edge-heap.js';
import type { RegionGraph } from './region-graph.js';

/** A cost that has risen by less than this since it was filed is taken as it is. */
const STALE_FACTOR = 1.0001;
const STALE_MARGIN = 1e-9;
/** Rounds after the first that look for pairs which the lazy filing missed; a photo needs one or two. */
const EXTRA_ROUNDS = 8;

/**
 * Merges neighbors, cheapest first, until no merge costs `lambda` or less per px of boundary.
 *
 * Filing is lazy. When a region takes in another, only the edges that came with the smaller one are filed anew, and only where they became
 * cheaper; the survivor's own edges keep their old cost until they come up, are recomputed then, and go back if they have risen.
 * Filing them all at every merge would make a large background pay for its whole outline thousands of times over.
 */
export function mergeRegions(graph: RegionGraph, lambda: number): void {
  // The cost each edge is filed under: an entry with another one is outdated.
  const filed = new Float64Array(graph.edgeCount).fill(Number.POSITIVE_INFINITY);
  const heap = new EdgeHeap(graph.edgeCount >> 1);
  for (let round = 0; round <= EXTRA_ROUNDS; round++) {
    for (let edge = 0; edge < graph.edgeCount; edge++) {
      if (graph.lengths[edge] === 0) continue;
      const cost = graph.cost(edge);
      if (cost <= lambda) {
        filed[edge] = cost;
        heap.push(cost, edge);
      }
    }
    if (heap.size === 0) return;
    drain(graph, heap, filed, lambda);
  }
}

function drain(graph: RegionGraph, heap: EdgeHeap, filed: Float64Array, lambda: number): void {
  while (heap.size > 0) {
    const filedCost = heap.topCost;
    const edge = heap.pop();
    if (graph.lengths[edge] === 0 || filed[edge] !== filedCost) continue;
    const cost = graph.cost(edge);
    if (cost > filedCost * STALE_FACTOR + STALE_MARGIN) {
      if (cost <= lambda) {
        filed[edge] = cost;
        heap.push(cost, edge);
      } else filed[edge] = Number.POSITIVE_INFINITY;
      continue;
    }
    const survivor = graph.merge(edge);
    for (let end = graph.firstEnd(survivor); end !== graph.movedStop; end = graph.nextEnd(end)) {
      const moved = end >> 1;
      const movedCost = graph.cost(moved);
      if (movedCost <= lambda && movedCost < filed[moved]) {
        filed[moved] = movedCost;
        heap.push(movedCost, moved);
      }
    }
  }
}

/**
 * Gives every region smaller than `minAreaPx` to the neighbor that it costs least to join, smallest first; a region without
 * neighbors (one surrounded by full transparency) stays. Each area has a queue: what grows is moved up when its turn comes.
 */
export function absorbSmallRegions(graph: RegionGraph, minAreaPx: number): void {
  let totalAreaPx = 0;
  for (let region = 0; region < graph.count; region++) {
    if (graph.owners[region] === region) totalAreaPx += graph.area(region);
  }
  // What has the whole picture's area has nobody to join, so larger limits mean the same.
  const limit = Math.min(Math.ceil(minAreaPx), totalAreaPx);
  const heads = new Int32Array(limit + 1).fill(-1);
  const next = new Int32Array(graph.count).fill(-1);
  for (let region = graph.count - 1; region >= 0; region--) {
    const area = graph.area(region);
    if (graph.owners[region] !== region || area >= limit) continue;
    next[region] = heads[area];
    heads[area] = region;
  }
  for (let area = 1; area < limit; area++) {
    while (heads[area] >= 0) {
      const region = heads[area];
      heads[area] = next[region];
      if (graph.owners[region] !== region) continue;
      let mover = region;
      if (graph.area(region) === area) {
        const edge = graph.cheapestEdge(region);
        if (edge < 0) continue;
        // The neighbor is either in a queue already or large enough.
        mover = graph.merge(edge);
        if (mover !== region) continue;
      }
      const grown = graph.area(mover);
      if (grown < limit) {
        next[mover] = heads[grown];
        heads[grown] = mover;
      }
    }
  }
}
