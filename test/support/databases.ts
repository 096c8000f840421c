import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';

export interface TestDatabase {
  /** For other processes. */
  readonly url: string;
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

async function prepared(url: string, remove: (database: Database) => Promise<void>): Promise<TestDatabase> {
  const opened: Database[] = [];
  const open = () => {
    const database = createDatabase(url);
    opened.push(database);
    return database;
  };
  const database = open();
  await migrate(database);
  return {
    url,
    database,
    connect: open,
    async remove() {
      for (const other of opened.slice(1)) await other.close();
      await remove(database);
    },
  };
}

const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
};

const sqliteBy = (name: string, scheme: string, driver: string): DatabaseKind => ({
  name,
  missing: isInstalled(driver) ? undefined : `the package ${driver} is not installed`,
  create() {
    const file = sqliteFile();
    return prepared(`${scheme}:${file.path}`, async (database) => {
      await database.close();
      file.remove();
    });
  },
});

const postgresUrl = process.env.BURIN_TEST_POSTGRES_URL;

/** Why nothing can be tried on Postgres here; undefined where it can. It is asked for by an address. */
export const POSTGRES_MISSING: string | undefined =
  postgresUrl === undefined
    ? 'BURIN_TEST_POSTGRES_URL is not set'
    : isInstalled('pg')
      ? undefined
      : 'the package pg is not installed';

/** A new schema of the test's server, empty, and the address that leads into it. */
export async function postgresSchema(): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const schema = `burin_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(postgresUrl as string);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const server = createDatabase(postgresUrl as string);
  await server.knex.raw('CREATE SCHEMA ??', [schema]);
  return {
    url: url.href.replaceAll('+', '%20'),
    async remove() {
      await server.knex.raw('DROP SCHEMA IF EXISTS ?? CASCADE', [schema]);
      await server.close();
    },
  };
}

const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  missing: POSTGRES_MISSING,
  async create() {
    const schema = await postgresSchema();
    return prepared(schema.url, async (database) => {
      await database.close();
      await schema.remove();
    });
  },
};

/** Every make of database that the service runs on. */
export const DATABASE_KINDS: readonly DatabaseKind[] = [
  sqliteBy('SQLite', 'sqlite', 'sqlite3'),
  sqliteBy('SQLite by better-sqlite3', 'better-sqlite3', 'better-sqlite3'),
  postgres,
];
