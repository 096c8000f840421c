import { lumaOf } from '../math/luma.js';
import type { EnginePicture } from '../types.js';

const CHANNELS = 4;
const COLORS = 3;

/** How much each line of one axis changes from pixel to pixel, in all. */
export interface LineChanges {
  /** Per line, in gray levels. */
  readonly gray: Float64Array;
  /** Per line and color (red, green, blue of the first line, then of the next), in levels. */
  readonly colors: Int32Array;
}

/** The same of both axes. */
export interface PictureChanges {
  readonly rows: LineChanges;
  readonly columns: LineChanges;
}

/** Adds up how much a picture changes along all of its rows and columns: one pass, as most pixels are as their neighbors. */
export function measureChanges({ data, width, height }: EnginePicture): PictureChanges {
  const rows = noChanges(height);
  const columns = noChanges(width);
  for (let y = 0; y < height; y++) {
    addAlong(data, y * width, width, rows, y);
    if (y > 0) addAbove(data, y * width, width, columns);
  }
  return { rows, columns };
}

const noChanges = (lines: number): LineChanges => ({
  gray: new Float64Array(lines),
  colors: new Int32Array(lines * COLORS),
});

/** What a row of pixels from `first` on changes, along itself. */
function addAlong(data: EnginePicture['data'], first: number, width: number, to: LineChanges, line: number): void {
  let gray = 0;
  let [red, green, blue] = [0, 0, 0];
  for (let i = (first + 1) * CHANNELS, end = (first + width) * CHANNELS; i < end; i += CHANNELS) {
    const b = i - CHANNELS;
    const differs = data[i] !== data[b] || data[i + 1] !== data[b + 1] || data[i + 2] !== data[b + 2];
    if (!differs) continue;
    gray += Math.abs(grayAt(data, i) - grayAt(data, b));
    red += Math.abs(data[i] - data[b]);
    green += Math.abs(data[i + 1] - data[b + 1]);
    blue += Math.abs(data[i + 2] - data[b + 2]);
  }
  to.gray[line] = gray;
  to.colors.set([red, green, blue], line * COLORS);
}

/** What columns change from the row above one to it. */
function addAbove(data: EnginePicture['data'], first: number, width: number, { gray, colors }: LineChanges): void {
  for (let x = 0, i = first * CHANNELS, b = i - width * CHANNELS; x < width; x++, i += CHANNELS, b += CHANNELS) {
    const differs = data[i] !== data[b] || data[i + 1] !== data[b + 1] || data[i + 2] !== data[b + 2];
    if (!differs) continue;
    gray[x] += Math.abs(grayAt(data, i) - grayAt(data, b));
    const c = x * COLORS;
    colors[c] += Math.abs(data[i] - data[b]);
    colors[c + 1] += Math.abs(data[i + 1] - data[b + 1]);
    colors[c + 2] += Math.abs(data[i + 2] - data[b + 2]);
  }
}

/** In single precision, as lines of gray levels are kept. */
function grayAt(data: EnginePicture['data'], i: number): number {
  return Math.fround(lumaOf(data[i], data[i + 1], data[i + 2]));
}
