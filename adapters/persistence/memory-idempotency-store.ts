import type { Clock } from '#application/ports/clock.js';
import type { IdempotencyStore, IdempotentWork, StoredAnswer } from '#application/ports/idempotency-store.js';
import { ANSWER_LIFETIME_MS, assertIdempotencyKey, LEASE_MS } from './idempotency-rules.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { randomId } from './secrets.js';

/** The lease of work that failed: nobody's. */
const FREE = '';

interface Kept {
  readonly id: string;
  readonly caller: string;
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  lease: string;
  leaseUntilMs: number;
  answer: StoredAnswer | undefined;
}

export interface MemoryIdempotencyStoreDeps {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
  readonly leaseMs?: number;
}

export function createMemoryIdempotencyStore(deps: MemoryIdempotencyStoreDeps): IdempotencyStore {
  const { accounts, clock, leaseMs = LEASE_MS } = deps;
  const kept = new Map<string, Kept>();
  accounts.onRemove((accountId) => {
    for (const [name, { caller }] of kept) if (caller === accountId) kept.delete(name);
  });

  const workOn = (name: string, record: Kept): IdempotentWork => {
    const lease = randomId();
    record.lease = lease;
    record.leaseUntilMs = clock.wallMs() + leaseMs;
    const isMine = () => kept.get(name) === record && record.lease === lease && record.answer === undefined;
    return {
      state: 'new',
      id: record.id,
      async renew() {
        if (isMine()) record.leaseUntilMs = clock.wallMs() + leaseMs;
      },
      async finish({ status, headers, body }) {
        if (isMine()) record.answer = { status, headers: { ...headers }, body: body.slice() };
      },
      async free() {
        // What it may have been paid under stays known to a retry.
        if (isMine()) Object.assign(record, { lease: FREE, leaseUntilMs: 0 });
      },
    };
  };

  return {
    async begin({ caller, key, fingerprint }) {
      assertIdempotencyKey(key);
      const name = JSON.stringify([caller, key]);
      const nowMs = clock.wallMs();
      const record = kept.get(name);
      const isFreeFor = ({ lease, answer, fingerprint: other }: Kept) =>
        lease === FREE && answer === undefined && other !== fingerprint;
      if (record === undefined || record.expiresAtMs <= nowMs || isFreeFor(record)) {
        const expiresAtMs = nowMs + ANSWER_LIFETIME_MS;
        const begun = {
          id: randomId(),
          caller,
          fingerprint,
          expiresAtMs,
          lease: '',
          leaseUntilMs: 0,
          answer: undefined,
        };
        kept.set(name, begun);
        return workOn(name, begun);
      }
      if (record.fingerprint !== fingerprint) return { state: 'conflict' };
      if (record.answer !== undefined) return { state: 'replay', answer: record.answer };
      return record.leaseUntilMs > nowMs ? { state: 'in-flight' } : workOn(name, record);
    },
    async sweep() {
      let gone = 0;
      for (const [name, { expiresAtMs }] of kept) if (expiresAtMs <= clock.wallMs() && kept.delete(name)) gone++;
      return gone;
    },
  };
}
