import type { RegionMask } from './region-mask.js';

/** A pixel whose distance to the edge grows by less than this per px, whichever way, lies on a ridge: the middle of something. */
const RIDGE_SLOPE = 0.62;
/** Farther neighbors in which the slope is looked at as well: a px alone is too coarse. */
const FAR = [
  [3, 0],
  [-3, 0],
  [0, 3],
  [0, -3],
  [2, 2],
  [-2, 2],
  [2, -2],
  [-2, -2],
];
/** Steps of distance by which pixels are taken in order. */
const STEPS_PER_PX = 8;

/** By the eight neighbors as bits, right first and then clockwise: whether the pixel can go without parting or joining anything. */
const IS_SIMPLE = simpleTable();

/**
 * The skeleton of a region, a px wide and connected as the region is: pixels are taken away from the edge inwards, those on ridges kept.
 */
export function thin({ inside, width, height }: RegionMask, distances: Float32Array): Uint8Array {
  const skeleton = Uint8Array.from(inside);
  const around = [1, width + 1, width, width - 1, -1, -width - 1, -width, -width + 1];
  const byDistance = inOrder(inside, distances);
  const far = FAR.map(([dx, dy]) => ({ dx, dy, slope: Math.hypot(dx, dy) * RIDGE_SLOPE }));
  const near = around.map((step, k) => ({ step, slope: (k & 1 ? Math.SQRT2 : 1) * RIDGE_SLOPE }));
  const onRidge = (i: number) => {
    const here = distances[i];
    for (const { step, slope } of near) if (distances[i + step] - here >= slope) return false;
    const x = i % width;
    const y = (i - x) / width;
    for (const { dx, dy, slope } of far) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
      if (distances[i + dy * width + dx] - here >= slope) return false;
    }
    return true;
  };
  const neighborsOf = (i: number) => {
    let bits = 0;
    for (let k = 0; k < 8; k++) bits |= skeleton[i + around[k]] << k;
    return bits;
  };
  for (const i of byDistance) if (IS_SIMPLE[neighborsOf(i)] === 1 && !onRidge(i)) skeleton[i] = 0;
  // Ridges of even width are two px wide: those go from one side after the other, the ends of lines stay.
  const open = new Uint8Array(skeleton.length);
  for (let changed = true; changed; ) {
    changed = false;
    for (const side of [0, 2, 4, 6]) {
      // What lies open only since this side was begun is left for the next round, or whole lines would go from their ends.
      for (const i of byDistance) open[i] = skeleton[i + around[side]] ^ 1;
      for (const i of byDistance) {
        if (skeleton[i] === 0 || open[i] === 0) continue;
        const bits = neighborsOf(i);
        if (IS_SIMPLE[bits] === 0 || (bits & (bits - 1)) === 0) continue;
        skeleton[i] = 0;
        changed = true;
      }
    }
  }
  return skeleton;
}

/** The pixels inside, those nearest to the edge first. */
function inOrder(inside: Uint8Array, distances: Float32Array): Int32Array {
  let most = 0;
  let total = 0;
  for (let i = 0; i < inside.length; i++) {
    if (inside[i] === 0) continue;
    total++;
    most = Math.max(most, distances[i]);
  }
  const starts = new Int32Array(Math.floor(most * STEPS_PER_PX) + 2);
  for (let i = 0; i < inside.length; i++) if (inside[i] === 1) starts[Math.floor(distances[i] * STEPS_PER_PX) + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  const order = new Int32Array(total);
  for (let i = 0; i < inside.length; i++)
    if (inside[i] === 1) order[starts[Math.floor(distances[i] * STEPS_PER_PX)]++] = i;
  return order;
}

/** Yokoi's connectivity number for 8-connected figures is 1. */
function simpleTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (let bits = 0; bits < 256; bits++) {
    const empty = (k: number) => ((bits >> (k & 7)) & 1) ^ 1;
    let number = 0;
    for (let k = 0; k < 8; k += 2) number += empty(k) - empty(k) * empty(k + 1) * empty(k + 2);
    table[bits] = number === 1 ? 1 : 0;
  }
  return table;
}
