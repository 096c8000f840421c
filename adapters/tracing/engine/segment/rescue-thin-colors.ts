import type { WorkingPixels } from '../intake/working-pixels.js';
import { groundAround } from './ground-around.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { meanOutmost, pixelDistanceSq } from './outmost-color.js';
import { shareColors } from './shared-color.js';
import { laySlivers } from './slivers.js';
import { explainThicket } from './thickets.js';
import { withColor, withoutColors } from './with-color.js';

/** Pixels this near to the most unexplained one (squared) are of its color, or nearly. */
export const LIKE_SQ = 60 * 60;
const MOST_COLORS = 24;
/** How far around a pixel its ground is looked at, px: where chroma is coarser than light, colors run so far. */
const ALONE_PX = 3;
/** So many pixels that were asked for, and have too few alike that touch others, are no letters' but confetti: then all of those are found at once. */
const MANY_ALONE = 32;
/** Share of the pixels alike that lie on one ground where they are letters. */
const ALONE_SHARE = 0.6;
/** Share of the pixels of letters that are the middles of strokes. */
const MIDDLE_SHARE = 0.25;
/** A color found in so many pixels is that of fine lines all over. */
export const MANY_PIXELS = 200;

export interface FoundThinColors {
  /** The palette's colors and those found, behind, four premultiplied channels each. */
  readonly channels: Float64Array;
  /** Numbers of those found that fine lines all over the picture have. */
  readonly ofLines: readonly number[];
}

export interface RescueLimits {
  /** Distance (four channels, 0..255) from every mixture at hand beyond which a pixel is unexplained. */
  readonly unexplained: number;
  /** A color must show in so many unexplained pixels that touch one another: a junction of three colors has one or two. */
  readonly leastPixels: number;
  /** A color found is one of the palette's where it is this near to it: what else its pixels have may be of others. */
  readonly same: number;
  /** Pictures with a larger share of unexplained pixels are no flat art, and more colors would not help. */
  readonly mostShare: number;
  /**
   * The same once colors were found that explain it, where there is nothing around but one color: letters. Given where there is noise, by which no pixel
   * is exactly what colors have in common.
   */
  readonly unexplainedAlone?: number;
}

/**
 * Finds the colors of strokes and letters too thin for a flat interior, which no palette of interiors has: pixels that no
 * mixture of the colors around them explains show it where they lie farthest out. The most unexplained pixel gives a new
 * color, or one that the palette has elsewhere, pixels are explained anew as mixtures with it, and so on. Labels and errors change in place; returns the palette's channels, the
 * new colors behind, and which of these many fine lines have, as those that are known to (`knownOfLines`).
 */
