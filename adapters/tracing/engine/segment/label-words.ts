import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import { medianOf } from '../math/median.js';
import type { Palette } from '../quantize/palette.js';
import type { FlatLabels } from './label-flat.js';
import { withColor } from './with-color.js';

/** With more colors than these some would be mixtures of any two. */
const MOST_COLORS = 40;
/** Levels (four channels, squared) from the way between a ground and an ink within which pixels are mixtures of these. */
const MIXTURE_SQ = 8 * 8;
/** By how much less than nothing, or more than all of an ink a pixel may have. */
const ROUNDED = 0.05;
/** How much of an ink a color has that may be what the ink leaves of strokes on two rows of pixels. */
const LEAST_SHARE = 0.2;
const MOST_SHARE = 0.85;
/** Pixels of a color, at most, that have such on all sides, and their share of all, where strokes are all that it is seen in. */
const MOST_INSIDE_PX = 400;
const MOST_INSIDE = 0.1;
/** A word is no larger than this, px: lines and frames are. */
const MOST_WIDE_PX = 240;
const MOST_HIGH_PX = 32;
const MOST_INK_PX = 4096;
/** How far apart pixels of one word are in a row, and how far it is to the ground beside it, px. */
const NEAR_PX = 3;
const GROUND_PX = 8;
/** So many pixels, and such a share of a word, have so much more of the ink than the color that it is not. */
const LEAST_DARK = 3;
const DARK_SHARE = 0.05;
const DARKER = 0.25;
/** Of these so many are in the midst of strokes, and have this share of the ink: what is thinner than a pixel has none. */
const LEAST_PURE = 2;
const PURE_SHARE = 0.9;
/** Strokes that pass for the other color are about as wide, by what they have of the ink, as those that show it. */
const LEAST_WIDTH = 0.55;
const MOST_WIDTH = 1.6;
/** How far a stroke is followed across, px, and what is less of it than this is nothing. */
const ACROSS_PX = 5;
const TRACE = 0.06;
/** Words are looked for where rows go over so many px, at most, from a ground to the same one so often; of every so manieth row. */
const MOST_NARROW_PX = 4;
const LEAST_NARROW = 200;
const PROBE_STEP = 8;
/** A word shows its ink in so many pixels, and such a share of it, that differ by so few levels, most of them in strokes wider than a pixel. */
const LEAST_SHOWN = 4;
const SHOWN_SHARE = 0.06;
const SHOWN_LEVELS = 2;
const WIDE_PX = 1.05;
const WIDE_SHARE = 0.6;
/** Where so many letters do that are no bars it may be that two rows of pixels share them alike: of bars all may lie so. */
const LEAST_LETTERS = 2;
/** Inks that so many words show may be that of others. */
const LEAST_WORDS = 2;
/** How far inks are from their grounds at least, and from a color that is the same, levels squared. */
const LEAST_CONTRAST_SQ = 40 * 40;
const SAME_SQ = 24 * 24;
/** So many inks are found that are no known color, at most. */
const MOST_INKS = 8;
/** A letter that has no pixel of nearly all ink is a bar no wider than this, px: with several strokes it would have one. */
const FULL_SHARE = 0.75;
const BAR_PX = 4;
/** So much of a pixel makes it the ink's: of two rows that share a bar alike one must be. */
const HALF = 0.49;
/** Pixels have as much of the ink as the other color where they differ by no more. */
const AS_MUCH = 0.06;

/** A color that may be what an ink leaves on a ground, all by number. */
interface Triple {
  readonly ground: number;
  readonly ink: number;
  /** How much of the ink it has. */
  readonly share: number;
  /** Squared levels from the ground to the ink. */
  readonly contrastSq: number;
}

/** A pixel that has a share of an ink, on a ground, and how far it is from such a mixture, squared. */
interface Inked {
  readonly pixel: number;
  readonly ground: number;
  readonly ink: number;
  readonly share: number;
  readonly offSq: number;
}

/** Labels with words in their own inks. */
export interface WordLabels {
  readonly flat: FlatLabels;
  /** The colors known, and the inks that were not, behind. */
  readonly channels: Float64Array;
  /** The numbers of the inks that words are of. */
  readonly inks: readonly number[];
}

