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
/** A fine line of the other color that fills two rows in part has so much in the one, as a share of what it has in the other. */
const TWO_ROWS = 0.25;
/** And where it is thinner than a pixel, such a share of its pixels is where it goes over to the next row. */
const THIN_SHARE = 0.2;

/**
 * Whether a color is the farthest that lettering or a hairline comes to from its grounds: it could be a mixture of these and other colors, but
 * none of its pixels has more of such another one near it, as anti-aliased edges have, and no fine line of it is there.
 */
export function isPeak(pixels: WorkingPixels, some: readonly number[], word: number, known: Uint8Array): boolean {
  const bytes = new Uint8Array(Uint32Array.of(word).buffer);
  const mixtures = findMixtures(bytes, known)
    .flatMap(([p, q]): readonly ColorPair[] => [
      [p, q],
      [q, p],
    ])
    .map((pair) => ({ pair, share: shareIn(bytes, 0, known, pair), isSeen: false }));
  const isPeakAt = (pixel: number) => {
    let isFarthest = false;
    for (const mixture of mixtures) {
      const look = lookAround(pixels, pixel, known, mixture.pair, mixture.share);
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
  if (countPeaks(few) < FEW_SHARE * few.length || countPeaks(some) < PEAK_PIXELS_SHARE * some.length) return false;
  const isLine = ({ pair }: { readonly pair: ColorPair }) =>
    isPartOfLine(pixels, word, known, pair, TWO_ROWS) || isThin(pixels, some, known, pair);
  return !mixtures.some((mixture) => mixture.isSeen && isLine(mixture));
}

/** Whether what has some pixels is thinner than a pixel, of a pair's second color. */
function isThin(pixels: WorkingPixels, some: readonly number[], known: Uint8Array, pair: ColorPair): boolean {
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
  { width, height, rgba }: WorkingPixels,
  pixel: number,
  known: Uint8Array,
  pair: ColorPair,
  share: number,
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
        else if (other > share + MORE_SHARE) isMore = true;
      }
    }
  }
  return !isGround ? 'other ground' : isMore ? 'more' : 'farthest';
}
