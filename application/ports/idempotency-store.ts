/** An answer as it was sent. */
export interface StoredAnswer {
  readonly status: number;
  /** Those that belong to the answer itself, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Work that was begun under an Idempotency-Key. Exactly one of `finish` or `free` ends it. */
export interface IdempotentWork {
  readonly state: 'new';
  /**
   * Stays the same when work that died or failed is begun again under its key, for the same request: as the `reference` of a credit hold it makes sure that
   * the whole of it is paid once.
   */
  readonly id: string;
  /** Says that the work goes on; to be called well within the lease, else a retry may begin it anew. */
  renew(): Promise<void>;
  /** Keeps the answer, a 2xx, for retries. */
  finish(answer: StoredAnswer): Promise<void>;
  /** Makes the key free again, for any request: the work failed. Never rejects: the lease runs out on its own. */
  free(): Promise<void>;
}

export type IdempotencyState =
  | IdempotentWork
  /** The same key with another request. */
  | { readonly state: 'conflict' }
  | { readonly state: 'in-flight' }
  | { readonly state: 'replay'; readonly answer: StoredAnswer };

export interface IdempotentRequest {
  /** The account's id, or another name for who asks. */
  readonly caller: string;
  /** As it was sent, 1 to 255 characters (INVALID_REQUEST, field `Idempotency-Key`, otherwise). */
  readonly key: string;
  /** Equal for equal requests: operation, parsed fields and the files' bytes. */
  readonly fingerprint: string;
}

/** What was answered under each Idempotency-Key of the last 24 hours. */
export interface IdempotencyStore {
  /** Of many who begin at once with one key, one gets `new`. */
  begin(request: IdempotentRequest): Promise<IdempotencyState>;
  /** Removes what is past its 24 hours; resolves with how many went. */
  sweep(): Promise<number>;
}
