import { arena } from './arena.js';

/**
 * Typed arrays that grow by doubling: append-only scratch for results whose size is not known beforehand. They are working memory of
 * the picture at hand: what is to outlive it is copied out. Behind `length` lies whatever was there before.
 */

export class FloatList {
  data: Float64Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 256) {
    this.data = arena.rawFloat64(capacity);
  }

  /** Makes room for `extra` more values, so that `data` may be written to directly up to there. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.data.length) return;
    const grown = arena.rawFloat64(Math.max(needed, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }
}

export class IntList {
  data: Int32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 256) {
    this.data = arena.rawInt32(capacity);
  }

  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.data.length) return;
    const grown = arena.rawInt32(Math.max(needed, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }
}

/** Sets list[from..to-1]; short stretches, of which there are most, without a call into the runtime. */
export function fillRun(list: Int32Array, value: number, from: number, to: number): void {
  if (to - from > 24) list.fill(value, from, to);
  else for (let i = from; i < to; i++) list[i] = value;
}

/** As fillRun, of bytes: one function for both would be slower for both. */
export function fillBytes(list: Uint8Array, value: number, from: number, to: number): void {
  if (to - from > 24) list.fill(value, from, to);
  else for (let i = from; i < to; i++) list[i] = value;
}
