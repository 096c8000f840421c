import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { FlatLabels } from './label-flat.js';

/** What lies between two grounds is a stroke's section up to so many px. */
const MOST_PX = 5;
/** Less ink than this, levels times px (squared), tells nothing. */
const LEAST_INK_SQ = 16 * 16;
/** How far off the way to its ink a pixel of a section may be, squared levels, and by how many levels on the wrong side of its ground. */
const OFF_SQ = 5 * 5;
const WRONG_LEVELS = 3;
/**
 * Where there is less ink off the way between two grounds than this share of the way (squared), it may lie on the way, farther out; it does where some pixel is so many times as
 * far from both grounds (from their mean) as these are from each other.
 */
const LEAST_OFF_WAY = 1;
const NEAR_GROUNDS = 1;
/** Sections in one row and the next are of one stroke where they have (nearly) as much ink, and are no farther apart than strokes go across their rows. */
const LIKE_SHARE = 0.3;
const FARTHEST_PX = 1.3;
/** Of every so manieth row and column first, and so many of the sections that are asked for are to be expected of them: some are more than others. */
const PROBE_STEP = 8;
const PROBE_SHARE = 0.5;
/** Strokes go on for so many rows at least. */
const LEAST_ROWS = 3;
/** How far up and down the rows are that tell how a stroke leans. */
const SLOPE_ROWS = 3;

/** What a row (or a column) shows of a stroke that crosses it: the pixels between two grounds. */
export interface StrokeSection {
  /** Its first pixel, how many there are, and the step from one to the next. */
  readonly first: number;
  readonly count: number;
  readonly step: number;
  /** The colors' numbers of the ground before it and of that behind it. */
  readonly before: number;
  readonly behind: number;
  /** Where its ink is on the way between the grounds, or nearly, its fullest pixel; -1 elsewhere. */
  readonly fullest: number;
  /** How much of the stroke there is: levels times px by which the pixels are off their grounds, off the way between these; four channels. */
  readonly ink: Float64Array;
  /** Where the middle of it is, px from the middle of the first pixel, and how far it is spread around that (variance, px²). */
  readonly middle: number;
  readonly spread: number;
  /** As `middle`, from the row's beginning. */
  readonly place: number;
  readonly row: number;
}

/** A stroke, row by row (or column by column). */
export interface Strand {
  readonly sections: readonly StrokeSection[];
  /** Per section by how many px the stroke moves aside from one row to the next. */
  readonly slopes: Float64Array;
}

/**
 * Finds strokes of a few px between even grounds, if there are `least` sections of them; edges, along which there is nothing but what lies on both sides, are none. `isGround` tells
 * the grounds' colors by number.
 */
export function findStrands(
  pixels: WorkingPixels,
  channels: Float64Array,
  flat: FlatLabels,
  isGround: (color: number) => boolean,
  least: number,
): readonly Strand[] {
  const search = new SectionSearch(pixels, channels, flat, isGround);
  // Most pictures have none: some rows and columns tell.
  const few = search.find(PROBE_STEP);
  if ((few.across.length + few.down.length) * PROBE_STEP < least * PROBE_SHARE) return [];
  const { across, down } = search.find(1);
  down.sort((a, b) => a.row - b.row || a.place - b.place);
  return [...linked(across), ...linked(down)];
}

/** Looks for what lies between two grounds. */
class SectionSearch {
  private readonly width: number;
  private readonly height: number;
  private readonly labels: Int32Array;
  private readonly mixed: Int32Array;
  private readonly isOpen: Uint8Array;
  private readonly isGround: Uint8Array;
  private readonly measure: SectionMeasure;

  constructor(
    pixels: WorkingPixels,
    channels: Float64Array,
    { labels, mixed }: FlatLabels,
    isGround: (color: number) => boolean,
  ) {
    this.width = pixels.width;
    this.height = pixels.height;
    this.labels = labels;
    this.mixed = mixed;
    this.isGround = Uint8Array.from({ length: channels.length / 4 }, (_, k) => (isGround(k) ? 1 : 0));
    this.isOpen = arena.uint8(labels.length);
    for (let k = 0; k < mixed.length; k++) this.isOpen[mixed[k]] = 1;
    this.measure = new SectionMeasure(pixels, channels, labels);
  }