export function rescueThinColors(
  pixels: WorkingPixels,
  channels: Float64Array,
  flat: FlatLabels,
  { unexplained, leastPixels, same, mostShare, unexplainedAlone }: RescueLimits,
  knownOfLines: readonly number[] = [],
): FoundThinColors {
  const unexplainedSq = unexplained * unexplained;
  const isNoisy = unexplainedAlone !== undefined;
  const { mixed, errors, others, labels, pale = [] } = flat;
  const open = collectUnexplained(mixed, errors, unexplainedSq);
  if (open.length < leastPixels || open.length > pixels.words.length * mostShare)
    return { channels, ofLines: knownOfLines };
  const { rgba, width, height } = pixels;
  const isOpen = new Uint8Array(pixels.words.length);
  for (const k of open) isOpen[mixed[k]] = 1;
  let palette = channels;
  const ofLines = [...knownOfLines];
  const used = new Set<number>();
  const bestErrors = Float64Array.from(open, (k) => errors[k]);
  const isGiven = new Uint8Array(open.length);
  const grounds = Int32Array.from(open, (k) =>
    isNoisy ? groundAround(labels, isOpen, width, height, mixed[k], ALONE_PX) : -1,
  );
  const limits = Float64Array.from(grounds, (ground) => (ground < 0 || !isNoisy ? unexplained : unexplainedAlone) ** 2);
  // Pale colors first: with any darker one they could pass for a little of that.
  const isPale = new Uint8Array(mixed.length);
  for (const k of pale) isPale[k] = 1;
  const isBefore = (n: number, m: number) =>
    isPale[open[n]] === isPale[open[m]] ? bestErrors[n] > bestErrors[m] : isPale[open[n]] === 1;
  for (let added = 0, alone = 0; added < MOST_COLORS; ) {
    let worst = -1;
    for (let n = 0; n < open.length; n++) {
      if (isGiven[n] === 0 && bestErrors[n] > limits[n] && (worst < 0 || isBefore(n, worst))) worst = n;
    }
    if (worst < 0) break;
    const like = pixelsLike(rgba, open, mixed, bestErrors, mixed[open[worst]], limits);
    let touching = 0;
    for (const n of like) if (touchesOpen(isOpen, mixed[open[n]], width, height)) touching++;
    if (touching < leastPixels) {
      isGiven[worst] = 1;
      if (++alone % MANY_ALONE === 0) giveAlone(pixels, flat, open, isOpen, bestErrors, limits, leastPixels, isGiven);
      continue;
    }
    const ground = grounds[worst];
    const beside = ground < 0 ? 0 : like.reduce((sum, n) => sum + (grounds[n] === ground ? 1 : 0), 0);
    const isOnGround = beside > ALONE_SHARE * like.length;
    if (!isOnGround && bestErrors[worst] <= unexplainedSq) {
      isGiven[worst] = 1;
      continue;
    }
    const isExact = isPale[open[worst]] === 1;
    if (!isExact && ofLines.length > 0) {
      const alike = Int32Array.from(like, (n) => open[n]);
      if (explainThicket(pixels, palette, ofLines, flat, alike)) {
        for (const n of like) {
          // What it left over of them is no color either.
          isGiven[n] = 1;
          bestErrors[n] = errors[open[n]];
        }
        continue;
      }
    }
    const seed = mixed[open[worst]];
    const found = isExact
      ? rgba.subarray(seed * 4, seed * 4 + 4)
      : isOnGround
        ? colorOnGround(rgba, open, mixed, like, palette, ground)
        : meanOutmost(
            rgba,
            like.map((n) => mixed[open[n]]),
            seed,
          );
    let color = knownAs(palette, found, same);
    if (color >= 0) isGiven[worst] = 1;
    else {
      color = palette.length / 4;
      if (like.length >= MANY_PIXELS) ofLines.push(color);
      palette = withColor(palette, found);
      added++;
    }
    used.add(color);
    const unmixer = new Unmixer(rgba, palette);
    const seen = new Int32Array(palette.length / 4).fill(-1);
    for (let n = 0; n < open.length; n++) {
      const pixel = mixed[open[n]];
      unmixer.error = bestErrors[n];
      unmixer.label = labels[pixel];
      unmixer.other = others === undefined ? -1 : others[open[n]];
      explain(unmixer, labels, pixel, color, width, height, seen);
      bestErrors[n] = unmixer.error;
      labels[pixel] = unmixer.label;
      if (others !== undefined) others[open[n]] = unmixer.other;
    }
  }
  for (let n = 0; n < open.length; n++) errors[open[n]] = bestErrors[n];
  const given = [...used].filter((color) => !ofLines.includes(color)).sort((a, b) => a - b);
  const to = Int32Array.from({ length: palette.length / 4 }, (_, k) => k);
  if (!isNoisy) {
    shareColors(pixels, palette, channels.length / 4, given, open, flat, to);
    laySlivers(pixels, palette, channels.length / 4, given, open, flat, to);
  }
  return { channels: withoutColors(palette, flat, to), ofLines: ofLines.map((k) => to[k]) };
}

function collectUnexplained(mixed: Int32Array, errors: Float64Array, unexplainedSq: number): Int32Array {
  let count = 0;
  for (let k = 0; k < mixed.length; k++) if (errors[k] > unexplainedSq) count++;
  const open = new Int32Array(count);
  for (let k = 0, n = 0; k < mixed.length; k++) if (errors[k] > unexplainedSq) open[n++] = k;
  return open;
}

