import { SMALL_PIXELS } from '../intake/choose-frontend.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { chooseNoisyPalette, type NoisyPalette } from '../quantize/noisy-palette.js';
import type { EngineSettings } from '../types.js';
import { labelExplained } from './explaining-colors.js';
import { limitsOfGrain, measureGrain, uncutColors } from './grain.js';
import type { FlatLabels } from './label-flat.js';
import { labelNoisy, type NoisyLabels } from './label-noisy.js';
import { type Labeling, labelFlatArt, restrictColors } from './labeling.js';
import { partTwins } from './part-twins.js';
import { rescueThinColors } from './rescue-thin-colors.js';
import { keepThinLines } from './thin-lines.js';

/** When a pixel is taken for one of a color that no even area has: farther out than in clean art. */
const NOISY_RESCUE = { unexplained: 60, leastPixels: 10, same: 40, mostShare: 0.25, unexplainedAlone: 36 };
/** So near to the border nothing is taken for a line: shapes that touch it show as little. */
const BORDER_PX = 2;
/** Share of pixels that must be plainly of a color, for noisy pictures to be flat art; and the most noise there is in it, levels. */
const LEAST_SEEDS = 0.7;
const MOST_NOISE = 12;
/**
 * Small pictures may be nearly all lettering, of few colors: fewer may be plainly of one then, where no more than this share is so many levels from every
 * mixture, and colors are as even as this. Of 182 photographs as JPEGs none that has fewer seeds than others need is such.
 */
const DENSE = { colors: 6, seeds: 0.4, unexplained: 0.2, unexplainedLevels: 32, noise: 6 };
/** What of grain counts as noise, of what compression leaves: it moves edges no farther than areas, which ripples along them do. */
const GRAIN_SHARE = 0.6;

/** Up to so large, up to 256 x 256 px and a margin, pictures have colors that compression left no even area of; larger ones have few, and would take long. */
const THIN_PARTS_PIXELS = 258 * 258;

/**
 * Flat art that lossy compression has been at, with `leastColors` of even areas (one, where the rest is lines), and a palette that `mayBe` it. Undefined where it
 * is something else after all.
 */
export function labelDamagedArt(
  pixels: WorkingPixels,
  settings: EngineSettings,
  leastColors: number,
  mayBe: (palette: NoisyPalette) => boolean = () => true,
): Labeling | undefined {
  if (!pixels.opaque) return undefined;
  const even = chooseNoisyPalette(pixels);
  if (!mayBe(even) || !isUneven(even, leastColors)) return undefined;
  const { palette, noisy } =
    pixels.words.length <= THIN_PARTS_PIXELS
      ? labelExplained(pixels, even)
      : { palette: even, noisy: labelNoisy(pixels, even) };
  if (noisy.seeds < LEAST_SEEDS && !isDense(pixels, even, noisy)) return undefined;
  const labeling = withThinColors(pixels, noisy, palette, settings);
  return labeling && { ...labeling, noise: palette.noise };
}

/** By how much longer edges may be with labels for clean art than with those for noise, where they follow no ripples. */
const MOST_LONGER = 1.03;

/**
 * Flat art that compression has rippled: with labels for noise, or in small pictures with those for clean art, which know fine lines and gaps better, unless
 * they follow the ripples, which makes edges longer. Undefined where it is something else after all.
 */
export function labelRippledArt(
  pixels: WorkingPixels,
  settings: EngineSettings,
  hasRamps: boolean,
): Labeling | undefined {
  const noisy = labelDamagedArt(pixels, settings, 1);
  if (noisy === undefined || pixels.words.length > SMALL_PIXELS) return noisy;
  const clean = labelFlatArt(pixels, settings, hasRamps);
  if (clean === undefined) return noisy;
  const mostEdges = MOST_LONGER * countEdges(noisy.labels, pixels.width);
  return countEdges(clean.labels, pixels.width) <= mostEdges ? clean : noisy;
}

/** Sides of pixels that part two labels. */
function countEdges(labels: Int32Array, width: number): number {
  let edges = 0;
  for (let i = 0, x = 1; i < labels.length; i++, x++) {
    if (x === width) x = 0;
    else if (labels[i] !== labels[i + 1]) edges++;
    if (i + width < labels.length && labels[i] !== labels[i + width]) edges++;
  }
  return edges;
}

/** Whether what is no seed in a small picture are the edges of lettering. */
function isDense(pixels: WorkingPixels, even: NoisyPalette, { seeds, errors }: NoisyLabels): boolean {
  const all = pixels.words.length;
  if (all > SMALL_PIXELS || even.size > DENSE.colors || even.noise > DENSE.noise || seeds < DENSE.seeds) return false;
  let unexplained = 0;
  for (const error of errors) if (error > DENSE.unexplainedLevels ** 2) unexplained++;
  return unexplained <= DENSE.unexplained * all;
}

/** Flat art in which all that is uneven is grain; undefined where it is something else. */
export function labelGrainyArt(pixels: WorkingPixels, settings: EngineSettings): Labeling | undefined {
  if (!pixels.opaque) return undefined;
  const grain = measureGrain(pixels);
  if (grain === undefined || grain.levels > MOST_NOISE || !grain.mayExplain(chooseNoisyPalette(pixels)))
    return undefined;
  const palette = chooseNoisyPalette(pixels, limitsOfGrain(grain.levels));
  const noisy = grain.explains(palette) && isUneven(palette, 2) ? labelNoisy(pixels, palette) : undefined;
  if (noisy === undefined || noisy.seeds < LEAST_SEEDS) return undefined;
  const channels = uncutColors(pixels.rgba, noisy.labels, palette.channels);
  const labeling = withThinColors(pixels, noisy, { channels }, settings);
  return labeling && { ...labeling, noise: palette.noise * GRAIN_SHARE, grain: grain.levels };
}

/** Whether a palette may be that of flat art with noise, and has so many colors at least. */
const isUneven = ({ size, parts, noise }: NoisyPalette, leastColors: number): boolean =>
  (size >= leastColors || (size > 0 && parts !== undefined)) && noise <= MOST_NOISE;

/** Undefined where there is but one color after all. */
function withThinColors(
  pixels: WorkingPixels,
  noisy: FlatLabels,
  { channels: colors, parts }: Pick<NoisyPalette, 'channels' | 'parts'>,
  settings: EngineSettings,
): Labeling | undefined {
  const flat = { ...noisy, others: new Int32Array(noisy.mixed.length).fill(-1) };
  const { channels } = rescueThinColors(pixels, colors, flat, NOISY_RESCUE);
  keepThinLines(pixels, flat, channels, NOISY_RESCUE.unexplained, BORDER_PX);
  if (channels.length <= 4 && parts === undefined) return undefined;
  // Lines are found between areas of one color; those that part two that are hardly apart are none of them then.
  const parted = parts === undefined ? channels : partTwins(pixels, noisy.labels, channels, parts);
  return restrictColors(noisy.labels, parted, undefined, true, settings);
}
