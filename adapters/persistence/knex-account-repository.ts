import type { AccountRepository } from '#application/ports/account-repository.js';
import type { Clock } from '#application/ports/clock.js';
import type { Account, AccountRole, AccountStatus } from '#domain/accounts/account.js';
import type { AccountPlanId } from '#domain/credits/plans.js';
import { type Database, isUniqueViolation, type Transaction } from './create-database.js';
import { emailTaken } from './email-taken.js';
import { randomId } from './secrets.js';

export interface AccountRow {
  readonly id: string;
  readonly role: string;
  readonly email: string | null;
  readonly plan: string;
  readonly status: string;
  /** Text where the driver gives 64-bit numbers as text. */
  readonly created_at_ms: number | string;
}

export const ACCOUNT_COLUMNS: readonly string[] = ['id', 'role', 'email', 'plan', 'status', 'created_at_ms'];

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  role: row.role as AccountRole,
  email: row.email,
  plan: row.plan as AccountPlanId,
  status: row.status as AccountStatus,
  createdAtMs: Number(row.created_at_ms),
});

/** Tables whose `caller` is an account's id without being a foreign key. */
const CALLER_TABLES = ['idempotency_records', 'paid_pictures'] as const;

export function createKnexAccountRepository({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): AccountRepository {
  const { knex } = database;
  const select = () => knex('accounts').select<AccountRow[]>(ACCOUNT_COLUMNS);
  const one = async (where: Partial<AccountRow>): Promise<Account | undefined> => {
    const [row] = await select().where(where).limit(1);
    return row && toAccount(row);
  };

  /** The account with its balance, or undefined where an index refuses it. */
  async function insert(
    trx: Transaction,
    account: { readonly role: AccountRole; readonly email: string | null; readonly plan: AccountPlanId },
  ): Promise<Account | undefined> {
    const row = { ...account, id: randomId(), status: 'active', created_at_ms: clock.wallMs() };
    const ownerSlot = account.role === 'owner' ? 1 : null;
    const written = await trx('accounts')
      .insert({ ...row, owner_slot: ownerSlot })
      .onConflict()
      .ignore()
      .returning('id');
    if (written.length === 0) return undefined;
    await trx('credit_balances').insert({ account_id: row.id, period: '', quota: 0, monthly: 0, pack: 0, used: 0 });
    return toAccount(row);
  }

  return {
    async create({ email, plan }) {
      const account = await database.transaction((trx) => insert(trx, { role: 'member', email, plan }));
      if (account === undefined) throw emailTaken(email ?? '');
      return account;
    },
    async ensureOwner() {
      const created = await database.transaction((trx) => insert(trx, { role: 'owner', email: null, plan: 'pro' }));
      if (created !== undefined) return { account: created, created: true };
      return { account: (await one({ role: 'owner' })) as Account, created: false };
    },
    find: (id) => one({ id }),
    findByEmail: (email) => one({ email }),
    owner: () => one({ role: 'owner' }),
    list: async () => (await select().orderBy(['created_at_ms', 'id'])).map(toAccount),
    async change(id, changes) {
      if (Object.keys(changes).length === 0) return one({ id });
      try {
        const [row] = await knex('accounts').where({ id }).update(changes, ACCOUNT_COLUMNS);
        return row && toAccount(row as AccountRow);
      } catch (error) {
        if (isUniqueViolation(error)) throw emailTaken(changes.email ?? '');
        throw error;
      }
    },
    remove: (id) =>
      database.transaction(async (trx) => {
        // Whoever changes its credits holds this lock; the ledger gets its new name when they have finished.
        await trx('credit_balances').where({ account_id: id }).forUpdate().select('account_id');
        const keys: string[] = await trx('api_keys').where({ account_id: id }).pluck('id');
        if ((await trx('accounts').where({ id }).delete()) === 0) return undefined;
        const ledgerAlias = `removed-${randomId()}`;
        await trx('credit_entries').where({ account_id: id }).update({ account_id: ledgerAlias });
        for (const table of CALLER_TABLES)
          await trx(table)
            .whereIn('caller', [id, ...keys])
            .delete();
        return { ledgerAlias };
      }),
  };
}
