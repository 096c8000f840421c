import type { ColorCells } from './color-cells.js';

/** A color's box is searched for savings if it has at most this many cells per cell of the color, which keeps all boxes together linear. */
const BOX_CELLS_PER_CELL = 16;
const SMALL_BOX_CELLS = 256;
/** Rounds over a box; the gain is nearly always found in the first two. */
const MAX_ROUNDS = 6;
/** Larger boxes get fewer: there the later rounds cost seconds. */
const LARGE_BOX_CELLS = 4096;
const MAX_LARGE_BOX_ROUNDS = 2;
/** What may become of a cell: a bit for each of left empty, painted. */
const ONLY_EMPTY = 1;
const ONLY_PAINTED = 2;
const FREE = 3;
/** A corner outweighs any number of changed cells in a line. */
const CORNER = 65536;
const UNREACHED = 1e15;
/** Cost of the corners between two pairs of cells: by what differs in the pair, plus 4 if the cells above do, plus 8 if those below do. */
const CORNER_COSTS = new Float64Array(16);
for (let k = 0; k < 16; k++) {
  const upper = k & 1;
  const lower = (k >> 1) & 1;
  CORNER_COSTS[k] = CORNER * ((upper ^ ((k >> 2) & 1)) + (upper ^ lower) + (lower ^ (k >> 3)));
}

/**
 * Finds what to paint of each color so that the outlines have few corners.
 *
 * A color must cover its own cells, and may run under cells of opaque colors that are painted later: they hide it. Which of those cells
 * it takes is a local search, from as few and from as many of them as there may be: pairs of rows and columns are painted in the best way
 * there is while the others stay.
 */
