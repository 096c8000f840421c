import type { TraceStage } from '#application/ports/tracer.js';
import type { VectorizedFile } from '#application/use-cases/vectorize-to-file.js';
import type { TierId } from '#domain/tiers/tier.js';

export interface TierLoad {
  readonly waiting: number;
  readonly running: number;
  /** Most that may run at once. */
  readonly capacity: number;
}

/** Who asks for a conversion: a key, or an address without one. */
export interface QueueCaller {
  readonly id: string;
  /** Most that it may have waiting and running at once, in all tiers together. */
  readonly maxInFlight: number;
}

/** A conversion that waits for its turn. */
export interface QueuedConversion {
  readonly tier: TierId;
  readonly caller: QueueCaller;
  /** A picture file. Handed over: may be empty afterwards. */
  readonly bytes: Uint8Array;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Called once, when its turn has come and before any work; what it rejects with ends the conversion. */
  readonly onTurn: (waitedMs: number) => Promise<void>;
  readonly onProgress?: (stage: TraceStage, fraction: number) => void;
}

/** What stands behind the queue of many processes. */
export interface FleetState {
  /** Worker processes that take a tier. */
  readonly workers: Readonly<Record<TierId, number>>;
  /** Conversions that are held by a process that lives, or has died a moment ago. */
  readonly leases: number;
}

/** Who converts when, and where: each tier has its slots, its waiting places and its patience. */
export interface ConversionQueue {
  /**
   * Runs a conversion when a slot is free, in this process or in another: within a tier callers take turns, however many places
   * each has, and one caller's requests come in their order. Where whoever runs it is lost it runs again, once; its turn comes
   * once all the same. Rejects with API_KEY_BUSY where the caller has as many in flight as it may, QUEUE_FULL where nobody more
   * may wait, QUEUE_TIMEOUT past the tier's wait limit, AT_CAPACITY where nothing can run this tier, CANCELLED when the signal
   * aborts, UPSTREAM_UNAVAILABLE where what holds the queue cannot be reached; and with whatever the conversion rejects with.
   */
  convert(conversion: QueuedConversion, signal?: AbortSignal): Promise<VectorizedFile>;
  /**
   * Throws as `convert` would at once where it would refuse this caller now: API_KEY_BUSY, QUEUE_FULL, AT_CAPACITY. Who asks it
   * before anything else spares a crowd of the refused all other work. Left out where asking costs as much as queueing.
   */
  requirePlace?(tier: TierId, caller: QueueCaller): void;
  /**
   * As `requirePlace`, and keeps the place until this caller's next conversion in the tier stands in line, or the answer is
   * called: for a request that has a way to go until then. Left out with it.
   */
  claimPlace?(tier: TierId, caller: QueueCaller): () => void;
  /** Whether anybody waits, or nobody is let in at all: before that, `requirePlace` has little to refuse. Left out with it. */
  isCrowded?(): boolean;
  /** Of all processes together. */
  load(): Promise<Readonly<Record<TierId, TierLoad>>>;
  /** Left out by the queue of one process. */
  fleet?(): Promise<FleetState>;
  /** Refuses who waits and who comes here; who runs goes on. Resolves when nobody's conversion of this process runs any more. */
  close(): Promise<void>;
}
