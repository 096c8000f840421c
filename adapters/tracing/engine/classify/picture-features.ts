import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import { fillBytes, IntList } from '../math/lists.js';
import { medianOf } from '../math/median.js';

/** Shares, 0..1, of pixels by tone: paper is measured nearby, so that uneven light does not count. */
export interface Tones {
  /** Nearly as light as the paper. */
  readonly paper: number;
  /** Plainly darker. */
  readonly ink: number;
  /** Neither. */
  readonly middle: number;
}

export interface ColorShares {
  /** Share of pixels taken by the two most frequent colors, and by the 24 most frequent; over white. */
  readonly topTwo: number;
  readonly topColors: number;
  /** How far the channels of the two lie apart, the larger of both, and how far their brightness does; levels. */
  readonly tint: number;
  readonly contrast: number;
  /** Share of pixels of plainly other colors than grays. */
  readonly tinted: number;
}

const TILE = 32;
/** Tones, as shares of the paper's brightness. */
const PAPER_TONE = 0.86;
const INK_TONE = 0.6;
const TOP_COLORS = 24;
const STRIPS = 8;
/** Side of the squares that are looked at for grain, and what a pixel stands out from its neighbors by that has some. */
const SQUARE = 8;
const GRAIN = 2;
/** Every so many pixels are asked for their tint; how far it may be off most others', as a share of the brightness. */
const TINT_STEP = 7;
const OWN_TINT = 0.11;
const STRONG = 40;
/** Channels farther apart than this are a color. */
const TINTED = 64;

/** Over white. */
export function toLuma({ rgba, width, height, runs }: WorkingPixels): Uint8Array {
  const luma = arena.rawUint8(width * height);
  const { starts, count } = runs;
  for (let r = 0; r < count; r++) {
    const from = starts[r];
    const at = from * 4;
    const value = ((rgba[at] * 77 + rgba[at + 1] * 150 + rgba[at + 2] * 29) >> 8) + 255 - rgba[at + 3];
    fillBytes(luma, value, from, starts[r + 1]);
  }
  return luma;
}

export function measureTones(luma: Uint8Array, width: number, height: number): Tones {
  const columns = Math.max(1, Math.ceil(width / TILE));
  const rows = Math.max(1, Math.ceil(height / TILE));
  const paper = new Float64Array(columns * rows);
  const counts = new Int32Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      counts.fill(0);
      let total = 0;
      for (let y = row * TILE; y < Math.min(height, (row + 1) * TILE); y++) {
        for (let x = column * TILE; x < Math.min(width, (column + 1) * TILE); x++, total++)
          counts[luma[y * width + x]]++;
      }
      let level = 255;
      for (let above = counts[255]; level > 0 && above < total * 0.2; ) above += counts[--level];
      paper[row * columns + column] = level;
    }
  }
  // Tiles that are all ink have no paper of their own.
  const least = medianOf(paper) * 0.55;
  let onPaper = 0;
  let ink = 0;
  let middle = 0;
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / TILE) * columns;
    for (let x = 0; x < width; x++, i++) {
      const tone = luma[i] / Math.max(1, least, paper[row + Math.floor(x / TILE)]);
      if (tone >= PAPER_TONE) onPaper++;
      else if (tone < INK_TONE) ink++;
      else middle++;
    }
  }
  const total = luma.length;
  return { paper: onPaper / total, ink: ink / total, middle: middle / total };
}

/**
 * Shares, 0..1: of the pixels in squares without edges those that stand out from their neighbors, as all do that a lens has seen, and
 * of all pixels those on plain edges.
 */
export function measureGrain(luma: Uint8Array, width: number, height: number): { grain: number; edges: number } {
  const counter = new GrainCounter(luma, width);
  for (let top = 1; top + SQUARE < height; top += SQUARE)
    for (let left = 1; left + SQUARE < width; left += SQUARE) counter.countSquare(top * width + left);
  const { quiet, grainy, edges } = counter;
  return { grain: quiet > 0 ? grainy / quiet : 1, edges: edges / luma.length };
}

class GrainCounter {
  /** Pixels of squares without edges, those of them that stand out, and pixels on edges in all squares. */
  quiet = 0;
  grainy = 0;
  edges = 0;
  private readonly luma: Uint8Array;
  private readonly width: number;

  constructor(luma: Uint8Array, width: number) {
    this.luma = luma;
    this.width = width;
  }

  countSquare(first: number): void {
    const { luma, width } = this;
    let edges = 0;
    let standing = 0;
    for (let row = first; row < first + SQUARE * width; row += width) {
      for (let i = row; i < row + SQUARE; i++) {
        const west = luma[i - 1];
        const east = luma[i + 1];
        const north = luma[i - width];
        const south = luma[i + width];
        if (Math.abs(east - west) + Math.abs(south - north) > STRONG) edges++;
        if (Math.abs(4 * luma[i] - west - east - north - south) >= GRAIN) standing++;
      }
    }
    this.edges += edges;
    if (edges > 0) return;
    this.quiet += SQUARE * SQUARE;
    this.grainy += standing;
  }
}

/** Share of pixels, 0..1, whose hue and saturation are those of most: a sheet's in any light. Over white. */
export function measureOneTint({ rgba }: WorkingPixels): number {
  const count = Math.ceil(rgba.length / (4 * TINT_STEP));
  const warm = new Float64Array(count);
  const green = new Float64Array(count);
  for (let k = 0, at = 0; k < count; k++, at += 4 * TINT_STEP) {
    const under = 255 - rgba[at + 3];
    const r = rgba[at] + under;
    const g = rgba[at + 1] + under;
    const b = rgba[at + 2] + under;
    const light = 0.3 * r + 0.59 * g + 0.11 * b + 16;
    warm[k] = (r - b) / light;
    green[k] = (g - (r + b) / 2) / light;
  }
  const warmest = medianOf(warm);
  const greenest = medianOf(green);
  let alike = 0;
  for (let k = 0; k < count; k++)
    if (Math.abs(warm[k] - warmest) < OWN_TINT && Math.abs(green[k] - greenest) < OWN_TINT) alike++;
  return alike / count;
}

