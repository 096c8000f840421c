import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { Palette } from '../quantize/palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import type { LineColor } from './line-color.js';
import { farthestOf, findStrokeKinds, LEAST_SECTIONS, type StrokeKind, sharesOf } from './stroke-colors.js';
import { findStrands, type Strand, type StrokeSection } from './stroke-sections.js';
import { withColor } from './with-color.js';

/** With more colors than these some would explain anything. */
const MOST_COLORS = 40;
/** A stroke covers more than this of the pixels that are its. */
const MOSTLY = 0.5;
/** How far around what was found pixels are that may be of it: where strokes end, or meet, and where no pixel of another color is pure. */
const REACH = 2;
const MOST_ROUNDS = 8;
/** How much farther (levels, squared) from what explains it a pixel may be by a stroke's color than by another one. */
const FARTHER_SQ = 3 * 3;
/** Strokes of a known color are looked at where this share of their pixels, at least, passes for others. */
const ELSEWHERE_SHARE = 0.05;

/** Colors with those of strokes behind. */
export interface StrokeColors {
  readonly channels: Float64Array;
  /** All that strokes were found to be of: what shines through where areas meet is never so wide. */
  readonly ofStrokes: readonly number[];
}

/**
 * Gives strokes a pixel or two wide the color that they are of (`findStrokeKinds`), where their pixels pass for mixtures of others: gray circles for hairlines of the black that
 * letters beside them have. `known` are the palette's colors and those found beside them, four premultiplied channels each; `flat` changes in place, where there are such strokes, and is
 * left as it is where there are none. Those of the color of fine lines, where that is known (`line`), are left to `layLines`.
 */
export function labelStrokes(
  pixels: WorkingPixels,
  { size, narrow }: Palette,
  known: Float64Array,
  flat: FlatLabels,
  line?: LineColor,
): StrokeColors {
  const none = { channels: known, ofStrokes: [] };
  const first = known.length / 4;
  if (flat.others === undefined || first > MOST_COLORS) return none;
  const isGround = (color: number) => color < size && !narrow.includes(color);
  const strands = findStrands(pixels, known, flat, isGround, LEAST_SECTIONS);
  if (strands.length === 0) return none;
  const ofLine = line?.channels.subarray(4 * line.color, 4 * line.color + 4);
  const isOfLine = (kind: StrokeKind) => ofLine !== undefined && offOf(kind, ofLine) <= farthestOf(kind);
  const kinds = findStrokeKinds(pixels, known, strands).filter((kind) => !isOfLine(kind));
  if (kinds.length === 0) return none;
  let channels = known;
  const numbers = kinds.map((kind) => {
    const number = numberOf(kind, channels, flat.labels);
    if (number >= 0) return number;
    channels = withColor(channels, kind.color);
    return channels.length / 4 - 1;
  });
  const labeler = new StrokeLabeler(pixels, channels, flat);
  const ofStrokes = [...new Set(numbers)];
  const given = ofStrokes.filter((number) => number >= first || labeler.isElsewhere(kinds, numbers, number));
  if (given.length > 0) labeler.label(kinds, numbers, strands, given);
  return { channels, ofStrokes };
}

/** The number of the color that strokes are of: of those that it may be the one that most of their pixels have already; -1 where it is a new one. */
function numberOf(kind: StrokeKind, channels: Float64Array, labels: Int32Array): number {
  const most = farthestOf(kind);
  const counts = new Int32Array(channels.length / 4);
  for (const { first, count, step } of kind.sections)
    for (let n = 0; n < count; n++) counts[labels[first + n * step]]++;
  let best = -1;
  for (let k = 0; k < counts.length; k++) {
    const off = offOf(kind, channels.subarray(4 * k, 4 * k + 4));
    if (off <= most && (best < 0 || counts[k] > counts[best])) best = k;
  }
  return best;
}

const offOf = ({ color }: StrokeKind, other: Float64Array) => Math.hypot(...color.map((level, c) => level - other[c]));

class StrokeLabeler {
  private readonly pixels: WorkingPixels;
  private readonly channels: Float64Array;
  private readonly flat: FlatLabels;
  /** Per pixel its number among the mixed ones, -1 for pure ones. */
  private readonly at: Int32Array;
  /** Pixels that were given to a stroke or its ground. */
  private readonly isDone: Uint8Array;
  /** Per color whether strokes are to be given theirs. */
  private readonly isStroke: Uint8Array;

  constructor(pixels: WorkingPixels, channels: Float64Array, flat: FlatLabels) {
    this.pixels = pixels;
    this.channels = channels;
    this.flat = flat;
    this.isDone = arena.uint8(pixels.words.length);
    this.isStroke = new Uint8Array(channels.length / 4);
    this.at = arena.rawInt32(pixels.words.length).fill(-1);
    for (let k = 0; k < flat.mixed.length; k++) this.at[flat.mixed[k]] = k;
  }

