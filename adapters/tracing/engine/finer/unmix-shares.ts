import type { WorkingPixels } from '../intake/working-pixels.js';
import { SHARE_COLORS } from '../kernels/kernel-layout.js';
import { arena } from '../math/arena.js';
import { Unmixer } from '../segment/label-flat.js';
import { ThreeColors } from '../segment/three-colors.js';

/** How far around a pixel the colors are that it may be a mixture of. */
const NEAR_PX = 2;
/** Levels (squared) by which another color must bring a mixture nearer to the pixel. */
const WORTH_SQ = 12;
/** More colors than these around one pixel are not tried three at a time. */
const MOST_OF_THREE = 8;

/** Up to this many colors share a pixel. */
export const MOST_SHARED = SHARE_COLORS;

/** What the colors' shares of mixed pixels are, `MOST_SHARED` entries for each; a pixel of one color has no second. */
export interface Shares {
  /** The pixels, ascending, and for every pixel of the picture which of these it is, or -1. */
  readonly pixels: Int32Array;
  readonly indexOf: Int32Array;
  readonly colors: Int32Array;
  /** 0..1, 1 in sum. */
  readonly shares: Float64Array;
  readonly counts: Uint8Array;
}

/**
 * How much of each mixed pixel the colors around it cover: the one, two or three of them that explain it best, an additional one only
 * where it explains more (linear unmixing with as few end members as will do).
 */
export function unmixShares(
  pixels: WorkingPixels,
  labels: Int32Array,
  channels: Float64Array,
  mixed: Int32Array,
): Shares {
  const { rgba, width, height } = pixels;
  const indexOf = arena.rawInt32(width * height).fill(-1);
  const colors = new Int32Array(mixed.length * MOST_SHARED).fill(-1);
  const shares = new Float64Array(mixed.length * MOST_SHARED);
  const counts = new Uint8Array(mixed.length);
  const unmixer = new Unmixer(rgba, channels);
  const three = new ThreeColors();
  const near: number[] = [];
  const seen = new Int32Array(channels.length / 4).fill(-1);
  for (let m = 0; m < mixed.length; m++) {
    const i = mixed[m];
    indexOf[i] = m;
    lookAround(i, m);
    unmix(i, m * MOST_SHARED);
    counts[m] = colors[m * MOST_SHARED + 1] < 0 ? 1 : colors[m * MOST_SHARED + 2] < 0 ? 2 : 3;
  }
  return { pixels: mixed, indexOf, colors, shares, counts };

  function lookAround(i: number, tag: number): void {
    const y = Math.floor(i / width);
    const x = i - y * width;
    near.length = 0;
    for (let v = Math.max(0, y - NEAR_PX); v <= Math.min(height - 1, y + NEAR_PX); v++) {
      for (let u = Math.max(0, x - NEAR_PX); u <= Math.min(width - 1, x + NEAR_PX); u++) {
        const label = labels[v * width + u];
        if (seen[label] === tag) continue;
        seen[label] = tag;
        near.push(label);
      }
    }
  }

  function unmix(i: number, at: number): void {
    unmixer.error = Infinity;
    for (const color of near) unmixer.tryColor(i, color, unmixer.error);
    let error = unmixer.error;
    put(at, unmixer.label, 1, -1, 0);
    unmixer.error = error - WORTH_SQ;
    for (let p = 0; p < near.length; p++)
      for (let q = p + 1; q < near.length; q++) unmixer.tryPair(i, near[p], near[q]);
    if (unmixer.error < error - WORTH_SQ && unmixer.other >= 0) {
      error = unmixer.error;
      const share = unmixer.share(i, unmixer.label, unmixer.other);
      put(at, unmixer.label, share, unmixer.other, 1 - share);
    }
    if (near.length < 3 || near.length > MOST_OF_THREE || error <= WORTH_SQ) return;
    if (three.nearest(rgba, i, channels, near, near.length, error - WORTH_SQ) < error - WORTH_SQ)
      three.sharesOf(rgba, i, colors, shares, at);
  }

  function put(at: number, color: number, share: number, other: number, rest: number): void {
    colors[at] = color;
    colors[at + 1] = other;
    colors[at + 2] = -1;
    shares[at] = share;
    shares[at + 1] = rest;
    shares[at + 2] = 0;
  }
}
