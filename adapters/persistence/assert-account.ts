import type { Knex } from 'knex';
import { ServiceError } from '#domain/errors.js';

/** Rejects with NOT_FOUND where there is no such account. */
export async function assertAccount(knex: Knex, accountId: string): Promise<void> {
  const found = await knex('accounts').where({ id: accountId }).limit(1).pluck('id');
  if (found.length === 0) throw new ServiceError('NOT_FOUND', { what: 'The account' });
}
