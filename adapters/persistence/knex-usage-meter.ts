import type { Knex } from 'knex';
import type { Clock } from '#application/ports/clock.js';
import { USAGE_DAYS, type UsageDay, type UsageMeter } from '#application/ports/usage-meter.js';
import { dayOf, lastDays } from '#domain/credits/period.js';
import { type Database, isForeignKeyViolation, type Transaction } from './create-database.js';
import { gather } from './gather.js';
import { addEvent, ERROR_LIFETIME_MS, emptyDay, MAX_ERRORS_PER_ACCOUNT } from './usage-counts.js';

interface DayRow extends UsageDay {
  readonly account_id: string;
}

interface ErrorRow {
  readonly account_id: string;
  readonly request_id: string;
  readonly code: string;
  readonly message: string;
  readonly operation: string;
  readonly at_ms: number | string;
}

const COUNTS = ['conversions', 'exports', 'credits_used', 'failures'] as const;
/** Rows of one statement; SQLite takes less than 500. */
const MAX_EVENTS = 200;
/** Six values a row; SQLite takes less than a thousand in one statement where it is old. */
const MAX_ERRORS_AT_ONCE = 100;

/** The accounts of these rows that have not gone meanwhile. */
async function thereOf(trx: Transaction, rows: readonly { readonly account_id: string }[]): Promise<Set<string>> {
  const wanted = [...new Set(rows.map(({ account_id }) => account_id))];
  return new Set<string>(await trx('accounts').whereIn('id', wanted).pluck('id'));
}

export function createKnexUsageMeter({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): UsageMeter {
  const { knex } = database;

  const addDays = async (rows: readonly DayRow[]) => {
    const days = new Map<string, DayRow>();
    for (const row of rows) {
      const name = JSON.stringify([row.account_id, row.date]);
      const sum = days.get(name) ?? { account_id: row.account_id, ...emptyDay(row.date) };
      days.set(name, { ...sum, ...Object.fromEntries(COUNTS.map((count) => [count, sum[count] + row[count]])) });
    }
    // In one order, so that two who add never wait for each other.
    const all = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day);
    const write = (asked: Knex, some: readonly DayRow[]) =>
      asked('usage_days')
        .insert(some)
        .onConflict(['account_id', 'date'])
        .merge(
          Object.fromEntries(
            COUNTS.map((count) => [count, asked.raw('?? + ??', [`usage_days.${count}`, `excluded.${count}`])]),
          ),
        );
    try {
      await write(knex, all);
    } catch (error) {
      // Of anything else it is not known whether it was written; nothing is counted twice.
      if (!isForeignKeyViolation(error)) throw error;
      // Accounts that went meanwhile take their usage with them.
      await database.transaction(async (trx) => {
        const there = await thereOf(trx, rows);
        const known = all.filter(({ account_id }) => there.has(account_id));
        if (known.length > 0) await write(trx, known);
      });
    }
    return rows.map(() => undefined);
  };
  const add = gather(addDays, MAX_EVENTS);

  const addErrors = async (rows: readonly ErrorRow[]) => {
    await database.transaction(async (trx) => {
      const there = await thereOf(trx, rows);
      const known = rows.filter(({ account_id }) => there.has(account_id));
      if (known.length > 0) await trx('account_errors').insert(known);
    });
    return rows.map(() => undefined);
  };
  // Who is refused by the hundred must not keep the ledger busy.
  const addError = gather(addErrors, MAX_ERRORS_AT_ONCE);

  return {
    async record(event) {
      await add({ account_id: event.accountId, ...addEvent(emptyDay(dayOf(clock.wallMs())), event) });
    },
    async history(accountId) {
      const dates = lastDays(clock.wallMs(), USAGE_DAYS);
      const rows = await knex('usage_days')
        .where({ account_id: accountId })
        .whereIn('date', dates)
        .select<UsageDay[]>('date', ...COUNTS);
      const byDate = new Map(rows.map((row) => [row.date, row]));
      return dates.map((date) => byDate.get(date) ?? emptyDay(date));
    },
    async recordError({ accountId, requestId, code, message, operation }) {
      const row: ErrorRow = {
        account_id: accountId,
        request_id: requestId,
        code,
        message,
        operation,
        at_ms: clock.wallMs(),
      };
      await addError(row);
    },
    async recentErrors(accountId, limit) {
      const rows = await knex('account_errors')
        .where({ account_id: accountId })
        .where('at_ms', '>', clock.wallMs() - ERROR_LIFETIME_MS)
        .orderBy('id', 'desc')
        .limit(Math.min(limit, MAX_ERRORS_PER_ACCOUNT))
        .select<ErrorRow[]>('request_id', 'code', 'message', 'operation', 'at_ms');
      return rows.map(({ request_id, at_ms, ...row }) => ({
        accountId,
        requestId: request_id,
        code: row.code,
        message: row.message,
        operation: row.operation,
        atMs: Number(at_ms),
      }));
    },
    async sweep() {
      const nowMs = clock.wallMs();
      const [oldest] = lastDays(nowMs, USAGE_DAYS);
      let gone = await knex('usage_days')
        .where('date', '<', oldest as string)
        .delete();
      gone += await knex('account_errors')
        .where('at_ms', '<=', nowMs - ERROR_LIFETIME_MS)
        .delete();
      const crowded: { account_id: string }[] = await knex('account_errors')
        .groupBy('account_id')
        .havingRaw('count(*) > ?', [MAX_ERRORS_PER_ACCOUNT])
        .select('account_id');
      for (const { account_id } of crowded) {
        const [firstGone] = await knex('account_errors')
          .where({ account_id })
          .orderBy('id', 'desc')
          .offset(MAX_ERRORS_PER_ACCOUNT)
          .limit(1)
          .pluck('id');
        gone += await knex('account_errors').where({ account_id }).where('id', '<=', firstGone).delete();
      }
      return gone;
    },
  };
}
