import { signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { rowsAtOnce } from '../kernels/rows-at-once.js';
import { toOklab } from '../math/oklab.js';
import { partByPlateaus } from './plateau-colors.js';

/** What noise does to colors. */
export interface PaletteLimits {
  /** Neighbors within so many levels of a pixel make it part of an even area. */
  readonly evenLevels: number;
  /** Colors nearer than this in OKLab are one: noise spreads an area over a ball of about half of it. */
  readonly mergeDistance: number;
  /** And so are those within so many levels of each other: among dark colors OKLab tells apart what noise does not. */
  readonly mergeLevels: number;
}
const COMPRESSION: PaletteLimits = { evenLevels: 8, mergeDistance: 0.045, mergeLevels: 16 };
/** Share of the picture, and pixels at least, that must be even and of a color. */
const LEAST_SHARE = 0.0004;
const LEAST_COUNT = 12;
const MOST_COLORS = 64;
const LLOYD_ROUNDS = 3;
/** Levels a side of the cubes that colors are counted in. */
const CUBE_SHIFT = 3;
const CUBE_BITS = 8 - CUBE_SHIFT;

/** Colors of even areas in a picture with noise, opaque; four channels each. */
export interface NoisyPalette {
  readonly size: number;
  readonly channels: Float64Array;
  /** Root mean square distance of even pixels from their color, levels. */
  readonly noise: number;
  /** Colors that are several, hardly apart: per color those that it is, four channels each. */
  readonly parts?: ReadonlyMap<number, Float64Array>;
}

/** The palettes of compressed pictures: where there may be grain they are asked for twice. */
const known = new WeakMap<WorkingPixels, NoisyPalette>();

/**
 * The palette of flat art that lossy compression has been at, or other noise (`limits`): peaks of the color histogram of even areas, most
 * frequent first, each kept unless an accepted one is near; then moved to the means of what is nearest to them.
 */
export function chooseNoisyPalette(pixels: WorkingPixels, limits = COMPRESSION): NoisyPalette {
  if (limits !== COMPRESSION) return findNoisyPalette(pixels, limits);
  const palette = known.get(pixels) ?? findNoisyPalette(pixels, limits);
  known.set(pixels, palette);
  return palette;
}

function findNoisyPalette(pixels: WorkingPixels, limits: PaletteLimits): NoisyPalette {
  const { mergeDistance, mergeLevels } = limits;
  const cubes = countEvenCubes(pixels, limits.evenLevels);
  const order = [...cubes].sort((a, b) => b.count - a.count || a.key - b.key);
  const least = Math.max(LEAST_COUNT, LEAST_SHARE * pixels.words.length);
  const labs: number[] = [];
  const means: number[] = [];
  const lab = new Float64Array(3);
  for (const cube of order) {
    if (means.length >= MOST_COLORS * 3) break;
    const mean = [cube.r / cube.count, cube.g / cube.count, cube.b / cube.count];
    toOklab(mean[0], mean[1], mean[2], lab, 0);
    let near = false;
    for (let k = 0; k < labs.length && !near; k += 3) {
      near =
        Math.hypot(lab[0] - labs[k], lab[1] - labs[k + 1], lab[2] - labs[k + 2]) < mergeDistance ||
        Math.hypot(mean[0] - means[k], mean[1] - means[k + 1], mean[2] - means[k + 2]) < mergeLevels;
    }
    if (near || (cube.count < least / 4 && means.length > 0)) continue;
    labs.push(...lab);
    means.push(...mean);
  }
  const palette = settle(means, cubes, least, mergeLevels);
  // Grain leaves nothing exactly even.
  return limits === COMPRESSION ? parted(palette, cubes, pixels) : palette;
}

/** With what colors are several of that are one by their distance, and noise as it is around these. */
function parted(palette: NoisyPalette, cubes: readonly Cube[], pixels: WorkingPixels): NoisyPalette {
  const parts = partByPlateaus(pixels, palette.channels);
  if (parts.size === 0) return palette;
  const colors = [palette.channels, ...parts.values()];
  let [error, total] = [0, 0];
  for (const { r, g, b, count } of cubes) {
    let nearest = Infinity;
    for (const channels of colors)
      for (let k = 0; k < channels.length; k += 4)
        nearest = Math.min(
          nearest,
          (r / count - channels[k]) ** 2 + (g / count - channels[k + 1]) ** 2 + (b / count - channels[k + 2]) ** 2,
        );
    error += nearest * count;
    total += count;
  }
  return { ...palette, parts, noise: Math.sqrt(error / total) };
}

/** Colors of even areas that are alike in their first bits: how many pixels have them, and their channels summed. */
interface Cube {
  readonly key: number;
  count: number;
  r: number;
  g: number;
  b: number;
}

/** The cubes that colors of even areas lie in, in the order they were met. Even pixels are listed by the kernel (`contrasts.as.ts`), a part of the picture after the other. */
function countEvenCubes({ width, height, words, rgba }: WorkingPixels, evenLevels: number): readonly Cube[] {
  const counter = new CubeCounter(rgba);
  const levels = Math.min(255, Math.floor(evenLevels));
  const rows = rowsAtOnce(width);
  for (let top = 0; top < height; top += rows) {
    const bottom = Math.min(height, top + rows);
    const first = Math.max(0, top - 1) * width;
    const behind = Math.min(height, bottom + 1) * width;
    const px = behind - first;
    const listAt = px + 3 * width + 4;
    const ints = listAt + 2 * (bottom - top) * width;
    const { buffer, byteOffset } = kernelMemory.scratch(Math.ceil(ints / 2));
    const list = new Int32Array(buffer, byteOffset, ints);
    list.set(signedWords(words.subarray(first, behind)));
    const { kernel } = kernelMemory;
    const size = kernel.listEven(width, px / width, top - first / width, bottom - first / width, levels);
    for (let k = listAt; k < listAt + size; k += 2) counter.add(first + list[k], list[k + 1]);
  }
  return counter.end();
}

/** Per cube its number, counted from one. All zero between two pictures: no more are cleared than there were. */
const CUBE_NUMBERS = new Uint16Array(1 << (3 * CUBE_BITS));

class CubeCounter {
  private readonly rgba: Uint8Array;
  private readonly cubes: Cube[] = [];

  constructor(rgba: Uint8Array) {
    this.rgba = rgba;
  }

  /** All that were counted. */
  end(): readonly Cube[] {
    for (const { key } of this.cubes) CUBE_NUMBERS[key] = 0;
    return this.cubes;
  }

  /** Counts so many pixels of the color of one. */
  add(pixel: number, count: number): void {
    const { cubes, rgba } = this;
    const red = rgba[4 * pixel];
    const green = rgba[4 * pixel + 1];
    const blue = rgba[4 * pixel + 2];
    const key = ((red >> CUBE_SHIFT) << (2 * CUBE_BITS)) | ((green >> CUBE_SHIFT) << CUBE_BITS) | (blue >> CUBE_SHIFT);
    if (CUBE_NUMBERS[key] === 0) CUBE_NUMBERS[key] = cubes.push({ key, count: 0, r: 0, g: 0, b: 0 });
    const cube = cubes[CUBE_NUMBERS[key] - 1];
    cube.count += count;
    cube.r += red * count;
    cube.g += green * count;
    cube.b += blue * count;
  }
}

/** Moves the colors to the means of the cubes nearest to them, and leaves out those with too little. */
function settle(means: number[], cubes: readonly Cube[], least: number, mergeLevels: number): NoisyPalette {
  const size = means.length / 3;
  const sums = new Float64Array(size * 4);
  let error = 0;
  let total = 0;
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    sums.fill(0);
    error = 0;
    total = 0;
    for (const cube of cubes) {
      const r = cube.r / cube.count;
      const g = cube.g / cube.count;
      const b = cube.b / cube.count;
      let best = 0;
      let nearest = Infinity;
      for (let k = 0; k < size; k++) {
        const d = (r - means[3 * k]) ** 2 + (g - means[3 * k + 1]) ** 2 + (b - means[3 * k + 2]) ** 2;
        if (d < nearest) {
          nearest = d;
          best = k;
        }
      }
      sums[4 * best] += cube.r;
      sums[4 * best + 1] += cube.g;
      sums[4 * best + 2] += cube.b;
      sums[4 * best + 3] += cube.count;
      error += nearest * cube.count;
      total += cube.count;
    }
    for (let k = 0; k < size; k++) {
      if (sums[4 * k + 3] === 0) continue;
      for (let c = 0; c < 3; c++) means[3 * k + c] = sums[4 * k + c] / sums[4 * k + 3];
    }
  }
  const kept: number[] = [];
  // The most frequent come first: what has moved to one of them is of it.
  const isAlone = (k: number) => {
    for (let other = 0; other < kept.length; other += 4)
      if (
        Math.hypot(means[3 * k] - kept[other], means[3 * k + 1] - kept[other + 1], means[3 * k + 2] - kept[other + 2]) <
        mergeLevels
      )
        return false;
    return true;
  };
  for (let k = 0; k < size; k++) {
    if ((sums[4 * k + 3] >= least && isAlone(k)) || (k === 0 && total > 0))
      kept.push(means[3 * k], means[3 * k + 1], means[3 * k + 2], 255);
  }
  return { size: kept.length / 4, channels: Float64Array.from(kept), noise: total > 0 ? Math.sqrt(error / total) : 0 };
}
