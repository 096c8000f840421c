import type { ColorCells } from './color-cells.js';

/** A color's box is searched for savings if it has at most this many cells per cell of the color, which keeps all boxes together linear. */
const BOX_CELLS_PER_CELL = 16;
const SMALL_BOX_CELLS = 256;
/** Rounds over a box; the gain is nearly always found in the first two. */
const MAX_ROUNDS = 6;
/** Larger boxes get fewer: there the later rounds cost seconds. */
const LARGE_BOX_CELLS = 4096;
const MAX_LARGE_BOX_ROUNDS = 2;

/**
 * Finds what to paint of each color so that the outlines have few corners.
 *
 * A color must cover its own cells, and may run under cells of opaque colors that are painted later: they hide it. Which of those cells
 * it takes is a local search: whole components, rows and columns of them are taken or left if that saves corners.
 */
export class Underpaint {
  /** 1 for the framed cells that are to be painted; valid after `choose` until `clear`. */
  readonly painted: Uint8Array;
  readonly #cells: ColorCells;
  readonly #ranks: Int32Array;
  readonly #opaque: Uint8Array;
  readonly #stamps: Int32Array;
  readonly #seen: Int32Array;
  readonly #list: Int32Array;
  readonly #firstTry: Uint8Array;
  #stamp = 0;
  #seenStamp = 0;
  #listLength = 0;
  #color = 0;
  #rank = 0;

  /**
   * @param ranks place of each color in the painting order; may be changed between calls
   * @param allowed whether anything may be painted that is not seen
   */
  constructor(cells: ColorCells, ranks: Int32Array, allowed: boolean) {
    this.#cells = cells;
    this.#ranks = ranks;
    const size = cells.colorOf.length;
    this.painted = new Uint8Array(size);
    this.#stamps = new Int32Array(size + cells.stride + 2);
    this.#seen = new Int32Array(size);
    this.#list = new Int32Array(size);
    this.#firstTry = new Uint8Array(size);
    this.#opaque = new Uint8Array(cells.colorCount);
    for (let color = 0; color < cells.colorCount; color++)
      this.#opaque[color] = allowed && (cells.packed[color] & 255) === 255 ? 1 : 0;
  }

  /** Whether this color is worth searching: opaque, and its box not too large for its cells. */
  isSearched(color: number): boolean {
    const { starts } = this.#cells;
    const own = starts[color + 1] - starts[color];
    return this.#opaque[color] === 1 && this.#boxCells(color) <= Math.max(SMALL_BOX_CELLS, own * BOX_CELLS_PER_CELL);
  }

