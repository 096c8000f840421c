import { LIGHT_OF } from '../math/oklab.js';
import type { WorkingPixels } from './working-pixels.js';

/** Pixels that an edge is seen over at most. */
const WIDEST_PX = 3;
/** Edges of less contrast are told by few levels: squared, over three channels. */
const LEAST_CONTRAST_SQ = 60 * 60;
/** Where both lights have an edge in the same place, px, it tells nothing. */
const LEAST_APART_PX = 0.05;
/** An edge goes so far aside from row to row at most, px; what is more uneven than this, px squared, is a corner, and counts no more. */
const MOST_ASIDE_PX = 1;
const MOST_UNEVEN_SQ = 0.1;
/**
 * Edges that must tell, and so many are enough; in the light that is not the picture's they are so many times as uneven, squared: 2.3 times and more in 36 pictures mixed in
 * linear light, .83 times at most in 88 others.
 */
const LEAST_EDGES = 16;
const MOST_EDGES = 400;
const TIMES_STRAIGHTER = 2;
const CHANNELS = 4;
const COLORS = 3;

/** Edges of one row, by what lies before and behind each, and where it lies, px, as levels mix and as light does. */
class RowEdges {
  count = 0;
  readonly before = new Uint32Array(MOST_IN_ROW);
  readonly behind = new Uint32Array(MOST_IN_ROW);
  readonly byLevels = new Float64Array(MOST_IN_ROW);
  readonly byLight = new Float64Array(MOST_IN_ROW);
}
const MOST_IN_ROW = 64;

/**
 * Whether edges are anti-aliased in linear light, as by programs that reduce pictures so (GIMP, Core Image, ImageMagick where it is asked to) and by what renders in three
 * dimensions: half of black and half of white is a level of 188 there, where all else has 128. Told by edges between even colors along rows: from row to row a slanted one goes
 * on evenly in the light that it was mixed in, and in stairs in the other.
 */
export function isLinearLight(pixels: WorkingPixels): boolean {
  const { width, height } = pixels;
  const rows = [new RowEdges(), new RowEdges(), new RowEdges(), new RowEdges()] as const;
  let seen = 0;
  let unevenByLevels = 0;
  let unevenByLight = 0;
  let run = 0;
  for (let y = 0; y < height && seen < MOST_EDGES; y++) {
    run = readRow(pixels, run, y * width, rows[y & 3]);
    if (y < 3) continue;
    const [first, second, third, fourth] = [rows[(y - 3) & 3], rows[(y - 2) & 3], rows[(y - 1) & 3], rows[y & 3]];
    for (let b = 0; b < second.count; b++) {
      const a = follow(first, second, b);
      const c = a < 0 ? -1 : follow(third, second, b);
      const d = c < 0 ? -1 : follow(fourth, third, c);
      if (d < 0) continue;
      // What bends evenly, as arcs do, leaves nothing of the third difference.
      const levels = fourth.byLevels[d] - 3 * third.byLevels[c] + 3 * second.byLevels[b] - first.byLevels[a];
      const light = fourth.byLight[d] - 3 * third.byLight[c] + 3 * second.byLight[b] - first.byLight[a];
      if (Math.abs(levels - light) < LEAST_APART_PX) continue;
      seen++;
      unevenByLevels += Math.min(MOST_UNEVEN_SQ, levels ** 2);
      unevenByLight += Math.min(MOST_UNEVEN_SQ, light ** 2);
    }
    if (seen >= LEAST_EDGES && unevenByLight > unevenByLevels) break;
  }
  return seen >= LEAST_EDGES && unevenByLight * TIMES_STRAIGHTER < unevenByLevels;
}

/** Reads the edges of a row that begins at a pixel and with a run; returns the first run of the next row. */
function readRow({ runs, width, words, rgba }: WorkingPixels, from: number, begin: number, row: RowEdges): number {
  const { starts } = runs;
  const end = begin + width;
  row.count = 0;
  let even = -1;
  let r = from;
  for (; starts[r] < end; r++) {
    if (starts[r + 1] - starts[r] < 2) continue;
    const mixed = r - even - 1;
    if (even >= 0 && mixed > 0 && mixed <= WIDEST_PX && row.count < MOST_IN_ROW) {
      const a = starts[even] * CHANNELS;
      const b = starts[r] * CHANNELS;
      if (rgba[a + COLORS] === 255 && rgba[b + COLORS] === 255)
        place(rgba, words, a, b, starts[even + 1], starts[r], begin, row);
    }
    even = r;
  }
  return r;
}

/** Adds the edge between two even pixels, what lies between them being its. */
function place(
  rgba: Uint8Array,
  words: Uint32Array,
  a: number,
  b: number,
  first: number,
  end: number,
  begin: number,
  row: RowEdges,
): void {
  let levelsSq = 0;
  let lightSq = 0;
  for (let c = 0; c < COLORS; c++) {
    levelsSq += (rgba[b + c] - rgba[a + c]) ** 2;
    lightSq += (LIGHT_OF[rgba[b + c]] - LIGHT_OF[rgba[a + c]]) ** 2;
  }
  if (levelsSq < LEAST_CONTRAST_SQ) return;
  let byLevels = end - begin;
  let byLight = end - begin;
  for (let pixel = first; pixel < end; pixel++) {
    const at = pixel * CHANNELS;
    let levels = 0;
    let light = 0;
    for (let c = 0; c < COLORS; c++) {
      levels += (rgba[at + c] - rgba[a + c]) * (rgba[b + c] - rgba[a + c]);
      light += (LIGHT_OF[rgba[at + c]] - LIGHT_OF[rgba[a + c]]) * (LIGHT_OF[rgba[b + c]] - LIGHT_OF[rgba[a + c]]);
    }
    byLevels -= levels / levelsSq;
    byLight -= light / lightSq;
  }
  const k = row.count++;
  row.before[k] = words[a / CHANNELS];
  row.behind[k] = words[b / CHANNELS];
  row.byLevels[k] = byLevels;
  row.byLight[k] = byLight;
}

/** The edge of a row that goes on one of the next or the one before; -1 where there is none. */
function follow(row: RowEdges, from: RowEdges, k: number): number {
  for (let i = 0; i < row.count; i++) {
    if (row.before[i] !== from.before[k] || row.behind[i] !== from.behind[k]) continue;
    if (Math.abs(row.byLevels[i] - from.byLevels[k]) <= MOST_ASIDE_PX) return i;
  }
  return -1;
}
