import { contrastOf, signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorTable } from '../quantize/color-counts.js';
import type { FittedRamp } from './fit-ramp.js';
import type { RampLimits } from './limits.js';
import type { RampSamples } from './ramp-profile.js';
import { RampReader } from './ramp-reader.js';
import { RampRuler, type RampShape } from './ramp-shape.js';
import { STEEPEST } from './seeds.js';

/** Share of an area's pixels that must have others of many colors on all sides. */
const LEAST_CORE_SHARE = 0.01;
const EVEN_PX = 3;
/** Pixels in which an area runs out into an even ground, at least, and the share of them that is of one color; less, where that lies on all sides of the area. */
const LEAST_GROUND_PX = 120;
const LEAST_GROUND_SHARE = 0.6;
const LEAST_AROUND_SHARE = 0.3;
/** What edges are looked for within, px. */
const CLEAR_PX = 2;
/** So many times as many pixels are looked at as samples are wanted. */
const CLEAR_TIMES = 1.5;
/** Samples are of pixels inside the area where there are so many of these, and this share. */
const LEAST_INNER_PX = 20;
const LEAST_INNER_SHARE = 0.15;
/** In areas larger than this edges are a small share, and say where it ends. */
const MOST_INNER_PX = 8192;
/** And of those at its edges that are within so many levels of the ramp. */
const VERY_NEAR = 1.25;

/** Which pixels of an area samples are taken of: those inside it; these, and others that are very near to a ramp; all; all that no edge is near; or those up to a place along a ramp. */
export type SampledPixels =
  | 'inner'
  | 'all'
  | 'clear'
  | FittedRamp
  | { readonly along: RampShape; readonly end: number };

/** An area of a picture that may be of one ramp: its pixels are gathered, measured, and kept or left. One after the other is at hand. */
export class RampArea {
  /** The area's pixels, the first `size` of the list. */
  readonly stack: Int32Array;
  size = 0;
  private readonly pixels: WorkingPixels;
  /** Per pixel the ramp it is of, -1 for none; what is of one is taken no more. */
  private readonly of: Int32Array;
  /** Per pixel the number of the attempt that took it last. */
  private readonly taken: Int32Array;
  private attempt = 0;
  /** The even color that most of what was flooded last runs out into. */
  private groundWord: number | undefined;
  /** Per pixel the mark of the last area it was in; one more for what is inside that. Marks grow, by two. */
  private readonly marks: Int32Array;
  private areaMark = 0;

  constructor(pixels: WorkingPixels, of: Int32Array) {
    this.pixels = pixels;
    this.of = of;
    this.stack = new Int32Array(of.length);
    this.taken = new Int32Array(of.length);
    this.marks = new Int32Array(of.length);
  }

  /** Makes the area one ramp's own. */
  keep(ramp: number): void {
    for (let k = 0; k < this.size; k++) this.of[this.stack[k]] = ramp;
  }

  /** Takes a square, whose upper left pixel is (x, y). */
  takeSquare(x: number, y: number, side: number): void {
    this.size = 0;
    for (let v = 0; v < side; v++) {
      for (let u = 0; u < side; u++) this.stack[this.size++] = (y + v) * this.pixels.width + x + u;
    }
  }

  /** Takes so many pixels in a row or a column, around one. */
  takeLine(middle: number, along: number, length: number): void {
    this.size = 0;
    for (let k = 0; k < length; k++) this.stack[this.size++] = middle + (k - (length >> 1)) * along;
  }

  /** Takes all that is one ramp's own. */
  takeAll(ramp: number): void {
    this.size = 0;
    for (let i = 0; i < this.of.length; i++) if (this.of[i] === ramp) this.stack[this.size++] = i;
  }

