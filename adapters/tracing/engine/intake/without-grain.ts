import { arena } from '../math/arena.js';
import { LeastSquares } from '../math/least-squares.js';
import type { EnginePicture } from '../types.js';
import { uncutLevel } from './uncut-level.js';
import { contrastOf } from './word-contrast.js';
import type { WorkingPixels } from './working-pixels.js';

/** Pixels among whose eight neighbors levels lie within so many times the grain, and so many levels more, are even: no edge is there. */
const EVEN_GRAINS = 5.5;
const EVEN_LEVELS = 1;
/** Even pixels side by side are of one area where the means around them differ by no more than so many times the grain, and so many levels. */
const JOINED_GRAINS = 0.6;
const JOINED_LEVELS = 0.4;
/** Smaller areas are none. */
const LEAST_AREA_PX = 12;
/**
 * How far from flat the means around an area's pixels may be (variance, levels squared) beside what grain leaves of them; a smooth change that explains the rest of
 * it, all but this share, is one that was drawn, and other unevenness up to this none.
 */
const FLAT_VARIANCE = 0.15;
const MOST_UNEXPLAINED = 0.25;
const UNEVEN_VARIANCE = 2.5 ** 2;
/** Colors of two areas are one where they differ by no more than so many standard errors of the smaller one's mean, and so many levels; and how many there are, at most. */
const SAME_GRAINS = 3;
const SAME_LEVELS = 0.5;
const MOST_COLORS = 256;
/** How far a smooth change is averaged over, px, by pairs of pixels opposite each other; and how far, in grains and levels, the mean of a pair may be off. */
const REACH = 5;
const PAIR_GRAINS = 1;
const PAIR_LEVELS = 0.3;
/**
 * What is in no area is averaged with what looks alike around it (non-local means, Buades, Coll & Morel 2005): places so far away, px, at most, whose 3 x 3 pixels differ by
 * what grain makes of equal ones, or little more (in variances of the grain, where weights are the e-th part).
 */
const ALIKE_REACH = 4;
const ALIKE_VARIANCE = 0.6;
const MOST_EXCESS = 3;
/** A pixel beside an area is of it where it is within so many times the grain, and so many levels more. */
const OWN_GRAINS = 1.5;
const OWN_LEVELS = 0.5;
const LEAST_OWN = 2;
const CHANNELS = 3;
/** What pixels have for an area that are in none, and even ones before they have been looked at. */
const NONE = -1;
const UNSEEN = -2;
/** Pixels of an area that tell of a smooth change, at most, and the terms of a quadratic surface. */
const SURFACE_PIXELS = 1024;
const SURFACE_TERMS = 6;

/**
 * An opaque picture without its grain of so many `levels` (standard deviation): areas of one color have it everywhere, smooth changes are averaged over a few pixels, and
 * what is at edges, or thinner than three pixels, with what looks alike around it.
 */
export function withoutGrain(pixels: WorkingPixels, levels: number): EnginePicture {
  return new GrainRemover(pixels, levels).remove();
}

/** Even pixels that hang together: how many, and their color where they have but one. */
interface Area {
  readonly size: number;
  color: readonly number[] | undefined;
}

class GrainRemover {
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly levels: number;
  /** How far a pixel may be off an area that it is of, levels. */
  private readonly mostOff: number;
  /** Per pixel the means of the three channels over it and its neighbors. */
  private readonly means: Float32Array;
  /** Per pixel its area. */
  private readonly areaOf: Int32Array;
  private readonly data: Uint8Array;
  /** `data`, a pixel a word. */
  private readonly painted: Int32Array;
  /** The pixels of the area at hand. */
  private readonly stack: Int32Array;
  private readonly areas: Area[] = [];
  private readonly surface = new LeastSquares(SURFACE_TERMS);
  private readonly term = new Float64Array(SURFACE_TERMS);

  constructor({ width, height, rgba }: WorkingPixels, levels: number) {
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.levels = levels;
    this.mostOff = Math.max(LEAST_OWN, OWN_GRAINS * levels + OWN_LEVELS);
    this.means = arena.rawFloat32(width * height * CHANNELS);
    this.areaOf = arena.rawInt32(width * height);
    this.stack = arena.rawInt32(width * height);
    this.data = new Uint8Array(rgba);
    this.painted = new Int32Array(this.data.buffer);
  }

