import type { Clock } from '#application/ports/clock.js';
import type { SignInLink, SignInLinks } from '#application/ports/sign-in-links.js';
import { LINK_LIFETIMES_MS, type LinkPurpose } from '#domain/accounts/account.js';
import { assertAccount } from './assert-account.js';
import type { Database } from './create-database.js';
import { hashSecret, randomSecret } from './secrets.js';

interface LinkRow {
  readonly token_hash: string;
  readonly account_id: string;
  readonly purpose: string;
  readonly expires_at_ms: number | string;
}

const toLink = (row: LinkRow): SignInLink => ({
  accountId: row.account_id,
  purpose: row.purpose as LinkPurpose,
  expiresAtMs: Number(row.expires_at_ms),
});

export function createKnexSignInLinks({
  database: { knex },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): SignInLinks {
  const lasting = (token: string) =>
    knex('sign_in_links')
      .where({ token_hash: hashSecret(token) })
      .where('expires_at_ms', '>', clock.wallMs());
  return {
    async create(accountId, purpose) {
      await assertAccount(knex, accountId);
      const token = randomSecret();
      const row: LinkRow = {
        token_hash: hashSecret(token),
        account_id: accountId,
        purpose,
        expires_at_ms: clock.wallMs() + LINK_LIFETIMES_MS[purpose],
      };
      await knex('sign_in_links').insert(row);
      return { ...toLink(row), token };
    },
    async find(token) {
      const [row] = await lasting(token).select<LinkRow[]>('*');
      return row && toLink(row);
    },
    async redeem(token) {
      const [row] = await lasting(token).select<LinkRow[]>('*');
      // Whose delete finds the row has it.
      const taken = await lasting(token).delete();
      return row && taken > 0 ? toLink(row) : undefined;
    },
    cancelAll: (accountId) => knex('sign_in_links').where({ account_id: accountId }).delete(),
    sweep: () => knex('sign_in_links').where('expires_at_ms', '<=', clock.wallMs()).delete(),
  };
}
