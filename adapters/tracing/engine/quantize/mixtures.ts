import type { WorkingPixels } from '../intake/working-pixels.js';

/** Where edges run along the rows, mixtures make squares too: a color this near to the line between two others may be one of them. */
const MIXTURE_SQ = 6 * 6;
/** A mixture's pixels have the one color on this side of them, and the other one on the far side, within so many px. */
const REACH_PX = 3;
/** What lies between two colors is at least this share of its pixels where it is their mixture. */
const MIXED_SHARE = 0.25;
/** How wide fine lines are that fill no row or column, but two in part. */
const LEAST_FINE_PX = 0.8;
const MOST_FINE_PX = 1.4;
/** Less than this of a line is nothing. */
const TRACE = 0.04;

/** Two colors, by where they begin among four bytes each. */
export type ColorPair = readonly [number, number];

/** The pairs of `others` (four bytes each) that `color` could be a mixture of. */
export function findMixtures(color: Uint8Array, others: Uint8Array): readonly ColorPair[] {
  const pairs: ColorPair[] = [];
  for (let p = 0; p < others.length; p += 4) {
    for (let q = p + 4; q < others.length; q += 4) {
      let along = 0;
      let lengthSq = 0;
      for (let c = 0; c < 4; c++) {
        const d = others[q + c] - others[p + c];
        along += d * (color[c] - others[p + c]);
        lengthSq += d * d;
      }
      const t = Math.max(0, Math.min(1, along / lengthSq));
      let off = 0;
      for (let c = 0; c < 4; c++) off += (color[c] - others[p + c] - t * (others[q + c] - others[p + c])) ** 2;
      if (off < MIXTURE_SQ) pairs.push([p, q]);
    }
  }
  return pairs;
}

/**
 * Whether pixels of a color stand between the two that it could be a mixture of, as they do along an edge: the one above or
 * left of them and the other one below or right; or as a line finer than they do, with one and the same color close by on both
 * sides. A shape that only happens to have such a color has neither beside it, or one, and mixtures along its edge.
 */
export function liesBetween(
  { width, height, words, runs, rgba }: WorkingPixels,
  word: number,
  others: Uint8Array,
  [p, q]: ColorPair,
): boolean {
  let seen = 0;
  let between = 0;
  const isNear = (pixel: number, at: number) => {
    let off = 0;
    for (let c = 0; c < 4; c++) off += (rgba[4 * pixel + c] - others[at + c]) ** 2;
    return off < MIXTURE_SQ;
  };
  /** Of the two colors those that are met from a pixel on, in steps: 1 for the first, 2 for the second. */
  const met = (pixel: number, step: number, most: number) => {
    for (let k = 1; k <= most; k++) {
      if (isNear(pixel + k * step, p)) return 1;
      if (isNear(pixel + k * step, q)) return 2;
    }
    return 0;
  };
  /** Whether the first other colors from a pixel on, in steps to and fro, are the same one of the two. */
  const isLine = (pixel: number, step: number, before: number, after: number) => {
    let a = 1;
    let b = 1;
    while (a < before && words[pixel - a * step] === word) a++;
    while (b < after && words[pixel + b * step] === word) b++;
    if (a > before || b > after || words[pixel - a * step] !== words[pixel + b * step]) return false;
    return isNear(pixel - a * step, p) || isNear(pixel - a * step, q);
  };
  for (let r = 0; r < runs.count; r++) {
    if (words[runs.starts[r]] !== word) continue;
    for (let i = runs.starts[r]; i < runs.starts[r + 1]; i++) {
      const x = i % width;
      const y = (i - x) / width;
      seen++;
      const left = Math.min(REACH_PX, x);
      const right = Math.min(REACH_PX, width - 1 - x);
      const up = Math.min(REACH_PX, y);
      const down = Math.min(REACH_PX, height - 1 - y);
      // Once either color: 1 + 2.
      const isEdge = met(i, -1, left) + met(i, 1, right) === 3 || met(i, -width, up) + met(i, width, down) === 3;
      if (isEdge || isLine(i, 1, left, right) || isLine(i, width, up, down)) between++;
    }
  }
  return between >= MIXED_SHARE * seen;
}

/**
 * Whether pixels of a color are what fine lines of the pair's second color leave on its first, where they fill two rows or columns in
 * part: across them nothing but such mixtures is met before the ground, on both sides, and all of these together have as much of
 * the line as it is wide. (A line of the color itself, two px wide, might look the same; but then finer ones of the other color would
 * have to be beside it, and just as much of these in it.)
 */
export function isPartOfLine(
  { width, height, words, runs, rgba }: WorkingPixels,
  word: number,
  others: Uint8Array,
  [ground, line]: ColorPair,
): boolean {
  let lengthSq = 0;
  for (let c = 0; c < 4; c++) lengthSq += (others[line + c] - others[ground + c]) ** 2;
  /** How much of a pixel the line covers; NaN where it is no mixture of the two. */
  const shareOf = (pixel: number) => {
    let along = 0;
    for (let c = 0; c < 4; c++)
      along += (rgba[4 * pixel + c] - others[ground + c]) * (others[line + c] - others[ground + c]);
    const share = Math.max(0, Math.min(1, along / lengthSq));
    let off = 0;
    for (let c = 0; c < 4; c++)
      off += (rgba[4 * pixel + c] - others[ground + c] - share * (others[line + c] - others[ground + c])) ** 2;
    return off < MIXTURE_SQ ? share : Number.NaN;
  };
  /** How much of a line there is from a pixel on, in steps, before the ground; NaN where that is not met. */
  const sumTo = (pixel: number, step: number, most: number) => {
    let sum = 0;
    for (let k = 1; k <= most; k++) {
      const share = shareOf(pixel + k * step);
      sum += share;
      if (share <= TRACE || Number.isNaN(sum)) return sum;
    }
    return Number.NaN;
  };
  const isFine = (widthPx: number) => widthPx >= LEAST_FINE_PX && widthPx <= MOST_FINE_PX;
  let seen = 0;
  let fine = 0;
  for (let r = 0; r < runs.count; r++) {
    if (words[runs.starts[r]] !== word) continue;
    for (let i = runs.starts[r]; i < runs.starts[r + 1]; i++) {
      const x = i % width;
      const y = (i - x) / width;
      const own = shareOf(i);
      const left = Math.min(REACH_PX, x);
      const right = Math.min(REACH_PX, width - 1 - x);
      const up = Math.min(REACH_PX, y);
      const down = Math.min(REACH_PX, height - 1 - y);
      const across = own + sumTo(i, -1, left) + sumTo(i, 1, right);
      const upright = own + sumTo(i, -width, up) + sumTo(i, width, down);
      seen++;
      if (isFine(across) || isFine(upright)) fine++;
    }
  }
  return fine >= MIXED_SHARE * seen;
}
