import type { WorkingPixels } from '../intake/working-pixels.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import { type Mixtures, NoisyLabeler, type NoisyLabels } from './label-noisy.js';

/** A pixel is unexplained that is so many levels, or so many times the noise, from all mixtures of colors near it. */
const UNEXPLAINED = 32;
const UNEXPLAINED_NOISES = 4;
/** What is so near to a color may be of it, levels squared. */
const LIKE_SQ = 40 * 40;
/** And what is so near is, by which it is measured. */
const SAME_SQ = 24 * 24;
/** Pixels that a color must explain, one of them with so many of its eight neighbors. */
const LEAST_PIXELS = 6;
const LEAST_AROUND = 6;
/** Colors that are so near to one there is are none. */
const LEAST_APART_SQ = 45 * 45;
const MOST_ADDED = 12;
/** Pixels whose color is tried, at most. */
const MOST_TRIED = 160;

/**
 * Labels by a palette and the colors of parts that compression has left no even area of: lips and limbs in pictures of icon size. Time and again that color is added that takes
 * most from what mixtures of those at hand leave unexplained (squared), as long as a patch of pixels has it. Work is the picture's area times the colors added: for small pictures.
 */
export function labelExplained(pixels: WorkingPixels, palette: NoisyPalette): ExplainedLabels {
  const labeler = new NoisyLabeler(pixels, palette);
  for (let added = 0; added < MOST_ADDED; added++) {
    const color = mostExplaining(pixels, labeler.palette, labeler.mixtures);
    if (color === undefined) break;
    labeler.add(color);
  }
  return { palette: labeler.palette, noisy: labeler.labeled() };
}

/** A palette with the colors that were added to it, and the labels by all of them. */
export interface ExplainedLabels {
  readonly palette: NoisyPalette;
  readonly noisy: NoisyLabels;
}

/** The color that explains most of what a palette does not; undefined where none explains enough. */
function mostExplaining(
  pixels: WorkingPixels,
  palette: NoisyPalette,
  { mixed, errors }: Mixtures,
): Float64Array | undefined {
  const { rgba, width, height } = pixels;
  const least = Math.max(UNEXPLAINED, UNEXPLAINED_NOISES * palette.noise) ** 2;
  const open: number[] = [];
  const left: number[] = [];
  const isOpen = new Uint8Array(width * height);
  for (let k = 0; k < mixed.length; k++) {
    if (errors[k] <= least) continue;
    open.push(mixed[k]);
    left.push(errors[k]);
    isOpen[mixed[k]] = 1;
  }
  const isPatch = (pixel: number) => {
    const x = pixel % width;
    let around = 0;
    for (let v = -1; v <= 1; v++) {
      const row = pixel + v * width;
      if (row < 0 || row >= width * height) continue;
      for (let u = -1; u <= 1; u++) {
        const at = row + u;
        if (
          (u !== 0 || v !== 0) &&
          x + u >= 0 &&
          x + u < width &&
          isOpen[at] === 1 &&
          distanceSq(rgba, at, rgba, pixel) < LIKE_SQ
        )
          around++;
      }
    }
    return around >= LEAST_AROUND;
  };
  const patches = open.filter(isPatch);
  const step = Math.max(1, Math.ceil(patches.length / MOST_TRIED));
  let best: Float64Array | undefined;
  let most = 0;
  for (let n = 0; n < patches.length; n += step) {
    const pixel = patches[n];
    let gain = 0;
    let count = 0;
    for (let k = 0; k < open.length; k++) {
      const off = distanceSq(rgba, open[k], rgba, pixel);
      if (off >= LIKE_SQ || off >= left[k]) continue;
      gain += left[k] - off;
      count++;
    }
    if (gain <= most || count < LEAST_PIXELS) continue;
    const color = meanLike(rgba, open, pixel);
    if (isKnown(palette, color)) continue;
    most = gain;
    best = color;
  }
  return best;
}

function meanLike(rgba: Uint8Array, open: readonly number[], pixel: number): Float64Array {
  const mean = new Float64Array(4);
  let count = 0;
  for (const other of open) {
    if (distanceSq(rgba, other, rgba, pixel) > SAME_SQ) continue;
    count++;
    for (let c = 0; c < 4; c++) mean[c] += rgba[other * 4 + c];
  }
  return mean.map((sum) => sum / count);
}

function isKnown({ channels }: NoisyPalette, color: Float64Array): boolean {
  for (let k = 0; k < channels.length / 4; k++) if (distanceSq(channels, k, color, 0) < LEAST_APART_SQ) return true;
  return false;
}

/** Between colors of four channels each, by their numbers. */
function distanceSq(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  let sum = 0;
  for (let c = 0; c < 3; c++) sum += (a[4 * i + c] - b[4 * k + c]) ** 2;
  return sum;
}
