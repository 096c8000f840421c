import type { WorkingPixels } from '../intake/working-pixels.js';
import { ThreeColors } from '../segment/three-colors.js';
import type { Ramps } from './find-ramps.js';
import type { RampReader } from './ramp-reader.js';
import type { Ground } from './stand-ins.js';

/** Colors nearer than this (squared) cannot be told apart in a mixture. */
const APART_SQ = 24;

/** The colors around a pixel, ramps as they are at its place, and the mixture of two colors that explains it. */
export class LocalColors {
  /** The colors at hand, premultiplied: the ground's, the ramps' where these were read last, then the others given. */
  readonly channels: Float64Array;
  /** Those around the pixel that was looked at last, and how many these are. */
  readonly candidates: Int32Array;
  count = 0;
  /** Whether a ramp is one of them. */
  onRamp = false;
  // The explanation found last: this share of color `p`, the rest of `q`, and its squared distance from the pixel.
  p = 0;
  q = 0;
  share = 1;
  error = 0;
  private readonly pixels: WorkingPixels;
  private readonly ramps: Ramps;
  private readonly ground: Ground;
  private readonly readers: readonly RampReader[];
  private readonly three = new ThreeColors();

  constructor(
    pixels: WorkingPixels,
    ramps: Ramps,
    ground: Ground,
    readers: readonly RampReader[],
    others: ArrayLike<number>,
  ) {
    this.pixels = pixels;
    this.ramps = ramps;
    this.ground = ground;
    this.readers = readers;
    const count = ground.size + readers.length;
    this.channels = new Float64Array(count * 4 + others.length);
    this.channels.set(ground.channels);
    this.channels.set(others, count * 4);
    this.candidates = new Int32Array(count);
  }

  /** Takes the colors around a pixel, up to so far from it, px, where there are not two nearer ones. */
  lookAround(x: number, y: number, farthest: number): void {
    const { ramps, ground, candidates } = this;
    const { width, height } = this.pixels;
    this.count = 0;
    this.onRamp = false;
    for (let reach = 1; reach <= farthest && this.count < 2; reach++) {
      this.count = 0;
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
          const j = v * width + u;
          const ramp = ramps.of[j];
          const color = ramp >= 0 ? ground.size + ramp : ground.labelOf(j);
          if (color < 0 || this.has(color)) continue;
          if (ramp >= 0) this.onRamp = true;
          candidates[this.count++] = color;
        }
      }
    }
  }

  private has(color: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.candidates[k] === color) return true;
    return false;
  }

  /** Reads those of the ramps that are among the candidates at a place. */
  readRamps(x: number, y: number): void {
    for (let k = 0; k < this.count; k++)
      if (this.candidates[k] >= this.ground.size) this.readAt(x, y, this.candidates[k]);
  }

  /** Reads the ramp that color `k` is at a place, where it may go on `beyond` its ends. */
  readAt(x: number, y: number, k: number, beyond: 'even' | 'onwards' = 'even'): void {
    this.readers[k - this.ground.size].read(x, y, this.channels, k * 4, beyond);
  }

  /** Explains pixel `i` as a mixture of two of the candidates; the error is Infinity where there are not two. */
  explain(i: number): void {
    const { candidates, count } = this;
    this.error = Infinity;
    for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) this.tryPair(i, candidates[a], candidates[b]);
  }

  /** Takes a mixture of two colors for the explanation of pixel `i`, where it is nearer. */
  tryPair(i: number, p: number, q: number): void {
    const { channels } = this;
    const { rgba } = this.pixels;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const d = channels[p * 4 + c] - channels[q * 4 + c];
      dot += (rgba[i * 4 + c] - channels[q * 4 + c]) * d;
      lengthSq += d * d;
    }
    const share = lengthSq < APART_SQ ? 1 : Math.max(0, Math.min(1, dot / lengthSq));
    let error = 0;
    for (let c = 0; c < 4; c++) {
      error += (rgba[i * 4 + c] - share * channels[p * 4 + c] - (1 - share) * channels[q * 4 + c]) ** 2;
    }
    if (error >= this.error - 1e-9) return;
    this.p = p;
    this.q = q;
    this.share = share;
    this.error = error;
  }

  /** Whether three of the candidates explain pixel `i`, nearer than this (squared). */
  isJunction(i: number, nearSq: number): boolean {
    const { candidates, channels, three, count } = this;
    const { rgba } = this.pixels;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        for (let c = b + 1; c < count; c++) {
          if (!three.use(channels, candidates[a], candidates[b], candidates[c])) continue;
          if (three.distanceSq(rgba, i) < nearSq) return true;
        }
      }
    }
    return false;
  }
}
