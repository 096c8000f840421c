import { arena } from '../math/arena.js';
import { fillRun, IntList } from '../math/lists.js';
import { ThreeColors } from './three-colors.js';

/** A partition of the picture: every pixel belongs to exactly one region, every region has one color. */
export interface Regions {
  readonly width: number;
  readonly height: number;
  /** Per pixel its region, 0..count-1. */
  readonly of: Int32Array;
  /**
   * Stretches of one region within a row, row by row from the left: where each begins, and one more at the end. Neighbors may be of one region.
   */
  readonly runs: Int32Array;
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
 * Regions with other values for some of theirs; pixels of one region stay of one. All regions are made in one way, of one hidden class: the code that walks over their
 * pixels is compiled for that, and would be compiled anew for objects that were spread.
 */
export function changeRegions(regions: Regions, changes: Partial<Omit<Regions, 'runs'>>): Regions {
  return {
    width: regions.width,
    height: regions.height,
    of: changes.of ?? regions.of,
    runs: regions.runs,
    count: changes.count ?? regions.count,
    areaPx: changes.areaPx ?? regions.areaPx,
    colors: changes.colors ?? regions.colors,
    colorOf: changes.colorOf ?? regions.colorOf,
    saddles: changes.saddles ?? regions.saddles,
  };
}

/** The share of the pixels around these four below which a color is that of a line on the other one, and what it must cover of the four. */
const LESS_AROUND = 0.42;
const LEAST_OF_LINE = 0.8;
/** What two pixels together may have of another color and be pure. */
const PURE = 0.04;

/** The steps to the pixels around one, in turn. */
export const AROUND = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

export const SADDLE_FALLING = 1;
export const SADDLE_RISING = 2;

/**
 * Joins equal labels into regions: 4-connected, and across a corner where two colors meet crosswise the color that covers
 * more of the four pixels is joined, so that a thin diagonal line stays one line; so does one between two colors. Lines of the label `lineColor`
 * may cover less than half of their pixels: these go on across a corner where one would end there, and only pass by where neither does.
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
  lineColor = -1,
): Regions {
  const joiner = new RegionJoiner(labels, width, height, rgba, channels, lineColor);
  for (let y = 0; y < height; y++) joiner.joinRow(y);
  return joiner.compact();
}

/** One row after the other, by runs of one label. */
class RegionJoiner {
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;
  /** Per pixel its label, until all regions are known. */
  private readonly of: Int32Array;
  private readonly saddles: Uint8Array;
  private readonly parents = new IntList(1024);
  private readonly labelOf = new IntList(1024);
  /** Runs of one label: where each begins, and the number that it got first. */
  private readonly runs = new IntList(4096);
  private readonly ids = new IntList(4096);
  /** The first run of the row at hand: behind the last one above. */
  private rowRuns = 0;
  private readonly three = new ThreeColors();
  private readonly lineColor: number;

  constructor(
    labels: Int32Array,
    width: number,
    height: number,
    rgba: Uint8Array,
    channels: Float64Array,
    lineColor: number,
  ) {
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.channels = channels;
    this.lineColor = lineColor;
    this.of = labels;
    this.saddles = arena.uint8((width + 1) * (height + 1));
  }

  joinRow(y: number): void {
    const { width, of, parents, labelOf, runs, ids } = this;
    const row = y * width;
    const behind = row + width;
    // The run above the one at hand.
    let upper = this.rowRuns;
    this.rowRuns = runs.length;
    for (let from = row; from < behind; ) {
      const label = of[from];
      let end = from + 1;
      while (end < behind && of[end] === label) end++;
      let id = -1;
      if (y > 0) {
        // Behind the last run of the row above comes the first of this one.
        while (upper + 1 < this.rowRuns && runs.data[upper + 1] <= from - width) upper++;
        id = this.joinAbove(row, from, end, upper);
        while (upper + 1 < this.rowRuns && runs.data[upper + 1] < end - width) upper++;
      }
      if (id < 0) {
        id = parents.length;
        parents.push(id);
        labelOf.push(label);
      }
      runs.push(from);
      ids.push(id);
      from = end;
    }
  }

  /**
   * Unites the run of pixels `from` to `end` of the row that begins with pixel `row` with what it touches in the row above, where `first` is
   * the run that `from` lies under. Returns its number; -1 where it touches nothing of its own.
   */
  private joinAbove(row: number, from: number, end: number, first: number): number {
    const { width, of, rowRuns } = this;
    const parents = this.parents.data;
    const starts = this.runs.data;
    const ids = this.ids.data;
    const label = of[from];
    let id = -1;
    let upper = first;
    for (;;) {
      if (of[starts[upper]] === label) id = unite(parents, id, ids[upper]);
      if (upper + 1 === rowRuns || starts[upper + 1] >= end - width) break;
      upper++;
    }
    // Crosswise corners lie at the ends of runs only.
    if (from > row && of[from - width - 1] === label && of[from - width] !== label && this.goesOnFalling(from)) {
      id = unite(parents, id, ids[starts[first] < from - width ? first : first - 1]);
    }
    if (end < row + width && of[end - width] === label && of[end - width - 1] !== label && this.goesOnRising(end)) {
      const isNext = upper + 1 < rowRuns && starts[upper + 1] === end - width;
      id = unite(parents, id, ids[isNext ? upper + 1 : upper]);
    }
    return id;
  }

