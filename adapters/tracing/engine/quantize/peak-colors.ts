import type { WorkingPixels } from '../intake/working-pixels.js';
import { type ColorPair, findMixtures, isOfThinLine, isPartOfLine, shareIn } from './mixtures.js';

/** So many of a color's pixels, as a share, must have none that has more of the other color near them, and their ground there. */
const PEAK_PIXELS_SHARE = 0.85;
/** Near, px; more, as a share of a pixel; and no more than this of it has the ground. */
const PEAK_REACH_PX = 4;
const MORE_SHARE = 0.03;
const NO_SHARE = 0.03;
/** So few pixels tell most edges, of which not even this share is such. */
const FEW_PROBES = 4;
const FEW_SHARE = 0.5;
/** Where a fine line of the other color is thinner than a pixel, such a share of its pixels is where it goes over to the next row. */
const THIN_SHARE = 0.2;

/** What a color is that may be a mixture: lettering's or a hairline's own, what a fine line of another one leaves, or anything else. */
export type PeakFinding = 'own' | 'of a line' | 'none';

/**
 * Whether a color is the farthest that lettering or a hairline comes to from its grounds, and then its own: it could be a mixture of these and other colors, but
 * none of its pixels has more of such another one near it, as anti-aliased edges have, and no fine line of it is there.
 */
export function findPeak(pixels: WorkingPixels, some: readonly number[], word: number, known: Uint8Array): PeakFinding {
  const bytes = new Uint8Array(Uint32Array.of(word).buffer);
  const pairs = findMixtures(bytes, known).flatMap(([p, q]): readonly ColorPair[] => [
    [p, q],
    [q, p],
  ]);
  const seen = farthestPairs(pixels, some, bytes, known, pairs);
  if (seen.length === 0) return 'none';
  const isLine = (pair: ColorPair) =>
    isPartOfLine(pixels, word, known, pair, true) || isThin(pixels, some, known, pair);
  return seen.some(isLine) ? 'of a line' : 'own';
}

/**
 * Of pairs of a ground and another color, which a color may be mixtures of, those by which its pixels, but for a few, are on that ground and none near
 * them has more of the other one, but for pure colors; none where there are fewer such pixels than so large a share.
 */
export function farthestPairs(
  pixels: WorkingPixels,
  some: readonly number[],
  color: Uint8Array,
  known: Uint8Array,
  pairs: readonly ColorPair[],
  leastShare = PEAK_PIXELS_SHARE,
  isPure?: (word: number) => boolean,
): readonly ColorPair[] {
  const mixtures = pairs.map((pair) => ({ pair, share: shareIn(color, 0, known, pair), isSeen: false }));
  const isPeakAt = (pixel: number) => {
    let isFarthest = false;
    for (const mixture of mixtures) {
      const look = lookAround(pixels, pixel, known, mixture.pair, mixture.share, isPure);
      if (look === 'more') return false;
      if (look === 'other ground') continue;
      isFarthest = true;
      mixture.isSeen = true;
    }
    return isFarthest;
  };
  const countPeaks = (probed: readonly number[]) => probed.reduce((sum, pixel) => sum + (isPeakAt(pixel) ? 1 : 0), 0);
  // Most are of edges, which a few pixels tell.
  const step = Math.ceil(some.length / FEW_PROBES);
  const few = some.filter((_, k) => k % step === 0);
  if (countPeaks(few) < FEW_SHARE * few.length || countPeaks(some) < leastShare * some.length) return [];
  return mixtures.filter(({ isSeen }) => isSeen).map(({ pair }) => pair);
}

/** Whether what has some pixels is thinner than a pixel, of a pair's second color. */
export function isThin(pixels: WorkingPixels, some: readonly number[], known: Uint8Array, pair: ColorPair): boolean {
  const share = (pixel: number) => {
    const part = shareIn(pixels.rgba, pixel * 4, known, pair);
    return Number.isNaN(part) ? 1 : part;
  };
  let thin = 0;
  for (const pixel of some) if (isOfThinLine(pixels.words, pixels.width, pixel, share)) thin++;
  return thin >= THIN_SHARE * some.length;
}

/** Whether a pixel that has such a share of a pair's second color has nothing but the first one close by, and nothing with more of the second. */
function lookAround(
  { width, height, rgba, words }: WorkingPixels,
  pixel: number,
  known: Uint8Array,
  pair: ColorPair,
  share: number,
  isPure: ((word: number) => boolean) | undefined,
): 'farthest' | 'more' | 'other ground' {
  const x = pixel % width;
  const y = (pixel - x) / width;
  let isGround = false;
  // Beyond the picture there may be more.
  let isMore = Math.min(x, y, width - 1 - x, height - 1 - y) < PEAK_REACH_PX;
  // Ring by ring: at edges both are next to it.
  for (let reach = 1; reach <= PEAK_REACH_PX && !(isGround && isMore); reach++) {
    for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
      const step = v === y - reach || v === y + reach ? 1 : 2 * reach;
      for (let u = x - reach; u <= x + reach; u += step) {
        if (u < 0 || u >= width) continue;
        const other = shareIn(rgba, (v * width + u) * 4, known, pair);
        if (other <= NO_SHARE) isGround = true;
        else if (other > share + MORE_SHARE && isPure?.(words[v * width + u]) !== true) isMore = true;
      }
    }
  }
  return !isGround ? 'other ground' : isMore ? 'more' : 'farthest';
}
