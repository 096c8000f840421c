import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { Palette } from '../quantize/palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import type { LineColor } from './line-color.js';
import { ThreeColors } from './three-colors.js';

/** With more colors than these some would explain anything. */
const MOST_COLORS = 40;
/** Levels (four channels, squared) from every mixture of what is pure around it beyond which a pixel has something else in it, and within which one explains it. */
const OPEN_SQ = 6 * 6;
const WELL_SQ = 3 * 3;
/** How far around a pixel what is pure is looked for; farther only where there is none. */
const NEAR_PX = 2;
const FAR_PX = 3;
/** So many such pixels, and such a share of all that are mixed, make it worth asking; of every so manieth at first, half as large a share. */
const LEAST_PIXELS = 100;
const LEAST_SHARE = 0.2;
const PROBE_STEP = 8;
/** Colors are tried by no more of them, evenly spread. */
const MOST_TESTED = 2000;
/** And the line's color must explain this share of them: of 30 avatars outlined so it does .79 and more, of coats of arms where it is another one .71 and less. */
const EXPLAINED_SHARE = 0.75;
/** Levels (four channels, squared) within which what explains them is the line's color that was found otherwise. */
const SAME_SQ = 12 * 12;
/** Of a color that was found in mixed pixels such a share must be explained by the line's for it to be nothing else. */
const LEFT_SHARE = 0.7;
const BLACK = [0, 0, 0, 255] as const;

/**
 * Finds the color of hairlines along the edges of a picture, as outlines of a third of a pixel are. So thin a line covers most of no pixel; where two areas meet, its
 * pixels are mixtures of three colors, each in other shares, and pass for mixtures of whatever two colors the picture has. But they are none of what is pure around them,
 * and one color, with that, explains all of them: each that is known, black and that of `tried` are tried by every such pixel. Undefined where none does, or one that is known
 * does as well: that is seen somewhere. What strokes of known colors (`ofStrokes`) explain is not asked.
 */
export function findHairlines(
  pixels: WorkingPixels,
  palette: Palette,
  channels: Float64Array,
  flat: FlatLabels,
  ofStrokes: readonly number[],
  tried: LineColor | undefined,
): LineColor | undefined {
  const size = channels.length / 4;
  if (size > MOST_COLORS || palette.size < 2) return undefined;
  const around = new PureAround(pixels, flat, palette.size);
  const colors = Float64Array.from([...channels, ...BLACK, ...(tried === undefined ? [] : colorOf(tried))]);
  const mixtures = new Mixtures(pixels.rgba, colors, around);
  const { mixed, labels, others } = flat;
  const isOfStroke = (k: number) => ofStrokes.includes(labels[mixed[k]]) || ofStrokes.includes(others?.[k] ?? -1);
  const isOpen = (k: number) => !isOfStroke(k) && around.find(mixed[k]) > 0 && mixtures.distanceSq(mixed[k]) > OPEN_SQ;
  let probes = 0;
  for (let k = 0; k < mixed.length; k += PROBE_STEP) if (isOpen(k)) probes++;
  if (probes * PROBE_STEP < (LEAST_SHARE / 2) * mixed.length) return undefined;
  const open: number[] = [];
  for (let k = 0; k < mixed.length; k++) if (isOpen(k)) open.push(k);
  if (open.length < Math.max(LEAST_PIXELS, LEAST_SHARE * mixed.length)) return undefined;
  const step = Math.ceil(open.length / MOST_TESTED);
  const tested = open.filter((_, n) => n % step === 0);
  let color = -1;
  let explained = EXPLAINED_SHARE * tested.length;
  for (let k = 0; k < colors.length / 4; k++) {
    let count = 0;
    for (const n of tested) {
      around.find(mixed[n]);
      if (mixtures.isWith(mixed[n], k)) count++;
    }
    if (count <= explained) continue;
    explained = count;
    color = k;
  }
  if (color < size || (tried !== undefined && isNear(colors, color, tried))) return undefined;
  const isLeft = new Uint8Array(size + 1);
  const counts = new Int32Array(2 * size);
  for (let k = 0; k < mixed.length; k++) {
    const label = flat.labels[mixed[k]];
    if (label < palette.size) continue;
    counts[2 * label]++;
    around.find(mixed[k]);
    if (mixtures.isWith(mixed[k], color)) counts[2 * label + 1]++;
  }
  for (let k = palette.size; k < size; k++)
    if (counts[2 * k] > 0 && counts[2 * k + 1] >= LEFT_SHARE * counts[2 * k]) isLeft[k] = 1;
  const grounds = Array.from({ length: palette.size }, (_, k) => k);
  return {
    color: size,
    channels: Float64Array.from([...channels, ...colors.subarray(color * 4, color * 4 + 4)]),
    isLeft,
    isAlone: true,
    grounds: grounds.filter((k) => !palette.narrow.includes(k)),
    open,
  };
}

