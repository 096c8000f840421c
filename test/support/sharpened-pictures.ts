import type { Raster } from '#application/ports/tracer.js';

/** Radius in px, amount and threshold in levels, as programs set them out of the box and people do. */
export const UNSHARP_MASKS = [
  [0.7, 0.75, 0],
  [1, 1, 0],
  [2, 0.6, 0],
  [3, 0.5, 0],
  [2, 1.5, 3],
] as const;

/**
 * An opaque picture sharpened by an unsharp mask as image programs do it: what it differs by from itself under a Gaussian blur is added, `amount`
 * times, where that is `threshold` levels at least; colors are cut off at black and white.
 */
export function sharpenedBy({ width, height, data }: Raster, radiusPx: number, amount: number, threshold = 0): Raster {
  const reach = Math.ceil(4 * radiusPx);
  const taps = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * radiusPx ** 2)));
  const all = taps.reduce((sum, tap) => sum + tap, 0);
  const blurred = (from: ArrayLike<number>, step: number, count: number, place: (i: number) => number) =>
    Float64Array.from(from, (_, i) => {
      let sum = 0;
      taps.forEach((tap, k) => {
        const at = Math.min(count - 1, Math.max(0, place(i) + k - reach));
        sum += tap * from[i + (at - place(i)) * step]!;
      });
      return sum / all;
    });
  const across = blurred(data, 4, width, (i) => (i >> 2) % width);
  const both = blurred(across, 4 * width, height, (i) => Math.floor((i >> 2) / width));
  const out = Uint8Array.from(data, (level, i) => {
    const more = level - both[i]!;
    const sharper = Math.abs(more) < threshold ? level : level + amount * more;
    return i % 4 === 3 ? level : Math.min(255, Math.max(0, Math.round(sharper)));
  });
  return { width, height, data: out };
}
