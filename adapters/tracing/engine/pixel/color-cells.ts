/**
 * The cells of a picture by color, in a frame one cell wide that belongs to no color, so that neighbors can be read unchecked.
 */
export interface ColorCells {
  /** Cells per framed row: columns + 2. Cell (column, row) is number (row + 1) * stride + column + 1. */
  readonly stride: number;
  readonly columns: number;
  readonly rows: number;
  readonly colorCount: number;
  /** Color of each framed cell, -1 for fully transparent and the frame; numbered by first cell in scan order. */
  readonly colorOf: Int32Array;
  /** 0xRRGGBBAA per color. */
  readonly packed: Uint32Array;
  /** Cells of color c are `members[starts[c]]` to `members[starts[c + 1] - 1]`, ascending. */
  readonly members: Int32Array;
  readonly starts: Int32Array;
  /** Four per color: first and last column, first and last row, framed (1-based). */
  readonly boxes: Int32Array;
}

/** @param cells packed colors (0 where fully transparent), columns x rows */
export function groupByColor(cells: Uint32Array, columns: number, rows: number): ColorCells {
  const stride = columns + 2;
  const colorOf = new Int32Array(stride * (rows + 2)).fill(-1);
  let tableSize = 64;
  while (tableSize < cells.length * 2) tableSize *= 2;
  const table = new Int32Array(tableSize).fill(-1);
  const found = new Uint32Array(cells.length);
  let colorCount = 0;
  let drawn = 0;
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      const color = cells[i];
      if (color === 0) continue;
      let slot = Math.imul(color ^ (color >>> 15), 0x9e3779b1);
      slot = (slot ^ (slot >>> 15)) & (tableSize - 1);
      while (table[slot] >= 0 && found[table[slot]] !== color) slot = (slot + 1) & (tableSize - 1);
      if (table[slot] < 0) {
        found[colorCount] = color;
        table[slot] = colorCount++;
      }
      colorOf[(row + 1) * stride + column + 1] = table[slot];
      drawn++;
    }
  }
  const starts = new Int32Array(colorCount + 1);
  for (let at = 0; at < colorOf.length; at++) if (colorOf[at] >= 0) starts[colorOf[at] + 1]++;
  for (let color = 0; color < colorCount; color++) starts[color + 1] += starts[color];
  const filled = starts.slice(0, colorCount);
  const members = new Int32Array(drawn);
  const boxes = new Int32Array(colorCount * 4);
  for (let at = 0; at < colorOf.length; at++) {
    const color = colorOf[at];
    if (color < 0) continue;
    const row = Math.floor(at / stride);
    const column = at - row * stride;
    const box = color * 4;
    if (filled[color] === starts[color]) {
      boxes[box] = column;
      boxes[box + 1] = column;
      boxes[box + 2] = row;
    } else {
      boxes[box] = Math.min(boxes[box], column);
      boxes[box + 1] = Math.max(boxes[box + 1], column);
    }
    boxes[box + 3] = row;
    members[filled[color]++] = at;
  }
  return { stride, columns, rows, colorCount, colorOf, packed: found.slice(0, colorCount), members, starts, boxes };
}
