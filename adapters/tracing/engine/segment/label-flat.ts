import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import { fillRun } from '../math/lists.js';
import { isOfThinLine } from '../quantize/mixtures.js';
import type { Palette } from '../quantize/palette.js';

/** How far around a pixel the colors it may be a mixture of are looked for. */
const FARTHEST = 3;
/** Levels from a pixel (in four channels) from which two colors do not explain it: others a little farther are tried, and it may be of none. */
export const UNEXPLAINED = 24;
/** A color from elsewhere must explain a pixel this well (squared). */
const KNOWN_SQ = 12 * 12;
/** With more colors than these some, from wherever, would explain a pixel by chance. */
export const MOST_KNOWN = 32;
/** Pixels of the same pale color from which it is the color of a thin line itself. */
const SAME_PIXELS = 6;
/** How far around such pixels others may have a little of it. */
const BESIDE_PX = 2;
/** By how much farther (squared) from the ground the pixels of a line itself are than those beside it. */
const PALER_SQ = 1.3 * 1.3;

export interface FlatLabels {
  /** Per pixel its palette color. */
  readonly labels: Int32Array;
  /** The pixels that have no palette color exactly, ascending, and how far each is from its best mixture, squared. */
  readonly mixed: Int32Array;
  readonly errors: Float64Array;
  /** Per mixed pixel the color that covers less of it; -1 where there is none. */
  readonly others?: Int32Array;
  /** Those of the mixed pixels that are all of one color, and so of a thin line's own. */
  readonly pale?: readonly number[];
}

/**
 * Gives every pixel a palette color. A pixel of exactly a palette color gets it; any other is taken for a mixture of two
 * colors that lie near it, the pair that explains it best, and gets the one that covers more of it.
 */
export function labelFlat(pixels: WorkingPixels, palette: Palette): FlatLabels {
  const { width, height, words } = pixels;
  const labels = arena.rawInt32(width * height);
  const mixed = new Int32Array(labelPure(pixels, palette, labels));
  listMixed(pixels, labels, mixed);
  const unmixer = new Unmixer(pixels.rgba, palette.channels);
  const labeler = new MixedLabeler(pixels, palette, labels, mixed, unmixer);
  for (let k = 0; k < mixed.length; k++) labeler.label(k);
  const { chosen, errors, others, palest } = labeler;
  for (let k = 0; k < mixed.length; k++) labels[mixed[k]] = chosen[k];
  const often = sameOften(palest, mixed, words);
  const thin = wordsOfThinLines(often, mixed, words, labels, others, unmixer, width);
  const pale = often.filter((k) => !thin.has(words[mixed[k]]));
  for (const k of beside(palest, pale, mixed, width)) errors[k] = unmixer.distanceSq(mixed[k], chosen[k]);
  return { labels, mixed, errors, others, pale };
}

/** Labels the pixels of exactly a palette color, the others with -1; returns how many these are. */
function labelPure({ words, runs }: WorkingPixels, { table, entryOf }: Palette, labels: Int32Array): number {
  const { starts, count } = runs;
  let unknown = 0;
  for (let r = 0; r < count; r++) {
    const from = starts[r];
    const to = starts[r + 1];
    const found = table.find(words[from]);
    const label = found < 0 ? -1 : entryOf[found];
    fillRun(labels, label, from, to);
    if (label < 0) unknown += to - from;
  }
  return unknown;
}

function listMixed({ runs }: WorkingPixels, labels: Int32Array, mixed: Int32Array): void {
  const { starts, count } = runs;
  for (let r = 0, k = 0; r < count; r++) {
    if (labels[starts[r]] >= 0) continue;
    for (let i = starts[r]; i < starts[r + 1]; i++) mixed[k++] = i;
  }
}

