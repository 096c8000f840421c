import type { Account } from '#domain/accounts/account.js';
import { availableCredits } from '#domain/credits/balance.js';
import { CREDIT_PACKS } from '#domain/credits/plans.js';
import { invalid } from '#domain/errors.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { CreditLedger } from '../ports/credit-ledger.js';
import { findAccount } from './find-account.js';

export interface CreditGrant {
  /** An id, an address or `owner`. */
  readonly account: string;
  /** One of CREDIT_PACKS. */
  readonly credits: number;
  /** A name of your own, such as an order's: granted twice, it counts once. */
  readonly reference?: string;
}

/** Adds a pack of credits. Rejects with NOT_FOUND, and INVALID_REQUEST (field `credits`) for what is no pack. */
export type GrantCredits = (grant: CreditGrant) => Promise<{ readonly account: Account; readonly balance: number }>;

export const createGrantCredits =
  ({
    accounts,
    credits: ledger,
  }: {
    readonly accounts: AccountRepository;
    readonly credits: CreditLedger;
  }): GrantCredits =>
  async ({ account: name, credits, reference }) => {
    if (!(CREDIT_PACKS as readonly number[]).includes(credits))
      throw invalid('credits', `${credits} is no pack; there are ${CREDIT_PACKS.join(', ')}`);
    if (reference !== undefined && (reference === '' || reference.length > 255))
      throw invalid('reference', `has ${reference.length} characters; give 1 to 255`);
    const account = await findAccount(accounts, name);
    const balance = await ledger.grant(account.id, credits, reference === undefined ? {} : { reference });
    return { account, balance: availableCredits(balance) };
  };