/** Whether a pure pixel has no other of its color beside, above or below it: a mixture may be a color of the picture by chance. `mixed` is 0 where pixels are pure. */
export function isAlone(labels: Int32Array, mixed: Uint8Array, i: number, width: number): boolean {
  const label = labels[i];
  return !(
    (labels[i - 1] === label && mixed[i - 1] === 0) ||
    (labels[i + 1] === label && mixed[i + 1] === 0) ||
    (labels[i - width] === label && mixed[i - width] === 0) ||
    (labels[i + width] === label && mixed[i + width] === 0)
  );
}

function isNear(colors: Float64Array, color: number, tried: LineColor): boolean {
  let d = 0;
  for (let c = 0; c < 4; c++) d += (colors[color * 4 + c] - tried.channels[tried.color * 4 + c]) ** 2;
  return d < SAME_SQ;
}

const colorOf = ({ color, channels }: LineColor) => channels.subarray(color * 4, color * 4 + 4);

/** The colors that pixels near one have exactly. */
class PureAround {
  /** Of the pixel looked at last, each once; the first `count`. */
  readonly colors: Int32Array;
  count = 0;
  private readonly width: number;
  private readonly height: number;
  private readonly labels: Int32Array;
  private readonly isMixed: Uint8Array;
  private readonly seen: Int32Array;
  private search = 0;

  constructor({ width, height }: WorkingPixels, { labels, mixed }: FlatLabels, size: number) {
    this.width = width;
    this.height = height;
    this.labels = labels;
    this.isMixed = arena.uint8(labels.length);
    for (const i of mixed) this.isMixed[i] = 1;
    this.colors = new Int32Array(size);
    this.seen = new Int32Array(size);
  }

  /** Looks around a pixel; returns how many there are. */
  find(pixel: number): number {
    const { width, height, labels, isMixed, colors, seen } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    this.count = 0;
    for (let reach = NEAR_PX; reach <= FAR_PX && this.count === 0; reach++) {
      this.search++;
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
          const i = v * width + u;
          if (isMixed[i] === 1 || seen[labels[i]] === this.search || isAlone(labels, isMixed, i, width)) continue;
          seen[labels[i]] = this.search;
          colors[this.count++] = labels[i];
        }
      }
    }
    return this.count;
  }
}

/** Mixtures of the colors around a pixel. */
class Mixtures {
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;
  private readonly around: PureAround;
  private readonly unmixer: Unmixer;
  private readonly three = new ThreeColors();

  constructor(rgba: Uint8Array, channels: Float64Array, around: PureAround) {
    this.rgba = rgba;
    this.channels = channels;
    this.around = around;
    this.unmixer = new Unmixer(rgba, channels);
  }

  /** How far a pixel is, squared, from the nearest mixture of two or three of them. */
  distanceSq(pixel: number): number {
    const { unmixer, three, around, rgba, channels } = this;
    const { colors, count } = around;
    if (count === 1) return unmixer.distanceSq(pixel, colors[0]);
    unmixer.error = Infinity;
    for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) unmixer.tryPair(pixel, colors[a], colors[b]);
    if (count === 2 || unmixer.error <= OPEN_SQ) return unmixer.error;
    return three.nearest(rgba, pixel, channels, colors, count, unmixer.error);
  }

  /** Whether a pixel is one of a color with one or two of them. */
  isWith(pixel: number, color: number): boolean {
    const { unmixer, three, around, rgba, channels } = this;
    const { colors, count } = around;
    unmixer.error = Infinity;
    for (let a = 0; a < count; a++) if (colors[a] !== color) unmixer.tryPair(pixel, color, colors[a]);
    if (unmixer.error <= WELL_SQ) return true;
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < a; b++) {
        if (colors[a] === color || colors[b] === color) continue;
        if (three.use(channels, color, colors[a], colors[b]) && three.distanceSq(rgba, pixel) <= WELL_SQ) return true;
      }
    }
    return false;
  }
}
