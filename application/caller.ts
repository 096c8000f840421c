import type { Account } from '#domain/accounts/account.js';
import type { PlanId } from '#domain/credits/plans.js';
import { ServiceError } from '#domain/errors.js';
import { LIMITS } from '#domain/tiers/limits.js';
import type { QueueCaller } from './ports/conversion-queue.js';

/** Somebody with an API key. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly plan: PlanId;
  readonly account: Account;
  readonly keyId: string;
  /** The beginning of the key, which is no secret. */
  readonly keyPrefix: string;
  /** Rejects with UNAUTHORIZED where the key has been revoked since. */
  confirm(): Promise<void>;
}

/** Who asks: the holder of a key, or whoever is at an address. */
/** An anonymous caller's address is a name: `address:127.0.0.1`, or the network of an IPv6 address. */
export type Caller = KeyCaller | { readonly kind: 'anonymous'; readonly plan: 'anonymous'; readonly address: string };

/** For what is counted and remembered by key: free re-traces, conversions in flight. */
export const callerId = (caller: Caller): string => (caller.kind === 'key' ? `key:${caller.keyId}` : caller.address);

/** For what is remembered by account, or by address where there is none: answers to Idempotency-Keys. */
export const ownerId = (caller: Caller): string => (caller.kind === 'key' ? caller.account.id : caller.address);

/** Conversions that one address without a key may have in flight. */
export const MAX_CONCURRENT_ANONYMOUS = 1;

export const queueCallerOf = (caller: Caller, maxPerKey: number = LIMITS.maxConcurrentPerKey): QueueCaller => ({
  id: callerId(caller),
  maxInFlight: caller.kind === 'key' ? maxPerKey : MAX_CONCURRENT_ANONYMOUS,
});

/** Throws FORBIDDEN for an account that may look and not do. */
export function requireActive(caller: Caller): void {
  if (caller.kind === 'key' && caller.account.status !== 'active')
    throw new ServiceError('FORBIDDEN', { problem: `This account is ${caller.account.status}.` });
}
