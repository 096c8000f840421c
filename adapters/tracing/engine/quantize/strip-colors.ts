import type { PixelRuns } from '../intake/pixel-runs.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { isAlignedLine } from './aligned-lines.js';
import { ColorTable } from './color-counts.js';
import { isMixture } from './mixtures.js';
import { findPeak } from './peak-colors.js';

/** Pixels of the very same color from which it may be a strip's own, and the rows and columns that these lie in, at least. */
const LEAST_PIXELS = 8;
const LEAST_SPREAD = 3;
/** Or there are so many of them in two rows or columns. */
const PIXELS_OF_TWO = 10;
/** How many times as often as any mixture of the same two colors a strip's own is met, where nothing else tells. */
const TIMES_AS_OFTEN = 2.5;
/** Pixels with an equal one beside and an equal one above or below them, from which a strip is two px wide in places: an edge's are in line. */
const BENT_PIXELS = 4;
/** A mixture is less wide than this before either color is met, in its row or in its column; of a strip's own pixels this share is not. */
const WIDE_PX = 3;
const WIDE_SHARE = 0.5;
/** Levels (in four channels, squared) from a known color within which nothing is one of its own. */
const ALIKE_SQ = 40 * 40;
/** As far from them a color that lettering comes to is one of its own, which only the most frequent ones may be. */
const PEAK_ALIKE_SQ = 16 * 16;
const MOST_PEAKS = 48;
/** Of the colors so many are looked at, the most frequent ones, and of each so many pixels spread over all of them. */
const MOST_OFTEN = 128;
const PROBES = 64;

/**
 * Colors of strips too narrow for an interior, as a gray seam between black and white is, that could pass for mixtures of what lies beside them.
 * Across a mere edge or line the shares change from pixel to pixel, and the colors with them, and one of the pure ones is met within two
 * px; a strip's own is the very same again and again, with mixtures on both sides of it. `known` are the colors that have interiors, four bytes
 * each, and `isKnown` tells them by their words. Lettering's, and those of hairlines, are among them (`peak-colors.ts`), and those of lines on whole pixels (`aligned-lines.ts`), which are
 * all where `alignedOnly`. Most frequent first.
 */
export function findStripColors(
  pixels: WorkingPixels,
  known: Uint8Array,
  isKnown: (word: number) => boolean,
  alignedOnly = false,
): readonly number[] {
  const seen = new ColorTable();
  const ofRun = countNarrowRuns(pixels, seen);
  const narrow: number[] = [];
  for (let k = 0; k < seen.size; k++) if (seen.counts[k] >= LEAST_PIXELS) narrow.push(k);
  narrow.sort((a, b) => seen.counts[b] - seen.counts[a] || a - b);
  const often = narrow.filter((k) => !isKnown(seen.words[k])).slice(0, MOST_OFTEN);
  if (often.length === 0) return [];
  const bytesOf = (some: readonly number[]) => new Uint8Array(Uint32Array.from(some, (k) => seen.words[k]).buffer);
  // The known colors, then those often met, behind one another.
  const first = known.length / 4;
  const colors = new Uint8Array((first + often.length) * 4);
  colors.set(known);
  colors.set(bytesOf(often), known.length);
  const all = narrow.slice(0, MOST_OFTEN);
  const met = { bytes: bytesOf(all), counts: all.map((k) => seen.counts[k]) };
  const probes = probesOf(pixels.runs, ofRun, seen, often);
  const own: number[] = [];
  for (let n = 0; n < first; n++) own.push(n);
  const found: number[] = [];
  const ofLines: number[] = [];
  const isPure = (word: number) => isKnown(word) || found.includes(word);
  for (let n = first; n < colors.length / 4; n++) {
    const k = often[n - first];
    const probed = probes.get(k) as readonly number[];
    if (isAlike(colors, n, own, n < first + MOST_PEAKS ? PEAK_ALIKE_SQ : ALIKE_SQ)) continue;
    if (!isSpread(probed, pixels.width)) continue;
    const isOwn = () => {
      if (isAlike(colors, n, own, ALIKE_SQ) || !isWide(pixels, probed, isPure)) return false;
      if (isWithin(pixels, probed, isPure)) return true;
      const rival = mostFrequentRival(colors, n, first, own, ofLines);
      const times = rival < 0 ? Infinity : seen.counts[k] / seen.counts[often[rival - first]];
      return times >= TIMES_AS_OFTEN || (times >= 1 && countBent(pixels, probed) >= BENT_PIXELS);
    };
    if (alignedOnly || !isOwn()) {
      const word = seen.words[k];
      const peak = !alignedOnly && n < first + MOST_PEAKS ? findPeak(pixels, probed, word, known) : 'none';
      if (peak === 'of a line') ofLines.push(n);
      if (peak !== 'own' && !isAlignedLine(pixels, probed, word, known, met, isPure)) continue;
    }
    own.push(n);
    found.push(seen.words[k]);
  }
  return found;
}

