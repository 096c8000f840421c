import type { Tier } from './tier.js';

/**
 * What one conversion needs of memory at its worst, measured as the most that its process has resident. A process that has loaded
 * everything has 100 MB. Each pixel of the picture takes 40 bytes: four as decoded, and the rest while the drawing is painted and
 * compared with it. Each pixel that is traced, of which a tier has a most, takes 96 in the engine and for what it draws.
 */
const PROCESS_BYTES = 100_000_000;
const BYTES_PER_PIXEL = 40;
const BYTES_PER_WORKING_PIXEL = 96;

/** Bytes, for a picture of so many pixels. */
export const conversionMemoryBytes = (pixels: number, { maxWorkingPixels }: Pick<Tier, 'maxWorkingPixels'>): number =>
  PROCESS_BYTES + BYTES_PER_PIXEL * pixels + BYTES_PER_WORKING_PIXEL * Math.min(pixels, maxWorkingPixels);

/** The most pixels that a picture may have to be converted in so many bytes; 0 where none may. */
export function pixelsWithinMemory(bytes: number, { maxWorkingPixels }: Pick<Tier, 'maxWorkingPixels'>): number {
  const left = Math.max(0, bytes - PROCESS_BYTES);
  const whole = Math.floor(left / (BYTES_PER_PIXEL + BYTES_PER_WORKING_PIXEL));
  if (whole <= maxWorkingPixels) return whole;
  return Math.floor((left - BYTES_PER_WORKING_PIXEL * maxWorkingPixels) / BYTES_PER_PIXEL);
}
