import { SMALL_PIXELS } from '../intake/choose-frontend.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Palette } from '../quantize/palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { meetingColor } from './line-rays.js';
import { areOfOnePen, penColors } from './pen-width.js';
import { arePureStrokes } from './pure-strokes.js';
import { ThreeColors } from './three-colors.js';

/** With more colors than these some would explain anything. */
const MOST_COLORS = 40;
/** A line's color is that of so many mixed pixels at least; of so many, where nothing else is a mixture with it. */
const LEAST_PIXELS = 40;
const MANY_PIXELS = 200;
/** How much of a color found is the line's, at least, where it is a mixture with that. */
const LEAST_SHARE = 0.25;
/** Or only so much, where it is on the very way from a ground to the line's (four channels, squared): what a line along a row leaves beside it. */
const PALE_SHARE = 0.03;
const PALE_SQ = 3 * 3;
/** And how much of one of them, where shapes have the line's color, too, which then is dark: any may lie behind. */
const SEEN_SHARE = 0.6;
/** How far (four channels, squared) a color found may be from such a mixture: it is the mean of some. */
const NEAR_SQ = 20 * 20;
/** The share of what was found that is explained, at least. */
const EXPLAINED_SHARE = 0.7;
/** A color of lower levels is dark. A line of one is black, if that explains as much: its darkest pixels have a little of what is beside it. */
const DARK_LEVELS = 60;
/** How near (four channels, squared) a color is to another, if it is the same. */
const SAME_SQ = 8 * 8;
const BLACK = [0, 0, 0, 255] as const;
/**
 * A color found is a shape's own where this share of its pixels, and so many in so many rows and columns, are within so many levels of it: what
 * a line thinner than a pixel leaves differs from one to the next. Fewer are enough where they are in the midst of strokes (`pure-strokes.ts`).
 */
const OWN_SHARE = 0.12;
const OWN_PIXELS = 6;
const OWN_SPREAD = 4;
const OWN_LEVELS = 2;
/**
 * Of these, so many have an equal one beside and an equal one above or below them, or they are in line all of them; or no other color's lines are as wide
 * (`pen-width.ts`). A level or upright line of another color leaves the same again and again, but where it bends it leaves something else.
 */
const BENT_SHARE = 0.05;
const IN_LINE_SHARE = 0.1;
/** Such a color is none of the lines', or is their color and nothing else is; that of strokes may still be, or a mixture of theirs, but black lies not behind it. */
const OWN = 1;
const OWN_OF_STROKES = 2;

/**
 * Lines that are less than this share of all edges must hang together: so large a share of their pixels must have two others beside them. Else it
 * is what is left where shapes meet, of which a picture that is not small has a few pixels everywhere.
 */
const FEW_SHARE = 0.05;
const JOINED_SHARE = 0.65;
/** And be as long, in all, as this share of the picture's side: what is shorter is not worth looking at all of a large picture for. */
const LEAST_OF_SIDE = 0.125;

/** The color of fine lines. */
export interface LineColor {
  /** Its number. */
  readonly color: number;
  /** All colors, four premultiplied channels each; where the line's is a new one, it is behind the others. */
  readonly channels: Float64Array;
  /** Per color whether it is nothing but what such lines leave over others. */
  readonly isLeft: Uint8Array;
  /** Whether nearly all that has the color are lines. */
  readonly isAlone: boolean;
  /** The colors that such lines are on: those of flat interiors. */
  readonly grounds: readonly number[];
  /** Whether it is known to be, whatever else there is that it does not explain. */
  readonly isSure?: boolean;
  /** Which of the mixed pixels, as numbers among these, nothing pure around them explains, where that is known. */
  readonly open?: readonly number[];
}

/**
 * Finds the color of fine lines all over a picture, as outlines in a coat of arms are. Of lines thinner than a pixel no pixel shows what they
 * are of: one and the same leaves another color over every ground and along the edge of any two, and each of these passes for a color of its own.
 * The lines' is where all of them lead from their grounds (`meetingColor`), or, where these tell too little, the color that explains most of them
 * (Occam's razor), or black; it need not be seen anywhere. `channels` are the palette's colors and those found in mixed pixels, behind. Undefined
 * where there is none, or with `onlyDark`, as where ramps were taken out, it is not dark, or is seen nowhere: what ramps leave behind leads anywhere.
 */
