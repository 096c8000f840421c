/** Typed arrays that grow by doubling: append-only scratch for results whose size is not known beforehand. */

export class FloatList {
  data: Float64Array;
  length = 0;

  constructor(capacity = 256) {
    this.data = new Float64Array(capacity);
  }

  /** Makes room for `extra` more values, so that `data` may be written to directly up to there. */
  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.data.length) return;
    const grown = new Float64Array(Math.max(needed, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }
}

export class IntList {
  data: Int32Array;
  length = 0;

  constructor(capacity = 256) {
    this.data = new Int32Array(capacity);
  }

  reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.data.length) return;
    const grown = new Int32Array(Math.max(needed, this.data.length * 2));
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
