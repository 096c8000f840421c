import type { Regions } from '../segment/regions.js';
import type { Loops } from './loops.js';
import { type PlanarMap, regionLeftOf, regionRightOf } from './planar-map.js';

/**
 * Checks what must hold of every planar map; returns what does not, in words, or an empty list.
 *
 * - each crack between two regions lies on exactly one chain, with those regions on its sides;
 * - half-edges and their twins see the same two regions, exchanged; every half-edge is in exactly one loop of its region;
 * - each region has exactly one outer loop, and its loops' areas add up to its pixels; all together to the picture;
 * - chains begin and end at nodes, or close.
 */
export function validatePlanarMap(map: PlanarMap, loops: Loops, regions: Regions): string[] {
  const problems: string[] = [];
  const { width, height, of } = regions;
  const stride = width + 1;
  const at = (u: number, v: number) => (u < 0 || v < 0 || u >= width || v >= height ? -1 : of[v * width + u]);

  let expected = 0;
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      if (x < width && at(x, y) !== at(x, y - 1)) expected++;
      if (y < height && at(x, y) !== at(x - 1, y)) expected++;
    }
  }
  const walked = new Set<number>();
  for (let c = 0; c < map.chainCount; c++) {
    for (let k = map.starts[c] + 1; k < map.starts[c + 1]; k++) {
      const from = map.vertices[k - 1];
      const to = map.vertices[k];
      const low = Math.min(from, to);
      const x = low % stride;
      const y = Math.floor(low / stride);
      const horizontal = Math.abs(to - from) === 1;
      if (!horizontal && Math.abs(to - from) !== stride) problems.push(`chain ${c} jumps`);
      const key = low * 2 + (horizontal ? 0 : 1);
      if (walked.has(key)) problems.push(`crack ${key} lies on two chains`);
      walked.add(key);
      // Walking right or down: left is above or to the east.
      const [forwardLeft, forwardRight] = horizontal ? [at(x, y - 1), at(x, y)] : [at(x, y), at(x - 1, y)];
      const forward = to > from;
      if (
        (forward ? forwardLeft : forwardRight) !== map.left[c] ||
        (forward ? forwardRight : forwardLeft) !== map.right[c]
      ) {
        problems.push(`chain ${c} has the wrong regions at its sides`);
      }
    }
    const first = map.vertices[map.starts[c]];
    const last = map.vertices[map.starts[c + 1] - 1];
    if (
      map.startNode[c] < 0
        ? first !== last
        : map.nodes[map.startNode[c]] !== first || map.nodes[map.endNode[c]] !== last
    ) {
      problems.push(`chain ${c} neither closes nor ends at nodes`);
    }
    for (const halfEdge of [2 * c, 2 * c + 1]) {
      if (regionRightOf(map, halfEdge) !== regionLeftOf(map, halfEdge ^ 1))
        problems.push(`half-edge ${halfEdge} and its twin disagree`);
    }
  }
  if (walked.size !== expected) problems.push(`${walked.size} cracks are walked, ${expected} exist`);

  const inLoop = new Uint8Array(map.chainCount * 2);
  const outer = new Int32Array(regions.count);
  const sums = new Float64Array(regions.count);
  for (let l = 0; l < loops.count; l++) {
    const region = loops.region[l];
    if (loops.areaPx[l] > 0) outer[region]++;
    sums[region] += loops.areaPx[l];
    for (let k = loops.starts[l]; k < loops.starts[l + 1]; k++) {
      const halfEdge = loops.halfEdges[k];
      inLoop[halfEdge]++;
      if (regionRightOf(map, halfEdge) !== region) problems.push(`loop ${l} leaves its region`);
    }
  }
  let total = 0;
  for (let r = 0; r < regions.count; r++) {
    total += regions.areaPx[r];
    if (outer[r] !== 1) problems.push(`region ${r} has ${outer[r]} outer loops`);
    if (sums[r] !== regions.areaPx[r]) problems.push(`region ${r} has ${regions.areaPx[r]} px but loops of ${sums[r]}`);
  }
  if (total !== width * height) problems.push(`regions cover ${total} of ${width * height} px`);
  for (let h = 0; h < inLoop.length; h++) {
    if (inLoop[h] !== (regionRightOf(map, h) < 0 ? 0 : 1)) problems.push(`half-edge ${h} is in ${inLoop[h]} loops`);
  }
  return problems;
}
