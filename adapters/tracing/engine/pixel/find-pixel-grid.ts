import { gridLines, type PixelGrid, packPixel, readCells } from './cell-grid.js';
import { looksLikePixelArt, MAX_CELLS_PER_SIDE, measurePixelArt } from './pixel-art-features.js';

/** Rows between two looks at whether a grid is still possible; photographs are given up after the first. */
const ROWS_PER_LOOK = 8;

/**
 * The grid of cells that a pixel-art picture is an exact enlargement of: found where every change of color lies on it, also where the
 * picture was cropped after it was enlarged (cells are square; the offsets then say where the first line lies). Cell 1 for pixel art
 * that was not enlarged. Null for what is not pixel art (see `looksLikePixelArt`), and for grids blurred by resampling or JPEG.
 * @param rgba four bytes per pixel, not premultiplied, width x height of them
 * @throws RangeError for a size that does not match
 */
export function findPixelGrid(rgba: Uint8Array, width: number, height: number): PixelGrid | null {
  if (!(width >= 1 && height >= 1) || rgba.length !== width * height * 4) {
    throw new RangeError(`a picture of ${width} x ${height} does not have ${rgba.length} bytes of RGBA`);
  }
  const { cell, offsetX, offsetY } = measureSpacing(rgba, width, height);
  // Without any change of color there is no spacing; with a small one there may be too many cells to be a sprite.
  if (cell === 0 || Math.max(width, height) > cell * (MAX_CELLS_PER_SIDE + 1)) return null;
  const xLines = gridLines(width, cell, offsetX);
  const yLines = gridLines(height, cell, offsetY);
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const cells = readCells(rgba, width, xLines, yLines);
  if (!looksLikePixelArt(measurePixelArt(cells, columns, rows, cell))) return null;
  return { cell, offsetX, offsetY, columns, rows };
}

/** The largest spacing that explains all changes of color; 0 where there are none. */
function measureSpacing(
  rgba: Uint8Array,
  width: number,
  height: number,
): { cell: number; offsetX: number; offsetY: number } {
  const columnChanges = new Uint8Array(width);
  const rowChanges = new Uint8Array(height);
  const above = new Uint32Array(width);
  for (let y = 0, i = 0; y < height; y++) {
    let before = packPixel(rgba, i);
    for (let x = 0; x < width; x++, i++) {
      const color = packPixel(rgba, i);
      if (color !== before) columnChanges[x] = 1;
      if (y > 0 && color !== above[x]) rowChanges[y] = 1;
      before = color;
      above[x] = color;
    }
    if (y % ROWS_PER_LOOK === ROWS_PER_LOOK - 1 && innerSpacing(columnChanges) === 1) {
      return { cell: 1, offsetX: 0, offsetY: 0 };
    }
  }
  const innerX = innerSpacing(columnChanges);
  const innerY = innerSpacing(rowChanges);
  const firstX = Math.max(0, columnChanges.indexOf(1));
  const firstY = Math.max(0, rowChanges.indexOf(1));
  if (firstX === 0 && firstY === 0) return { cell: 0, offsetX: 0, offsetY: 0 };
  // A picture that was not cropped has its borders on the grid, too.
  let whole = gcd(gcd(innerX, firstX), gcd(innerY, firstY));
  whole = gcd(whole, gcd(width, height));
  if (whole > 1) return { cell: whole, offsetX: 0, offsetY: 0 };
  const cropped = gcd(innerX, innerY);
  if (cropped > 1) return { cell: cropped, offsetX: firstX % cropped, offsetY: firstY % cropped };
  return { cell: 1, offsetX: 0, offsetY: 0 };
}

/** Greatest common divisor of the distances between changes; 0 for fewer than two changes. */
function innerSpacing(changes: Uint8Array): number {
  let spacing = 0;
  let last = -1;
  for (let k = 0; k < changes.length; k++) {
    if (changes[k] === 0) continue;
    if (last >= 0) spacing = gcd(spacing, k - last);
    last = k;
  }
  return spacing;
}

function gcd(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
