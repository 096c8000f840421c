import { isRippled } from '../intake/ripples.js';
import { contrastOf, signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { rowsAtOnce } from '../kernels/rows-at-once.js';
import { CLEAN, COMPRESSED, NARROW, type RampLimits } from './limits.js';
import { isCurved, lookAtSquare, STEEPEST } from './seeds.js';

/** Steps from one end of a window to the other, and pixels between windows. */
const WINDOW = 8;
/** A window with fewer steps than this is an anti-aliased edge. */
const LEAST_STEPS = 3;
/** Steps of so many levels against the way that a window goes may be dithering, as browsers do it to gradients; it rises by this then, at least. */
const DITHERED = 1;
const LEAST_DITHERED_RISE = 3;
/** Windows that must look like part of a ramp, of all and at least. */
const LEAST_SHARE = 0.004;
const LEAST_WINDOWS = 4;
/** Px between the squares that are looked at then, and how many of them must be part of a ramp. */
const SQUARE_STEP_PX = 9;
const LEAST_SQUARES = 2;
/** Gentle ramps in strips too narrow for larger squares have many that rise by little, and hardly any that look like none. */
const MANY_WEAK = 24;
const WEAK_OVER_ROUGH = 10;
/**
 * The same for narrow squares, of which flat art has none that looks like a ramp (none in 260 emoji, flags, icons and logos). Small shapes
 * have many at their edges that look like none.
 */
const NARROW_STEP_PX = 4;
const LEAST_NARROW = 2;
const ROUGH_OVER_NARROW = 4;

/** What was found of pictures: of those that were compressed it is asked twice. */
const known = new WeakMap<WorkingPixels, boolean>();

/**
 * Whether a picture may hold smooth color changes at all: looks at windows, along rows and along columns, in which the color
 * changes one way only and in small steps, and then at squares, to tell ramps from noise. Flat art is turned away after a few
 * comparisons a window.
 */
export function hasRamps(pixels: WorkingPixels): boolean {
  const found = known.get(pixels) ?? (hasRampWindows(pixels) && hasRampSquares(pixels));
  known.set(pixels, found);
  return found;
}

/**
 * As `hasRamps`, of shapes too small for the usual squares, in pictures that nothing has been at: compression makes such squares, too.
 */
export function hasNarrowRamps(pixels: WorkingPixels): boolean {
  const areRamps = (stride: number) => {
    const { ramps, rough } = countCleanSquares(pixels, NARROW, stride, NARROW_STEP_PX);
    return ramps >= LEAST_NARROW && rough <= ROUGH_OVER_NARROW * ramps;
  };
  return !isRippled(pixels) && NARROW.strides.some(areRamps);
}

/** Share of squares that must look like ramps in a picture lossy compression has been at, and how many times those that are rough. */
const COMPRESSED_SHARE = 0.03;
const COMPRESSED_OVER_ROUGH = 1.1;
/** Of either the squares that lie side by side must have this share, for those between to be looked at. */
const WORTH_LOOKING = 0.5;

/**
 * Larger squares, of which every so many pixels are looked at, what ramps rise by at least from side to side of one, levels, and the share of the squares that must be of
 * ramps: a ground that changes by a quarter of its range from one side of the picture to the other rises by less than a level over the width of a block.
 * Of 210 compressed pictures of flat art none had more than .018 of the steeper ones, and none more than .1 of the gentlest; three grounds that hardly change, as JPEGs, had
 * .23 at least.
 */
const GENTLE = [
  { stride: 4, rise: COMPRESSED.seedRise, share: COMPRESSED_SHARE },
  { stride: 2, rise: COMPRESSED.seedRise, share: COMPRESSED_SHARE },
  { stride: 4, rise: 2, share: 0.15 },
] as const;

/** As `hasRamps`, for pictures that lossy compression has been at. */
export function hasCompressedRamps(pixels: WorkingPixels): boolean {
  const areRamps = ({ squares, ramps, rough }: SquareCounts, share: number, times = 1) =>
    ramps > 0 && ramps >= times * squares * share && ramps >= times * rough * COMPRESSED_OVER_ROUGH;
  const areSteep =
    areRamps(countSquares(pixels, COMPRESSED.seedPx), COMPRESSED_SHARE, WORTH_LOOKING) &&
    areRamps(countSquares(pixels, COMPRESSED.seedStepPx), COMPRESSED_SHARE);
  return areSteep || GENTLE.some(({ stride, rise, share }) => areRamps(countLarger(pixels, stride, rise), share));
}

/** As `countSquares`, of squares so many times as large that lie half over each other. */
function countLarger(pixels: WorkingPixels, stride: number, seedRise: number): SquareCounts {
  const side = (COMPRESSED.seedPx - 1) * stride;
  const step = COMPRESSED.seedStepPx * stride;
  const limits = { ...COMPRESSED, seedRise };
  const counts = { squares: 0, ramps: 0, rough: 0 };
  for (let y = 0; y + side < pixels.height; y += step) {
    for (let x = 0; x + side < pixels.width; x += step) {
      const look = lookAtSquare(pixels, x, y, stride, limits);
      counts.squares++;
      if (look === 'ramp') counts.ramps++;
      else if (look === 'rough') counts.rough++;
    }
  }
  return counts;
}

/** How many squares there are, look like part of a ramp, and like none. */
export interface SquareCounts {
  readonly squares: number;
  readonly ramps: number;
  readonly rough: number;
}

/** Looks at squares so many px apart, as `lookAtSquare` does. The kernel does (`ramp-squares.as.ts`), a part of the picture after the other. */
export function countSquares({ width, height, words }: WorkingPixels, step: number): SquareCounts {
  const { seedPx, seedRms, seedRise } = COMPRESSED;
  const rows = Math.ceil(rowsAtOnce(width) / step) * step;
  const counts = { squares: 0, ramps: 0, rough: 0 };
  for (let top = 0; top + seedPx <= height; top += rows) {
    // The last squares begin a step before the next part does.
    const bottom = Math.min(height, top + rows - step + seedPx);
    const px = (bottom - top) * width;
    const { buffer, byteOffset } = kernelMemory.scratch(Math.ceil((px + 3) / 2));
    const part = new Int32Array(buffer, byteOffset, px + 3);
    part.set(signedWords(words.subarray(top * width, bottom * width)));
    const mostSq = seedRms * seedRms * seedPx * seedPx * 3;
    kernelMemory.kernel.countRampSquares(width, bottom - top, seedPx, step, STEEPEST, mostSq, seedRise);
    counts.squares += part[px];
    counts.ramps += part[px + 1];
    counts.rough += part[px + 2];
  }
  return counts;
}

/** Whether among squares that look smooth there are more parts of ramps than of noise, over some distance. */
function hasRampSquares(pixels: WorkingPixels): boolean {
  for (const stride of CLEAN.strides) {
    const { ramps, weak, rough, curved } = countCleanSquares(pixels, CLEAN, stride, SQUARE_STEP_PX);
    if (stride === 1 && rough + curved > ramps + weak) return false;
    if (stride === 1 && weak >= MANY_WEAK && weak >= WEAK_OVER_ROUGH * (rough + curved)) return true;
    if (ramps >= LEAST_SQUARES && ramps >= rough + curved) return true;
  }
  return false;
}

/** As `countSquares`, of clean pictures; squares near to no plane, but on small curved ramps, are counted for themselves. */
function countCleanSquares(pixels: WorkingPixels, limits: RampLimits, stride: number, step: number) {
  const { width, height } = pixels;
  const words = signedWords(pixels.words);
  const side = (limits.seedPx - 1) * stride;
  const steepest = (limits.seedPx - 1) * STEEPEST;
  let ramps = 0;
  let weak = 0;
  let curved = 0;
  let rough = 0;
  const { starts } = pixels.runs;
  // The runs of the upper and the lower row that the corners on the left lie in.
  let upper = 0;
  let lower = 0;
  for (let y = 0; y + side < height; y += step) {
    const row = y * width;
    for (let x = 0; x + side < width; x += step) {
      const first = row + x;
      const below = first + side * width;
      while (starts[upper + 1] <= first) upper++;
      while (starts[lower + 1] <= below) lower++;
      const word = words[first];
      // Most are even, and what has one color at its corners is no ramp anyway: as long as both runs go on, all are.
      if (words[below] === word) {
        const even = Math.min(starts[upper + 1] - first, starts[lower + 1] - below) - side;
        if (even > 0) {
          x += step * Math.floor((even - 1) / step);
          continue;
        }
      }
      const beside = words[first + side];
      if (beside === word && words[below] === word && words[below + side] === word) continue;
      // And what changes by more than that has an edge.
      if (contrastOf(word, beside) > steepest || contrastOf(word, words[below]) > steepest) continue;
      const look = lookAtSquare(pixels, x, y, stride, limits);
      if (look === 'ramp') ramps++;
      else if (look === 'weak') weak++;
      else if (look === 'rough') {
        if (stride === 1 && isCurved(pixels, x, y, limits)) curved++;
        else rough++;
      }
    }
  }
  return { ramps, weak, curved, rough };
}

function hasRampWindows(pixels: WorkingPixels): boolean {
  const { width, height, words } = pixels;
  let windows = 0;
  let ramps = 0;
  for (let y = WINDOW >> 1; y < height; y += WINDOW) {
    for (let x = WINDOW >> 1; x < width; x += WINDOW) {
      const i = y * width + x;
      windows++;
      for (const stride of CLEAN.strides) {
        const reach = WINDOW * stride;
        const across = x + reach < width && words[i] !== words[i + reach] && isRamp(pixels, i, stride);
        const down = !across && y + reach < height && words[i] !== words[i + reach * width];
        if (!across && !(down && isRamp(pixels, i, stride * width))) continue;
        ramps++;
        break;
      }
    }
  }
  return ramps >= LEAST_WINDOWS && ramps >= windows * LEAST_SHARE;
}

function isRamp({ rgba, words }: WorkingPixels, first: number, stride: number): boolean {
  let steps = 0;
  for (let k = 0, i = first; k < WINDOW; k++, i += stride) {
    if (words[i] === words[i + stride]) continue;
    if (isSteep(rgba, 4 * i, 4 * (i + stride))) return false;
    steps++;
  }
  if (steps < LEAST_STEPS) return false;
  let isDithered = false;
  let most = 0;
  for (let c = 0; c < 4; c++) {
    let up = 0;
    let down = 0;
    for (let k = 0, i = first; k < WINDOW; k++, i += stride) {
      const step = rgba[(i + stride) * 4 + c] - rgba[i * 4 + c];
      if (step > up) up = step;
      else if (-step > down) down = -step;
    }
    if (up > DITHERED && down > DITHERED) return false;
    if (up > 0 && down > 0) isDithered = true;
    const last = first + WINDOW * stride;
    most = Math.max(most, Math.abs(rgba[last * 4 + c] - rgba[first * 4 + c]));
  }
  return !isDithered || most >= LEAST_DITHERED_RISE;
}

function isSteep(rgba: Uint8Array, a: number, b: number): boolean {
  for (let c = 0; c < 4; c++) if (Math.abs(rgba[a + c] - rgba[b + c]) > STEEPEST) return true;
  return false;
}