  remove(): EnginePicture {
    const { width, height, data, areaOf, areas } = this;
    for (let y = 0; y < height; y++) this.findEven(y);
    for (let i = 0; i < areaOf.length; i++) if (areaOf[i] === UNSEEN) this.takeArea(i);
    this.shareColors();
    const colors = Uint8Array.from(
      areas.flatMap(({ color }) => (color === undefined ? [0, 0, 0, 0] : [...color, 255])),
    );
    const words = new Int32Array(colors.buffer);
    for (let y = 0; y < height; y++) this.paintRow(y, words);
    for (let i = 0; i < areaOf.length; i++) if (areaOf[i] === NONE) this.join(i);
    return { width, height, data };
  }

  /** Finds the even pixels of a row, and the means around all. */
  private findEven(y: number): void {
    const { width, areaOf } = this;
    areaOf.fill(UNSEEN, y * width, (y + 1) * width);
    for (let c = 0; c < CHANNELS; c++) this.findEvenIn(y, c);
  }

  /** Those of a channel: from column to column the lowest and the highest level of three rows, and their sum. */
  private findEvenIn(y: number, channel: number): void {
    const { width, height, rgba, means, areaOf, levels } = this;
    const row = y * width;
    const most = EVEN_GRAINS * levels + EVEN_LEVELS;
    const above = y > 0 ? -4 * width : 0;
    const below = y + 1 < height ? 4 * width : 0;
    let [low, lowBefore, high, highBefore, sum, sumBefore] = [0, 0, 0, 0, 0, 0];
    for (let x = -1; x <= width; x++) {
      const at = 4 * (row + (x < 0 ? 0 : x < width ? x : width - 1)) + channel;
      const upper = rgba[at + above];
      const middle = rgba[at];
      const lower = rgba[at + below];
      const least = upper < middle ? (upper < lower ? upper : lower) : middle < lower ? middle : lower;
      const highest = upper > middle ? (upper > lower ? upper : lower) : middle > lower ? middle : lower;
      const all = upper + middle + lower;
      if (x > 0) {
        const i = row + x - 1;
        const from = low < lowBefore ? (low < least ? low : least) : lowBefore < least ? lowBefore : least;
        const to = high > highBefore ? (high > highest ? high : highest) : highBefore > highest ? highBefore : highest;
        means[i * CHANNELS + channel] = (sumBefore + sum + all) / 9;
        if (to - from > most) areaOf[i] = NONE;
      }
      lowBefore = low;
      highBefore = high;
      sumBefore = sum;
      low = least;
      high = highest;
      sum = all;
    }
  }