/**
 * Gives words one ink. A stem of 1.2 px that two columns share alike, as serifs and bars share two rows wherever the line of writing lies so, is two pixels wide and of one color, a gray
 * one where the ink is black: letters that stand so would be gray, and others beside them black. A word all of whose pixels are mixtures of its ground and one color is of that, if
 * it shows it time and again in the midst of its strokes; or of a known one, if some of it has so much more of that than what passes for another color, whose strokes would be about as
 * wide then as the others. `flat` may be changed; pixels that had been of the other color are among the mixed ones then.
 */
export function labelWords(
  pixels: WorkingPixels,
  palette: Palette,
  channels: Float64Array,
  flat: FlatLabels,
): WordLabels {
  const none = { flat, channels, inks: [] };
  const count = channels.length / 4;
  if (flat.others === undefined || count > MOST_COLORS) return none;
  const triples = findTriples(palette, channels, flat.labels);
  const hasStrokes = countNarrow(pixels, palette, flat) >= LEAST_NARROW;
  if (triples.size === 0 && !hasStrokes) return none;
  const finder = new WordFinder(pixels, palette, channels, flat, triples);
  const { labels, mixed } = flat;
  if (hasStrokes) for (let k = 0; k < mixed.length; k++) finder.lookAt(mixed[k]);
  else for (let i = 0; i < labels.length; i++) if (triples.has(labels[i])) finder.lookAt(i);
  finder.lookAgain();
  return finder.labeled();
}

/** How often, about, rows go over mixed pixels from a ground to the same one, within a few px. */
function countNarrow({ width }: WorkingPixels, { size, narrow }: Palette, { labels, mixed }: FlatLabels): number {
  let count = 0;
  for (let k = 0; k < mixed.length; ) {
    const from = mixed[k];
    let n = 1;
    while (k + n < mixed.length && mixed[k + n] === from + n) n++;
    k += n;
    if (n > MOST_NARROW_PX || Math.floor(from / width) % PROBE_STEP !== 0) continue;
    const ground = labels[from - 1];
    if (ground === labels[from + n] && ground < size && !narrow.includes(ground)) count++;
  }
  return count * PROBE_STEP;
}

/** Per color that is seen in strokes only the grounds and inks that it may be a mixture of, the nearest inks first. */
function findTriples(
  palette: Palette,
  channels: Float64Array,
  labels: Int32Array,
): ReadonlyMap<number, readonly Triple[]> {
  const count = channels.length / 4;
  const isWide = (k: number) => k < palette.size && !palette.narrow.includes(k);
  const triples = new Map<number, readonly Triple[]>();
  let px: Int32Array | undefined;
  for (let color = 0; color < count; color++) {
    const insidePx = isWide(color) ? insideOf(palette, color) : 0;
    if (insidePx > MOST_INSIDE_PX) continue;
    const found: Triple[] = [];
    for (let ground = 0; ground < palette.size; ground++) {
      if (ground === color || !isWide(ground)) continue;
      for (let ink = 0; ink < count; ink++) {
        if (ink === ground || ink === color) continue;
        const { share, offSq, contrastSq } = mixtureOf(channels, 4 * color, channels, 4 * ground, 4 * ink);
        if (offSq <= MIXTURE_SQ && share >= LEAST_SHARE && share <= MOST_SHARE)
          found.push({ ground, ink, share, contrastSq });
      }
    }
    if (found.length === 0) continue;
    if (insidePx > 0) {
      px ??= pixelsOf(labels, count);
      if (insidePx > MOST_INSIDE * px[color]) continue;
    }
    triples.set(
      color,
      found.sort((a, b) => a.contrastSq - b.contrastSq),
    );
  }
  return triples;
}

function pixelsOf(labels: Int32Array, count: number): Int32Array {
  const px = new Int32Array(count);
  for (let i = 0; i < labels.length; i++) px[labels[i]]++;
  return px;
}

/** How many pixels of a palette color have such on all sides. */
function insideOf({ table, entryOf }: Palette, color: number): number {
  let inside = 0;
  for (let k = 0; k < entryOf.length; k++) if (entryOf[k] === color) inside += table.counts[k];
  return inside;
}

