import { lumaOf } from '../math/luma.js';
import type { EnginePicture } from '../types.js';

const CHANNELS = 4;
const COLORS = 3;

/** How much each line of either axis changes from pixel to pixel, in all, levels: one number a line, or three in turn, of red, green and blue. */
export interface LineChanges {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

/** Of gray, in single precision, as lines of gray levels are kept: one pass over the pixels. */
export function grayChanges({ data, width, height }: EnginePicture): LineChanges {
  const rows = new Float64Array(height);
  const columns = new Float64Array(width);
  const above = new Float32Array(width);
  for (let y = 0; y < height; y++) rows[y] = addGrayRow(data, y * width, above, columns, y > 0);
  return { rows, columns };
}

/** Adds what columns change from the row above to one, whose gray levels it leaves in place of those; returns what the row itself changes. */
function addGrayRow(
  data: EnginePicture['data'],
  first: number,
  above: Float32Array,
  columns: Float64Array,
  hasAbove: boolean,
): number {
  let changes = 0;
  let i = first * CHANNELS;
  let before = Math.fround(lumaOf(data[i], data[i + 1], data[i + 2]));
  for (let x = 0; x < above.length; x++, i += CHANNELS) {
    const own = Math.fround(lumaOf(data[i], data[i + 1], data[i + 2]));
    changes += Math.abs(own - before);
    if (hasAbove) columns[x] += Math.abs(own - above[x]);
    above[x] = own;
    before = own;
  }
  return changes;
}

/** Of each color by itself. */
export function colorChanges({ data, width, height }: EnginePicture): LineChanges {
  const rows = new Float64Array(COLORS * height);
  const columns = new Float64Array(COLORS * width);
  for (let y = 0; y < height; y++) {
    addColors(data, y * width + 1, width - 1, CHANNELS, rows, COLORS * y, 0);
    if (y > 0) addColors(data, y * width, width, CHANNELS * width, columns, 0, COLORS);
  }
  return { rows, columns };
}

/** Adds what so many pixels from `first` on differ from those so many bytes before, into three numbers from `at` on, and so many more from pixel to pixel. */
function addColors(
  data: EnginePicture['data'],
  first: number,
  count: number,
  back: number,
  sums: Float64Array,
  at: number,
  step: number,
): void {
  for (let n = 0, i = first * CHANNELS, to = at; n < count; n++, i += CHANNELS, to += step) {
    const b = i - back;
    // Most pixels are as their neighbors.
    if (data[i] === data[b] && data[i + 1] === data[b + 1] && data[i + 2] === data[b + 2]) continue;
    for (let c = 0; c < COLORS; c++) sums[to + c] += Math.abs(data[i + c] - data[b + c]);
  }
}