  /**
   * Whether the color of the pixel right below a corner, the corner's `pixel`, goes on to the one left above it; the corner is marked as joined
   * accordingly.
   */
  private goesOnFalling(pixel: number): boolean {
    const { width, of } = this;
    const label = of[pixel];
    const q = of[pixel - width];
    const r = of[pixel - 1];
    const goesOn = this.goesOn(pixel, true, label, q, r);
    if (goesOn) this.saddles[this.cornerOf(pixel)] = SADDLE_FALLING;
    else if (q === r) this.saddles[this.cornerOf(pixel)] = SADDLE_RISING;
    return goesOn;
  }

  /** The same from the pixel left below a corner to the one right above it. */
  private goesOnRising(pixel: number): boolean {
    const { width, of } = this;
    const label = of[pixel - 1];
    const q = of[pixel - width - 1];
    const r = of[pixel];
    const goesOn = this.goesOn(pixel, false, label, q, r);
    if (goesOn) this.saddles[this.cornerOf(pixel)] = SADDLE_RISING;
    return goesOn;
  }

  /** Whether a label goes on across the upper left corner of a pixel, falling or rising, against one or two others along the other diagonal. */
  private goesOn(pixel: number, isFalling: boolean, label: number, q: number, r: number): boolean {
    const { width, rgba, channels, lineColor } = this;
    const first = isFalling ? pixel : pixel - 1;
    const second = pixel - width - (isFalling ? 1 : 0);
    if (label === lineColor) return this.isLineAcross(first, second);
    if (q === r && q === lineColor)
      return !this.isLineAcross(isFalling ? pixel - 1 : pixel, pixel - width - (isFalling ? 0 : 1));
    if (q !== r) return goesOnBetween(this.three, rgba, channels, pixel, width, isFalling, label, q, r);
    return isFalling
      ? goesOnAcross(rgba, channels, pixel, width, label, q)
      : !goesOnAcross(rgba, channels, pixel, width, q, label);
  }

  /** Whether a line goes on from one pixel to another across their corner: either would be its end otherwise, or it is straight there. */
  private isLineAcross(a: number, b: number): boolean {
    if (this.countNeighbors(a, b) < 2 || this.countNeighbors(b, a) < 2) return true;
    return this.comesStraight(a, b) && this.comesStraight(b, a);
  }

  /** Whether a line comes straight through one pixel to another that touches it at a corner, as two do that lie a pixel apart, and goes not as straight across. */
  private comesStraight(pixel: number, to: number): boolean {
    const { width, height, of } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    const v = Math.floor(to / width) - y;
    const u = to - v * width - pixel;
    const isLine = (du: number, dv: number) =>
      x + du >= 0 && x + du < width && y + dv >= 0 && y + dv < height && of[pixel + dv * width + du] === of[pixel];
    return isLine(-u, -v) && !(isLine(u, -v) && isLine(-u, v));
  }

  /** In how many directions the line in a pixel goes on to those around it, `except` one. */
  private countNeighbors(pixel: number, except: number): number {
    const { width, height, of } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    const isLine = (k: number) => {
      const u = x + AROUND[k & 7][0];
      const v = y + AROUND[k & 7][1];
      if (u < 0 || v < 0 || u >= width || v >= height) return false;
      const other = v * width + u;
      return other !== except && of[other] === of[pixel];
    };
    let count = 0;
    for (let k = 0; k < 8; k++) if (isLine(k) && !isLine(k + 7)) count++;
    return count;
  }

  /** The lattice vertex at the upper left of a pixel. */
  private cornerOf(pixel: number): number {
    return pixel + Math.floor(pixel / this.width);
  }

  /** The regions, numbered in scan order. */
  compact(): Regions {
    const { of, parents, runs, ids, width, height, channels, saddles } = this;
    runs.push(width * height);
    const finals = new Int32Array(parents.length);
    const count = numberRoots(parents.data, finals);
    const areaPx = new Int32Array(count);
    const colors = new Float64Array(count * 4);
    const colorOf = new Int32Array(count).fill(-1);
    const labelOf = this.labelOf.data;
    const starts = runs.data;
    for (let k = 0; k + 1 < runs.length; k++) {
      const from = starts[k];
      const to = starts[k + 1];
      const first = ids.data[k];
      const region = finals[first];
      fillRun(of, region, from, to);
      areaPx[region] += to - from;
      if (colorOf[region] >= 0) continue;
      const label = labelOf[first];
      colorOf[region] = label;
      for (let c = 0; c < 4; c++) colors[region * 4 + c] = channels[label * 4 + c];
    }
    return { width, height, of, runs: starts.subarray(0, runs.length), count, areaPx, colors, colorOf, saddles };
  }
}

/** Numbers the roots in their order, and all others as theirs; returns how many roots there are. A parent comes before its children. */
function numberRoots(parents: Int32Array, finals: Int32Array): number {
  let count = 0;
  for (let id = 0; id < finals.length; id++) {
    const root = find(parents, id);
    finals[id] = root === id ? count++ : finals[root];
  }
  return count;
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
  return own < 2 - PURE || elsewhere > PURE;
}
