import { arena } from '../math/arena.js';
import { IntList } from '../math/lists.js';
import { type Regions, SADDLE_FALLING, SADDLE_RISING } from '../segment/regions.js';

/**
 * The boundaries of a partition as a planar map: chains of cracks (pixel sides) between nodes (lattice vertices where three
 * or more boundaries meet), each chain once, shared by the region on its left and the region on its right.
 *
 * Directions are 0 right, 1 down, 2 left, 3 up; y points down. A half-edge is `2 * chain` walked forwards or
 * `2 * chain + 1` walked backwards.
 */
export interface PlanarMap {
  readonly width: number;
  readonly height: number;
  readonly regionCount: number;
  readonly chainCount: number;
  /** Lattice vertices of all chains, as y * (width + 1) + x; closed chains repeat their first at the end. */
  readonly vertices: Int32Array;
  /** Per chain, and one more at the end: where its vertices begin. */
  readonly starts: Int32Array;
  /** Per chain: regions on the left and right walking forwards, -1 for outside the picture. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Per chain its end nodes, -1 for closed chains. */
  readonly startNode: Int32Array;
  readonly endNode: Int32Array;
  /** Per node its lattice vertex, ascending. */
  readonly nodes: Int32Array;
  /** Per node and direction the half-edge that leaves it, -1 for none. */
  readonly leaving: Int32Array;
}

const RIGHT_CRACK = 1;
const DOWN_CRACK = 2;
const RIGHT_USED = 4;
const DOWN_USED = 8;
/** The vertex is a node. */
const NODE = 16;

/** Builds the map in one pass over the regions' runs and one over the cracks. */
export function buildPlanarMap(regions: Regions): PlanarMap {
  const { width, height } = regions;
  const finder = new CrackFinder(regions);
  for (let y = 0; y < height; y++) finder.findRow(y);
  const { cracks, count: crackCount } = finder;
  const nodeList = findNodes(cracks, regions);
  const nodes = nodeList.data.slice(0, nodeList.length);
  const leaving = new Int32Array(nodes.length * 4).fill(-1);

  const walker = new ChainWalker(regions, cracks, crackCount, nodes, leaving);
  for (let n = 0; n < nodes.length; n++) {
    for (let direction = 0; direction < 4; direction++) {
      if (walker.isFree(nodes[n], direction)) walker.walk(nodes[n], direction, n);
    }
  }
  // What no node lies on is a closed chain; each has horizontal cracks, so it is met at one.
  const fours = inFours(cracks);
  for (let w = 0; w < fours.length; w++) {
    if (fours[w] === 0) continue;
    for (let v = 4 * w; v < 4 * w + 4; v++) {
      if ((cracks[v] & (RIGHT_CRACK | RIGHT_USED)) === RIGHT_CRACK) walker.walk(v, 0, -1);
    }
  }
  const chainCount = walker.left.length;
  walker.starts.push(walker.vertices.length);
  const cut = (list: IntList) => list.data.slice(0, list.length);
  return {
    width,
    height,
    regionCount: regions.count,
    chainCount,
    // Not copied: of all arrays of a map it is the largest by far.
    vertices: walker.vertices.data.subarray(0, walker.vertices.length),
    starts: cut(walker.starts),
    left: cut(walker.left),
    right: cut(walker.right),
    startNode: cut(walker.startNode),
    endNode: cut(walker.endNode),
    nodes,
    leaving,
  };
}

/** The region on the right of a half-edge. */
export function regionRightOf(map: PlanarMap, halfEdge: number): number {
  return halfEdge & 1 ? map.left[halfEdge >> 1] : map.right[halfEdge >> 1];
}

/** The region on the left of a half-edge. */
export function regionLeftOf(map: PlanarMap, halfEdge: number): number {
  return halfEdge & 1 ? map.right[halfEdge >> 1] : map.left[halfEdge >> 1];
}

/** Finds per lattice vertex whether there is a crack to the right of it, and one below it. */
class CrackFinder {
  readonly cracks: Uint8Array<ArrayBuffer>;
  count: number;
  private readonly regions: Regions;
  /** The run at hand, and one above it. */
  private run = 0;
  private above = 0;

