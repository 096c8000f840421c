import { findRuns } from '../intake/pixel-runs.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { chooseNoisyPalette } from '../quantize/noisy-palette.js';
import { choosePalette, type Palette, withoutColors } from '../quantize/palette.js';
import { MOST_KNOWN } from '../segment/label-flat.js';
import type { Regions } from '../segment/regions.js';
import { ThreeColors } from '../segment/three-colors.js';
import type { EnginePaint } from '../types.js';
import { type FoundRamp, findRamps, type Ramps } from './find-ramps.js';
import { hasCompressedRamps, hasNarrowRamps, hasRamps } from './has-ramps.js';
import { findIslandColors, type IslandColors } from './island-colors.js';
import { CLEAN, COMPRESSED } from './limits.js';
import { findRampColors } from './ramp-colors.js';
import { RampReader } from './ramp-reader.js';
import { colorDistanceSq, inOwnColors, withoutStrangers } from './repaint.js';
import { clearSpecks, findRings } from './rings.js';
import { findSharedColors, withSharedColors } from './shared-colors.js';
import { chooseStandIns, EXTRAS, type Ground } from './stand-ins.js';
import { hasThinRamps } from './thin-ramps.js';

/** A picture whose ramps are filled with one color each, and the gradients that those colors stand for. */
export interface FlattenedRamps {
  readonly pixels: WorkingPixels;
  /** The gradient of a region by its premultiplied color; undefined for those that are what they seem. */
  paintOf(colors: Float64Array, region: number): EnginePaint | undefined;
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
/** Levels (squared, four channels) within which a color of the picture from elsewhere must explain a pixel on a ramp, and where there is noise. */
const KNOWN_SQ = 10 * 10;
const KNOWN_NOISY_SQ = 24 * 24;
/** And beyond which no colors around a pixel explain it. */
const FOREIGN_SQ = 32 * 32;
/** Colors nearer than this (squared) cannot be told apart in a mixture. */
const APART_SQ = 24;
/** Levels (squared, four channels) within which a thin ramp must explain a pixel elsewhere. */
const BEYOND_SQ = 6 * 6;
/** How it may go on beyond its ends there. */
const WAYS_ON = ['even', 'onwards'] as const;
const LEAST_COLOR_COUNT = 2;

/**
 * Takes the ramps out of a picture: each is filled with one color that stands far from all others, and every pixel that is a
 * mixture with the ramp's color at its place becomes the same mixture with the color that stands for it. What is left is flat
 * art, to be traced as such; where a region has the color of a stand-in, the gradient is painted. Undefined where there are no ramps.
 */
export function flattenRamps(pixels: WorkingPixels, mergeDistance: number): FlattenedRamps | undefined {
  const isNarrow = !hasRamps(pixels);
  if (isNarrow && !hasNarrowRamps(pixels) && !hasThinRamps(pixels)) return undefined;
  const ramps = cleanRamps(pixels);
  if (ramps === undefined) return undefined;
  // Around a box everything fades as it does, on three sides at least: no edge looks so.
  const isSure = ({ ramp, isThin }: FoundRamp) => isThin || ramp.shape.kind === 'box' || ramp.profile.rms <= NARROW_RMS;
  if (isNarrow && !ramps.found.some(isSure)) return undefined;
  const palette = choosePalette(withWords(pixels, withoutRamps(pixels, ramps)), mergeDistance, LEAST_COLOR_COUNT);
  const ground = exactGround(palette, pixels.words);
  const { shared, mixed } = findRampColors(pixels, ramps, ground, palette.narrow);
  const isRamps = mixed.map((flag, k) => (flag === 1 || shared[k] >= 0 ? 1 : 0));
  if (!isRamps.includes(1)) return flattenClean(pixels, ramps, palette);
  const grown = withSharedColors(pixels, ramps, ground, shared);
  return flattenClean(pixels, grown, withoutColors(palette, isRamps));
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
  const palette = chooseNoisyPalette(rest);
  const nearest = noisyLabels(palette.channels, pixels.rgba);
  const ground = groundOf(palette.channels, nearest);
  const shared = findSharedColors(pixels, ramps, ground);
  const isAny = shared.some((ramp) => ramp >= 0);
  const grown = isAny ? withSharedColors(pixels, ramps, ground, shared) : ramps;
  const around = isAny ? findRings(pixels, grown) : rings;
  const own = palette.channels.filter((_, i) => shared[i >> 2] < 0);
  const labels = isAny ? noisyLabels(own, pixels.rgba) : nearest;
  for (let i = 0; i < labels.length; i++) if (grown.of[i] >= 0) labels[i] = -1;
  clearSpecks(labels, around, pixels.width);
  return flatten(pixels, grown, groundOf(own, labels), around);
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
    let least = 3 * NOISY_LEVELS * NOISY_LEVELS;
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
  return flatten(pixels, islands.ramps, islands.ground, undefined, islands);
}

function flatten(
  pixels: WorkingPixels,
  ramps: Ramps,
  ground: Ground,
  rings?: Int32Array,
  islands?: IslandColors,
): FlattenedRamps {
  const standIns = chooseStandIns(pixels, ramps, ground);
  const readers = ramps.found.map(({ ramp }) => new RampReader(ramp, pixels, CLEAN.near));
  const rgba = new Mixer(pixels, ramps, ground, standIns, readers, rings, islands).mix();
  const paints = ramps.found.map(({ paint }) => paint);
  const known = Float64Array.from([...ground.channels, ...standIns]);
  const same = ground.noisy ? SAME_NOISY : SAME;
  return {
    pixels: withWords({ ...pixels, rgba, straight: straightOf(rgba) }, new Uint32Array(rgba.buffer)),
    noisy: ground.noisy,
    paintOf(colors, region) {
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
  for (let i = 0; i < of.length; i++)
    if (of[i] >= 0) masked[i] = ((i % width) + Math.floor(i / width)) & 1 ? 0x7f0301 : 0x7f0507;
  return masked;
}

class Mixer {
  private readonly pixels: WorkingPixels;
  private readonly ramps: Ramps;
  private readonly palette: Ground;
  private readonly standIns: Float64Array;
  private readonly rings: Int32Array | undefined;
  private readonly islands: IslandColors | undefined;
  private readonly readers: readonly RampReader[];
  /** The colors at hand: the palette's, the ramps' as they are at the pixel looked at, then black, white and nothing. */
  private readonly local: Float64Array;
  private readonly stand: Float64Array;
  private readonly candidates: Int32Array;
  private readonly three = new ThreeColors();
  private readonly thin: readonly number[];
  /** How near another color must come to a pixel on a ramp, squared. */
  private readonly knownSq: number;
  // The explanation found last.
  private p = 0;
  private q = 0;
  private share = 1;
  private error = 0;

  constructor(
    pixels: WorkingPixels,
    ramps: Ramps,
    palette: Ground,
    standIns: Float64Array,
    readers: readonly RampReader[],
    rings: Int32Array | undefined,
    islands: IslandColors | undefined,
  ) {
    this.islands = islands;
    this.rings = rings;
    this.pixels = pixels;
    this.ramps = ramps;
    this.palette = palette;
    this.standIns = standIns;
    this.readers = readers;
    const count = palette.size + ramps.found.length + 3;
    this.local = new Float64Array(count * 4);
    this.stand = new Float64Array(count * 4);
    for (const colors of [this.local, this.stand]) {
      colors.set(palette.channels);
      colors.set(standIns, palette.size * 4);
      colors.set(EXTRAS, (count - 3) * 4);
    }
    this.candidates = new Int32Array(count);
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
    const { rings, readers, palette } = this;
    const { width, rgba } = this.pixels;
    const i = y * width + x;
    if (rings === undefined || rings[i] < 0) return false;
    const label = palette.labelOf(i);
    return label < 0 || readers[rings[i]].distanceSq(x, y) < distanceSq(rgba, i, palette.channels, label);
  }

  /** As a mixture of its island's color with the ramp around that; returns whether it is one. */
  private explainIsland(x: number, y: number, out: Uint8Array): boolean {
    const { islands, palette, readers, local } = this;
    const i = y * this.pixels.width + x;
    const color = islands?.colorOf[i] ?? -1;
    if (islands === undefined || color < 0) return false;
    const ramp = islands.rampOf[i];
    readers[ramp].read(x, y, local, (palette.size + ramp) * 4);
    this.error = this.knownSq;
    this.tryPair(i, color, palette.size + ramp);
    if (this.error === this.knownSq) return false;
    this.write(i, out);
    return true;
  }

  /** Writes the mixture found last, with what stands for its colors. */
  private write(i: number, out: Uint8Array): void {
    const { p, q, share, stand } = this;
    for (let c = 0; c < 4; c++) out[i * 4 + c] = Math.round(share * stand[p * 4 + c] + (1 - share) * stand[q * 4 + c]);
  }

  private explain(x: number, y: number, out: Uint8Array, farthest: number): void {
    const { palette, ramps, local, candidates, readers } = this;
    const { width, height, rgba } = this.pixels;
    let count = 0;
    let onRamp = false;
    for (let reach = 1; reach <= farthest && count < 2; reach++) {
      count = 0;
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
          const j = v * width + u;
          const ramp = ramps.of[j];
          const color = ramp >= 0 ? palette.size + ramp : palette.labelOf(j);
          if (color < 0 || this.has(color, count)) continue;
          if (ramp >= 0) onRamp = true;
          candidates[count++] = color;
        }
      }
    }
    const ring = this.rings?.[y * width + x] ?? -1;
    if (ring >= 0 && farthest === REACH_IN_RING && count < 2) {
      for (let c = 0; c < 4; c++) out[(y * width + x) * 4 + c] = this.standIns[ring * 4 + c];
      return;
    }
    if (!onRamp) {
      this.explainBeyond(x, y, count, out);
      return;
    }
    for (let k = 0; k < count; k++) {
      const ramp = candidates[k] - palette.size;
      if (ramp >= 0) readers[ramp].read(x, y, local, candidates[k] * 4);
    }
    const i = y * width + x;
    this.error = Infinity;
    for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) this.tryPair(i, candidates[a], candidates[b]);
    if (count === 1) this.explainAlone(i, candidates[0]);
    else if (this.error > FOREIGN_SQ) {
      // What nothing around it explains, where no ringing does, is of a color of its own, which is not to be lost.
      if (!palette.noisy && !this.isJunction(i, count)) return;
      if (palette.noisy) this.explainFromElsewhere(i, count);
    }
    const { p, q, share, stand } = this;
    for (let c = 0; c < 4; c++) {
      const was = share * local[p * 4 + c] + (1 - share) * local[q * 4 + c];
      const is = share * stand[p * 4 + c] + (1 - share) * stand[q * 4 + c];
      const off = count === 1 && this.error > this.knownSq ? rgba[i * 4 + c] - was : 0;
      out[i * 4 + c] = Math.max(0, Math.min(255, Math.round(is + off)));
    }
  }

