import { type Account, assertPassword, parseEmail } from '#domain/accounts/account.js';
import { availableCredits, type LedgerEntry } from '#domain/credits/balance.js';
import { invalid, ServiceError } from '#domain/errors.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { CreditLedger } from '../ports/credit-ledger.js';
import type { ApiKey, CreatedKey, KeyRing } from '../ports/key-ring.js';
import type { Passwords } from '../ports/passwords.js';
import type { Session, SessionStore } from '../ports/session-store.js';
import type { RecordedError, UsageMeter } from '../ports/usage-meter.js';

export interface AccountChanges {
  readonly email?: string;
  readonly password?: string;
  /** Must be right where the account has a password and either is changed. */
  readonly currentPassword?: string;
}

/** What people do with their own account in the dashboard. Keys of other accounts are not there: NOT_FOUND. */
export interface ManageOwnAccount {
  /** Ends all other sessions where the password changes. INVALID_REQUEST, FORBIDDEN where the current password is wrong. */
  change(account: Account, changes: AccountChanges, sessionToken: string | undefined): Promise<Account>;
  hasPassword(accountId: string): Promise<boolean>;
  /** Oldest first, revoked ones included. */
  keys(accountId: string): Promise<readonly ApiKey[]>;
  createKey(accountId: string, name: string): Promise<CreatedKey>;
  renameKey(accountId: string, keyId: string, name: string): Promise<ApiKey>;
  revokeKey(accountId: string, keyId: string): Promise<ApiKey>;
  /** The latest entries of the ledger, newest first. */
  charges(accountId: string, limit: number): Promise<readonly LedgerEntry[]>;
  /** Refusals of the last 7 days, newest first. */
  errors(accountId: string, limit: number): Promise<readonly RecordedError[]>;
  sessions(accountId: string): Promise<readonly Session[]>;
  /** Signs out everywhere. */
  endSessions(accountId: string): Promise<number>;
  /** Credits that can be spent. */
  credits(accountId: string): Promise<number>;
}

export interface ManageOwnAccountDeps {
  readonly accounts: AccountRepository;
  readonly keys: KeyRing;
  readonly credits: CreditLedger;
  readonly usage: UsageMeter;
  readonly sessions: SessionStore;
  readonly passwords: Passwords;
}

/** Keys that one account may have unrevoked. */
export const MAX_KEYS = 100;

const noKey = () => new ServiceError('NOT_FOUND', { what: 'The key' });
const noAccount = () => new ServiceError('NOT_FOUND', { what: 'The account' });

export function createManageOwnAccount(deps: ManageOwnAccountDeps): ManageOwnAccount {
  const { accounts, keys, credits, usage, sessions, passwords } = deps;

  const confirmPassword = async ({ id, email }: Account, current: string | undefined) => {
    if (email === null || !(await passwords.has(id))) return;
    if (current === undefined) throw invalid('current_password', 'is missing');
    if ((await passwords.check(email, current)) !== id)
      throw new ServiceError('FORBIDDEN', { problem: 'The current password is wrong.' });
  };

  return {
    async change(account, { email, password, currentPassword }, sessionToken) {
      if (email === undefined && password === undefined)
        throw invalid('body', 'changes nothing; give email or password');
      const address = email === undefined ? undefined : parseEmail(email);
      if (password !== undefined) assertPassword(password);
      if (password !== undefined && (address ?? account.email) === null)
        throw invalid('email', 'is missing; a password wants an address to sign in with');
      await confirmPassword(account, currentPassword);
      const changed = address === undefined ? account : await accounts.change(account.id, { email: address });
      if (changed === undefined) throw noAccount();
      if (password !== undefined) {
        await passwords.set(account.id, password);
        await sessions.endAll(account.id, sessionToken);
      }
      return changed;
    },
    hasPassword: (accountId) => passwords.has(accountId),
    keys: (accountId) => keys.list(accountId),
    async createKey(accountId, name) {
      const usable = (await keys.list(accountId)).filter(({ revokedAtMs }) => revokedAtMs === null);
      if (usable.length >= MAX_KEYS)
        throw invalid('name', `there are ${MAX_KEYS} keys, which is as many as one account has; revoke one first`);
      return keys.create(accountId, name);
    },
    async renameKey(accountId, keyId, name) {
      const key = await keys.rename(keyId, name, accountId);
      if (key === undefined) throw noKey();
      return key;
    },
    async revokeKey(accountId, keyId) {
      const key = await keys.revoke(keyId, accountId);
      if (key === undefined) throw noKey();
      return key;
    },
    charges: async (accountId, limit) => [...(await credits.entries(accountId, { latest: limit }))].reverse(),
    errors: (accountId, limit) => usage.recentErrors(accountId, limit),
    sessions: (accountId) => sessions.list(accountId),
    endSessions: (accountId) => sessions.endAll(accountId),
    credits: async (accountId) => availableCredits(await credits.balance(accountId)),
  };
}
