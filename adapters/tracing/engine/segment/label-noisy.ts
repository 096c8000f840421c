import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { withColor } from './with-color.js';

/** A pixel this near to a color (levels), or this many times the noise, may be a seed of it. */
const SEED_LEVELS = 20;
const SEED_NOISES = 4;
/** Of its eight neighbors so many must be nearest to the same color. */
const SEED_NEIGHBORS = 6;
/** How far around a pixel seeds are looked for: blocks of compression blur edges over several px. */
const FARTHEST = 5;
/** Colors that a pixel may be a mixture of; more of them are looked for where the first ones leave so much of it, levels squared. */
const FEWEST = 2;
const MOST_CANDIDATES = 4;
const UNEXPLAINED_SQ = 40 * 40;
const EXPLAINED_SQ = 12 * 12;

/** The pixels that are of no color plainly, and how far each is from its best mixture. */
export type Mixtures = Pick<FlatLabels, 'mixed' | 'errors'>;

export interface NoisyLabels extends FlatLabels {
  /** Share of pixels that are plainly of a color: low where the picture is no flat art. */
  readonly seeds: number;
}

/**
 * Labels for flat art with compression noise. Where a pixel and most of its neighbors are near one color it is that color;
 * ringing and blurred edges between are mixtures of the colors around them, and get the one that covers more. Returns the labels
 * and the share of pixels that are seeds: low where the picture is no flat art.
 */
export function labelNoisy(pixels: WorkingPixels, palette: NoisyPalette): NoisyLabels {
  return new NoisyLabeler(pixels, palette).labeled();
}

/** What `labelNoisy` does, for a palette that grows: with every color only what that may change is looked at anew. */
export class NoisyLabeler {
  /** What it labels by. */
  palette: NoisyPalette;
  /** Per pixel its color, -1 where it is no seed. */
  private readonly labels: Int32Array;
  private seeds = 0;
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly words: Uint32Array;
  private readonly limit: number;
  private unmixer: Unmixer;
  /** Per pixel the color nearest to it, -1 where none is near; and the same where those on either side have it too. */
  private readonly nearest: Int32Array;
  private readonly inRow: Int32Array;
  /** Per pixel that is no seed the color it gets, and how far it is from what explains it, squared. */
  private readonly chosen: Int32Array;
  private readonly errors: Float64Array;
  /** Per color the search that met it last, the number of the last search, and the colors that the one at hand has met. */
  private seen: Int32Array;
  private searches = 0;
  private candidates: Int32Array;
  /** Those that have no color around them. */
  private lost: number[] = [];
  private found: Mixtures | undefined;

  constructor({ width, height, rgba, words }: WorkingPixels, palette: NoisyPalette) {
    const { channels, size, noise } = palette;
    this.palette = palette;
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.words = words;
    this.limit = Math.max(SEED_LEVELS, SEED_NOISES * noise) ** 2 * 3;
    this.unmixer = new Unmixer(rgba, channels);
    this.labels = arena.rawInt32(width * height);
    this.nearest = arena.rawInt32(width * height);
    this.inRow = arena.rawInt32(width * height);
    // Once there are seeds nobody asks for rows.
    this.chosen = this.inRow;
    this.errors = arena.rawFloat64(width * height);
    this.seen = new Int32Array(size);
    this.candidates = new Int32Array(size);
    const halfways = halfwaysSq(channels, size);
    for (let y = 0; y < height; y++) this.findNearest(y, halfways);
    for (let y = 0; y < height; y++) this.findSeeds(y);
    for (let i = 0; i < words.length; i++) if (this.labels[i] < 0) this.explain(i);
  }

  /** The pixels that are no seeds, ascending, and how far each is from what explains it, squared. */
  get mixtures(): Mixtures {
    this.found ??= this.findMixtures();
    return this.found;
  }

  private findMixtures(): Mixtures {
    const { labels, errors } = this;
    const mixed = new Int32Array(labels.length - this.seeds);
    const left = new Float64Array(mixed.length);
    for (let i = 0, k = 0; i < labels.length; i++) {
      if (labels[i] >= 0) continue;
      mixed[k] = i;
      left[k++] = errors[i];
    }
    return { mixed, errors: left };
  }

