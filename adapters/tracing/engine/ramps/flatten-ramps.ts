import { findRuns } from '../intake/pixel-runs.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { chooseNoisyPalette } from '../quantize/noisy-palette.js';
import { choosePalette, type Palette, withoutColors } from '../quantize/palette.js';
import { MOST_KNOWN } from '../segment/label-flat.js';
import type { Regions } from '../segment/regions.js';
import type { EnginePaint } from '../types.js';
import { type FoundRamp, findRamps, type Ramps } from './find-ramps.js';
import { hasCompressedRamps, hasNarrowRamps, hasRamps } from './has-ramps.js';
import { findIslandColors, type IslandColors } from './island-colors.js';
import { layRamps } from './lay-ramps.js';
import { CLEAN, COMPRESSED } from './limits.js';
import { LocalColors } from './local-colors.js';
import { findRampColors } from './ramp-colors.js';
import { type RampReader, readersOf } from './ramp-reader.js';
import { colorDistanceSq, inOwnColors, withoutStrangers } from './repaint.js';
import { clearSpecks, findRings } from './rings.js';
import { findSharedColors, withSharedColors } from './shared-colors.js';
import { chooseStandIns, EXTRAS, type Ground } from './stand-ins.js';
import { findThinColors, type ThinColors } from './thin-colors.js';
import { hasThinRamps } from './thin-ramps.js';

/** A picture whose ramps are filled with one color each, and the gradients that those colors stand for. */
export interface FlattenedRamps {
  readonly pixels: WorkingPixels;
  /** The gradients of a region by its premultiplied color, back to front; undefined for those that are what they seem. */
  paintsOf(colors: Float64Array, region: number): readonly EnginePaint[] | undefined;
  /**
   * The regions in the picture's colors: one that has a mixture with a stand-in for its color, being too thin to show its own,
   * gets the mean of its pixels.
   */
  repaint(regions: Regions): Regions;
  /** Whether lossy compression has been at what is left. */
  readonly noisy: boolean;
}

/** What has narrow ramps alone has one this near to its pixels, levels, or is no clean picture. */
const NARROW_RMS = 0.55;
/** Of a thin ramp, this share of the pixels have others of it both beside, and above or below them, at least. */
const WIDE_SHARE = 0.25;
/** A region within this distance of a stand-in (four channels) is the ramp. */
const SAME = 8;
/** As far, where noise has moved what regions are measured to be. */
const SAME_NOISY = 48;
/** How far around a mixed pixel its colors are looked for, px: compression blurs edges. */
const REACH = 3;
const REACH_NOISY = 5;
const REACH_IN_RING = 2;
/** A pixel within so many levels of a noisy color (root mean square) is of it. */
const NOISY_LEVELS = 12;
const NOISY_SQ = 3 * NOISY_LEVELS * NOISY_LEVELS;
/** Words that ramps are masked with, in turn; compression's palette has one color for both, so near to their mean, and it is the picture's where so many pixels have it. */
const MASKS = [0x7f0507, 0x7f0301] as const;
const MASK_LEVELS = 6;
const LEAST_UNMASKED_PX = 12;
/** Levels (squared, four channels) within which a color of the picture from elsewhere must explain a pixel on a ramp, and where there is noise. */
const KNOWN_SQ = 10 * 10;
const KNOWN_NOISY_SQ = 24 * 24;
/** And beyond which no colors around a pixel explain it. */
const FOREIGN_SQ = 32 * 32;
/** Levels (squared, four channels) within which a thin ramp must explain a pixel elsewhere. */
const BEYOND_SQ = 6 * 6;
/** How it may go on beyond its ends there. */
const WAYS_ON = ['even', 'onwards'] as const;
const LEAST_COLOR_COUNT = 2;

/**
 * Takes the ramps out of a picture: each is filled with one color that stands far from all others, and every pixel that is a
 * mixture with the ramp's color at its place becomes the same mixture with the color that stands for it. What is left is flat
 * art, to be traced as such; where a region has the color of a stand-in, the gradient is painted. With `layered` gradients may lie on each other: one
 * outline is painted several times. Undefined where there are no ramps.
 */
