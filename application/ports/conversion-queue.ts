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

/** Who asks for a slot: a key, or an address without one. */
export interface QueueCaller {
  readonly id: string;
  /** Most that it may have waiting and running at once, in all tiers together. */
  readonly maxInFlight: number;
}

/** Who may convert when: each tier has its slots, its waiting places and its patience. */
export interface ConversionQueue {
  /**
   * Resolves when a slot is free: within a tier callers take turns, however many places each has, and one caller's requests come
   * in their order. Rejects with API_KEY_BUSY where the caller has as many in flight as it may, QUEUE_FULL where nobody more may
   * wait, QUEUE_TIMEOUT past the tier's wait limit, AT_CAPACITY where nothing can run this tier, CANCELLED when the signal aborts.
   */
  enter(tier: TierId, caller: QueueCaller, signal?: AbortSignal): Promise<ConversionSlot>;
  load(): Readonly<Record<TierId, TierLoad>>;
  /** Refuses who waits and who comes; who runs goes on. Resolves when nobody runs any more. */
  close(): Promise<void>;
}
