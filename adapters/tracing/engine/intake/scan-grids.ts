import { AxisSolver, LEAST_VISIBLE_PX, modelAxis } from '../pixel/resampling.js';
import { changesAlong, type Lines, leftBy } from './enlarging-lines.js';

/** A stretch of lines so long tells of the grid they were enlarged from, if they change at so many places there. */
const STRETCH_PX = 160;
const STRETCH_STEP_PX = 16;
const LEAST_PLACES = 16;
/** For longer lines the counts are too many, px: the 1280 of such a line take .14 s. */
const LONGEST_PX = 2048;
/** Factors looked for. */
const LARGEST = 4;
const SMALLEST = 1.15;
/** Half a pixel aside is where libvips leaves what it enlarges. The kernel lies between the softest and the sharpest. */
const SHIFTS_PX = [0, 0.5];
const KERNEL = 'cubic';
/**
 * The grid they were enlarged from leaves no more than so many squared levels a pixel, and coarser and finer ones, by this factor, so many times the square of
 * that, multiplied. So many of them are given.
 */
const MOST_LEFT = 16;
const LEAST_BEND = 4;
const BESIDE = 1.04;
const MOST_GIVEN = 3;

/** Factors by which lines may have been enlarged, the likeliest first: a stretch of them is solved for by every count of cells. None of very long ones. */
export function scanGrids(lines: Lines): readonly number[] {
  const { size } = lines;
  if (size > LONGEST_PX) return [];
  const length = Math.min(STRETCH_PX, size);
  const start = busiestStretch(lines, length);
  if (start === undefined) return [];
  const stretches = stretchesOf(lines, start, length);
  const first = Math.ceil(size / LARGEST / BESIDE);
  const last = Math.min(size - 1, Math.floor((size / SMALLEST) * BESIDE));
  const found: { readonly factor: number; readonly bend: number }[] = [];
  for (const shiftPx of SHIFTS_PX) {
    const left = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
      leftOf(stretches, start - shiftPx, size / (first + i)),
    );
    for (let i = 1; i + 1 < left.length; i++) {
      if (left[i] > MOST_LEFT || left[i] > left[i - 1] || left[i] > left[i + 1]) continue;
      const coarser = Math.round((first + i) / BESIDE) - first;
      const finer = Math.round((first + i) * BESIDE) - first;
      if (coarser < 0 || finer >= left.length) continue;
      const bend = (left[coarser] * left[finer]) / left[i] ** 2;
      if (bend >= LEAST_BEND) found.push({ factor: size / (first + i), bend });
    }
  }
  found.sort((a, b) => b.bend - a.bend);
  return [...new Set(found.map(({ factor }) => factor))].slice(0, MOST_GIVEN);
}

/** Where lines change most often; undefined where they do at too few places to tell anything. */
function busiestStretch(lines: Lines, length: number): number | undefined {
  const { size } = lines;
  const changes = changesAlong(lines);
  let most = 0;
  let busiest: number | undefined;
  for (let start = 0; start + length <= size; start += STRETCH_STEP_PX) {
    let [sum, places] = [0, 0];
    for (let x = start; x < start + length; x++) {
      sum += changes[x];
      if (changes[x] > 0) places++;
    }
    if (places >= LEAST_PLACES && sum > most) [most, busiest] = [sum, start];
  }
  return busiest;
}

function stretchesOf({ size, values }: Lines, start: number, length: number): Lines {
  const count = values.length / size;
  const stretches = new Float32Array(count * length);
  const squares = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const own = values.subarray(k * size + start, k * size + start + length);
    stretches.set(own, k * length);
    for (const value of own) squares[k] += value * value;
  }
  return { size: length, values: stretches, squares };
}

/** Squared levels a pixel that cells so wide leave of stretches which begin so far behind the first of them. */
function leftOf(stretches: Lines, behindPx: number, step: number): number {
  const into = behindPx - Math.floor(behindPx / step) * step;
  const offset = into >= step - LEAST_VISIBLE_PX ? step - into : -into;
  return leftBy(new AxisSolver(modelAxis(KERNEL, stretches.size, step, offset)), stretches, Infinity);
}