  /** All labels: the labeler's last answer. */
  labeled(): NoisyLabels {
    const { labels, seeds, chosen, mixtures } = this;
    for (const i of mixtures.mixed) labels[i] = chosen[i];
    return { labels, seeds: seeds / labels.length, ...mixtures };
  }

  /** Adds a color (four channels) to the palette. */
  add(color: ArrayLike<number>): void {
    const { rgba, labels, limit, nearest } = this;
    const { size: added, channels: before } = this.palette;
    const [size, channels] = [added + 1, withColor(before, color)];
    this.palette = { ...this.palette, size, channels };
    this.unmixer = new Unmixer(rgba, channels);
    this.seen = new Int32Array(size);
    this.searches = 0;
    this.candidates = new Int32Array(size);
    const { unmixer } = this;
    const [red, green, blue, alpha] = [color[0], color[1], color[2], color[3]];
    const nearer: number[] = [];
    for (let i = 0, at = 0; i < nearest.length; i++, at += 4) {
      const r = rgba[at] - red;
      const g = rgba[at + 1] - green;
      const b = rgba[at + 2] - blue;
      const a = rgba[at + 3] - alpha;
      const error = r * r + g * g + b * b + a * a;
      if (error <= limit && (nearest[i] < 0 || error < unmixer.distanceSq(i, nearest[i]))) nearer.push(i);
    }
    for (const i of nearer) nearest[i] = added;
    const isDue = arena.uint8(labels.length);
    for (const i of nearer) this.findSeedsAround(i, isDue);
    // What has no color around it may be of the new one.
    for (const i of this.lost) isDue[i] = 1;
    this.lost = [];
    this.found = undefined;
    for (let i = 0; i < labels.length; i++) if (isDue[i] === 1 && labels[i] < 0) this.explain(i);
  }

  private findNearest(y: number, halfways: Float64Array): void {
    const { width, rgba, words, unmixer, limit, nearest, inRow } = this;
    const { channels, size } = this.palette;
    const row = y * width;
    // Mostly a pixel is of the color of the one before. All are opaque.
    let color = -1;
    let [red, green, blue, halfway] = [0, 0, 0, -1];
    let label = -1;
    // Beyond the border everything agrees.
    let isAsBefore = true;
    for (let x = 0; x < width; x++) {
      const i = row + x;
      const before = label;
      if (x === 0 || words[i] !== words[i - 1]) {
        const r = rgba[4 * i] - red;
        const g = rgba[4 * i + 1] - green;
        const b = rgba[4 * i + 2] - blue;
        let error = r * r + g * g + b * b;
        if (!(error < halfway)) {
          unmixer.nearest(i, size);
          ({ error, label: color } = unmixer);
          red = channels[4 * color];
          green = channels[4 * color + 1];
          blue = channels[4 * color + 2];
          halfway = halfways[color];
        }
        label = error <= limit ? color : -1;
      }
      nearest[i] = label;
      if (x === 0) continue;
      const agrees = label === before;
      inRow[i - 1] = isAsBefore && agrees ? before : -1;
      isAsBefore = agrees;
    }
    inRow[row + width - 1] = isAsBefore ? label : -1;
  }

  /** Labels those of a row that most of their neighbors agree with. */
  private findSeeds(y: number): void {
    const { width, height, labels, nearest, inRow } = this;
    const row = y * width;
    const up = y > 0 ? -width : 0;
    const down = y + 1 < height ? width : 0;
    let seeds = 0;
    for (let x = 0, i = row; x < width; x++, i++) {
      const label = nearest[i];
      let isSeed = false;
      if (label >= 0) {
        const isAlike = ((inRow[i] ^ label) | (inRow[i + up] ^ label) | (inRow[i + down] ^ label)) === 0;
        isSeed = isAlike || this.countAlike(x, y, label) > SEED_NEIGHBORS;
      }
      labels[i] = isSeed ? label : -1;
      if (isSeed) seeds++;
    }
    this.seeds += seeds;
  }

