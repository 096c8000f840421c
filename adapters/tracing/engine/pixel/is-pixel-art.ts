import { findPixelGrid } from './find-pixel-grid.js';

/** Whether the picture is pixel art, enlarged or not. `findPixelGrid` says the same and where the cells are. */
export function isPixelArt(rgba: Uint8Array, width: number, height: number): boolean {
  return findPixelGrid(rgba, width, height) !== null;
}
