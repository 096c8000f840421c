import type { ChangingTiles } from './changing-tiles.js';

/** Standard deviations that a kernel reaches to. */
const REACH = 3;

/** How far a Gaussian's kernel reaches, px. */
export const gaussianReach = (radiusPx: number): number => Math.ceil(REACH * radiusPx);

/** Blurs planes of one size by Gaussians, a row of taps along either axis; what lies beyond the border is as it is there. */
export class GaussianBlur {
  private readonly width: number;
  private readonly height: number;
  /** Where something is to be blurred: per stretch its left, top, right and bottom, the last two behind it. */
  private readonly stretches: readonly (readonly [number, number, number, number])[];
  private readonly across: Float64Array;
  private padded = new Float64Array(0);
  private taps = new Float64Array(0);

  /** With `tiles`, which are as wide as the kernels reach at least, what is outside of them is even, and stays as it is. */
  constructor(width: number, height: number, tiles?: ChangingTiles) {
    this.width = width;
    this.height = height;
    this.across = new Float64Array(width * height);
    const stretches: [number, number, number, number][] = [];
    if (tiles === undefined) stretches.push([0, 0, width, height]);
    else tiles.eachStretch(false, (...corners) => stretches.push(corners));
    this.stretches = stretches;
  }

  /** Sets the standard deviation, px. */
  setRadius(px: number): void {
    const reach = gaussianReach(px);
    this.taps = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp((-i * i) / (2 * px * px)));
    let sum = -this.taps[0];
    for (const tap of this.taps) sum += 2 * tap;
    for (let i = 0; i <= reach; i++) this.taps[i] /= sum;
    if (this.padded.length < this.width + 2 * reach) this.padded = new Float64Array(this.width + 2 * reach);
  }

  /** Blurs a plane, row by row, into another one. */
  blur(from: Float64Array, to: Float64Array): void {
    const { stretches, across } = this;
    across.set(from);
    to.set(from);
    for (const [left, top, right, bottom] of stretches)
      for (let y = top; y < bottom; y++) this.blurRow(from, y * this.width, left, right);
    for (const [left, top, right, bottom] of stretches)
      for (let y = top; y < bottom; y++) this.blurColumns(to, y, left, right);
  }

  private blurRow(from: Float64Array, row: number, left: number, right: number): void {
    const { width, across, padded, taps } = this;
    const reach = taps.length - 1;
    for (let i = 0, x = left - reach; x < right + reach; i++, x++)
      padded[i] = from[row + (x < 0 ? 0 : x < width ? x : width - 1)];
    for (let x = left, at = reach; x < right; x++, at++) {
      let sum = taps[0] * padded[at];
      for (let i = 1; i <= reach; i++) sum += taps[i] * (padded[at - i] + padded[at + i]);
      across[row + x] = sum;
    }
  }

  /** Part of one row of what columns become. */
  private blurColumns(to: Float64Array, y: number, left: number, right: number): void {
    const { width, height, across, taps } = this;
    const row = y * width;
    for (let x = left; x < right; x++) to[row + x] = taps[0] * across[row + x];
    for (let i = 1; i < taps.length; i++) {
      const tap = taps[i];
      const above = Math.max(0, y - i) * width;
      const below = Math.min(height - 1, y + i) * width;
      for (let x = left; x < right; x++) to[row + x] += tap * (across[above + x] + across[below + x]);
    }
  }
}
