import { EVEN_PX, HALO_MARGIN_PX } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { rowsAtOnce } from '../kernels/rows-at-once.js';
import { medianOf } from '../math/median.js';
import type { EnginePicture } from '../types.js';
import { straightened } from './premultiplied.js';
import type { WorkingPixels } from './working-pixels.js';

/** Pixels that an edge is seen over at most, with the halos beside it; and where those may be an unsharp mask's. */
const WIDEST_PX = 8;
const WIDEST_MASKED_PX = 16;
/** Runs of black or white along a row are even areas from this length on: shorter ones may be a halo that was cut off there. */
const LEAST_RUN_PX = 6;
/** Edges of less contrast are told by few levels: over all channels, or in one; and squared. */
const LEAST_CONTRAST = 60;
const LEAST_CONTRAST_SQ = LEAST_CONTRAST * LEAST_CONTRAST;
/** Edges that must tell, and that are asked at most. */
const LEAST_EDGES = 30;
const MOST_EDGES = 1500;
/** Edges after which a picture with next to no halos, of all of them this share, is asked no further. */
const FEW_EDGES = 150;
const NEXT_TO_NONE = 0.04;
/** Share of the contrast that halos go beyond the colors that an edge parts, at least (soft filters go .02 beyond); so large a share of all edges must have one. */
const LEAST_DEPTH = 0.022;
const LEAST_SHARE = 0.3;
/** How deep about any is: Catmull-Rom's and Lanczos's are up to .07. */
const PLAIN_DEPTH = 0.06;
/** The deepest that is one, of how deep half of them are, and at most. */
const TIMES_AS_DEEP = 3;
const MOST_DEPTH = 0.25;
/** And of one that an unsharp mask left. */
const MOST_MASKED_DEPTH = 0.6;
/** Lanczos's has a ring around it that goes the other way by so much, as a share of the contrast. */
const RING = 0.04;
/** What is across is so far from a halo, squared: that lies beyond the even area's color, or by no more than its ring on this side of it. */
const ACROSS_SQ = (1 - RING) ** 2 * LEAST_CONTRAST_SQ;
/** How far its color may be from the line through both, levels and share of the contrast: where it is cut off at black or white, it leaves it. */
const NEAR_LEVELS = 8;
const NEAR_SHARE = 0.06;
const CHANNELS = 4;
const COLORS = 3;
/** Rows around a part that tell of it: those in which a halo's even area may be, and one more that tells whether it is even. */
const ROWS_AROUND = EVEN_PX + 1;

/**
 * The picture without halos of a `depth` as `measureHalos` finds it: a pixel near an even area that is a little beyond its color, away from what lies
 * across the edge, or nearly of it, becomes as that area is. Drawn, they are pale slivers. Opacity is a channel like the others.
 */
export function withoutHalos(pixels: WorkingPixels, depth: number): EnginePicture {
  const { width, height, rgba, opaque } = pixels;
  const data = new Uint8Array(rgba);
  const cleared = new Uint32Array(data.buffer);
  const deepest = Math.min(MOST_DEPTH, TIMES_AS_DEEP * depth);
  const rows = rowsAtOnce(width);
  for (let top = 0; top < height; top += rows) clearRows(pixels, cleared, top, Math.min(height, top + rows), deepest);
  return { width, height, data: opaque ? data : straightened(data) };
}

/** Clears rows `top` to `bottom` of halos, the kernel does (`halos.as.ts`). */
function clearRows(
  { words, width, height }: WorkingPixels,
  cleared: Uint32Array,
  top: number,
  bottom: number,
  deepest: number,
): void {
  const first = Math.max(0, top - ROWS_AROUND);
  const behind = Math.min(height, bottom + ROWS_AROUND);
  const stride = width + 2 * HALO_MARGIN_PX;
  const padded = (behind - first) * stride;
  const ints = 2 * padded + (bottom - top) * width;
  const { buffer, byteOffset } = kernelMemory.scratch(Math.ceil(ints / 2));
  const part = new Uint32Array(buffer, byteOffset, ints);
  for (let y = first, at = 0; y < behind; y++, at += stride) {
    const row = y * width;
    part.set(words.subarray(row, row + width), at + HALO_MARGIN_PX);
    part.fill(words[row], at, at + HALO_MARGIN_PX);
    part.fill(words[row + width - 1], at + HALO_MARGIN_PX + width, at + stride);
  }
  kernelMemory.kernel.clearHalos(
    width,
    behind - first,
    top - first,
    bottom - first,
    ACROSS_SQ,
    LEAST_CONTRAST_SQ,
    deepest,
    RING,
    NEAR_LEVELS,
    NEAR_SHARE,
  );
  cleared.set(part.subarray(2 * padded), top * width);
}