  /** Takes all that hangs together with a pixel by steps of so many levels, even areas left out. */
  flood(from: number, steepest: number): void {
    const { stack, taken, of, pixels } = this;
    const { width, height, rgba, words } = pixels;
    const attempt = ++this.attempt;
    const even = new ColorTable();
    const outmost = new Outmost(from);
    let size = 1;
    stack[0] = from;
    taken[from] = attempt;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      for (let d = 0; d < 4; d++) {
        const j = neighborOf(i, d, width, height);
        if (j < 0 || taken[j] === attempt || of[j] >= 0) continue;
        let near = true;
        for (let c = 0; c < 4; c++) {
          const step = rgba[j * 4 + c] - rgba[i * 4 + c];
          if (step > steepest || step < -steepest) near = false;
        }
        if (!near) continue;
        taken[j] = attempt;
        if (!this.isEven(j)) stack[size++] = j;
        else {
          even.counts[even.indexOf(words[j])]++;
          outmost.take(j, width);
        }
      }
    }
    this.size = size;
    this.groundWord = mostOf(even);
    const around = outmost.wordOf(words);
    if (this.groundWord !== undefined || around === undefined || !isAround(even, around)) return;
    // It leaked into what lies on the shadow, by the mixed pixels of round corners.
    this.groundWord = around;
    this.size = 0;
    for (let k = 0; k < size; k++) {
      const word = words[stack[k]];
      if (word === around || even.find(word) < 0) stack[this.size++] = stack[k];
    }
  }

  /** Four channels of the even color that what was flooded last runs out into; undefined where there is none. */
  get ground(): Uint8Array | undefined {
    return this.groundWord === undefined ? undefined : new Uint8Array(Uint32Array.of(this.groundWord).buffer);
  }

  /** Share of the steps from the area's pixels to those around it that are of so many levels at most. */
  softShare(levels: number): number {
    const { stack, size, marks, pixels } = this;
    const { width, height } = pixels;
    const words = signedWords(pixels.words);
    this.areaMark += 2;
    for (let k = 0; k < size; k++) marks[stack[k]] = this.areaMark;
    let steps = 0;
    let soft = 0;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      for (let d = 0; d < 4; d++) {
        const j = neighborOf(i, d, width, height);
        if (j < 0 || marks[j] === this.areaMark) continue;
        steps++;
        if (contrastOf(words[i], words[j]) <= levels) soft++;
      }
    }
    return steps > 0 ? soft / steps : 0;
  }

  /** Whether the pixels a few px away in the four directions are all the same as one. */
  isEven(i: number): boolean {
    const { words, width } = this.pixels;
    const word = words[i];
    const x = i % width;
    const down = EVEN_PX * width;
    return (
      (x < EVEN_PX || words[i - EVEN_PX] === word) &&
      (x + EVEN_PX >= width || words[i + EVEN_PX] === word) &&
      (i < down || words[i - down] === word) &&
      (i + down >= words.length || words[i + down] === word)
    );
  }

  /** Leaves those of the area's pixels that are beyond a place along a ramp, px. */
  takeUpTo(shape: RampShape, end: number): void {
    const ruler = new RampRuler(shape);
    this.leave((pixel) => !this.isUpTo(pixel, ruler, end));
  }

  /** Leaves some of the area's pixels. */
  leave(isLeft: (pixel: number) => boolean): void {
    const { stack, size } = this;
    this.size = 0;
    for (let k = 0; k < size; k++) if (!isLeft(stack[k])) stack[this.size++] = stack[k];
  }

  /** As `flood`, for the pixels that are within `near` levels of a ramp, which may be `endless`, and no further than `reach` px from the first. */
  grow(ramp: FittedRamp, near: number, from: number, reach: number, endless = false): void {
    const { stack, taken, of, pixels } = this;
    const { width, height } = pixels;
    const attempt = ++this.attempt;
    const reader = new RampReader(ramp, pixels, near, endless);
    const fromX = from % width;
    const fromY = (from - fromX) / width;
    const [left, right] = [Math.max(0, fromX - reach), Math.min(width - 1, fromX + reach)];
    const [top, bottom] = [Math.max(0, fromY - reach), Math.min(height - 1, fromY + reach)];
    let size = 1;
    stack[0] = from;
    taken[from] = attempt;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      const x = i % width;
      const y = (i - x) / width;
      for (let d = 0; d < 4; d++) {
        const u = x + (d === 0 ? 1 : d === 1 ? -1 : 0);
        const v = y + (d === 2 ? -1 : d === 3 ? 1 : 0);
        if (u < left || u > right || v < top || v > bottom) continue;
        const j = v * width + u;
        if (taken[j] === attempt || of[j] >= 0) continue;
        taken[j] = attempt;
        if (reader.isNear(u, v)) stack[size++] = j;
      }
    }
    this.size = size;
  }

  /**
   * About so many of the pixels, evenly taken, as samples. Where enough of them have all four neighbors there, of these: others
   * may be anti-aliased, and a little of something else.
   */
  samples(most: number, which: SampledPixels = 'inner'): RampSamples {
    const { stack, marks, size, pixels } = this;
    const { width, straight } = pixels;
    const isSmall = size <= MOST_INNER_PX;
    if (which === 'clear') return this.clearSamples(most);
    if (typeof which === 'object' && 'end' in which)
      return this.samplesUpTo(most, new RampRuler(which.along), which.end);
    const inner = which === 'all' || !isSmall ? 0 : this.markInner(which === 'inner' ? undefined : which);
    const isEnough = inner >= LEAST_INNER_PX && inner >= LEAST_INNER_SHARE * size;
    const all = isEnough ? inner : size;
    const stride = Math.max(1, all / most);
    const count = Math.min(all, Math.floor(all / stride));
    const x = new Float64Array(count);
    const y = new Float64Array(count);
    const channels = new Float64Array(count * 4);
    const inside = this.areaMark + 1;
    for (let at = 0, met = 0, next = 0, k = 0; k < count; at++) {
      if (!isEnough) at = next;
      const i = stack[at];
      if (isEnough && (marks[i] !== inside || met++ < next)) continue;
      x[k] = (i % width) + 0.5;
      y[k] = Math.floor(i / width) + 0.5;
      for (let c = 0; c < 4; c++) channels[k * 4 + c] = straight[i * 4 + c];
      next = Math.floor(++k * stride);
    }
    return { count, x, y, channels };
  }

  /** As `samples`, of pixels that are no mixture with something beyond an edge. */
  private clearSamples(most: number): RampSamples {
    const { stack, size, pixels } = this;
    const words = signedWords(pixels.words);
    const kept: number[] = [];
    const stride = Math.max(1, size / (CLEAR_TIMES * most));
    for (let at = 0; at < size; at += stride) {
      const i = stack[Math.floor(at)];
      if (this.isClear(words, i)) kept.push(i);
    }
    return this.samplesOf(kept, most);
  }

  /** As `samples`, of pixels up to a place along a ramp, px. */
  private samplesUpTo(most: number, ruler: RampRuler, end: number): RampSamples {
    const { stack, size } = this;
    let all = 0;
    for (let k = 0; k < size; k++) if (this.isUpTo(stack[k], ruler, end)) all++;
    const count = Math.min(all, most);
    const kept: number[] = [];
    for (let k = 0, met = 0, next = 0; kept.length < count; k++) {
      if (!this.isUpTo(stack[k], ruler, end) || met++ < next) continue;
      kept.push(stack[k]);
      next = Math.floor((kept.length * all) / count);
    }
    return this.samplesOf(kept, most);
  }

  private isUpTo(pixel: number, ruler: RampRuler, end: number): boolean {
    const { width } = this.pixels;
    return ruler.at((pixel % width) + 0.5, Math.floor(pixel / width) + 0.5) <= end;
  }

  /** So many samples of some pixels at most, evenly taken. */
  private samplesOf(kept: readonly number[], most: number): RampSamples {
    const { width, straight } = this.pixels;
    const count = Math.min(kept.length, most);
    const x = new Float64Array(count);
    const y = new Float64Array(count);
    const channels = new Float64Array(count * 4);
    for (let k = 0; k < count; k++) {
      const i = kept[Math.floor((k * kept.length) / count)];
      x[k] = (i % width) + 0.5;
      y[k] = Math.floor(i / width) + 0.5;
      for (let c = 0; c < 4; c++) channels[k * 4 + c] = straight[i * 4 + c];
    }
    return { count, x, y, channels };
  }

  /** Whether no edge is within two px of a pixel, which would be a mixture of both sides of it. */
  private isClear(words: Int32Array, i: number): boolean {
    const { width, height } = this.pixels;
    const x = i % width;
    const y = (i - x) / width;
    const [left, right] = [Math.max(0, x - CLEAR_PX), Math.min(width - 1, x + CLEAR_PX)];
    const [top, bottom] = [Math.max(0, y - CLEAR_PX), Math.min(height - 1, y + CLEAR_PX)];
    for (let v = top; v <= bottom; v++) {
      for (let u = left; u <= right; u++) {
        const at = v * width + u;
        if (u < right && contrastOf(words[at], words[at + 1]) > STEEPEST) return false;
        if (v < bottom && contrastOf(words[at], words[at + width]) > STEEPEST) return false;
      }
    }
    return true;
  }

  /** Marks the pixels whose neighbors are all in the area, too, and what else is very near to a ramp; returns how many these are. */
  private markInner(ramp: FittedRamp | undefined): number {
    const { stack, marks, size, pixels } = this;
    const { width, height } = pixels;
    this.areaMark += 2;
    const mark = this.areaMark;
    for (let k = 0; k < size; k++) marks[stack[k]] = mark;
    const reader = ramp && new RampReader(ramp, pixels, VERY_NEAR);
    const isInner = (i: number, x: number) =>
      x > 0 &&
      x + 1 < width &&
      i >= width &&
      i < width * (height - 1) &&
      marks[i - 1] >= mark &&
      marks[i + 1] >= mark &&
      marks[i - width] >= mark &&
      marks[i + width] >= mark;
    let count = 0;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      const x = i % width;
      if (!isInner(i, x) && !reader?.isNear(x, (i - x) / width)) continue;
      marks[i] = mark + 1;
      count++;
    }
    return count;
  }

  /**
   * Whether the area grown last has the many colors of a ramp over some breadth: not an even area or two with the anti-aliased
   * pixels around them.
   */
  hasBreadth({ breadthPx, leastCorePx }: RampLimits): boolean {
    const { stack, size, pixels, taken, attempt } = this;
    const { words, width, height } = pixels;
    const table = new ColorTable();
    for (let k = 0; k < size; k++) table.counts[table.indexOf(words[stack[k]])]++;
    const first = mostFrequent(table);
    table.counts[table.find(first)] = 0;
    const second = mostFrequent(table);
    const isVaried = (i: number) => taken[i] === attempt && words[i] !== first && words[i] !== second;
    let core = 0;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      const x = i % width;
      if (x < breadthPx || x + breadthPx >= width) continue;
      const up = breadthPx * width;
      if (i < up || i + up >= width * height || !isVaried(i)) continue;
      if (isVaried(i - breadthPx) && isVaried(i + breadthPx) && isVaried(i - up) && isVaried(i + up)) core++;
    }
    return core >= leastCorePx && core >= size * LEAST_CORE_SHARE;
  }
}

