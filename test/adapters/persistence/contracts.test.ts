import { describeCreditLedger } from '#test/contracts/credit-ledger.js';
import { DATABASE_KINDS, type TestDatabase } from '#test/support/databases.js';
import type { createManualClock } from '#test/support/manual-clock.js';
import { createKnexStores, createMemoryStores, type Stores } from '#test/support/stores.js';

type MakeStores = (clock: ReturnType<typeof createManualClock>) => Promise<Stores>;

const CONTRACTS: Readonly<Record<string, (make: MakeStores) => void>> = {
  'a credit ledger': describeCreditLedger,
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