/**
 * How deep the halos are, as a share of the contrast, that filters which sharpen (Catmull-Rom's, Lanczos's, unsharp masks) leave beside edges: in the
 * middle of those along rows that have any. 0 where too few of those have that there is room beside: so for all of 200 flat pictures that were averaged down exactly.
 */
export const measureHalos = (pixels: WorkingPixels): number =>
  middleDepth(pixels, { widestPx: WIDEST_PX, leastRunPx: 0, depthBetween });

/** Whether there are halos as unsharp masks leave them: deeper and wider, and cut off at black and white. */
export const hasMaskedEdges = (pixels: WorkingPixels): boolean =>
  middleDepth(pixels, { widestPx: WIDEST_MASKED_PX, leastRunPx: LEAST_RUN_PX, depthBetween: maskedDepthBetween }) >=
  PLAIN_DEPTH;

interface HaloLimits {
  readonly widestPx: number;
  readonly leastRunPx: number;
  /** How deep halos are between two even pixels of a row, as `depthBetween` tells. */
  readonly depthBetween: (rgba: Uint8Array, a: number, b: number, first: number) => number | undefined;
}

function middleDepth(
  { rgba, words, runs, width }: WorkingPixels,
  { widestPx, leastRunPx, depthBetween }: HaloLimits,
): number {
  const { starts, count } = runs;
  const depths = new Float64Array(MOST_EDGES);
  let deep = 0;
  let seen = 0;
  // The run that the edge begins behind, -1 in a row where none is yet.
  let even = -1;
  for (let r = 0; r < count && seen < MOST_EDGES; r++) {
    const from = starts[r];
    if (from % width === 0) even = -1;
    const length = starts[r + 1] - from;
    if (length < 2 || (length < leastRunPx && isBlackOrWhite(words[from]))) continue;
    const isEdge = even >= 0 && r > even + 1 && from - starts[even + 1] <= widestPx;
    const depth = isEdge ? depthBetween(rgba, starts[even], from, starts[even + 1]) : undefined;
    even = r;
    if (depth === undefined) continue;
    seen++;
    if (depth >= LEAST_DEPTH) depths[deep++] = depth;
    if (seen === FEW_EDGES && deep < NEXT_TO_NONE * seen) return 0;
  }
  if (deep < LEAST_EDGES || deep < LEAST_SHARE * seen) return 0;
  return medianOf(depths.subarray(0, deep));
}

/** Of an opaque pixel, whichever way its bytes are ordered. */
function isBlackOrWhite(word: number): boolean {
  return word === 0xffffffff || word === 0xff000000 || word === 0x000000ff;
}

/**
 * How far what lies between two even pixels of a row goes beyond their colors, as a share of their contrast; undefined where they hardly differ, or
 * there are other colors between them: a thin line, say.
 */
function depthBetween(rgba: Uint8Array, a: number, b: number, first: number): number | undefined {
  const all = product(rgba, a, b, b);
  if (all < LEAST_CONTRAST_SQ) return undefined;
  const roomBefore = hasRoom(rgba, a, b);
  const roomBehind = hasRoom(rgba, b, a);
  if (!roomBefore && !roomBehind) return undefined;
  let before = 0;
  let behind = 0;
  for (let pixel = first; pixel < b; pixel++) {
    const share = product(rgba, a, b, pixel) / all;
    if (!isNear(product(rgba, a, pixel, pixel), share, all)) return undefined;
    before = Math.max(before, -share);
    behind = Math.max(behind, share - 1);
  }
  return depthOf(before, behind, roomBefore, roomBehind, MOST_DEPTH);
}

