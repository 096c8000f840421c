import type { WorkingPixels } from '../intake/working-pixels.js';
import { groundAt, isAlike, type Strand, type StrokeSection } from './stroke-sections.js';

/** Strokes that lean by more than this are looked at the other way, px a row. */
const STEEPEST = 1.1;
/**
 * A stroke tells how wide it is where it goes on for so many rows (letters' stems, mostly, for fewer) and moves aside by so much, px, and those of one kind where they lie
 * everywhere within their pixels: the mean of their places on a circle is this near to its center.
 */
const LEAST_ROWS = 6;
const LEAST_WAY_PX = 0.8;
const MOST_IN_PLACE = 0.5;
/** Strokes are of one kind where they have (nearly) as much ink. */
const LIKE_SHARE = 0.2;
/** So many sections tell. */
export const LEAST_SECTIONS = 60;
/** Widths that tell what a stroke is of, px: what is thinner shows less than rounding and curves move, and what is wider is seen as it is. */
const NARROWEST = 0.6;
const WIDEST = 1.8;
/** Standard deviation of a section's spread, px²: what its place within its pixels makes of it. Sections of one stroke that follow each other are no better than so many times fewer. */
const SPREAD_DEVIATION = 0.075;
const ALIKE_ROWS = 2;
/** Colors nearer than so many levels (four channels), than so many standard errors, or than such a share of the contrast are the same: curves and whatever is near move a stroke's, too. */
const SAME_LEVELS = 24;
const SAME_ERRORS = 3.5;
const SAME_SHARE = 0.12;
/** No color is by more than so many levels, or standard errors, beyond what can be shown. */
const MOST_BEYOND = 6;
const BEYOND_ERRORS = 2;
/** No pixel of a section has so many times as much as all of it would be. */
const MOST_TIMES = 1.1;
/** What pixels have most often is a stroke's color, where so many have that and it is no farther from what was measured than so many levels, or standard errors. */
const LEAST_SEEN = 3;
const SEEN_LEVELS = 1.2;
const SEEN_ERRORS = 1.5;
const STEPS = 40;
const TERMS = 6;
const SLOPES = 16;

/** A kind of strokes: on the same grounds, with as much ink a px. */
export interface StrokeKind {
  /** What it is of: four premultiplied channels. */
  readonly color: Float64Array;
  /** How far that may be off, levels (a standard error). */
  readonly error: number;
  /** How far that is from its grounds, levels. */
  readonly contrast: number;
  readonly widthPx: number;
  readonly sections: readonly StrokeSection[];
}

/**
 * Tells what strokes are of that cover few pixels whole, or none. Every pixel of a gray circle is a mixture of black and white: it may as well be a black hairline. But of
 * two strokes with as much ink the wide one is spread over more pixels, and how far, on average, tells how wide it is, whatever it is of: to some hundredths of a pixel.
 */
export function findStrokeKinds(
  { rgba, words }: WorkingPixels,
  channels: Float64Array,
  strands: readonly Strand[],
): readonly StrokeKind[] {
  const kinds: StrokeKind[] = [];
  for (const alike of alikeOf(strands)) {
    const kind = measure(alike, rgba, channels);
    if (kind !== undefined) kinds.push(asSeen(kind, rgba, words));
  }
  return kinds.sort((a, b) => b.sections.length - a.sections.length);
}

/** How far the color that strokes are of may be from what was measured, levels. */
export const farthestOf = ({ error, contrast }: StrokeKind) =>
  Math.max(SAME_LEVELS, SAME_ERRORS * error, SAME_SHARE * contrast);

interface Alike {
  readonly ink: Float64Array;
  readonly strands: Strand[];
}

function alikeOf(strands: readonly Strand[]): readonly Alike[] {
  const found = new Map<number, Alike[]>();
  const telling = strands.filter(isTelling).sort((a, b) => b.sections.length - a.sections.length);
  for (const strand of telling) {
    const { before, behind } = strand.sections[0];
    const grounds = Math.min(before, behind) * 0x10000 + Math.max(before, behind);
    const ink = inkOf(strand);
    const some = found.get(grounds) ?? [];
    const known = some.find((alike) => isAlike(alike.ink, ink, LIKE_SHARE));
    if (known === undefined) some.push({ ink, strands: [strand] });
    else known.strands.push(strand);
    found.set(grounds, some);
  }
  return [...found.values()].flat();
}

