import type { AccountFiles } from '#application/ports/account-files.js';
import type { Clock } from '#application/ports/clock.js';
import type { Database } from './create-database.js';

export function createKnexAccountFiles({
  database: { knex },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): AccountFiles {
  return {
    async add(accountId, { basename, expiresAtMs }) {
      await knex('account_files').insert({ basename, account_id: accountId, expires_at_ms: expiresAtMs });
    },
    list: (accountId) =>
      knex('account_files')
        .where({ account_id: accountId })
        .where('expires_at_ms', '>', clock.wallMs())
        .orderBy(['expires_at_ms', 'basename'])
        .pluck('basename'),
    sweep: () => knex('account_files').where('expires_at_ms', '<=', clock.wallMs()).delete(),
  };
}
