import { LIGHT_OF } from '../math/oklab.js';
import type { EnginePicture } from '../types.js';
import { straightened } from './premultiplied.js';
import type { WorkingPixels } from './working-pixels.js';

/** What a pixel is mixed of lies so near, px, and of so many colors the nearest are asked. */
const REACH_PX = 2;
const MOST_COLORS = 5;
/** Pixels are even whose colors differ by no more than this from one beside and from one above or below, levels, as they do in gradients. */
const EVEN_LEVELS = 3;
/** Colors are one that differ by no more than this. */
const SAME_LEVELS = 8;
/** Levels that a mixture may be off, at most (what shines through seams is some), and how many a pair of colors may be worse off that lies nearer by one px. */
const NEAR_LEVELS = 10;
const LEVELS_A_PX = 0.5;
/** Filters that sharpen go so far beyond the colors they mix. */
const MOST_BEYOND = 0.3;
const CHANNELS = 4;
const COLORS = 3;

/**
 * An opaque picture, or the opaque parts of one, whose edges were mixed in linear light, with the levels that the same shares have where levels are mixed, as all that follows takes
 * them to be. A pixel is of two even colors near to it, or three where they meet; what is of none of them, as thin lines are, stays.
 */
export function mixedByLevels(pixels: WorkingPixels): EnginePicture {
  const { width, height, rgba, opaque } = pixels;
  const data = new Uint8Array(rgba);
  const remixer = new Remixer(pixels, data);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) remixer.remix(x, y);
  return { width, height, data: opaque ? data : straightened(data) };
}

class Remixer {
  private readonly pixels: WorkingPixels;
  private readonly data: Uint8Array;
  /** Even pixels near the one at hand, of a color each, and how far they are from it. */
  private readonly near = new Int32Array(MOST_COLORS);
  private readonly far = new Int32Array(MOST_COLORS);
  private count = 0;
  /** Of the colors that it may be mixed of, and of each its share. */
  private readonly shares = new Float64Array(3);

  constructor(pixels: WorkingPixels, data: Uint8Array) {
    this.pixels = pixels;
    this.data = data;
  }

  remix(x: number, y: number): void {
    const pixel = y * this.pixels.width + x;
    if (this.pixels.rgba[CHANNELS * pixel + COLORS] !== 255 || this.isEven(x, y)) return;
    this.look(x, y);
    if (this.count < 2) return;
    if (!this.isOfTwo(pixel) && this.count > 2) this.isOfThree(pixel);
  }

  private isEven(x: number, y: number): boolean {
    const { width, height } = this.pixels;
    const at = y * width + x;
    const isAlong = (x > 0 && this.isNear(at, at - 1)) || (x + 1 < width && this.isNear(at, at + 1));
    return isAlong && ((y > 0 && this.isNear(at, at - width)) || (y + 1 < height && this.isNear(at, at + width)));
  }

  private isNear(a: number, b: number, levels = EVEN_LEVELS): boolean {
    const { rgba, words } = this.pixels;
    if (words[a] === words[b]) return true;
    for (let c = 0; c < CHANNELS; c++)
      if (Math.abs(rgba[CHANNELS * a + c] - rgba[CHANNELS * b + c]) > levels) return false;
    return true;
  }