function isTelling({ sections, slopes }: Strand): boolean {
  if (sections.length < LEAST_ROWS) return false;
  let least = Infinity;
  let most = -Infinity;
  let leaning = 0;
  for (const { place } of sections) {
    least = Math.min(least, place);
    most = Math.max(most, place);
  }
  for (const slope of slopes) leaning += Math.abs(slope);
  return most - least >= LEAST_WAY_PX && leaning <= STEEPEST * slopes.length;
}

/** How much ink a stroke has for each px of its length, per px of its width: levels in four channels. */
function inkOf({ sections, slopes }: Strand): Float64Array {
  const ink = new Float64Array(4);
  for (let n = 0; n < sections.length; n++)
    for (let c = 0; c < 4; c++) ink[c] += sections[n].ink[c] / Math.hypot(1, slopes[n]) / sections.length;
  return ink;
}

/** How wide strokes are, and so what they are of; undefined where that is not to be told. */
function measure({ strands }: Alike, rgba: Uint8Array, channels: Float64Array): StrokeKind | undefined {
  const slopes = new Int32Array(SLOPES);
  const sections: StrokeSection[] = [];
  const leaning: number[] = [];
  let spread = 0;
  let cos = 0;
  let sin = 0;
  for (const strand of strands) {
    strand.sections.forEach((section, n) => {
      const slope = Math.abs(strand.slopes[n]);
      if (slope > STEEPEST) return;
      slopes[Math.min(SLOPES - 1, Math.floor((slope / STEEPEST) * SLOPES))]++;
      spread += section.spread;
      cos += Math.cos(2 * Math.PI * section.place);
      sin += Math.sin(2 * Math.PI * section.place);
      sections.push(section);
      leaning.push(slope);
    });
  }
  const count = sections.length;
  if (count < LEAST_SECTIONS || Math.hypot(cos, sin) > MOST_IN_PLACE * count) return undefined;
  const widthPx = widthOf(spread / count, slopes, count);
  if (!(widthPx >= NARROWEST && widthPx <= WIDEST)) return undefined;
  const color = new Float64Array(4);
  let contrast = 0;
  sections.forEach((section, n) => {
    const wide = widthPx * Math.hypot(1, leaning[n]);
    addColor(rgba, channels, section, wide, color);
    contrast += Math.hypot(...section.ink) / wide / count;
  });
  const perPx = (meanSpread(widthPx * 1.05, slopes, count) - meanSpread(widthPx, slopes, count)) / (0.05 * widthPx);
  const errorPx = (SPREAD_DEVIATION * Math.sqrt(ALIKE_ROWS / count)) / perPx;
  const error = (contrast * errorPx) / widthPx;
  for (let c = 0; c < 4; c++) {
    const level = color[c] / count;
    color[c] = Math.max(0, Math.min(255, level));
    if (Math.abs(level - color[c]) > Math.max(MOST_BEYOND, BEYOND_ERRORS * error)) return undefined;
  }
  return { color, error, contrast, widthPx, sections };
}

/** Adds what a section's stroke is of, if it is so wide: what is left of its pixels without their grounds. */
function addColor(
  rgba: Uint8Array,
  channels: Float64Array,
  { first, count, step, before, behind, middle }: StrokeSection,
  wide: number,
  color: Float64Array,
): void {
  const ofBefore = middle + 0.5 - wide / 2;
  const ofBehind = count - wide - ofBefore;
  for (let c = 0; c < 4; c++) {
    let sum = -ofBefore * channels[before * 4 + c] - ofBehind * channels[behind * 4 + c];
    for (let n = 0; n < count; n++) sum += rgba[4 * (first + n * step) + c];
    color[c] += sum / wide;
  }
}

/** A kind in the color that is seen most of those that it may be, if one is. */
function asSeen(kind: StrokeKind, rgba: Uint8Array, words: Uint32Array): StrokeKind {
  const { color, sections, error } = kind;
  const mostSq = Math.max(SEEN_LEVELS, SEEN_ERRORS * error) ** 2;
  const counts = new Map<number, number>();
  let best = -1;
  for (const { first, count, step } of sections) {
    for (let n = 0; n < count; n++) {
      const pixel = first + n * step;
      let offSq = 0;
      for (let c = 0; c < 4; c++) offSq += (rgba[4 * pixel + c] - color[c]) ** 2;
      if (offSq > mostSq) continue;
      const seen = (counts.get(words[pixel]) ?? 0) + 1;
      counts.set(words[pixel], seen);
      if (best < 0 || seen > (counts.get(words[best]) as number)) best = pixel;
    }
  }
  if (best < 0 || (counts.get(words[best]) as number) < LEAST_SEEN) return kind;
  return { ...kind, color: Float64Array.from(rgba.subarray(4 * best, 4 * best + 4)) };
}

