import type { WorkingPixels } from '../intake/working-pixels.js';
import { toOklab } from '../math/oklab.js';
import { findBorderColors } from './border-colors.js';
import { type ColorTable, countColorSquares, countInteriorColors } from './color-counts.js';
import { type ColorPair, findMixtures, isPartOfLine, liesBetween } from './mixtures.js';
import { findStripColors } from './strip-colors.js';

/** The colors of a picture's flat areas. Channels are premultiplied, 0..255. */
export interface Palette {
  readonly size: number;
  /** Four per color: red, green, blue, alpha. */
  readonly channels: Float64Array;
  /** The exact color table the palette was chosen from. */
  readonly table: ColorTable;
  /** Per color of the table its palette color, or -1. */
  readonly entryOf: Int32Array;
  /** Those of the colors that have no interior, ascending. */
  readonly narrow: readonly number[];
}

/** Squares of a color that has no interior, from which it may be one of the picture's own. */
const LEAST_SQUARES = 2;
/** A color that others could be mixed to has so many, and does not lie between those two, where it is one of the picture's own. */
const MANY_SQUARES = 8;
/** A color is crisp where this share of its pixels have nothing mixed beside them; it is a mixture then only if it lies so near to the line between two (squared). */
const CRISP_SHARE = 0.75;
const CRISP_MIXTURE_SQ = 4 * 4;
/** With more colors than this some mixture is near to everything. */
const MOST_TO_MIX = 48;

/** A color with this share of the picture in its flat areas is seen beside one that it is near to, and merged only within a share of the distance. */
const LARGE_SHARE = 0.004;
const LARGE_DISTANCE = 0.4;

/** More colors than this are no flat art; labelling compares a pixel with few of them anyway. */
const MOST_COLORS = 512;

/**
 * Chooses the palette: the colors of flat interiors, most frequent first, each kept unless an accepted one is nearer than
 * `mergeDistance` in OKLab (over white and over black, so that opacity counts as color), or than less of it where both have large areas.
 * What is too near is merged.
 */
export function choosePalette(pixels: WorkingPixels, mergeDistance: number, leastCount: number): Palette {
  const table = countInteriorColors(pixels);
  const narrowWords = addNarrowColors(table, pixels, leastCount);
  const order = sortedByCount(table);
  const entryOf = new Int32Array(table.size).fill(-1);
  const labs = new Float64Array(6 * Math.min(table.size, MOST_COLORS) + 6);
  const words: number[] = [];
  const narrow: number[] = [];
  const bytes = new Uint8Array(4);
  const word = new Uint32Array(bytes.buffer);
  const lab = new Float64Array(6);
  const limitSq = mergeDistance * mergeDistance;
  const largeSq = limitSq * LARGE_DISTANCE * LARGE_DISTANCE;
  const largeCount = LARGE_SHARE * pixels.words.length;
  for (const index of order) {
    if (table.counts[index] < leastCount && words.length > 0) break;
    word[0] = table.words[index];
    toLabOverWhiteAndBlack(bytes, lab);
    const near = nearestEntry(lab, labs, words.length);
    if (near >= 0 && distanceSq(lab, labs, near) < (table.counts[index] >= largeCount ? largeSq : limitSq)) {
      entryOf[index] = near;
    } else if (words.length < MOST_COLORS) {
      labs.set(lab, words.length * 6);
      entryOf[index] = words.length;
      if (narrowWords.has(word[0])) narrow.push(words.length);
      words.push(word[0]);
    }
  }
  const channels = new Float64Array(words.length * 4);
  for (let k = 0; k < words.length; k++) {
    word[0] = words[k];
    channels.set(bytes, k * 4);
  }
  return { size: words.length, channels, table, entryOf, narrow };
}

/**
 * Gives colors that are seen in squares or strips only and are no mixtures of two that have interiors, or in a line along the picture's
 * border, a count with which they are taken into the palette behind all others. Returns them.
 */
function addNarrowColors(table: ColorTable, pixels: WorkingPixels, leastCount: number): ReadonlySet<number> {
  const known: number[] = [];
  const added = new Set<number>();
  const isKnown = (word: number) => {
    const found = table.find(word);
    return found >= 0 && table.counts[found] >= leastCount;
  };
  const add = (word: number) => {
    table.counts[table.indexOf(word)] = leastCount;
    added.add(word);
  };
  for (let k = 0; k < table.size; k++) if (table.counts[k] >= leastCount) known.push(table.words[k]);
  const bytesOf = (words: readonly number[]) => new Uint8Array(Uint32Array.from(words).buffer);
  findBorderColors(pixels, bytesOf(known)).forEach(add);
  known.push(...added);
  if (known.length === 0 || known.length > MOST_TO_MIX) return added;
  const bytes = bytesOf(known);
  if (known.length === 1) {
    // On a ground alone anything else may be a mixture with whatever is too thin to be known, but for lines on whole pixels.
    findStripColors(pixels, bytes, isKnown, true).forEach(add);
    return added;
  }
  const squares = countColorSquares(pixels);
  for (let k = 0; k < squares.size; k++) {
    if (squares.counts[k] < LEAST_SQUARES) continue;
    const word = squares.words[k];
    if (isKnown(word)) continue;
    const color = bytesOf([word]);
    const isOwn = (pair: ColorPair) => squares.counts[k] >= MANY_SQUARES && !liesBetween(pixels, word, bytes, pair);
    const isNoMixture = () =>
      findMixtures(color, bytes, CRISP_MIXTURE_SQ).length === 0 && isCrisp(pixels, word, isKnown);
    if (!findMixtures(color, bytes).every(isOwn) && !isNoMixture()) continue;
    add(word);
  }
  findStripColors(pixels, bytes, isKnown).forEach(add);
  return added;
}

