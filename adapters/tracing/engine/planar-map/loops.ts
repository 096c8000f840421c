import { IntList } from '../math/lists.js';
import { type PlanarMap, regionRightOf } from './planar-map.js';

/**
 * The boundary loops of every region: half-edges that have the region on their right, in the order they are walked. The
 * outer loop of a region has positive area (clockwise on screen, y down), holes negative.
 */
export interface Loops {
  readonly count: number;
  /** Half-edges of all loops. */
  readonly halfEdges: Int32Array;
  /** Per loop, and one more at the end: where its half-edges begin. */
  readonly starts: Int32Array;
  readonly region: Int32Array;
  /** Per loop: its signed area on the lattice, px. */
  readonly areaPx: Float64Array;
  /** Per region, and one more at the end: where its loops begin in `byRegion`. */
  readonly regionStarts: Int32Array;
  /** Loops sorted by region, the outer one first. */
  readonly byRegion: Int32Array;
}

/** Finds the orbits of "next half-edge around the region". */
export function findLoops(map: PlanarMap): Loops {
  const { chainCount, startNode, regionCount } = map;
  const visited = new Uint8Array(chainCount * 2);
  const halfEdges = new IntList(chainCount * 2 + 1);
  const starts = new IntList();
  const region = new IntList();
  const areas: number[] = [];
  const chainAreas = shoelaceOfChains(map);
  for (let first = 0; first < chainCount * 2; first++) {
    const owner = regionRightOf(map, first);
    if (visited[first] === 1 || owner < 0) continue;
    starts.push(halfEdges.length);
    region.push(owner);
    let doubled = 0;
    for (let halfEdge = first; visited[halfEdge] === 0; ) {
      visited[halfEdge] = 1;
      halfEdges.push(halfEdge);
      doubled += halfEdge & 1 ? -chainAreas[halfEdge >> 1] : chainAreas[halfEdge >> 1];
      if (startNode[halfEdge >> 1] >= 0) halfEdge = nextAround(map, halfEdge);
    }
    areas.push(doubled / 2);
  }
  const count = region.length;
  starts.push(halfEdges.length);
  const areaPx = Float64Array.from(areas);
  const regionStarts = new Int32Array(regionCount + 1);
  for (let l = 0; l < count; l++) regionStarts[region.data[l] + 1]++;
  for (let r = 0; r < regionCount; r++) regionStarts[r + 1] += regionStarts[r];
  const byRegion = new Int32Array(count);
  const fill = regionStarts.slice();
  for (let l = 0; l < count; l++) if (areaPx[l] > 0) byRegion[fill[region.data[l]]++] = l;
  for (let l = 0; l < count; l++) if (areaPx[l] <= 0) byRegion[fill[region.data[l]]++] = l;
  return {
    count,
    halfEdges: halfEdges.data.slice(0, halfEdges.length),
    starts: starts.data.slice(0, starts.length),
    region: region.data.slice(0, count),
    areaPx,
    regionStarts,
    byRegion,
  };
}

/** The half-edge that follows around the region on the right: the sharpest right turn at the node that keeps it there. */
function nextAround(map: PlanarMap, halfEdge: number): number {
  const { vertices, starts, startNode, endNode, leaving, width } = map;
  const chain = halfEdge >> 1;
  const backwards = (halfEdge & 1) === 1;
  const last = starts[chain + 1] - 1;
  const step = backwards ? vertices[starts[chain]] - vertices[starts[chain] + 1] : vertices[last] - vertices[last - 1];
  const direction = step === 1 ? 0 : step === width + 1 ? 1 : step === -1 ? 2 : 3;
  const node = backwards ? startNode[chain] : endNode[chain];
  const owner = regionRightOf(map, halfEdge);
  for (const turn of RIGHT_STRAIGHT_LEFT) {
    const next = leaving[node * 4 + ((direction + turn) & 3)];
    if (next >= 0 && regionRightOf(map, next) === owner) return next;
  }
  throw new RangeError('planar map: a boundary ends at a node');
}

const RIGHT_STRAIGHT_LEFT = [1, 0, 3];

/** Per chain the sum of cross products of its steps: twice the area it adds to a loop that walks it forwards. */
function shoelaceOfChains(map: PlanarMap): Float64Array {
  const { vertices, starts, chainCount, width } = map;
  const stride = width + 1;
  const sums = new Float64Array(chainCount);
  for (let c = 0; c < chainCount; c++) {
    let y = Math.floor(vertices[starts[c]] / stride);
    let x = vertices[starts[c]] - y * stride;
    let sum = 0;
    for (let k = starts[c] + 1; k < starts[c + 1]; k++) {
      const v = Math.floor(vertices[k] / stride);
      const u = vertices[k] - v * stride;
      sum += x * v - u * y;
      x = u;
      y = v;
    }
    sums[c] = sum;
  }
  return sums;
}
