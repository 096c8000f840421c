import { findRuns } from '../intake/pixel-runs.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import { IntList } from '../math/lists.js';
import { type FlatLabels, UNEXPLAINED, Unmixer } from '../segment/label-flat.js';
import type { Labeling } from '../segment/labeling.js';
import { keepThinLines } from '../segment/thin-lines.js';
import { EdgeWays } from './edge-ways.js';
import { SharePlacer } from './place-shares.js';
import { firstPart, PARTS, type SubPixels } from './sub-pixels.js';
import { unmixShares } from './unmix-shares.js';

/** How many times as wide and as high the finer picture is. */
export const TIMES = 2;
/** A pixel this near to its color has nothing of another, levels (squared, over four channels). */
const PURE_SQ = 6 * 6;
/** Levels that whole numbers of parts, and colors that are not quite the right ones, may leave, and that are made up for. */
const MOST_LEFT = 8;
/** Parts of a finer pixel, either way. */
const SIDE = PARTS / TIMES;
/** Rounds by the edges' ways as the picture tells them, and by those that the finer one tells then, after which hardly a part changes any more. */
const ROUNDS = 4;
const FINER_ROUNDS = 3;

/** Those of some pixels that are not of their label's color (`channels`), or nearly so. */
export function mixedOf(
  { rgba }: WorkingPixels,
  labels: Int32Array,
  channels: Float64Array,
  pixels: Int32Array,
): Int32Array {
  const unmixer = new Unmixer(rgba, channels);
  return pixels.filter((i) => unmixer.distanceSq(i, labels[i]) > PURE_SQ);
}

/** A picture that is finer than another, and what its pixels are. */
export interface Finer {
  readonly pixels: WorkingPixels;
  readonly labeling: Labeling;
}

/**
 * The same picture with twice as many pixels either way, where every pixel's mean is what it was: what its colors share of it lies where
 * it goes on with what is around (`SharePlacer`). `mixed` are the pixels that are not of their label's color (`channels`), ascending. There
 * are to be at most `MOST_COLORS`.
 */
export function finerPicture(
  pixels: WorkingPixels,
  labels: Int32Array,
  channels: Float64Array,
  mixed: Int32Array,
): Finer {
  const { rgba, words, width, height } = pixels;
  const size = { width: width * TIMES, height: height * TIMES };
  const shares = unmixShares(pixels, labels, channels, mixed);
  const placer = new SharePlacer(labels, width, height, shares);
  const own = {
    rgba: arena.rawUint8(rgba.length * TIMES * TIMES),
    labels: arena.rawInt32(labels.length * TIMES * TIMES),
  };
  const finer = new Uint32Array(own.rgba.buffer, own.rgba.byteOffset, own.labels.length);
  repeatPixels(words, finer, width);
  repeatPixels(labels, own.labels, width);
  const painter = new PartsPainter(pixels, channels, placer.parts, own);
  placer.settle(waysAt(mixed, width, new EdgeWays(pixels), 1), ROUNDS);
  for (const i of mixed) painter.paint(i);
  placer.settle(waysAt(mixed, width, new EdgeWays({ rgba: own.rgba, ...size }), TIMES), FINER_ROUNDS);
  for (const i of mixed) painter.paint(i);
  const flat = painter.label(mixed);
  const runs = findRuns(finer, size.width, size.height);
  const picture = { ...pixels, ...size, rgba: own.rgba, straight: own.rgba, words: finer, runs };
  keepThinLines(picture, flat, channels, UNEXPLAINED);
  return { pixels: picture, labeling: { labels: own.labels, channels, even: true } };
}

/** The ways of edges at pixels, as a picture tells them that is `times` as large either way. */
function waysAt(places: Int32Array, width: number, edges: EdgeWays, times: number): Uint8Array {
  const ways = new Uint8Array(places.length);
  for (let m = 0; m < places.length; m++) {
    const y = Math.floor(places[m] / width);
    ways[m] = edges.at((places[m] - y * width) * times, y * times, times);
  }
  return ways;
}

/** A picture's pixels, or labels, each for `TIMES` x `TIMES` of a finer one. */
function repeatPixels(of: Uint32Array | Int32Array, into: Uint32Array | Int32Array, width: number): void {
  const stride = width * TIMES;
  for (let row = 0, i = 0; i < of.length; row += TIMES * stride) {
    for (let x = 0; x < stride; x += TIMES, i++) for (let u = 0; u < TIMES; u++) into[row + x + u] = of[i];
    for (let v = 1; v < TIMES; v++) into.copyWithin(row + v * stride, row, row + stride);
  }
}

/** Makes the finer pixels of one pixel after the other. */
class PartsPainter {
  private readonly means = new Float64Array(TIMES * TIMES);
  private readonly pixels: WorkingPixels;
  private readonly channels: Float64Array;
  private readonly parts: SubPixels;
  private readonly rgba: Uint8Array;
  private readonly labels: Int32Array;

