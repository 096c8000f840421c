import type { WorkingPixels } from '../intake/working-pixels.js';
import { type Palette, withoutColors } from '../quantize/palette.js';
import type { FlatLabels } from './label-flat.js';
import { findRuledSections, type RuledSection } from './ruled-sections.js';
import { LEAST_SINE_SQ } from './three-colors.js';

/** Levels (four channels, squared) from what explains it up to which a pixel is explained, and within which an edge is one without a line. */
const NEAR_SQ = 3.5 * 3.5;
const EDGE_SQ = 6 * 6;
/** By how much a share may be less than nothing, or more than all. */
const ROUNDED = 0.03;
/** Lines are worth asking for from so many px of them, in all. */
const LEAST_OF_ALL_PX = 60;
/** So many colors are found at most, and so many tried: those that are seen most, and those that the longest lines lead to. */
const MOST_FOUND = 4;
const MOST_TRIED = 32;
const MOST_LED = 8;
/** Lines whose widths are compared, at most. */
const MOST_COMPARED = 64;
/** Colors that explain this share of what the best one does are as good. */
const AS_GOOD = 0.98;
/** Widths of one line differ by so much from side to side, px, at most (standard deviation). */
const EVEN_PX = 0.06;
/** Rays that meet so near to each other (levels, squared) meet. */
const MEET_SQ = 4 * 4;
/** Ways that are nearly one (the sine of the angle between them, squared) meet anywhere. */
const LEAST_MEETING_SINE_SQ = 0.002;
/** Colors from which pixels are so much farther (squared levels, on average) are the worse ones. */
const LEAST_BETTER_SQ = 0.7;
/** Steps in which a color in line with its grounds is looked for. */
const STEPS = 64;
/** How much of a pixel, at most, shows what is beneath two areas that meet in it. */
const MOST_THROUGH = 0.27;
const BLACK = [0, 0, 0, 255] as const;
const WHITE = [255, 255, 255, 255] as const;
/** Colors nearer than this (four channels, squared) are the same. */
const SAME_SQ = 4 * 4;

/** What ruled lines are of, and where they are. */
export interface RuledColor {
  /** Four premultiplied channels. */
  readonly color: ArrayLike<number>;
  readonly sections: readonly RuledSection[];
}

/**
 * The colors of ruled lines: straight ones along rows and columns, as those of tables, frames and borders, that are thinner than what shows a color. Such a line covers the same
 * part of one row all the way, and of the next another, so that each row is even and passes for a color of its own. One color explains all of them, with
 * the areas on either side, as lines that are as wide everywhere: where the ways from both areas meet, or, where all is in line (grays), where the widths are the same, or else
 * the one that is seen most of. Undefined where there are no such lines.
 */
export function findRuledColors(pixels: WorkingPixels, palette: Palette): readonly RuledColor[] | undefined {
  const { table, entryOf, narrow } = palette;
  const isPure = (word: number) => {
    const found = table.find(word);
    return found >= 0 && entryOf[found] >= 0 && !narrow.includes(entryOf[found]);
  };
  const search = new ColorSearch(pixels, palette, findRuledSections(pixels, isPure));
  const found: RuledColor[] = [];
  while (found.length < MOST_FOUND) {
    const next = search.next();
    if (next === undefined) break;
    found.push(next);
  }
  return found.length > 0 ? found : undefined;
}

interface Explained {
  readonly color: ArrayLike<number>;
  readonly profiles: readonly Profile[];
  readonly lengthPx: number;
  /** Of the widths. */
  readonly meanPx: number;
  readonly spreadPx: number;
  /** How far pixels are from what explains them, levels squared, on average. */
  readonly offSq: number;
}

/** What a color makes of a section: how wide its line is, px (NaN where any width explains it), and how far its pixels are from that, squared. */
interface Explanation {
  readonly widthPx: number;
  readonly offSq: number;
}

