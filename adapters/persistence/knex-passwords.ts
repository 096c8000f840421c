import type { Passwords } from '#application/ports/passwords.js';
import { assertPassword } from '#domain/accounts/account.js';
import { assertAccount } from './assert-account.js';
import type { Database } from './create-database.js';
import { hashPassword, isPassword } from './scrypt-password.js';

export function createKnexPasswords({ database: { knex } }: { readonly database: Database }): Passwords {
  return {
    async set(accountId, password) {
      assertPassword(password);
      await assertAccount(knex, accountId);
      await knex('passwords')
        .insert({ account_id: accountId, scrypt: await hashPassword(password) })
        .onConflict('account_id')
        .merge(['scrypt']);
    },
    async check(email, password) {
      const [row] = await knex('passwords')
        .join('accounts', 'accounts.id', 'passwords.account_id')
        .where({ email: email.trim().toLowerCase() })
        .select<{ account_id: string; scrypt: string }[]>('account_id', 'scrypt');
      return (await isPassword(password, row?.scrypt)) ? row?.account_id : undefined;
    },
    has: async (accountId) =>
      (await knex('passwords').where({ account_id: accountId }).limit(1).pluck('account_id')).length > 0,
  };
}
