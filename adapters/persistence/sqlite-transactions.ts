import knexModule, { type Knex } from 'knex';
import type { Transaction } from './create-database.js';

/** One of a pool; knex's pool makes a new one in the place of one that is disposed of. */
interface Connection {
  __knex__disposed?: unknown;
}
type ClientClass = new (
  config: Knex.Config,
) => Knex.Client & {
  query(connection: Connection, statement: { readonly sql: string; readonly method?: string }): Promise<unknown>;
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
};

/** What SQLite says where a failed statement has already undone the whole transaction. */
const NOTHING_TO_UNDO = /no transaction is active/;

/**
 * Transactions over the one connection of a SQLite database. knex makes a copy of itself for each of its own, which is more
 * work than most of what is done in one, and most of what the process has to sweep up; here one copy serves all, one after the
 * other. Each begins IMMEDIATE: one that reads first and writes later would fail where another process wrote in between.
 */
export function createSqliteTransactions(knex: Knex, client: typeof Knex.Client) {
  const { client: outer } = knex as Knex & { readonly client: InstanceType<ClientClass> };
  let held: Connection | undefined;

  class WithinClient extends (client as unknown as ClientClass) {
    override async acquireConnection(): Promise<Connection> {
      if (held === undefined) throw new Error('a statement came after the end of its transaction');
      return held;
    }
    override async releaseConnection(): Promise<void> {}
  }
  // Without a connection of its own there is no pool.
  const within = knexModule({ client: WithinClient as unknown as typeof Knex.Client, useNullAsDefault: true });

  return async <T>(work: (trx: Transaction) => Promise<T>): Promise<T> => {
    const connection = await outer.acquireConnection();
    const ask = (sql: string) => outer.query(connection, { sql, method: 'raw' });
    try {
      await ask('BEGIN IMMEDIATE;');
      held = connection;
      try {
        const answer = await work(within as unknown as Transaction);
        await ask('COMMIT;');
        return answer;
      } catch (error) {
        await ask('ROLLBACK;').catch((fault: unknown) => {
          // Nobody knows what it is in the middle of.
          if (!NOTHING_TO_UNDO.test(String(fault))) connection.__knex__disposed = fault;
        });
        throw error;
      }
    } finally {
      held = undefined;
      await outer.releaseConnection(connection);
    }
  };
}
