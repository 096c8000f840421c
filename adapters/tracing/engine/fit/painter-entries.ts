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

  constructor(capacity: number) {
    this.slot = arena.int32(capacity);
    this.segment = arena.int32(capacity);
    this.row = arena.float64(capacity * ROW);
    this.weight = arena.float64(capacity);
    this.parameter = arena.float64(capacity);
  }

  /** The number of a new entry, whose numbers are the caller's to write. */
  next(): number {
    if (this.count === this.slot.length) this.grow();
    return this.count++;
  }

  private grow(): void {
    const { slot, segment, row, weight, parameter } = this;
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
  }
}