export function flattenRamps(pixels: WorkingPixels, mergeDistance: number, layered = true): FlattenedRamps | undefined {
  const isNarrow = !hasRamps(pixels);
  if (isNarrow && !hasNarrowRamps(pixels) && !hasThinRamps(pixels)) return undefined;
  const clean = cleanRamps(pixels);
  if (clean === undefined) return undefined;
  const ramps = layered ? layRamps(pixels, clean) : clean;
  // Around a box everything fades as it does, on three sides at least: no edge looks so.
  const isSure = ({ ramp, isThin }: FoundRamp) => isThin || ramp.shape.kind === 'box' || ramp.profile.rms <= NARROW_RMS;
  if (isNarrow && !ramps.found.some(isSure)) return undefined;
  if (ramps.found.every((_, ramp) => isEdge(ramps, ramp, pixels.width))) return undefined;
  const palette = choosePalette(withWords(pixels, withoutRamps(pixels, ramps)), mergeDistance, LEAST_COLOR_COUNT);
  const ground = exactGround(palette, pixels.words);
  const { shared, mixed } = findRampColors(pixels, ramps, ground, palette.narrow);
  const isRamps = mixed.map((flag, k) => (flag === 1 || shared[k] >= 0 ? 1 : 0));
  if (!isRamps.includes(1)) return flattenClean(pixels, ramps, palette);
  const grown = withSharedColors(pixels, ramps, ground, shared);
  return flattenClean(pixels, grown, withoutColors(palette, isRamps));
}

/** Whether a thin ramp is one px wide: what is nearly level or upright covers more and more of its pixels along an edge or a line. */
function isEdge({ of, found }: Ramps, ramp: number, width: number): boolean {
  if (!found[ramp].isThin) return false;
  let all = 0;
  let wide = 0;
  for (let i = 0; i < of.length; i++) {
    if (of[i] !== ramp) continue;
    all++;
    if ((of[i - 1] === ramp || of[i + 1] === ramp) && (of[i - width] === ramp || of[i + width] === ramp)) wide++;
  }
  return wide < WIDE_SHARE * all;
}

/**
 * As `flattenRamps`, for opaque pictures that lossy compression has been at: ramps are stairs as wide as a block, and colors are
 * off. `orFine`: where no stairs are found, those ramps are taken that a clean picture would have.
 */
export function flattenCompressedRamps(pixels: WorkingPixels, orFine: boolean): FlattenedRamps | undefined {
  const ramps = pixels.opaque ? compressedRamps(pixels, orFine) : undefined;
  if (ramps === undefined) return undefined;
  const rings = findRings(pixels, ramps);
  const masked = withoutRamps(pixels, { ...ramps, of: ramps.of.map((ramp, i) => (ramp >= 0 ? ramp : rings[i])) });
  const rest = { ...withWords(pixels, masked), rgba: new Uint8Array(masked.buffer) };
  const channels = withoutMask(chooseNoisyPalette(rest).channels, pixels, ramps);
  const nearest = noisyLabels(channels, pixels.rgba);
  const ground = groundOf(channels, nearest);
  const shared = findSharedColors(pixels, ramps, ground);
  const isAny = shared.some((ramp) => ramp >= 0);
  const grown = isAny ? withSharedColors(pixels, ramps, ground, shared) : ramps;
  const around = isAny ? findRings(pixels, grown) : rings;
  const own = channels.filter((_, i) => shared[i >> 2] < 0);
  const labels = isAny ? noisyLabels(own, pixels.rgba) : nearest;
  for (let i = 0; i < labels.length; i++) if (grown.of[i] >= 0) labels[i] = -1;
  clearSpecks(labels, around, pixels.width);
  return flatten(pixels, grown, groundOf(own, labels), { rings: around });
}

/** Undefined where there are none. */
function compressedRamps(pixels: WorkingPixels, orFine: boolean): Ramps | undefined {
  const stairs = hasCompressedRamps(pixels) ? findRamps(pixels, COMPRESSED) : undefined;
  if (stairs !== undefined && stairs.found.length > 0) return stairs;
  return orFine && hasRamps(pixels) ? cleanRamps(pixels) : undefined;
}

/** Pictures that have no ramps as clean ones do: of one that was compressed it is asked twice. */
const withoutCleanRamps = new WeakSet<WorkingPixels>();

/** Ramps as a clean picture has them; undefined where there are none. */
function cleanRamps(pixels: WorkingPixels): Ramps | undefined {
  if (withoutCleanRamps.has(pixels)) return undefined;
  const ramps = findRamps(pixels);
  if (ramps.found.length > 0) return ramps;
  withoutCleanRamps.add(pixels);
  return undefined;
}

function exactGround({ channels, size, table, entryOf }: Palette, words: Uint32Array): Ground {
  const labelOf = (i: number) => {
    const found = table.find(words[i]);
    return found < 0 ? -1 : entryOf[found];
  };
  return { channels, size, noisy: false, labelOf };
}