export class Underpaint {
  /** 1 for the framed cells that are to be painted; valid after `choose` until `clear`. */
  readonly painted: Uint8Array;
  readonly #cells: ColorCells;
  readonly #ranks: Int32Array;
  readonly #opaque: Uint8Array;
  readonly #stamps: Int32Array;
  readonly #firstTry: Uint8Array;
  /** Of the cells in the box of the color that is chosen for. */
  readonly #roles: Uint8Array;
  readonly #from: Uint8Array;
  readonly #costs = new Float64Array(4);
  /** Corners by what may be painted, as two hashes of it make a number. */
  readonly #known = new Map<number, number>();
  #stamp = 0;
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
    // Two more rows, so that pairs at the frame have neighbors.
    this.painted = new Uint8Array(size + 2 * cells.stride);
    this.#stamps = new Int32Array(size + cells.stride + 2);
    this.#firstTry = new Uint8Array(size);
    this.#roles = new Uint8Array(size);
    this.#from = new Uint8Array(4 * (Math.max(cells.columns, cells.rows) + 1));
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
    this.#setRoles();
    return this.#search();
  }

  /** The number of corners that `choose` comes to, without keeping what to paint. */
  measure(color: number): number {
    const { members, starts } = this.#cells;
    this.#color = color;
    this.#rank = this.#ranks[color];
    if (!this.isSearched(color)) {
      const corners = this.choose(color);
      this.clear(color);
      return corners;
    }
    const key = this.#setRoles();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    for (let k = starts[color]; k < starts[color + 1]; k++) this.painted[members[k]] = 1;
    const corners = this.#search();
    this.clear(color);
    this.#known.set(key, corners);
    return corners;
  }

  #search(): number {
    const { painted } = this;
    const lean = this.#improve();
    this.#copyBox(painted, this.#firstTry);
    this.#fillBox();
    const full = this.#improve();
    if (full < lean) return full;
    this.#copyBox(this.#firstTry, painted);
    return lean;
  }

  /** Notes what may become of the cells in the color's box. Returns a number that stands for all of it. */
  #setRoles(): number {
    const { boxes, stride, colorOf } = this.#cells;
    const roles = this.#roles;
    const box = this.#color * 4;
    let low = this.#color + 1;
    let high = ~this.#color;
    for (let row = boxes[box + 2]; row <= boxes[box + 3]; row++) {
      const end = row * stride + boxes[box + 1];
      for (let at = row * stride + boxes[box]; at <= end; at++) {
        const role = colorOf[at] === this.#color ? ONLY_PAINTED : this.#isFree(at) ? FREE : ONLY_EMPTY;
        roles[at] = role;
        low = Math.imul(low ^ role, 0x01000193);
        high = Math.imul(high + role, 0x5bd1e995) ^ (high >>> 13);
      }
    }
    return (low >>> 0) * 2097152 + (high >>> 11);
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
      for (let at = start; at < end; at++) if (this.#roles[at] === FREE) this.painted[at] = 1;
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
    let best = this.#countBoxCorners();
    for (let round = 0; round < rounds; round++) {
      this.#sweepLines(false);
      this.#sweepLines(true);
      const corners = this.#countBoxCorners();
      if (corners >= best) break;
      best = corners;
    }
    return best;
  }

  /**
   * Paints each pair of neighboring rows (columns) as gives the fewest corners while all others stay as they are: the best way through
   * four states a step, from one column to the next.
   */
  #sweepLines(vertical: boolean): void {
    const { boxes, stride } = this.#cells;
    const box = this.#color * 4;
    const along = vertical ? stride : 1;
    const across = vertical ? 1 : stride;
    const lines = vertical ? boxes[box + 1] - boxes[box] + 1 : boxes[box + 3] - boxes[box + 2] + 1;
    const length = vertical ? boxes[box + 3] - boxes[box + 2] + 1 : boxes[box + 1] - boxes[box] + 1;
    const origin = boxes[box + 2] * stride + boxes[box];
    const roles = this.#roles;
    for (let line = 0; line < Math.max(1, lines - 1); line++) {
      const start = origin + line * across;
      const paired = line + 1 < lines;
      for (let k = 0; k < length; k++) {
        const at = start + k * along;
        if (roles[at] !== FREE && !(paired && roles[at + across] === FREE)) continue;
        let end = k + 1;
        while (end < length) {
          const next = start + end * along;
          if (roles[next] !== FREE && !(paired && roles[next + across] === FREE)) break;
          end++;
        }
        this.#paintPair(at, end - k, along, across, paired);
        k = end;
      }
    }
  }

  /** The best painting of `count` pairs of cells, of which each has a free one, between pairs that have none. */
  #paintPair(at: number, count: number, along: number, across: number, paired: boolean): void {
    const { painted } = this;
    const roles = this.#roles;
    const from = this.#from;
    const costs = this.#costs;
    const begin = painted[at - along] + 2 * painted[at - along + across];
    for (let state = 0; state < 4; state++) costs[state] = state === begin ? 0 : UNREACHED;
    for (let k = 0; k <= count; k++) {
      const cell = at + k * along;
      const above = painted[cell - across] ^ painted[cell - across - along];
      const below = painted[cell + 2 * across] ^ painted[cell + 2 * across - along];
      const own = painted[cell] + 2 * painted[cell + across];
      const first = k < count ? roles[cell] : ONLY_EMPTY << painted[cell];
      const second = k < count && paired ? roles[cell + across] : ONLY_EMPTY << painted[cell + across];
      const table = (above + 2 * below) * 4;
      const cost0 = costs[0];
      const cost1 = costs[1];
      const cost2 = costs[2];
      const cost3 = costs[3];
      for (let state = 0; state < 4; state++) {
        let best = UNREACHED;
        if (((first >> (state & 1)) & (second >> (state >> 1)) & 1) === 1) {
          let before = 0;
          best = cost0 + CORNER_COSTS[table + state];
          const from1 = cost1 + CORNER_COSTS[table + (state ^ 1)];
          const from2 = cost2 + CORNER_COSTS[table + (state ^ 2)];
          const from3 = cost3 + CORNER_COSTS[table + (state ^ 3)];
          if (from1 < best) {
            best = from1;
            before = 1;
          }
          if (from2 < best) {
            best = from2;
            before = 2;
          }
          if (from3 < best) {
            best = from3;
            before = 3;
          }
          from[k * 4 + state] = before;
          // Of equals, what is there stays.
          if (state !== own) best++;
        }
        costs[state] = best;
      }
    }
    let state = painted[at + count * along] + 2 * painted[at + count * along + across];
    for (let k = count; k > 0; k--) {
      state = from[k * 4 + state];
      const cell = at + (k - 1) * along;
      painted[cell] = state & 1;
      if (paired) painted[cell + across] = state >> 1;
    }
  }
}