  #boxCells(color: number): number {
    const { boxes } = this.#cells;
    const box = color * 4;
    return (boxes[box + 1] - boxes[box] + 1) * (boxes[box + 3] - boxes[box + 2] + 1);
  }

  /** Marks in `painted` what to paint of the color. Returns the number of corners of its outline. */
  choose(color: number): number {
    const { members, starts } = this.#cells;
    const { painted } = this;
    this.#color = color;
    this.#rank = this.#ranks[color];
    for (let k = starts[color]; k < starts[color + 1]; k++) painted[members[k]] = 1;
    if (!this.isSearched(color)) return this.#countMemberCorners(color);
    const lean = this.#improve();
    this.#copyBox(painted, this.#firstTry);
    this.#fillBox();
    const full = this.#improve();
    if (full < lean) return full;
    this.#copyBox(this.#firstTry, painted);
    return lean;
  }

  /** Unmarks what `choose` marked for this color. */
  clear(color: number): void {
    const { members, starts } = this.#cells;
    for (let k = starts[color]; k < starts[color + 1]; k++) this.painted[members[k]] = 0;
    if (this.isSearched(color)) this.#eachBoxRow(color, (from, to) => this.painted.fill(0, from, to));
  }

  /** Puts the marked cells, ascending, into `out`; returns how many. */
  list(color: number, out: Int32Array): number {
    const { members, starts } = this.#cells;
    let length = 0;
    if (!this.isSearched(color)) {
      for (let k = starts[color]; k < starts[color + 1]; k++) out[length++] = members[k];
      return length;
    }
    this.#eachBoxRow(color, (from, to) => {
      for (let at = from; at < to; at++) if (this.painted[at] === 1) out[length++] = at;
    });
    return length;
  }

  #eachBoxRow(color: number, visit: (from: number, to: number) => void): void {
    const { boxes, stride } = this.#cells;
    const box = color * 4;
    for (let row = boxes[box + 2]; row <= boxes[box + 3]; row++) {
      visit(row * stride + boxes[box], row * stride + boxes[box + 1] + 1);
    }
  }

  #copyBox(from: Uint8Array, to: Uint8Array): void {
    this.#eachBoxRow(this.#color, (start, end) => {
      for (let at = start; at < end; at++) to[at] = from[at];
    });
  }

  #fillBox(): void {
    this.#eachBoxRow(this.#color, (start, end) => {
      for (let at = start; at < end; at++) if (this.#isFree(at)) this.painted[at] = 1;
    });
  }

  /** Whether the color may or may not be painted in this cell. */
  #isFree(at: number): boolean {
    const color = this.#cells.colorOf[at];
    return color >= 0 && this.#opaque[color] === 1 && this.#ranks[color] > this.#rank;
  }

  /** Corners at the upper left vertex of a framed cell. Where two cells only touch there, the outline runs straight through. */
  #cornersAt(at: number): number {
    const { painted } = this;
    const { stride } = this.#cells;
    const sum = painted[at - stride - 1] + painted[at - stride] + painted[at - 1] + painted[at];
    return sum & 1;
  }

  #countBoxCorners(): number {
    const { boxes, stride } = this.#cells;
    const box = this.#color * 4;
    let corners = 0;
    for (let row = boxes[box + 2]; row <= boxes[box + 3] + 1; row++) {
      for (let column = boxes[box]; column <= boxes[box + 1] + 1; column++)
        corners += this.#cornersAt(row * stride + column);
    }
    return corners;
  }

  #countMemberCorners(color: number): number {
    const { members, starts } = this.#cells;
    this.#stamp++;
    let corners = 0;
    for (let k = starts[color]; k < starts[color + 1]; k++) corners += this.#countCellCorners(members[k]);
    return corners;
  }

  /** Corners at the cell's four vertices that have not been counted since the stamp was raised. */
  #countCellCorners(at: number): number {
    const stamps = this.#stamps;
    const { stride } = this.#cells;
    let corners = 0;
    for (let k = 0; k < 4; k++) {
      const vertex = at + (k & 1) + (k & 2 ? stride : 0);
      if (stamps[vertex] === this.#stamp) continue;
      stamps[vertex] = this.#stamp;
      corners += this.#cornersAt(vertex);
    }
    return corners;
  }

  #improve(): number {
    const rounds = this.#boxCells(this.#color) > LARGE_BOX_CELLS ? MAX_LARGE_BOX_ROUNDS : MAX_ROUNDS;
    for (let round = 0; round < rounds; round++) {
      const changed = this.#flipComponents() + this.#flipRuns(false) + this.#flipRuns(true);
      if (changed === 0) break;
    }
    return this.#countBoxCorners();
  }

  /** Flips the listed cells if that saves corners, or fills for the same number of them (which lets the next flips save). */
  #tryFlip(first: number, end: number): boolean {
    const { painted } = this;
    const list = this.#list;
    const filling = painted[list[first]] === 0;
    this.#stamp++;
    let before = 0;
    for (let k = first; k < end; k++) before += this.#countCellCorners(list[k]);
    for (let k = first; k < end; k++) painted[list[k]] ^= 1;
    this.#stamp++;
    let after = 0;
    for (let k = first; k < end; k++) after += this.#countCellCorners(list[k]);
    if (after < before || (filling && after === before)) return true;
    for (let k = first; k < end; k++) painted[list[k]] ^= 1;
    return false;
  }

  /** Tries each 4-connected component of free cells that are all painted or all not. Returns the number of flips. */
  #flipComponents(): number {
    const { boxes, stride } = this.#cells;
    const box = this.#color * 4;
    const seen = this.#seen;
    const list = this.#list;
    const stamp = ++this.#seenStamp;
    let flips = 0;
    for (let row = boxes[box + 2]; row <= boxes[box + 3]; row++) {
      for (let column = boxes[box]; column <= boxes[box + 1]; column++) {
        const start = row * stride + column;
        if (seen[start] === stamp || !this.#isFree(start)) continue;
        const state = this.painted[start];
        seen[start] = stamp;
        list[0] = start;
        this.#listLength = 1;
        for (let k = 0; k < this.#listLength; k++) {
          const at = list[k];
          const y = Math.floor(at / stride);
          const x = at - y * stride;
          if (x > boxes[box]) this.#visit(at - 1, state, stamp);
          if (x < boxes[box + 1]) this.#visit(at + 1, state, stamp);
          if (y > boxes[box + 2]) this.#visit(at - stride, state, stamp);
          if (y < boxes[box + 3]) this.#visit(at + stride, state, stamp);
        }
        if (this.#tryFlip(0, this.#listLength)) flips++;
      }
    }
    return flips;
  }

  #visit(at: number, state: number, stamp: number): void {
    if (this.#seen[at] === stamp || this.painted[at] !== state || !this.#isFree(at)) return;
    this.#seen[at] = stamp;
    this.#list[this.#listLength++] = at;
  }

  /** Tries each run of free cells in a row (column) that are all painted or all not, then its parts with equal cells on both sides. */
  #flipRuns(vertical: boolean): number {
    const { boxes, stride } = this.#cells;
    const box = this.#color * 4;
    const along = vertical ? stride : 1;
    const across = vertical ? 1 : stride;
    const lines = vertical ? boxes[box + 1] - boxes[box] + 1 : boxes[box + 3] - boxes[box + 2] + 1;
    const length = vertical ? boxes[box + 3] - boxes[box + 2] + 1 : boxes[box + 1] - boxes[box] + 1;
    const origin = boxes[box + 2] * stride + boxes[box];
    const { painted } = this;
    const list = this.#list;
    let flips = 0;
    for (let line = 0; line < lines; line++) {
      const start = origin + line * across;
      for (let k = 0; k < length; ) {
        if (!this.#isFree(start + k * along)) {
          k++;
          continue;
        }
        const state = painted[start + k * along];
        let size = 0;
        while (k < length && painted[start + k * along] === state && this.#isFree(start + k * along)) {
          list[size++] = start + k * along;
          k++;
        }
        if (this.#tryFlip(0, size)) {
          flips++;
          continue;
        }
        for (let first = 0, end = 1; end <= size; end++) {
          const same =
            end < size &&
            painted[list[end] - across] === painted[list[end - 1] - across] &&
            painted[list[end] + across] === painted[list[end - 1] + across];
          if (same) continue;
          if (end - first < size && this.#tryFlip(first, end)) flips++;
          first = end;
        }
      }
    }
    return flips;
  }
}
