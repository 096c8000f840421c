import type { RegionMask } from './region-mask.js';

/** A stretch of a skeleton between two nodes; -1 where it simply ends, both where it is closed or ends on either side. */
export interface Branch {
  startNode: number;
  endNode: number;
  readonly closed: boolean;
  /** Pixels of the mask in order, nodes left out. */
  readonly pixels: Int32Array;
}

/** Where three branches or more meet. */
export interface SkeletonNode {
  /** Center, in the mask's px. */
  readonly x: number;
  readonly y: number;
  /** Of the largest disc around it that is inside the region, px. */
  readonly radius: number;
}

export interface SkeletonGraph {
  readonly nodes: readonly SkeletonNode[];
  readonly branches: readonly Branch[];
}

/** A branch that stands out of the disc around its node by less than this share of its radius, and so many px, is a corner of the outline. */
const LEAST_SHARE = 0.35;
const LEAST_PX = 1;

/** The skeleton as nodes and branches, without those that only lead into corners of the outline. */
export function graphOf(mask: RegionMask, skeleton: Uint8Array, distances: Float32Array): SkeletonGraph {
  const { width } = mask;
  const around = [1, width + 1, width, width - 1, -1, -width - 1, -width, -width + 1];
  const degree = new Uint8Array(skeleton.length);
  for (let i = 0; i < skeleton.length; i++) {
    if (skeleton[i] === 1) for (const step of around) degree[i] += skeleton[i + step];
  }
  const nodeOf = new Int32Array(skeleton.length).fill(-1);
  const nodes: SkeletonNode[] = [];
  const members: number[] = [];
  for (let i = 0; i < skeleton.length; i++) {
    if (degree[i] < 3 || nodeOf[i] >= 0) continue;
    members.length = 0;
    members.push(i);
    nodeOf[i] = nodes.length;
    let x = 0;
    let y = 0;
    let radius = 0;
    for (let k = 0; k < members.length; k++) {
      const at = members[k];
      x += (at % width) + 0.5;
      y += Math.floor(at / width) + 0.5;
      radius = Math.max(radius, distances[at] - 0.5);
      for (const step of around) {
        const next = at + step;
        if (degree[next] < 3 || nodeOf[next] >= 0) continue;
        nodeOf[next] = nodes.length;
        members.push(next);
      }
    }
    nodes.push({ x: x / members.length, y: y / members.length, radius });
  }

  const branches: Branch[] = [];
  const taken = new Uint8Array(skeleton.length);
  const pixels: number[] = [];
  /** Follows a branch from its first pixel, which is no node's, coming from `from` (-1 for nowhere). */
  const follow = (first: number, from: number, startNode: number) => {
    pixels.length = 0;
    let before = from;
    let here = first;
    let endNode = -1;
    let closed = false;
    for (;;) {
      pixels.push(here);
      taken[here] = 1;
      let next = -1;
      for (const step of around) {
        const at = here + step;
        if (skeleton[at] === 0 || at === before) continue;
        // The pixel before a first one beside a node may be another of that node's.
        if (nodeOf[at] >= 0 && pixels.length === 1 && nodeOf[at] === startNode) continue;
        if (next < 0 || nodeOf[at] >= 0) next = at;
      }
      if (next < 0) break;
      if (nodeOf[next] >= 0) {
        endNode = nodeOf[next];
        break;
      }
      if (taken[next] === 1) {
        closed = next === first && pixels.length > 2;
        break;
      }
      before = here;
      here = next;
    }
    branches.push({ startNode, endNode, closed, pixels: Int32Array.from(pixels) });
  };
  for (let i = 0; i < skeleton.length; i++) {
    if (nodeOf[i] < 0) continue;
    for (const step of around) {
      const next = i + step;
      if (skeleton[next] === 1 && nodeOf[next] < 0 && taken[next] === 0) follow(next, i, nodeOf[i]);
    }
  }
  for (const most of [1, 2]) {
    for (let i = 0; i < skeleton.length; i++) {
      if (skeleton[i] === 1 && taken[i] === 0 && nodeOf[i] < 0 && degree[i] <= most) follow(i, -1, -1);
    }
  }
  return { nodes, branches: withoutSpurs(nodes, branches, distances, width) };
}

