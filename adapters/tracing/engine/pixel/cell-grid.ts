/**
 * A picture as cells of one color each. Lines of the grid lie at `offset`, `offset + cell`, ... and at the picture's borders, so that the
 * first and the last column (row) may be cut.
 */
export interface PixelGrid {
  /** Side of a cell in px of the picture, 1 or more. */
  readonly cell: number;
  /** First grid line inside the picture or on its border, 0..cell-1. */
  readonly offsetX: number;
  readonly offsetY: number;
  readonly columns: number;
  readonly rows: number;
}

/** Where the grid lines lie, 0 and `size` first and last. */
export function gridLines(size: number, cell: number, offset: number): Float64Array {
  const inner = Math.ceil((size - offset) / cell);
  const lines = new Float64Array(inner + (offset > 0 ? 2 : 1));
  let at = offset > 0 ? 1 : 0;
  for (let line = offset; line < size; line += cell) lines[at++] = line;
  lines[at] = size;
  return lines;
}

/** The color of the pixel as 0xRRGGBBAA; 0 for every fully transparent one, whatever color it hides. */
export function packPixel(rgba: Uint8Array, pixel: number): number {
  const at = pixel * 4;
  if (rgba[at + 3] === 0) return 0;
  return ((rgba[at] << 24) | (rgba[at + 1] << 16) | (rgba[at + 2] << 8) | rgba[at + 3]) >>> 0;
}

/** One packed color per cell, row by row, read at each cell's middle. */
export function readCells(rgba: Uint8Array, width: number, xLines: Float64Array, yLines: Float64Array): Uint32Array {
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const cells = new Uint32Array(columns * rows);
  for (let row = 0, i = 0; row < rows; row++) {
    const y = (yLines[row] + yLines[row + 1]) >> 1;
    for (let column = 0; column < columns; column++, i++) {
      cells[i] = packPixel(rgba, y * width + ((xLines[column] + xLines[column + 1]) >> 1));
    }
  }
  return cells;
}