/** Whether all pixels of a color, but for a few, have none beside, above or below them but such and those of known colors: nothing of it is mixed with anything. */
function isCrisp(
  { width, height, words, runs }: WorkingPixels,
  word: number,
  isKnown: (word: number) => boolean,
): boolean {
  let seen = 0;
  let crisp = 0;
  const isPure = (other: number) => other === word || isKnown(other);
  for (let r = 0; r < runs.count; r++) {
    if (words[runs.starts[r]] !== word) continue;
    for (let i = runs.starts[r]; i < runs.starts[r + 1]; i++) {
      const x = i % width;
      seen++;
      if (x > 0 && !isPure(words[i - 1])) continue;
      if (x + 1 < width && !isPure(words[i + 1])) continue;
      if (i >= width && !isPure(words[i - width])) continue;
      if (i + width < width * height && !isPure(words[i + width])) continue;
      crisp++;
    }
  }
  return crisp >= CRISP_SHARE * seen;
}

/**
 * The palette without those colors that have no interior and are what fine lines leave, over the color of one that has, where they fill two
 * rows or columns in part. `channels` are the palette's and those found since, behind; `ofLines` are the numbers of those that many
 * fine lines have. Undefined where there is no such color.
 */
export function withoutMixtures(
  palette: Palette,
  channels: Float64Array,
  ofLines: readonly number[],
  pixels: WorkingPixels,
): Palette | undefined {
  const { size, narrow } = palette;
  if (narrow.length === 0 || ofLines.length === 0 || channels.length / 4 > MOST_TO_MIX) return undefined;
  const isNarrow = (k: number) => narrow.includes(k);
  const others = Uint8Array.from(channels, Math.round);
  const isDropped = new Uint8Array(size);
  for (const k of narrow) {
    const color = Uint8Array.from(palette.channels.subarray(k * 4, k * 4 + 4));
    const word = new Uint32Array(color.buffer)[0];
    const pairs = findMixtures(color, others).filter(
      ([p, q]) => p < size * 4 && !isNarrow(p / 4) && ofLines.includes(q / 4),
    );
    if (pairs.some((pair) => isPartOfLine(pixels, word, others, pair))) isDropped[k] = 1;
  }
  return isDropped.includes(1) ? withoutColors(palette, isDropped) : undefined;
}

/** The palette without some of its colors (1): those of the table that had become one of these have none. */
export function withoutColors({ size, channels, table, entryOf, narrow }: Palette, isDropped: Uint8Array): Palette {
  const to = new Int32Array(size).fill(-1);
  let count = 0;
  for (let k = 0; k < size; k++) if (isDropped[k] === 0) to[k] = count++;
  return {
    size: count,
    channels: channels.filter((_, at) => isDropped[at >> 2] === 0),
    table,
    entryOf: entryOf.map((k) => (k < 0 ? k : to[k])),
    narrow: narrow.filter((k) => isDropped[k] === 0).map((k) => to[k]),
  };
}

/** Numbers of the table's colors, most frequent first; equals in the order first met. */
function sortedByCount(table: ColorTable): Int32Array {
  const order = new Int32Array(table.size);
  for (let i = 0; i < order.length; i++) order[i] = i;
  const { counts } = table;
  return order.sort((a, b) => counts[b] - counts[a] || a - b);
}

function toLabOverWhiteAndBlack(premultiplied: Uint8Array, out: Float64Array): void {
  const [r, g, b, alpha] = premultiplied as unknown as [number, number, number, number];
  const white = 255 - alpha;
  toOklab(Math.min(255, r + white), Math.min(255, g + white), Math.min(255, b + white), out, 0);
  toOklab(r, g, b, out, 3);
}

function distanceSq(lab: Float64Array, labs: Float64Array, k: number): number {
  const at = k * 6;
  const white = (lab[0] - labs[at]) ** 2 + (lab[1] - labs[at + 1]) ** 2 + (lab[2] - labs[at + 2]) ** 2;
  const black = (lab[3] - labs[at + 3]) ** 2 + (lab[4] - labs[at + 4]) ** 2 + (lab[5] - labs[at + 5]) ** 2;
  return Math.max(white, black);
}

function nearestEntry(lab: Float64Array, labs: Float64Array, count: number): number {
  let best = -1;
  let least = Infinity;
  for (let k = 0; k < count; k++) {
    const d = distanceSq(lab, labs, k);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}