  constructor(
    pixels: WorkingPixels,
    channels: Float64Array,
    parts: SubPixels,
    { rgba, labels }: { readonly rgba: Uint8Array; readonly labels: Int32Array },
  ) {
    this.pixels = pixels;
    this.channels = channels;
    this.parts = parts;
    this.rgba = rgba;
    this.labels = labels;
  }

  /** Gives the finer pixels of some (ascending) the colors that cover most of them; which have others besides, ascending. */
  label(pixels: Int32Array): FlatLabels {
    const { labels, parts } = this;
    const { width } = this.pixels;
    const mixed = new IntList(4 * pixels.length);
    const others = new IntList(4 * pixels.length);
    const counter = new PartsCounter(parts);
    for (let from = 0, behind = 0; from < pixels.length; from = behind) {
      const y = Math.floor(pixels[from] / width);
      while (behind < pixels.length && pixels[behind] < (y + 1) * width) behind++;
      // Row by row of the finer picture.
      for (let down = 0; down < TIMES; down++) {
        const row = (y * TIMES + down) * width * TIMES;
        for (let k = from; k < behind; k++) {
          const first = firstPart(parts, pixels[k]) + down * SIDE * parts.stride;
          const at = row + (pixels[k] - y * width) * TIMES;
          for (let u = 0; u < TIMES; u++) {
            counter.count(first + u * SIDE);
            labels[at + u] = counter.most;
            if (counter.other < 0) continue;
            mixed.push(at + u);
            others.push(counter.other);
          }
        }
      }
    }
    return {
      labels,
      mixed: mixed.data.slice(0, mixed.length),
      errors: new Float64Array(mixed.length),
      others: others.data.slice(0, others.length),
    };
  }

  /** Paints the finer pixels of one with the means of their parts, and what these leave of its color. */
  paint(pixel: number): void {
    const { means, rgba: finer } = this;
    const { width, rgba } = this.pixels;
    const y = Math.floor(pixel / width);
    const at = y * TIMES * width * TIMES + (pixel - y * width) * TIMES;
    // Opacity first: of a color there is no more than that.
    for (let c = 3; c >= 0; c--) {
      const left = rgba[pixel * 4 + c] - this.measure(pixel, c);
      const more = Math.max(-MOST_LEFT, Math.min(MOST_LEFT, left));
      for (let k = 0; k < means.length; k++) {
        const down = Math.floor(k / TIMES);
        const to = at + down * width * TIMES + k - down * TIMES;
        const most = c === 3 ? 255 : finer[to * 4 + 3];
        finer[to * 4 + c] = Math.max(0, Math.min(most, Math.round(means[k] + more)));
      }
    }
  }

  /** Leaves the means of a channel in the finer pixels; returns that in all of them. */
  private measure(pixel: number, channel: number): number {
    const { means, channels, parts } = this;
    const { labels, stride } = parts;
    const first = firstPart(parts, pixel);
    let sum = 0;
    for (let k = 0; k < means.length; k++) {
      const down = Math.floor(k / TIMES);
      const corner = first + down * SIDE * stride + (k - down * TIMES) * SIDE;
      let own = 0;
      for (let v = 0; v < SIDE; v++)
        for (let u = 0; u < SIDE; u++) own += channels[labels[corner + v * stride + u] * 4 + channel];
      means[k] = own / (SIDE * SIDE);
      sum += means[k];
    }
    return sum / means.length;
  }
}

/** Says which colors a finer pixel has. */
class PartsCounter {
  /** The color that most parts are of, the first met of several, and of the others that with most; -1 where there is none. */
  most = -1;
  other = -1;
  private readonly colors = new Int32Array(SIDE * SIDE);
  private readonly counts = new Int32Array(SIDE * SIDE);
  private readonly parts: SubPixels;

  constructor(parts: SubPixels) {
    this.parts = parts;
  }

  /** Of the finer pixel that begins with a part. */
  count(first: number): void {
    const { colors, counts } = this;
    const { labels, stride } = this.parts;
    let met = 0;
    for (let v = 0; v < SIDE; v++) {
      for (let u = 0; u < SIDE; u++) {
        const label = labels[first + v * stride + u];
        let k = 0;
        while (k < met && colors[k] !== label) k++;
        if (k === met) {
          colors[met] = label;
          counts[met++] = 0;
        }
        counts[k]++;
      }
    }
    let most = 0;
    let other = -1;
    for (let k = 1; k < met; k++) {
      if (counts[k] > counts[most]) {
        other = most;
        most = k;
      } else if (other < 0 || counts[k] > counts[other]) other = k;
    }
    this.most = colors[most];
    this.other = other < 0 ? -1 : colors[other];
  }
}
