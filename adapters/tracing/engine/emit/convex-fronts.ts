import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';

/** Pictures of more regions are left in order of area: there, who is painted before whom hardly changes a way's length. */
const MOST_REGIONS = 64;
/** A boundary bulges where it is this far from its chord on the mean, px: under what is straighter a way is as long either way. */
const LEAST_BULGE_PX = 1.5;
/** What a bulge counts for at least, and more as it grows to a half circle. */
const LEAST_WEIGHT = 0.5;
const WEIGHT_PER_BULGE = 4;

/**
 * Reorders regions, back to front, so that of two neighbors the one that bulges into the other is in front: a way straight
 * across it, beneath, is all that the other's outline then needs, where it would take many turns around the bulge (a face before
 * the hair around it). `order` is by area, and stays so where nothing bulges; the rearmost stays rearmost, and what lies in a hole of
 * another is painted after it (`findParents` says in whose, per region, -1 for none).
 */
export function bringBulgesForward(map: PlanarMap, order: Int32Array, findParents: () => Int32Array): void {
  if (order.length < 3 || order.length > MOST_REGIONS) return;
  const parents = findParents();
  const place = new Int32Array(map.regionCount).fill(-1);
  for (let k = 0; k < order.length; k++) place[order[k]] = k;
  const before = new Precedence(order.length);
  for (let k = 1; k < order.length; k++) {
    before.add(0, k);
    const parent = parents[order[k]];
    if (parent >= 0 && place[parent] > 0) before.add(place[parent], k);
  }
  const weights = bulgeWeights(map, place, order.length);
  const pairs: [number, number, number][] = [];
  for (let a = 1; a < order.length; a++) {
    for (let b = a + 1; b < order.length; b++) {
      const weight = weights[a * order.length + b];
      if (weight !== 0) pairs.push(weight > 0 ? [weight, a, b] : [-weight, b, a]);
    }
  }
  pairs.sort((p, q) => q[0] - p[0] || p[1] - q[1] || p[2] - q[2]);
  for (const [, back, front] of pairs) if (!before.leads(front, back)) before.add(back, front);
  const sorted = before.sorted();
  const was = order.slice();
  for (let k = 0; k < sorted.length; k++) order[k] = was[sorted[k]];
}

/** Per pair of places a < b what speaks for b in front, less what speaks for a. */
function bulgeWeights(map: PlanarMap, place: Int32Array, count: number): Float64Array {
  const { chainCount, left, right, startNode } = map;
  const weights = new Float64Array(count * count);
  for (let c = 0; c < chainCount; c++) {
    if (startNode[c] < 0 || left[c] < 0 || right[c] < 0) continue;
    const l = place[left[c]];
    const r = place[right[c]];
    if (l < 0 || r < 0) continue;
    const bulge = bulgeOf(map, c);
    if (bulge === 0) continue;
    // Between the boundary and its chord lies the region that bulges: on the right where it is clockwise.
    const forRight = Math.sign(bulge) * (LEAST_WEIGHT + WEIGHT_PER_BULGE * Math.min(1, Math.abs(bulge)));
    if (l < r) weights[l * count + r] += forRight;
    else weights[r * count + l] -= forRight;
  }
  return weights;
}

/** A chain's mean distance from its chord, as a share of the chord; positive where it bulges to the left; 0 where it hardly does. */
function bulgeOf({ vertices, starts, width }: PlanarMap, chain: number): number {
  const stride = width + 1;
  const first = vertices[starts[chain]];
  const x0 = first % stride;
  const y0 = (first - x0) / stride;
  let doubled = 0;
  let x = 0;
  let y = 0;
  for (let k = starts[chain] + 1; k < starts[chain + 1]; k++) {
    const u = (vertices[k] % stride) - x0;
    const v = Math.floor(vertices[k] / stride) - y0;
    doubled += x * v - u * y;
    x = u;
    y = v;
  }
  const chord = Math.max(1, distance(x, y));
  const mean = doubled / 2 / chord;
  return Math.abs(mean) < LEAST_BULGE_PX ? 0 : mean / chord;
}

/** Which of a few numbered things come before which. */
class Precedence {
  private readonly count: number;
  /** Per pair, row before column: 1 where it was said. */
  private readonly said: Uint8Array;
  private readonly seen: Uint8Array;

  constructor(count: number) {
    this.count = count;
    this.said = new Uint8Array(count * count);
    this.seen = new Uint8Array(count);
  }

  add(first: number, second: number): void {
    this.said[first * this.count + second] = 1;
  }

  /** Whether it follows from what was said that `first` comes before `second`. */
  leads(first: number, second: number): boolean {
    this.seen.fill(0);
    return this.reaches(first, second);
  }

  /** All, in such an order; the least of those that may come next comes first. */
  sorted(): number[] {
    const { count } = this;
    const order: number[] = [];
    const placed = new Uint8Array(count);
    while (order.length < count) {
      let next = 0;
      while (placed[next] === 1 || this.waits(next, placed)) next++;
      placed[next] = 1;
      order.push(next);
    }
    return order;
  }

  private waits(item: number, placed: Uint8Array): boolean {
    for (let k = 0; k < this.count; k++) if (placed[k] === 0 && this.said[k * this.count + item] === 1) return true;
    return false;
  }

  private reaches(from: number, to: number): boolean {
    if (from === to) return true;
    this.seen[from] = 1;
    for (let k = 0; k < this.count; k++) {
      if (this.said[from * this.count + k] === 1 && this.seen[k] === 0 && this.reaches(k, to)) return true;
    }
    return false;
  }
}