/** Sections that are of the same colors, as one that is as long as all of them. */
interface Profile extends Pick<RuledSection, 'before' | 'middle' | 'behind'> {
  readonly all: RuledSection[];
  lengthPx: number;
}

/** Large tables have thousands of sections, of few profiles. */
function profilesOf(words: Uint32Array, sections: readonly RuledSection[]): readonly Profile[] {
  const profiles = new Map<string, Profile>();
  for (const section of sections) {
    const { before, middle, behind, lengthPx } = section;
    const key = [before, ...middle, behind].map((pixel) => words[pixel]).join();
    const known = profiles.get(key);
    if (known === undefined) profiles.set(key, { before, middle, behind, lengthPx, all: [section] });
    else {
      known.all.push(section);
      known.lengthPx += lengthPx;
    }
  }
  return [...profiles.values()];
}

class ColorSearch {
  private readonly palette: Palette;
  private readonly colors = new Map<number, number[]>();
  private open: readonly Profile[];

  constructor({ rgba, words }: WorkingPixels, palette: Palette, sections: readonly RuledSection[]) {
    this.palette = palette;
    const profiles = profilesOf(words, sections);
    for (const { before, middle, behind } of profiles)
      for (const pixel of [before, ...middle, behind]) this.colors.set(pixel, colorAt(rgba, pixel));
    this.open = profiles.filter((profile) => !this.isEdge(profile) && !this.isSeam(profile));
  }

  /** The color that explains most of what is not explained yet. */
  next(): RuledColor | undefined {
    const { open } = this;
    if (lengthOf(open) < LEAST_OF_ALL_PX) return undefined;
    const tried = this.candidates().map((color) => this.explainBy(color));
    const most = tried.reduce((sum, { lengthPx }) => Math.max(sum, lengthPx), 0);
    if (most < LEAST_OF_ALL_PX) return undefined;
    const best = tried.filter(({ lengthPx }) => lengthPx >= AS_GOOD * most).reduce(better);
    this.open = open.filter((profile) => !best.profiles.includes(profile));
    return { color: best.color, sections: best.profiles.flatMap(({ all }) => all) };
  }

  /** Whether a section is a mere edge: all of it is mixtures of what lies on both sides, ever more of the other. */
  private isEdge({ before, middle, behind }: Profile): boolean {
    if (this.distanceSq(before, behind) < SAME_SQ) return false;
    const [a, b] = [this.colorOf(before), this.colorOf(behind)];
    let last = -ROUNDED;
    for (const pixel of middle) {
      const { share, offSq } = mixture(this.colorOf(pixel), a, b);
      if (offSq > EDGE_SQ || share < last || share > 1 + ROUNDED) return false;
      last = share;
    }
    return true;
  }

  /**
   * Whether a section is where two areas meet that were drawn beside each other: as each covers its part of what the other left, a little of what is beneath both
   * shines through (conflation of coverage with opacity: Porter and Duff 1984).
   */
  private isSeam({ before, middle, behind }: Profile): boolean {
    if (middle.length > 1) return false;
    const [here, a, b] = [middle[0], before, behind].map((pixel) => this.colorOf(pixel));
    for (const beneath of [WHITE, this.palette.channels.subarray(0, 4)]) {
      const through = thirdOf(here, a, b, beneath);
      if (through !== undefined && through.widthPx <= MOST_THROUGH) return true;
    }
    return false;
  }

