import type { AccountRepository, NewAccount } from '#application/ports/account-repository.js';
import type { Clock } from '#application/ports/clock.js';
import type { Account, AccountRole } from '#domain/accounts/account.js';
import { emailTaken } from './email-taken.js';
import { randomId } from './secrets.js';

/** Called when an account goes, so that what belongs to it goes too. */
export type RemovalListener = (accountId: string, ledgerAlias: string) => void;

export interface MemoryAccountRepository extends AccountRepository {
  onRemove(listener: RemovalListener): void;
}

/** An AccountRepository that lasts as long as the process. The other memory stores listen to it. */
export function createMemoryAccountRepository({ clock }: { readonly clock: Clock }): MemoryAccountRepository {
  const accounts = new Map<string, Account>();
  const listeners: RemovalListener[] = [];
  const first = (wanted: (account: Account) => boolean) => [...accounts.values()].find(wanted);

  const assertFree = (email: string | null | undefined, id?: string) => {
    if (email && first((account) => account.email === email && account.id !== id)) throw emailTaken(email);
  };
  const put = ({ email, plan }: NewAccount, role: AccountRole): Account => {
    assertFree(email);
    const account: Account = { id: randomId(), role, email, plan, status: 'active', createdAtMs: clock.wallMs() };
    accounts.set(account.id, account);
    return account;
  };

  return {
    create: async (account) => put(account, 'member'),
    async ensureOwner() {
      const owner = first(({ role }) => role === 'owner');
      if (owner !== undefined) return { account: owner, created: false };
      return { account: put({ email: null, plan: 'pro' }, 'owner'), created: true };
    },
    find: async (id) => accounts.get(id),
    findByEmail: async (email) => first((account) => account.email === email),
    owner: async () => first(({ role }) => role === 'owner'),
    list: async () => [...accounts.values()],
    async change(id, changes) {
      const account = accounts.get(id);
      if (account === undefined) return undefined;
      assertFree(changes.email, id);
      const changed = { ...account, ...changes };
      accounts.set(id, changed);
      return changed;
    },
    async remove(id) {
      if (!accounts.delete(id)) return undefined;
      const ledgerAlias = `removed-${randomId()}`;
      for (const listener of listeners) listener(id, ledgerAlias);
      return { ledgerAlias };
    },
    onRemove: (listener) => void listeners.push(listener),
  };
}
