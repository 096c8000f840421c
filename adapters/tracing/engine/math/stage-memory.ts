/**
 * Memory that the stages of one piece of work use one after the other: what a stage leaves there, the next one overwrites. Of a chain that
 * winds through the whole picture each stage needs more than the picture itself, and never what the stage before it needed.
 */
export class StageMemory {
  private buffer = new ArrayBuffer(0);

  /** Whether an array lies in this memory as it is now; one that no longer does must be laid out anew. */
  holds({ buffer }: Float64Array): boolean {
    return buffer === this.buffer;
  }

  /**
   * Memory of at least so many bytes, none of it cleared. Where it has to grow there is room for later stages that need more: memory costs
   * nothing until it is written to.
   */
  take(bytes: number): ArrayBuffer {
    if (this.buffer.byteLength < bytes) this.buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 16);
    return this.buffer;
  }
}
