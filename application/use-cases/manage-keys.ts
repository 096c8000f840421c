import type { Account } from '#domain/accounts/account.js';
import type { AccountPlanId } from '#domain/credits/plans.js';
import { invalid, ServiceError } from '#domain/errors.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { ApiKey, CreatedKey, KeyRing } from '../ports/key-ring.js';
import { findAccount } from './find-account.js';

export interface NewKey {
  /** Whose key: an id, an address or `owner`. Left out with a plan: a new account of that plan; without one: the owner. */
  readonly account?: string;
  /** The account's plan must be this one. */
  readonly plan?: AccountPlanId;
  /** For people, to tell keys apart. */
  readonly name?: string;
}

export interface ManageKeys {
  /** Rejects with NOT_FOUND without the account, INVALID_REQUEST (field `plan`) where it is on another plan. */
  create(wanted: NewKey): Promise<CreatedKey & { readonly account: Account }>;
  list(account?: string): Promise<readonly ApiKey[]>;
  /** By id or prefix; NOT_FOUND. */
  revoke(idOrPrefix: string, account?: string): Promise<ApiKey>;
}

export interface ManageKeysDeps {
  readonly accounts: AccountRepository;
  readonly keys: KeyRing;
}

export function createManageKeys({ accounts, keys }: ManageKeysDeps): ManageKeys {
  const accountFor = async ({ account: named, plan }: NewKey): Promise<Account> => {
    if (named === undefined && plan !== undefined) return accounts.create({ email: null, plan });
    return findAccount(accounts, named ?? 'owner');
  };
  const idOf = async (name: string | undefined) => name && (await findAccount(accounts, name)).id;
  return {
    async create(wanted) {
      const account = await accountFor(wanted);
      if (wanted.plan !== undefined && account.plan !== wanted.plan)
        throw invalid('plan', `the account is on ${account.plan}, not ${wanted.plan}; its keys are of its own plan`);
      return { account, ...(await keys.create(account.id, wanted.name ?? '')) };
    },
    list: async (account) => keys.list(await idOf(account)),
    async revoke(idOrPrefix, account) {
      const key = await keys.revoke(idOrPrefix, await idOf(account));
      if (key === undefined) throw new ServiceError('NOT_FOUND', { what: `The key ${JSON.stringify(idOrPrefix)}` });
      return key;
    },
  };
}