  /** Whether many pixels of strokes that are of a known color pass for others, or for nothing but their grounds. */
  isElsewhere(kinds: readonly StrokeKind[], numbers: readonly number[], number: number): boolean {
    const { labels } = this.flat;
    let seen = 0;
    let elsewhere = 0;
    kinds.forEach(({ sections }, kind) => {
      if (numbers[kind] !== number) return;
      for (const { first, count, step, before, behind } of sections) {
        let own = 0;
        let foreign = 0;
        for (let n = 0; n < count; n++) {
          const pixel = first + n * step;
          const label = labels[pixel];
          const other = this.flat.others?.[this.at[pixel]] ?? -1;
          const isHere = (color: number) => color < 0 || color === before || color === behind;
          if (label === number || other === number) own++;
          else if (!isHere(label) || !isHere(other)) foreign++;
        }
        seen += count;
        elsewhere += own > 0 ? foreign : count;
      }
    });
    return elsewhere >= ELSEWHERE_SHARE * seen;
  }

  /** Gives strokes and what lies beside them to the colors that they are of, where these are some of `given`. */
  label(
    kinds: readonly StrokeKind[],
    numbers: readonly number[],
    strands: readonly Strand[],
    given: readonly number[],
  ): void {
    for (const color of given) this.isStroke[color] = 1;
    kinds.forEach(({ sections }, k) => {
      for (const section of sections) this.labelSection(section, numbers[k]);
    });
    this.labelOthers(strands, kinds, numbers);
    for (let round = 0; round < MOST_ROUNDS; round++) if (!this.labelBeside()) break;
  }

  /** Strokes that tell nothing by themselves, as level and upright ones, are of the color that explains them as the most usual width. */
  private labelOthers(strands: readonly Strand[], kinds: readonly StrokeKind[], numbers: readonly number[]): void {
    for (const { sections } of strands) {
      if (sections.some(({ first }) => this.isDone[first] === 1)) continue;
      let best = -1;
      let least = Infinity;
      kinds.forEach(({ widthPx }, k) => {
        let sum = 0;
        for (const section of sections) {
          const found = this.sharesOf(section, numbers[k]);
          sum += found === undefined ? Infinity : Math.abs(Math.log(found.widthPx / widthPx));
        }
        if (sum >= least) return;
        least = sum;
        best = k;
      });
      if (best >= 0) for (const section of sections) this.labelSection(section, numbers[best]);
    }
  }

  private sharesOf(section: StrokeSection, number: number) {
    const color = this.channels.subarray(4 * number, 4 * number + 4);
    return sharesOf(section, color, this.pixels.rgba, this.channels);
  }

  /** Gives what lies beside strokes of known colors, where they meet and end, to them. */
  private labelBeside(): boolean {
    const { mixed, labels, errors } = this.flat;
    const others = this.flat.others as Int32Array;
    const { width, height, rgba } = this.pixels;
    const unmixer = new Unmixer(rgba, this.channels);
    const found: (readonly [number, number, number, number])[] = [];
    for (let k = 0; k < mixed.length; k++) {
      const pixel = mixed[k];
      if (this.isDone[pixel] === 1) continue;
      const x = pixel % width;
      const y = (pixel - x) / width;
      const pure: number[] = [];
      const strokes: number[] = [];
      for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++)
        for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
          const near = v * width + u;
          const label = labels[near];
          if (this.at[near] < 0) {
            if (!pure.includes(label)) pure.push(label);
          } else if (this.isDone[near] === 1 && this.isStroke[label] === 1 && !strokes.includes(label))
            strokes.push(label);
        }
      if (strokes.length === 0) continue;
      const isExplained = (color: number) => color < 0 || pure.includes(color);
      if (isExplained(labels[pixel]) && isExplained(others[k])) continue;
      unmixer.error = errors[k] + FARTHER_SQ;
      const limit = unmixer.error;
      for (const stroke of strokes) {
        unmixer.tryColor(pixel, stroke, unmixer.error);
        for (const ground of pure) if (ground !== stroke) unmixer.tryPair(pixel, stroke, ground);
        for (const other of strokes) if (other < stroke) unmixer.tryPair(pixel, stroke, other);
      }
      if (unmixer.error < limit) found.push([k, unmixer.label, unmixer.other, unmixer.error]);
    }
    for (const [k, label, other, error] of found) {
      labels[mixed[k]] = label;
      others[k] = other;
      errors[k] = error;
      this.isDone[mixed[k]] = 1;
    }
    return found.length > 0;
  }

  /** The pixels that a stroke covers most of, or more than half, are its, the others its grounds'. */
  private labelSection(section: StrokeSection, number: number): void {
    const { labels, errors } = this.flat;
    const others = this.flat.others as Int32Array;
    const { first, count, step, before, behind, middle } = section;
    const shares = this.isStroke[number] === 1 ? this.sharesOf(section, number)?.shares : undefined;
    const most = shares?.indexOf(Math.max(...shares));
    for (let n = 0; n < count; n++) {
      const pixel = first + n * step;
      const at = this.at[pixel];
      if (this.isDone[pixel] === 1) continue;
      this.isDone[pixel] = 1;
      if (shares === undefined) continue;
      const isStroke = n === most || shares[n] > MOSTLY;
      const ground = n <= middle ? before : behind;
      labels[pixel] = isStroke ? number : ground;
      others[at] = isStroke ? ground : number;
      errors[at] = 0;
    }
  }
}