export function findLineColor(
  pixels: WorkingPixels,
  palette: Palette,
  channels: Float64Array,
  flat: FlatLabels,
  ofStrokes: readonly number[],
  onlyDark: boolean,
): LineColor | undefined {
  const size = channels.length / 4;
  if (size > MOST_COLORS) return undefined;
  const { mixed, pure } = countByColor(pixels, flat, size);
  const isThin = mixed.map((count, k) => (count >= MANY_PIXELS && pure[k] < count ? 1 : 0));
  if (size === palette.size && !isThin.includes(1)) return undefined;
  const isOwn = findOwnColors(pixels, flat, channels, palette.size, mixed);
  for (const color of ofStrokes) isOwn[color] = OWN;
  const hypotheses = new LineHypotheses(palette, channels, mixed, isOwn);
  const isLines = (k: number) => k >= palette.size || isThin[k] === 1;
  let best: Hypothesis | undefined;
  for (let k = 0; k < size; k++) {
    if (mixed[k] < LEAST_PIXELS || (!isLines(k) && !isDark(channels, k))) continue;
    const tried = hypotheses.explainBy(k, isLines(k));
    const isAlone = k >= palette.size && isThin[k] === 1;
    if (tried.mostShare < (isAlone ? 0 : isLines(k) ? LEAST_SHARE : SEEN_SHARE)) continue;
    if (best === undefined || netOf(tried) > netOf(best)) best = tried;
  }
  // Lines that show their color, and leave no other one, are found as they are.
  const own = best === undefined ? 0 : isOwn[best.color];
  if (best !== undefined && own === OWN) {
    if (best.mostShare === 0) return undefined;
    isOwn[best.color] = 0;
  }
  const isFound = (k: number) => k >= palette.size && isOwn[k] !== OWN;
  const met = meetingColor(pixels, flat, channels, hypotheses.grounds, isFound);
  best = (met && hypotheses.orMeeting(best, met)) ?? (own > 0 ? best : hypotheses.orBlack(best));
  if (best === undefined || best.explained < EXPLAINED_SHARE * best.open) return undefined;
  if (onlyDark && !(isDark(hypotheses.channels, best.color) && isShown(pixels, hypotheses.channels, best.color)))
    return undefined;
  const { color, isLeft, explained } = best;
  const isOf = (label: number) => isLeft[label] === 1 || (label === color && isLines(color));
  const areFew = pixels.words.length > SMALL_PIXELS && explained < FEW_SHARE * flat.mixed.length;
  if (areFew && !areJoined(pixels, flat, isOf)) return undefined;
  const grounds = hypotheses.grounds.filter((k) => k !== color);
  if (grounds.length === 0) return undefined;
  return {
    color,
    channels: color < size ? channels : hypotheses.channels,
    isLeft,
    isAlone: color >= size || isLines(color),
    grounds,
  };
}

/** Whether some pixel is of a color. */
function isShown({ rgba }: WorkingPixels, channels: Float64Array, color: number): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (rgba[at + c] - channels[color * 4 + c]) ** 2;
    if (d < SAME_SQ) return true;
  }
  return false;
}

/** Whether most of the mixed pixels that are of such labels lie in rows of them. */
function areJoined(
  { width, height }: WorkingPixels,
  { labels, mixed }: FlatLabels,
  isOf: (label: number) => boolean,
): boolean {
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  let all = 0;
  let joined = 0;
  for (const i of mixed) {
    if (!isOf(labels[i])) continue;
    all++;
    let beside = 0;
    for (const step of around) if (isOf(labels[i + step] ?? -1)) beside++;
    if (beside >= 2) joined++;
  }
  return all >= Math.max(LEAST_PIXELS, LEAST_OF_SIDE * Math.sqrt(width * height)) && joined >= JOINED_SHARE * all;
}

function isDark(channels: Float64Array, k: number): boolean {
  const [red, green, blue, alpha] = channels.subarray(k * 4, k * 4 + 4);
  return alpha > 254 && Math.max(red, green, blue) < DARK_LEVELS;
}

