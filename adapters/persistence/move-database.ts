import type { Knex } from 'knex';
import { invalid } from '#domain/errors.js';
import type { Database, Transaction } from './create-database.js';
import { MIGRATIONS_TABLE, migrate } from './migrate.js';

export interface MovedTable {
  readonly name: string;
  readonly rows: number;
}

/** Rows of one statement; with the most columns of any table, Postgres' limit of parameters is far. */
const ROWS_AT_ONCE = 500;
const ROW_ID = 'moved_row_id';
/** Others refer to it, so it comes first. */
const FIRST_TABLE = 'accounts';
/** Tables whose rows are numbered by the database: the next number must be new. */
const NUMBERED = ['credit_entries', 'account_errors'] as const;

/** How much is in a table: its rows, and the sum of each of its columns of whole numbers. */
type Measure = Readonly<Record<string, string>>;

async function tablesOf(trx: Transaction): Promise<readonly string[]> {
  const names: string[] = await trx('sqlite_master').where({ type: 'table' }).orderBy('name').pluck('name');
  const own = names.filter((name) => !name.startsWith('sqlite_') && name !== MIGRATIONS_TABLE);
  return [...own].sort((a, b) => Number(b === FIRST_TABLE) - Number(a === FIRST_TABLE));
}

/** Columns of whole numbers, by the source's own account: its types are those that it was made with. */
async function numbersOf(trx: Transaction, table: string): Promise<readonly string[]> {
  const columns: { name: string; type: string }[] = await trx.raw('SELECT name, type FROM pragma_table_info(?)', [
    table,
  ]);
  return columns.filter(({ type }) => /int/i.test(type)).map(({ name }) => name);
}

async function measure(trx: Transaction, table: string, numbers: readonly string[]): Promise<Measure> {
  const sums = numbers.map((name) => trx.raw('COALESCE(SUM(??), 0) AS ??', [name, name]));
  const [row] = await trx(table).select<Record<string, number | string>[]>(trx.raw('COUNT(*) AS row_count'), ...sums);
  // Drivers give large numbers as text.
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, String(value)]));
}

async function copy(from: Transaction, to: Transaction, table: string): Promise<void> {
  for (let last = -1; ; ) {
    const rows: Record<string, unknown>[] = await from(table)
      .whereRaw('rowid > ?', [last])
      .orderByRaw('rowid')
      .limit(ROWS_AT_ONCE)
      .select('*', from.raw('rowid AS ??', [ROW_ID]));
    if (rows.length === 0) return;
    last = rows.at(-1)?.[ROW_ID] as number;
    await to(table).insert(rows.map(({ [ROW_ID]: _, ...row }) => row));
  }
}

async function continueNumbers(to: Transaction, table: string): Promise<void> {
  await to.raw(`SELECT setval(pg_get_serial_sequence(?, 'id'), COALESCE(MAX(id), 0) + 1, false) FROM ??`, [
    table,
    table,
  ]);
}

async function isEmpty(to: Knex, table: string): Promise<boolean> {
  return (await to(table).limit(1).select(to.raw('1'))).length === 0;
}

/**
 * Copies everything that a SQLite database holds to an empty Postgres database, whole or not at all, with nobody writing to
 * either meanwhile; the source stays as it is. Counts and sums of both are compared before it counts. Rejects with
 * INVALID_REQUEST where the source is not SQLite, the target is not Postgres, or something is in it.
 */
export async function moveDatabase(from: Database, to: Database): Promise<readonly MovedTable[]> {
  if (from.make !== 'sqlite') throw invalid('BURIN_DATABASE_URL', 'only a SQLite database can be moved; use pg_dump');
  if (to.make !== 'postgres')
    throw invalid('--to', 'is no postgres:// address; a SQLite database is copied by burin backup');
  await migrate(from);
  await migrate(to);
  return from.exclusively((source) =>
    to.exclusively(async (target) => {
      const tables = await tablesOf(source);
      for (const table of tables)
        if (!(await isEmpty(target, table)))
          throw invalid('--to', `its table ${table} is not empty; give a new database`);
      const moved: MovedTable[] = [];
      for (const table of tables) {
        await copy(source, target, table);
        const numbers = await numbersOf(source, table);
        const [before, after] = [await measure(source, table, numbers), await measure(target, table, numbers)];
        for (const [name, value] of Object.entries(before))
          if (after[name] !== value)
            throw new Error(
              `${table}: ${name} is ${value} in the source and ${after[name]} in the target; nothing was moved.`,
            );
        moved.push({ name: table, rows: Number(before.row_count) });
      }
      for (const table of NUMBERED) await continueNumbers(target, table);
      return moved;
    }),
  );
}
