import { arena } from '../math/arena.js';
import { fillRun, IntList } from '../math/lists.js';

/** A partition of the picture: every pixel belongs to exactly one region, every region has one color. */
export interface Regions {
  readonly width: number;
  readonly height: number;
  /** Per pixel its region, 0..count-1. */
  readonly of: Int32Array;
  readonly count: number;
  /** Per region. */
  readonly areaPx: Int32Array;
  /** Per region: red, green, blue, alpha, premultiplied, 0..255. */
  readonly colors: Float64Array;
  /** Per region the number of its color: regions of one color share it. */
  readonly colorOf: Int32Array;
  /**
   * Per lattice vertex (y * (width + 1) + x) where two colors meet crosswise: which of the diagonals is joined,
   * SADDLE_FALLING (upper left with lower right) or SADDLE_RISING; 0 elsewhere.
   */
  readonly saddles: Uint8Array;
}

export const SADDLE_FALLING = 1;
export const SADDLE_RISING = 2;

/**
 * Joins equal labels into regions: 4-connected, and across a corner where two colors meet crosswise the color that covers
 * more of the four pixels is joined, so that a thin diagonal line stays one line.
 *
 * `rgba` are the premultiplied pixels, `channels` the labels' colors (four each). Regions are numbered in scan order.
 */
export function joinRegions(
  labels: Int32Array,
  width: number,
  height: number,
  rgba: Uint8Array,
  channels: Float64Array,
): Regions {
  const of = arena.int32(width * height);
  const saddles = arena.uint8((width + 1) * (height + 1));
  const parents = new IntList(1024);
  // Runs of one label: where each begins, and the number it got first.
  const runs = new IntList(4096);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; ) {
      const label = labels[row + x];
      let end = x + 1;
      while (end < width && labels[row + end] === label) end++;
      let id = -1;
      if (y > 0) {
        const above = row - width;
        for (let k = x; k < end; k++) {
          if (labels[above + k] !== label) continue;
          id = unite(parents.data, id, of[above + k]);
          while (k + 1 < end && labels[above + k + 1] === label) k++;
        }
        // Crosswise corners lie at the ends of runs only.
        if (x > 0 && labels[above + x - 1] === label && labels[above + x] === labels[row + x - 1]) {
          const falling = coversMore(rgba, channels, row + x, width, label, labels[above + x]);
          saddles[y * (width + 1) + x] = falling ? SADDLE_FALLING : SADDLE_RISING;
          if (falling) id = unite(parents.data, id, of[above + x - 1]);
        }
        if (end < width && labels[above + end] === label && labels[above + end - 1] === labels[row + end]) {
          const falling = coversMore(rgba, channels, row + end, width, labels[row + end], label);
          if (!falling) id = unite(parents.data, id, of[above + end]);
        }
      }
      if (id < 0) {
        id = parents.length;
        parents.push(id);
      }
      fillRun(of, id, row + x, row + end);
      runs.push(row + x);
      x = end;
    }
  }
  runs.push(width * height);
  return compact(of, parents, runs, labels, width, height, channels, saddles);
}

function find(parents: Int32Array, id: number): number {
  while (parents[id] !== id) {
    parents[id] = parents[parents[id]];
    id = parents[id];
  }
  return id;
}

/** The older of the two becomes the root, so that roots are met first in scan order. `a` may be -1 for none. */
function unite(parents: Int32Array, a: number, b: number): number {
  b = find(parents, b);
  if (a < 0) return b;
  a = find(parents, a);
  if (a === b) return a;
  if (a < b) {
    parents[b] = a;
    return a;
  }
  parents[a] = b;
  return b;
}

/** Whether color `p` covers more than half of the four pixels around the upper left corner of pixel `i`, against `q`. */
function coversMore(rgba: Uint8Array, channels: Float64Array, i: number, width: number, p: number, q: number): boolean {
  let dot = 0;
  let lengthSq = 0;
  for (let c = 0; c < 4; c++) {
    const Q = channels[q * 4 + c];
    const d = channels[p * 4 + c] - Q;
    const at = i * 4 + c;
    dot += (rgba[at] + rgba[at - 4] + rgba[at - 4 * width] + rgba[at - 4 * width - 4] - 4 * Q) * d;
    lengthSq += d * d;
  }
  return dot > 2 * lengthSq;
}

function compact(
  of: Int32Array,
  parents: IntList,
  runs: IntList,
  labels: Int32Array,
  width: number,
  height: number,
  channels: Float64Array,
  saddles: Uint8Array,
): Regions {
  const finals = new Int32Array(parents.length);
  let count = 0;
  for (let id = 0; id < parents.length; id++) {
    const root = find(parents.data, id);
    finals[id] = root === id ? count++ : finals[root];
  }
  const areaPx = new Int32Array(count);
  const colors = new Float64Array(count * 4);
  const colorOf = new Int32Array(count).fill(-1);
  const starts = runs.data;
  for (let k = 0; k + 1 < runs.length; k++) {
    const from = starts[k];
    const to = starts[k + 1];
    const first = of[from];
    const region = finals[first];
    if (region !== first) fillRun(of, region, from, to);
    areaPx[region] += to - from;
    if (colorOf[region] >= 0) continue;
    colorOf[region] = labels[from];
    for (let c = 0; c < 4; c++) colors[region * 4 + c] = channels[labels[from] * 4 + c];
  }
  return { width, height, of, count, areaPx, colors, colorOf, saddles };
}
