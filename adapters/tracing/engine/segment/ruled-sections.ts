import type { WorkingPixels } from '../intake/working-pixels.js';

/** Sections that go on for less may be of anything, px: the stems of letters. */
export const LEAST_PX = 20;
/** A line that covers more rows or columns than these, the first and the last in part, has one of its own color in the midst, twice over. */
const MOST_ACROSS = 3;

/** A straight stretch along a row or a column that is the same all the way, of what lies between two even areas. */
export interface RuledSection {
  /** The pixels before it and behind it, across, and those between these, in turn: the first of the way along it. */
  readonly before: number;
  readonly middle: readonly number[];
  readonly behind: number;
  /** How far it goes on, px, and from pixel to pixel by which step. */
  readonly lengthPx: number;
  readonly step: number;
}

/**
 * Finds what lies between even areas along rows and columns and is the same for `LEAST_PX` and more: their edges, and the lines of tables, frames and borders.
 * Takes time by edges. `isPure` tells the colors of even areas by their words.
 */
export function findRuledSections(pixels: WorkingPixels, isPure: (word: number) => boolean): readonly RuledSection[] {
  const sections: RuledSection[] = [];
  const { words, width, height, runs } = pixels;
  const { starts, count } = runs;
  const isPureRun = new Uint8Array(count);
  for (let r = 0; r < count; r++) isPureRun[r] = isPure(words[starts[r]]) ? 1 : 0;
  for (let r = 0; r < count; r++) {
    if (isPureRun[r] === 1) continue;
    const from = starts[r];
    const x = from % width;
    if (starts[r + 1] - from >= LEAST_PX) addAlongRow(pixels, isPure, from, starts[r + 1], sections);
    // Of what is mixed in a row the first pixel tells where a column of it begins.
    if (x === 0 || isPureRun[r - 1] === 0) continue;
    let end = r;
    while (end < count && isPureRun[end] === 0 && starts[end] - from <= MOST_ACROSS) end++;
    const behind = starts[end];
    if (end === count || isPureRun[end] === 0 || behind - from > MOST_ACROSS || x + behind - from >= width) continue;
    const isSame = (a: number, b: number) => {
      for (let step = -1; step <= behind - from; step++) if (words[a + step] !== words[b + step]) return false;
      return true;
    };
    if (from >= width && isSame(from, from - width)) continue;
    let at = from;
    while (at + width < height * width && isSame(from, at + width)) at += width;
    const lengthPx = (at - from) / width + 1;
    if (lengthPx < LEAST_PX) continue;
    const middle = Array.from({ length: behind - from }, (_, k) => from + k);
    sections.push({ before: from - 1, middle, behind, lengthPx, step: width });
  }
  return sections;
}

/** Adds what goes on along a row below an even area, from one pixel to before another. */
function addAlongRow(
  { words, width, height }: WorkingPixels,
  isPure: (word: number) => boolean,
  from: number,
  to: number,
  sections: RuledSection[],
): void {
  const size = width * height;
  for (let x = from; x + LEAST_PX <= to; ) {
    let rows = 0;
    if (x >= width && isPure(words[x - width])) {
      rows = 1;
      while (rows <= MOST_ACROSS && x + rows * width < size && !isPure(words[x + rows * width])) rows++;
    }
    const isBetween = rows > 0 && rows <= MOST_ACROSS && x + rows * width < size;
    let end = x + 1;
    const isSame = (i: number) => {
      for (let v = -1; v <= rows; v++) if (words[i + v * width] !== words[x + v * width]) return false;
      return true;
    };
    while (end < to && (isBetween ? isSame(end) : words[end - width] === words[x - width])) end++;
    if (isBetween && end - x >= LEAST_PX) {
      const middle = Array.from({ length: rows }, (_, v) => x + v * width);
      sections.push({ before: x - width, middle, behind: x + rows * width, lengthPx: end - x, step: 1 });
    }
    x = end;
  }
}
