import type { WorkingPixels } from '../intake/working-pixels.js';

/** Where edges run along the rows, mixtures make squares too: a color this near to the line between two others may be one of them. */
const MIXTURE_SQ = 6 * 6;
/** A mixture's pixels have the one color on this side of them, and the other one on the far side, within so many px. */
const REACH_PX = 3;
/** What lies between two colors is at least this share of its pixels where it is their mixture. */
const MIXED_SHARE = 0.25;
/** And where the color may be one of its own. */
const MOSTLY_MIXED = 0.5;
/** What a fine line leaves in the one of two rows then, as a share of what it has in the other, at least. */
const PLAIN_SHARE = 0.25;
/** How wide fine lines are that fill no row or column, but two in part. */
const LEAST_FINE_PX = 0.8;
const MOST_FINE_PX = 1.6;
/** Less than this of a line is nothing. */
const TRACE = 0.04;
/** Pixels that may have that little less, at the end of a row. */
const TRACES = 3;

/** Two colors, by where they begin among four channels each. */
export type ColorPair = readonly [number, number];

/** The pairs of `others` (four bytes each) that `color` could be a mixture of, if it may lie so far off the line between them (squared). */
export function findMixtures(color: Uint8Array, others: Uint8Array, withinSq = MIXTURE_SQ): readonly ColorPair[] {
  const pairs: ColorPair[] = [];
  for (let p = 0; p < others.length; p += 4) {
    for (let q = p + 4; q < others.length; q += 4) {
      if (!Number.isNaN(shareIn(color, 0, others, [p, q], withinSq))) pairs.push([p, q]);
    }
  }
  return pairs;
}

/** Whether one of some colors (four bytes at `at`) could be a mixture of two others of them. */
export function isMixture(colors: Uint8Array, at: number, pair: ColorPair): boolean {
  return !Number.isNaN(shareIn(colors, at, colors, pair));
}

/** How much of the pair's second color there is in a color (four bytes at `at`), 0..1; NaN where it is no mixture of the two. */
export function shareIn(
  bytes: ArrayLike<number>,
  at: number,
  others: ArrayLike<number>,
  [p, q]: ColorPair,
  withinSq = MIXTURE_SQ,
): number {
  let along = 0;
  let lengthSq = 0;
  for (let c = 0; c < 4; c++) {
    const d = others[q + c] - others[p + c];
    along += d * (bytes[at + c] - others[p + c]);
    lengthSq += d * d;
  }
  const share = Math.max(0, Math.min(1, along / lengthSq));
  let off = 0;
  for (let c = 0; c < 4; c++) off += (bytes[at + c] - others[p + c] - share * (others[q + c] - others[p + c])) ** 2;
  return off < withinSq ? share : Number.NaN;
}

/** Whether a pixel passes, of which so many px at most may be looked at on each side. */
type PixelTest = (pixel: number, left: number, right: number, up: number, down: number) => boolean;

/** Whether so many pixels of a color pass that all of them are mixtures. */
function areMixed(
  { width, height, words, runs }: WorkingPixels,
  word: number,
  test: PixelTest,
  leastShare = MIXED_SHARE,
): boolean {
  let seen = 0;
  let passed = 0;
  for (let r = 0; r < runs.count; r++) {
    if (words[runs.starts[r]] !== word) continue;
    for (let i = runs.starts[r]; i < runs.starts[r + 1]; i++) {
      const x = i % width;
      const y = (i - x) / width;
      const left = Math.min(REACH_PX, x);
      const right = Math.min(REACH_PX, width - 1 - x);
      const up = Math.min(REACH_PX, y);
      const down = Math.min(REACH_PX, height - 1 - y);
      seen++;
      if (test(i, left, right, up, down)) passed++;
    }
  }
  return passed >= leastShare * seen;
}

/**
 * Whether pixels of a color stand between the two that it could be a mixture of, as they do along an edge: the one above or
 * left of them and the other one below or right; or as a line finer than they do, with one and the same color close by on both
 * sides. A shape that only happens to have such a color has neither beside it, or one, and mixtures along its edge.
 */
export function liesBetween(pixels: WorkingPixels, word: number, others: Uint8Array, [p, q]: ColorPair): boolean {
  const { width, words, rgba } = pixels;
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
  return areMixed(pixels, word, (i, left, right, up, down) => {
    // Once either color: 1 + 2.
    const isEdge = met(i, -1, left) + met(i, 1, right) === 3 || met(i, -width, up) + met(i, width, down) === 3;
    return isEdge || isLine(i, 1, left, right) || isLine(i, width, up, down);
  });
}

/**
 * Whether pixels of a color are what fine lines of the pair's second color leave on its first, where they fill two rows or columns in
 * part: across them nothing but such mixtures is met before the ground, on both sides, and all of these together have as much of
 * the line as a fine one is wide. Where the color may as well be one of its own (`mayBeOwn`), those beside a pixel have a plain share of what it has, and most pixels are such:
 * of lettering some strokes are as wide, too.
 */
export function isPartOfLine(
  pixels: WorkingPixels,
  word: number,
  others: Uint8Array,
  pair: ColorPair,
  mayBeOwn = false,
): boolean {
  const { width, rgba } = pixels;
  const leastOfOthers = mayBeOwn ? PLAIN_SHARE : 0;
  /** How much of a line there is from a pixel on, in steps, before the ground; NaN where that is not met. */
  const sumTo = (pixel: number, step: number, most: number) => {
    let sum = 0;
    for (let k = 1; k <= most; k++) {
      const share = shareIn(rgba, 4 * (pixel + k * step), others, pair);
      sum += share;
      if (share <= TRACE || Number.isNaN(sum)) return sum;
    }
    return Number.NaN;
  };
  const isFine = (own: number, rest: number) =>
    own + rest >= LEAST_FINE_PX && own + rest <= MOST_FINE_PX && rest >= leastOfOthers * own;
  const isOfLine: PixelTest = (i, left, right, up, down) => {
    const own = shareIn(rgba, 4 * i, others, pair);
    return (
      isFine(own, sumTo(i, -1, left) + sumTo(i, 1, right)) || isFine(own, sumTo(i, -width, up) + sumTo(i, width, down))
    );
  };
  return areMixed(pixels, word, isOfLine, mayBeOwn ? MOSTLY_MIXED : MIXED_SHARE);
}

/**
 * Whether a pixel is of a line thinner than a pixel that lies within its row or column there: where it goes over to the next one, two pixels
 * together have as much of it, and before that there is none of it beside it. A paler line, which is wider, is never within one.
 * `share` is how much of the line's color a pixel has.
 */
export function isOfThinLine(
  words: Uint32Array,
  width: number,
  pixel: number,
  share: (pixel: number) => number,
): boolean {
  const height = words.length / width;
  const isWithin = (i: number) => {
    const x = i % width;
    const y = (i - x) / width;
    return x > 0 && y > 0 && x + 1 < width && y + 1 < height;
  };
  if (!isWithin(pixel)) return false;
  for (const [along, across] of [
    [1, width],
    [width, 1],
  ]) {
    if (share(pixel - across) > TRACE || share(pixel + across) > TRACE) continue;
    for (const step of [-along, along]) {
      // The last pixels of the row may have a trace less of it.
      for (let n = 1, next = pixel + step; n <= TRACES && isWithin(next); n++, next += step) {
        if (words[next] === words[pixel]) break;
        const more = Math.max(share(next - across), share(next + across));
        if (Math.abs(share(next) + more - share(pixel)) > TRACE) break;
        if (more > TRACE) return true;
      }
    }
  }
  return false;
}
