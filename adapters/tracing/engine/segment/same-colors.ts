import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorsAround } from './explain-again.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { type FoundThinColors, LIKE_SQ, MANY_PIXELS } from './rescue-thin-colors.js';
import { ThreeColors } from './three-colors.js';
import { withColor } from './with-color.js';

/** Levels (in four channels, squared) from its mixture from which a pixel is not explained: more than rounding leaves. */
const UNEXPLAINED_SQ = 6 * 6;
/** Pixels of the very same color that make it one, two of them side by side. */
const LEAST_PIXELS = 4;
/** And of those that are not explained: where there are very many, as along fine lines, some are the same by chance. */
const LEAST_OPEN = 0.02;
/** A pixel this near to a mixture of three colors, levels squared, is one. */
const MIXED_SQ = 3 * 3;
/** Where more pixels than these are not explained, the picture is no flat art, or large and full of fine lines. */
const MOST_OPEN = 1 << 14;
/** With more colors than these some would explain anything; and so many are found at most. */
const MOST_COLORS = 48;
const MOST_FOUND = 16;
/** How far around a pixel the colors it may be mixed with are looked for. */
const REACH = 2;
/** Where all there is are strokes of one ink: on the way from their ground to it lies this share of what is not explained. */
const ONE_INK_SHARE = 0.8;
/**
 * A pixel is farther out on that way than a color that has at most this share of what it is of. Where so many times as many pixels as have the color are,
 * or some are, and so many times as many are on the way, the color is a mixture itself.
 */
const BEYOND_SHARE = 0.97;
const BEYOND_TIMES = 3;
const SOME_BEYOND_TIMES = 0.1;
const ON_WAY_TIMES = 10;
/** How far off that way, levels squared, a pixel may be. */
const ON_WAY_SQ = 6 * 6;

/**
 * Finds the colors of shapes that are a pixel or two wide, as the iris of a small eye: pixels, some of them side by side, that have the very same color,
 * which no mixture leaves of all of them, and that the colors around them do not quite explain. Their neighbors are explained anew with these. `flat`
 * changes in place; returns the palette's channels, with the colors found behind, and which of these many fine lines have.
 */
export function findSameColors(pixels: WorkingPixels, channels: Float64Array, flat: FlatLabels): FoundThinColors {
  const { mixed, errors, others, labels } = flat;
  const ofLines: number[] = [];
  if (others === undefined) return { channels, ofLines };
  let palette = channels;
  let open: number[] = [];
  for (let k = 0; k < mixed.length && open.length <= MOST_OPEN; k++) if (errors[k] > UNEXPLAINED_SQ) open.push(k);
  if (open.length > MOST_OPEN) return { channels, ofLines };
  for (let found = 0; found < MOST_FOUND && palette.length / 4 < MOST_COLORS; found++) {
    const pixel = mostFrequent(pixels, palette, flat, open);
    if (pixel < 0) break;
    const color = palette.length / 4;
    palette = withColor(palette, pixels.rgba.subarray(pixel * 4, pixel * 4 + 4));
    const unmixer = new Unmixer(pixels.rgba, palette);
    if (open.filter((k) => unmixer.distanceSq(mixed[k], color) < LIKE_SQ).length >= MANY_PIXELS) ofLines.push(color);
    const explained = open.map((k) => {
      unmixer.error = errors[k];
      unmixer.label = labels[mixed[k]];
      unmixer.other = others[k];
      explain(unmixer, pixels, labels, mixed[k], color, channels.length / 4);
      return [unmixer.label, unmixer.other, unmixer.error] as const;
    });
    open.forEach((k, n) => {
      [labels[mixed[k]], others[k], errors[k]] = explained[n];
    });
    open = open.filter((k) => errors[k] > UNEXPLAINED_SQ);
  }
  return { channels: palette, ofLines };
}

