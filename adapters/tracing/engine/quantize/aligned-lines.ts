import type { WorkingPixels } from '../intake/working-pixels.js';
import { type ColorPair, findMixtures, shareIn } from './mixtures.js';
import { farthestPairs, isThin } from './peak-colors.js';

/** Share of a line's pixels that have pure colors on both sides where the line fills its rows or columns. */
const ALIGNED_SHARE = 0.7;
/** How many of its pixels at least follow one another: where curves lie along a row, fewer have the very same color. */
const LEAST_LENGTH_PX = 8;
/** Share of them beside colors that it is a mixture of from which it may be that. */
const BESIDE_SHARE = 0.5;
/** And that have nothing near them that is farther from these: others cross such lines. */
const FARTHEST_SHARE = 0.75;
/** What is farther out has so many times as much of the other color, at least: lines less wide than a pixel leave nearly as much here and there. */
const FARTHER = 1.5;
/** And no more than so many times as much is nothing farther. */
const NO_FARTHER = 1.05;
/** Two rows that such a line fills in part have as much together as one that it fills alone, but for so much; either is met so often, as a share of that. */
const IN_TWO_ROWS = 0.08;
const AS_OFTEN = 0.2;

/** Colors often met in narrow places, known ones among them, four bytes each, and how many pixels have them. */
export interface MetColors {
  readonly bytes: Uint8Array;
  readonly counts: readonly number[];
}

/**
 * Whether a color is that of lines on whole pixels, as grid lines and borders are: they fill their rows or columns alone, with nothing but pure colors
 * (`isPure`) on both sides, and nothing near is farther from these. A line of a color too thin to be known, as lettering's, would leave as much only where it lies
 * within a row, and less in two rows elsewhere. `known` are the colors that have interiors; where it lies beside those that it is a mixture of, more tells (`peak-colors.ts`).
 */
export function isAlignedLine(
  pixels: WorkingPixels,
  some: readonly number[],
  word: number,
  known: Uint8Array,
  met: MetColors,
  isPure: (word: number) => boolean,
): boolean {
  if (!areAligned(pixels, some, isPure)) return false;
  const color = new Uint8Array(Uint32Array.of(word).buffer);
  if (liesBesideMixed(pixels, some, color, known)) return false;
  const colors = withThoseBeyond(known, color);
  const pairs: ColorPair[] = [];
  for (let at = 0; at < known.length; at += 4) {
    const pair: ColorPair = [at, known.length + at];
    if (mayBeOwn(color, colors, pair, met)) pairs.push(pair);
  }
  const seen = farthestPairs(pixels, some, color, colors, pairs, FARTHEST_SHARE, isPure);
  return seen.length > 0 && !seen.some((pair) => isThin(pixels, some, colors, pair));
}

/** Whether pixels, but for a few, are of straight lines along rows or columns, with pure colors on both sides. */
function areAligned(
  { width, height, words }: WorkingPixels,
  some: readonly number[],
  isPure: (word: number) => boolean,
): boolean {
  /** Whether so many pixels in line with one have its color, itself among them; before and behind it there are so many in the picture. */
  const isLong = (i: number, step: number, before: number, behind: number) => {
    let length = 1;
    for (let k = 1; k <= before && length < LEAST_LENGTH_PX && words[i - k * step] === words[i]; k++) length++;
    for (let k = 1; k <= behind && length < LEAST_LENGTH_PX && words[i + k * step] === words[i]; k++) length++;
    return length >= LEAST_LENGTH_PX;
  };
  let aligned = 0;
  for (const i of some) {
    const x = i % width;
    const y = (i - x) / width;
    const isUpright = x > 0 && x + 1 < width && isPure(words[i - 1]) && isPure(words[i + 1]);
    const isLevel = y > 0 && y + 1 < height && isPure(words[i - width]) && isPure(words[i + width]);
    if ((isUpright && isLong(i, width, y, height - 1 - y)) || (isLevel && isLong(i, 1, x, width - 1 - x))) aligned++;
  }
  return aligned >= ALIGNED_SHARE * some.length;
}

/** Whether most pixels of a color lie beside one that it is a mixture of with another known one. */
function liesBesideMixed(
  { width, height, words }: WorkingPixels,
  some: readonly number[],
  color: Uint8Array,
  known: Uint8Array,
): boolean {
  const pairs = findMixtures(color, known);
  if (pairs.length === 0) return false;
  const knownWords = new Uint32Array(known.slice().buffer);
  const mixed = new Set(pairs.flat().map((at) => knownWords[at / 4]));
  let beside = 0;
  for (const i of some) {
    const x = i % width;
    const y = (i - x) / width;
    const isMixed = (isThere: boolean, other: number) => isThere && mixed.has(words[other]);
    if (
      isMixed(x > 0, i - 1) ||
      isMixed(x + 1 < width, i + 1) ||
      isMixed(y > 0, i - width) ||
      isMixed(y + 1 < height, i + width)
    )
      beside++;
  }
  return beside >= BESIDE_SHARE * some.length;
}

/** Some colors, and behind them for each the one farthest beyond another color, as seen from there, that there can be. */
function withThoseBeyond(colors: Uint8Array, color: Uint8Array): Uint8Array {
  const all = new Uint8Array(2 * colors.length);
  all.set(colors);
  for (let at = 0; at < colors.length; at += 4) {
    let times = Infinity;
    for (let c = 0; c < 4; c++) {
      const step = color[c] - colors[at + c];
      if (step !== 0) times = Math.min(times, (step > 0 ? 255 - colors[at + c] : -colors[at + c]) / step);
    }
    for (let c = 0; c < 4; c++)
      all[colors.length + at + c] = Math.round(colors[at + c] + times * (color[c] - colors[at + c]));
  }
  return all;
}

/** Whether a color is not what lines of a color beyond leave on a ground: what is met farther out is plainly farther, or nothing is, nor are their parts in two rows. */
function mayBeOwn(color: Uint8Array, colors: Uint8Array, pair: ColorPair, { bytes, counts }: MetColors): boolean {
  const own = shareIn(color, 0, colors, pair);
  const shares = counts.map((_, k) => shareIn(bytes, 4 * k, colors, pair) / own);
  const count = counts[shares.indexOf(1)] ?? 0;
  const farthest = shares.reduce((most, share) => (share > most ? share : most), 0);
  if (farthest >= FARTHER) return true;
  if (farthest > NO_FARTHER) return false;
  const isOften = (k: number) => counts[k] >= AS_OFTEN * count;
  const isPart = (p: number) => shares.some((share, k) => isOften(k) && Math.abs(share + shares[p] - 1) < IN_TWO_ROWS);
  return !shares.some((share, p) => share > IN_TWO_ROWS && share < 1 - IN_TWO_ROWS && isOften(p) && isPart(p));
}
