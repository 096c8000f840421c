import type { WorkingPixels } from '../intake/working-pixels.js';
import type { FittedRamp } from './fit-ramp.js';
import { boxesOfRamps, type PixelBox, widened } from './ramp-boxes.js';
import { RampReader } from './ramp-reader.js';

/** A pixel this near to the ramp in every channel is of it, levels: rounding, and what the ramp is off where it was not seen. */
const NEAR = 1.5;
/** Pieces have at least so many pixels. */
const LEAST_PX = 8;
/** In so many colors at least, of which one has no more than this share: what is even only happens to have the ramp's color. */
const LEAST_COLORS = 3;
const MOST_OF_ONE = 0.6;
/** Not so where it borders on the ramp so many times, which ends in it. */
const LEAST_BORDER = 3;
/** Pieces are looked for as far around what is known of a ramp as this share of its longer side. */
const MARGIN_SHARE = 0.2;
/** So many times a pixel of the picture is compared with some ramp, on average. */
const LOOKS_PER_PIXEL = 8;

/**
 * Finds what is of a ramp in other places than the area it was found in, and too narrow there for a square that looks like part of one: a
 * shirt beside the arm that is before it. A ramp is known as a formula, and by that as far as it goes.
 */
export class RampPieces {
  private readonly pixels: WorkingPixels;
  private readonly of: Int32Array;
  private readonly into: Int32Array;
  private readonly boxes: readonly PixelBox[];
  private readonly seen: Int32Array;
  private search = 0;
  private looksLeft: number;

  /** `of` has the ramp of every pixel, -1 for none; `into` what these are parts of by now. */
  constructor(pixels: WorkingPixels, of: Int32Array, into: Int32Array) {
    this.pixels = pixels;
    this.of = of;
    this.into = into;
    this.seen = new Int32Array(of.length);
    this.looksLeft = LOOKS_PER_PIXEL * of.length;
    this.boxes = boxesOfRamps(pixels.width, pixels.height, into.length, (i) => (of[i] < 0 ? -1 : into[of[i]]));
  }

  /** Lists the pixels of a ramp's pieces that are of none so far in `out`, as long as the picture; returns how many. */
  find(ramp: FittedRamp, number: number, out: Int32Array): number {
    const { pixels, of, into, seen } = this;
    const reader = new RampReader(ramp, pixels, NEAR);
    const { left, right, top, bottom } = this.around(number);
    const isWithin = (x: number, y: number) => x >= left && x <= right && y >= top && y <= bottom;
    this.search++;
    let found = 0;
    for (let y = top; y <= bottom && this.looksLeft > 0; y++) {
      for (let x = left; x <= right; x++) {
        const from = y * pixels.width + x;
        if (!this.isNew(from, x, y, reader)) continue;
        let size = found + 1;
        let border = 0;
        out[found] = from;
        seen[from] = this.search;
        for (let k = found; k < size; k++) {
          const u = out[k] % pixels.width;
          const v = (out[k] - u) / pixels.width;
          for (let d = 0; d < 4; d++) {
            const a = u + (d === 0 ? 1 : d === 1 ? -1 : 0);
            const b = v + (d === 2 ? 1 : d === 3 ? -1 : 0);
            if (!isWithin(a, b)) continue;
            const beside = b * pixels.width + a;
            if (of[beside] >= 0 && into[of[beside]] === number) border++;
            if (!this.isNew(beside, a, b, reader)) continue;
            seen[beside] = this.search;
            out[size++] = beside;
          }
        }
        if (size - found < LEAST_PX) continue;
        if (border >= LEAST_BORDER || this.isVaried(out, found, size)) found = size;
      }
    }
    return found;
  }

  /** Whether a pixel is of no ramp so far, not met in this search, and near to the ramp. */
  private isNew(pixel: number, x: number, y: number, reader: RampReader): boolean {
    if (this.of[pixel] >= 0 || this.seen[pixel] === this.search) return false;
    this.looksLeft--;
    return reader.isNear(x, y);
  }

  private around(number: number): PixelBox {
    const { width, height } = this.pixels;
    const box = this.boxes[number];
    const side = 1 + Math.max(box.right - box.left, box.bottom - box.top);
    return widened(box, Math.ceil(MARGIN_SHARE * side), width, height);
  }

  private isVaried(pixels: Int32Array, from: number, to: number): boolean {
    const { words } = this.pixels;
    const counts = new Map<number, number>();
    let most = 0;
    for (let k = from; k < to; k++) {
      const count = (counts.get(words[pixels[k]]) ?? 0) + 1;
      counts.set(words[pixels[k]], count);
      if (count > most) most = count;
    }
    return counts.size >= LEAST_COLORS && most <= MOST_OF_ONE * (to - from);
  }
}
