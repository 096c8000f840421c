import type { TierId } from '#domain/tiers/tier.js';

/** Leave to run one conversion. `release` gives it back; a second call does nothing. */
export interface ConversionSlot {
  readonly waitedMs: number;
  release(): void;
}

export interface TierLoad {
  readonly waiting: number;
  readonly running: number;
  /** Most that may run at once. */
  readonly capacity: number;
}

/** Who may convert when: each tier has its slots, its waiting places and its patience. */
export interface ConversionQueue {
  /**
   * Resolves when a slot is free, first come, first served within a tier. Rejects with QUEUE_FULL where nobody more may wait,
   * QUEUE_TIMEOUT past the tier's wait limit, AT_CAPACITY once closed, CANCELLED when the signal aborts.
   */
  enter(tier: TierId, signal?: AbortSignal): Promise<ConversionSlot>;
  load(): Readonly<Record<TierId, TierLoad>>;
  /** Refuses who waits and who comes; who runs goes on. Resolves when nobody runs any more. */
  close(): Promise<void>;
}
