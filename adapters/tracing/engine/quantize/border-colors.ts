import type { WorkingPixels } from '../intake/working-pixels.js';

/** Share of a side that a line along it takes at least, and share of its pixels beneath which all is even. */
const LEAST_SHARE = 0.5;
const EVEN_SHARE = 0.75;
/** Levels (in four channels, squared) by which a line differs from what is beneath it, on average. */
const PLAIN_SQ = 40 * 40;

/**
 * Colors of lines one pixel wide along a whole side of the picture, or most of it: the last line of what was cut out of a page, or the first
 * one of what lies beneath. It has no interior, and no second side to tell that it is no mere edge; but an edge has no such length in a
 * picture's last pixels unless the picture ends there.
 */
export function findBorderColors(pixels: WorkingPixels, isKnown: (word: number) => boolean): ReadonlySet<number> {
  const { width, height } = pixels;
  const found = new Set<number>();
  if (Math.min(width, height) < 3) return found;
  const lines = [
    lineAlong(pixels, 0, 1, width, width),
    lineAlong(pixels, (height - 1) * width, 1, width, -width),
    lineAlong(pixels, 0, width, height, 1),
    lineAlong(pixels, width - 1, width, height, -1),
  ];
  for (const word of lines) if (word !== undefined && !isKnown(word)) found.add(word);
  return found;
}

/** The color of the longest line of equal pixels along a side, of which there are `count` from `first` by `step`, if it is a line of its own. */
function lineAlong(
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
    else return isOnEvenGround(pixels, first + from * step, step, to - from, inward) ? word : undefined;
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