/** A pixel of the color that most of the open ones have, of those that enough of them have; -1 where there is none. */
function mostFrequent(
  pixels: WorkingPixels,
  palette: Float64Array,
  { mixed, labels }: FlatLabels,
  open: readonly number[],
): number {
  const { words, width } = pixels;
  const counts = new Map<number, number>();
  const besides = new Map<number, number>();
  const isOpen = new Set(open.map((k) => mixed[k]));
  // Along an edge that runs along the pixels' own, what is beside two pixels is the same as well, and they are of what meets there.
  const isSame = (pixel: number, along: number, across: number) =>
    isOpen.has(pixel + along) &&
    words[pixel + along] === words[pixel] &&
    words[pixel + across] !== words[pixel + along + across] &&
    words[pixel - across] !== words[pixel + along - across];
  for (const pixel of isOpen) {
    counts.set(words[pixel], (counts.get(words[pixel]) ?? 0) + 1);
    if (((pixel + 1) % width !== 0 && isSame(pixel, 1, width)) || isSame(pixel, width, 1))
      besides.set(words[pixel], pixel);
  }
  const countOf = (word: number) => counts.get(word) as number;
  const least = Math.max(LEAST_PIXELS, LEAST_OPEN * open.length);
  const enough = [...besides].filter(([word]) => countOf(word) >= least);
  enough.sort(([a], [b]) => countOf(b) - countOf(a) || a - b);
  const isNone = (pixel: number) =>
    isOnTheWay(pixels, palette, labels, pixel, isOpen, countOf(words[pixel])) ||
    isOfThree(pixels, palette, labels, pixel);
  return enough.find(([, pixel]) => !isNone(pixel))?.[1] ?? -1;
}

/**
 * Whether a pixel's color lies on the way from its ground to one that very many pixels come nearer to than it: lines of text stand on the same place of
 * their rows, so that strokes along these leave the same mixture time and again.
 */
function isOnTheWay(
  { rgba }: WorkingPixels,
  channels: Float64Array,
  labels: Int32Array,
  pixel: number,
  open: ReadonlySet<number>,
  count: number,
): boolean {
  const from = labels[pixel] * 4;
  const way = new Float64Array(4);
  let lengthSq = 0;
  for (let c = 0; c < 4; c++) {
    way[c] = rgba[pixel * 4 + c] - channels[from + c];
    lengthSq += way[c] ** 2;
  }
  let beyond = 0;
  let onWay = 0;
  for (const other of open) {
    let along = 0;
    for (let c = 0; c < 4; c++) along += way[c] * (rgba[other * 4 + c] - channels[from + c]);
    const times = along / lengthSq;
    let off = 0;
    for (let c = 0; c < 4; c++) off += (rgba[other * 4 + c] - channels[from + c] - times * way[c]) ** 2;
    if (off > ON_WAY_SQ * Math.max(1, times * times)) continue;
    onWay++;
    if (times * BEYOND_SHARE >= 1) beyond++;
  }
  if (onWay < ONE_INK_SHARE * open.size) return false;
  return beyond >= BEYOND_TIMES * count || (beyond >= SOME_BEYOND_TIMES * count && onWay >= ON_WAY_TIMES * count);
}

/** Whether a pixel is a mixture of three colors around it: where a line lies along rows between two others, all its pixels are of the same one. */
function isOfThree(pixels: WorkingPixels, channels: Float64Array, labels: Int32Array, pixel: number): boolean {
  const around = new ColorsAround(pixels, labels, channels.length / 4);
  const mixture = new ThreeColors();
  return mixture.nearest(pixels.rgba, pixel, channels, around.colors, around.find(pixel), MIXED_SQ) < MIXED_SQ;
}

/** Tries a color by itself, with those around a pixel, and with those that were found before, behind the first `known`. */
function explain(
  unmixer: Unmixer,
  { width, height }: WorkingPixels,
  labels: Int32Array,
  pixel: number,
  color: number,
  known: number,
): void {
  unmixer.tryColor(pixel, color, unmixer.error);
  for (let other = known; other < color; other++) unmixer.tryPair(pixel, color, other);
  const y = Math.floor(pixel / width);
  const x = pixel - y * width;
  for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++)
    for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++)
      if (labels[v * width + u] !== color) unmixer.tryPair(pixel, color, labels[v * width + u]);
}
