import type { PixelRuns } from '../intake/pixel-runs.js';
import { findPixelGrid } from './find-pixel-grid.js';
import { MAX_FLAT_SHARE } from './pixel-art-features.js';

/** Whether the picture is pixel art, enlarged or not. `findPixelGrid` says the same and where the cells are. */
export function isPixelArt(rgba: Uint8Array, width: number, height: number): boolean {
  return findPixelGrid(rgba, width, height) !== null;
}

/**
 * Whether it is worth looking for cells, by what the runs of a picture tell at once: where a pixel differs from both its
 * neighbors nothing was enlarged, and what then is as flat as `looksLikePixelArt` refuses is no sprite.
 */
export function mayBePixelArt({ hasSinglePixels, drawnInteriorPx, drawnPx }: PixelRuns): boolean {
  return !hasSinglePixels || drawnInteriorPx <= drawnPx * MAX_FLAT_SHARE;
}
