import { ICON_PIXELS, SMALL_PIXELS } from '../intake/choose-frontend.js';
import { isRippled } from '../intake/ripples.js';
import { contrastOf, signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { STEEPEST } from './seeds.js';

/** Pixels of a row or a column that are looked at together, and px from one such line to the next: in small pictures there are few. */
export const LINE_PX = 8;
const STEP_PX = 5;
const SMALL_STEP_PX = 2;
const ICON_STEP_PX = 1;
/**
 * Lines that must look like part of a thin ramp; in larger pictures than these, as many more as they are larger: in one of 1024 x 1024 px eleven tips of flat shapes
 * looked so, and to look for ramps there took six times what all the rest did.
 */
const LEAST_LINES = 3;
const LINES_PER_PIXELS = 256 * 256;
/** They are nearer than this to a straight change of colors, root mean square, which is at least so large from end to end, levels. */
const LINE_RMS = 0.6;
const LINE_RISE = 4;
/** Pixels nearer than this (squared) to those on either side are inside of something. */
const INSIDE_SQ = 8 * 8;
/** Between those on either side is what has so much of both: an edge. */
const BETWEEN_SHARE = 0.02;
/** What share of the change (squared) is not toward the color beside it: a line that covers more and more of its pixels changes that way. */
const LEAST_ASIDE = 0.12;
const MIDDLE = (LINE_PX - 1) / 2;
/** Squared distances from the middle of a line, summed. */
const MOMENT = (LINE_PX * (LINE_PX * LINE_PX - 1)) / 12;

/**
 * Whether a picture may hold ramps in lines and rings of two or three px, of which no square lies within one. Along such a line its colors change
 * as the ramp's do, while those of an edge are mixtures of what lies on either side, and those of a thin line of one color change toward what is
 * beside it.
 */
export function hasThinRamps(pixels: WorkingPixels): boolean {
  if (isRippled(pixels)) return false;
  const least = LEAST_LINES * Math.max(1, pixels.words.length / LINES_PER_PIXELS);
  let lines = 0;
  eachThinLine(pixels, () => ++lines < least);
  return lines >= least;
}

/** Calls `take` with the middle pixel of the rows and columns of a few pixels that look like part of a thin ramp, until it returns false. */
export function eachThinLine(pixels: WorkingPixels, take: (middle: number, along: number) => boolean): void {
  const { width, height } = pixels;
  const count = width * height;
  const step = count <= ICON_PIXELS ? ICON_STEP_PX : count <= SMALL_PIXELS ? SMALL_STEP_PX : STEP_PX;
  const words = signedWords(pixels.words);
  const half = LINE_PX >> 1;
  const down = (LINE_PX - 1) * width;
  for (let y = step; y + LINE_PX <= height; y += step) {
    // What has one color at both ends, as most has, is no ramp.
    for (let i = y * width + 1, end = (y + 1) * width - 1; i < end; i++)
      if (words[i] !== words[i + down] && isThinLine(pixels, words, i, width, 1) && !take(i + half * width, width))
        return;
  }
  const across = LINE_PX - 1;
  for (let y = 1; y + 1 < height; y++) {
    for (let i = y * width + step, end = (y + 1) * width - LINE_PX; i <= end; i += step)
      if (words[i] !== words[i + across] && isThinLine(pixels, words, i, 1, width) && !take(i + half, 1)) return;
  }
}

function isThinLine(
  { rgba, opaque }: WorkingPixels,
  words: Int32Array,
  first: number,
  along: number,
  across: number,
): boolean {
  const last = first + (LINE_PX - 1) * along;
  // Most that is none has an edge in it, which its ends mostly tell.
  if (contrastOf(words[first], words[last]) > (LINE_PX - 1) * STEEPEST) return false;
  for (let i = first, k = 1; k < LINE_PX; k++, i += along)
    if (contrastOf(words[i], words[i + along]) > STEEPEST) return false;
  const channels = opaque ? 3 : 4;
  let squares = 0;
  let rise = 0;
  let changeSq = 0;
  for (let c = 0; c < channels; c++) {
    let sum = 0;
    let sumSq = 0;
    let slope = 0;
    for (let k = 0; k < LINE_PX; k++) {
      const value = rgba[(first + k * along) * 4 + c];
      sum += value;
      sumSq += value * value;
      slope += value * (k - MIDDLE);
    }
    squares += sumSq - (sum * sum) / LINE_PX - (slope * slope) / MOMENT;
    const change = (slope / MOMENT) * (LINE_PX - 1);
    rise = Math.max(rise, Math.abs(change));
    changeSq += change * change;
  }
  if (rise < LINE_RISE || squares >= LINE_RMS * LINE_RMS * LINE_PX * 3) return false;
  for (let k = 0; k < LINE_PX; k += LINE_PX - 1) {
    const pixel = first + k * along;
    let toOne = 0;
    let toOther = 0;
    let both = 0;
    let alongOne = 0;
    let alongOther = 0;
    for (let c = 0; c < channels; c++) {
      const value = rgba[pixel * 4 + c];
      const one = rgba[(pixel - across) * 4 + c] - value;
      const other = rgba[(pixel + across) * 4 + c] - value;
      const change = rgba[last * 4 + c] - rgba[first * 4 + c];
      toOne += one * one;
      toOther += other * other;
      both += one * other;
      alongOne += one * change;
      alongOther += other * change;
    }
    const far = Math.max(toOne, toOther);
    if (far < INSIDE_SQ) continue;
    if (both < -BETWEEN_SHARE * far) return false;
    const toward = toOne > toOther ? alongOne : alongOther;
    if ((toward * toward) / far > (1 - LEAST_ASIDE) * changeSq) return false;
  }
  return true;
}
