import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import { medianOf } from '../math/median.js';
import { isAlone } from './hairlines.js';
import { type FlatLabels, UNEXPLAINED, Unmixer } from './label-flat.js';
import type { LineColor } from './line-color.js';
import { AROUND } from './regions.js';
import { ThreeColors } from './three-colors.js';

/** Levels (four channels, squared) from its explanation from which a pixel may have something of a line. */
const MAYBE_SQ = 6 * 6;
/** Mixed pixels this near to their explanation are sure, and tell of the colors around them. */
const SURE_SQ = 8 * 8;
const [PURE, SURE, UNSURE] = [0, 1, 2];
/** How far around a pixel those are that it may be a mixture of; farther only where there is none. */
const NEAR_PX = 2;
const FAR_PX = 3;
/** Three colors explain anything better than two: they must by so much (squared). */
const THREE_SQ = 4 * 4;
/** A pixel of which a line covers less than this is none of its; it is one where more than half is covered. */
const LEAST_SHARE = 0.15;
/** Of hairlines along edges less: one of a fourth of a pixel that lies in two rows alike covers an eighth of each. */
const LEAST_OF_HAIRLINE = 0.07;
const MOSTLY = 0.5;
/** How wide a line is of what its rows or columns have of it, where its direction is anyone's: a median, too. */
const ACROSS = Math.cos(Math.PI / 8);
/**
 * Lines are of one pen where this share of their rows and columns are no narrower and no wider, times the median: of 31 avatars that are outlined with one 30 have .68 and
 * more, of 41 flags with coats of arms that have such lines 31 have less.
 */
const EVEN_SHARE = 0.65;
const [NARROWEST, WIDEST] = [0.8, 1.4];
/** Wider lines show more of where they are than one width for all tells. */
const WIDEST_PX = 0.8;
/** Where a larger share of the pixels is still unexplained, that is not what they are of. */
const MOST_UNEXPLAINED = 0.2;

/** What lines of one color that are thinner than a pixel were drawn with. */
export interface Pen {
  /** The color's number. */
  readonly color: number;
  /** How wide they are, px, where that is one width and less than a pixel. */
  readonly widthPx: number | undefined;
}

/**
 * Lays lines of one color thinner than a pixel (`findLineColor`) over the pixels: each that may have something of them is explained anew, as a
 * mixture of one or two colors around it and the line's, and is of the line where that covers more of it than of both its neighbors in the row,
 * or in the column. So a line is whole, one pixel wide, whatever lies beside it. Returns what they were drawn with; undefined where
 * that does not explain most of them: `flat` is changed only then.
 */
export function layLines(pixels: WorkingPixels, line: LineColor, flat: FlatLabels): Pen | undefined {
  const { width, height } = pixels;
  const { labels, mixed, errors, others } = flat;
  if (others === undefined) return undefined;
  const { color, isLeft, isAlone, isSure = false } = line;
  const leastShare = line.open === undefined ? LEAST_SHARE : LEAST_OF_HAIRLINE;
  const isOfLine = (label: number) => label >= 0 && (isLeft[label] === 1 || (isAlone && label === color));
  const isOpen = new Uint8Array(mixed.length);
  for (const k of line.open ?? []) isOpen[k] = 1;
  const open: number[] = [];
  for (let k = 0; k < mixed.length; k++)
    if (isOpen[k] === 1 || isOfLine(labels[mixed[k]]) || isOfLine(others[k]) || errors[k] >= MAYBE_SQ) open.push(k);
  const mixer = new LineMixer(pixels, line, flat);
  const grounds = new Int32Array(open.length);
  const seconds = new Int32Array(open.length);
  const left = new Float64Array(open.length);
  const told: number[] = [];
  let unexplained = 0;
  for (let n = 0; n < open.length; n++) {
    mixer.explain(mixed[open[n]]);
    left[n] = mixer.error;
    if (mixer.error > UNEXPLAINED ** 2) unexplained++;
    if (mixer.isTold) told.push(mixed[open[n]]);
    grounds[n] = mixer.ground;
    seconds[n] = mixer.second;
  }
  if (!isSure && unexplained > MOST_UNEXPLAINED * open.length) return undefined;
  const { shares } = mixer;
  const isLine = arena.uint8(labels.length);
  for (let i = 0; i < labels.length; i++) if (shares[i] === 1) isLine[i] = 1;
  for (const k of open) {
    const i = mixed[k];
    const x = i % width;
    const share = shares[i];
    const isMost = (step: number) => share >= shares[i - step] && share > shares[i + step];
    const isCrossed =
      (x > 0 && x + 1 < width && isMost(1)) || (i >= width && i < width * (height - 1) && isMost(width));
    if (share >= MOSTLY || (share >= leastShare && isCrossed)) isLine[i] = 1;
  }
  closeGaps(isLine, shares, width, height, leastShare);
  const ofLines = told.filter((i) => isLine[i] === 1);
  for (let n = 0; n < open.length; n++) {
    const i = mixed[open[n]];
    if (isSure && left[n] > errors[open[n]]) continue;
    labels[i] = isLine[i] === 1 ? color : grounds[n];
    others[open[n]] = isLine[i] === 1 ? grounds[n] : seconds[n];
    errors[open[n]] = left[n];
  }
  return { color, widthPx: penWidth(ofLines, shares, width) };
}

