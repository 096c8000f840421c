import { FloatList } from '../math/lists.js';
import { BLOCK, BLOCK_PIXELS, eachBlock } from './blocks.js';
import type { WorkingPixels } from './working-pixels.js';

/** Of the squares of places along a side about its middle the sum over a block. */
const MOMENT = (BLOCK_PIXELS * (BLOCK_PIXELS - 1)) / 12;
/** Levels from the lowest to the highest of a channel in a block from which on there is an edge in it. */
const EDGE_LEVELS = 24;
/** Share of the blocks looked at that must be without, and how many at least: on a few a small curved gradient leaves as much. */
const LEAST_BLOCKS = 0.2;
const LEAST_COUNT = 32;
/** Of these the share that must be free of black and white, where grain is cut off, for the others not to count. */
const LEAST_UNCUT = 0.1;
/** Runs of equal pixels for each pixel, at least: where there are fewer, most is exactly even, and nothing is to be looked for. */
const LEAST_RUNS = 0.25;
/** Grain of less is what rounding makes of gradients (.29), and dithering (.42), and of more hides what is to be kept, levels. */
const LEAST_LEVELS = 0.45;
const MOST_LEVELS = 4;
/** Ranks among blocks by their grain, and how many times that of the middle one these have, at least and at most: grain is the same everywhere. */
const LOW_RANK = 0.05;
const HIGH_RANK = 0.75;
const LEAST_OF_MIDDLE = 0.7;
const LEAST_OF_MIDDLE_CUT = 0.6;
const MOST_OF_MIDDLE = 1.3;
/** Where blocks at black or white are so many of those without edges, even those with little have so much of it: compression leaves them exactly even. */
const SOME_CUT = 0.03;
const LEAST_IN_CUT = 0.25;
/** What is left of the deviation of grain that is cut off in its middle: of a normal distribution the root of 1/2 - 1/(2 pi), .58, and what rounding adds. */
const CUT_SHARE = 0.6;

/**
 * Levels (standard deviation) of grain that lies evenly over the whole of an opaque picture, as sensors, film and generators of pictures leave it: what is left of
 * blocks without edges beside a plane is the same everywhere. Zero where there is none, or where it is uneven, as lossy compression and
 * dithering make it.
 */
export function measureGrainLevel({ width, height, rgba, runs, opaque }: WorkingPixels): number {
  if (!opaque || runs.count < LEAST_RUNS * width * height) return 0;
  const uncut = new FloatList();
  const cut = new FloatList();
  let evenCut = 0;
  let evenUncut = 0;
  const seen = eachBlock(width, height, (first, count) => {
    lookAtBlock(rgba, width, first);
    if (block.hasEdge) return;
    (block.isCut ? cut : uncut).push(block.variance);
    if (block.variance > 0) return;
    if (block.isCut) evenCut++;
    else evenUncut++;
    return evenCut <= LOW_RANK * count && evenUncut <= LEAST_UNCUT * count;
  });
  // So many without any grain, however the others are, have none at the low rank.
  if (evenCut > LOW_RANK * seen || evenUncut > LEAST_UNCUT * seen) return 0;
  const smooth = uncut.length + cut.length;
  if (smooth < LEAST_COUNT || smooth < LEAST_BLOCKS * seen) return 0;
  const isCut = uncut.length < LEAST_UNCUT * smooth;
  const ofCut = ranked(cut);
  const levelsAt = isCut ? ofCut : ranked(uncut);
  const middle = levelsAt(0.5);
  const isEven =
    levelsAt(LOW_RANK) >= (isCut ? LEAST_OF_MIDDLE_CUT : LEAST_OF_MIDDLE) * middle &&
    levelsAt(HIGH_RANK) <= MOST_OF_MIDDLE * middle &&
    (cut.length < SOME_CUT * smooth || ofCut(LOW_RANK) >= LEAST_IN_CUT * middle);
  const levels = isCut ? middle / CUT_SHARE : middle;
  return isEven && levels >= LEAST_LEVELS && levels <= MOST_LEVELS ? levels : 0;
}

/** The grain of the block at a rank (0..1) among some by their variances, levels. */
function ranked({ data, length }: FloatList): (rank: number) => number {
  const variances = data.slice(0, length).sort();
  return (rank) => (length === 0 ? 0 : Math.sqrt(variances[Math.floor(rank * length)]));
}

/** What was found of the block looked at last. `variance` is of one channel, beside a plane, and of those that are not cut off where there are any. */
const block = { variance: 0, hasEdge: false, isCut: false };

function lookAtBlock(rgba: Uint8Array, width: number, from: number): void {
  const half = (BLOCK - 1) / 2;
  let ofUncut = 0;
  let ofCut = 0;
  let uncut = 0;
  block.hasEdge = false;
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    let sumX = 0;
    let sumY = 0;
    let squares = 0;
    let least = 255;
    let most = 0;
    for (let v = 0; v < BLOCK; v++) {
      for (let u = 0, at = (from + v * width) * 4 + c; u < BLOCK; u++, at += 4) {
        const value = rgba[at];
        sum += value;
        sumX += value * (u - half);
        sumY += value * (v - half);
        squares += value * value;
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    if (most - least > EDGE_LEVELS) {
      block.hasEdge = true;
      return;
    }
    const left = squares - (sum * sum) / BLOCK_PIXELS - (sumX * sumX + sumY * sumY) / MOMENT;
    if (least === 0 || most === 255) {
      ofCut += left;
      continue;
    }
    ofUncut += left;
    uncut++;
  }
  block.isCut = uncut === 0;
  block.variance = Math.max(0, block.isCut ? ofCut / 3 : ofUncut / uncut) / (BLOCK_PIXELS - 3);
}
