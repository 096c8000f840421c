import type { EnginePicture, EngineShape } from '../types.js';
import { findPixelGrid } from './find-pixel-grid.js';
import { tracePixelLoops } from './trace-pixel-loops.js';

/** A pixel-exact drawing and the side of the cells it is made of. */
export interface PixelDrawing {
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  readonly items: readonly EngineShape[];
  readonly cell: number;
}

/**
 * Draws a picture as the cells it is made of; undefined where it has no grid, unless `force` asks for every pixel as a cell
 * then.
 */
export function tracePixels(picture: EnginePicture, force: boolean): PixelDrawing | undefined {
  const { width, height } = picture;
  const rgba = picture.data instanceof Uint8Array ? picture.data : new Uint8Array(picture.data);
  const grid = findPixelGrid(rgba, width, height);
  if (grid === null && !force) return undefined;
  const { cell, offsetX, offsetY } = grid ?? { cell: 1, offsetX: 0, offsetY: 0 };
  const { commands, coords, paths } = tracePixelLoops(rgba, width, height, cell, cell, offsetX, offsetY);
  const items = paths.map(
    ({ firstCommand, commandCount, firstCoord, rgba: packed, areaPx }): EngineShape => ({
      kind: 'shape',
      geometry: { kind: 'path', firstCommand, commandCount, firstCoord, evenOdd: true },
      fill: { kind: 'solid', color: packed >>> 8, opacity: (packed & 255) / 255 },
      stroke: null,
      visibleAreaPx: areaPx,
    }),
  );
  return { commands, coords, items, cell };
}