  private candidates(): readonly ArrayLike<number>[] {
    const { open, palette } = this;
    const seen = new Map<string, { readonly color: ArrayLike<number>; px: number }>();
    for (const { middle, lengthPx } of open) {
      for (const pixel of middle) {
        const color = this.colorOf(pixel);
        const known = seen.get(color.join());
        if (known === undefined) seen.set(color.join(), { color, px: lengthPx });
        else known.px += lengthPx;
      }
    }
    const often = [...seen.values()].sort((a, b) => b.px - a.px).slice(0, MOST_TRIED);
    const known = Array.from({ length: Math.min(palette.size, MOST_TRIED) }, (_, k) => k);
    const some = open.filter(({ middle }) => middle.length > 1).sort((a, b) => b.lengthPx - a.lengthPx);
    const led = some.slice(0, MOST_LED).flatMap((section) => [this.meeting(section), this.evenWidth(section)]);
    return [
      ...often.map(({ color }) => color),
      ...known.map((k) => palette.channels.subarray(4 * k, 4 * k + 4)),
      ...led.filter((color) => color !== undefined),
      BLACK,
      WHITE,
    ];
  }

  /** Where the ways from both sides of a line lead, if it lies in two rows or columns. */
  private meeting({ before, middle, behind }: Profile): ArrayLike<number> | undefined {
    if (middle.length !== 2) return undefined;
    const [a, m, n, b] = [before, ...middle, behind].map((pixel) => this.colorOf(pixel));
    const u = minus(m, a);
    const v = minus(n, b);
    const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)];
    const det = uu * vv - uv * uv;
    if (!(det > LEAST_MEETING_SINE_SQ * uu * vv)) return undefined;
    const w = minus(b, a);
    const s = (dot(u, w) * vv - dot(v, w) * uv) / det;
    const t = (dot(u, w) * uv - dot(v, w) * uu) / det;
    if (s < 1 - ROUNDED || t < 1 - ROUNDED) return undefined;
    const p = u.map((d, c) => a[c] + s * d);
    const q = v.map((d, c) => b[c] + t * d);
    if (dot(minus(p, q), minus(p, q)) > MEET_SQ) return undefined;
    return within(p.map((level, c) => (level + q[c]) / 2));
  }

  /** Of the colors on the way from one side of a line through it the one by which all are most nearly of one width; undefined where any does as well. */
  private evenWidth({ before, middle }: Profile): ArrayLike<number> | undefined {
    const wide = this.open.filter(({ middle }) => middle.length > 1).slice(0, MOST_COMPARED);
    const from = this.colorOf(before);
    const way = minus(this.colorOf(middle[0]), from);
    const most = farthest(from, way);
    if (!(most > 1)) return undefined;
    let best: ArrayLike<number> | undefined;
    let least = Infinity;
    let widest = 0;
    for (let k = 0; k <= STEPS; k++) {
      const color = way.map((d, c) => from[c] + (1 + ((most - 1) * k) / STEPS) * d);
      const widths: number[] = [];
      for (const section of wide) {
        const explained = this.explain(section, color);
        if (explained !== undefined) widths.push(explained.widthPx);
      }
      if (widths.length < 2) continue;
      const { mean, spread } = spreadOf(
        widths,
        widths.map(() => 1),
      );
      widest = Math.max(widest, spread / mean);
      if (spread / mean >= least) continue;
      least = spread / mean;
      best = color;
    }
    return widest > 2 * least + EVEN_PX / 2 ? best : undefined;
  }

  private explainBy(color: ArrayLike<number>): Explained {
    const profiles: Profile[] = [];
    const widths: number[] = [];
    const weights: number[] = [];
    let off = 0;
    for (const profile of this.open) {
      const explained = this.explain(profile, color);
      if (explained === undefined) continue;
      profiles.push(profile);
      off += explained.offSq * profile.lengthPx;
      if (Number.isNaN(explained.widthPx)) continue;
      widths.push(explained.widthPx);
      weights.push(profile.lengthPx);
    }
    const { mean, spread } = spreadOf(widths, weights);
    const lengthPx = lengthOf(profiles);
    return { color, profiles, lengthPx, meanPx: mean, spreadPx: spread, offSq: off / Math.max(1, lengthPx) };
  }

  /** A section as a line of a color; undefined where it is none. */
  private explain({ before, middle, behind }: Profile, color: ArrayLike<number>): Explanation | undefined {
    const [a, b] = [this.colorOf(before), this.colorOf(behind)];
    if (middle.length === 1) {
      const here = this.colorOf(middle[0]);
      if (this.distanceSq(before, behind) >= SAME_SQ) return thirdOf(here, a, b, color);
      const { share, offSq } = mixture(here, a, color);
      return offSq <= NEAR_SQ && isShare(share) ? { widthPx: share, offSq } : undefined;
    }
    let most = 0;
    for (let k = 1; k + 1 < middle.length; k++) {
      const off = minus(this.colorOf(middle[k]), color);
      most = Math.max(most, dot(off, off));
    }
    const first = mixture(this.colorOf(middle[0]), a, color);
    const last = mixture(this.colorOf(middle[middle.length - 1]), b, color);
    most = Math.max(most, first.offSq, last.offSq);
    if (most > NEAR_SQ || !isShare(first.share) || !isShare(last.share)) return undefined;
    return { widthPx: first.share + last.share + middle.length - 2, offSq: most };
  }

  private colorOf(pixel: number): number[] {
    return this.colors.get(pixel) as number[];
  }

  private distanceSq(a: number, b: number): number {
    const off = minus(this.colorOf(a), this.colorOf(b));
    return dot(off, off);
  }
}