  /**
   * Where no ramp is around, and no color known explains a pixel with what is: a mixture of that with a thin ramp as it would be there. Lines that
   * lie aslant have hardly a pixel of its own color.
   */
  private explainBeyond(x: number, y: number, count: number, out: Uint8Array): void {
    const { palette, local, candidates, readers, thin } = this;
    if (thin.length === 0 || count === 0) return;
    const i = y * this.pixels.width + x;
    this.error = Infinity;
    for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) this.tryPair(i, candidates[a], candidates[b]);
    if (count === 1 && palette.size <= MOST_KNOWN)
      for (let k = 0; k < palette.size; k++) if (k !== candidates[0]) this.tryPair(i, candidates[0], k);
    if (this.error <= KNOWN_SQ) return;
    this.error = BEYOND_SQ;
    for (const ramp of thin) {
      const color = palette.size + ramp;
      for (const beyond of WAYS_ON) {
        readers[ramp].read(x, y, local, color * 4, beyond);
        for (let a = 0; a < count; a++) this.tryPair(i, color, candidates[a]);
      }
    }
    if (this.error === BEYOND_SQ) return;
    this.write(i, out);
  }

  /** With nothing but one ramp around: a mixture with a color of the picture from elsewhere, or with black, white or nothing. */
  private explainAlone(i: number, ramp: number): void {
    const { local } = this;
    this.p = this.q = ramp;
    this.share = 1;
    this.error = 0;
    for (let c = 0; c < 4; c++) this.error += (this.pixels.rgba[i * 4 + c] - local[ramp * 4 + c]) ** 2;
    if (this.error > KNOWN_SQ) this.tryKnown(i, ramp, this.knownSq);
  }

  /** As a mixture of one of the ramps around with whatever is nearest to the pixel. */
  private explainFromElsewhere(i: number, count: number): void {
    for (let k = 0; k < count; k++)
      if (this.candidates[k] >= this.palette.size) this.tryKnown(i, this.candidates[k], Infinity);
  }

  /** A mixture of a ramp with a color of the picture from elsewhere, or with black, white or nothing, where that is so near to a pixel, squared. */
  private tryKnown(i: number, ramp: number, most: number): void {
    const { palette, local, p, q, share, error } = this;
    if (palette.size <= MOST_KNOWN) for (let k = 0; k < palette.size; k++) this.tryPair(i, ramp, k);
    if (this.error > KNOWN_SQ) {
      const extra = local.length / 4 - 3;
      for (let k = extra; k < extra + 3; k++) this.tryPair(i, ramp, k);
    }
    if (this.error <= most) return;
    this.p = p;
    this.q = q;
    this.share = share;
    this.error = error;
  }

  /** Whether three of the colors around a pixel explain it. */
  private isJunction(i: number, count: number): boolean {
    const { candidates, local, three } = this;
    const { rgba } = this.pixels;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        for (let c = b + 1; c < count; c++) {
          if (!three.use(local, candidates[a], candidates[b], candidates[c])) continue;
          if (three.distanceSq(rgba, i) < FOREIGN_SQ) return true;
        }
      }
    }
    return false;
  }

  private has(color: number, count: number): boolean {
    for (let k = 0; k < count; k++) if (this.candidates[k] === color) return true;
    return false;
  }

  private tryPair(i: number, p: number, q: number): void {
    const { local } = this;
    const { rgba } = this.pixels;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const d = local[p * 4 + c] - local[q * 4 + c];
      dot += (rgba[i * 4 + c] - local[q * 4 + c]) * d;
      lengthSq += d * d;
    }
    const share = lengthSq < APART_SQ ? 1 : Math.max(0, Math.min(1, dot / lengthSq));
    let error = 0;
    for (let c = 0; c < 4; c++) {
      error += (rgba[i * 4 + c] - share * local[p * 4 + c] - (1 - share) * local[q * 4 + c]) ** 2;
    }
    if (error >= this.error - 1e-9) return;
    this.p = p;
    this.q = q;
    this.share = share;
    this.error = error;
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
