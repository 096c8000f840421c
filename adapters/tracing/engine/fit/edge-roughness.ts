import { arena } from '../math/arena.js';
import { medianOf } from '../math/median.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { contrastSqOf } from './contour-pixels.js';
import type { EdgeSamples } from './samples.js';

/** Samples in a row that are looked at together, and by how much their fourth difference is the more uncertain than one of them: the root of 1 + 16 + 36 + 16 + 1. */
const IN_ROW = 5;
const TIMES_AS_UNCERTAIN = Math.sqrt(70);
/** The median of what is off either way, in standard deviations. */
const MEDIAN_SIGMA = 0.6745;
/** What is off by less than this share of a step is the step. */
const ONE_STEP = 1e-9;
/** An edge goes aside by so much at least over the row, px: what runs along the pixels has the same error in all of them. */
const LEAST_ASIDE_PX = 0.3;
/** And bends by no more than this from pixel to pixel, px: the fourth difference of a circle is about four times the third power of that. */
const MOST_BEND_PX = 0.15;
/** Edges of less contrast (squared levels over four channels) are told by few levels: of grays, rounding two pixels alone makes .005 px of 81. */
const LEAST_CONTRAST_SQ = 140 * 140;
/** Rows there must be to tell: of 600 exact pictures of 72 to 128 px those with as many have samples off by up to .009 px, but for one; with fewer by up to .1. */
const LEAST_ROWS = 80;
/**
 * Standard deviation of samples, px, up to which edges are exact, and from which they are as rough as any. Of 182 pictures that were averaged
 * from eight times their size all but two had less than the first; as drawn by browsers mostly more than the second.
 */
const EXACT_PX = 0.006;
const ROUGH_PX = 0.01;

/** How far edges are from where anti-aliasing by exact areas would have them. */
export interface Roughness {
  /** From 0, where they are there, to 1, where they are as rough as any. */
  readonly share: number;
  /** The standard deviation of samples, px; 0 where it is not to be told. */
  readonly px: number;
}

export const EXACT: Roughness = { share: 0, px: 0 };

/**
 * How far edges are from where anti-aliasing by exact areas would have them. Renderers round what they draw
 * to a quarter or a sixteenth of a pixel, in one direction or both, and filters that sharpen bend edges: a curve that follows each of that takes more
 * numbers, and is no nearer to what was drawn. Told by the samples of edges that are smooth over five pixels: their fourth
 * differences are nothing there but error.
 */
export function measureRoughness(
  { left, right }: Pick<PlanarMap, 'left' | 'right'>,
  { starts, x, y, weight }: EdgeSamples,
  regions: Regions,
): Roughness {
  const errors = arena.rawFloat64(x.length);
  let count = 0;
  for (let c = 0; c + 1 < starts.length; c++) {
    if (left[c] < 0 || right[c] < 0 || contrastSqOf(regions, left[c], right[c]) < LEAST_CONTRAST_SQ) continue;
    // Samples up to this one follow each other a pixel apart along x, or along y, and are sure.
    let alongX = 0;
    let alongY = 0;
    for (let i = starts[c] + 1; i < starts[c + 1]; i++) {
      const sure = weight[i] === 1 && weight[i - 1] === 1;
      alongX = sure ? follow(x, i, alongX) : 0;
      alongY = sure ? follow(y, i, alongY) : 0;
      const aside = alongX >= IN_ROW - 1 ? y : alongY >= IN_ROW - 1 ? x : undefined;
      if (aside === undefined || Math.abs(aside[i] - aside[i - 4]) < LEAST_ASIDE_PX) continue;
      if (Math.abs(aside[i] - 2 * aside[i - 2] + aside[i - 4]) > 4 * MOST_BEND_PX) continue;
      errors[count++] = Math.abs(aside[i] - 4 * aside[i - 1] + 6 * aside[i - 2] - 4 * aside[i - 3] + aside[i - 4]);
    }
  }
  if (count < LEAST_ROWS) return EXACT;
  const sigma = medianOf(errors.subarray(0, count)) / (TIMES_AS_UNCERTAIN * MEDIAN_SIGMA);
  return { share: Math.max(0, Math.min(1, (sigma - EXACT_PX) / (ROUGH_PX - EXACT_PX))), px: sigma };
}

/** Steps of a pixel the same way that end with this sample, where so many ended with the one before. */
function follow(places: Float64Array, i: number, before: number): number {
  const step = places[i] - places[i - 1];
  if (Math.abs(Math.abs(step) - 1) > ONE_STEP) return 0;
  return before > 0 && Math.abs(places[i - 1] - places[i - 2] - step) > ONE_STEP ? 1 : before + 1;
}
