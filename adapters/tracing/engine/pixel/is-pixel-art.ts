import { isRippled } from '../intake/ripples.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorCount } from './color-count.js';
import { findPixelGrid } from './find-pixel-grid.js';
import { MAX_FLAT_SHARE } from './pixel-art-features.js';

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
  const { hasSinglePixels, drawnInteriorPx, drawnPx, starts, count } = runs;
  if (hasSinglePixels && (drawnInteriorPx > drawnPx * MAX_FLAT_SHARE || isRippled(pixels))) return false;
  const colors = new ColorCount();
  for (let r = 0; r < count && !colors.areMany; r++) colors.add(words[starts[r]]);
  return !colors.areMany;
}