/** Per color how many mixed pixels and how many others there are of it. */
function countByColor({ runs }: WorkingPixels, { labels, mixed }: FlatLabels, size: number) {
  const counts = { mixed: new Int32Array(size), pure: new Int32Array(size) };
  for (const i of mixed) counts.mixed[labels[i]]++;
  // All pixels of a run are mixed, or none is.
  for (let r = 0, k = 0; r < runs.count; r++) {
    const from = runs.starts[r];
    const length = runs.starts[r + 1] - from;
    if (mixed[k] === from) k += length;
    else counts.pure[labels[from]] += length;
  }
  return counts;
}

/** Which of the colors from number `first` on are shapes' own (OWN), or that of strokes (OWN_OF_STROKES). */
function findOwnColors(
  pixels: WorkingPixels,
  flat: FlatLabels,
  channels: Float64Array,
  first: number,
  counts: Int32Array,
): Uint8Array {
  const { rgba, width } = pixels;
  const { labels, mixed } = flat;
  const size = counts.length;
  const isOwn = new Uint8Array(size);
  const found = Array.from({ length: size }, (): number[] => []);
  const known = Array.from({ length: first }, (_, k) => k);
  for (const i of mixed) {
    const k = labels[i];
    if (k < first) continue;
    let off = 0;
    for (let c = 0; c < 4; c++) off = Math.max(off, Math.abs(rgba[i * 4 + c] - channels[k * 4 + c]));
    if (off <= OWN_LEVELS) found[k].push(i);
  }
  const bytes = Uint8Array.from(channels, Math.round);
  for (let k = first; k < size; k++) {
    const rows = new Set(found[k].map((i) => Math.floor(i / width)));
    const columns = new Set(found[k].map((i) => i % width));
    if (found[k].length < OWN_PIXELS || Math.min(rows.size, columns.size) < OWN_SPREAD) continue;
    const isOften = found[k].length >= OWN_SHARE * counts[k];
    const isInLine = Math.min(rows.size, columns.size) < IN_LINE_SHARE * Math.max(rows.size, columns.size);
    const mayBeInk = (ink: number, ground: number) =>
      ink !== k && ink !== ground && areOfOnePen(pixels, found[k], mixed, penColors(bytes, ink, ground));
    const isLeft = () => {
      if (isInLine || countBent(found[k], width) >= BENT_SHARE * found[k].length) return false;
      const ground = groundOf(flat, k, first);
      for (let ink = 0; ink < size; ink++) if (mayBeInk(ink, ground)) return true;
      return false;
    };
    if (isOften && !isLeft()) isOwn[k] = OWN;
    else if (arePureStrokes(pixels, found[k], bytes, k, known)) isOwn[k] = OWN_OF_STROKES;
  }
  return isOwn;
}

/** How many of some pixels (ascending) have another of them beside, and one above or below. */
function countBent(some: readonly number[], width: number): number {
  const all = new Set(some);
  let bent = 0;
  for (const i of some) if ((all.has(i - 1) || all.has(i + 1)) && (all.has(i - width) || all.has(i + width))) bent++;
  return bent;
}

/** Of the first `size` colors the one that most of a color's pixels are mixed with. */
function groundOf({ labels, mixed, others }: FlatLabels, color: number, size: number): number {
  const counts = new Int32Array(size);
  for (let k = 0; k < mixed.length; k++) {
    const other = others?.[k] ?? -1;
    if (labels[mixed[k]] === color && other >= 0 && other < size) counts[other]++;
  }
  return counts.indexOf(Math.max(...counts));
}

interface Hypothesis {
  readonly color: number;
  readonly isLeft: Uint8Array;
  /** Mixed pixels in colors found that are to be explained, and that are. */
  readonly open: number;
  readonly explained: number;
  /** The largest share that it has in one of those explained. */
  readonly mostShare: number;
}

/** By how many more of the mixed pixels are explained than not. */
function netOf({ open, explained }: Hypothesis): number {
  return 2 * explained - open;
}

/** Tries colors for that of the lines. */
class LineHypotheses {
  /** All colors, and one behind them that is none of them. */
  readonly channels: Float64Array;
  readonly grounds: readonly number[];
  private readonly first: number;
  private readonly counts: Int32Array;
  private readonly isOwn: Uint8Array;
  private readonly bytes: Uint8Array;
  private readonly unmixer: Unmixer;
  private readonly three = new ThreeColors();