/** Finds what the pixels that have no palette color exactly are mixtures of. */
class MixedLabeler {
  /** Per mixed pixel the color that covers more of it, its squared distance from the mixture, and the other color (or -1). */
  readonly chosen: Int32Array;
  readonly errors: Float64Array;
  readonly others: Int32Array;
  /** Pixels that may have a little of a color that is nowhere near; at the picture's border they may be the edge of what lies beyond. */
  readonly palest: number[] = [];
  private readonly width: number;
  private readonly height: number;
  private readonly labels: Int32Array;
  private readonly mixed: Int32Array;
  private readonly unmixer: Unmixer;
  private readonly nearest: NearestColors;
  private readonly size: number;
  /** Per color the search that met it last, and the colors the search at hand has met. */
  private readonly seen: Int32Array;
  private readonly candidates: Int32Array;

  constructor(
    { width, height, words }: WorkingPixels,
    palette: Palette,
    labels: Int32Array,
    mixed: Int32Array,
    unmixer: Unmixer,
  ) {
    this.width = width;
    this.height = height;
    this.labels = labels;
    this.mixed = mixed;
    this.unmixer = unmixer;
    this.nearest = new NearestColors(unmixer, palette, words);
    this.size = palette.size;
    this.chosen = new Int32Array(mixed.length);
    this.errors = new Float64Array(mixed.length);
    this.others = new Int32Array(mixed.length);
    this.seen = new Int32Array(palette.size);
    this.candidates = new Int32Array(palette.size);
  }

  label(k: number): void {
    const { width, height, unmixer, candidates } = this;
    const i = this.mixed[k];
    const y = (i / width) | 0;
    const x = i - y * width;
    let count = 0;
    let error = Infinity;
    // Farther where no color is near, or those that are near explain nothing.
    for (let reach = 1; reach <= FARTHEST && error > UNEXPLAINED ** 2; reach++) {
      const before = count;
      count = this.lookAround(x, y, reach, k * FARTHEST + reach);
      if (count < 2 || count === before) continue;
      unmixer.unmix(i, candidates, count);
      error = unmixer.error;
    }
    if (count < 2) {
      this.nearest.find(i);
      if (count === 1 && this.size <= MOST_KNOWN) {
        const isGuess = unmixer.unmixFrom(i, candidates[0], this.size);
        const isInside = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
        if (isGuess && isInside && unmixer.label === candidates[0] && isFarthest(unmixer, i, candidates[0], width))
          this.palest.push(k);
      }
    }
    this.chosen[k] = unmixer.label;
    this.errors[k] = unmixer.error;
    this.others[k] = unmixer.other;
  }

  /** Lists the colors that pixels up to `reach` px away have exactly, each once; returns how many. Every search has its own tag. */
  private lookAround(x: number, y: number, reach: number, tag: number): number {
    const { width, height, labels, seen, candidates } = this;
    const top = y > reach ? y - reach : 0;
    const bottom = y + reach < height ? y + reach : height - 1;
    const left = x > reach ? x - reach : 0;
    const right = x + reach < width ? x + reach : width - 1;
    let count = 0;
    for (let v = top; v <= bottom; v++) {
      for (let j = v * width + left, end = v * width + right; j <= end; j++) {
        const label = labels[j];
        if (label >= 0 && seen[label] !== tag) {
          seen[label] = tag;
          candidates[count++] = label;
        }
      }
    }
    return count;
  }
}

/** Whether no pixel around one (within the picture) is plainly farther from a color: those beside a line are paler than the line. */
function isFarthest(unmixer: Unmixer, pixel: number, color: number, width: number): boolean {
  const limit = PALER_SQ * unmixer.distanceSq(pixel, color);
  for (let v = -width; v <= width; v += width)
    for (let u = -1; u <= 1; u++) if (unmixer.distanceSq(pixel + v + u, color) > limit) return false;
  return true;
}

/**
 * Those of some mixed pixels whose exact color as many of them have: what a line leaves in its pixels differs from one to the next, but what
 * it is of does not.
 */