/** Unexplained pixels of about a pixel's color, as places in `open`. */
function pixelsLike(
  rgba: Uint8Array,
  open: Int32Array,
  mixed: Int32Array,
  errors: Float64Array,
  pixel: number,
  limits: Float64Array,
): number[] {
  const like: number[] = [];
  for (let n = 0; n < open.length; n++) {
    if (errors[n] > limits[n] && pixelDistanceSq(rgba, mixed[open[n]], pixel) < LIKE_SQ) like.push(n);
  }
  return like;
}

/** Gives all pixels up that too few are like that touch others: these only become fewer. The time of one search for each would be that of confetti squared. */
function giveAlone(
  { rgba, words, width, height }: WorkingPixels,
  { mixed }: FlatLabels,
  open: Int32Array,
  isOpen: Uint8Array,
  errors: Float64Array,
  limits: Float64Array,
  leastPixels: number,
  isGiven: Uint8Array,
): void {
  const touching: number[] = [];
  for (let n = 0; n < open.length; n++)
    if (errors[n] > limits[n] && touchesOpen(isOpen, mixed[open[n]], width, height)) touching.push(mixed[open[n]]);
  const isAlone = new Map<number, boolean>();
  for (let n = 0; n < open.length; n++) {
    if (isGiven[n] === 1 || errors[n] <= limits[n]) continue;
    const pixel = mixed[open[n]];
    let alone = isAlone.get(words[pixel]);
    if (alone === undefined) {
      let found = 0;
      for (let k = 0; k < touching.length && found < leastPixels; k++)
        if (pixelDistanceSq(rgba, touching[k], pixel) < LIKE_SQ) found++;
      alone = found < leastPixels;
      isAlone.set(words[pixel], alone);
    }
    if (alone) isGiven[n] = 1;
  }
}

/** The mean of those pixels of letters that are farthest from their ground: the middles of strokes. */
function colorOnGround(
  rgba: Uint8Array,
  open: Int32Array,
  mixed: Int32Array,
  like: readonly number[],
  palette: Float64Array,
  ground: number,
): Float64Array {
  const pixels = like.map((n) => mixed[open[n]]);
  const offSq = (pixel: number) => {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (rgba[pixel * 4 + c] - palette[ground * 4 + c]) ** 2;
    return d;
  };
  pixels.sort((a, b) => offSq(b) - offSq(a) || a - b);
  const count = Math.ceil(MIDDLE_SHARE * pixels.length);
  const mean = new Float64Array(4);
  for (let k = 0; k < count; k++) for (let c = 0; c < 4; c++) mean[c] += rgba[pixels[k] * 4 + c] / count;
  return mean;
}

function touchesOpen(isOpen: Uint8Array, pixel: number, width: number, height: number): boolean {
  const y = Math.floor(pixel / width);
  const x = pixel - y * width;
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
      const other = v * width + u;
      if (other !== pixel && isOpen[other] === 1) return true;
    }
  }
  return false;
}

/** The palette's color that a found one is, but for what little its pixels have of others; -1 where it is a new one. */
function knownAs(palette: Float64Array, found: ArrayLike<number>, same: number): number {
  let known = -1;
  let least = same * same;
  for (let k = 0; k * 4 < palette.length; k++) {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (palette[k * 4 + c] - found[c]) ** 2;
    if (d >= least) continue;
    least = d;
    known = k;
  }
  return known;
}

/** Tries the new color with each of the colors around a pixel; `seen` is per color the pixel that met it last. */
function explain(
  unmixer: Unmixer,
  labels: Int32Array,
  pixel: number,
  color: number,
  width: number,
  height: number,
  seen: Int32Array,
): void {
  const y = Math.floor(pixel / width);
  const x = pixel - y * width;
  for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
    for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
      const label = labels[v * width + u];
      if (label === color || seen[label] === pixel) continue;
      seen[label] = pixel;
      unmixer.tryPair(pixel, color, label);
    }
  }
}