function withoutSpurs(
  nodes: readonly SkeletonNode[],
  branches: readonly Branch[],
  distances: Float32Array,
  width: number,
): readonly Branch[] {
  const alive = new Set(branches);
  const at: Set<Branch>[] = nodes.map(() => new Set());
  const enlist = (branch: Branch) => {
    if (branch.startNode >= 0) at[branch.startNode].add(branch);
    if (branch.endNode >= 0) at[branch.endNode].add(branch);
  };
  for (const branch of branches) enlist(branch);
  const excessOf = (branch: Branch, node: number) => {
    const tip = branch.pixels[branch.startNode >= 0 ? branch.pixels.length - 1 : 0];
    const { x, y, radius } = nodes[node];
    const length = Math.hypot((tip % width) + 0.5 - x, Math.floor(tip / width) + 0.5 - y);
    return length + distances[tip] - 0.5 - radius - LEAST_SHARE * radius - LEAST_PX;
  };
  const drop = (branch: Branch) => {
    alive.delete(branch);
    if (branch.startNode >= 0) at[branch.startNode].delete(branch);
    if (branch.endNode >= 0) at[branch.endNode].delete(branch);
  };
  const settle = (node: number) => {
    if (at[node].size === 0) return;
    const [a, b] = at[node];
    const isLoop = (branch: Branch) => branch.startNode === branch.endNode;
    const middle = Math.floor(nodes[node].y) * width + Math.floor(nodes[node].x);
    if (at[node].size === 1 && !isLoop(a)) {
      drop(a);
      const joined: Branch =
        a.endNode === node
          ? { ...a, endNode: -1, pixels: chained(a.pixels, middle) }
          : { ...a, startNode: -1, pixels: chained(NONE, middle, a.pixels) };
      alive.add(joined);
      enlist(joined);
    } else if (at[node].size === 1) {
      drop(a);
      alive.add({ startNode: -1, endNode: -1, closed: true, pixels: chained(NONE, middle, a.pixels) });
    } else if (at[node].size === 2 && !isLoop(a) && !isLoop(b)) {
      drop(a);
      drop(b);
      const first = a.endNode === node ? a : reversed(a);
      const second = b.startNode === node ? b : reversed(b);
      const joined: Branch = {
        startNode: first.startNode,
        endNode: second.endNode,
        closed: false,
        pixels: chained(first.pixels, middle, second.pixels),
      };
      alive.add(joined);
      enlist(joined);
    }
  };
  for (let changed = true; changed; ) {
    changed = false;
    const spurs: { readonly branch: Branch; readonly node: number; readonly excess: number }[] = [];
    for (const branch of alive) {
      if (branch.startNode >= 0 === branch.endNode >= 0) continue;
      const node = Math.max(branch.startNode, branch.endNode);
      const excess = excessOf(branch, node);
      if (excess < 0) spurs.push({ branch, node, excess });
    }
    // The least first: what is left at its node may be the end of a line.
    spurs.sort((a, b) => a.excess - b.excess);
    for (const { branch, node } of spurs) {
      if (!alive.has(branch) || at[node].size < 2) continue;
      drop(branch);
      settle(node);
      changed = true;
    }
  }
  return [...alive];
}

const NONE = new Int32Array(0);

function chained(before: Int32Array, middle: number, after: Int32Array = NONE): Int32Array {
  const pixels = new Int32Array(before.length + 1 + after.length);
  pixels.set(before);
  pixels[before.length] = middle;
  pixels.set(after, before.length + 1);
  return pixels;
}

function reversed(branch: Branch): Branch {
  const { startNode, endNode, pixels } = branch;
  return { ...branch, startNode: endNode, endNode: startNode, pixels: Int32Array.from(pixels).reverse() };
}
