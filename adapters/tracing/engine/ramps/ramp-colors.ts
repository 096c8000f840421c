import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Palette } from '../quantize/palette.js';
import type { Ramps } from './find-ramps.js';
import { CLEAN } from './limits.js';
import { RampReader } from './ramp-reader.js';

/** About so many pixels of a color are compared with the ramps. */
const SAMPLES = 200;
/**
 * Pixels of a color that is a ramp's are this near to it, squared levels over four channels (rounding and dithering), and no farther from it than from
 * the color itself: what is even is an area of its own, though a ramp ends in its color.
 */
const OWN_SQ = 3;
/** A mixture of a ramp and a color beside it explains pixels to so much, and so large a share of those of a color that is none. */
const MIXED_SQ = 12;
const MIXED_SHARE = 0.8;
/** How far around a pixel the ramp and the color are looked for, px. */
const REACH = 2;

/** Which of a palette's colors are none: they are what a picture's ramps are somewhere, or are mixed to along their edges. */
export interface RampColors {
  /** Per color the ramp that its pixels are of, -1 for none. */
  readonly shared: Int32Array;
  /** Colors (1) that are mixtures. */
  readonly mixed: Uint8Array;
}

/**
 * Finds colors of a clean picture's palette that its ramps explain. A gentle gradient has squares of one color, a dithered one many; and where edges are round, or lie
 * alike at several places, mixtures with a gradient come up again and again.
 */
export function findRampColors(pixels: WorkingPixels, { of, found }: Ramps, palette: Palette): RampColors {
  const { words, rgba, width } = pixels;
  const { size, channels, table, entryOf, narrow } = palette;
  const readers = found.map(({ ramp }) => new RampReader(ramp, pixels, CLEAN.near));
  const labels = new Int32Array(of.length).fill(-1);
  const counts = new Int32Array(size);
  for (let i = 0; i < of.length; i++) {
    if (of[i] >= 0) continue;
    const entry = table.find(words[i]);
    labels[i] = entry < 0 ? -1 : entryOf[entry];
    if (labels[i] >= 0) counts[labels[i]]++;
  }
  const isNarrow = new Uint8Array(size);
  for (const k of narrow) isNarrow[k] = 1;
  const mixture = new Mixture(pixels, of, labels, isNarrow, channels, readers);
  const seen = new Int32Array(size);
  const compared = new Int32Array(size);
  const explained = new Int32Array(size);
  const own = new Float64Array(size);
  const sums = new Float64Array(size * found.length);
  for (let i = 0; i < labels.length; i++) {
    const k = labels[i];
    if (k < 0 || seen[k]++ % Math.ceil(counts[k] / SAMPLES) !== 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    compared[k]++;
    for (let c = 0; c < 4; c++) own[k] += (rgba[i * 4 + c] - channels[k * 4 + c]) ** 2;
    for (let r = 0; r < readers.length; r++) sums[k * readers.length + r] += readers[r].distanceSq(x, y);
    if (isNarrow[k] === 1 && mixture.explains(x, y)) explained[k]++;
  }
  const shared = new Int32Array(size).fill(-1);
  const mixed = new Uint8Array(size);
  for (let k = 0; k < size; k++) {
    if (compared[k] === 0) continue;
    let least = Math.min(OWN_SQ * compared[k], own[k]);
    for (let r = 0; r < readers.length; r++) {
      if (sums[k * readers.length + r] >= least) continue;
      least = sums[k * readers.length + r];
      shared[k] = r;
    }
    if (shared[k] < 0 && explained[k] >= MIXED_SHARE * compared[k] && isNarrow[k] === 1) mixed[k] = 1;
  }
  return { shared, mixed };
}

/** Tells whether pixels are mixtures of a ramp and a color that both lie beside them. */
class Mixture {
  private readonly pixels: WorkingPixels;
  private readonly of: Int32Array;
  private readonly labels: Int32Array;
  private readonly isNarrow: Uint8Array;
  private readonly channels: Float64Array;
  private readonly readers: readonly RampReader[];
  private readonly color = new Float64Array(4);
  /** Colors and ramps around a pixel, each once. */
  private readonly colors: number[] = [];
  private readonly ramps: number[] = [];

  constructor(
    pixels: WorkingPixels,
    of: Int32Array,
    labels: Int32Array,
    isNarrow: Uint8Array,
    channels: Float64Array,
    readers: readonly RampReader[],
  ) {
    this.pixels = pixels;
    this.of = of;
    this.labels = labels;
    this.isNarrow = isNarrow;
    this.channels = channels;
    this.readers = readers;
  }

  explains(x: number, y: number): boolean {
    const { of, labels, isNarrow, readers, color, colors, ramps } = this;
    const { width, height } = this.pixels;
    ramps.length = colors.length = 0;
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        const j = v * width + u;
        const [ramp, label] = [of[j], labels[j]];
        if (ramp >= 0 && !ramps.includes(ramp)) ramps.push(ramp);
        else if (label >= 0 && isNarrow[label] === 0 && !colors.includes(label)) colors.push(label);
      }
    }
    for (const ramp of ramps) {
      readers[ramp].read(x, y, color, 0);
      for (const k of colors) if (this.distanceSq(y * width + x, k) <= MIXED_SQ) return true;
    }
    return false;
  }

  /** Squared distance of a pixel from the nearest mixture of the ramp's color there and one of the palette. */
  private distanceSq(i: number, k: number): number {
    const { color, channels } = this;
    const { rgba } = this.pixels;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const d = color[c] - channels[k * 4 + c];
      dot += (rgba[i * 4 + c] - channels[k * 4 + c]) * d;
      lengthSq += d * d;
    }
    const share = lengthSq > 0 ? Math.max(0, Math.min(1, dot / lengthSq)) : 0;
    let sum = 0;
    for (let c = 0; c < 4; c++) sum += (rgba[i * 4 + c] - share * color[c] - (1 - share) * channels[k * 4 + c]) ** 2;
    return sum;
  }
}
