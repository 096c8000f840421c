import type { Account, AccountStatus } from '#domain/accounts/account.js';
import type { AccountPlanId } from '#domain/credits/plans.js';

export interface NewAccount {
  readonly email: string | null;
  readonly plan: AccountPlanId;
}

export interface AccountRepository {
  /** Rejects with INVALID_REQUEST (field `email`) where another account has the address. The account is `active`. */
  create(account: NewAccount): Promise<Account>;
  /** The owner's account, on plan pro; made where there is none, by exactly one of those who ask at once (`created`). */
  ensureOwner(): Promise<{ readonly account: Account; readonly created: boolean }>;
  find(id: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  owner(): Promise<Account | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Account[]>;
  /** Changes what is given; undefined where the account is not there. INVALID_REQUEST as in `create`. */
  change(
    id: string,
    changes: { readonly email?: string | null; readonly plan?: AccountPlanId; readonly status?: AccountStatus },
  ): Promise<Account | undefined>;
  /**
   * Removes the account with its keys, sessions, links, password, usage, errors and remembered answers. Its ledger stays
   * under a new name that leads nowhere, which is answered; undefined where the account is not there.
   */
  remove(id: string): Promise<{ readonly ledgerAlias: string } | undefined>;
}
