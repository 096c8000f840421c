import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import { invalid, ServiceError } from '#domain/errors.js';
import { createPostgres, type PostgresOptions } from './postgres-database.js';
import { createPreparedSqliteClient } from './prepared-sqlite.js';
import { createSqliteTransactions } from './sqlite-transactions.js';

export type Transaction = Knex.Transaction;

/** A database, of whatever make: everything above asks it in knex's words. */
export interface Database {
  readonly make: 'sqlite' | 'postgres';
  readonly knex: Knex;
  /** Runs the work whole or not at all, and again where the database asks for that. Inside it, ask only `trx`. */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** As `transaction`, with no other process inside one at the same time. */
  exclusively<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Writes a consistent copy to a file, while others go on. Rejects with INVALID_REQUEST where something is there already or
   * this make of database has no such copy, OUTPUT_UNWRITABLE where it cannot be written.
   */
  copyTo(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions extends PostgresOptions {
  /** Postgres only: the schema that holds the tables, made where it is missing. */
  readonly schema?: string;
}

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_STEP_MS = 2;
const PRAGMAS = [
  'journal_mode = WAL',
  // A power failure may take the last moments, never the whole; a process that dies takes nothing.
  'synchronous = NORMAL',
  'foreign_keys = ON',
  // Pages, 32 MB of them: what is written again and again moves to its place once, not with every twentieth conversion.
  'wal_autocheckpoint = 8000',
];
const FORMS = 'a file path, sqlite:/path, better-sqlite3:/path or postgres://user@host/database';
/** Whether a unique index refused this. */
export const isUniqueViolation = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return code === '23505' || (code.startsWith('SQLITE_CONSTRAINT') && message.includes('UNIQUE'));
};

/** Whether something was to belong to what is not there. */
export const isForeignKeyViolation = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return code === '23503' || (code.startsWith('SQLITE_CONSTRAINT') && message.includes('FOREIGN KEY'));
};

interface SqliteConnection {
  /** sqlite3 */
  exec(sql: string, done: (error: Error | null) => void): void;
  /** better-sqlite3, which is synchronous */
  pragma?(sql: string): unknown;
}

function preparePragmas(connection: SqliteConnection, done: (error: Error | null, connection: unknown) => void): void {
  if (connection.pragma === undefined) {
    const pragmas = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, ...PRAGMAS];
    connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(''), (error) => done(error, connection));
    return;
  }
  // Even these may wait for another process; the statements after them wait as BusyClient does.
  for (const pragma of [`busy_timeout = ${BUSY_TIMEOUT_MS}`, ...PRAGMAS, 'busy_timeout = 0']) connection.pragma(pragma);
  done(null, connection);
}

type SqliteClientClass = new (
  config: Knex.Config,
) => Knex.Client & { query(connection: unknown, statement: unknown): Promise<unknown> };

/** better-sqlite3 waits with the whole process; here everything else goes on while another holds the lock. */
function createBusyClientClass(): SqliteClientClass {
  const Client = knexModule({ client: 'better-sqlite3', useNullAsDefault: true }).client
    .constructor as SqliteClientClass;
  return class BusyClient extends Client {
    override async query(connection: unknown, statement: unknown): Promise<unknown> {
      for (const lastMs = performance.now() + BUSY_TIMEOUT_MS; ; await setTimeout(BUSY_STEP_MS))
        try {
          return await super.query(connection, statement);
        } catch (error) {
          if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() > lastMs) throw error;
        }
    }
  };
}

function createSqlite(client: 'sqlite3' | 'better-sqlite3', path: string): Database {
  const filename = path === ':memory:' ? path : resolve(path);
  if (filename !== ':memory:') mkdirSync(dirname(filename), { recursive: true });
  const Client =
    client === 'sqlite3' ? createPreparedSqliteClient() : (createBusyClientClass() as unknown as typeof Knex.Client);
  const knex = knexModule({
    client: Client,
    connection: { filename },
    useNullAsDefault: true,
    // One connection: statements of one process never wait for each other's locks.
    pool: { min: 1, max: 1, afterCreate: preparePragmas },
  });
  // Of migrations: a transaction that reads first and writes later would fail where another process wrote in between; IMMEDIATE
  // waits instead.
  const begun = knex.client.transaction.bind(knex.client);
  knex.client.transaction = (...args: unknown[]) => {
    const transaction = begun(...args);
    transaction.begin = (connection: unknown) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  };
  return {
    make: 'sqlite',
    knex,
    transaction: createSqliteTransactions(knex, Client),
    exclusively: (work) => knex.transaction(work),
    async copyTo(to) {
      if (existsSync(to)) throw invalid('file', `${to} is there already; give another name`);
      const unfinished = `${to}.unfinished-${process.pid}`;
      try {
        await knex.raw('VACUUM INTO ?', [unfinished]);
        await rename(unfinished, to);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw new ServiceError(
          'OUTPUT_UNWRITABLE',
          { name: to, problem: 'the copy could not be made' },
          { cause: error },
        );
      }
    },
    close: () => knex.destroy(),
  };
}

/**
 * The database at an address: a file path or `sqlite:` for SQLite, `better-sqlite3:` for the same by another driver,
 * `postgres:` for PostgreSQL. The one place that knows their dialects; a driver that is not the default must be installed.
 * Nothing is asked of it yet. Throws INVALID_REQUEST for an address of another form.
 */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const scheme = /^([a-z][a-z0-9+-]+):/i.exec(url)?.[1]?.toLowerCase();
  const path = scheme === undefined ? url : url.slice(scheme.length + 1).replace(/^\/\/(?=\/)/, '');
  if (path === '') throw invalid('BURIN_DATABASE_URL', `${JSON.stringify(url)} names no database; give ${FORMS}`);
  switch (scheme) {
    case undefined:
    case 'sqlite':
      return createSqlite('sqlite3', path);
    case 'better-sqlite3':
      return createSqlite('better-sqlite3', path);
    case 'postgres':
    case 'postgresql':
      return createPostgres(url, options);
    default:
      throw invalid('BURIN_DATABASE_URL', `there is no database ${scheme}:; give ${FORMS}`);
  }
}
