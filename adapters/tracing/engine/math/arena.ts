/** Memory kept for the next picture at most, bytes; what a picture needs beyond that is taken anew and given back. */
const MOST_KEPT = 32 * 1024 * 1024;

/**
 * Working memory of a picture. Arrays of every pixel are large, short-lived and the same for every picture of a size: taken from
 * the system each time, most of the cost of a small picture would be the collector's. What is taken here is good until the next
 * picture begins in this thread, and must not outlive it: results are copied out.
 */
export class Arena {
  private buffer = new ArrayBuffer(0);
  private used = 0;
  private wanted = 0;

  /** Takes everything back. */
  reset(): void {
    if (this.wanted > this.buffer.byteLength && this.buffer.byteLength < MOST_KEPT)
      this.buffer = new ArrayBuffer(Math.min(MOST_KEPT, Math.ceil(this.wanted * 1.25)));
    this.used = 0;
    this.wanted = 0;
  }

  /** `length` zeros. */
  int32(length: number): Int32Array<ArrayBuffer> {
    const at = this.take(length * 4);
    return at < 0 ? new Int32Array(length) : new Int32Array(this.buffer, at, length).fill(0);
  }

  /** `length` zeros. */
  float64(length: number): Float64Array<ArrayBuffer> {
    const at = this.take(length * 8);
    return at < 0 ? new Float64Array(length) : new Float64Array(this.buffer, at, length).fill(0);
  }

  /** As `int32`, with whatever was there before. */
  rawInt32(length: number): Int32Array<ArrayBuffer> {
    const at = this.take(length * 4);
    return at < 0 ? new Int32Array(length) : new Int32Array(this.buffer, at, length);
  }

  /** As `float64`, with whatever was there before. */
  rawFloat64(length: number): Float64Array<ArrayBuffer> {
    const at = this.take(length * 8);
    return at < 0 ? new Float64Array(length) : new Float64Array(this.buffer, at, length);
  }

  /** As `rawFloat64`, in single precision. */
  rawFloat32(length: number): Float32Array<ArrayBuffer> {
    const at = this.take(length * 4);
    return at < 0 ? new Float32Array(length) : new Float32Array(this.buffer, at, length);
  }

  /** `length` zeros. */
  uint8(length: number): Uint8Array<ArrayBuffer> {
    const at = this.take(length);
    return at < 0 ? new Uint8Array(length) : new Uint8Array(this.buffer, at, length).fill(0);
  }

  /** As `uint8`, with whatever was there before. */
  rawUint8(length: number): Uint8Array<ArrayBuffer> {
    const at = this.take(length);
    return at < 0 ? new Uint8Array(length) : new Uint8Array(this.buffer, at, length);
  }

  /** Where so many bytes are free, a multiple of eight; -1 where they are not. */
  private take(bytes: number): number {
    const size = (bytes + 7) & ~7;
    this.wanted += size;
    if (this.used + size > this.buffer.byteLength) return -1;
    const at = this.used;
    this.used += size;
    return at;
  }
}

/** The working memory of the picture that this thread is at. */
export const arena = new Arena();
