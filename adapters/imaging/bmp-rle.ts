import type { BmpHeader } from './bmp-header.js';
import { colorMissing } from './bmp-pixels.js';
import { unreadableImage } from './unreadable-image.js';

const bad = (problem: string) => unreadableImage('bmp', problem);

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const DELTA = 2;

/**
 * Fills `rgba` from RLE8 or RLE4 data. Pixels that the data skips have the palette's first colour.
 * Throws UNREADABLE_IMAGE for a run that leaves its row or the picture, for a colour outside the palette, and for data that
 * end before the picture does.
 */
export function fillBmpRunLength(bytes: Uint8Array, header: BmpHeader, palette: Uint8Array, rgba: Uint8Array): void {
  const { width, height } = header;
  const colors = new Uint32Array(palette.buffer);
  const pixels = new Uint32Array(rgba.buffer).fill(colors[0] as number);
  const nibbles = header.bitsPerPixel === 4;
  let at = header.pixelOffset;
  let x = 0;
  /** Rows from the bottom, where the data begin. */
  let row = 0;

  const put = (index: number) => {
    const y = height - 1 - row;
    if (index >= colors.length) throw colorMissing(x, y, index, colors.length);
    pixels[y * width + x] = colors[index] as number;
    x++;
  };
  const checkRun = (length: number) => {
    if (row >= height) throw bad(`its run-length data go on after the last of its ${height} rows.`);
    if (x + length > width) {
      throw bad(`a run ends at pixel ${x + length} of a row that has ${width} (row ${row + 1} from the bottom).`);
    }
  };

  for (;;) {
    if (at + 2 > bytes.length) {
      // Some writers leave the end mark out; that is harmless once every pixel is there.
      if (row >= height || (row === height - 1 && x === width)) return;
      throw bad('its run-length data end before the picture does; it is cut short.');
    }
    const count = bytes[at] as number;
    const value = bytes[at + 1] as number;
    at += 2;
    if (count > 0) {
      checkRun(count);
      for (let i = 0; i < count; i++) put(nibbles ? (i % 2 === 0 ? value >> 4 : value & 15) : value);
    } else if (value === END_OF_LINE) {
      if (row >= height) throw bad(`its run-length data go on after the last of its ${height} rows.`);
      x = 0;
      row++;
    } else if (value === END_OF_BITMAP) {
      return;
    } else if (value === DELTA) {
      if (at + 2 > bytes.length) throw bad('its run-length data end inside a step; it is cut short.');
      x += bytes[at] as number;
      row += bytes[at + 1] as number;
      at += 2;
      if (x > width || row >= height) throw bad('its run-length data step outside the picture.');
    } else {
      checkRun(value);
      const runBytes = nibbles ? Math.ceil(value / 2) : value;
      if (at + runBytes > bytes.length) throw bad('its run-length data end inside a run; it is cut short.');
      for (let i = 0; i < value; i++) {
        const byte = bytes[at + (nibbles ? i >> 1 : i)] as number;
        put(nibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
      }
      // Literal runs are padded to two bytes.
      at += runBytes + (runBytes % 2);
    }
  }
}
