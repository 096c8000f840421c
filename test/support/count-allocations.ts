const KINDS = ['ArrayBuffer', 'Float64Array', 'Float32Array', 'Int32Array', 'Uint32Array', 'Uint8Array'] as const;

/** What a piece of work took of memory for typed arrays, bytes. */
export interface Allocations {
  /** Of all that were made; what was given back before the end counts too. */
  readonly bytes: number;
  /** The largest single one. */
  readonly largest: number;
}

/**
 * Counts the typed arrays and buffers that `work` makes by their length in this thread. Unlike the memory of a process, that is the same
 * every time.
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
  try {
    work();
  } finally {
    for (const [k, kind] of KINDS.entries()) global[kind] = originals[k]!;
  }
  return { bytes, largest };
}
