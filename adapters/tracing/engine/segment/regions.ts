import { arena } from '../math/arena.js';
import { fillRun, IntList } from '../math/lists.js';
import { ThreeColors } from './three-colors.js';

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

/**
 * Regions with other values for some of theirs. All regions are made in one way, of one hidden class: the code that walks over their
 * pixels is compiled for that, and would be compiled anew for objects that were spread.
 */
export function changeRegions(regions: Regions, changes: Partial<Regions>): Regions {
  return {
    width: regions.width,
    height: regions.height,
    of: changes.of ?? regions.of,
    count: changes.count ?? regions.count,
    areaPx: changes.areaPx ?? regions.areaPx,
    colors: changes.colors ?? regions.colors,
    colorOf: changes.colorOf ?? regions.colorOf,
    saddles: changes.saddles ?? regions.saddles,
  };
}

/** Pixels of the four around a corner that a color must cover to go on across it. */
const LEAST_OF_FOUR = 1.2;
/** The share of the pixels around these four below which a color is that of a line on the other one, and what it must cover of the four. */
const LESS_AROUND = 0.42;
const LEAST_OF_LINE = 0.8;
/** What two pixels together may have of another color and be pure. */
const PURE = 0.04;

export const SADDLE_FALLING = 1;
export const SADDLE_RISING = 2;

/**
 * Joins equal labels into regions: 4-connected, and across a corner where two colors meet crosswise the color that covers
 * more of the four pixels is joined, so that a thin diagonal line stays one line; so does one between two colors.
 *
 * `rgba` are the premultiplied pixels, `channels` the labels' colors (four each). Regions are numbered in scan order. Their numbers
 * take the labels' place: `labels` are the regions' pixels afterwards.
 */
