import type { EnginePicture } from '../types.js';
import { averageCells } from './average-cells.js';
import type { Blur } from './blur-width.js';
import { isPhotograph } from './choose-frontend.js';
import { deconvolve } from './deconvolve.js';
import { measureFlatness } from './flatness.js';
import { measureGrainLevel } from './grain-level.js';
import { withoutGrain } from './without-grain.js';
import { toWorkingPixels } from './working-pixels.js';

/**
 * From this blur on a picture is reduced, px, and from this where grain lies over it: below, small shapes would be lost with the pixels. Of 40 drawings of 512 px with a blur of .78 px and no grain half
 * come nearer to what was drawn as they are.
 */
const LEAST_BLUR_PX = 0.95;
const LEAST_GRAINY_PX = 0.74;
/** What is left of the blur, px of the small picture, at most; and pixels along either side of one of its, at most: what is softer is meant to be. */
const MOST_LEFT_PX = 0.75;
const MOST_FACTOR = 6;
/** The small picture has so many pixels along either side at least: icons of fewer are all small shapes. */
const LEAST_SIDE = 72;
/** By how much more of the blur is taken out than is left, so that corners are as sharp again: what would go beyond even areas is cut off. */
const TAKEN_TIMES = 1.5;
/** What each pixel gives to every neighbor, at most, to be taken out at once, and in each of two turns: what is finer than a pixel becomes five and seven times as strong. */
const MOST_AT_ONCE = 0.2;
const MOST_IN_TURN = 0.155;
/** Pixels that differ by no more from those around them are part of a smooth change. */
const SMOOTH_LEVELS = 8;
/** Share of pixels equal to their neighbors, at least, once grain has been taken off: photographs have fewer. */
const LEAST_EXACT = 0.2;

/** A picture that was blurred all over, with fewer pixels, as sharp as others. */
export interface ReducedPicture {
  readonly picture: EnginePicture;
  /** Pixels of the blurred one along either side of one of its own; the last ones may reach beyond it. */
  readonly factor: number;
  /** Grain that was taken off before, levels (standard deviation). */
  readonly grain: number;
}

/**
 * The picture with so few pixels that hardly anything is left of its blur, by the mean of whole squares of pixels, and without what is left. Ripples and grain are averaged as well, and
 * edges lie where they did. Undefined where too little is blurred, or too much: glows are meant; and for photographs, whose smaller ones may pass for drawings.
 */
export function reduceBlurred(given: EnginePicture, { px }: Blur): ReducedPicture | undefined {
  const side = Math.min(given.width, given.height);
  const factor = Math.max(2, Math.ceil(px / MOST_LEFT_PX));
  if (px < LEAST_GRAINY_PX || factor > MOST_FACTOR || side < LEAST_SIDE * factor) return undefined;
  const pixels = toWorkingPixels(given);
  const grain = measureGrainLevel(pixels);
  if (px < LEAST_BLUR_PX && grain === 0) return undefined;
  const picture = grain === 0 ? given : withoutGrain(pixels, grain);
  if (grain === 0 ? isPhotograph(pixels, undefined) : measureFlatness(toWorkingPixels(picture)).exact < LEAST_EXACT)
    return undefined;
  // Half of the variance is what every pixel has of each of its neighbors.
  const share = (TAKEN_TIMES * (px / factor) ** 2) / 2;
  const sharpened = (soft: EnginePicture, taken: number) => deconvolve(toWorkingPixels(soft), taken, SMOOTH_LEVELS);
  const cells = averageCells(picture, factor);
  const taken = Math.min(MOST_IN_TURN, share / 2);
  const small = share <= MOST_AT_ONCE ? sharpened(cells, share) : sharpened(sharpened(cells, taken), taken);
  return { picture: small, factor, grain };
}
