import type { ColorCells } from './color-cells.js';
import type { Underpaint } from './underpaint.js';

/** Pictures of up to this many cells times colors have their order tuned: 32 x 32 cells of 64 colors. */
const TUNED_CELLS_TIMES_COLORS = 65536;
const MAX_TUNING_ROUNDS = 2;
/** How far a color is moved at a time. */
const SLIDE_PLACES = 8;

/**
 * Decides which color is painted when, for few corners in all: large areas first, so that they can run under what lies inside them, then
 * (small pictures) by trying other places for each color.
 * @param ranks place of each color; written
 * @param background color that comes first, -1 for none
 * @returns the colors in painting order
 */
export function orderColors(
  cells: ColorCells,
  ranks: Int32Array,
  underpaint: Underpaint,
  background: number,
): Int32Array {
  const { colorCount, starts } = cells;
  const area = (color: number): number =>
    color === background ? Number.POSITIVE_INFINITY : starts[color + 1] - starts[color];
  const order = new Int32Array(colorCount);
  for (let color = 0; color < colorCount; color++) order[color] = color;
  // Ties go to the color that is met first.
  order.sort((a, b) => (a === b ? 0 : area(b) - area(a) || a - b));
  for (let k = 0; k < colorCount; k++) ranks[order[k]] = k;
  if (cells.columns * cells.rows * colorCount <= TUNED_CELLS_TIMES_COLORS) {
    slideWhileItSaves(order, ranks, underpaint, background < 0 ? 0 : 1);
  }
  return order;
}

/**
 * Slides each color a few places back and forth and leaves it where there are fewest corners, until nothing is gained. A slide is a row
 * of swaps of neighbors, and such a swap changes what may be painted of those two colors only.
 */
function slideWhileItSaves(order: Int32Array, ranks: Int32Array, underpaint: Underpaint, first: number): void {
  const corners = new Int32Array(order.length);
  const measure = (color: number): number => underpaint.measure(color);
  /** Swaps places k and k + 1; returns the corners saved. */
  const swap = (k: number): number => {
    const under = order[k];
    const over = order[k + 1];
    const before = corners[under] + corners[over];
    order[k] = over;
    order[k + 1] = under;
    ranks[over] = k;
    ranks[under] = k + 1;
    corners[under] = measure(under);
    corners[over] = measure(over);
    return before - corners[under] - corners[over];
  };
  for (let k = first; k < order.length; k++) corners[order[k]] = measure(order[k]);
  for (let round = 0; round < MAX_TUNING_ROUNDS; round++) {
    let saved = 0;
    for (const color of order.slice(first)) {
      const start = ranks[color];
      const low = Math.max(first, start - SLIDE_PLACES);
      const high = Math.min(order.length - 1, start + SLIDE_PLACES);
      let gain = 0;
      let best = 0;
      let bestPlace = start;
      for (let k = start; k < high; k++) {
        gain += swap(k);
        if (gain > best) {
          best = gain;
          bestPlace = k + 1;
        }
      }
      for (let k = high - 1; k >= low; k--) {
        gain += swap(k);
        if (gain > best) {
          best = gain;
          bestPlace = k;
        }
      }
      for (let k = low; k < bestPlace; k++) swap(k);
      saved += best;
    }
    if (saved === 0) return;
  }
}