/** How wide lines are, px, by what some of their pixels and those on either side have of them; undefined where that differs, or is nearly a pixel. */
function penWidth(some: readonly number[], shares: Float32Array, width: number): number | undefined {
  const widths = Float64Array.from(some, (i) => {
    const across = (step: number) => shares[i] + (shares[i - step] ?? 0) + (shares[i + step] ?? 0);
    return Math.min(across(1), across(width));
  });
  const middle = widths.length === 0 ? 0 : medianOf(widths);
  const even = widths.filter((across) => across > middle * NARROWEST && across < middle * WIDEST);
  return middle * ACROSS <= WIDEST_PX && even.length > EVEN_SHARE * widths.length ? middle * ACROSS : undefined;
}

/**
 * Gives lines the one pixel that they lack where they lie as much in one row or column as in the next, and another line beside them hides that: of those
 * ahead of an end that have a line ahead in their turn, the one that touches least of others.
 */
function closeGaps(isLine: Uint8Array, shares: Float32Array, width: number, height: number, leastShare: number): void {
  for (let y = 2; y + 2 < height; y++) {
    for (let i = y * width + 2, end = (y + 1) * width - 2; i < end; i++) {
      if (isLine[i] === 0) continue;
      const away = directionOfEnd(isLine, i, width);
      if (away < 0) continue;
      const gap = gapAhead(isLine, shares, i, away, width, leastShare);
      if (gap >= 0) isLine[gap] = 1;
    }
  }
}

/** The step to a pixel's neighbor in one of eight directions, in turn (any whole number stands for one). */
function stepOf(direction: number, width: number): number {
  const [u, v] = AROUND[direction & 7];
  return v * width + u;
}

/** The direction in which a line ends in a pixel, which has one other beside it; -1 where it does not. */
function directionOfEnd(isLine: Uint8Array, i: number, width: number): number {
  let found = -1;
  for (let k = 0; k < 8; k++) {
    if (isLine[i + stepOf(k, width)] === 0) continue;
    if (found >= 0) return -1;
    found = k;
  }
  return found < 0 ? -1 : found + 4;
}

/** Whether one of the three pixels ahead of one in a direction is of a line. */
function isLineAhead(isLine: Uint8Array, i: number, direction: number, width: number): boolean {
  for (let turn = -1; turn <= 1; turn++) if (isLine[i + stepOf(direction + turn, width)] === 1) return true;
  return false;
}

/** Of the three pixels ahead the one that closes a gap, -1 where there is none. */
function gapAhead(
  isLine: Uint8Array,
  shares: Float32Array,
  i: number,
  direction: number,
  width: number,
  leastShare: number,
): number {
  let best = -1;
  let least = Infinity;
  for (let turn = -1; turn <= 1; turn++) {
    const gap = i + stepOf(direction + turn, width);
    if (shares[gap] < leastShare || !isLineAhead(isLine, gap, direction, width)) continue;
    let touched = 1 - shares[gap];
    for (let k = 0; k < 8; k += 2) touched += isLine[gap + stepOf(k, width)];
    if (touched >= least) continue;
    least = touched;
    best = gap;
  }
  return best;
}

