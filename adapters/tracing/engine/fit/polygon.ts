import { kernelMemory } from '../kernels/kernel-memory.js';
import type { LineSums } from './line-sums.js';

/** Numbers of eight bytes that a sample takes beside its prefix sums: what it costs up to there, and two whole ones. */
const NUMBERS = 2;

/** Finds the polygon of least cost through rows of samples. The kernel does (`polygon.as.ts`), in memory that bands lie in later. */
export class PolygonFinder {
  /** The vertices found, as numbers of samples, first and last included. */
  vertices = new Int32Array(256);

  /** Returns the number of vertices; `sums` hold the `count` samples (at least 2). */
  find(sums: LineSums, count: number): number {
    const prefixes = sums.prefixes(count);
    const scratch = kernelMemory.scratch(prefixes.length + NUMBERS * count);
    scratch.set(prefixes);
    const size = kernelMemory.kernel.findPolygon(count);
    if (this.vertices.length < size) this.vertices = new Int32Array(Math.max(size, this.vertices.length * 2));
    const before = (prefixes.length + count) * Float64Array.BYTES_PER_ELEMENT + count * Int32Array.BYTES_PER_ELEMENT;
    const from = scratch.byteOffset + before;
    this.vertices.set(new Int32Array(scratch.buffer, from, size));
    return size;
  }
}
