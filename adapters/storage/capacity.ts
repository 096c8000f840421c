import type { ArtifactReceipt, ArtifactRoom, NewArtifact } from '#application/ports/artifact-store.js';
import { ServiceError } from '#domain/errors.js';

/** What a full store suggests: about when the next sweep may have made room. */
const RETRY_AFTER_SECONDS = 60;

/** Bytes of a file with what is kept beside it. */
export const bytesOf = ({ bytes, companion }: Pick<NewArtifact, 'bytes' | 'companion'>): number =>
  bytes.byteLength + (companion?.byteLength ?? 0);

/** Bytes in use against a cap. */
export interface Capacity {
  readonly usedBytes: number;
  /**
   * Sets bytes aside before they are written, so that those who ask at once cannot together pass the cap; `makeRoom` is called
   * once when they do not fit. Rejects with STORAGE_FULL. `write` keeps the file of the room, and all or nothing of it.
   */
  reserve(
    bytes: number,
    makeRoom: () => Promise<unknown>,
    write: (artifact: NewArtifact) => Promise<ArtifactReceipt>,
  ): Promise<ArtifactRoom>;
  /** Somebody else has kept so much. */
  take(bytes: number): void;
  /** Bytes are gone again. */
  release(bytes: number): void;
  /** So many are kept, whoever put them there; what is set aside stays so. */
  recount(keptBytes: number): void;
}

export function createCapacity(capBytes: number, initialBytes = 0): Capacity {
  let keptBytes = initialBytes;
  let reservedBytes = 0;
  return {
    get usedBytes() {
      return keptBytes + reservedBytes;
    },
    async reserve(bytes, makeRoom, write) {
      if (keptBytes + reservedBytes + bytes > capBytes) await makeRoom();
      if (keptBytes + reservedBytes + bytes > capBytes)
        throw new ServiceError('STORAGE_FULL', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      reservedBytes += bytes;
      let ended = false;
      const end = () => {
        if (!ended) reservedBytes -= bytes;
        ended = true;
      };
      return {
        async put(artifact) {
          if (ended) throw new TypeError('this room was used or given back');
          end();
          const taken = bytesOf(artifact);
          keptBytes += taken;
          try {
            return await write(artifact);
          } catch (error) {
            keptBytes -= taken;
            throw error;
          }
        },
        release: end,
      };
    },
    take(bytes) {
      keptBytes += bytes;
    },
    release(bytes) {
      keptBytes -= bytes;
    },
    recount(bytes) {
      keptBytes = bytes;
    },
  };
}
