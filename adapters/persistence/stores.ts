import type { AccountFiles } from '#application/ports/account-files.js';
import type { AccountRepository } from '#application/ports/account-repository.js';
import type { Clock } from '#application/ports/clock.js';
import type { CreditLedger } from '#application/ports/credit-ledger.js';
import type { IdempotencyStore } from '#application/ports/idempotency-store.js';
import type { KeyRing } from '#application/ports/key-ring.js';
import type { Passwords } from '#application/ports/passwords.js';
import type { RetraceMemory } from '#application/ports/retrace-memory.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { SignInLinks } from '#application/ports/sign-in-links.js';
import type { UsageMeter } from '#application/ports/usage-meter.js';
import type { Database } from './create-database.js';
import { createKnexAccountFiles } from './knex-account-files.js';
import { createKnexAccountRepository } from './knex-account-repository.js';
import { createKnexCreditLedger } from './knex-credit-ledger.js';
import { createKnexIdempotencyStore } from './knex-idempotency-store.js';
import { createKnexKeyRing } from './knex-key-ring.js';
import { createKnexPasswords } from './knex-passwords.js';
import { createKnexRetraceMemory } from './knex-retrace-memory.js';
import { createKnexSessionStore } from './knex-session-store.js';
import { createKnexSignInLinks } from './knex-sign-in-links.js';
import { createKnexUsageMeter } from './knex-usage-meter.js';
import { createMemoryAccountFiles } from './memory-account-files.js';
import { createMemoryAccountRepository } from './memory-account-repository.js';
import { createMemoryCreditLedger } from './memory-credit-ledger.js';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.js';
import { createMemoryKeyRing } from './memory-key-ring.js';
import { createMemoryPasswords } from './memory-passwords.js';
import { createMemoryRetraceMemory } from './memory-retrace-memory.js';
import { createMemorySessionStore } from './memory-session-store.js';
import { createMemorySignInLinks } from './memory-sign-in-links.js';
import { createMemoryUsageMeter } from './memory-usage-meter.js';

/** Everything that is kept about accounts. */
export interface Stores {
  readonly accounts: AccountRepository;
  readonly keys: KeyRing;
  readonly credits: CreditLedger;
  readonly usage: UsageMeter;
  readonly idempotency: IdempotencyStore;
  readonly retrace: RetraceMemory;
  readonly sessions: SessionStore;
  readonly links: SignInLinks;
  readonly passwords: Passwords;
  readonly files: AccountFiles;
}

/** In a database that is migrated. */
export function createKnexStores(database: Database, clock: Clock): Stores {
  const deps = { database, clock };
  return {
    accounts: createKnexAccountRepository(deps),
    keys: createKnexKeyRing(deps),
    credits: createKnexCreditLedger(deps),
    usage: createKnexUsageMeter(deps),
    idempotency: createKnexIdempotencyStore(deps),
    retrace: createKnexRetraceMemory(deps),
    sessions: createKnexSessionStore(deps),
    links: createKnexSignInLinks(deps),
    passwords: createKnexPasswords(deps),
    files: createKnexAccountFiles(deps),
  };
}

/** For as long as the process runs. */
export function createMemoryStores(clock: Clock): Stores {
  const accounts = createMemoryAccountRepository({ clock });
  const deps = { accounts, clock };
  return {
    accounts,
    keys: createMemoryKeyRing(deps),
    credits: createMemoryCreditLedger(deps),
    usage: createMemoryUsageMeter(deps),
    idempotency: createMemoryIdempotencyStore(deps),
    retrace: createMemoryRetraceMemory(deps),
    sessions: createMemorySessionStore(deps),
    links: createMemorySignInLinks(deps),
    passwords: createMemoryPasswords(deps),
    files: createMemoryAccountFiles(deps),
  };
}
