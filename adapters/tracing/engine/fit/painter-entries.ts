import { arena } from '../math/arena.js';
/** Numbers an entry's row takes: one per unknown of a segment. */
export const ROW = 8;

/**
 * What a painter knows of every segment in every pixel it crosses: entry by entry, in the order they are painted. One for all
 * painters of a settling, since one paints after the other.
 */
export class PainterEntries {
  count = 0;
  slot: Int32Array;
  segment: Int32Array;
  /** How the area painted there changes with the segment's unknowns, ROW each. */
  row: Float64Array;
  weight: Float64Array;
  /** About where on its segment the entry is, 0..1. */
  parameter: Float64Array;
  /** The area painted there, and how much of the entry's height it leaves to all pixels to the right. */
  area: Float64Array;
  beyond: Float64Array;

  constructor(capacity: number) {
    this.slot = arena.rawInt32(capacity);
    this.segment = arena.rawInt32(capacity);
    this.row = arena.rawFloat64(capacity * ROW);
    this.weight = arena.rawFloat64(capacity);
    this.parameter = arena.rawFloat64(capacity);
    this.area = arena.rawFloat64(capacity);
    this.beyond = arena.rawFloat64(capacity);
  }

  /** The number of a new entry, whose numbers are the caller's to write. */
  next(): number {
    if (this.count === this.slot.length) this.grow();
    return this.count++;
  }

  private grow(): void {
    const { slot, segment, row, weight, parameter, area, beyond } = this;
    const capacity = slot.length * 2;
    this.slot = new Int32Array(capacity);
    this.slot.set(slot);
    this.segment = new Int32Array(capacity);
    this.segment.set(segment);
    this.row = new Float64Array(capacity * ROW);
    this.row.set(row);
    this.weight = new Float64Array(capacity);
    this.weight.set(weight);
    this.parameter = new Float64Array(capacity);
    this.parameter.set(parameter);
    this.area = new Float64Array(capacity);
    this.area.set(area);
    this.beyond = new Float64Array(capacity);
    this.beyond.set(beyond);
  }
}

/**
 * Adds what one entry of a line knows to its segment's sums, `share` being what it counts and its difference; written out, since a loop
 * this short costs more than its sums.
 */
export function addLineEntry(
  normal: Float64Array,
  gradient: Float64Array,
  toN: number,
  toG: number,
  rows: Float64Array,
  row: number,
  share: Float64Array,
): void {
  const w = share[0];
  const g = share[1];
  const r0 = rows[row];
  const r1 = rows[row + 1];
  const r2 = rows[row + 2];
  const r3 = rows[row + 3];
  gradient[toG] += r0 * g;
  gradient[toG + 1] += r1 * g;
  gradient[toG + 2] += r2 * g;
  gradient[toG + 3] += r3 * g;
  normal[toN] += r0 * w * r0;
  const w1 = r1 * w;
  normal[toN + 8] += w1 * r0;
  normal[toN + 9] += w1 * r1;
  const w2 = r2 * w;
  normal[toN + 16] += w2 * r0;
  normal[toN + 17] += w2 * r1;
  normal[toN + 18] += w2 * r2;
  const w3 = r3 * w;
  normal[toN + 24] += w3 * r0;
  normal[toN + 25] += w3 * r1;
  normal[toN + 26] += w3 * r2;
  normal[toN + 27] += w3 * r3;
}

/** As addLineEntry, for a cubic. */
export function addCubicEntry(
  normal: Float64Array,
  gradient: Float64Array,
  toN: number,
  toG: number,
  rows: Float64Array,
  row: number,
  share: Float64Array,
): void {
  const w = share[0];
  const g = share[1];
  const r0 = rows[row];
  const r1 = rows[row + 1];
  const r2 = rows[row + 2];
  const r3 = rows[row + 3];
  const r4 = rows[row + 4];
  const r5 = rows[row + 5];
  const r6 = rows[row + 6];
  const r7 = rows[row + 7];
  gradient[toG] += r0 * g;
  gradient[toG + 1] += r1 * g;
  gradient[toG + 2] += r2 * g;
  gradient[toG + 3] += r3 * g;
  gradient[toG + 4] += r4 * g;
  gradient[toG + 5] += r5 * g;
  gradient[toG + 6] += r6 * g;
  gradient[toG + 7] += r7 * g;
  normal[toN] += r0 * w * r0;
  const w1 = r1 * w;
  normal[toN + 8] += w1 * r0;
  normal[toN + 9] += w1 * r1;
  const w2 = r2 * w;
  normal[toN + 16] += w2 * r0;
  normal[toN + 17] += w2 * r1;
  normal[toN + 18] += w2 * r2;
  const w3 = r3 * w;
  normal[toN + 24] += w3 * r0;
  normal[toN + 25] += w3 * r1;
  normal[toN + 26] += w3 * r2;
  normal[toN + 27] += w3 * r3;
  const w4 = r4 * w;
  normal[toN + 32] += w4 * r0;
  normal[toN + 33] += w4 * r1;
  normal[toN + 34] += w4 * r2;
  normal[toN + 35] += w4 * r3;
  normal[toN + 36] += w4 * r4;
  const w5 = r5 * w;
  normal[toN + 40] += w5 * r0;
  normal[toN + 41] += w5 * r1;
  normal[toN + 42] += w5 * r2;
  normal[toN + 43] += w5 * r3;
  normal[toN + 44] += w5 * r4;
  normal[toN + 45] += w5 * r5;
  const w6 = r6 * w;
  normal[toN + 48] += w6 * r0;
  normal[toN + 49] += w6 * r1;
  normal[toN + 50] += w6 * r2;
  normal[toN + 51] += w6 * r3;
  normal[toN + 52] += w6 * r4;
  normal[toN + 53] += w6 * r5;
  normal[toN + 54] += w6 * r6;
  const w7 = r7 * w;
  normal[toN + 56] += w7 * r0;
  normal[toN + 57] += w7 * r1;
  normal[toN + 58] += w7 * r2;
  normal[toN + 59] += w7 * r3;
  normal[toN + 60] += w7 * r4;
  normal[toN + 61] += w7 * r5;
  normal[toN + 62] += w7 * r6;
  normal[toN + 63] += w7 * r7;
}
