import type { WorkingPixels } from '../intake/working-pixels.js';
import { shareIn } from './mixtures.js';

/** Share of a side that a line along it takes at least, and share of its pixels beneath which all is even. */
const LEAST_SHARE = 0.5;
const EVEN_SHARE = 0.75;
/** Levels (in four channels, squared) by which a line differs from what is beneath it, on average. */
const PLAIN_SQ = 40 * 40;

/**
 * Colors of lines one pixel wide along a whole side of the picture, or most of it: the last line of what was cut out of a page, or the first
 * one of what lies beneath. It has no interior, and no second side to tell that it is no mere edge; but an edge has no such length in a
 * picture's last pixels unless the picture ends there. Where it may be mostly one of the `known` colors (four bytes each), it is left to
 * be: a strip of that color, as wide as there is of it, is as good.
 */
export function findBorderColors(pixels: WorkingPixels, known: Uint8Array): ReadonlySet<number> {
  const { width, height, words } = pixels;
  const found = new Set<number>();
  if (Math.min(width, height) < 3) return found;
  const look = (first: number, step: number, count: number, inward: number) => {
    const line = pixelOfLine(pixels, first, step, count, inward);
    if (line !== undefined && !isMostlyKnown(pixels, line, line + inward, known)) found.add(words[line]);
  };
  look(0, 1, width, width);
  look((height - 1) * width, 1, width, -width);
  look(0, width, height, 1);
  look(width - 1, width, height, -1);
  return found;
}

/** The middle of the line of equal pixels along a side, of which there are `count` from `first` by `step`, if there is one of its own. */
function pixelOfLine(
  pixels: WorkingPixels,
  first: number,
  step: number,
  count: number,
  inward: number,
): number | undefined {
  const { words } = pixels;
  const least = LEAST_SHARE * count;
  for (let from = 0; count - from >= least; ) {
    const word = words[first + from * step];
    let to = from + 1;
    while (to < count && words[first + to * step] === word) to++;
    if (to - from < least) from = to;
    else if (isOnEvenGround(pixels, first + from * step, step, to - from, inward))
      return first + ((from + to) >> 1) * step;
    else return undefined;
  }
  return undefined;
}

function isOnEvenGround(
  { rgba, words }: WorkingPixels,
  first: number,
  step: number,
  count: number,
  inward: number,
): boolean {
  let even = 0;
  let offSq = 0;
  for (let k = 0; k < count; k++) {
    const outer = first + k * step;
    const inner = outer + inward;
    if (words[inner] !== words[inner + inward]) continue;
    even++;
    for (let c = 0; c < 4; c++) offSq += (rgba[4 * outer + c] - rgba[4 * inner + c]) ** 2;
  }
  return even >= EVEN_SHARE * count && offSq >= PLAIN_SQ * even;
}

/** Whether a pixel of a line is of a known color, which its ground may be as well, or may have more of one than of the ground's. */
function isMostlyKnown({ rgba, words }: WorkingPixels, line: number, ground: number, known: Uint8Array): boolean {
  if (new Uint32Array(known.slice().buffer).includes(words[line])) return true;
  const colors = new Uint8Array(known.length + 8);
  colors.set(rgba.subarray(4 * line, 4 * line + 4));
  colors.set(rgba.subarray(4 * ground, 4 * ground + 4), 4);
  colors.set(known, 8);
  for (let at = 8; at < colors.length; at += 4) if (shareIn(colors, 0, colors, [4, at]) >= 0.5) return true;
  return false;
}
