import type { Clock } from '#application/ports/clock.js';
import type { ApiKey, KeyRing } from '#application/ports/key-ring.js';
import { createKeyText, findByHash, LAST_USE_STEP_MS, MAX_KEY_NAME_LENGTH, prefixOf } from './api-key-text.js';
import { assertAccount } from './assert-account.js';
import type { Database } from './create-database.js';
import { gather } from './gather.js';
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from './knex-account-repository.js';
import { randomId } from './secrets.js';

interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly secret_hash: string;
  readonly name: string;
  readonly created_at_ms: number | string;
  readonly last_used_at_ms: number | string | null;
  readonly revoked_at_ms: number | string | null;
}

type OwnedKeyRow = KeyRow & Readonly<Record<`owner_${string}`, unknown>>;

/** Of one statement. */
const MAX_LOOKUPS = 200;

const timeOrNull = (value: number | string | null) => (value === null ? null : Number(value));
const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  accountId: row.account_id,
  prefix: row.prefix,
  name: row.name,
  createdAtMs: Number(row.created_at_ms),
  lastUsedAtMs: timeOrNull(row.last_used_at_ms),
  revokedAtMs: timeOrNull(row.revoked_at_ms),
});

export function createKnexKeyRing({
  database: { knex },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): KeyRing {
  const lookUpAll = async (prefixes: readonly string[]): Promise<readonly OwnedKeyRow[][]> => {
    const rows: readonly OwnedKeyRow[] = await knex('api_keys')
      .join('accounts', 'accounts.id', 'api_keys.account_id')
      .whereIn('prefix', [...new Set(prefixes)])
      .whereNull('revoked_at_ms')
      .select('api_keys.*', ...ACCOUNT_COLUMNS.map((column) => `accounts.${column} as owner_${column}`));
    return prefixes.map((prefix) => rows.filter((row) => row.prefix === prefix));
  };
  // Asked for every request, and many may come at once.
  const lookUp = gather(lookUpAll, MAX_LOOKUPS);
  return {
    async create(accountId, name) {
      await assertAccount(knex, accountId);
      const { secret, prefix, hash } = createKeyText();
      const row: KeyRow = {
        id: randomId(),
        account_id: accountId,
        prefix,
        secret_hash: hash,
        name: name.slice(0, MAX_KEY_NAME_LENGTH),
        created_at_ms: clock.wallMs(),
        last_used_at_ms: null,
        revoked_at_ms: null,
      };
      await knex('api_keys').insert(row);
      return { key: toKey(row), secret };
    },
    async list(accountId) {
      const keys = knex('api_keys').select<KeyRow[]>('*').orderBy(['created_at_ms', 'id']);
      return (await (accountId === undefined ? keys : keys.where({ account_id: accountId }))).map(toKey);
    },
    async revoke(idOrPrefix, accountId) {
      const named = knex('api_keys')
        .select<KeyRow[]>('*')
        .where((either) => either.where({ id: idOrPrefix }).orWhere({ prefix: idOrPrefix }));
      const [row] = await (accountId === undefined ? named : named.where({ account_id: accountId }));
      if (row === undefined) return undefined;
      await knex('api_keys').where({ id: row.id }).whereNull('revoked_at_ms').update({ revoked_at_ms: clock.wallMs() });
      const [revoked] = await knex('api_keys').select<KeyRow[]>('*').where({ id: row.id });
      return revoked && toKey(revoked);
    },
    async rename(id, name, accountId) {
      const own = () => knex('api_keys').where({ id, account_id: accountId });
      await own().update({ name: name.slice(0, MAX_KEY_NAME_LENGTH) });
      const [row] = await own().select<KeyRow[]>('*');
      return row && toKey(row);
    },
    async authenticate(secret) {
      const prefix = prefixOf(secret);
      if (prefix === undefined) return undefined;
      const rows = await lookUp(prefix);
      const row = findByHash(
        rows.map((found) => ({ ...found, hash: found.secret_hash })),
        secret,
      );
      if (row === undefined) return undefined;
      const key = toKey(row);
      const nowMs = clock.wallMs();
      if (key.lastUsedAtMs === null || key.lastUsedAtMs <= nowMs - LAST_USE_STEP_MS)
        await knex('api_keys').where({ id: key.id }).update({ last_used_at_ms: nowMs });
      const owner = Object.fromEntries(
        ACCOUNT_COLUMNS.map((column) => [column, (row as OwnedKeyRow)[`owner_${column}`]]),
      );
      return { key, account: toAccount(owner as unknown as AccountRow) };
    },
  };
}
