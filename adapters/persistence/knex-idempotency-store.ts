import type { Clock } from '#application/ports/clock.js';
import type {
  IdempotencyStore,
  IdempotentRequest,
  IdempotentWork,
  StoredAnswer,
} from '#application/ports/idempotency-store.js';
import type { Database } from './create-database.js';
import { ANSWER_LIFETIME_MS, assertIdempotencyKey, LEASE_MS, packBody, unpackBody } from './idempotency-rules.js';
import { randomId } from './secrets.js';

/** The lease of work that failed: nobody's. What it may have been paid under stays known to a retry. */
const FREE = '';
const TABLE = 'idempotency_records';

interface RecordRow {
  readonly caller: string;
  readonly key: string;
  readonly id: string;
  readonly fingerprint: string;
  /** Whose work it is now; nobody else may end it. */
  readonly lease: string;
  readonly lease_until_ms: number | string;
  readonly expires_at_ms: number | string;
  /** Null while under way. */
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
}

export interface KnexIdempotencyStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly leaseMs?: number;
}

export function createKnexIdempotencyStore(deps: KnexIdempotencyStoreDeps): IdempotencyStore {
  const {
    database: { knex },
    clock,
    leaseMs = LEASE_MS,
  } = deps;

  const workOn = (id: string, lease: string): IdempotentWork => {
    const mine = () => knex(TABLE).where({ id, lease }).whereNull('status');
    return {
      state: 'new',
      id,
      async renew() {
        await mine().update({ lease_until_ms: clock.wallMs() + leaseMs });
      },
      async finish({ status, headers, body }) {
        await mine().update({ status, headers: JSON.stringify(headers), body: await packBody(body) });
      },
      async free() {
        await mine()
          .update({ lease: FREE, lease_until_ms: 0 })
          .catch(() => 0);
      },
    };
  };

  /** Undefined where somebody else was quicker, who is to be looked at again. */
  async function beginNew({ caller, key, fingerprint }: IdempotentRequest): Promise<IdempotentWork | undefined> {
    const nowMs = clock.wallMs();
    const [id, lease] = [randomId(), randomId()];
    const written = await knex(TABLE)
      .insert({
        caller,
        key,
        id,
        fingerprint,
        lease,
        lease_until_ms: nowMs + leaseMs,
        expires_at_ms: nowMs + ANSWER_LIFETIME_MS,
      })
      .onConflict(['caller', 'key'])
      .ignore()
      .returning('id');
    return written.length === 0 ? undefined : workOn(id, lease);
  }

  async function takeOver(row: RecordRow): Promise<IdempotentWork | undefined> {
    const lease = randomId();
    const taken = await knex(TABLE)
      .where({ id: row.id, lease: row.lease, lease_until_ms: row.lease_until_ms })
      .whereNull('status')
      .update({ lease, lease_until_ms: clock.wallMs() + leaseMs });
    return taken === 0 ? undefined : workOn(row.id, lease);
  }

  return {
    async begin(request) {
      assertIdempotencyKey(request.key);
      const { caller, key, fingerprint } = request;
      for (;;) {
        const [row]: RecordRow[] = await knex(TABLE).where({ caller, key });
        const nowMs = clock.wallMs();
        if (row === undefined || Number(row.expires_at_ms) <= nowMs) {
          if (row !== undefined) await knex(TABLE).where({ id: row.id }).delete();
          const work = await beginNew(request);
          if (work !== undefined) return work;
          continue;
        }
        if (row.fingerprint !== fingerprint) {
          if (row.lease !== FREE || row.status !== null) return { state: 'conflict' };
          await knex(TABLE).where({ id: row.id, lease: FREE }).delete();
          continue;
        }
        if (row.status !== null) {
          const headers = JSON.parse(row.headers ?? '{}') as StoredAnswer['headers'];
          const body = await unpackBody(row.body ?? new Uint8Array());
          return { state: 'replay', answer: { status: row.status, headers, body } };
        }
        if (Number(row.lease_until_ms) > nowMs) return { state: 'in-flight' };
        const work = await takeOver(row);
        if (work !== undefined) return work;
      }
    },
    sweep: () => knex(TABLE).where('expires_at_ms', '<=', clock.wallMs()).delete(),
  };
}
