import { createKnexStores, createMemoryStores } from '#adapters/persistence/stores.js';
import { describeAccountRepository } from '#test/contracts/account-repository.js';
import { describeCreditLedger } from '#test/contracts/credit-ledger.js';
import { describeIdempotencyStore } from '#test/contracts/idempotency-store.js';
import { describeKeyRing } from '#test/contracts/key-ring.js';
import type { MakeStores } from '#test/contracts/make-stores.js';
import { describeRetraceMemory } from '#test/contracts/retrace-memory.js';
import { describeSignIn } from '#test/contracts/sign-in.js';
import { describeUsageMeter } from '#test/contracts/usage-meter.js';
import { DATABASE_KINDS, type TestDatabase } from '#test/support/databases.js';

const CONTRACTS: Readonly<Record<string, (make: MakeStores) => void>> = {
  'an account repository': describeAccountRepository,
  'a key ring': describeKeyRing,
  'a credit ledger': describeCreditLedger,
  'a usage meter': describeUsageMeter,
  'an idempotency store': describeIdempotencyStore,
  'a memory of paid pictures': describeRetraceMemory,
  'sessions, links and passwords': describeSignIn,
};

describe('in memory', () => {
  for (const [name, contract] of Object.entries(CONTRACTS))
    describe(name, () => contract(async (clock) => createMemoryStores(clock)));
});

for (const { name: kind, missing, create } of DATABASE_KINDS)
  (missing === undefined ? describe : describe.skip)(
    `in ${kind}${missing === undefined ? '' : ` (pending: ${missing})`}`,
    () => {
      let opened: TestDatabase[] = [];
      const make: MakeStores = async (clock) => {
        const test = await create();
        opened.push(test);
        return createKnexStores(test.database, clock);
      };
      afterEach(async () => {
        for (const test of opened) await test.remove();
        opened = [];
      });
      for (const [name, contract] of Object.entries(CONTRACTS)) describe(name, () => contract(make));
    },
  );
