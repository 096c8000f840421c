import type { Database } from './create-database.js';
import { migrations } from './migrations/index.js';
import type { Migration } from './migrations/migration.js';

/** What has been done to a database is noted in it. */
export const MIGRATIONS_TABLE = 'burin_migrations';

/**
 * Takes the steps that this database has not seen, and answers their names. All of them or none, and one process at a
 * time: a second one that starts meanwhile waits and finds nothing left to do. Rejects where the database is of a newer Burin.
 */
export const migrate = (database: Database, steps: readonly Migration[] = migrations): Promise<readonly string[]> =>
  database.exclusively(async (trx) => {
    if (!(await trx.schema.hasTable(MIGRATIONS_TABLE)))
      await trx.schema.createTable(MIGRATIONS_TABLE, (table) => {
        table.string('name').notNullable().primary();
        table.string('taken_at').notNullable();
      });
    const taken = new Set<string>(await trx(MIGRATIONS_TABLE).pluck('name'));
    const unknown = [...taken].filter((name) => !steps.some((step) => step.name === name));
    if (unknown.length > 0)
      throw new Error(
        `The database was changed by a newer version of Burin (${unknown.join(', ')}); run that version.`,
      );

    const missing = steps.filter(({ name }) => !taken.has(name));
    for (const { name, up } of missing) {
      await up(trx);
      await trx(MIGRATIONS_TABLE).insert({ name, taken_at: new Date().toISOString() });
    }
    return missing.map(({ name }) => name);
  });