/** Explains pixels as mixtures of colors around them and a line's. */
class LineMixer {
  /** Of the pixel explained last: how far it is off, squared, the ground that covers most of it, and what covers most of the rest. */
  error = 0;
  ground = 0;
  second = 0;
  /** Whether what the line covers of it can be told from what any two others would. */
  isTold = false;
  /** Per pixel how much of it the line covers. */
  readonly shares: Float32Array;
  private readonly rgba: Uint8Array;
  private readonly width: number;
  private readonly height: number;
  private readonly labels: Int32Array;
  private readonly line: LineColor;
  /** Per pixel PURE, or whether its explanation is SURE. */
  private readonly kinds: Uint8Array;
  private readonly unmixer: Unmixer;
  private readonly three = new ThreeColors();
  private readonly near: Int32Array;
  /** Per color the search that met it last. */
  private readonly seen: Int32Array;
  private search = 0;

  constructor({ rgba, width, height }: WorkingPixels, line: LineColor, { labels, mixed, errors }: FlatLabels) {
    this.rgba = rgba;
    this.width = width;
    this.height = height;
    this.labels = labels;
    this.line = line;
    this.kinds = arena.uint8(labels.length);
    for (let k = 0; k < mixed.length; k++) this.kinds[mixed[k]] = errors[k] > SURE_SQ ? UNSURE : SURE;
    for (const k of line.open ?? []) this.kinds[mixed[k]] = UNSURE;
    this.shares = arena.rawFloat32(labels.length);
    for (let i = 0; i < labels.length; i++) this.shares[i] = labels[i] === line.color && this.kinds[i] === PURE ? 1 : 0;
    this.unmixer = new Unmixer(rgba, line.channels);
    this.near = new Int32Array(line.channels.length / 4);
    this.seen = new Int32Array(line.channels.length / 4);
  }

  explain(pixel: number): void {
    const { unmixer, three, rgba, line } = this;
    const { channels, color } = line;
    const near = this.near;
    const count = this.lookAround(pixel);
    unmixer.error = Infinity;
    for (let a = 0; a < count; a++) {
      unmixer.tryPair(pixel, near[a], color);
      for (let b = 0; b < a; b++) unmixer.tryPair(pixel, near[a], near[b]);
    }
    const { label, other } = unmixer;
    this.error = unmixer.error;
    this.ground = label === color ? other : label;
    this.second = label === color ? label : other;
    this.shares[pixel] = this.second === color ? unmixer.share(pixel, color, this.ground) : 0;
    this.isTold = this.areTold(count);
    if (this.error <= THREE_SQ) return;
    let best = this.error;
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < a; b++) {
        if (!three.use(channels, near[a], near[b], color)) continue;
        const off = three.distanceSq(rgba, pixel) + THREE_SQ;
        if (off >= best) continue;
        best = off;
        const first = three.share(rgba, pixel);
        three.use(channels, color, near[a], near[b]);
        const share = three.share(rgba, pixel);
        const last = 1 - share - first;
        this.error = off - THREE_SQ;
        this.shares[pixel] = share;
        this.ground = first >= last ? near[a] : near[b];
        this.second = share > Math.min(first, last) ? color : first >= last ? near[b] : near[a];
      }
    }
  }

  /** Whether no two of the first `count` colors around are in line with the line's. */
  private areTold(count: number): boolean {
    const { near, three, line } = this;
    for (let a = 0; a < count; a++)
      for (let b = 0; b < a; b++) if (!three.use(line.channels, near[a], near[b], line.color)) return false;
    return true;
  }

  /** Lists the colors around a pixel that a line may be on, each once, or all grounds where there is none; returns how many. */
  private lookAround(pixel: number): number {
    const { width, height, labels, line, kinds, near, seen } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    let count = 0;
    for (let reach = NEAR_PX; reach <= FAR_PX && count === 0; reach++) {
      this.search++;
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
          const i = v * width + u;
          const label = labels[i];
          if (seen[label] === this.search || label === line.color || line.isLeft[label] === 1) continue;
          if (kinds[i] === UNSURE || (line.open !== undefined && kinds[i] === PURE && isAlone(labels, kinds, i, width)))
            continue;
          seen[label] = this.search;
          near[count++] = label;
        }
      }
    }
    if (count > 0) return count;
    near.set(line.grounds);
    return line.grounds.length;
  }
}
