import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorsAround } from './explain-again.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { ThreeColors } from './three-colors.js';

/** How near to a mixture a pixel must be, levels in four channels, squared: what rounding leaves; and how near they must be on average. */
const WELL_SQ = 2 * 2;
const MEAN_SQ = 0.47;
/** The share of the pixels that must be so, and how many at least. */
const LEAST_EXPLAINED = 0.85;
const LEAST_PIXELS = 4;
const MOST_PIXELS = 1 << 11;
/** With more colors than these, or than those around it, some would explain any pixel. */
const MOST_COLORS = 48;
const MOST_AROUND = 6;
/** A sliver goes on in pixels that are farther than this (squared) from what they were taken for. */
const GOES_ON_SQ = 4 * 4;
/** A pixel of which a sliver covers less than this is none of its; it is one where more than half is covered. */
const LEAST_SHARE = 0.15;
const MOSTLY = 0.5;

/**
 * Finds out which colors that pixels were given for want of a better one (`found`, from `known` on) are none, but slivers: what is seen of a color along the
 * edge between two others, thinner than a pixel, as where a fill reaches a little beyond the line drawn over it. Their pixels are mixtures of
 * three known colors, in shares that change from one to the next, so that none lies on a line through color space with any other, and together
 * they pass for a new color. The pixels that a sliver covers more of than of both their neighbors in the row, or in the column, become its own.
 *
 * `open` are the pixels, as numbers among the mixed ones. `flat` changes in place, and `to` is -1 for what has gone.
 */
export function laySlivers(
  pixels: WorkingPixels,
  channels: Float64Array,
  known: number,
  found: readonly number[],
  open: Int32Array,
  flat: FlatLabels,
  to: Int32Array,
): void {
  const { labels, mixed, others } = flat;
  if (others === undefined || to.length > MOST_COLORS) return;
  const mixer = new SliverMixer(pixels, channels, labels);
  const { isOut } = mixer;
  for (let color = 0; color < to.length; color++)
    if (to[color] < 0 || (color >= known && found.includes(color))) isOut[color] = 1;
  const takenOf = new Map<number, number[]>();
  /** Per color of slivers what its pixels have most of beside it. */
  const groundsOf = new Map<number, Set<number>>();
  for (const taken of found) {
    if (taken < known || to[taken] < 0) continue;
    const own = open.filter((k) => labels[mixed[k]] === taken).map((k) => mixed[k]);
    const color = own.length > MOST_PIXELS ? -1 : mixer.find(own);
    if (color < 0) continue;
    takenOf.set(color, [...(takenOf.get(color) ?? []), taken]);
    const grounds = groundsOf.get(color) ?? new Set();
    groundsOf.set(color, grounds);
    for (const pixel of own) {
      mixer.explain(pixel, color);
      if (mixer.error <= WELL_SQ && mixer.ground >= 0) grounds.add(mixer.ground);
    }
  }
  for (const [color, taken] of takenOf) {
    // What is only ever mixed with one other may as well be a paler color.
    if ((groundsOf.get(color)?.size ?? 0) < 2) continue;
    const own = open.filter((k) => taken.includes(labels[mixed[k]]) || taken.includes(others[k]));
    lay(pixels, mixer, color, own, flat, others);
    for (const gone of taken) to[gone] = -1;
  }
}