/** Of two that explain as much the one of even width, then the nearer one, then that which is nearer to a pixel wide, as most are. */
function better(a: Explained, b: Explained): Explained {
  const isEven = ({ spreadPx }: Explained) => spreadPx <= EVEN_PX;
  if (isEven(a) !== isEven(b)) return isEven(a) ? a : b;
  if (Math.abs(a.spreadPx - b.spreadPx) > EVEN_PX / 2) return a.spreadPx < b.spreadPx ? a : b;
  if (Math.abs(a.offSq - b.offSq) > LEAST_BETTER_SQ) return a.offSq < b.offSq ? a : b;
  return Math.abs(Math.log(a.meanPx)) <= Math.abs(Math.log(b.meanPx)) ? a : b;
}

const colorAt = (rgba: Uint8Array, pixel: number) => [...rgba.subarray(4 * pixel, 4 * pixel + 4)];

const isShare = (share: number) => share > ROUNDED && share <= 1 + ROUNDED;

const minus = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a, (level, c) => level - b[c]);

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

/** How much of a color is another one and not its ground, and how far it is, squared, from such a mixture. */
function mixture(here: readonly number[], ground: readonly number[], color: ArrayLike<number>) {
  const way = minus(color, ground);
  const own = minus(here, ground);
  const all = dot(way, way);
  const share = all > 0 ? dot(own, way) / all : 0;
  return { share, offSq: dot(own, own) - share * share * all };
}

/** How much of a mixture of three is the third; NaN where they are in line, undefined where it is none. */
function thirdOf(
  here: readonly number[],
  a: readonly number[],
  b: readonly number[],
  color: ArrayLike<number>,
): Explanation | undefined {
  const u = minus(a, b);
  const v = minus(color, b);
  const w = minus(here, b);
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)];
  const det = uu * vv - uv * uv;
  if (!(det > LEAST_SINE_SQ * uu * vv)) {
    const { share, offSq } = mixture(here, vw > 0 ? b : a, color);
    return offSq <= NEAR_SQ && isShare(share) ? { widthPx: Number.NaN, offSq } : undefined;
  }
  const first = (uw * vv - vw * uv) / det;
  const third = (vw * uu - uw * uv) / det;
  const off = w.map((level, c) => level - first * u[c] - third * v[c]);
  const offSq = dot(off, off);
  const isMixture = first >= -ROUNDED && isShare(third) && first + third <= 1 + ROUNDED;
  return isMixture && offSq <= NEAR_SQ ? { widthPx: third, offSq } : undefined;
}