function sameOften(some: readonly number[], mixed: Int32Array, words: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const k of some) counts.set(words[mixed[k]], (counts.get(words[mixed[k]]) ?? 0) + 1);
  return some.filter((k) => (counts.get(words[mixed[k]]) as number) >= SAME_PIXELS);
}

/**
 * Of the colors that some mixed pixels (inside the picture) all have, those of a line thinner than a pixel, as long as it lies within one row or
 * column: where it goes over to the next, two pixels together have as much of it, and before that there is none of it beside it. A
 * paler line, which is wider, is never within one.
 */
function wordsOfThinLines(
  some: readonly number[],
  mixed: Int32Array,
  words: Uint32Array,
  labels: Int32Array,
  others: Int32Array,
  unmixer: Unmixer,
  width: number,
): ReadonlySet<number> {
  const thin = new Set<number>();
  for (const k of some) {
    const i = mixed[k];
    if (thin.has(words[i])) continue;
    if (isOfThinLine(words, width, i, (pixel) => unmixer.share(pixel, others[k], labels[i]))) thin.add(words[i]);
  }
  return thin;
}

/** Those of some mixed pixels that are within two px of one of others (both ascending), these included. */
function beside(
  some: readonly number[],
  others: readonly number[],
  mixed: Int32Array,
  width: number,
): readonly number[] {
  const isBeside = new Uint8Array(some.length);
  for (let v = -BESIDE_PX; v <= BESIDE_PX; v++) {
    let o = 0;
    for (let n = 0; n < some.length; n++) {
      const middle = mixed[some[n]] + v * width;
      while (o < others.length && mixed[others[o]] < middle - BESIDE_PX) o++;
      if (o === others.length) break;
      if (mixed[others[o]] <= middle + BESIDE_PX) isBeside[n] = 1;
    }
  }
  return some.filter((_, n) => isBeside[n] === 1);
}

/**
 * The nearest palette colors of pixels, looked for once for every color of the picture's flat areas: where there are more of these than a
 * palette takes, most of the picture is none of its colors.
 */
class NearestColors {
  private readonly unmixer: Unmixer;
  private readonly palette: Palette;
  private readonly words: Uint32Array;
  private readonly labels: Int32Array;
  private readonly errors: Float64Array;

  constructor(unmixer: Unmixer, palette: Palette, words: Uint32Array) {
    this.unmixer = unmixer;
    this.palette = palette;
    this.words = words;
    this.labels = new Int32Array(palette.table.size).fill(-1);
    this.errors = new Float64Array(palette.table.size);
  }

  /** Leaves the answer with the unmixer, as if it had been looked for there. */
  find(pixel: number): void {
    const { unmixer, labels, errors } = this;
    const known = this.palette.table.find(this.words[pixel]);
    if (known >= 0 && labels[known] >= 0) {
      unmixer.label = labels[known];
      unmixer.error = errors[known];
      unmixer.other = -1;
      return;
    }
    unmixer.nearest(pixel, this.palette.size);
    if (known < 0) return;
    labels[known] = unmixer.label;
    errors[known] = unmixer.error;
  }
}

/** Explains single pixels by palette colors and mixtures of two. */
export class Unmixer {
  /** What the pixel looked at last is, for the larger part, and its squared distance from the explanation. */
  label = 0;
  error = 0;
  /** The other color of the mixture that explains it; -1 where it is none. */
  other = -1;
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;

  constructor(rgba: Uint8Array, channels: Float64Array) {
    this.rgba = rgba;
    this.channels = channels;
  }

  /** Squared distance of a pixel from a palette color. */
  distanceSq(pixel: number, color: number): number {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (this.rgba[pixel * 4 + c] - this.channels[color * 4 + c]) ** 2;
    return d;
  }