/** Gives pixels (numbers of mixed ones) to slivers of a color and what lies beside them, and lets these go on as far as they do. */
function lay(
  { width, height }: WorkingPixels,
  mixer: SliverMixer,
  color: number,
  pixels: Int32Array,
  { labels, mixed, errors }: FlatLabels,
  others: Int32Array,
): void {
  const numberOf = new Map<number, number>();
  for (let k = 0; k < mixed.length; k++) if (errors[k] > GOES_ON_SQ) numberOf.set(mixed[k], k);
  const seen = new Set<number>(pixels);
  const list: number[] = [];
  const grounds: number[] = [];
  const left: number[] = [];
  const shares = new Map<number, number>();
  const visit = (k: number) => {
    const pixel = mixed[k];
    list.push(k);
    grounds.push(mixer.ground);
    left.push(mixer.error);
    shares.set(pixel, mixer.share);
  };
  for (const k of pixels) {
    mixer.explain(mixed[k], color);
    visit(k);
  }
  for (let n = 0; n < list.length; n++) {
    const pixel = mixed[list[n]];
    const x = pixel % width;
    for (let v = -1; v <= 1; v++) {
      for (let u = x > 0 ? -1 : 0; u <= 1 && x + u < width; u++) {
        const next = numberOf.get(pixel + v * width + u);
        if (next === undefined || seen.has(next)) continue;
        seen.add(next);
        mixer.explain(mixed[next], color);
        if (mixer.error <= WELL_SQ && mixer.share >= LEAST_SHARE) visit(next);
      }
    }
  }
  const shareAt = (pixel: number) => shares.get(pixel) ?? (labels[pixel] === color ? 1 : 0);
  const isSliver = list.map((k) => {
    const pixel = mixed[k];
    const x = pixel % width;
    const share = shareAt(pixel);
    if (share < LEAST_SHARE || share >= MOSTLY) return share >= MOSTLY;
    const isMost = (step: number) => share >= shareAt(pixel - step) && share > shareAt(pixel + step);
    return (x > 0 && x + 1 < width && isMost(1)) || (pixel >= width && pixel < width * (height - 1) && isMost(width));
  });
  for (let n = 0; n < list.length; n++) {
    const k = list[n];
    labels[mixed[k]] = isSliver[n] ? color : grounds[n];
    others[k] = isSliver[n] ? grounds[n] : color;
    errors[k] = left[n];
  }
}

/** Explains pixels by one or two known colors around them and a third that the picture has anywhere. */
class SliverMixer {
  /** Of the pixel explained last: how far it is off, squared, the third color's share of it, and which of the others has more of the rest (-1 where there is none). */
  error = 0;
  share = 0;
  ground = 0;
  /** Colors (1) that explain nothing. */
  readonly isOut: Uint8Array;
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;
  private readonly unmixer: Unmixer;
  private readonly around: ColorsAround;
  private readonly three = new ThreeColors();
  private readonly near: number[] = [];

  constructor(pixels: WorkingPixels, channels: Float64Array, labels: Int32Array) {
    this.rgba = pixels.rgba;
    this.channels = channels;
    this.isOut = new Uint8Array(channels.length / 4);
    this.unmixer = new Unmixer(pixels.rgba, channels);
    this.around = new ColorsAround(pixels, labels, channels.length / 4);
  }

  /** The color that pixels have slivers of, all of them; -1 where there is none. */
  find(pixels: Int32Array): number {
    let found = -1;
    let least = MEAN_SQ;
    for (let color = 0; color < this.isOut.length; color++) {
      if (this.isOut[color] === 1) continue;
      let explained = 0;
      let sum = 0;
      for (const pixel of pixels) {
        this.explain(pixel, color);
        if (this.error > WELL_SQ) continue;
        explained++;
        sum += this.error;
      }
      if (explained < Math.max(LEAST_PIXELS, LEAST_EXPLAINED * pixels.length) || sum >= least * explained) continue;
      least = sum / explained;
      found = color;
    }
    return found;
  }

  explain(pixel: number, color: number): void {
    const { rgba, channels, isOut, unmixer, around, three, near } = this;
    const count = around.find(pixel);
    near.length = 0;
    for (let n = 0; n < count; n++) {
      const other = around.colors[n];
      if (other !== color && isOut[other] === 0) near.push(other);
    }
    unmixer.tryColor(pixel, color, Infinity);
    for (const other of near) unmixer.tryPair(pixel, color, other);
    const { label, other } = unmixer;
    this.error = unmixer.error;
    this.ground = label === color ? other : label;
    this.share = other < 0 ? 1 : unmixer.share(pixel, color, this.ground);
    if (this.error <= WELL_SQ || near.length > MOST_AROUND) return;
    for (let a = 0; a < near.length; a++) {
      for (let b = 0; b < a; b++) {
        if (!three.use(channels, near[a], near[b], color)) continue;
        const error = three.distanceSq(rgba, pixel);
        if (error >= this.error) continue;
        const first = three.share(rgba, pixel);
        three.use(channels, color, near[a], near[b]);
        this.error = error;
        this.share = three.share(rgba, pixel);
        this.ground = first >= 1 - this.share - first ? near[a] : near[b];
      }
    }
  }
}