/**
 * Counts by color the pixels of runs that have no interior, and are no edge between two that have; returns per run the number of its color,
 * or -1.
 */
function countNarrowRuns({ words, runs }: WorkingPixels, seen: ColorTable): Int32Array {
  const { starts, interiors, count } = runs;
  const ofRun = new Int32Array(count).fill(-1);
  for (let r = 0; r < count; r++) {
    const length = starts[r + 1] - starts[r];
    const isBetween = length < WIDE_PX && interiors[r - 1] > 0 && interiors[r + 1] > 0;
    // An upright line has the same on both sides.
    const isEdge = isBetween && words[starts[r - 1]] !== words[starts[r + 1]];
    if (interiors[r] > 0 || isEdge) continue;
    const index = seen.indexOf(words[starts[r]]);
    seen.counts[index] += length;
    ofRun[r] = index;
  }
  return ofRun;
}

/** Some pixels of each of some colors. */
function probesOf(
  { starts }: PixelRuns,
  ofRun: Int32Array,
  seen: ColorTable,
  some: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const probes = new Map<number, number[]>(some.map((k) => [k, []]));
  const met = new Int32Array(seen.size);
  for (let r = 0; r < ofRun.length; r++) {
    const k = ofRun[r];
    if (k < 0) continue;
    const list = probes.get(k);
    if (list === undefined) continue;
    const step = Math.ceil(seen.counts[k] / PROBES);
    for (let i = starts[r]; i < starts[r + 1]; i++) if (met[k]++ % step === 0) list.push(i);
  }
  return probes;
}

/** Whether a color is near to one of others (all of them by number). */
function isAlike(colors: Uint8Array, color: number, others: readonly number[], alikeSq: number): boolean {
  for (const other of others) {
    let off = 0;
    for (let c = 0; c < 4; c++) off += (colors[color * 4 + c] - colors[other * 4 + c]) ** 2;
    if (off < alikeSq) return true;
  }
  return false;
}

/** Whether pixels are in several rows and columns: along a level edge the mixture is the same all the way. */
function isSpread(some: readonly number[], width: number): boolean {
  const rows = new Set<number>();
  const columns = new Set<number>();
  for (const i of some) {
    columns.add(i % width);
    rows.add(Math.floor(i / width));
  }
  const spread = Math.min(rows.size, columns.size);
  return spread >= LEAST_SPREAD || (spread > 1 && some.length >= PIXELS_OF_TWO);
}

/** Whether pixels are in the midst of others that are not pure, in their rows and in their columns. */
function isWide({ width, height, words }: WorkingPixels, some: readonly number[], isPure: (word: number) => boolean) {
  /** How many pixels that are not pure follow one another from a pixel on, itself among them; no more than matter. */
  const reach = (pixel: number, step: number, most: number) => {
    let n = 1;
    while (n <= most && n < WIDE_PX && !isPure(words[pixel + n * step])) n++;
    return n;
  };
  let wide = 0;
  for (const i of some) {
    const x = i % width;
    const y = (i - x) / width;
    const across = reach(i, -1, x) + reach(i, 1, width - 1 - x) - 1;
    const down = reach(i, -width, y) + reach(i, width, height - 1 - y) - 1;
    if (across >= WIDE_PX && down >= WIDE_PX) wide++;
  }
  return wide >= WIDE_SHARE * some.length;
}

