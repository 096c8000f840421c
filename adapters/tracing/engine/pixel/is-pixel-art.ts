import { isRippled } from '../intake/ripples.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorCount } from './color-count.js';
import { findPixelGrid } from './find-pixel-grid.js';
import { MAX_FLAT_SHARE } from './pixel-art-features.js';

/** Runs of a picture in which its colors are counted before anything else is asked. */
const FIRST_RUNS = 1024;

/** Whether the picture is pixel art, enlarged or not. `findPixelGrid` says the same and where the cells are. */
export function isPixelArt(rgba: Uint8Array, width: number, height: number): boolean {
  return findPixelGrid(rgba, width, height) !== null;
}

/**
 * Whether it is worth looking for cells, by what the runs of a picture tell at once: where a pixel differs from both its
 * neighbors nothing was enlarged, and what then is as flat as `looksLikePixelArt` refuses, or rippled by compression, is no sprite; nor is what has so many
 * colors.
 */
export function mayBePixelArt(pixels: WorkingPixels): boolean {
  const { words, runs } = pixels;
  const { starts, count } = runs;
  const colors = new ColorCount();
  let seen = 0;
  const countColors = (end: number) => {
    for (; seen < end && !colors.areMany; seen++) colors.add(words[starts[seen]]);
    return colors.areMany;
  };
  // What was compressed mostly shows it by its first colors, which spares counting the rest.
  if (countColors(Math.min(FIRST_RUNS, count))) return false;
  const { hasSinglePixels, drawnInteriorPx, drawnPx } = runs;
  if (hasSinglePixels && (drawnInteriorPx > drawnPx * MAX_FLAT_SHARE || isRippled(pixels))) return false;
  return !countColors(count);
}