  /** How much of a pixel one color covers and not the other, 0..1, as a mixture of these. */
  share(pixel: number, color: number, ground: number): number {
    const { rgba, channels } = this;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const origin = channels[ground * 4 + c];
      const d = channels[color * 4 + c] - origin;
      dot += (rgba[pixel * 4 + c] - origin) * d;
      lengthSq += d * d;
    }
    const share = lengthSq > 0 ? dot / lengthSq : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
  }

  /** Takes a color for the explanation where the pixel is nearer to it than `limitSq`, squared; returns whether it is. */
  tryColor(pixel: number, color: number, limitSq: number): boolean {
    const error = this.distanceSq(pixel, color);
    if (error >= limitSq) return false;
    this.error = error;
    this.label = color;
    this.other = -1;
    return true;
  }

  /** As `tryPair`, where the pixel has at least so much of the first color. */
  tryMostly(pixel: number, color: number, beside: number, least: number): void {
    const { label, error, other } = this;
    this.tryPair(pixel, color, beside);
    if (this.error === error) return;
    if (this.label === color && this.share(pixel, color, beside) >= least) return;
    this.label = label;
    this.error = error;
    this.other = other;
  }

  /** The nearest of the first `size` palette colors. */
  nearest(pixel: number, size: number): void {
    const { rgba, channels } = this;
    const at = pixel * 4;
    const red = rgba[at];
    const green = rgba[at + 1];
    const blue = rgba[at + 2];
    const alpha = rgba[at + 3];
    let error = Infinity;
    let label = this.label;
    for (let k = 0; k < size; k++) {
      const r = red - channels[k * 4];
      const g = green - channels[k * 4 + 1];
      const b = blue - channels[k * 4 + 2];
      const a = alpha - channels[k * 4 + 3];
      const d = r * r + g * g + b * b + a * a;
      if (d >= error) continue;
      error = d;
      label = k;
    }
    this.error = error;
    this.label = label;
    this.other = -1;
  }

  /** The mixture of two of the candidates (at least two) that is nearest to the pixel. */
  unmix(pixel: number, candidates: Int32Array, count: number): void {
    this.error = Infinity;
    this.label = candidates[0];
    for (let p = 0; p < count; p++) {
      for (let q = p + 1; q < count; q++) this.tryPair(pixel, candidates[p], candidates[q]);
    }
  }

  /**
   * The mixture of a color with any of the first `size` of the palette, where one explains the pixel well: a line too thin for
   * a pure pixel of its own color, on even ground, is likelier of a color the picture has than of a paler one. Returns whether one does.
   */
  unmixFrom(pixel: number, ground: number, size: number): boolean {
    const { label, error } = this;
    this.error = Math.min(error, KNOWN_SQ);
    const limit = this.error;
    for (let k = 0; k < size; k++) if (k !== ground) this.tryPair(pixel, ground, k);
    if (this.error < limit) return true;
    this.label = label;
    this.error = error;
    this.other = -1;
    return false;
  }

  /** Takes the mixture of two colors for the explanation where it is nearer than the one so far. */
  tryPair(pixel: number, p: number, q: number): void {
    const { rgba, channels } = this;
    const at = pixel * 4;
    const P = p * 4;
    const Q = q * 4;
    const dr = channels[P] - channels[Q];
    const dg = channels[P + 1] - channels[Q + 1];
    const db = channels[P + 2] - channels[Q + 2];
    const da = channels[P + 3] - channels[Q + 3];
    const er = rgba[at] - channels[Q];
    const eg = rgba[at + 1] - channels[Q + 1];
    const eb = rgba[at + 2] - channels[Q + 2];
    const ea = rgba[at + 3] - channels[Q + 3];
    let t = (er * dr + eg * dg + eb * db + ea * da) / (dr * dr + dg * dg + db * db + da * da);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const r = er - t * dr;
    const g = eg - t * dg;
    const b = eb - t * db;
    const a = ea - t * da;
    const error = r * r + g * g + b * b + a * a;
    if (error < this.error - 1e-9) {
      this.error = error;
      this.label = t >= 0.5 ? p : q;
      this.other = t >= 0.5 ? q : p;
    }
  }
}
