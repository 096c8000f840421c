import {
  applyEntry,
  availableCredits,
  type Balance,
  EMPTY_BALANCE,
  endEntry,
  grantEntry,
  type HoldEnd,
  holdEntry,
  type LedgerEntry,
  type OpenHold,
  quotaEntry,
} from '#domain/credits/balance.js';
import { periodOf } from '#domain/credits/period.js';
import { ServiceError } from '#domain/errors.js';

/** One change of one account's credits. */
export type LedgerChange = { readonly accountId: string } & (
  | {
      readonly type: 'hold';
      readonly holdId: string;
      readonly credits: number;
      readonly reference: string | null;
      readonly expiresAtMs: number;
    }
  | { readonly type: 'end'; readonly holdId: string; readonly how: HoldEnd }
  | { readonly type: 'grant'; readonly credits: number; readonly reference: string | null }
);

export interface ChangeAnswer {
  readonly balance: Balance;
  /** Credits set aside, spent or added by this change. */
  readonly credits: number;
  /** False where there was nothing to do: the work is free or paid, the hold had ended, the grant was made before. */
  readonly changed: boolean;
}

/** What changes are decided from, and what they leave to be written. */
export interface LedgerState {
  /** Monthly credits of the account's plan; undefined where there is no such account. */
  quotaOf(accountId: string): number | undefined;
  readonly balances: Map<string, Balance>;
  readonly holds: Map<string, OpenHold>;
  /** `referenceKey` of the entries there are. */
  readonly references: Set<string>;
  append(accountId: string, entry: LedgerEntry): void;
}

export const referenceKey = (accountId: string, kind: LedgerEntry['kind'], reference: string): string =>
  JSON.stringify([accountId, kind, reference]);

/** The balance with this month's quota, as it would be after any change now. */
export function balanceNow(balance: Balance, quota: number, nowMs: number): Balance {
  const entry = quotaEntry(balance, { period: periodOf(nowMs), quota, atMs: nowMs });
  return entry === undefined ? balance : applyEntry(balance, entry);
}

/** Changes the state, and answers what came of it; a refusal is an answer, and leaves the credits as they were. */
export function applyChange(state: LedgerState, change: LedgerChange, nowMs: number): ChangeAnswer | ServiceError {
  const { accountId } = change;
  const quota = state.quotaOf(accountId);
  if (quota === undefined) {
    // Its holds went with the account: nothing is charged and nothing is to be given back.
    if (change.type === 'end') return { balance: EMPTY_BALANCE, credits: 0, changed: false };
    return new ServiceError('NOT_FOUND', { what: 'The account' });
  }
  let balance = state.balances.get(accountId) ?? EMPTY_BALANCE;

  const append = (entry: LedgerEntry) => {
    balance = applyEntry(balance, entry);
    state.balances.set(accountId, balance);
    if (entry.reference !== null) state.references.add(referenceKey(accountId, entry.kind, entry.reference));
    state.append(accountId, entry);
  };
  const isDone = (kind: LedgerEntry['kind'], reference: string | null) =>
    reference !== null && state.references.has(referenceKey(accountId, kind, reference));

  const owed = quotaEntry(balance, { period: periodOf(nowMs), quota, atMs: nowMs });
  if (owed !== undefined) append(owed);

  switch (change.type) {
    case 'hold': {
      const { holdId, credits, reference, expiresAtMs } = change;
      if (credits === 0 || isDone('settle', reference)) return { balance, credits: 0, changed: false };
      const entry = holdEntry(balance, { holdId, credits, atMs: nowMs });
      if (entry === undefined)
        return new ServiceError('INSUFFICIENT_CREDITS', { needed: credits, balance: availableCredits(balance) });
      const { period } = entry;
      const [monthly, pack] = [0 - entry.monthly, 0 - entry.pack];
      state.holds.set(holdId, { id: holdId, accountId, period, monthly, pack, reference, expiresAtMs });
      append(entry);
      return { balance, credits, changed: true };
    }
    case 'end': {
      const hold = state.holds.get(change.holdId);
      if (hold === undefined) return { balance, credits: 0, changed: false };
      // Two holds of one reference, and the other was paid meanwhile: this one goes back.
      const how = change.how === 'settle' && isDone('settle', hold.reference) ? 'release' : change.how;
      state.holds.delete(hold.id);
      const entry = endEntry(hold, how, nowMs);
      append(entry);
      return { balance, credits: entry.used, changed: true };
    }
    case 'grant': {
      const { credits, reference } = change;
      if (isDone('grant', reference)) return { balance, credits: 0, changed: false };
      append(grantEntry(balance, { credits, reference, atMs: nowMs }));
      return { balance, credits, changed: true };
    }
  }
}
