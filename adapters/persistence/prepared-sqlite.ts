import knexModule, { type Knex } from 'knex';

/** As sqlite3 has it. */
interface Statement {
  run(values: readonly unknown[], done: (this: RunContext, error: Error | null) => void): void;
  all(values: readonly unknown[], done: (error: Error | null, rows: unknown) => void): void;
  finalize(done: () => void): void;
}
interface RunContext {
  readonly lastID: number;
  readonly changes: number;
}
interface Connection {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
  close(done: (error: Error | null) => void): void;
}
/** A query of knex's, and what came of it. */
interface Query {
  readonly sql: string;
  readonly method?: string;
  readonly bindings?: readonly unknown[];
  readonly returning?: unknown;
  response?: unknown;
  context?: RunContext;
}
type ClientClass = new (
  config: Knex.Config,
) => Knex.Client & {
  _query(connection: Connection, query: Query): Promise<Query>;
  destroyRawConnection(connection: Connection): Promise<void>;
};

/** What is asked again and again; anything else is prepared each time. */
const REPEATED = /^\s*(select|insert|update|delete|begin|commit|rollback)\b/i;
/** Those asked longest ago go: lists of every length are texts of their own. */
const MAX_STATEMENTS = 200;
const WRITES: ReadonlySet<string | undefined> = new Set(['insert', 'update', 'counter', 'del']);

/**
 * knex's client for sqlite3, with statements that are kept: one journey to another thread and back instead of two, and each of
 * those costs more than the statement does.
 */
export function createPreparedSqliteClient(): typeof Knex.Client {
  const Client = knexModule({ client: 'sqlite3', useNullAsDefault: true }).client.constructor as ClientClass;
  const kept = new WeakMap<Connection, Map<string, Statement>>();

  const prepare = (connection: Connection, sql: string) =>
    new Promise<Statement>((resolve, reject) => {
      const statement: Statement = connection.prepare(sql, (error) =>
        error === null ? resolve(statement) : reject(error),
      );
    });
  const statementFor = async (connection: Connection, sql: string): Promise<Statement> => {
    const statements = kept.get(connection) ?? new Map<string, Statement>();
    kept.set(connection, statements);
    // Another may have prepared it while this one waited.
    const prepared = statements.get(sql) ?? (await prepare(connection, sql));
    const statement = statements.get(sql) ?? prepared;
    if (statement !== prepared) prepared.finalize(() => {});
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements;
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) {
      statements.delete(oldest[0]);
      oldest[1].finalize(() => {});
    }
    return statement;
  };

  return class PreparedClient extends Client {
    override async _query(connection: Connection, query: Query): Promise<Query> {
      if (!connection?.prepare || !REPEATED.test(query.sql)) return super._query(connection, query);
      const statement = await statementFor(connection, query.sql);
      const { bindings = [], method, returning } = query;
      return new Promise((resolve, reject) => {
        if (WRITES.has(method) && !returning)
          statement.run(bindings, function (error) {
            if (error !== null) return reject(error);
            // The statement's own figures are those of its last run.
            query.context = { lastID: this.lastID, changes: this.changes };
            resolve(query);
          });
        else
          statement.all(bindings, (error, rows) => {
            if (error !== null) return reject(error);
            query.response = rows;
            resolve(query);
          });
      });
    }
    override async destroyRawConnection(connection: Connection): Promise<void> {
      for (const statement of kept.get(connection)?.values() ?? []) statement.finalize(() => {});
      kept.delete(connection);
      await super.destroyRawConnection(connection);
    }
  } as unknown as typeof Knex.Client;
}