/** How much of a mixture of a ground and an ink is of the ink, and how far four levels are (squared) from such a one. */
function mixtureOf(levels: ArrayLike<number>, at: number, channels: Float64Array, ground: number, ink: number) {
  let along = 0;
  let contrastSq = 0;
  let allSq = 0;
  for (let c = 0; c < 4; c++) {
    const way = channels[ink + c] - channels[ground + c];
    const off = levels[at + c] - channels[ground + c];
    along += way * off;
    contrastSq += way * way;
    allSq += off * off;
  }
  const share = contrastSq > 0 ? along / contrastSq : 0;
  return { share, offSq: allSq - share * share * contrastSq, contrastSq };
}

class WordFinder {
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly words: Uint32Array;
  private readonly palette: Palette;
  private readonly flat: FlatLabels;
  private readonly triples: ReadonlyMap<number, readonly Triple[]>;
  private readonly known: number;
  private channels: Float64Array;
  private readonly inks = new Set<number>();
  /** Per ink how many words show it; and the words that tell nothing. */
  private readonly shownBy = new Map<number, number>();
  private readonly open: { readonly word: number; readonly ground: number; readonly pixels: Int32Array }[] = [];
  /** Per pixel whether it is no pure one, which word it is in (-1 for what is in none), and which letter of it. */
  private readonly isMixed: Uint8Array;
  private readonly wordOf: Int32Array;
  private readonly letterOf: Int32Array;
  private word = 0;
  /** Of the word at hand: its pixels, how many there are, and how much of its ink each has. */
  private readonly own = new Int32Array(MOST_INK_PX);
  private count = 0;
  private letters = 0;
  private readonly isBar = new Uint8Array(MOST_INK_PX);
  private readonly isFull = new Uint8Array(MOST_INK_PX);
  private readonly shares: Float32Array;
  /** Of the letters that are to be of their word's ink: pixels, their grounds and inks, and how much they have of these. */
  private readonly found: Inked[] = [];

  constructor(
    { width, height, rgba, words }: WorkingPixels,
    palette: Palette,
    channels: Float64Array,
    flat: FlatLabels,
    triples: ReadonlyMap<number, readonly Triple[]>,
  ) {
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.words = words;
    this.palette = palette;
    this.known = channels.length / 4;
    this.channels = channels;
    this.flat = flat;
    this.triples = triples;
    this.isMixed = arena.uint8(flat.labels.length);
    for (const i of flat.mixed) this.isMixed[i] = 1;
    this.wordOf = arena.int32(flat.labels.length);
    this.letterOf = arena.rawInt32(flat.labels.length);
    this.shares = arena.rawFloat32(flat.labels.length);
  }

  /** Looks at the word that a pixel is in. */
  lookAt(pixel: number): void {
    if (this.wordOf[pixel] !== 0) return;
    const ground = this.groundOf(pixel);
    if (!this.fill(pixel, ground)) return;
    this.partLetters();
    const shown = this.shownInk(ground);
    if (shown >= 0) this.shownBy.set(shown, (this.shownBy.get(shown) ?? 0) + 1);
    const ink = shown < 0 ? this.knownInk(ground) : shown;
    if (ink < 0) this.open.push({ word: this.word, ground, pixels: this.own.slice(0, this.count) });
    else this.take(ground, ink);
  }

  /** Looks again at the words that tell nothing by themselves: they are of an ink that others show, if they have nearly all of it somewhere. */
  lookAgain(): void {
    const { channels, open, shownBy } = this;
    const contrastOf = (ink: number, ground: number) =>
      mixtureOf(channels, 0, channels, 4 * ground, 4 * ink).contrastSq;
    const inks = [...shownBy.keys()].filter((ink) => (shownBy.get(ink) as number) >= LEAST_WORDS);
    for (const { word, ground, pixels } of open) {
      this.word = word;
      this.own.set(pixels);
      this.count = pixels.length;
      this.partLetters();
      const isOf = (ink: number) =>
        ink !== ground &&
        this.tellShares(ground, channels, 4 * ink) &&
        this.isFull.subarray(0, this.letters).includes(1);
      const ink = inks.sort((a, b) => contrastOf(a, ground) - contrastOf(b, ground) || a - b).find(isOf);
      if (ink !== undefined) this.take(ground, ink);
    }
  }

