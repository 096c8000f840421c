import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import type { ConversionSlots } from './conversion-slots.js';
import type { MemoryOf } from './memory-room.js';

export interface InProcessConversionQueueDeps {
  readonly slots: ConversionSlots;
  readonly vectorizeToFile: VectorizeToFile;
  /** What a picture file will need; throws IMAGE_TOO_LARGE for one that may never run. Nothing when left out. */
  readonly memoryOf?: MemoryOf;
}

/** The queue of a service that is one process: who has a slot converts here. */
export const createInProcessConversionQueue = ({
  slots,
  vectorizeToFile,
  memoryOf = () => 0,
}: InProcessConversionQueueDeps): ConversionQueue => ({
  async convert({ tier, caller, bytes, settings, onTurn, onProgress }, signal) {
    const slot = await slots.enter(tier, caller, signal, memoryOf(bytes, tier));
    try {
      await onTurn(slot.waitedMs);
      const picture = { kind: 'encoded', bytes } as const;
      return await vectorizeToFile(
        { picture, settings, queuedMs: slot.waitedMs, ...(onProgress && { onProgress }) },
        signal,
      );
    } finally {
      slot.release();
    }
  },
  requirePlace: (tier, caller) => slots.requirePlace(tier, caller),
  claimPlace: (tier, caller) => slots.claimPlace(tier, caller),
  isCrowded: () => slots.isCrowded(),
  load: async () => slots.load(),
  close: () => slots.close(),
});