/** How wide strokes are, px, that are spread so far on average; `slopes` are how many of them lean by how much. */
function widthOf(spread: number, slopes: Int32Array, count: number): number {
  let from = 0;
  let to = 2 * WIDEST;
  for (let k = 0; k < STEPS; k++) {
    const width = (from + to) / 2;
    if (meanSpread(width, slopes, count) < spread) from = width;
    else to = width;
  }
  return (from + to) / 2;
}

function meanSpread(width: number, slopes: Int32Array, count: number): number {
  let sum = 0;
  for (let s = 0; s < SLOPES; s++)
    if (slopes[s] > 0) sum += (slopes[s] / count) * spreadOf(width, ((s + 0.5) / SLOPES) * STEEPEST);
  return sum;
}

/**
 * How far a stroke is spread, px², that is so wide and moves aside by so much from row to row, around the mean of the pixels that it covers in part, on average over all places
 * within them. Pixels add a twelfth to the variance of what they take together (Sheppard 1898), but where a stroke lies within one, their mean moves with them: what rounding moves
 * it by is, over all places, the sum of its harmonics.
 */
export function spreadOf(width: number, slope: number): number {
  const wide = width * Math.hypot(1, slope);
  let moved = 0;
  for (let k = 1; k <= TERMS; k++) moved += ((sinc(k * wide) * sinc(k * slope)) / k) ** 2;
  return (wide * wide + slope * slope + 1) / 12 - moved / (2 * Math.PI * Math.PI);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/**
 * How much of a section is of a color, px, and how much of its fullest pixel; undefined where it is not of that color: where its ink is another one, or a pixel has more of it than all.
 */
export function sharesOf(
  section: StrokeSection,
  color: ArrayLike<number>,
  rgba: Uint8Array,
  channels: Float64Array,
): { readonly widthPx: number; readonly shares: Float64Array } | undefined {
  const { first, count, step, before, behind, fullest, ink } = section;
  const p = 4 * before;
  const q = 4 * behind;
  const way = new Float64Array(4);
  let waySq = 0;
  if (fullest < 0)
    for (let c = 0; c < 4; c++) {
      way[c] = channels[q + c] - channels[p + c];
      waySq += way[c] * way[c];
    }
  /** Four levels of pixel `n` off its ground. */
  const offGround = (levels: ArrayLike<number>, at: number, n: number, off: Float64Array) => {
    let along = 0;
    for (let c = 0; c < 4; c++) {
      off[c] = levels[at + c] - (fullest < 0 ? channels[p + c] : groundAt(channels, p, q, n, fullest, c));
      along += off[c] * way[c];
    }
    if (waySq > 0) for (let c = 0; c < 4; c++) off[c] -= (along / waySq) * way[c];
    return off;
  };
  const contrast = new Float64Array(4);
  const off = new Float64Array(4);
  const shares = new Float64Array(count);
  let widthPx = 0;
  let inkSq = 0;
  let beside = 0;
  for (let n = 0; n < count; n++) {
    offGround(color, 0, n, contrast);
    offGround(rgba, 4 * (first + n * step), n, off);
    let contrastSq = 0;
    for (let c = 0; c < 4; c++) {
      shares[n] += off[c] * contrast[c];
      contrastSq += contrast[c] ** 2;
    }
    shares[n] = contrastSq > 0 ? shares[n] / contrastSq : 0;
    if (shares[n] > MOST_TIMES) return undefined;
    for (let c = 0; c < 4; c++) beside += (off[c] - shares[n] * contrast[c]) ** 2;
    widthPx += shares[n];
  }
  for (let c = 0; c < 4; c++) inkSq += ink[c] ** 2;
  return widthPx > 0 && beside <= (LIKE_SHARE / 2) ** 2 * inkSq ? { widthPx, shares } : undefined;
}