/** A filter leaves a halo on either side; on one alone, or deeper, it is a line that was drawn there. */
function depthOf(before: number, behind: number, roomBefore: boolean, roomBehind: boolean, mostDepth: number): number {
  const isOneSided = (roomBefore && before < LEAST_DEPTH / 2) || (roomBehind && behind < LEAST_DEPTH / 2);
  const depth = Math.max(before, behind);
  return isOneSided || depth > mostDepth ? 0 : depth;
}

/** As `depthBetween`, told by the channel that differs most of those with room: full colors are cut off in the others, and leave the line between both. */
function maskedDepthBetween(rgba: Uint8Array, a: number, b: number, first: number): number | undefined {
  let told = -1;
  let most = LEAST_CONTRAST - 1;
  let roomBefore = false;
  let roomBehind = false;
  for (let c = 0; c < COLORS; c++) {
    const from = rgba[CHANNELS * a + c];
    const to = rgba[CHANNELS * b + c];
    const step = PLAIN_DEPTH * (to - from);
    const [mayBegin, mayEnd] = [isShown(from - step), isShown(to + step)];
    if (Math.abs(to - from) <= most || !(mayBegin || mayEnd)) continue;
    most = Math.abs(to - from);
    told = c;
    [roomBefore, roomBehind] = [mayBegin, mayEnd];
  }
  if (told < 0) return undefined;
  const near = NEAR_LEVELS + NEAR_SHARE * most;
  const from = rgba[CHANNELS * a + told];
  const contrast = rgba[CHANNELS * b + told] - from;
  let before = 0;
  let behind = 0;
  for (let pixel = first; pixel < b; pixel++) {
    const level = rgba[CHANNELS * pixel + told];
    const share = (level - from) / contrast;
    if (level > 0 && level < 255 && !isCutMixture(rgba, a, b, pixel, share, near)) return undefined;
    before = Math.max(before, -share);
    behind = Math.max(behind, share - 1);
  }
  return depthOf(before, behind, roomBefore, roomBehind, MOST_MASKED_DEPTH);
}

const isShown = (level: number) => level >= 0 && level <= 255;

/** Whether a pixel is so near to what lies at this share of the way from one color to another, cut off at black and white. */
function isCutMixture(rgba: Uint8Array, a: number, b: number, pixel: number, share: number, near: number): boolean {
  for (let c = 0; c < COLORS; c++) {
    const from = rgba[CHANNELS * a + c];
    const level = from + share * (rgba[CHANNELS * b + c] - from);
    if (Math.abs(Math.max(0, Math.min(255, level)) - rgba[CHANNELS * pixel + c]) > near) return false;
  }
  return true;
}

/** Whether most of a halo beside a color, away from another one, is neither darker than black nor lighter than white. */
function hasRoom(rgba: Uint8Array, color: number, other: number): boolean {
  let within = 0;
  let all = 0;
  for (let c = 0; c < CHANNELS; c++) {
    const level = rgba[CHANNELS * color + c];
    const step = PLAIN_DEPTH * (level - rgba[CHANNELS * other + c]);
    const beyond = Math.max(0, Math.min(255, level + step)) - level;
    within += beyond * beyond;
    all += step * step;
  }
  return within > all / 2;
}

/** Whether a color is near the line through two, where it is so far from the first, and lies at this share of the way to the other (squared levels). */
function isNear(offSq: number, share: number, all: number): boolean {
  const near = NEAR_LEVELS + NEAR_SHARE * Math.sqrt(all);
  return offSq - share * share * all <= near * near;
}

/** Of the differences of two pixels from a third the product, over four channels. */
function product(rgba: Uint8Array, from: number, a: number, b: number): number {
  let sum = 0;
  for (let c = 0; c < CHANNELS; c++) {
    const level = rgba[CHANNELS * from + c];
    sum += (rgba[CHANNELS * a + c] - level) * (rgba[CHANNELS * b + c] - level);
  }
  return sum;
}
