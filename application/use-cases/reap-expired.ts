import type { CreditLedger } from '../ports/credit-ledger.js';

/** Something that keeps what has expired until it is told to let go. */
export interface Sweepable {
  sweep(): Promise<number>;
}

export interface Reaped {
  /** Holds whose credits went back because nobody ended them. */
  readonly holds: number;
  /** Rows that went, by the name of what kept them. */
  readonly swept: Readonly<Record<string, number>>;
}

/** Gives back forgotten credits, then removes what has expired. To be called at start and every minute. */
export type ReapExpired = () => Promise<Reaped>;

export const createReapExpired =
  ({
    credits,
    stores,
  }: {
    readonly credits: Pick<CreditLedger, 'expireHolds'>;
    readonly stores: Readonly<Record<string, Sweepable>>;
  }): ReapExpired =>
  async () => {
    const holds = await credits.expireHolds();
    const swept: Record<string, number> = {};
    for (const [name, store] of Object.entries(stores)) swept[name] = await store.sweep();
    return { holds, swept };
  };
