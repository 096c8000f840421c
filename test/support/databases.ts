import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';

export interface TestDatabase {
  readonly database: Database;
  /** A second process's connection to the same tables. */
  connect(): Database;
  remove(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  /** Why it cannot be tried here; undefined where it can. */
  readonly missing: string | undefined;
  /** A migrated, empty database of its own. */
  create(): Promise<TestDatabase>;
}

/** Where a test database is: a new SQLite file in a new folder. */
export function sqliteFile(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'burin-database-'));
  return { path: join(folder, 'burin.sqlite'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function prepared(connect: () => Database, remove: (database: Database) => Promise<void>): Promise<TestDatabase> {
  const opened: Database[] = [];
  const open = () => {
    const database = connect();
    opened.push(database);
    return database;
  };
  const database = open();
  await migrate(database);
  return {
    database,
    connect: open,
    async remove() {
      for (const other of opened.slice(1)) await other.close();
      await remove(database);
    },
  };
}

const sqlite: DatabaseKind = {
  name: 'SQLite',
  missing: undefined,
  create() {
    const file = sqliteFile();
    return prepared(
      () => createDatabase(`sqlite:${file.path}`),
      async (database) => {
        await database.close();
        file.remove();
      },
    );
  },
};

const postgresUrl = process.env.BURIN_TEST_POSTGRES_URL;

/** Postgres is asked for by an address, and its driver is no part of the embedded default. */
function missingForPostgres(): string | undefined {
  if (postgresUrl === undefined) return 'BURIN_TEST_POSTGRES_URL is not set';
  try {
    createRequire(import.meta.url).resolve('pg');
    return undefined;
  } catch {
    return 'the package pg is not installed';
  }
}

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  missing: missingForPostgres(),
  create() {
    const schema = `burin_test_${randomBytes(8).toString('hex')}`;
    return prepared(
      () => createDatabase(postgresUrl as string, { schema }),
      async (database) => {
        await database.knex.raw('DROP SCHEMA IF EXISTS ?? CASCADE', [schema]);
        await database.close();
      },
    );
  },
};

/** Every make of database that the service runs on. */
export const DATABASE_KINDS: readonly DatabaseKind[] = [sqlite, postgres];
