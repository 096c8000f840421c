import type { Balance, LedgerEntry } from '#domain/credits/balance.js';

/** What one piece of work came to. */
export interface Charge {
  /** Credits paid: those of the hold, or 0 where the hold had ended before or the work was paid for already. */
  readonly charged: number;
  /** Credits that can be spent afterwards. */
  readonly remaining: number;
}

/** Credits set aside for one job. Exactly one of `settle` or `release` ends it; calls after the first change nothing. */
export interface CreditHold {
  readonly id: string;
  /** Credits set aside; 0 where the job is free. */
  readonly credits: number;
  /** Credits that could be spent when these had been set aside. */
  readonly remaining: number;
  settle(): Promise<Charge>;
  /** Never rejects: a hold that cannot be released now expires on its own. */
  release(): Promise<void>;
}

export interface HoldOptions {
  /** Work with a name is paid once: a hold for a name that was settled before is free. */
  readonly reference?: string;
}

/**
 * Credits of accounts: a list of entries that only grows, and never adds up to less than nothing. Every operation begins the
 * account's month where it has not begun: the plan's monthly credits are given, what is left of older ones is gone.
 * All reject with NOT_FOUND for an account that is not there.
 */
export interface CreditLedger {
  /** Sets 0 or more credits aside. Rejects with INSUFFICIENT_CREDITS, and RangeError for what is no whole number. */
  hold(accountId: string, credits: number, options?: HoldOptions): Promise<CreditHold>;
  balance(accountId: string): Promise<Balance>;
  /** Adds pack credits (above 0) and answers the new balance; a second grant of one reference adds nothing. */
  grant(accountId: string, credits: number, options?: { readonly reference?: string }): Promise<Balance>;
  /** Gives back what is held by work whose process died; answers how many holds that were. */
  expireHolds(): Promise<number>;
  /** Everything that ever happened to an account, oldest first; `sumEntries` of it is the balance. Or only the `latest` so many. */
  entries(accountId: string, options?: { readonly latest?: number }): Promise<readonly LedgerEntry[]>;
}
