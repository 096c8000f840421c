import { ENTRY_AREA, ENTRY_BEYOND, ENTRY_PARAMETER, ENTRY_SIZE, ENTRY_WEIGHT } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { arena } from '../math/arena.js';

/**
 * What chains that are left where they are were last seen to paint: entries without their derivatives, chain by chain. A chain's
 * are good until it is dropped, whatever other chains do meanwhile and whichever painter paints next.
 */
export class PaintedChains {
  slot: Int32Array;
  /** Counted from the chain's first. */
  segment: Int32Array;
  weight: Float64Array;
  parameter: Float64Array;
  area: Float64Array;
  beyond: Float64Array;
  /** Per chain where its entries begin and end; -1 for chains that are not kept. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  private count = 0;

  constructor(chains: number, capacity: number) {
    this.from = arena.int32(chains).fill(-1);
    this.to = arena.int32(chains);
    this.slot = arena.rawInt32(capacity);
    this.segment = arena.rawInt32(capacity);
    this.weight = arena.rawFloat64(capacity);
    this.parameter = arena.rawFloat64(capacity);
    this.area = arena.rawFloat64(capacity);
    this.beyond = arena.rawFloat64(capacity);
  }

  has(chain: number): boolean {
    return this.from[chain] >= 0;
  }

  drop(chain: number): void {
    this.from[chain] = -1;
  }

  /** Copies a chain's entries, `begin` to `end` of those in the painter's memory; `first` is its first segment. */
  keep(chain: number, begin: number, end: number, first: number): void {
    const needed = this.count + end - begin;
    if (needed > this.slot.length) this.grow(needed);
    const { slot, segment, weight, parameter, area, beyond } = this;
    let at = this.count;
    this.from[chain] = at;
    const { entries, entryInts } = kernelMemory;
    for (let e = begin * ENTRY_SIZE; e < end * ENTRY_SIZE; e += ENTRY_SIZE, at++) {
      slot[at] = entryInts[2 * e];
      segment[at] = entryInts[2 * e + 1] - first;
      weight[at] = entries[e + ENTRY_WEIGHT];
      parameter[at] = entries[e + ENTRY_PARAMETER];
      area[at] = entries[e + ENTRY_AREA];
      beyond[at] = entries[e + ENTRY_BEYOND];
    }
    this.to[chain] = this.count = at;
  }

  private grow(needed: number): void {
    const capacity = Math.max(needed, this.slot.length * 2);
    this.slot = grown(this.slot, new Int32Array(capacity));
    this.segment = grown(this.segment, new Int32Array(capacity));
    this.weight = grown(this.weight, new Float64Array(capacity));
    this.parameter = grown(this.parameter, new Float64Array(capacity));
    this.area = grown(this.area, new Float64Array(capacity));
    this.beyond = grown(this.beyond, new Float64Array(capacity));
  }
}

function grown<List extends Int32Array | Float64Array>(list: List, larger: List): List {
  larger.set(list);
  return larger;
}
