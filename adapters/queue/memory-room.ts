import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import type { TierId } from '#domain/tiers/tier.js';

/** Bytes of memory that the conversion of a picture file will need in a tier. Throws IMAGE_TOO_LARGE where it may never have them. */
export type MemoryOf = (bytes: Uint8Array, tier: TierId) => number;

export interface MemoryRoomDeps {
  readonly vectorizeToFile: VectorizeToFile;
  readonly memoryOf: MemoryOf;
  /** What those that run at once may need together. */
  readonly budgetBytes: number;
}

interface Waiter {
  readonly needed: number;
  readonly admit: () => void;
}

/**
 * The use case, begun when there is room for what it needs: first come, first served. Rejects as the use case does, with
 * IMAGE_TOO_LARGE for a picture that never fits, and with CANCELLED when the signal aborts while it waits. For work whose turn
 * has come before its picture is known.
 */
export function withMemoryRoom({ vectorizeToFile, memoryOf, budgetBytes }: MemoryRoomDeps): VectorizeToFile {
  /** In order of arrival. */
  const waiters = new Set<Waiter>();
  let running = 0;
  let takenBytes = 0;
  const fits = (needed: number) => running === 0 || takenBytes + needed <= budgetBytes;

  const enter = (needed: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const cancelled = () => new ServiceError('CANCELLED', undefined, { cause: signal?.reason });
      if (signal?.aborted) return reject(cancelled());
      const leave = () => {
        waiters.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        reject(cancelled());
        admit();
      };
      const waiter: Waiter = {
        needed,
        admit() {
          leave();
          running++;
          takenBytes += needed;
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
      admit();
    });
  function admit(): void {
    for (const waiter of waiters) {
      if (!fits(waiter.needed)) return;
      waiter.admit();
    }
  }

  return async (input, signal) => {
    const { picture, settings } = input;
    const tier = resolveSettings(parseSettings(settings)).values.quality_tier;
    const needed = picture.kind === 'encoded' ? memoryOf(picture.bytes, tier) : 0;
    await enter(needed, signal);
    try {
      return await vectorizeToFile(input, signal);
    } finally {
      running--;
      takenBytes -= needed;
      admit();
    }
  };
}