  /** Labels a pixel whose nearest color has changed, and those beside it, and marks all that may see it if that changes anything. */
  private findSeedsAround(pixel: number, isDue: Uint8Array): void {
    const { width, height, labels, nearest } = this;
    const middle = (pixel / width) | 0;
    const column = pixel - middle * width;
    for (let y = Math.max(0, middle - 1); y <= Math.min(height - 1, middle + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++) {
        const i = y * width + x;
        const label = nearest[i];
        const seed = label >= 0 && this.countAlike(x, y, label) > SEED_NEIGHBORS ? label : -1;
        if (seed === labels[i]) continue;
        if (seed < 0) this.seeds--;
        else if (labels[i] < 0) this.seeds++;
        labels[i] = seed;
        const from = Math.max(0, x - FARTHEST);
        const to = Math.min(width, x + FARTHEST + 1);
        for (let v = Math.max(0, y - FARTHEST); v <= Math.min(height - 1, y + FARTHEST); v++)
          isDue.fill(1, v * width + from, v * width + to);
      }
    }
  }

  /** How many of a pixel and its eight neighbors a color is nearest to. */
  private countAlike(x: number, y: number, label: number): number {
    const { width, height, nearest } = this;
    let alike = 0;
    for (let v = y - 1; v <= y + 1; v++) {
      for (let u = x - 1; u <= x + 1; u++) {
        if (u < 0 || v < 0 || u >= width || v >= height || nearest[v * width + u] === label) alike++;
      }
    }
    return alike;
  }

  /** Explains a pixel that is no seed as a mixture of the seeds around it. */
  private explain(i: number): void {
    const { unmixer, candidates, chosen, errors } = this;
    const { size } = this.palette;
    const found = this.lookAround(i, FEWEST);
    if (found === 1) {
      // Alone among its like, a pixel is of their color with some ringing, unless it is far from it.
      chosen[i] = candidates[0];
      errors[i] = unmixer.distanceSq(i, candidates[0]);
      return;
    }
    if (found >= FEWEST) {
      unmixer.unmix(i, candidates, found);
      // Where several meet, those nearest may explain nothing.
      if (unmixer.error > UNEXPLAINED_SQ && size > FEWEST) this.unmixFarther(i);
    } else {
      this.lost.push(i);
      unmixer.nearest(i, size);
    }
    chosen[i] = unmixer.label;
    errors[i] = unmixer.error;
  }

  /** Takes a mixture of any colors around for the explanation of a pixel where it is a good one: what none explains is of a color that has no area. */
  private unmixFarther(pixel: number): void {
    const { unmixer, candidates } = this;
    const { label, error, other } = unmixer;
    unmixer.unmix(pixel, candidates, this.lookAround(pixel, MOST_CANDIDATES));
    if (unmixer.error <= EXPLAINED_SQ) return;
    unmixer.label = label;
    unmixer.error = error;
    unmixer.other = other;
  }

  /** Lists the colors of the seeds nearest to a pixel, until there are so many; returns how many. */
  private lookAround(pixel: number, enough: number): number {
    const { width, height } = this;
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    this.searches++;
    let found = 0;
    for (let reach = 1; reach <= FARTHEST && found < enough; reach++) {
      const left = x > reach ? x - reach : 0;
      const right = x + reach < width ? x + reach : width - 1;
      const top = y > reach ? y - reach : 0;
      const bottom = y + reach < height ? y + reach : height - 1;
      // Around what has been looked at before.
      if (y >= reach) found = this.meet(top * width + left, top * width + right, 1, found);
      if (y + reach < height) found = this.meet(bottom * width + left, bottom * width + right, 1, found);
      if (x >= reach) found = this.meet(top * width + left, bottom * width + left, width, found);
      if (x + reach < width) found = this.meet(top * width + right, bottom * width + right, width, found);
    }
    return found;
  }

  /** Adds the colors of pixels `from` to `to` to the `found` ones that the search has met; returns how many there are then. */
  private meet(from: number, to: number, step: number, found: number): number {
    const { labels, seen, searches, candidates } = this;
    for (let j = from; j <= to; j += step) {
      const label = labels[j];
      if (label < 0 || seen[label] === searches) continue;
      seen[label] = searches;
      candidates[found++] = label;
    }
    return found;
  }
}

/** Per color half the distance to the one nearest to it, squared: what is nearer to the color than that is nearer to no other. */
function halfwaysSq(channels: Float64Array, size: number): Float64Array {
  const halfways = new Float64Array(size).fill(Infinity);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      let distanceSq = 0;
      for (let c = 0; c < 4; c++) distanceSq += (channels[a * 4 + c] - channels[b * 4 + c]) ** 2;
      halfways[a] = Math.min(halfways[a], distanceSq / 4);
      halfways[b] = Math.min(halfways[b], distanceSq / 4);
    }
  }
  return halfways;
}
