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
/** And how many times as much of the other color what is met beyond has: of lines of the one color less. */
const FARTHER = 1.5;
/** Share of a line's pixels that have pure colors on both sides where the line fills its rows or columns. */
const ALIGNED_SHARE = 0.7;

/** What a color is that may be a mixture: lettering's or a hairline's own, what a fine line of another one leaves, or anything else. */
export type PeakFinding = 'own' | 'of a line' | 'none';

/**
 * Whether a color is the farthest that lettering or a hairline comes to from its grounds, and then its own: it could be a mixture of these and other colors, but
 * none of its pixels has more of such another one near it, as anti-aliased edges have, and no fine line of it is there. Of a color that is no
 * mixture of known ones the other color may be too thin to be known: it lies anywhere beyond, some of those often `met` are of it, and the color's own
 * are lines that fill their rows or columns alone, with nothing but pure colors (`isPure`) on both sides.
 */
export function findPeak(
  pixels: WorkingPixels,
  some: readonly number[],
  word: number,
  palette: Uint8Array,
  met: Uint8Array,
  isPure: (word: number) => boolean,
): PeakFinding {
  const bytes = new Uint8Array(Uint32Array.of(word).buffer);
  const found = findMixtures(bytes, palette);
  const isOfKnown = found.length > 0;
  if (!isOfKnown && !areAligned(pixels, some, isPure)) return 'none';
  const known = isOfKnown ? palette : withThoseBeyond(palette, bytes);
  const isBeyond = (pair: ColorPair): boolean => {
    const least = FARTHER * shareIn(bytes, 0, known, pair);
    for (let at = 0; at < met.length; at += 4) if (shareIn(met, at, known, pair) >= least) return true;
    return false;
  };
  const pairs = isOfKnown
    ? found.flatMap(([p, q]): readonly ColorPair[] => [
        [p, q],
        [q, p],
      ])
    : Array.from({ length: palette.length / 4 }, (_, k): ColorPair => [4 * k, palette.length + 4 * k]).filter(isBeyond);
  const mixtures = pairs.map((pair) => ({ pair, share: shareIn(bytes, 0, known, pair), isSeen: false }));
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
  if (countPeaks(few) < FEW_SHARE * few.length || countPeaks(some) < PEAK_PIXELS_SHARE * some.length) return 'none';
  const isLine = ({ pair }: { readonly pair: ColorPair }) =>
    isPartOfLine(pixels, word, known, pair, true) || isThin(pixels, some, known, pair);
  return mixtures.some((mixture) => mixture.isSeen && isLine(mixture)) ? 'of a line' : 'own';
}

/** Whether pixels, but for a few, have pure colors on both sides of them, in their row or in their column. */
function areAligned(
  { width, height, words }: WorkingPixels,
  some: readonly number[],
  isPure: (word: number) => boolean,
) {
  let aligned = 0;
  for (const i of some) {
    const x = i % width;
    const isAcross = x > 0 && x + 1 < width && isPure(words[i - 1]) && isPure(words[i + 1]);
    const isDown = i >= width && i + width < width * height && isPure(words[i - width]) && isPure(words[i + width]);
    if (isAcross || isDown) aligned++;
  }
  return aligned >= ALIGNED_SHARE * some.length;
}

/** Some colors, and for each the one farthest beyond another color, as seen from there, that there can be. */
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