const groundOf = (channels: Float64Array, labels: Int32Array): Ground => ({
  channels,
  size: channels.length / 4,
  noisy: true,
  labelOf: (i) => labels[i],
});

/** Per pixel the nearest color, -1 where none is near. */
function noisyLabels(channels: Float64Array, rgba: Uint8Array): Int32Array {
  const labels = new Int32Array(rgba.length / 4).fill(-1);
  for (let i = 0; i < labels.length; i++) {
    let least = NOISY_SQ;
    for (let k = 0; k < channels.length / 4; k++) {
      const d = distanceSq(rgba, i, channels, k);
      if (d >= least) continue;
      least = d;
      labels[i] = k;
    }
  }
  return labels;
}

function distanceSq(rgba: Uint8Array, pixel: number, channels: Float64Array, color: number): number {
  let d = 0;
  for (let c = 0; c < 4; c++) d += (rgba[pixel * 4 + c] - channels[color * 4 + c]) ** 2;
  return d;
}

function flattenClean(pixels: WorkingPixels, ramps: Ramps, palette: Palette): FlattenedRamps {
  const islands = findIslandColors(pixels, ramps, exactGround(palette, pixels.words), palette.narrow);
  const thin = findThinColors(pixels, islands.ramps, islands.ground, readersOf(ramps.found, pixels, CLEAN.near), REACH);
  return flatten(pixels, islands.ramps, thin.ground, { islands, thin });
}

/** What is known of a picture beside its ramps and the colors of its ground. */
interface Beside {
  /** Of a compressed one, per pixel the ramp that it is of the ring around, -1 for none. */
  readonly rings?: Int32Array;
  readonly islands?: IslandColors;
  readonly thin?: ThinColors;
}

function flatten(pixels: WorkingPixels, ramps: Ramps, ground: Ground, beside: Beside): FlattenedRamps {
  const standIns = chooseStandIns(pixels, ramps, ground);
  const readers = readersOf(ramps.found, pixels, CLEAN.near);
  const rgba = new Mixer(pixels, ramps, ground, standIns, readers, beside).mix();
  const paints = ramps.found.map((found) => found.paints);
  const known = Float64Array.from([...ground.channels, ...standIns]);
  const same = ground.noisy ? SAME_NOISY : SAME;
  return {
    pixels: withWords({ ...pixels, rgba, straight: straightOf(rgba) }, new Uint32Array(rgba.buffer)),
    noisy: ground.noisy,
    paintsOf(colors, region) {
      for (let r = 0; r < paints.length; r++)
        if (colorDistanceSq(colors, region, standIns, r) < same * same) return paints[r];
      return undefined;
    },
    repaint(regions) {
      const kept = ground.noisy ? regions : withoutStrangers(regions, standIns, same, pixels, readers);
      return inOwnColors(kept, known, same, pixels.words, new Uint32Array(rgba.buffer));
    },
  };
}

/** The pixels with other words, and their runs. */
function withWords(pixels: WorkingPixels, words: Uint32Array): WorkingPixels {
  return { ...pixels, words, runs: findRuns(words, pixels.width, pixels.height) };
}

/** The pixels' words with those of ramps made unequal to their neighbors, so that no color is counted there. */
function withoutRamps({ words, width }: WorkingPixels, { of }: Ramps): Uint32Array {
  const masked = Uint32Array.from(words);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) masked[i] = MASKS[((i % width) + Math.floor(i / width)) & 1];
  return masked;
}

/** Colors found in a picture whose ramps were masked, without the masks' own unless something beside the ramps is of it. */
function withoutMask(channels: Float64Array, { rgba }: WorkingPixels, { of }: Ramps): Float64Array {
  const masks = new Uint8Array(Uint32Array.from(MASKS).buffer);
  const isMask = (color: number) => {
    let off = 0;
    for (let c = 0; c < 3; c++) off = Math.max(off, Math.abs(channels[color * 4 + c] - (masks[c] + masks[4 + c]) / 2));
    if (off > MASK_LEVELS) return false;
    let seen = 0;
    for (let i = 0; i < of.length; i++) if (of[i] < 0 && distanceSq(rgba, i, channels, color) < NOISY_SQ) seen++;
    return seen < LEAST_UNMASKED_PX;
  };
  return channels.filter((_, at) => !isMask(at >> 2));
}