/** Which of some pixels lie farthest to the left, to the right, up and down. */
class Outmost {
  private readonly pixels: Int32Array;
  private left = Infinity;
  private right = -1;
  private top = Infinity;
  private bottom = -1;

  constructor(from: number) {
    this.pixels = new Int32Array(4).fill(from);
  }

  take(pixel: number, width: number): void {
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    const { pixels } = this;
    if (x < this.left) {
      this.left = x;
      pixels[0] = pixel;
    }
    if (x > this.right) {
      this.right = x;
      pixels[1] = pixel;
    }
    if (y < this.top) {
      this.top = y;
      pixels[2] = pixel;
    }
    if (y > this.bottom) {
      this.bottom = y;
      pixels[3] = pixel;
    }
  }

  /** The color that all four have; undefined where they have not the same. */
  wordOf(words: Uint32Array): number | undefined {
    const [first, ...others] = this.pixels;
    return others.every((pixel) => words[pixel] === words[first]) ? words[first] : undefined;
  }
}

/** The even color that an area runs out into; undefined where that is hardly one. */
function mostOf(even: ColorTable): number | undefined {
  if (even.size === 0) return undefined;
  const word = mostFrequent(even);
  return hasShare(even, word, LEAST_GROUND_SHARE) ? word : undefined;
}

/** Whether one that lies around an area is the ground that it runs out into, though it runs out into others within. */
const isAround = (even: ColorTable, word: number): boolean => hasShare(even, word, LEAST_AROUND_SHARE);

function hasShare(even: ColorTable, word: number, share: number): boolean {
  const k = even.find(word);
  let all = 0;
  for (let n = 0; n < even.size; n++) all += even.counts[n];
  return k >= 0 && even.counts[k] >= LEAST_GROUND_PX && even.counts[k] >= share * all;
}

/** What is counted most often, the lowest of such. */
function mostFrequent({ words, counts, size }: ColorTable): number {
  let best = 0;
  for (let k = 1; k < size; k++)
    if (counts[k] > counts[best] || (counts[k] === counts[best] && words[k] < words[best])) best = k;
  return words[best];
}

/** The pixel to the right, to the left, above or below another (0 to 3); -1 beyond the picture. */
function neighborOf(pixel: number, side: number, width: number, height: number): number {
  if (side === 0) return (pixel + 1) % width === 0 ? -1 : pixel + 1;
  if (side === 1) return pixel % width === 0 ? -1 : pixel - 1;
  if (side === 2) return pixel - width;
  return pixel < width * (height - 1) ? pixel + width : -1;
}
