import type { EnginePicture, EngineShape } from '../types.js';
import { gridLines, readCells } from './cell-grid.js';
import { findPixelGrid } from './find-pixel-grid.js';
import { recoverGrid } from './recover-grid.js';
import { traceCells } from './trace-pixel-loops.js';

/** A drawing of cells. */
export interface PixelDrawing {
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  readonly items: readonly EngineShape[];
  /** Mean side of a cell, px. */
  readonly cell: number;
  /** In words. */
  readonly finding: string;
}

/** The drawing, if there is a grid to draw; what was found, if anything was looked for beyond exact enlargements. */
export interface PixelTrace {
  readonly drawing: PixelDrawing | undefined;
  readonly finding: string | null;
}

/**
 * Draws a picture as the cells it is made of: those of an exact enlargement, or with `recover` those that a blurred, compressed or
 * uneven one was made from. No drawing where there is no grid, unless `force` asks for every pixel as a cell then.
 */
export function tracePixels(
  picture: EnginePicture,
  options: { readonly force: boolean; readonly recover: boolean; readonly stacked: boolean },
): PixelTrace {
  const { width, height } = picture;
  const rgba = picture.data instanceof Uint8Array ? picture.data : new Uint8Array(picture.data);
  const exact = findPixelGrid(rgba, width, height);
  const search = exact === null && options.recover ? recoverGrid(picture) : undefined;
  const found = search?.grid;
  if (found !== undefined) {
    const cell = (found.stepX + found.stepY) / 2;
    const drawing = draw(found.cells, found.xLines, found.yLines, options.stacked, cell, search?.finding ?? '');
    return { drawing, finding: drawing.finding };
  }
  if (exact === null && !options.force) return { drawing: undefined, finding: search?.finding ?? null };
  const { cell, offsetX, offsetY } = exact ?? { cell: 1, offsetX: 0, offsetY: 0 };
  const xLines = gridLines(width, cell, offsetX);
  const yLines = gridLines(height, cell, offsetY);
  const words = `a grid of ${xLines.length - 1} x ${yLines.length - 1} cells of ${cell} px was found, every pixel in it exact`;
  const finding = exact === null ? (search?.finding ?? null) : words;
  const cells = readCells(rgba, width, xLines, yLines);
  return { drawing: draw(cells, xLines, yLines, options.stacked, cell, words), finding };
}

function draw(
  cells: Uint32Array,
  xLines: Float64Array,
  yLines: Float64Array,
  stacked: boolean,
  cell: number,
  finding: string,
): PixelDrawing {
  const { commands, coords, paths } = traceCells(cells, xLines, yLines, stacked);
  const items = paths.map(
    ({ firstCommand, commandCount, firstCoord, rgba: packed, areaPx }): EngineShape => ({
      kind: 'shape',
      geometry: { kind: 'path', firstCommand, commandCount, firstCoord, evenOdd: true },
      fill: { kind: 'solid', color: packed >>> 8, opacity: (packed & 255) / 255 },
      stroke: null,
      visibleAreaPx: areaPx,
    }),
  );
  return { commands, coords, items, cell, finding };
}
