import type { Tier } from './tier.js';

/**
 * What one conversion needs of memory at its worst, measured as the most that its process has resident. A process that has loaded
 * everything has 100 MB. Each pixel of the picture takes up to 16 bytes while it is decoded (a WEBP, the most of all formats), of
 * which four are kept. Each pixel that is traced, of which a tier has a most, takes 25 of flat pictures and some 160 of busy ones,
 * in the engine and for what it draws; blobs of noise can take twice that, up to what one worker may have.
 */
const PROCESS_BYTES = 100_000_000;
const BYTES_PER_PIXEL = 16;
const BYTES_PER_WORKING_PIXEL = 160;

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