export function joinRegions(
  labels: Int32Array,
  width: number,
  height: number,
  rgba: Uint8Array,
  channels: Float64Array,
): Regions {
  const of = labels;
  // The labels of the row at hand and of the one above, which the first numbers have taken the place of.
  let here = new Int32Array(width);
  let above = new Int32Array(width);
  const saddles = arena.uint8((width + 1) * (height + 1));
  const parents = new IntList(1024);
  const labelOf = new IntList(1024);
  // Runs of one label: where each begins. The number it got first stands at its first pixel until all are known.
  const runs = new IntList(4096);
  const three = new ThreeColors();
  for (let y = 0, rowRuns = 0; y < height; y++) {
    const row = y * width;
    [here, above] = [above, here];
    for (let x = 0; x < width; x++) here[x] = labels[row + x];
    // The run above the one at hand.
    let upper = rowRuns;
    rowRuns = runs.length;
    for (let x = 0; x < width; ) {
      const label = here[x];
      let end = x + 1;
      while (end < width && here[end] === label) end++;
      let id = -1;
      if (y > 0) {
        const before = row - width;
        const starts = runs.data;
        // Behind the last run of the row above comes the first of this one.
        while (upper + 1 < rowRuns && starts[upper + 1] <= before + x) upper++;
        const first = upper;
        for (;;) {
          const start = starts[upper];
          if (above[start - before] === label) id = unite(parents.data, id, of[start]);
          if (upper + 1 === rowRuns || starts[upper + 1] >= before + end) break;
          upper++;
        }
        // Crosswise corners lie at the ends of runs only.
        if (x > 0 && above[x - 1] === label && above[x] !== label) {
          const [q, r] = [above[x], here[x - 1]];
          const goesOn =
            q === r
              ? goesOnAcross(rgba, channels, row + x, width, label, q)
              : goesOnBetween(three, rgba, channels, row + x, width, true, label, q, r);
          if (goesOn) {
            saddles[y * (width + 1) + x] = SADDLE_FALLING;
            id = unite(parents.data, id, of[starts[starts[first] < before + x ? first : first - 1]]);
          } else if (q === r) saddles[y * (width + 1) + x] = SADDLE_RISING;
        }
        if (end < width && above[end] === label && above[end - 1] !== label) {
          const [q, r] = [above[end - 1], here[end]];
          const goesOn =
            q === r
              ? !goesOnAcross(rgba, channels, row + end, width, q, label)
              : goesOnBetween(three, rgba, channels, row + end, width, false, label, q, r);
          if (goesOn) {
            saddles[y * (width + 1) + end] = SADDLE_RISING;
            const beside = upper + 1 < rowRuns && starts[upper + 1] === before + end ? upper + 1 : upper;
            id = unite(parents.data, id, of[starts[beside]]);
          }
        }
      }
      if (id < 0) {
        id = parents.length;
        parents.push(id);
        labelOf.push(label);
      }
      of[row + x] = id;
      runs.push(row + x);
      x = end;
    }
  }
  runs.push(width * height);
  return compact(of, parents, runs, labelOf.data, width, height, channels, saddles);
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

/**
 * Whether color `p` goes on across the upper left corner of pixel `i`, along one diagonal, against `q` along the other: the one that covers
 * more than half of the four pixels. Where all around there is more of the one, the other is a line, thin as it may be, and goes on.
 */
function goesOnAcross(
  rgba: Uint8Array,
  channels: Float64Array,
  i: number,
  width: number,
  p: number,
  q: number,
): boolean {
  const rows = rgba.length / 4 / width;
  const y = Math.floor(i / width);
  const x = i - y * width;
  let lengthSq = 0;
  for (let c = 0; c < 4; c++) lengthSq += (channels[p * 4 + c] - channels[q * 4 + c]) ** 2;
  let inner = 0;
  let outer = 0;
  let count = 0;
  for (let v = y - 2; v < y + 2; v++) {
    if (v < 0 || v >= rows) continue;
    for (let u = x - 2; u < x + 2; u++) {
      if (u < 0 || u >= width) continue;
      let dot = 0;
      for (let c = 0; c < 4; c++) {
        const Q = channels[q * 4 + c];
        dot += (rgba[(v * width + u) * 4 + c] - Q) * (channels[p * 4 + c] - Q);
      }
      if (u >= x - 1 && u <= x && v >= y - 1 && v <= y) inner += dot;
      else {
        outer += dot < 0 ? 0 : dot > lengthSq ? lengthSq : dot;
        count++;
      }
    }
  }
  const share = outer / (count * lengthSq);
  const least = share < LESS_AROUND ? LEAST_OF_LINE : share > 1 - LESS_AROUND ? 4 - LEAST_OF_LINE : 2;
  return inner > least * lengthSq;
}

/**
 * As `goesOnAcross`, where two other colors fill the other diagonal: a line between two grounds goes on across the corner. Shapes that meet
 * in it, and are pure up to there, do not.
 */
function goesOnBetween(
  three: ThreeColors,
  rgba: Uint8Array,
  channels: Float64Array,
  i: number,
  width: number,
  isFalling: boolean,
  p: number,
  q: number,
  r: number,
): boolean {
  if (!three.use(channels, p, q, r)) return false;
  const falling = three.share(rgba, i) + three.share(rgba, i - width - 1);
  const rising = three.share(rgba, i - 1) + three.share(rgba, i - width);
  const own = isFalling ? falling : rising;
  const elsewhere = isFalling ? rising : falling;
  return own + elsewhere > LEAST_OF_FOUR && (own < 2 - PURE || elsewhere > PURE);
}

function compact(
  of: Int32Array,
  parents: IntList,
  runs: IntList,
  labelOf: Int32Array,
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
    fillRun(of, region, from, to);
    areaPx[region] += to - from;
    if (colorOf[region] >= 0) continue;
    const label = labelOf[first];
    colorOf[region] = label;
    for (let c = 0; c < 4; c++) colors[region * 4 + c] = channels[label * 4 + c];
  }
  return { width, height, of, count, areaPx, colors, colorOf, saddles };
}