  /** Takes all that hangs together with an even pixel for an area. */
  private takeArea(from: number): void {
    const { width, areaOf, stack, areas } = this;
    const area = areas.length;
    let size = 1;
    stack[0] = from;
    areaOf[from] = area;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      const x = i % width;
      if (x > 0) size = this.take(i, i - 1, area, size);
      if (x + 1 < width) size = this.take(i, i + 1, area, size);
      if (i >= width) size = this.take(i, i - width, area, size);
      if (i + width < areaOf.length) size = this.take(i, i + width, area, size);
    }
    if (size < LEAST_AREA_PX) {
      for (let k = 0; k < size; k++) areaOf[stack[k]] = NONE;
      return;
    }
    areas.push({ size, color: this.isFlat(size) ? this.colorOf(size) : undefined });
  }

  /** Takes a pixel beside one of an area, where it is of it; returns how many there are then. */
  private take(i: number, j: number, area: number, size: number): number {
    const { areaOf, means, stack, levels } = this;
    if (areaOf[j] !== UNSEEN) return size;
    const most = JOINED_GRAINS * levels + JOINED_LEVELS;
    const [a, b] = [i * CHANNELS, j * CHANNELS];
    if (Math.abs(means[a] - means[b]) > most) return size;
    if (Math.abs(means[a + 1] - means[b + 1]) > most || Math.abs(means[a + 2] - means[b + 2]) > most) return size;
    areaOf[j] = area;
    stack[size] = j;
    return size + 1;
  }

  /** Whether the area at hand, of so many pixels, has one color; or is uneven by no smooth change. */
  private isFlat(size: number): boolean {
    const { stack, means, levels } = this;
    // Means over nine pixels of an area are as those of a ninth as many.
    const ofGrain = ((levels * levels) / 9) * (1 + 4 / Math.sqrt(Math.max(1, size / 9)));
    for (let c = 0; c < CHANNELS; c++) {
      let sum = 0;
      let squares = 0;
      for (let k = 0; k < size; k++) {
        const value = means[stack[k] * CHANNELS + c];
        sum += value;
        squares += value * value;
      }
      const variance = squares / size - (sum / size) ** 2 - ofGrain;
      if (variance <= FLAT_VARIANCE) continue;
      if (variance > UNEVEN_VARIANCE) return false;
      if (this.leftBySurface(size, c) - ofGrain < MOST_UNEXPLAINED * variance) return false;
    }
    return true;
  }

  /** The variance of a channel of the area at hand about the quadratic surface nearest to it. */
  private leftBySurface(size: number, channel: number): number {
    const { stack, means, width, surface, term } = this;
    const step = Math.ceil(size / SURFACE_PIXELS);
    const scale = 2 / Math.sqrt(size);
    const originX = stack[0] % width;
    const originY = (stack[0] / width) | 0;
    const place = (k: number) => {
      const u = ((stack[k] % width) - originX) * scale;
      const v = (((stack[k] / width) | 0) - originY) * scale;
      term.set([1, u, v, u * u, u * v, v * v]);
      return means[stack[k] * CHANNELS + channel];
    };
    surface.clear();
    for (let k = 0; k < size; k += step) surface.add(term, place(k), 1);
    if (!surface.solve()) return Infinity;
    let squares = 0;
    let count = 0;
    for (let k = 0; k < size; k += step, count++) {
      let left = place(k);
      for (let t = 0; t < SURFACE_TERMS; t++) left -= surface.x[t] * term[t];
      squares += left * left;
    }
    return squares / count;
  }

  /** The mean color of the area at hand, of so many pixels. */
  private colorOf(size: number): number[] {
    const { stack, rgba } = this;
    return [0, 1, 2].map((c) => {
      let sum = 0;
      let black = 0;
      let white = 0;
      for (let k = 0; k < size; k++) {
        const value = rgba[4 * stack[k] + c];
        sum += value;
        if (value === 0) black++;
        else if (value === 255) white++;
      }
      return uncutLevel(Math.round(sum / size), size, black, white);
    });
  }

  /** Gives areas the color of a larger one where grain explains what parts the two. */
  private shareColors(): void {
    const { levels } = this;
    const colors: (readonly number[])[] = [];
    const flat = this.areas.filter(({ color }) => color !== undefined).sort((a, b) => b.size - a.size);
    for (const area of flat) {
      const own = area.color ?? [];
      const most = (SAME_GRAINS * levels) / Math.sqrt(area.size) + SAME_LEVELS;
      const same = colors.find((color) => color.every((level, c) => Math.abs(level - own[c]) <= most));
      if (same !== undefined) area.color = same;
      else if (colors.length < MOST_COLORS) colors.push(own);
    }
  }

  /** Gives the pixels of a row what they are without grain, by the colors of areas as words, 0 for those that have not but one. */
  private paintRow(y: number, words: Int32Array): void {
    const { width, areaOf, painted } = this;
    for (let i = y * width, end = i + width; i < end; i++) {
      const area = areaOf[i];
      if (area === NONE) this.averageAlike(i);
      else if (words[area] === 0) this.smooth(i);
      else painted[i] = words[area];
    }
  }

  /** Gives a pixel of a smooth change the mean of pairs of pixels opposite each other around it. */
  private smooth(i: number): void {
    const { width, height, rgba, data, areaOf } = this;
    const x = i % width;
    const y = (i - x) / width;
    let red = rgba[4 * i];
    let green = rgba[4 * i + 1];
    let blue = rgba[4 * i + 2];
    let count = 1;
    const below = Math.min(REACH, y, height - 1 - y);
    const beside = Math.min(REACH, x, width - 1 - x);
    for (let v = 0; v <= below; v++) {
      for (let u = v === 0 ? 1 : -beside; u <= beside; u++) {
        const away = v * width + u;
        if (areaOf[i + away] < 0 || areaOf[i - away] < 0 || !this.isAlike(i, away)) continue;
        const p = 4 * (i + away);
        const q = 4 * (i - away);
        red += rgba[p] + rgba[q];
        green += rgba[p + 1] + rgba[q + 1];
        blue += rgba[p + 2] + rgba[q + 2];
        count += 2;
      }
    }
    data[4 * i] = Math.round(red / count);
    data[4 * i + 1] = Math.round(green / count);
    data[4 * i + 2] = Math.round(blue / count);
  }

  /** Whether of two pixels opposite each other, so far away, the means are in the middle those of a pixel. */
  private isAlike(i: number, away: number): boolean {
    const { means, levels } = this;
    const most = 2 * (PAIR_GRAINS * levels + PAIR_LEVELS);
    for (let c = 0; c < CHANNELS; c++) {
      const off = means[(i + away) * CHANNELS + c] + means[(i - away) * CHANNELS + c] - 2 * means[i * CHANNELS + c];
      if (off > most || off < -most) return false;
    }
    return true;
  }

  /** Gives a pixel of no area the mean of what looks alike around it, weighted by how much it does. */
  private averageAlike(i: number): void {
    const { width, height, rgba, data, levels } = this;
    const x = i % width;
    const y = (i - x) / width;
    if (x === 0 || y === 0 || x + 1 === width || y + 1 === height) return;
    const unit = 9 * CHANNELS * levels * levels;
    let red = rgba[4 * i];
    let green = rgba[4 * i + 1];
    let blue = rgba[4 * i + 2];
    let sum = 1;
    const top = Math.max(1, y - ALIKE_REACH);
    const bottom = Math.min(height - 2, y + ALIKE_REACH);
    const left = Math.max(1, x - ALIKE_REACH);
    const right = Math.min(width - 2, x + ALIKE_REACH);
    for (let v = top; v <= bottom; v++) {
      for (let u = left; u <= right; u++) {
        const j = v * width + u;
        if (j === i) continue;
        const excess = this.differenceSq(i, j, (2 + MOST_EXCESS) * unit) / unit - 2;
        if (excess >= MOST_EXCESS) continue;
        const weight = excess <= 0 ? 1 : Math.exp(-excess / ALIKE_VARIANCE);
        red += weight * rgba[4 * j];
        green += weight * rgba[4 * j + 1];
        blue += weight * rgba[4 * j + 2];
        sum += weight;
      }
    }
    data[4 * i] = Math.round(red / sum);
    data[4 * i + 1] = Math.round(green / sum);
    data[4 * i + 2] = Math.round(blue / sum);
  }

  /** By how much the 3 x 3 pixels around two differ, squared, levels; no further than up to so much. */
  private differenceSq(i: number, j: number, most: number): number {
    const { rgba, width } = this;
    let sum = 0;
    for (let row = -width; row <= width; row += width) {
      if (sum > most) return sum;
      for (let a = 4 * (i + row - 1), b = 4 * (j + row - 1), end = a + 12; a < end; a += 4, b += 4) {
        const r = rgba[a] - rgba[b];
        const g = rgba[a + 1] - rgba[b + 1];
        const bl = rgba[a + 2] - rgba[b + 2];
        sum += r * r + g * g + bl * bl;
      }
    }
    return sum;
  }

  /** Gives a pixel of no area what is beside it in an area that it is of. */
  private join(i: number): void {
    const { width, height, painted, areaOf } = this;
    const x = i % width;
    const y = (i - x) / width;
    let least = this.mostOff;
    let best = -1;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const j = v * width + u;
        if (areaOf[j] < 0) continue;
        const off = contrastOf(painted[i], painted[j]);
        if (off > least) continue;
        least = off;
        best = j;
      }
    }
    if (best >= 0) painted[i] = painted[best];
  }
}
