import type { EnginePicture } from '../types.js';
import { type Axis, grayOf } from './enlarging-lines.js';

/** Lines, at most, whose second differences are summed, and how much one counts at most, levels: edges are as they are. */
const MOST_LINES = 128;
const MOST_LEVELS = 24;
/** What differs from the middle of so many places around tells of a grid, over that middle and so much more. */
const AROUND = 8;
const QUIET_LEVELS = 5;
/** Of longer sides the spectrum takes too long, as it does with the square of them, px. */
const LONGEST_PX = 4096;
/** Factors looked for. */
const LARGEST = 8;
const SMALLEST = 1.35;
/** The strongest that are given, and how far, of a pixel's frequency, those of compression lie, which goes by eights. */
const MOST_GIVEN = 3;
const BLOCK_PX = 8;
const NEAR_BLOCKS = 0.004;

/**
 * Factors by which a picture may have been enlarged, to any size: where a pixel lies between those that it is interpolated from says how much lines bend there, on
 * average, so that second differences repeat with the grid (Gallagher, Detection of linear and cubic interpolation in JPEG compressed images, 2005). What repeats
 * more often than every other pixel looks as if it did less often, so of either there is the other. None where a side is very long.
 */
export function gridFactors(picture: EnginePicture): readonly number[] {
  const { width, height } = picture;
  if (Math.max(width, height) > LONGEST_PX) return [];
  const across = bendsOf(picture, 'rows');
  const down = bendsOf(picture, 'columns');
  const found: { readonly columns: number; readonly strength: number }[] = [];
  for (let columns = Math.ceil(width / LARGEST); columns <= width / SMALLEST; columns++) {
    const frequency = columns / width;
    const blocks = frequency * BLOCK_PX;
    if (Math.abs(blocks - Math.round(blocks)) < NEAR_BLOCKS * BLOCK_PX) continue;
    const rows = Math.round(height * frequency);
    found.push({ columns, strength: strengthOf(across, frequency) * strengthOf(down, rows / height) });
  }
  found.sort((a, b) => b.strength - a.strength || a.columns - b.columns);
  const columns = new Set(found.slice(0, MOST_GIVEN).flatMap((one) => [one.columns, width - one.columns]));
  return [...columns].map((count) => width / count).filter((factor) => factor >= SMALLEST && factor <= LARGEST);
}

/** How much lines bend at each of their pixels, over what they do around. */
function bendsOf(picture: EnginePicture, axis: Axis): Float64Array {
  const { width, height } = picture;
  const [size, lines] = axis === 'rows' ? [width, height] : [height, width];
  const sums = new Float64Array(size);
  const line = new Float32Array(size);
  const step = Math.max(1, Math.floor(lines / MOST_LINES));
  for (let at = 0; at < lines; at += step) {
    grayOf(picture, axis, at, line);
    for (let x = 1; x + 1 < size; x++)
      sums[x] += Math.min(MOST_LEVELS, Math.abs(line[x - 1] - 2 * line[x] + line[x + 1]));
  }
  const bends = new Float64Array(size);
  for (let x = 0; x < size; x++) {
    const from = Math.max(0, x - AROUND);
    const to = Math.min(size, x + AROUND + 1);
    let middle = 0;
    for (let i = from; i < to; i++) middle += sums[i] / (to - from);
    bends[x] = (sums[x] - middle) / (middle + QUIET_LEVELS);
  }
  return bends;
}

/** How strongly a row repeats with so many periods a place. */
function strengthOf(row: Float64Array, frequency: number): number {
  const cos = Math.cos(2 * Math.PI * frequency);
  const sin = Math.sin(2 * Math.PI * frequency);
  let [x, y] = [1, 0];
  let re = 0;
  let im = 0;
  for (const value of row) {
    re += value * x;
    im += value * y;
    const turned = x * cos - y * sin;
    y = x * sin + y * cos;
    x = turned;
  }
  return Math.sqrt((re * re + im * im) / row.length);
}
