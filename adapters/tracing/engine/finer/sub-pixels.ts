import { SHARE_PARTS } from '../kernels/kernel-layout.js';
import { fillBytes } from '../math/lists.js';
import { MOST_SHARED, type Shares } from './unmix-shares.js';

/** Every pixel is divided into so many times as many parts. */
export const PARTS = SHARE_PARTS;
export const PARTS_OF_PIXEL = PARTS * PARTS;
/** Parts around the picture that are nothing's, as far as any neighborhood reaches. */
export const BEYOND = 10;
/** Labels of what lies beyond the picture, and of nothing at all; so many colors can be told apart. */
const BEYOND_LABEL = 255;
export const NO_LABEL = 254;
export const MOST_COLORS = NO_LABEL;

/** Sharpness of the cubic by which shares are interpolated (Keys); 3/4 meets the slope that an edge has. */
const KEYS_A = -0.75;

/** The color of every part of every pixel: row by row, with a border of nothing. */
export interface SubPixels {
  readonly labels: Uint8Array;
  /** From one row to the next. */
  readonly stride: number;
  /** Width of the picture, px. */
  readonly width: number;
}

/** Where the first part of a pixel is. */
export function firstPart({ stride, width }: SubPixels, pixel: number): number {
  const y = Math.floor(pixel / width);
  return (y * PARTS + BEYOND) * stride + (pixel - y * width) * PARTS + BEYOND;
}

/** Bytes of the parts of a picture, and those behind the last that are read along with it. */
export const bytesOfParts = (width: number, height: number): number =>
  strideOf(width) * (height * PARTS + 2 * BEYOND) + 8;

export const strideOf = (width: number): number => width * PARTS + 2 * BEYOND;

/** Parts (`parts` is the room for them) of the colors their pixels have, mixed ones (`shares`) of the first that they share. */
export function divide(
  parts: Uint8Array,
  labels: Int32Array,
  width: number,
  height: number,
  shares: Shares,
): SubPixels {
  const stride = strideOf(width);
  parts.fill(BEYOND_LABEL);
  for (let y = 0; y < height; y++) {
    const row = (y * PARTS + BEYOND) * stride;
    for (let x = 0; x < width; x++) {
      const mixed = shares.indexOf[y * width + x];
      const label = mixed < 0 ? labels[y * width + x] : shares.colors[mixed * MOST_SHARED];
      const at = row + BEYOND + x * PARTS;
      fillBytes(parts, label, at, at + PARTS);
    }
    for (let k = 1; k < PARTS; k++) parts.copyWithin(row + k * stride, row, row + stride);
  }
  return { labels: parts, stride, width };
}

/** Weights of five pixels in a row for each part of the middle one. */
const CUBIC = (() => {
  const weights = new Float64Array(PARTS * 5);
  for (let part = 0; part < PARTS; part++) {
    const place = (part + 0.5) / PARTS - 0.5;
    for (let k = -2; k <= 2; k++) weights[part * 5 + k + 2] = keys(Math.abs(place - k));
  }
  return weights;
})();

function keys(t: number): number {
  const a = KEYS_A;
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
}

/** Interpolates how much of a color there is at the parts of pixels, from its shares of 5 x 5 pixels. */
export class ShareSurface {
  private readonly across = new Float64Array(5 * PARTS);
  private readonly labels: Int32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly shares: Shares;

  constructor(labels: Int32Array, width: number, height: number, shares: Shares) {
    this.labels = labels;
    this.width = width;
    this.height = height;
    this.shares = shares;
  }

  /** Writes a color's surface over a pixel, `whole` for all of it, to `into` from `from` on, each row of parts `pitch` behind the one before. */
  over(pixel: number, color: number, into: Int16Array, from: number, pitch: number, whole: number): void {
    const { across, width, height } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    across.fill(0);
    for (let v = -2; v <= 2; v++) {
      const row = Math.min(height - 1, Math.max(0, y + v)) * width;
      for (let u = -2; u <= 2; u++) {
        const share = this.share(row + Math.min(width - 1, Math.max(0, x + u)), color);
        if (share === 0) continue;
        for (let part = 0; part < PARTS; part++) across[(v + 2) * PARTS + part] += CUBIC[part * 5 + u + 2] * share;
      }
    }
    for (let down = 0; down < PARTS; down++) {
      for (let part = 0; part < PARTS; part++) {
        let sum = 0;
        for (let v = 0; v < 5; v++) sum += CUBIC[down * 5 + v] * across[v * PARTS + part];
        into[from + down * pitch + part] = Math.round(whole * sum);
      }
    }
  }

  private share(pixel: number, color: number): number {
    const { indexOf, colors, shares } = this.shares;
    const mixed = indexOf[pixel];
    if (mixed < 0) return this.labels[pixel] === color ? 1 : 0;
    for (let k = mixed * MOST_SHARED; k < (mixed + 1) * MOST_SHARED; k++) if (colors[k] === color) return shares[k];
    return 0;
  }
}
