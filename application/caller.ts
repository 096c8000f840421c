import type { Account } from '#domain/accounts/account.js';
import type { PlanId } from '#domain/credits/plans.js';
import { ServiceError } from '#domain/errors.js';
import { LIMITS } from '#domain/tiers/limits.js';
import type { QueueCaller } from './ports/conversion-queue.js';
import type { Session } from './ports/session-store.js';

interface AccountCaller {
  readonly plan: PlanId;
  readonly account: Account;
  /** Rejects with UNAUTHORIZED where what it came in with is worth nothing any more. */
  confirm(): Promise<void>;
}

/** Somebody with an API key. */
export interface KeyCaller extends AccountCaller {
  readonly kind: 'key';
  readonly keyId: string;
  /** The beginning of the key, which is no secret. */
  readonly keyPrefix: string;
}

/** Somebody at a page of the service: signed in, or the owner at the machine itself with nobody signed in (`session` null). */
export interface PersonCaller extends AccountCaller {
  readonly kind: 'person';
  readonly session: Session | null;
}

/** An anonymous caller's address is a name: `address:127.0.0.1`, or the network of an IPv6 address. */
export interface AnonymousCaller {
  readonly kind: 'anonymous';
  readonly plan: 'anonymous';
  readonly address: string;
}

/** Who asks: the holder of a key, somebody at a page, or whoever is at an address. */
export type Caller = KeyCaller | PersonCaller | AnonymousCaller;

/** Whose account pays and remembers; undefined for who has none. */
export const accountOf = (caller: Caller): Account | undefined =>
  caller.kind === 'anonymous' ? undefined : caller.account;

/** For what is counted and remembered by key: free re-traces, conversions in flight. An account's pages count as one key. */
export function callerId(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return `key:${caller.keyId}`;
    case 'person':
      return `account:${caller.account.id}`;
    case 'anonymous':
      return caller.address;
  }
}

/** For what is remembered by account, or by address where there is none: answers to Idempotency-Keys. */
export const ownerId = (caller: Caller): string => (caller.kind === 'anonymous' ? caller.address : caller.account.id);

/** Conversions that one address without a key may have in flight. */
export const MAX_CONCURRENT_ANONYMOUS = 1;

export const queueCallerOf = (caller: Caller, maxPerKey: number = LIMITS.maxConcurrentPerKey): QueueCaller => ({
  id: callerId(caller),
  maxInFlight: caller.kind === 'anonymous' ? MAX_CONCURRENT_ANONYMOUS : maxPerKey,
});

/** Throws FORBIDDEN for an account that may look and not do. */
export function requireActive(caller: Caller): void {
  const status = accountOf(caller)?.status ?? 'active';
  if (status !== 'active') throw new ServiceError('FORBIDDEN', { problem: `This account is ${status}.` });
}