class Mixer {
  private readonly pixels: WorkingPixels;
  private readonly ramps: Ramps;
  private readonly palette: Ground;
  private readonly standIns: Float64Array;
  private readonly beside: Beside;
  private readonly readers: readonly RampReader[];
  /** The colors at hand: the palette's, the ramps' as they are at the pixel looked at, then black, white and nothing; and what stands for each. */
  private readonly local: LocalColors;
  private readonly stand: Float64Array;
  /** Ramps that are thin. */
  private readonly thin: readonly number[];
  /** How near another color must come to a pixel on a ramp, squared. */
  private readonly knownSq: number;

  constructor(
    pixels: WorkingPixels,
    ramps: Ramps,
    palette: Ground,
    standIns: Float64Array,
    readers: readonly RampReader[],
    beside: Beside,
  ) {
    this.pixels = pixels;
    this.ramps = ramps;
    this.palette = palette;
    this.standIns = standIns;
    this.readers = readers;
    this.beside = beside;
    this.local = new LocalColors(pixels, ramps, palette, readers, EXTRAS);
    this.stand = Float64Array.from([...palette.channels, ...standIns, ...EXTRAS]);
    this.knownSq = palette.noisy ? KNOWN_NOISY_SQ : KNOWN_SQ;
    this.thin = ramps.found.flatMap(({ isThin }, ramp) => (isThin ? [ramp] : []));
  }