/** All zero between two pictures: no more are cleared than there are colors. */
const BIN_COUNTS = new Int32Array(1 << 15);

export function measureColors({ rgba, runs }: WorkingPixels): ColorShares {
  // Five bits a channel: noise of a few levels does not make colors of its own.
  const counts = BIN_COUNTS;
  const bins = new IntList(256);
  const { starts } = runs;
  for (let r = 0; r < runs.count; r++) {
    const at = starts[r] * 4;
    const under = 255 - rgba[at + 3];
    const bin =
      (((rgba[at] + under) >> 3) << 10) | (((rgba[at + 1] + under) >> 3) << 5) | ((rgba[at + 2] + under) >> 3);
    if (counts[bin] === 0) bins.push(bin);
    counts[bin] += starts[r + 1] - starts[r];
  }
  // The most frequent ones, the smaller of equals first.
  const top = new Int32Array(TOP_COLORS);
  let size = 0;
  const isBefore = (a: number, b: number) => counts[a] > counts[b] || (counts[a] === counts[b] && a < b);
  for (let k = 0; k < bins.length; k++) {
    const bin = bins.data[k];
    if (size === TOP_COLORS && !isBefore(bin, top[size - 1])) continue;
    let at = size < TOP_COLORS ? size++ : size - 1;
    for (; at > 0 && isBefore(bin, top[at - 1]); at--) top[at] = top[at - 1];
    top[at] = bin;
  }
  const first = top[0];
  // A picture of one color has no second; the first bin that is empty stands for it.
  const second = size > 1 ? top[1] : first === 0 ? 1 : 0;
  const tintOf = (bin: number): number => {
    const r = bin >> 10;
    const g = (bin >> 5) & 31;
    const b = bin & 31;
    return (Math.max(r, g, b) - Math.min(r, g, b)) * 8;
  };
  const lumaOf = (bin: number): number => (0.3 * (bin >> 10) + 0.59 * ((bin >> 5) & 31) + 0.11 * (bin & 31)) * 8;
  const tint = Math.max(tintOf(first), tintOf(second));
  const contrast = Math.abs(lumaOf(first) - lumaOf(second));
  let tinted = 0;
  for (let k = 0; k < bins.length; k++) if (tintOf(bins.data[k]) > TINTED) tinted += counts[bins.data[k]];
  let sum = 0;
  for (let k = 0; k < size; k++) sum += counts[top[k]];
  const total = rgba.length / 4;
  const topTwo = (counts[first] + counts[second]) / total;
  for (let k = 0; k < bins.length; k++) counts[bins.data[k]] = 0;
  return {
    topTwo,
    topColors: sum / total,
    tint,
    contrast,
    tinted: tinted / total,
  };
}

/** Bands of busy rows with quiet rows above and below, summed over eight upright strips: lines of lettering. Over white. */
export function countTextBands({ rgba, width, height, runs }: WorkingPixels): number {
  const stripWidth = Math.floor(width / STRIPS);
  if (stripWidth < 12) return 0;
  const { starts } = runs;
  const lumaAt = (at: number): number =>
    (((rgba[at] * 77 + rgba[at + 1] * 150 + rgba[at + 2] * 29) >> 8) + 255 - rgba[at + 3]) & 255;
  const changes = new Int32Array(STRIPS);
  const busyRows = new Int32Array(STRIPS);
  const quiet = new Uint8Array(STRIPS).fill(1);
  const busy = Math.max(4, stripWidth / 14);
  let bands = 0;
  for (let y = 0, r = 0; y < height; y++) {
    changes.fill(0);
    const row = y * width;
    let luma = lumaAt(starts[r] * 4);
    // Brightness changes where a run begins, and nowhere else.
    for (r++; r < runs.count && starts[r] < row + width; r++) {
      const next = lumaAt(starts[r] * 4);
      const x = starts[r] - row;
      const strip = Math.floor(x / stripWidth);
      // Between two strips it belongs to neither.
      if (strip < STRIPS && x > strip * stripWidth && Math.abs(next - luma) > STRONG) changes[strip]++;
      luma = next;
    }
    for (let strip = 0; strip < STRIPS; strip++) {
      if (changes[strip] >= busy) busyRows[strip]++;
      else if (changes[strip] === 0) {
        // A band of text is a few px high, and quiet above and below.
        if (quiet[strip] === 1 && busyRows[strip] >= 4 && busyRows[strip] <= 40) bands++;
        busyRows[strip] = 0;
        quiet[strip] = 1;
      } else if (busyRows[strip] === 0 && changes[strip] > 2) quiet[strip] = 0;
    }
  }
  return bands;
}

/** Straight level and upright edges of a fifth of the picture's side or more. */
export function countLongEdges(luma: Uint8Array, width: number, height: number): number {
  let edges = 0;
  for (let y = 1; y < height; y++) {
    let run = 0;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      run = Math.abs(luma[i] - luma[i - width]) > 8 ? run + 1 : 0;
      if (run === Math.ceil(width / 5)) edges++;
    }
  }
  for (let x = 1; x < width; x++) {
    let run = 0;
    for (let y = 0, i = x; y < height; y++, i += width) {
      run = Math.abs(luma[i] - luma[i - 1]) > 8 ? run + 1 : 0;
      if (run === Math.ceil(height / 5)) edges++;
    }
  }
  return edges;
}