  constructor(palette: Palette, channels: Float64Array, counts: Int32Array, isOwn: Uint8Array) {
    this.channels = Float64Array.from([...channels, ...BLACK]);
    this.bytes = Uint8Array.from(this.channels, Math.round);
    this.grounds = Array.from({ length: palette.size }, (_, k) => k).filter((k) => !palette.narrow.includes(k));
    this.first = palette.size;
    this.counts = counts;
    this.isOwn = isOwn;
    this.unmixer = new Unmixer(this.bytes, this.channels);
  }

  /** What a color explains as the lines'; where it `isLines` itself, that also is something explained. */
  explainBy(color: number, isLines: boolean): Hypothesis {
    const { first, counts, isOwn } = this;
    const isLeft = new Uint8Array(counts.length + 1);
    let open = isLines ? counts[color] : 0;
    let explained = open;
    let mostShare = 0;
    for (let k = first; k < counts.length; k++) {
      if (k === color || isOwn[k] === OWN) continue;
      open += counts[k];
      const share = this.shareIn(k, color);
      if (share === 0) continue;
      explained += counts[k];
      isLeft[k] = 1;
      if (share > mostShare) mostShare = share;
    }
    return { color, isLeft, open, explained, mostShare };
  }

  /** The color where rays meet, or the one of the palette that is the same, in the place of what was found, if that explains no more. */
  orMeeting(found: Hypothesis | undefined, met: Float64Array): Hypothesis | undefined {
    const { first, counts, unmixer } = this;
    this.setOther(met);
    let color = counts.length;
    for (let k = 0; k < first; k++) if (unmixer.distanceSq(color, k) < SAME_SQ) color = k;
    const tried = this.explainBy(color, false);
    return found === undefined || netOf(tried) >= netOf(found) ? tried : undefined;
  }

  /**
   * Black in the place of what was found, if anything was: where that is a dark color of mixed pixels and black does as well, or where black does
   * better and is plainly seen over several grounds.
   */
  orBlack(found: Hypothesis | undefined): Hypothesis | undefined {
    if (found !== undefined && found.color < this.first) return found;
    this.setOther(BLACK);
    const black = this.explainBy(this.counts.length, false);
    if (found !== undefined && black.isLeft[found.color] === 0) return found;
    if (found !== undefined && isDark(this.channels, found.color) && black.explained >= found.explained) return black;
    const isSeen = black.mostShare >= SEEN_SHARE && black.isLeft.reduce((sum, is) => sum + is, 0) > 1;
    return isSeen && (found === undefined || netOf(black) > netOf(found)) ? black : found;
  }

  /** Sets the color behind all others. */
  private setOther(color: ArrayLike<number>): void {
    this.channels.set(color, this.counts.length * 4);
    this.bytes.set(Array.from(color, Math.round), this.counts.length * 4);
  }

  /** How much of a color found a line's color has, as a mixture of that and one or two grounds; 0 where it is none. */
  private shareIn(found: number, line: number): number {
    const { grounds, unmixer, three, channels, bytes } = this;
    let nearest = NEAR_SQ;
    let share = 0;
    for (const ground of grounds) {
      if (ground === line) continue;
      const part = unmixer.share(found, line, ground);
      if (part < PALE_SHARE) continue;
      const limit = part < LEAST_SHARE ? Math.min(nearest, PALE_SQ) : nearest;
      unmixer.error = limit;
      unmixer.tryPair(found, line, ground);
      if (unmixer.error >= limit) continue;
      nearest = unmixer.error;
      share = part;
    }
    if (share > 0) return share;
    for (const [n, ground] of grounds.entries()) {
      for (const other of grounds.slice(0, n)) {
        if (ground === line || other === line || !three.use(channels, line, ground, other)) continue;
        const part = three.share(bytes, found);
        if (part < LEAST_SHARE) continue;
        const off = three.distanceSq(bytes, found);
        if (off >= nearest) continue;
        nearest = off;
        share = part;
      }
    }
    return share;
  }
}