  constructor(regions: Regions) {
    const { width, height } = regions;
    const stride = width + 1;
    this.regions = regions;
    // Whole fours, so that `inFours` sees all of them.
    this.cracks = arena.uint8((stride * (height + 1) + 3) & ~3);
    this.count = 2 * (width + height);
    for (let x = 0; x < width; x++) this.cracks[x] = this.cracks[height * stride + x] = RIGHT_CRACK;
  }

  /** Rows come from above. */
  findRow(y: number): void {
    const { cracks } = this;
    const { width, of, runs } = this.regions;
    const row = y * width;
    const end = row + width;
    let { run, above, count } = this;
    // A row of vertices has one more than a row of pixels: pixel i's upper left one is vertex i + y.
    cracks[row + y] |= DOWN_CRACK;
    cracks[end + y] |= DOWN_CRACK;
    for (; run + 1 < runs.length && runs[run] < end; run++) {
      const from = runs[run];
      const to = runs[run + 1];
      const region = of[from];
      if (from > row && of[from - 1] !== region) {
        cracks[from + y] |= DOWN_CRACK;
        count++;
      }
      for (let i = y === 0 ? to : from; i < to; ) {
        while (runs[above + 1] <= i - width) above++;
        const until = Math.min(to, runs[above + 1] + width);
        if (of[i - width] !== region) {
          for (let v = i + y; v < until + y; v++) cracks[v] |= RIGHT_CRACK;
          count += until - i;
        }
        i = until;
      }
    }
    this.run = run;
    this.above = above;
    this.count = count;
  }
}

/** Lattice vertices where three boundaries meet, or four of which none pass each other, ascending. */
function findNodes(cracks: Uint8Array, regions: Regions): IntList {
  const stride = regions.width + 1;
  const nodes = new IntList();
  const fours = inFours(cracks);
  for (let w = 0; w < fours.length; w++) {
    // Most vertices lie on no boundary, and of the rest most on one that runs straight on.
    if (fours[w] === 0) continue;
    for (let v = 4 * w; v < 4 * w + 4; v++) {
      const here = cracks[v] & (RIGHT_CRACK | DOWN_CRACK);
      if (here === 0) continue;
      // No crack leads to the right from a row's last vertex.
      const fromLeft = v > 0 ? cracks[v - 1] & RIGHT_CRACK : 0;
      const fromUp = v >= stride ? (cracks[v - stride] & DOWN_CRACK) >> 1 : 0;
      const degree = (here & 1) + (here >> 1) + fromLeft + fromUp;
      if (degree < 3 || (degree === 4 && passageAt(regions, v) !== 0)) continue;
      nodes.push(v);
      cracks[v] |= NODE;
    }
  }
  return nodes;
}

/** The bytes of four vertices a number: nearly all are 0. */
function inFours(cracks: Uint8Array): Int32Array {
  return new Int32Array(cracks.buffer, cracks.byteOffset, cracks.length / 4);
}

/** Where four cracks meet but one diagonal is joined, two boundaries pass each other: returns which, else 0. */
function passageAt(regions: Regions, vertex: number): number {
  const saddle = regions.saddles[vertex];
  if (saddle === 0) return 0;
  const { width, of } = regions;
  const y = Math.floor(vertex / (width + 1));
  const i = y * width + (vertex - y * (width + 1));
  if (saddle === SADDLE_FALLING && of[i] === of[i - width - 1]) return SADDLE_FALLING;
  if (saddle === SADDLE_RISING && of[i - 1] === of[i - width]) return SADDLE_RISING;
  return 0;
}

/** Follows cracks from one node to the next, or around. */
class ChainWalker {
  readonly vertices: IntList;
  readonly starts = new IntList();
  readonly left = new IntList();
  readonly right = new IntList();
  readonly startNode = new IntList();
  readonly endNode = new IntList();
  private readonly stride: number;
  private readonly regions: Regions;
  private readonly cracks: Uint8Array;
  private readonly nodes: Int32Array;
  private readonly leaving: Int32Array;

  constructor(regions: Regions, cracks: Uint8Array, crackCount: number, nodes: Int32Array, leaving: Int32Array) {
    // Each crack leads to a vertex, and each chain has one more: nearly all of the room there will be need for.
    this.vertices = new IntList(crackCount + nodes.length * 2 + 1024);
    this.regions = regions;
    this.cracks = cracks;
    this.nodes = nodes;
    this.leaving = leaving;
    this.stride = regions.width + 1;
  }

