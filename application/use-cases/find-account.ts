import type { Account } from '#domain/accounts/account.js';
import { parseEmail } from '#domain/accounts/account.js';
import { ServiceError } from '#domain/errors.js';
import type { AccountRepository } from '../ports/account-repository.js';

/** The account that people name by id, by address or as `owner`. Rejects with NOT_FOUND. */
export async function findAccount(accounts: AccountRepository, name: string): Promise<Account> {
  const lookUp = () => {
    if (name === 'owner') return accounts.owner();
    return name.includes('@') ? accounts.findByEmail(parseEmail(name, 'account')) : accounts.find(name);
  };
  const account = await lookUp();
  if (account === undefined) throw new ServiceError('NOT_FOUND', { what: `The account ${JSON.stringify(name)}` });
  return account;
}
