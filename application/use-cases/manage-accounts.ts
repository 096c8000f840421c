import { type Account, type AccountStatus, parseEmail } from '#domain/accounts/account.js';
import type { AccountPlanId } from '#domain/credits/plans.js';
import { invalid, ServiceError } from '#domain/errors.js';
import type { AccountFiles } from '../ports/account-files.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { SessionStore } from '../ports/session-store.js';
import type { SignInLinks } from '../ports/sign-in-links.js';
import { findAccount } from './find-account.js';

/** An account and the token of a one-time link into it. */
export interface AccountLink {
  readonly account: Account;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** What the owner does with accounts. Accounts are named by id, address or as `owner`; NOT_FOUND where there is none. */
export interface ManageAccounts {
  /** A new account with its invitation. INVALID_REQUEST for an address that is none or belongs to another account. */
  create(input: { readonly email: string; readonly plan: AccountPlanId }): Promise<AccountLink>;
  /** Signs it out everywhere, makes older links worthless, and gives a new one; its password stays until another is set. */
  reset(name: string): Promise<AccountLink>;
  /** Removes it with its files, keys and sessions; its ledger stays without a name. FORBIDDEN for the owner's. */
  remove(name: string): Promise<{ readonly account: Account; readonly files: number }>;
  /** INVALID_REQUEST where nothing is changed, FORBIDDEN for the owner's status. */
  change(name: string, changes: { readonly plan?: AccountPlanId; readonly status?: AccountStatus }): Promise<Account>;
  list(): Promise<readonly Account[]>;
}

export interface ManageAccountsDeps {
  readonly accounts: AccountRepository;
  readonly sessions: SessionStore;
  readonly links: SignInLinks;
  readonly files: AccountFiles;
  /** Removes one produced file; resolves too where it has gone already. */
  readonly removeFile: (basename: string) => Promise<void>;
}

export function createManageAccounts(deps: ManageAccountsDeps): ManageAccounts {
  const { accounts, sessions, links, files, removeFile } = deps;
  return {
    async create({ email, plan }) {
      const account = await accounts.create({ email: parseEmail(email), plan });
      return { account, ...(await links.create(account.id, 'invite')) };
    },
    async reset(name) {
      const account = await findAccount(accounts, name);
      await links.cancelAll(account.id);
      await sessions.endAll(account.id);
      return { account, ...(await links.create(account.id, 'reset')) };
    },
    async remove(name) {
      const account = await findAccount(accounts, name);
      if (account.role === 'owner')
        throw new ServiceError('FORBIDDEN', { problem: 'The owner’s account cannot be deleted.' });
      // Files first: once the account is gone nobody knows which were its own.
      const basenames = await files.list(account.id);
      for (const basename of basenames) await removeFile(basename);
      await accounts.remove(account.id);
      return { account, files: basenames.length };
    },
    async change(name, changes) {
      const account = await findAccount(accounts, name);
      if (changes.plan === undefined && changes.status === undefined)
        throw invalid('body', 'changes nothing; give plan or status');
      if (changes.status !== undefined && account.role === 'owner')
        throw new ServiceError('FORBIDDEN', { problem: 'The owner’s account stays active.' });
      const changed = await accounts.change(account.id, changes);
      if (changed === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      return changed;
    },
    list: () => accounts.list(),
  };
}