  /** Whether a crack leaves this vertex in this direction and has not been walked. */
  isFree(vertex: number, direction: number): boolean {
    const at = this.crackAt(vertex, direction);
    if (at < 0) return false;
    const bits = this.cracks[at];
    return direction & 1
      ? (bits & (DOWN_CRACK | DOWN_USED)) === DOWN_CRACK
      : (bits & (RIGHT_CRACK | RIGHT_USED)) === RIGHT_CRACK;
  }

  /** Walks one chain; `node` is the number of the node it starts at, or -1 for a closed chain. */
  walk(start: number, direction: number, node: number): void {
    const { stride, vertices } = this;
    const chain = this.left.length;
    this.starts.push(vertices.length);
    this.pushSides(start, direction);
    if (node >= 0) this.leaving[node * 4 + direction] = chain * 2;
    let vertex = start;
    let endNode = -1;
    vertices.push(vertex);
    for (;;) {
      this.use(vertex, direction);
      vertex += direction === 0 ? 1 : direction === 1 ? stride : direction === 2 ? -1 : -stride;
      vertices.push(vertex);
      endNode = this.nodeAt(vertex);
      if (endNode >= 0) {
        this.leaving[endNode * 4 + ((direction + 2) & 3)] = chain * 2 + 1;
        break;
      }
      const next = this.continuation(vertex, direction);
      if (!this.isFree(vertex, next)) break;
      direction = next;
    }
    this.startNode.push(node);
    this.endNode.push(endNode);
  }

  /** The one direction in which a boundary that arrives at a vertex which is no node goes on. */
  private continuation(vertex: number, direction: number): number {
    const from = (direction + 2) & 3;
    const passage = this.hasAll(vertex) ? passageAt(this.regions, vertex) : 0;
    //  falling ┘ passes ┌ : up goes with right, left with down;   rising: up with left, right with down
    if (passage === SADDLE_FALLING) return from ^ 3;
    if (passage === SADDLE_RISING) return from ^ 1;
    for (let k = 1; k < 4; k++) if (this.hasCrack(vertex, (from + k) & 3)) return (from + k) & 3;
    return from;
  }

  private hasAll(vertex: number): boolean {
    return this.hasCrack(vertex, 0) && this.hasCrack(vertex, 1) && this.hasCrack(vertex, 2) && this.hasCrack(vertex, 3);
  }

  private hasCrack(vertex: number, direction: number): boolean {
    const at = this.crackAt(vertex, direction);
    return at >= 0 && (this.cracks[at] & (direction & 1 ? DOWN_CRACK : RIGHT_CRACK)) !== 0;
  }

  /** Where the crack that leaves a vertex in a direction is kept, -1 for outside the picture. */
  private crackAt(vertex: number, direction: number): number {
    if (direction < 2) return vertex;
    if (direction === 3) return vertex - this.stride;
    return vertex % this.stride === 0 ? -1 : vertex - 1;
  }

  private use(vertex: number, direction: number): void {
    this.cracks[this.crackAt(vertex, direction)] |= direction & 1 ? DOWN_USED : RIGHT_USED;
  }

  /** The number of the node at a vertex, -1 where there is none. */
  private nodeAt(vertex: number): number {
    if ((this.cracks[vertex] & NODE) === 0) return -1;
    const { nodes } = this;
    let low = 0;
    let high = nodes.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (nodes[middle] === vertex) return middle;
      if (nodes[middle] < vertex) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private pushSides(vertex: number, direction: number): void {
    const y = Math.floor(vertex / this.stride);
    const x = vertex - y * this.stride;
    // The pixels on either side of the crack that is walked, clockwise from the right.
    const ahead = direction === 0 || direction === 3 ? x : x - 1;
    const left = this.regionAt(direction < 2 ? x : x - 1, direction === 0 || direction === 3 ? y - 1 : y);
    const right = this.regionAt(ahead, direction < 2 ? y : y - 1);
    this.left.push(left);
    this.right.push(right);
  }

  /** -1 outside the picture. */
  private regionAt(x: number, y: number): number {
    const { width, height, of } = this.regions;
    return x < 0 || y < 0 || x >= width || y >= height ? -1 : of[y * width + x];
  }
}