  /** Sections along every so manieth row and column. */
  find(every: number): { readonly across: readonly StrokeSection[]; readonly down: StrokeSection[] } {
    const { width, height, mixed, isOpen, measure } = this;
    const across: StrokeSection[] = [];
    const down: StrokeSection[] = [];
    for (let k = 0; k < mixed.length; k++) {
      const i = mixed[k];
      const y = (i / width) | 0;
      const x = i - y * width;
      if (y % every === 0 && x > 0 && isOpen[i - 1] === 0) {
        const n = this.countFrom(i, 1, width - x);
        if (n > 0) measure.add(across, i, n, 1, x, y);
      }
      if (x % every === 0 && y > 0 && isOpen[i - width] === 0) {
        const n = this.countFrom(i, width, height - y);
        if (n > 0) measure.add(down, i, n, width, y, x);
      }
    }
    return { across, down };
  }

  /** How many pixels there are from one on, in steps, to the next ground, of `most` there are in all; 0 where that is too far, or what lies before it, or behind, is none. */
  private countFrom(first: number, step: number, most: number): number {
    const { isOpen, isGround, labels } = this;
    if (isGround[labels[first - step]] === 0) return 0;
    let n = 1;
    while (n <= MOST_PX && n < most && isOpen[first + n * step] === 1) n++;
    return n <= MOST_PX && n < most && isGround[labels[first + n * step]] === 1 ? n : 0;
  }
}

/** Measures what lies between two grounds. */
class SectionMeasure {
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;
  private readonly labels: Int32Array;
  private readonly off = new Float64Array(4 * MOST_PX);
  private readonly ink = new Float64Array(4);

  constructor({ rgba }: WorkingPixels, channels: Float64Array, labels: Int32Array) {
    this.rgba = rgba;
    this.channels = channels;
    this.labels = labels;
  }

  /** Adds a section to some, if it is a stroke's. */
  add(some: StrokeSection[], first: number, count: number, step: number, from: number, row: number): void {
    const { channels, labels, off, ink } = this;
    const before = labels[first - step];
    const behind = labels[first + count * step];
    const p = 4 * before;
    const q = 4 * behind;
    let waySq = 0;
    for (let c = 0; c < 4; c++) waySq += (channels[q + c] - channels[p + c]) ** 2;
    let fullest = -1;
    this.takeOffWay(first, count, step, p, q, waySq);
    if (waySq > 0 && lengthSq(ink) < LEAST_OFF_WAY * waySq)
      fullest = this.takeOffSides(first, count, step, p, q, waySq);
    const inkSq = lengthSq(ink);
    if (inkSq < LEAST_INK_SQ) return;
    const length = Math.sqrt(inkSq);
    let all = 0;
    let moment = 0;
    let squares = 0;
    for (let n = 0; n < count; n++) {
      let own = 0;
      let ownSq = 0;
      for (let c = 0; c < 4; c++) {
        own += (off[4 * n + c] * ink[c]) / length;
        ownSq += off[4 * n + c] ** 2;
      }
      if (own < -WRONG_LEVELS || ownSq - own * own > OFF_SQ) return;
      all += own;
      moment += own * n;
      squares += own * n * n;
    }
    const middle = moment / all;
    some.push({
      first,
      count,
      step,
      before,
      behind,
      fullest,
      ink: ink.slice(),
      middle,
      spread: squares / all - middle * middle,
      place: from + middle,
      row,
    });
  }

