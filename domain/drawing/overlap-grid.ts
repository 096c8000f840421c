import type { Bounds } from './bounds.js';

/** Cells along one side of the finest level, by how many boxes come; each coarser level has half as many. */
const MAX_CELLS = 128;
const MIN_CELLS = 64;
/** A box is kept on the finest level on which it touches at most so many cells along a side. */
const MAX_TOUCHED = 12;

/**
 * Numbered boxes on a canvas, and the highest number near a box. Grids of several sizes keep each box in a few cells whatever
 * its size, so both operations are cheap at any count. Answers err upwards: a box in the same cell counts as near.
 */
export class OverlapGrid {
  readonly #width: number;
  readonly #height: number;
  readonly #levels: { readonly cells: number; readonly own: Int32Array; readonly finer: Int32Array }[] = [];
  #level = 0;
  #fromX = 0;
  #toX = 0;
  #fromY = 0;
  #toY = 0;

  /** `count` is about how many boxes will come. */
  constructor(width: number, height: number, count: number) {
    this.#width = Math.max(width, 1e-9);
    this.#height = Math.max(height, 1e-9);
    let cells = MIN_CELLS;
    while (cells < MAX_CELLS && cells * cells < 4 * count) cells *= 2;
    for (; cells >= 1; cells >>= 1) {
      const own = new Int32Array(cells * cells).fill(-1);
      this.#levels.push({ cells, own, finer: own.slice() });
    }
  }

  /** The highest number of any box that comes within `margin` of this one, or perhaps of one a little farther; -1 for none. */
  highestNear(bounds: Bounds, margin: number): number {
    this.#choose(bounds, margin);
    const levels = this.#levels;
    let highest = -1;
    for (let l = this.#level; l < levels.length; l++) {
      const { cells, own, finer } = levels[l]!;
      const shift = l - this.#level;
      for (let row = this.#fromY >> shift; row <= this.#toY >> shift; row++) {
        for (let cell = row * cells + (this.#fromX >> shift); cell <= row * cells + (this.#toX >> shift); cell++) {
          if (own[cell]! > highest) highest = own[cell]!;
          if (shift === 0 && finer[cell]! > highest) highest = finer[cell]!;
        }
      }
    }
    return highest;
  }

  put(bounds: Bounds, margin: number, number: number): void {
    this.#choose(bounds, margin);
    const levels = this.#levels;
    for (let l = this.#level; l < levels.length; l++) {
      const { cells, own, finer } = levels[l]!;
      const shift = l - this.#level;
      const target = shift === 0 ? own : finer;
      for (let row = this.#fromY >> shift; row <= this.#toY >> shift; row++) {
        for (let cell = row * cells + (this.#fromX >> shift); cell <= row * cells + (this.#toX >> shift); cell++)
          if (target[cell]! < number) target[cell] = number;
      }
    }
  }

  /** The level and the range of cells for a box. What lies outside the canvas counts with its rim. */
  #choose(bounds: Bounds, margin: number): void {
    const levels = this.#levels;
    for (let l = 0; l < levels.length; l++) {
      const { cells } = levels[l]!;
      const last = cells - 1;
      const column = cells / this.#width;
      const row = cells / this.#height;
      this.#level = l;
      this.#fromX = Math.min(last, Math.max(0, Math.floor((bounds.minX - margin) * column)));
      this.#toX = Math.min(last, Math.max(0, Math.floor((bounds.maxX + margin) * column)));
      this.#fromY = Math.min(last, Math.max(0, Math.floor((bounds.minY - margin) * row)));
      this.#toY = Math.min(last, Math.max(0, Math.floor((bounds.maxY + margin) * row)));
      if (this.#toX - this.#fromX < MAX_TOUCHED && this.#toY - this.#fromY < MAX_TOUCHED) return;
    }
  }
}
