import type { Database } from '#adapters/persistence/create-database.js';
import { createKnexAccountRepository } from '#adapters/persistence/knex-account-repository.js';
import { createKnexCreditLedger } from '#adapters/persistence/knex-credit-ledger.js';
import { createMemoryAccountRepository } from '#adapters/persistence/memory-account-repository.js';
import { createMemoryCreditLedger } from '#adapters/persistence/memory-credit-ledger.js';
import type { Clock } from '#application/ports/clock.js';

/** Everything that is kept about accounts, in a database. */
export function createKnexStores(database: Database, clock: Clock) {
  const accounts = createKnexAccountRepository({ database, clock });
  return { accounts, credits: createKnexCreditLedger({ database, clock }) };
}

/** The same, in memory. */
export function createMemoryStores(clock: Clock) {
  const accounts = createMemoryAccountRepository({ clock });
  return { accounts, credits: createMemoryCreditLedger({ accounts, clock }) };
}

export type Stores = ReturnType<typeof createKnexStores>;