  /** Gives the word at hand the ink by which its shares were told. */
  private take(ground: number, ink: number): void {
    this.inks.add(ink);
    for (let k = 0; k < this.count; k++) {
      const own = this.own[k];
      if (!this.isInked(own)) continue;
      const { share, offSq } = this.mixtureAt(own, ground, ink);
      this.found.push({ pixel: own, ground, ink, share, offSq });
    }
  }

  /** The labels with words in their inks. */
  labeled(): WordLabels {
    const { flat, found, isMixed, channels, inks } = this;
    if (found.length === 0) return { flat, channels, inks: [] };
    const added = found.filter(({ pixel, ink }) => isMixed[pixel] === 0 && flat.labels[pixel] !== ink);
    const at = new Map(found.map((one) => [one.pixel, one]));
    const mixed = Int32Array.from([...flat.mixed, ...added.map(({ pixel }) => pixel)]).sort();
    const errors = new Float64Array(mixed.length);
    const others = new Int32Array(mixed.length);
    for (let k = 0, known = 0; k < mixed.length; k++) {
      const one = at.get(mixed[k]);
      if (flat.mixed[known] === mixed[k]) {
        errors[k] = flat.errors[known];
        others[k] = (flat.others as Int32Array)[known];
        known++;
      }
      if (one === undefined) continue;
      const isInk = one.share >= HALF;
      flat.labels[mixed[k]] = isInk ? one.ink : one.ground;
      others[k] = isInk ? one.ground : one.ink;
      errors[k] = Math.max(0, one.offSq);
    }
    return { flat: { labels: flat.labels, mixed, errors, others }, channels, inks: [...inks] };
  }

  private mixtureAt(pixel: number, ground: number, ink: number) {
    return mixtureOf(this.rgba, 4 * pixel, this.channels, 4 * ground, 4 * ink);
  }

  /** The ground beside a pixel, in its row; -1 where there is none near. */
  private groundOf(pixel: number): number {
    const { labels } = this.flat;
    const { size, narrow } = this.palette;
    const x = pixel % this.width;
    for (let n = 1; n <= Math.min(x, GROUND_PX); n++) {
      const label = labels[pixel - n];
      if (this.isMixed[pixel - n] === 0 && label < size && !narrow.includes(label)) return label;
    }
    return -1;
  }

