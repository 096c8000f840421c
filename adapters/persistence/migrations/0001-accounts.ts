import type { Knex } from 'knex';
import type { Transaction } from '../create-database.js';
import type { Migration } from './migration.js';

type Table = Knex.CreateTableBuilder;

const accountColumn = (table: Table) =>
  table.string('account_id').notNullable().references('id').inTable('accounts').onDelete('CASCADE');
const timeColumn = (table: Table, name: string) => table.bigInteger(name).notNullable();

async function createAccountTables(trx: Transaction): Promise<void> {
  await trx.schema.createTable('accounts', (table) => {
    table.string('id').notNullable().primary();
    table.string('role').notNullable();
    // 1 for the owner and nothing for others: the index lets one in.
    table.integer('owner_slot').unique();
    table.string('email').unique();
    table.string('plan').notNullable();
    table.string('status').notNullable();
    timeColumn(table, 'created_at_ms').index();
  });
  await trx.schema.createTable('api_keys', (table) => {
    table.string('id').notNullable().primary();
    accountColumn(table).index();
    table.string('prefix').notNullable().index();
    table.string('secret_hash').notNullable();
    table.string('name').notNullable();
    timeColumn(table, 'created_at_ms').index();
    table.bigInteger('last_used_at_ms');
    table.bigInteger('revoked_at_ms');
  });
  await trx.schema.createTable('account_files', (table) => {
    table.string('basename').notNullable().primary();
    accountColumn(table).index();
    timeColumn(table, 'expires_at_ms').index();
  });
}

async function createCreditTables(trx: Transaction): Promise<void> {
  // The sum of the account's entries, kept beside them for speed; its row is the lock that changes wait for.
  await trx.schema.createTable('credit_balances', (table) => {
    accountColumn(table).primary();
    table.string('period').notNullable();
    for (const column of ['quota', 'monthly', 'pack', 'used']) table.integer(column).notNullable();
    table.check('quota >= 0 AND monthly >= 0 AND pack >= 0 AND used >= 0', {}, 'credit_balances_never_negative');
  });
  await trx.schema.createTable('credit_holds', (table) => {
    table.string('id').notNullable().primary();
    accountColumn(table).index();
    table.string('period').notNullable();
    table.integer('monthly').notNullable();
    table.integer('pack').notNullable();
    table.string('reference');
    timeColumn(table, 'expires_at_ms').index();
  });
  // Only grows. Its account is no foreign key: the ledger of an account that was removed stays, under an alias.
  await trx.schema.createTable('credit_entries', (table) => {
    table.bigIncrements('id');
    table.string('account_id').notNullable();
    table.string('kind').notNullable();
    table.string('period').notNullable();
    table.integer('monthly').notNullable();
    table.integer('pack').notNullable();
    table.integer('used').notNullable();
    table.string('hold_id');
    // Equal to hold_id where the entry ends the hold: a hold ends once.
    table.string('ends_hold_id').unique();
    table.string('reference');
    timeColumn(table, 'at_ms');
    table.unique(['account_id', 'kind', 'reference']);
    table.index(['account_id', 'id']);
  });
}

async function createUsageTables(trx: Transaction): Promise<void> {
  await trx.schema.createTable('usage_days', (table) => {
    accountColumn(table);
    table.string('date').notNullable().index();
    for (const column of ['conversions', 'exports', 'credits_used', 'failures']) table.integer(column).notNullable();
    table.primary(['account_id', 'date']);
  });
  await trx.schema.createTable('account_errors', (table) => {
    table.bigIncrements('id');
    accountColumn(table);
    table.string('request_id').notNullable();
    table.string('code').notNullable();
    table.text('message').notNullable();
    table.text('operation').notNullable();
    timeColumn(table, 'at_ms').index();
    table.index(['account_id', 'id']);
  });
  // Who asks may be nobody's account, so there are no foreign keys here.
  await trx.schema.createTable('idempotency_records', (table) => {
    table.string('caller').notNullable();
    table.string('key').notNullable();
    table.string('id').notNullable().unique();
    table.string('fingerprint').notNullable();
    table.string('lease').notNullable();
    timeColumn(table, 'lease_until_ms');
    timeColumn(table, 'expires_at_ms').index();
    table.integer('status');
    table.text('headers');
    table.binary('body');
    table.primary(['caller', 'key']);
  });
  await trx.schema.createTable('paid_pictures', (table) => {
    table.string('caller').notNullable();
    table.string('picture').notNullable();
    table.string('tier').notNullable();
    timeColumn(table, 'paid_at_ms').index();
    table.primary(['caller', 'picture', 'tier']);
  });
}

async function createSignInTables(trx: Transaction): Promise<void> {
  await trx.schema.createTable('sessions', (table) => {
    table.string('id').notNullable().primary();
    accountColumn(table).index();
    table.string('token_hash').notNullable().unique();
    table.string('user_agent').notNullable();
    timeColumn(table, 'created_at_ms');
    timeColumn(table, 'last_used_at_ms');
    timeColumn(table, 'expires_at_ms').index();
  });
  await trx.schema.createTable('sign_in_links', (table) => {
    table.string('token_hash').notNullable().primary();
    accountColumn(table).index();
    table.string('purpose').notNullable();
    timeColumn(table, 'expires_at_ms').index();
  });
  await trx.schema.createTable('passwords', (table) => {
    accountColumn(table).primary();
    table.string('scrypt').notNullable();
  });
}

/** Accounts with their keys, credits, usage, sessions, and what was answered for them. Times are milliseconds since 1970. */
export const accounts: Migration = {
  name: '0001-accounts',
  async up(trx) {
    await createAccountTables(trx);
    await createCreditTables(trx);
    await createUsageTables(trx);
    await createSignInTables(trx);
  },
};
