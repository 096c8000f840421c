import { signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { SEED_NEIGHBORS, SEEDS_FARTHEST_PX } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { rowsAtOnce } from '../kernels/rows-at-once.js';
import { arena } from '../math/arena.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { withColor } from './with-color.js';

/** A pixel this near to a color (levels), or this many times the noise, may be a seed of it. */
const SEED_LEVELS = 20;
const SEED_NOISES = 4;

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
  /** Per pixel the color nearest to it, -1 where none is near. */
  private readonly nearest: Int32Array;
  /** Per pixel that is no seed the color it gets, and how far it is from what explains it, squared. */
  private readonly chosen: Int32Array;
  private readonly errors: Float64Array;
  /** Room for those that are to be explained. */
  private readonly due: Int32Array;
  /** Those that have no color around them. */
  private lost: number[] = [];
  private found: Mixtures | undefined;

  constructor({ width, height, rgba, words }: WorkingPixels, palette: NoisyPalette) {
    this.palette = palette;
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.words = words;
    this.limit = Math.max(SEED_LEVELS, SEED_NOISES * palette.noise) ** 2 * 3;
    this.labels = arena.rawInt32(width * height);
    this.nearest = arena.rawInt32(width * height);
    this.chosen = arena.rawInt32(width * height);
    this.errors = arena.rawFloat64(width * height);
    this.due = arena.rawInt32(width * height);
    this.findSeeds();
    const { due } = this;
    let count = 0;
    for (let i = 0; i < words.length; i++) if (this.labels[i] < 0) due[count++] = i;
    this.seeds = words.length - count;
    this.explain(due.subarray(0, count));
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
    const { rgba, labels, limit, nearest, due } = this;
    const { size: added, channels: before } = this.palette;
    const [size, channels] = [added + 1, withColor(before, color)];
    this.palette = { ...this.palette, size, channels };
    const unmixer = new Unmixer(rgba, channels);
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
    let count = 0;
    for (let i = 0; i < labels.length; i++) if (isDue[i] === 1 && labels[i] < 0) due[count++] = i;
    this.explain(due.subarray(0, count));
  }

  /** Finds the nearest colors of all pixels, and which of them are seeds. The kernel does (`noisy-labels.as.ts`), a part of the picture after the other. */
  private findSeeds(): void {
    const { width, height, words, limit, nearest, labels } = this;
    const { channels, size } = this.palette;
    const halfways = halfwaysSq(channels, size);
    const rows = rowsAtOnce(width);
    for (let top = 0; top < height; top += rows) {
      const bottom = Math.min(height, top + rows);
      // With a row on either side: what is beyond a part agrees with it.
      const from = Math.max(0, top - 1) * width;
      const to = Math.min(height, bottom + 1) * width;
      const px = to - from;
      const scratch = kernelMemory.scratch(5 * size + 2 * px);
      scratch.set(channels.subarray(0, 4 * size));
      scratch.set(halfways, 4 * size);
      const ints = new Int32Array(scratch.buffer, scratch.byteOffset + 8 * 5 * size, 4 * px);
      ints.set(signedWords(words.subarray(from, to)));
      kernelMemory.kernel.findSeeds(width, px / width, size, limit);
      const own = top * width - from;
      const end = bottom * width - from;
      nearest.set(ints.subarray(px + own, px + end), top * width);
      labels.set(ints.subarray(3 * px + own, 3 * px + end), top * width);
    }
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
        const from = Math.max(0, x - SEEDS_FARTHEST_PX);
        const to = Math.min(width, x + SEEDS_FARTHEST_PX + 1);
        for (let v = Math.max(0, y - SEEDS_FARTHEST_PX); v <= Math.min(height - 1, y + SEEDS_FARTHEST_PX); v++)
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

  /** Explains pixels that are no seeds (ascending) as mixtures of the seeds around them; the kernel does, as above. */
  private explain(pixels: Int32Array): void {
    const { width, height, words, labels, chosen, errors, lost } = this;
    const { channels, size } = this.palette;
    const rows = rowsAtOnce(width);
    for (let first = 0, behind = 0, top = 0; first < pixels.length; first = behind, top += rows) {
      while (behind < pixels.length && pixels[behind] < (top + rows) * width) behind++;
      const count = behind - first;
      if (count === 0) continue;
      const from = Math.max(0, top - SEEDS_FARTHEST_PX) * width;
      const to = Math.min(height, top + rows + SEEDS_FARTHEST_PX) * width;
      const ints = to - from + 3 * count;
      const scratch = kernelMemory.scratch(4 * size + count + Math.ceil((ints + 2 * size) / 2));
      scratch.set(channels.subarray(0, 4 * size));
      const list = new Int32Array(scratch.buffer, scratch.byteOffset + 8 * (4 * size + count), ints);
      list.set(labels.subarray(from, to));
      for (let k = 0, at = to - from; k < count; k++, at++) {
        list[at] = pixels[first + k] - from;
        list[at + count] = words[pixels[first + k]];
      }
      kernelMemory.kernel.explainNoisy(width, (to - from) / width, size, count);
      for (let k = 0, at = to - from + 2 * count; k < count; k++, at++) {
        const i = pixels[first + k];
        const isLost = list[at] < 0;
        if (isLost) lost.push(i);
        chosen[i] = isLost ? -1 - list[at] : list[at];
        errors[i] = scratch[4 * size + k];
      }
    }
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
