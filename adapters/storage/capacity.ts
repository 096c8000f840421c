import { ServiceError } from '#domain/errors.js';

/** What a full store suggests: about when the next sweep may have made room. */
const RETRY_AFTER_SECONDS = 60;

/** Bytes in use against a cap, so that concurrent puts cannot together pass it. */
export interface Capacity {
  readonly usedBytes: number;
  /**
   * Sets bytes aside before they are written; `makeRoom` is called once when they do not fit. Rejects with STORAGE_FULL.
   * Each successful reservation is ended by `release`, when the bytes are gone again or were never written.
   */
  reserve(bytes: number, makeRoom: () => Promise<unknown>): Promise<void>;
  release(bytes: number): void;
}

export function createCapacity(capBytes: number, initialBytes = 0): Capacity {
  let usedBytes = initialBytes;
  return {
    get usedBytes() {
      return usedBytes;
    },
    async reserve(bytes, makeRoom) {
      if (usedBytes + bytes > capBytes) await makeRoom();
      if (usedBytes + bytes > capBytes)
        throw new ServiceError('STORAGE_FULL', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      usedBytes += bytes;
    },
    release(bytes) {
      usedBytes -= bytes;
    },
  };
}
