import { otsuThreshold } from '../intake/color-mode.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { segmentPhoto } from '../photo/segment-photo.js';
import { clusterColors, nearestColors } from '../quantize/cluster-colors.js';
import { chooseNoisyPalette } from '../quantize/noisy-palette.js';
import { choosePalette } from '../quantize/palette.js';
import type { EngineSettings } from '../types.js';
import { labelFlat } from './label-flat.js';
import { labelNoisy } from './label-noisy.js';
import type { FoundColors } from './measured-colors.js';
import { rescueThinColors } from './rescue-thin-colors.js';

/** A label for every pixel and a color (four premultiplied channels) for every label. */
export interface Labeling {
  readonly labels: Int32Array;
  readonly channels: Float64Array;
  /** Whether areas are even, so that a pixel on an edge is a mixture of the colors that meet in it. */
  readonly even: boolean;
  /** What was found, where the labels above were brought down to the colors asked for. */
  readonly found?: FoundColors;
}

/** Interior pixels a color must have to be in the palette of flat art. */
const LEAST_COLOR_COUNT = 2;

/** Flat art: the palette of flat interiors, anti-aliased pixels un-mixed; undefined where there is no flat interior at all. */
export function labelFlatArt(pixels: WorkingPixels, settings: EngineSettings): Labeling | undefined {
  const merged = choosePalette(pixels, settings.mergeDistance, LEAST_COLOR_COUNT);
  if (merged.size === 0) return undefined;
  // Colors that are nearly the same are merged, unless more are asked for than are left.
  const palette =
    merged.size < settings.colorCount && settings.mergeDistance > 0
      ? choosePalette(pixels, 0, LEAST_COLOR_COUNT)
      : merged;
  const flat = labelFlat(pixels, palette);
  const channels = rescueThinColors(pixels, palette.channels, flat, CLEAN_RESCUE);
  return restrictColors(flat.labels, channels, undefined, true, settings);
}

/** When a pixel is taken for one of a color that no flat area has: far out, and farther where there is noise. */
const CLEAN_RESCUE = { unexplained: 24, leastPixels: 4 };
const NOISY_RESCUE = { unexplained: 60, leastPixels: 10 };

/** Share of pixels that must be plainly of a color, for noisy pictures to be flat art. */
const LEAST_SEEDS = 0.75;

/** Flat art that lossy compression has been at; undefined where it is something else after all. */
export function labelDamagedArt(pixels: WorkingPixels, settings: EngineSettings): Labeling | undefined {
  if (!pixels.opaque) return undefined;
  const palette = chooseNoisyPalette(pixels);
  if (palette.size === 0) return undefined;
  const noisy = labelNoisy(pixels, palette);
  if (noisy.seeds < LEAST_SEEDS) return undefined;
  const channels = rescueThinColors(pixels, palette.channels, noisy, NOISY_RESCUE);
  return restrictColors(noisy.labels, channels, undefined, true, settings);
}

/** Black and white pictures are even where so many pixels are this near to ink or paper. */
const PLAIN_LEVELS = 12;
const LEAST_PLAIN = 0.8;

/** Photographs and whatever has no flat areas: regions of like color. */
export function labelPhoto(pixels: WorkingPixels, settings: EngineSettings, lambda: number): Labeling {
  const { width, height } = pixels;
  const bytes = pixels.straight instanceof Uint8Array ? pixels.straight : new Uint8Array(pixels.straight);
  const regions = segmentPhoto(bytes, width, height, { lambda, minAreaPx: settings.minAreaPx });
  return restrictColors(regions.labels, regions.colors, regions.areaPx, false, settings);
}

/** Two colors, ink and paper, parted at the level that parts them best. `gray` are gray and opaque. */
export function labelBlackAndWhite(gray: WorkingPixels): Labeling {
  const threshold = otsuThreshold(gray);
  const { rgba } = gray;
  const labels = new Int32Array(rgba.length / 4);
  const sums = new Float64Array(2);
  const counts = new Float64Array(2);
  for (let i = 0; i < labels.length; i++) {
    const level = rgba[i * 4];
    // A picture of one level is paper if it is light.
    const paper = threshold < 0 ? (level >= 128 ? 1 : 0) : level > threshold ? 1 : 0;
    labels[i] = paper;
    sums[paper] += level;
    counts[paper]++;
  }
  const ink = counts[0] > 0 ? sums[0] / counts[0] : 0;
  const paper = counts[1] > 0 ? sums[1] / counts[1] : 255;
  let plain = 0;
  for (let i = 0; i < labels.length; i++) {
    if (Math.abs(rgba[i * 4] - (labels[i] === 1 ? paper : ink)) <= PLAIN_LEVELS) plain++;
  }
  const even = plain >= LEAST_PLAIN * labels.length;
  return { labels, channels: Float64Array.from([ink, ink, ink, 255, paper, paper, paper, 255]), even };
}

/**
 * Brings the labels' colors down to those that were asked for: a fixed palette, or so many. `weights` are the pixels of each
 * label, counted here where they are not known.
 */
export function restrictColors(
  labels: Int32Array,
  channels: Float64Array,
  weights: ArrayLike<number> | undefined,
  even: boolean,
  settings: EngineSettings,
): Labeling {
  const { fixedPalette, colorCount } = settings;
  const found: FoundColors = { labels, channels };
  if (fixedPalette.length > 0) {
    const fixed = new Float64Array((fixedPalette.length + 1) * 4);
    for (let k = 0; k < fixedPalette.length; k++) {
      fixed[k * 4] = (fixedPalette[k] >> 16) & 255;
      fixed[k * 4 + 1] = (fixedPalette[k] >> 8) & 255;
      fixed[k * 4 + 2] = fixedPalette[k] & 255;
      fixed[k * 4 + 3] = 255;
    }
    return { labels: relabel(labels, toFixed(channels, fixed)), channels: fixed, even, found };
  }
  if (colorCount > 0 && channels.length / 4 > colorCount) {
    const clusters = clusterOpaque(channels, weights ?? countLabels(labels, channels.length / 4), colorCount);
    return { labels: relabel(labels, clusters.of), channels: clusters.channels, even, found };
  }
  return { labels, channels, even };
}

/**
 * The fixed color for each color: the nearest, opacity aside. The last one is nothing at all: what is seen through more than
 * half becomes that, and nothing else does, however far it is from the colors given.
 */
function toFixed(channels: Float64Array, fixed: Float64Array): Int32Array {
  const straight = Float64Array.from(channels);
  for (let k = 0; k < straight.length; k += 4) {
    const scale = 255 / Math.max(1, channels[k + 3]);
    for (let c = 0; c < 4; c++) straight[k + c] = channels[k + c] * scale;
  }
  const nothing = fixed.length / 4 - 1;
  const to = nearestColors(straight, fixed.subarray(0, nothing * 4));
  for (let k = 0; k < to.length; k++) if (channels[k * 4 + 3] < 127.5) to[k] = nothing;
  return to;
}

/** Clusters, not counting full transparency as a color. */
function clusterOpaque(channels: Float64Array, weights: ArrayLike<number>, count: number) {
  let clear = 0;
  for (let k = 3; k < channels.length; k += 4) if (channels[k] < 0.5) clear = 1;
  return clusterColors(channels, weights, count + clear);
}

function countLabels(labels: Int32Array, count: number): Float64Array {
  const counts = new Float64Array(count);
  for (let i = 0; i < labels.length; i++) counts[labels[i]]++;
  return counts;
}

function relabel(labels: Int32Array, to: Int32Array): Int32Array {
  return labels.map((label) => to[label]);
}