  /** What the pixels are off the way from one ground to the other: there is nothing else along an edge. */
  private takeOffWay(first: number, count: number, step: number, p: number, q: number, waySq: number): void {
    const { rgba, channels, off, ink } = this;
    ink.fill(0);
    for (let n = 0; n < count; n++) {
      const at = 4 * (first + n * step);
      let along = 0;
      if (waySq > 0)
        for (let c = 0; c < 4; c++) along += (rgba[at + c] - channels[p + c]) * (channels[q + c] - channels[p + c]);
      for (let c = 0; c < 4; c++) {
        const aside = waySq > 0 ? (along / waySq) * (channels[q + c] - channels[p + c]) : 0;
        off[4 * n + c] = rgba[at + c] - channels[p + c] - aside;
        ink[c] += off[4 * n + c];
      }
    }
  }

  /**
   * What the pixels are off the ground on their side of the fullest one, where both grounds are much the same beside that, and it is on no way from one to the other; returns that
   * pixel, -1 where it is no such section.
   */
  private takeOffSides(first: number, count: number, step: number, p: number, q: number, waySq: number): number {
    const { rgba, channels, off, ink } = this;
    let fullest = -1;
    let most = waySq / NEAR_GROUNDS ** 2;
    for (let n = 0; n < count; n++) {
      const at = 4 * (first + n * step);
      let offSq = 0;
      for (let c = 0; c < 4; c++) offSq += (rgba[at + c] - (channels[p + c] + channels[q + c]) / 2) ** 2;
      if (offSq <= most) continue;
      most = offSq;
      fullest = n;
    }
    if (fullest < 0) return -1;
    ink.fill(0);
    for (let n = 0; n < count; n++) {
      const at = 4 * (first + n * step);
      for (let c = 0; c < 4; c++) {
        off[4 * n + c] = rgba[at + c] - groundAt(channels, p, q, n, fullest, c);
        ink[c] += off[4 * n + c];
      }
    }
    return fullest;
  }
}

/** A channel of the ground of a section's pixel `n`: the one on its side of the fullest one, and under that half of each. */
export function groundAt(
  channels: Float64Array,
  p: number,
  q: number,
  n: number,
  fullest: number,
  channel: number,
): number {
  const before = channels[p + channel];
  const behind = channels[q + channel];
  return n < fullest ? before : n > fullest ? behind : (before + behind) / 2;
}

function lengthSq(vector: Float64Array): number {
  let sum = 0;
  for (const level of vector) sum += level * level;
  return sum;
}

/** Sections (row by row) as strokes. */
function linked(sections: readonly StrokeSection[]): readonly Strand[] {
  const done: StrokeSection[][] = [];
  let open: StrokeSection[][] = [];
  let next: StrokeSection[][] = [];
  let row = -1;
  for (const section of sections) {
    if (section.row !== row) {
      done.push(...open);
      open = section.row === row + 1 ? next : [];
      if (section.row !== row + 1) done.push(...next);
      next = [];
      row = section.row;
    }
    const k = open.findIndex((strand) => goesOn(strand[strand.length - 1], section));
    if (k < 0) next.push([section]);
    else {
      next.push(open[k]);
      open[k].push(section);
      open.splice(k, 1);
    }
  }
  return [...done, ...open, ...next].filter(({ length }) => length >= LEAST_ROWS).map(toStrand);
}

function goesOn(last: StrokeSection, next: StrokeSection): boolean {
  if (last.before !== next.before || last.behind !== next.behind) return false;
  if (Math.abs(last.place - next.place) > FARTHEST_PX) return false;
  return isAlike(last.ink, next.ink, LIKE_SHARE);
}

/** Whether two amounts of ink differ by no more than a share of the first. */
export function isAlike(a: Float64Array, b: Float64Array, share: number): boolean {
  let offSq = 0;
  let inkSq = 0;
  for (let c = 0; c < 4; c++) {
    offSq += (a[c] - b[c]) ** 2;
    inkSq += a[c] ** 2;
  }
  return offSq <= share * share * inkSq;
}

function toStrand(sections: readonly StrokeSection[]): Strand {
  const last = sections.length - 1;
  const slopes = Float64Array.from(sections, (_, n) => {
    const from = Math.max(0, n - SLOPE_ROWS);
    const to = Math.min(last, n + SLOPE_ROWS);
    return (sections[to].place - sections[from].place) / (to - from);
  });
  return { sections, slopes };
}
