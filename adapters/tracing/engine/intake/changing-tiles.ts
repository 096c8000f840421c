import { arena } from '../math/arena.js';
import type { WorkingPixels } from './working-pixels.js';

/** The square tiles of a picture, so many px a side, that colors change in, or in a tile beside them. Its memory is the arena's. */
export class ChangingTiles {
  private readonly side: number;
  private readonly width: number;
  private readonly height: number;
  private readonly across: number;
  private readonly down: number;
  private readonly isMarked: Uint8Array;

  constructor({ words, width, height }: WorkingPixels, side: number) {
    this.side = side;
    this.width = width;
    this.height = height;
    this.across = Math.ceil(width / side);
    this.down = Math.ceil(height / side);
    this.isMarked = arena.uint8(this.across * this.down);
    for (let y = 0; y < height; y++) this.markRow(words, y);
  }

  /**
   * Visits what lies between two corners (x0, y0 within, x1, y1 behind) of each stretch of such tiles that follow each other along a row of tiles, or a
   * column where they are `upright`.
   */
  eachStretch(upright: boolean, visit: (x0: number, y0: number, x1: number, y1: number) => void): void {
    const { side, width, height, across, down, isMarked } = this;
    const lines = upright ? across : down;
    const length = upright ? down : across;
    const place = (line: number, i: number) => (upright ? i * across + line : line * across + i);
    for (let line = 0; line < lines; line++) {
      for (let i = 0; i < length; i++) {
        if (isMarked[place(line, i)] === 0) continue;
        const from = i;
        while (i < length && isMarked[place(line, i)] === 1) i++;
        const [x0, x1] = upright ? [line, line + 1] : [from, i];
        const [y0, y1] = upright ? [from, i] : [line, line + 1];
        visit(x0 * side, y0 * side, Math.min(width, x1 * side), Math.min(height, y1 * side));
      }
    }
  }

  /** Marks the tiles around the changes of color from a row's pixels to the next ones, along the row and to the row below. */
  private markRow(words: Uint32Array, y: number): void {
    const { side, width, height } = this;
    const row = y * width;
    const below = y + 1 < height ? width : 0;
    let last = -1;
    for (let x = 0; x < width; x++) {
      const word = words[row + x];
      if (word === words[row + x + below] && (x + 1 === width || word === words[row + x + 1])) continue;
      const tile = (x / side) | 0;
      if (tile === last) continue;
      last = tile;
      this.markAround(tile, (y / side) | 0);
    }
  }

  private markAround(x: number, y: number): void {
    const { across, down, isMarked } = this;
    for (let v = y > 0 ? y - 1 : 0; v <= y + 1 && v < down; v++)
      for (let u = x > 0 ? x - 1 : 0; u <= x + 1 && u < across; u++) isMarked[v * across + u] = 1;
  }
}
