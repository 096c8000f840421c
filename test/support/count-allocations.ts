const KINDS = ['ArrayBuffer', 'Float64Array', 'Float32Array', 'Int32Array', 'Uint32Array', 'Uint8Array'] as const;

/** What a piece of work took of memory for typed arrays, bytes. */
export interface Allocations {
  /** Of all that were made; what was given back before the end counts too. */
  readonly bytes: number;
  /** The largest single one. */
  readonly largest: number;
}

declare class WasmMemory {
  constructor(size: { readonly initial: number });
  readonly buffer: ArrayBuffer;
}
const wasm = (globalThis as unknown as { readonly WebAssembly: { Memory: typeof WasmMemory } }).WebAssembly;

/**
 * Counts the typed arrays and buffers that `work` makes by their length in this thread, and what WebAssembly takes. Unlike the memory of a
 * process, that is the same every time, but for what WebAssembly has already.
 */
export function countAllocations(work: () => void): Allocations {
  const global = globalThis as unknown as Record<string, new (...args: unknown[]) => { readonly byteLength: number }>;
  const originals = KINDS.map((kind) => global[kind]!);
  let bytes = 0;
  let largest = 0;
  const counted = (original: (typeof originals)[number]) =>
    new Proxy(original, {
      construct(target, args, newTarget) {
        const made = Reflect.construct(target, args, newTarget) as { readonly byteLength: number };
        if (typeof args[0] === 'number') {
          bytes += made.byteLength;
          largest = Math.max(largest, made.byteLength);
        }
        return made;
      },
    });
  for (const [k, kind] of KINDS.entries()) global[kind] = counted(originals[k]!);
  const { Memory } = wasm;
  wasm.Memory = class extends Memory {
    constructor(size: { readonly initial: number }) {
      super(size);
      bytes += this.buffer.byteLength;
      largest = Math.max(largest, this.buffer.byteLength);
    }
  };
  try {
    work();
  } finally {
    for (const [k, kind] of KINDS.entries()) global[kind] = originals[k]!;
    wasm.Memory = Memory;
  }
  return { bytes, largest };
}