  /** Finds all of a word; whether it is one. */
  private fill(first: number, ground: number): boolean {
    const { width, height, wordOf, own, isMixed } = this;
    const { labels } = this.flat;
    const word = ++this.word;
    wordOf[first] = word;
    own[0] = first;
    this.count = 1;
    let left = first % width;
    let right = left;
    let top = (first - left) / width;
    let bottom = top;
    let isWord = ground >= 0;
    for (let k = 0; k < this.count && isWord; k++) {
      const x = own[k] % width;
      const y = (own[k] - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      if (right - left >= MOST_WIDE_PX || bottom - top >= MOST_HIGH_PX) isWord = false;
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1) && isWord; v++) {
        for (let u = Math.max(0, x - NEAR_PX); u <= Math.min(width - 1, x + NEAR_PX); u++) {
          const i = v * width + u;
          if (wordOf[i] === word || (labels[i] === ground && isMixed[i] === 0)) continue;
          // What is beside something that is no word is none either.
          if (wordOf[i] !== 0 || this.count === MOST_INK_PX) {
            isWord = false;
            break;
          }
          wordOf[i] = word;
          own[this.count++] = i;
        }
      }
    }
    if (!isWord) for (let k = 0; k < this.count; k++) wordOf[own[k]] = -1;
    return isWord;
  }

  /** Numbers the letters of the word at hand: its pixels that touch one another. */
  private partLetters(): void {
    const { width, own, count, wordOf, letterOf } = this;
    for (let k = 0; k < count; k++) letterOf[own[k]] = -1;
    let letters = 0;
    const open: number[] = [];
    for (let k = 0; k < count; k++) {
      if (letterOf[own[k]] >= 0) continue;
      letterOf[own[k]] = letters;
      open.push(own[k]);
      for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
        const x = pixel % width;
        for (let v = -width; v <= width; v += width) {
          for (let u = x === 0 ? 0 : -1; u <= (x + 1 === width ? 0 : 1); u++) {
            const i = pixel + v + u;
            if (wordOf[i] !== this.word || letterOf[i] >= 0) continue;
            letterOf[i] = letters;
            open.push(i);
          }
        }
      }
      letters++;
    }
    this.letters = letters;
  }

  /** Tells which letters of the word at hand are bars, and which have nearly all ink somewhere, by its shares. */
  private measureLetters(): void {
    const { width, own, count, letterOf, letters, shares, isBar, isFull } = this;
    const left = new Int32Array(letters).fill(width);
    const right = new Int32Array(letters).fill(-1);
    const top = new Int32Array(letters).fill(this.height);
    const bottom = new Int32Array(letters).fill(-1);
    isFull.fill(0, 0, letters);
    for (let k = 0; k < count; k++) {
      const letter = letterOf[own[k]];
      const share = shares[own[k]];
      if (share >= FULL_SHARE) isFull[letter] = 1;
      if (share <= TRACE) continue;
      const x = own[k] % width;
      const y = (own[k] - x) / width;
      left[letter] = Math.min(left[letter], x);
      right[letter] = Math.max(right[letter], x);
      top[letter] = Math.min(top[letter], y);
      bottom[letter] = Math.max(bottom[letter], y);
    }
    for (let n = 0; n < letters; n++) isBar[n] = Math.min(right[n] - left[n], bottom[n] - top[n]) < BAR_PX ? 1 : 0;
  }

  /** Whether a pixel of the word at hand is of a letter that is of the ink by which its shares were told: something else may stand beside it. */
  private isInked(pixel: number): boolean {
    const letter = this.letterOf[pixel];
    return this.isFull[letter] === 1 || this.isBar[letter] === 1;
  }

  /** Tells how much of an ink (four channels) each pixel of the word at hand has; whether they are nothing else. */
  private tellShares(ground: number, levels: ArrayLike<number>, at: number): boolean {
    const { own, count, shares, rgba, channels } = this;
    const ends = Float64Array.from([...channels.subarray(4 * ground, 4 * ground + 4), 0, 0, 0, 0]);
    for (let c = 0; c < 4; c++) ends[4 + c] = levels[at + c];
    for (let k = 0; k < count; k++) {
      const { share, offSq } = mixtureOf(rgba, 4 * own[k], ends, 0, 4);
      if (offSq > MIXTURE_SQ || share < -ROUNDED || share > 1 + ROUNDED) return false;
      shares[own[k]] = share;
    }
    this.measureLetters();
    return true;
  }

  /** The ink that the word at hand shows, by number; -1 where it shows none. */
  private shownInk(ground: number): number {
    const { own, count, rgba, words, shares, channels } = this;
    let most = LEAST_CONTRAST_SQ;
    let farthest = -1;
    for (let k = 0; k < count; k++) {
      let offSq = 0;
      for (let c = 0; c < 4; c++) offSq += (rgba[4 * own[k] + c] - channels[4 * ground + c]) ** 2;
      if (offSq <= most) continue;
      most = offSq;
      farthest = own[k];
    }
    if (farthest < 0 || !this.tellShares(ground, rgba, 4 * farthest)) return -1;
    const counts = new Map<number, number>();
    const showing = new Set<number>();
    let shown = 0;
    let wide = 0;
    let midst = 0;
    let inked = 0;
    let best = farthest;
    for (let k = 0; k < count; k++) {
      const i = own[k];
      if (shares[i] > TRACE) inked++;
      let off = 0;
      for (let c = 0; c < 4; c++) off = Math.max(off, Math.abs(rgba[4 * i + c] - rgba[4 * farthest + c]));
      if (off > SHOWN_LEVELS) continue;
      shown++;
      if (this.isBar[this.letterOf[i]] === 0) showing.add(this.letterOf[i]);
      if (this.widthAt(i) >= WIDE_PX) wide++;
      if (this.isMidst(i)) midst++;
      const seen = (counts.get(words[i]) ?? 0) + 1;
      counts.set(words[i], seen);
      if (seen > (counts.get(words[best]) ?? 0)) best = i;
    }
    const sure = showing.size >= LEAST_LETTERS ? wide : midst;
    if (shown < Math.max(LEAST_SHOWN, SHOWN_SHARE * inked) || sure < WIDE_SHARE * shown) return -1;
    return this.numberOf(rgba.subarray(4 * best, 4 * best + 4));
  }

  /** The number of a color, which is a new one where none is the same. */
  private numberOf(color: Uint8Array): number {
    let nearest = SAME_SQ;
    let number = -1;
    for (let k = 0; k < this.channels.length / 4; k++) {
      let offSq = 0;
      for (let c = 0; c < 4; c++) offSq += (this.channels[4 * k + c] - color[c]) ** 2;
      if (offSq >= nearest) continue;
      nearest = offSq;
      number = k;
    }
    if (number >= 0) return number;
    if (this.channels.length / 4 - this.known >= MOST_INKS) return -1;
    this.channels = withColor(this.channels, color);
    return this.channels.length / 4 - 1;
  }

  /** The known ink that all of the word at hand is of, if some of it passes for another color; -1 where there is none. */
  private knownInk(ground: number): number {
    const { own, count } = this;
    const colors = new Set<number>();
    for (let k = 0; k < count; k++) colors.add(this.flat.labels[own[k]]);
    for (const color of colors)
      for (const triple of this.triples.get(color) ?? [])
        if (triple.ground === ground && this.isOf(triple, color)) return triple.ink;
    return -1;
  }

  /** Whether all of the word at hand is of an ink, and what is of a color is strokes like others. */
  private isOf({ ground, ink, share }: Triple, color: number): boolean {
    const { own, count, shares, channels } = this;
    const { labels } = this.flat;
    if (!this.tellShares(ground, channels, 4 * ink)) return false;
    const ofInk: number[] = [];
    const ofColor: number[] = [];
    let inked = 0;
    let midst = 0;
    for (let k = 0; k < count; k++) {
      const i = own[k];
      if (!this.isInked(i)) continue;
      if (shares[i] >= PURE_SHARE && this.isMidst(i)) midst++;
      if (shares[i] > TRACE) inked++;
      if (shares[i] >= share + DARKER) ofInk.push(this.widthAt(i));
      else if (labels[i] === color && Math.abs(shares[i] - share) <= AS_MUCH) ofColor.push(this.widthAt(i));
    }
    if (midst < LEAST_PURE || ofInk.length < Math.max(LEAST_DARK, DARK_SHARE * inked)) return false;
    const times = medianOf(Float64Array.from(ofColor)) / medianOf(Float64Array.from(ofInk));
    return times >= LEAST_WIDTH && times <= MOST_WIDTH;
  }

  /** How wide a stroke is at a pixel of the word at hand, by what it has of the ink: along its row or column, whichever is less. */
  private widthAt(pixel: number): number {
    const x = pixel % this.width;
    const y = (pixel - x) / this.width;
    const across = this.sumTo(pixel, -1, x) + this.sumTo(pixel, 1, this.width - 1 - x);
    const down = this.sumTo(pixel, -this.width, y) + this.sumTo(pixel, this.width, this.height - 1 - y);
    return Math.min(across, down) + this.shares[pixel];
  }

  /** Whether a stroke that a pixel is of covers part of the pixels on both sides: of one that two rows or columns share alike either may have more. */
  private isMidst(pixel: number): boolean {
    const x = pixel % this.width;
    const y = (pixel - x) / this.width;
    const sides = [
      [this.sumTo(pixel, -1, x), this.sumTo(pixel, 1, this.width - 1 - x)],
      [this.sumTo(pixel, -this.width, y), this.sumTo(pixel, this.width, this.height - 1 - y)],
    ].map(([a, b]) => ({ all: a + b, less: Math.min(a, b) }));
    const { all, less } = sides[0].all <= sides[1].all ? sides[0] : sides[1];
    return less > 0 && all >= WIDE_PX - 1;
  }

  private sumTo(pixel: number, step: number, most: number): number {
    let sum = 0;
    for (let n = 1; n <= Math.min(most, ACROSS_PX); n++) {
      const i = pixel + n * step;
      if (this.wordOf[i] !== this.word || this.shares[i] <= TRACE) break;
      sum += this.shares[i];
    }
    return sum;
  }
}