  mix(): Uint8Array {
    const { pixels, ramps, palette, standIns } = this;
    const { width, height } = pixels;
    const out = Uint8Array.from(pixels.rgba);
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const ramp = ramps.of[i];
        if (ramp >= 0) for (let c = 0; c < 4; c++) out[i * 4 + c] = standIns[ramp * 4 + c];
        else if (this.isRing(x, y)) this.explain(x, y, out, REACH_IN_RING);
        else if (this.explainIsland(x, y, out)) continue;
        else if (palette.labelOf(i) < 0) this.explain(x, y, out, palette.noisy ? REACH_NOISY : REACH);
      }
    }
    return out;
  }

  /** Whether a pixel is of the ring around a ramp, and nearer to it than to every other color. */
  private isRing(x: number, y: number): boolean {
    const { readers, palette } = this;
    const { rings } = this.beside;
    const { width, rgba } = this.pixels;
    const i = y * width + x;
    if (rings === undefined || rings[i] < 0) return false;
    const label = palette.labelOf(i);
    return label < 0 || readers[rings[i]].distanceSq(x, y) < distanceSq(rgba, i, palette.channels, label);
  }

  /** As a mixture of its island's color with the ramp around that; returns whether it is one. */
  private explainIsland(x: number, y: number, out: Uint8Array): boolean {
    const { palette, local } = this;
    const { islands } = this.beside;
    const i = y * this.pixels.width + x;
    const color = islands?.colorOf[i] ?? -1;
    if (islands === undefined || color < 0) return false;
    const ramp = palette.size + islands.rampOf[i];
    local.readAt(x, y, ramp);
    local.error = this.knownSq;
    local.tryPair(i, color, ramp);
    if (local.error === this.knownSq) return false;
    this.write(i, out);
    return true;
  }

  /** Writes the mixture found last, with what stands for its colors. */
  private write(i: number, out: Uint8Array): void {
    const { stand } = this;
    const { p, q, share } = this.local;
    for (let c = 0; c < 4; c++) out[i * 4 + c] = Math.round(share * stand[p * 4 + c] + (1 - share) * stand[q * 4 + c]);
  }

  private explain(x: number, y: number, out: Uint8Array, farthest: number): void {
    const { palette, local, stand } = this;
    const { width, rgba } = this.pixels;
    const i = y * width + x;
    local.lookAround(x, y, farthest);
    const { count, channels } = local;
    const ring = this.beside.rings?.[i] ?? -1;
    if (ring >= 0 && farthest === REACH_IN_RING && count < 2) {
      for (let c = 0; c < 4; c++) out[i * 4 + c] = this.standIns[ring * 4 + c];
      return;
    }
    if (!local.onRamp) {
      this.explainBeyond(x, y, out);
      return;
    }
    local.readRamps(x, y);
    local.explain(i);
    if (count > 1 && local.error > KNOWN_SQ) this.tryThinColors(x, y);
    if (count === 1) this.explainAlone(x, y, local.candidates[0]);
    else if (local.error > FOREIGN_SQ) {
      // What nothing around it explains, where no ringing does, is of a color of its own, which is not to be lost.
      if (!palette.noisy && !local.isJunction(i, FOREIGN_SQ)) return;
      if (palette.noisy) this.explainFromElsewhere(i);
    }
    const { p, q, share } = local;
    for (let c = 0; c < 4; c++) {
      const was = share * channels[p * 4 + c] + (1 - share) * channels[q * 4 + c];
      const is = share * stand[p * 4 + c] + (1 - share) * stand[q * 4 + c];
      const off = count === 1 && local.error > this.knownSq ? rgba[i * 4 + c] - was : 0;
      out[i * 4 + c] = Math.max(0, Math.min(255, Math.round(is + off)));
    }
  }

  /** As a mixture of a thin color that it, or a pixel beside it, is of with whatever is around. */
  private tryThinColors(x: number, y: number): void {
    const { local } = this;
    const { thin } = this.beside;
    const { width, height } = this.pixels;
    if (thin === undefined) return;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const color = thin.colorOf[v * width + u];
        if (color < 0) continue;
        for (let k = 0; k < local.count; k++) local.tryPair(y * width + x, color, local.candidates[k]);
      }
    }
  }

  /**
   * Where no ramp is around, and no color known explains a pixel with what is: a mixture of that with a thin ramp as it would be there. Lines that
   * lie aslant have hardly a pixel of its own color.
   */
  private explainBeyond(x: number, y: number, out: Uint8Array): void {
    const { palette, local, thin } = this;
    const { candidates, count } = local;
    if (thin.length === 0 || count === 0) return;
    const i = y * this.pixels.width + x;
    local.error = Infinity;
    for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) local.tryPair(i, candidates[a], candidates[b]);
    if (count === 1 && palette.size <= MOST_KNOWN)
      for (let k = 0; k < palette.size; k++) if (k !== candidates[0]) local.tryPair(i, candidates[0], k);
    if (local.error <= KNOWN_SQ) return;
    local.error = BEYOND_SQ;
    for (const ramp of thin) {
      const color = palette.size + ramp;
      for (const beyond of WAYS_ON) {
        local.readAt(x, y, color, beyond);
        for (let a = 0; a < count; a++) local.tryPair(i, color, candidates[a]);
      }
    }
    if (local.error === BEYOND_SQ) return;
    this.write(i, out);
  }

  /** With nothing but one ramp around: a mixture with a color of the picture from elsewhere, or with black, white or nothing; or with a thin color. */
  private explainAlone(x: number, y: number, ramp: number): void {
    const { local } = this;
    const i = y * this.pixels.width + x;
    local.p = local.q = ramp;
    local.share = 1;
    local.error = 0;
    for (let c = 0; c < 4; c++) local.error += (this.pixels.rgba[i * 4 + c] - local.channels[ramp * 4 + c]) ** 2;
    if (local.error > KNOWN_SQ) this.tryKnown(i, ramp, this.knownSq);
    if (local.error > KNOWN_SQ) this.tryThinColors(x, y);
  }

  /** As a mixture of one of the ramps around with whatever is nearest to the pixel. */
  private explainFromElsewhere(i: number): void {
    const { candidates, count } = this.local;
    for (let k = 0; k < count; k++) if (candidates[k] >= this.palette.size) this.tryKnown(i, candidates[k], Infinity);
  }

  /** A mixture of a ramp with a color of the picture from elsewhere, or with black, white or nothing, where that is so near to a pixel, squared. */
  private tryKnown(i: number, ramp: number, most: number): void {
    const { palette, local } = this;
    const { p, q, share, error } = local;
    const known = this.beside.thin?.first ?? palette.size;
    if (known <= MOST_KNOWN) for (let k = 0; k < known; k++) local.tryPair(i, ramp, k);
    if (local.error > KNOWN_SQ) {
      const extra = local.channels.length / 4 - 3;
      for (let k = extra; k < extra + 3; k++) local.tryPair(i, ramp, k);
    }
    if (local.error <= most) return;
    local.p = p;
    local.q = q;
    local.share = share;
    local.error = error;
  }
}

/** Premultiplied bytes with the opacity taken out again. */
function straightOf(rgba: Uint8Array): Uint8Array {
  const out = Uint8Array.from(rgba);
  for (let i = 0; i < out.length; i += 4) {
    const alpha = out[i + 3];
    if (alpha === 255 || alpha === 0) continue;
    for (let c = 0; c < 3; c++) out[i + c] = Math.min(255, Math.round((rgba[i + c] * 255) / alpha));
  }
  return out;
}
