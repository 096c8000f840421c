import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';

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
  const labeler = new NoisyLabeler(pixels, palette);
  const { height } = pixels;
  for (let y = 0; y < height; y++) labeler.findNearest(y);
  for (let y = 0; y < height; y++) labeler.findSeeds(y);
  const { labels, seeds } = labeler;
  return { labels, seeds: seeds / labels.length, ...labeler.unmixOthers() };
}

class NoisyLabeler {
  /** Per pixel its color, -1 until it is known. */
  readonly labels: Int32Array;
  /** How many pixels are. */
  seeds = 0;
  private readonly width: number;
  private readonly height: number;
  private readonly words: Uint32Array;
  private readonly size: number;
  private readonly unmixer: Unmixer;
  private readonly limit: number;
  private readonly halfwaysSq: Float64Array;
  /** Per pixel the color nearest to it, -1 where none is near; and the same where those on either side have it too. */
  private readonly nearest: Int32Array;
  private readonly inRow: Int32Array;
  /** Per color the search that met it last, and the colors that the search at hand has met. */
  private readonly seen: Int32Array;
  private readonly candidates: Int32Array;

  constructor({ width, height, rgba, words }: WorkingPixels, { channels, size, noise }: NoisyPalette) {
    this.width = width;
    this.height = height;
    this.words = words;
    this.size = size;
    this.limit = Math.max(SEED_LEVELS, SEED_NOISES * noise) ** 2 * 3;
    this.unmixer = new Unmixer(rgba, channels);
    this.halfwaysSq = halfwaysSq(channels, size);
    this.labels = arena.rawInt32(width * height);
    this.nearest = arena.rawInt32(width * height);
    this.inRow = arena.rawInt32(width * height);
    this.seen = new Int32Array(size);
    this.candidates = new Int32Array(size);
  }

  findNearest(y: number): void {
    const { width, words, size, unmixer, limit, halfwaysSq, nearest, inRow } = this;
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const i = row + x;
      if (x > 0 && words[i] === words[i - 1]) {
        nearest[i] = nearest[i - 1];
        continue;
      }
      // Mostly a pixel is of the color of the one before.
      if (!unmixer.tryColor(i, unmixer.label, halfwaysSq[unmixer.label])) unmixer.nearest(i, size);
      nearest[i] = unmixer.error <= limit ? unmixer.label : -1;
    }
    // Beyond the border everything agrees.
    let before = nearest[row];
    let here = before;
    for (let x = 0; x < width; x++) {
      const behind = x + 1 < width ? nearest[row + x + 1] : here;
      inRow[row + x] = before === here && behind === here ? here : -1;
      before = here;
      here = behind;
    }
  }

  /** Labels those of a row that most of their neighbors agree with. */
  findSeeds(y: number): void {
    const { width, height, labels, nearest, inRow } = this;
    const row = y * width;
    const above = y > 0 ? row - width : row;
    const below = y + 1 < height ? row + width : row;
    let seeds = 0;
    for (let x = 0; x < width; x++) {
      const label = nearest[row + x];
      const isAlike = inRow[row + x] === label && inRow[above + x] === label && inRow[below + x] === label;
      const isSeed = label >= 0 && (isAlike || this.countAlike(x, y, label) > SEED_NEIGHBORS);
      labels[row + x] = isSeed ? label : -1;
      if (isSeed) seeds++;
    }
    this.seeds += seeds;
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

  /** Explains what is no seed as mixtures of the seeds around it. */
  unmixOthers(): Pick<FlatLabels, 'mixed' | 'errors'> {
    const { labels, size, unmixer, candidates } = this;
    const open = labels.length - this.seeds;
    const mixed = new Int32Array(open);
    for (let i = 0, k = 0; i < labels.length; i++) if (labels[i] < 0) mixed[k++] = i;
    const errors = new Float64Array(open);
    const chosen = new Int32Array(open);
    for (let k = 0; k < open; k++) {
      const i = mixed[k];
      const found = this.lookAround(i, 2 * k + 1, FEWEST);
      if (found >= FEWEST) {
        unmixer.unmix(i, candidates, found);
        // Where several meet, those nearest may explain nothing.
        if (unmixer.error > UNEXPLAINED_SQ && size > FEWEST) this.unmixFarther(i, 2 * k + 2);
      } else unmixer.nearest(i, size);
      // Alone among its like, a pixel is of their color with some ringing, unless it is far from it.
      chosen[k] = found === 1 ? candidates[0] : unmixer.label;
      errors[k] = found === 1 ? unmixer.distanceSq(i, candidates[0]) : unmixer.error;
    }
    for (let k = 0; k < open; k++) labels[mixed[k]] = chosen[k];
    return { mixed, errors };
  }

  /** Takes a mixture of any colors around for the explanation of a pixel where it is a good one: what none explains is of a color that has no area. */
  private unmixFarther(pixel: number, tag: number): void {
    const { unmixer, candidates } = this;
    const { label, error, other } = unmixer;
    unmixer.unmix(pixel, candidates, this.lookAround(pixel, tag, MOST_CANDIDATES));
    if (unmixer.error <= EXPLAINED_SQ) return;
    unmixer.label = label;
    unmixer.error = error;
    unmixer.other = other;
  }

  /** Lists the colors of the seeds nearest to a pixel, until there are so many; returns how many. Every search has its own tag. */
  private lookAround(pixel: number, tag: number, enough: number): number {
    const { width, height } = this;
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    let found = 0;
    for (let reach = 1; reach <= FARTHEST && found < enough; reach++) {
      const left = x > reach ? x - reach : 0;
      const right = x + reach < width ? x + reach : width - 1;
      const top = y > reach ? y - reach : 0;
      const bottom = y + reach < height ? y + reach : height - 1;
      // Around what has been looked at before.
      if (y >= reach) found = this.meet(top * width + left, top * width + right, 1, found, tag);
      if (y + reach < height) found = this.meet(bottom * width + left, bottom * width + right, 1, found, tag);
      if (x >= reach) found = this.meet(top * width + left, bottom * width + left, width, found, tag);
      if (x + reach < width) found = this.meet(top * width + right, bottom * width + right, width, found, tag);
    }
    return found;
  }

  /** Adds the colors of pixels `from` to `to` to the `found` ones that the search has met; returns how many there are then. */
  private meet(from: number, to: number, step: number, found: number, tag: number): number {
    const { labels, seen, candidates } = this;
    for (let j = from; j <= to; j += step) {
      const label = labels[j];
      if (label < 0 || seen[label] === tag) continue;
      seen[label] = tag;
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
