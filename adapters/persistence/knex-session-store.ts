import type { Clock } from '#application/ports/clock.js';
import { SESSION_LIFETIMES_MS, type Session, type SessionStore } from '#application/ports/session-store.js';
import { assertAccount } from './assert-account.js';
import type { Database } from './create-database.js';
import { hashSecret, randomId, randomSecret } from './secrets.js';
import { MAX_USER_AGENT_LENGTH } from './session-text.js';

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly token_hash: string;
  readonly user_agent: string;
  readonly created_at_ms: number | string;
  readonly last_used_at_ms: number | string;
  readonly expires_at_ms: number | string;
}

/** Uses are noted this seldom. */
const USE_STEP_MS = 60 * 1000;

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  accountId: row.account_id,
  createdAtMs: Number(row.created_at_ms),
  expiresAtMs: Number(row.expires_at_ms),
  userAgent: row.user_agent,
});

export function createKnexSessionStore({
  database: { knex },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): SessionStore {
  const lasting = () => knex('sessions').where('expires_at_ms', '>', clock.wallMs());
  const expiry = (createdAtMs: number, nowMs: number) =>
    Math.min(nowMs + SESSION_LIFETIMES_MS.idle, createdAtMs + SESSION_LIFETIMES_MS.whole);

  return {
    async open(accountId, userAgent = '') {
      await assertAccount(knex, accountId);
      const token = randomSecret();
      const nowMs = clock.wallMs();
      const row: SessionRow = {
        id: randomId(),
        account_id: accountId,
        token_hash: hashSecret(token),
        user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
        created_at_ms: nowMs,
        last_used_at_ms: nowMs,
        expires_at_ms: expiry(nowMs, nowMs),
      };
      await knex('sessions').insert(row);
      return { session: toSession(row), token };
    },
    async find(token) {
      const [row] = await lasting()
        .where({ token_hash: hashSecret(token) })
        .select<SessionRow[]>('*');
      if (row === undefined) return undefined;
      const nowMs = clock.wallMs();
      if (Number(row.last_used_at_ms) > nowMs - USE_STEP_MS) return toSession(row);
      const used = { last_used_at_ms: nowMs, expires_at_ms: expiry(Number(row.created_at_ms), nowMs) };
      await knex('sessions').where({ id: row.id }).update(used);
      return toSession({ ...row, ...used });
    },
    async rotate(token) {
      const next = randomSecret();
      const [row] = await lasting()
        .where({ token_hash: hashSecret(token) })
        .update({ token_hash: hashSecret(next) }, ['*']);
      return row && { session: toSession(row as SessionRow), token: next };
    },
    async list(accountId) {
      const rows = await lasting()
        .where({ account_id: accountId })
        .orderBy([{ column: 'created_at_ms', order: 'desc' }, { column: 'id' }])
        .select<SessionRow[]>('*');
      return rows.map(toSession);
    },
    end: async (token) =>
      (await lasting()
        .where({ token_hash: hashSecret(token) })
        .delete()) > 0,
    async endAll(accountId, keepToken) {
      const all = lasting().where({ account_id: accountId });
      return (keepToken === undefined ? all : all.whereNot({ token_hash: hashSecret(keepToken) })).delete();
    },
    sweep: () => knex('sessions').where('expires_at_ms', '<=', clock.wallMs()).delete(),
  };
}
