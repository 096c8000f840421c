import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';

/** Colors stand-ins are chosen from, per channel. */
const LEVELS = [0, 51, 102, 153, 204, 255];
/** Opacity of a stand-in for what can be seen through: neither solid nor nothing. */
const SEEN_THROUGH = 160;
/** Bits of a channel by which colors that are left are told apart. */
const LEFT_BITS = 4;
/** Stand-ins this near to them (squared, four channels) would be taken for them; beyond, there may be too many to keep away from. */
const LEFT_NEAR_SQ = 32 * 32;
/** Colors that are tried though the picture has no area of them: black, white and nothing. */
export const EXTRAS = Float64Array.from([0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 0]);

/** The colors beside the ramps. */
export interface Ground {
  /** Premultiplied, four a color. */
  readonly channels: Float64Array;
  readonly size: number;
  readonly noisy: boolean;
  /** The color a pixel has, -1 for none. */
  labelOf(pixel: number): number;
}

/**
 * The colors of areas that no ramp and no color of the palette explains, and that stay as they are, premultiplied, four channels each: one for
 * all that differ in the lower bits only. Mixtures along edges, which are one or two pixels wide, are none.
 */
function leftColors({ rgba, width, height }: WorkingPixels, { of }: Ramps, ground: Ground): Float64Array {
  const isLeft = (i: number) => of[i] < 0 && ground.labelOf(i) < 0;
  const seen = new Set<number>();
  for (let y = 1; y + 1 < height; y++) {
    for (let i = y * width + 1, end = i + width - 2; i < end; i++) {
      if (!isLeft(i) || !isLeft(i - 1) || !isLeft(i + 1) || !isLeft(i - width) || !isLeft(i + width)) continue;
      let key = 0;
      for (let c = 0; c < 4; c++) key = (key << LEFT_BITS) | (rgba[i * 4 + c] >> (8 - LEFT_BITS));
      seen.add(key);
    }
  }
  const half = 1 << (7 - LEFT_BITS);
  return Float64Array.from(
    [...seen].flatMap((key) =>
      [3, 2, 1, 0].map((c) => (((key >> (c * LEFT_BITS)) & ((1 << LEFT_BITS) - 1)) << (8 - LEFT_BITS)) + half),
    ),
  );
}

/**
 * A premultiplied color for each ramp, as far as can be from the palette's and from one another, and none that an area has which nothing
 * explains.
 */
export function chooseStandIns(pixels: WorkingPixels, ramps: Ramps, ground: Ground): Float64Array {
  const { found } = ramps;
  const { channels, size } = ground;
  const left = leftColors(pixels, ramps, ground);
  const out = new Float64Array(found.length * 4);
  const candidates: number[] = [];
  for (const r of LEVELS) for (const g of LEVELS) for (const b of LEVELS) candidates.push(r, g, b);
  const count = candidates.length / 3;
  const gaps = [255, SEEN_THROUGH].map((alpha) => {
    const gap = new Float64Array(count).fill(Infinity);
    for (let k = 0; k < size; k++) narrow(gap, candidates, alpha, channels, k * 4);
    // Black, white and nothing may be mixed in though no area is of them.
    for (let k = 0; k < EXTRAS.length; k += 4) narrow(gap, candidates, alpha, EXTRAS, k);
    for (let k = 0; k < left.length; k += 4) narrow(gap, candidates, alpha, left, k, true);
    return gap;
  });
  found.forEach(({ isSolid }, ramp) => {
    const alpha = isSolid ? 255 : SEEN_THROUGH;
    const gap = gaps[isSolid ? 0 : 1];
    let best = 0;
    for (let k = 1; k < count; k++) if (gap[k] > gap[best]) best = k;
    for (let c = 0; c < 3; c++) out[ramp * 4 + c] = Math.round((candidates[best * 3 + c] * alpha) / 255);
    out[ramp * 4 + 3] = alpha;
    narrow(gaps[0], candidates, 255, out, ramp * 4);
    narrow(gaps[1], candidates, SEEN_THROUGH, out, ramp * 4);
  });
  return out;
}

/** Brings each candidate's distance (squared) from what is chosen up to date with one color more, which may be one that `isLeft`. */
function narrow(
  gap: Float64Array,
  candidates: readonly number[],
  alpha: number,
  channels: Float64Array,
  at: number,
  isLeft = false,
): void {
  for (let k = 0; k < gap.length; k++) {
    let d = (alpha - channels[at + 3]) ** 2;
    for (let c = 0; c < 3; c++) d += ((candidates[k * 3 + c] * alpha) / 255 - channels[at + c]) ** 2;
    if (isLeft && d > LEFT_NEAR_SQ) continue;
    if (d < gap[k]) gap[k] = d;
  }
}
