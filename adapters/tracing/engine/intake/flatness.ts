import { kernelMemory } from '../kernels/kernel-memory.js';
import type { WorkingPixels } from './working-pixels.js';

/** How the pixels of a picture relate to their right and lower neighbors, as shares (0..1) of the pixels looked at. */
export interface Flatness {
  /** Equal to both. */
  readonly exact: number;
  /** Within 4 levels in every channel. */
  readonly within4: number;
  /** Within 12 levels. */
  readonly within12: number;
  /** More than 48 levels from one of them. */
  readonly strong: number;
}

const LEVELS = 256;

/** Looks at every row of small pictures, and at about 100 evenly spread rows of large ones. */
export function measureFlatness({ width, height, words }: WorkingPixels): Flatness {
  if (width < 2 || height < 2) return { exact: 1, within4: 1, within12: 1, strong: 0 };
  const rowStep = Math.max(1, Math.floor(height / 100));
  // Two rows, and per number of levels the pixels that are so far from one of the two in some channel, and no farther.
  const { buffer, byteOffset } = kernelMemory.scratch(width + LEVELS / 2);
  const rows = new Uint32Array(buffer, byteOffset, 2 * width);
  const counts = new Int32Array(buffer, byteOffset + 8 * width, LEVELS).fill(0);
  let seen = 0;
  for (let y = 0; y + 1 < height; y += rowStep, seen += width - 1) {
    rows.set(words.subarray(y * width, (y + 2) * width));
    kernelMemory.kernel.countContrasts(width);
  }
  const upTo = (most: number) => counts.subarray(0, most + 1).reduce((sum, count) => sum + count, 0) / seen;
  return { exact: upTo(0), within4: upTo(4), within12: upTo(12), strong: 1 - upTo(48) };
}