/** How many times as far a way leads until it leaves what can be shown. */
function farthest(from: readonly number[], way: readonly number[]): number {
  let most = Infinity;
  for (let c = 0; c < 3; c++) {
    if (way[c] > 0) most = Math.min(most, (255 - from[c]) / way[c]);
    if (way[c] < 0) most = Math.min(most, from[c] / -way[c]);
  }
  return most === Infinity ? 1 : most;
}

const within = (color: readonly number[]) => color.map((level) => Math.max(0, Math.min(255, level)));

function spreadOf(
  values: readonly number[],
  weights: readonly number[],
): { readonly mean: number; readonly spread: number } {
  let [all, sum, squares] = [0, 0, 0];
  for (let k = 0; k < values.length; k++) {
    all += weights[k];
    sum += weights[k] * values[k];
    squares += weights[k] * values[k] ** 2;
  }
  const mean = all > 0 ? sum / all : 1;
  return { mean, spread: all > 0 ? Math.sqrt(Math.max(0, squares / all - mean * mean)) : 0 };
}

function lengthOf(profiles: readonly Profile[]): number {
  let sum = 0;
  for (const { lengthPx } of profiles) sum += lengthPx;
  return sum;
}

/**
 * Gives the pixels along ruled lines their labels: the one of which a line covers most, and each of which it covers more than half, are its, and the others of what
 * lies beyond. Nothing else tells them from mixtures of other colors. `number` is the line's color's.
 */
export function layRuledLines(
  { rgba }: WorkingPixels,
  { color, sections }: RuledColor,
  number: number,
  { labels, mixed, errors, others }: FlatLabels,
): void {
  const colorOf = (pixel: number) => colorAt(rgba, pixel);
  for (const { before, middle, behind, lengthPx, step } of sections) {
    const last = middle.length - 1;
    const shares = middle.map((pixel, k) => {
      if (last === 0 || (k > 0 && k < last)) return 1;
      return mixture(colorOf(pixel), colorOf(k === 0 ? before : behind), color).share;
    });
    const most = Math.max(...shares);
    middle.forEach((pixel, k) => {
      const isLine = shares[k] === most || shares[k] > 0.5;
      const ground = labels[k * 2 > last ? behind : before];
      for (let n = 0, i = pixel; n < lengthPx; n++, i += step) {
        const at = indexIn(mixed, i);
        if (at < 0) continue;
        labels[i] = isLine ? number : ground;
        if (others !== undefined) others[at] = isLine ? ground : number;
        errors[at] = 0;
      }
    });
  }
}

/** Where a number is among others, ascending; -1 where it is not. */
function indexIn(some: Int32Array, number: number): number {
  let from = 0;
  let to = some.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (some[middle] < number) from = middle + 1;
    else to = middle;
  }
  return some[from] === number ? from : -1;
}

/** The number of a color among others, or that behind them if it is none of these. */
export function numberOf(color: ArrayLike<number>, channels: Float64Array): number {
  const count = channels.length / 4;
  for (let k = 0; k < count; k++) {
    const off = minus(color, channels.subarray(4 * k, 4 * k + 4));
    if (dot(off, off) < SAME_SQ) return k;
  }
  return count;
}

/** The palette without those of its colors that have no interior and are what ruled lines leave of a row. */
export function withoutRows(palette: Palette, ruled: readonly RuledColor[], { words }: WorkingPixels): Palette {
  const isDropped = new Uint8Array(palette.size);
  for (const { color, sections } of ruled) {
    const own = numberOf(color, palette.channels);
    for (const { middle } of sections) {
      for (const pixel of middle) {
        const found = palette.table.find(words[pixel]);
        const k = found < 0 ? -1 : palette.entryOf[found];
        if (k >= 0 && k !== own && palette.narrow.includes(k)) isDropped[k] = 1;
      }
    }
  }
  return isDropped.includes(1) ? withoutColors(palette, isDropped) : palette;
}
