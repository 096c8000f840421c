import knexModule, { type Knex } from 'knex';
import { invalid, ServiceError } from '#domain/errors.js';
import type { Database } from './create-database.js';

export interface PostgresOptions {
  /** Connections of this process at most; 10 when left out. */
  readonly connections?: number;
  /** How long a statement waits for a connection, new or free; 5 s when left out. */
  readonly connectLimitMs?: number;
  /** How long one statement may take, waiting for locks included; 10 s when left out. */
  readonly statementLimitMs?: number;
}

const CONNECTIONS = 10;
const CONNECT_LIMIT_MS = 5000;
const STATEMENT_LIMIT_MS = 10_000;
/** Past the server's own limit an answer will not come any more: the network is gone. */
const ANSWER_GRACE_MS = 2000;
/** Any number that nobody else locks. */
const MIGRATION_LOCK = 0x627572696e;
/** Serialization failure, deadlock: the same transaction may well succeed now. */
const RETRY_CODES = new Set(['40001', '40P01']);
const MAX_TRIES = 5;
const RETRY_AFTER_SECONDS = 5;

/** The other side is gone, going, not there yet, or has no connection left: after this a connection is worth nothing. */
const LOST =
  /^(08...|57P0[1-5]|53300|E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|EAI_AGAIN|ENOTFOUND)$/;
/** The driver gives its own of these no code. */
const LOST_MESSAGE = /Connection terminated|connection error and is not queryable|Query read timeout|timeout expired/;
/** A statement past its limit, and a server that takes no writes while another takes over from it. */
const BUSY = new Set(['57014', '25006']);

const isLost = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return LOST.test(code) || LOST_MESSAGE.test(message);
};
const unavailable = (cause: unknown) =>
  new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'The database', retryAfterSeconds: RETRY_AFTER_SECONDS }, { cause });

interface Connection {
  /** Where set, knex's pool makes a new one in its place. */
  __knex__disposed?: unknown;
  readonly connection?: { readonly stream?: { destroy(): void } };
}
type ClientClass = new (
  config: Knex.Config,
) => Knex.Client & {
  query(connection: Connection, statement: unknown): Promise<unknown>;
  acquireConnection(): Promise<Connection>;
};

/** knex's own client, which says UPSTREAM_UNAVAILABLE where the database, and not the statement, is at fault. */
function createClientClass(): ClientClass {
  // The one way to the class that needs no file of knex's insides; transactions make theirs from it too.
  const PostgresClient = knexModule({ client: 'pg' }).client.constructor as ClientClass;
  return class extends PostgresClient {
    override async query(connection: Connection, statement: unknown): Promise<unknown> {
      try {
        return await super.query(connection, statement);
      } catch (error) {
        if (isLost(error)) {
          connection.__knex__disposed ??= error;
          connection.connection?.stream?.destroy();
          throw unavailable(error);
        }
        throw BUSY.has((error as { code?: string }).code ?? '') ? unavailable(error) : error;
      }
    }
    override async acquireConnection(): Promise<Connection> {
      try {
        return await super.acquireConnection();
      } catch (error) {
        // Whatever it was, no statement was at fault: the address, the password, the limits or the server.
        throw unavailable(error);
      }
    }
  };
}

/** PostgreSQL. Everything rejects with UPSTREAM_UNAVAILABLE where it cannot be reached or does not answer in time. */
export function createPostgres(url: string, options: PostgresOptions & { readonly schema?: string }): Database {
  const { connections = CONNECTIONS, schema } = options;
  const { connectLimitMs = CONNECT_LIMIT_MS, statementLimitMs = STATEMENT_LIMIT_MS } = options;
  const connection = {
    connectionString: url,
    // Ends before the wait for it does, so that who comes next does not wait for an attempt that has failed.
    connectionTimeoutMillis: Math.ceil(connectLimitMs * 0.9),
    statement_timeout: statementLimitMs,
    // A process that stops within a transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: statementLimitMs + ANSWER_GRACE_MS,
    query_timeout: statementLimitMs + ANSWER_GRACE_MS,
    keepAlive: true,
    application_name: 'burin',
  };
  const open = (over: Readonly<Record<string, unknown>>, max: number): Knex =>
    knexModule({
      client: createClientClass() as unknown as typeof Knex.Client,
      connection: { ...connection, ...over },
      pool: { min: 0, max, acquireTimeoutMillis: connectLimitMs, createTimeoutMillis: connectLimitMs },
      // What it would warn of is in the errors.
      log: { warn() {} },
      ...(schema !== undefined && { searchPath: [schema] }),
    });
  const knex = open({}, connections);
  const transaction: Database['transaction'] = async (work) => {
    for (let tries = 1; ; tries++) {
      try {
        return await knex.transaction(work);
      } catch (error) {
        if (tries === MAX_TRIES || !RETRY_CODES.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  };
  return {
    make: 'postgres',
    knex,
    transaction,
    async exclusively(work) {
      // Who waits for another's migration, or migrates much, takes as long as it takes: a connection without limits.
      const unlimited = open({ statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 }, 1);
      try {
        return await unlimited.transaction(async (trx) => {
          await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
          if (schema !== undefined) await trx.raw('CREATE SCHEMA IF NOT EXISTS ??', [schema]);
          return work(trx);
        });
      } finally {
        await unlimited.destroy();
      }
    },
    async copyTo() {
      throw invalid('BURIN_DATABASE_URL', 'a Postgres database is copied with pg_dump; this copies SQLite files');
    },
    close: () => knex.destroy(),
  };
}
