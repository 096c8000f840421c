import type { Passwords } from '#application/ports/passwords.js';
import { assertPassword } from '#domain/accounts/account.js';
import { ServiceError } from '#domain/errors.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { hashPassword, isPassword } from './scrypt-password.js';

export function createMemoryPasswords({ accounts }: { readonly accounts: MemoryAccountRepository }): Passwords {
  const hashes = new Map<string, string>();
  accounts.onRemove((accountId) => void hashes.delete(accountId));
  return {
    async set(accountId, password) {
      assertPassword(password);
      if ((await accounts.find(accountId)) === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      hashes.set(accountId, await hashPassword(password));
    },
    async check(email, password) {
      const account = await accounts.findByEmail(email.trim().toLowerCase());
      return (await isPassword(password, account && hashes.get(account.id))) ? account?.id : undefined;
    },
    has: async (accountId) => hashes.has(accountId),
  };
}