  /** Finds the opaque even colors around a pixel, the nearest first. */
  private look(x: number, y: number): void {
    const { width, height, rgba } = this.pixels;
    const { near, far } = this;
    this.count = 0;
    for (let reach = 1; reach <= REACH_PX; reach++) {
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
        const step = Math.abs(v - y) === reach ? 1 : 2 * reach;
        for (let u = x - reach; u <= x + reach; u += step) {
          if (u < 0 || u >= width || this.count === MOST_COLORS) continue;
          const pixel = v * width + u;
          if (rgba[CHANNELS * pixel + COLORS] !== 255 || !this.isEven(u, v)) continue;
          let isKnown = false;
          for (let k = 0; k < this.count; k++) if (this.isNear(near[k], pixel, SAME_LEVELS)) isKnown = true;
          if (isKnown) continue;
          far[this.count] = reach;
          near[this.count++] = pixel;
        }
      }
    }
  }

  /** Mixes it anew of two colors, if it is of two. */
  private isOfTwo(pixel: number): boolean {
    const { near, far, count, shares } = this;
    let least = Infinity;
    let [first, second, share] = [-1, -1, 0];
    for (let i = 0; i < count; i++) {
      for (let k = i + 1; k < count; k++) {
        const own = this.shareBetween(pixel, near[i], near[k]);
        if (!(own >= -MOST_BEYOND && own <= 1 + MOST_BEYOND)) continue;
        [shares[0], shares[1]] = [1 - own, own];
        const off = this.levelsOff(pixel, [near[i], near[k]]);
        if (off > NEAR_LEVELS || off + LEVELS_A_PX * (far[i] + far[k]) >= least) continue;
        least = off + LEVELS_A_PX * (far[i] + far[k]);
        [first, second, share] = [near[i], near[k], own];
      }
    }
    if (first < 0) return false;
    [shares[0], shares[1]] = [1 - share, share];
    this.mix(pixel, [first, second]);
    return true;
  }

  /** How much of the light of one color a pixel has between those of two. */
  private shareBetween(pixel: number, a: number, b: number): number {
    const { rgba } = this.pixels;
    let along = 0;
    let all = 0;
    for (let c = 0; c < COLORS; c++) {
      const from = LIGHT_OF[rgba[CHANNELS * a + c]];
      const way = LIGHT_OF[rgba[CHANNELS * b + c]] - from;
      along += (LIGHT_OF[rgba[CHANNELS * pixel + c]] - from) * way;
      all += way * way;
    }
    return along / all;
  }

  /** Mixes it anew of the three nearest colors, if it is of these. */
  private isOfThree(pixel: number): void {
    const { near, shares } = this;
    const { rgba } = this.pixels;
    const [a, b, c] = near;
    let [uu, uv, vv, up, vp] = [0, 0, 0, 0, 0];
    for (let i = 0; i < COLORS; i++) {
      const from = LIGHT_OF[rgba[CHANNELS * a + i]];
      const u = LIGHT_OF[rgba[CHANNELS * b + i]] - from;
      const v = LIGHT_OF[rgba[CHANNELS * c + i]] - from;
      const p = LIGHT_OF[rgba[CHANNELS * pixel + i]] - from;
      uu += u * u;
      uv += u * v;
      vv += v * v;
      up += u * p;
      vp += v * p;
    }
    const determinant = uu * vv - uv * uv;
    shares[1] = (up * vv - vp * uv) / determinant;
    shares[2] = (vp * uu - up * uv) / determinant;
    shares[0] = 1 - shares[1] - shares[2];
    if (shares.every((share) => share >= 0) && this.levelsOff(pixel, [a, b, c]) <= NEAR_LEVELS)
      this.mix(pixel, [a, b, c]);
  }

  /** Levels by which a pixel is off the light of pixels in their shares, at most. */
  private levelsOff(pixel: number, of: readonly number[]): number {
    const { rgba } = this.pixels;
    let most = 0;
    for (let c = 0; c < COLORS; c++) {
      let light = 0;
      for (let k = 0; k < of.length; k++) light += this.shares[k] * LIGHT_OF[rgba[CHANNELS * of[k] + c]];
      most = Math.max(most, Math.abs(levelOf(light) - rgba[CHANNELS * pixel + c]));
    }
    return most;
  }

  private mix(pixel: number, of: readonly number[]): void {
    const { rgba } = this.pixels;
    for (let c = 0; c < COLORS; c++) {
      let level = 0;
      for (let k = 0; k < of.length; k++) level += this.shares[k] * rgba[CHANNELS * of[k] + c];
      this.data[CHANNELS * pixel + c] = Math.max(0, Math.min(255, Math.round(level)));
    }
  }
}

/** The level of a light of sRGB, between 0 and 255 for what can be shown (IEC 61966-2-1). */
function levelOf(light: number): number {
  const shown = Math.max(0, Math.min(1, light));
  return 255 * (shown <= 0.0031308 ? 12.92 * shown : 1.055 * shown ** (1 / 2.4) - 0.055);
}
