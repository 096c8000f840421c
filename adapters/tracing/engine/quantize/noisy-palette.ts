import type { WorkingPixels } from '../intake/working-pixels.js';
import { toOklab } from '../math/oklab.js';

/** Neighbors within so many levels of a pixel make it part of an even area, compression noise included. */
const EVEN_LEVELS = 8;
/** Colors nearer than this in OKLab are one: noise spreads an area over a ball of about half of it. */
const MERGE_DISTANCE = 0.045;
/** And so are those within so many levels of each other: among dark colors OKLab tells apart what noise does not. */
const MERGE_LEVELS = 16;
/** Share of the picture, and pixels at least, that must be even and of a color. */
const LEAST_SHARE = 0.0004;
const LEAST_COUNT = 12;
const MOST_COLORS = 64;
const LLOYD_ROUNDS = 3;
/** Levels a side of the cubes that colors are counted in. */
const CUBE_SHIFT = 3;

/** Colors of even areas in a picture with noise, opaque; four channels each. */
export interface NoisyPalette {
  readonly size: number;
  readonly channels: Float64Array;
  /** Root mean square distance of even pixels from their color, levels. */
  readonly noise: number;
}

/**
 * The palette of flat art that lossy compression has been at: peaks of the color histogram of even areas, most frequent
 * first, each kept unless an accepted one is near; then moved to the means of what is nearest to them.
 */
export function chooseNoisyPalette(pixels: WorkingPixels): NoisyPalette {
  const cubes = countEvenCubes(pixels);
  const order = [...cubes.keys()].sort((a, b) => cubes.get(b)!.count - cubes.get(a)!.count || a - b);
  const least = Math.max(LEAST_COUNT, LEAST_SHARE * pixels.words.length);
  const labs: number[] = [];
  const means: number[] = [];
  const lab = new Float64Array(3);
  for (const key of order) {
    const cube = cubes.get(key)!;
    if (means.length >= MOST_COLORS * 3) break;
    const mean = [cube.r / cube.count, cube.g / cube.count, cube.b / cube.count];
    toOklab(mean[0], mean[1], mean[2], lab, 0);
    let near = false;
    for (let k = 0; k < labs.length && !near; k += 3) {
      near =
        Math.hypot(lab[0] - labs[k], lab[1] - labs[k + 1], lab[2] - labs[k + 2]) < MERGE_DISTANCE ||
        areNear(mean[0] - means[k], mean[1] - means[k + 1], mean[2] - means[k + 2]);
    }
    if (near || (cube.count < least / 4 && means.length > 0)) continue;
    labs.push(...lab);
    means.push(...mean);
  }
  return settle(means, [...cubes.values()], least);
}

function areNear(red: number, green: number, blue: number): boolean {
  return Math.hypot(red, green, blue) < MERGE_LEVELS;
}

interface Cube {
  count: number;
  r: number;
  g: number;
  b: number;
}

function countEvenCubes(pixels: WorkingPixels): Map<number, Cube> {
  const { width, height, rgba, words } = pixels;
  const cubes = new Map<number, Cube>();
  let cube: Cube | undefined;
  let lastKey = -1;
  // Whether a pixel is apart from the one below, each asked once.
  const isApartBelow = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    const hasBelow = y + 1 < height;
    let apartBefore = false;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const at = i * 4;
      const apartAbove = isApartBelow[x] === 1;
      const apartBelow = hasBelow && words[i] !== words[i + width] && isApart(rgba, at, at + width * 4);
      isApartBelow[x] = apartBelow ? 1 : 0;
      const apartLeft = apartBefore;
      apartBefore = x + 1 < width && words[i] !== words[i + 1] && isApart(rgba, at, at + 4);
      if (apartLeft || apartBefore || apartAbove || apartBelow) continue;
      const key = ((rgba[at] >> CUBE_SHIFT) << 16) | ((rgba[at + 1] >> CUBE_SHIFT) << 8) | (rgba[at + 2] >> CUBE_SHIFT);
      if (cube === undefined || key !== lastKey) {
        cube = cubes.get(key);
        if (cube === undefined) {
          cube = { count: 0, r: 0, g: 0, b: 0 };
          cubes.set(key, cube);
        }
        lastKey = key;
      }
      cube.count++;
      cube.r += rgba[at];
      cube.g += rgba[at + 1];
      cube.b += rgba[at + 2];
    }
  }
  return cubes;
}

function isApart(rgba: Uint8Array, a: number, b: number): boolean {
  return (
    Math.abs(rgba[a] - rgba[b]) > EVEN_LEVELS ||
    Math.abs(rgba[a + 1] - rgba[b + 1]) > EVEN_LEVELS ||
    Math.abs(rgba[a + 2] - rgba[b + 2]) > EVEN_LEVELS
  );
}

/** Moves the colors to the means of the cubes nearest to them, and leaves out those with too little. */
function settle(means: number[], cubes: readonly Cube[], least: number): NoisyPalette {
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
      if (areNear(means[3 * k] - kept[other], means[3 * k + 1] - kept[other + 1], means[3 * k + 2] - kept[other + 2]))
        return false;
    return true;
  };
  for (let k = 0; k < size; k++) {
    if ((sums[4 * k + 3] >= least && isAlone(k)) || (k === 0 && total > 0))
      kept.push(means[3 * k], means[3 * k + 1], means[3 * k + 2], 255);
  }
  return { size: kept.length / 4, channels: Float64Array.from(kept), noise: total > 0 ? Math.sqrt(error / total) : 0 };
}