/**
 * Whether most of some pixels lie within straight strips of a color of their own, level or upright: between two others that are not pure either, all
 * three the same before and behind. What a strip of a pure color covers between two pixels that it covers in part is all of a pixel. On both sides it comes
 * to an end within a pixel or two, in one that is mixed of it and a pure color behind, the same one: of different ones either may have an edge there.
 */
function isWithin(
  { width, height, words, rgba }: WorkingPixels,
  some: readonly number[],
  isPure: (word: number) => boolean,
): boolean {
  const isStraight = (i: number, along: number) =>
    words[i - along] === words[i] && words[i + along] === words[i] && !isPure(words[i]);
  /** The pure color behind the pixel in which the strip comes to an end; NaN where it does not. */
  const beyond = (i: number, step: number) => {
    let k = 1;
    while (k < WIDE_PX && isNear(rgba, i + k * step, i)) k++;
    const end = i + k * step;
    const behind = end + step;
    const isEnd = isPure(words[behind]) && isMixture(rgba, 4 * end, [4 * i, 4 * behind]);
    return isEnd ? words[behind] : Number.NaN;
  };
  const isStrip = (i: number, along: number, across: number, before: number, behind: number) =>
    before > WIDE_PX &&
    behind > WIDE_PX &&
    isStraight(i, along) &&
    isStraight(i - across, along) &&
    isStraight(i + across, along) &&
    beyond(i, -across) === beyond(i, across);
  let within = 0;
  for (const i of some) {
    const x = i % width;
    const y = (i - x) / width;
    if (x === 0 || y === 0 || x + 1 === width || y + 1 === height) continue;
    if (isStrip(i, 1, width, y, height - 1 - y) || isStrip(i, width, 1, x, width - 1 - x)) within++;
  }
  return within >= WIDE_SHARE * some.length;
}

/** Whether two pixels are of one color but for what is nearly all of them. */
function isNear(rgba: Uint8Array, one: number, other: number): boolean {
  let off = 0;
  for (let c = 0; c < 4; c++) off += (rgba[4 * one + c] - rgba[4 * other + c]) ** 2;
  return off < PEAK_ALIKE_SQ;
}

function countBent({ width, height, words }: WorkingPixels, some: readonly number[]): number {
  let bent = 0;
  for (const i of some) {
    const x = i % width;
    const y = (i - x) / width;
    const isBeside = (x > 0 && words[i - 1] === words[i]) || (x + 1 < width && words[i + 1] === words[i]);
    const isAbove = (y > 0 && words[i - width] === words[i]) || (y + 1 < height && words[i + width] === words[i]);
    if (isBeside && isAbove) bent++;
  }
  return bent;
}

/**
 * The first of the colors from `first` on, but for those that lines of known colors leave, that is in line with a color and one of the picture's own: a mixture of these two, or farther out, so
 * that the color itself may be a mixture with that. -1 where there is none.
 */
function mostFrequentRival(
  colors: Uint8Array,
  color: number,
  first: number,
  own: readonly number[],
  ofLines: readonly number[],
): number {
  for (let rival = first; rival < colors.length / 4; rival++) {
    if (rival === color || ofLines.includes(rival) || isAlike(colors, rival, own, ALIKE_SQ)) continue;
    const isInLine = (from: number) =>
      isMixture(colors, rival * 4, [from * 4, color * 4]) || isMixture(colors, color * 4, [from * 4, rival * 4]);
    if (own.some(isInLine)) return rival;
  }
  return -1;
}
