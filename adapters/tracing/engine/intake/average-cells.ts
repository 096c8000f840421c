import type { EnginePicture } from '../types.js';

const CHANNELS = 4;

/** An opaque picture with the mean of every `factor` x `factor` pixels; of those that its right and lower sides cut, of what there is. */
export function averageCells({ width, height, data }: EnginePicture, factor: number): EnginePicture {
  const columns = Math.ceil(width / factor);
  const rows = Math.ceil(height / factor);
  const cells = new Uint8Array(columns * rows * CHANNELS);
  const sums = new Float64Array(columns * CHANNELS);
  for (let row = 0; row < rows; row++) {
    const top = row * factor;
    const bottom = Math.min(height, top + factor);
    sums.fill(0);
    for (let y = top; y < bottom; y++) addRow(data, y * width * CHANNELS, width, factor, sums);
    for (let column = 0; column < columns; column++) {
      const count = (bottom - top) * (Math.min(width, (column + 1) * factor) - column * factor);
      const at = column * CHANNELS;
      for (let c = 0; c < CHANNELS; c++) cells[row * columns * CHANNELS + at + c] = Math.round(sums[at + c] / count);
    }
  }
  return { width: columns, height: rows, data: cells };
}

/** Adds a row of pixels, beginning at a byte, to the sums of the cells that it crosses. */
function addRow(data: EnginePicture['data'], first: number, width: number, factor: number, sums: Float64Array): void {
  let at = first;
  for (let x = 0, to = 0; x < width; to += CHANNELS)
    for (const end = Math.min(width, x + factor); x < end; x++, at += CHANNELS)
      for (let c = 0; c < CHANNELS; c++) sums[to + c] += data[at + c];
}
