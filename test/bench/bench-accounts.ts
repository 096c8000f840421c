import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';

export interface BenchKey {
  readonly secret: string;
  readonly accountId: string;
}

/** Accounts of plan `pro` with a key and `credits` each, in the database `file`, which is made where it is missing. */
export async function prepareKeys(file: string, count: number, credits: number): Promise<readonly BenchKey[]> {
  const database = createDatabase(file);
  await migrate(database);
  const stores = createKnexStores(database, systemClock);
  const manageKeys = createManageKeys(stores);
  const keys: BenchKey[] = [];
  for (let i = 0; i < count; i++) {
    const { secret, account } = await manageKeys.create({ plan: 'pro' });
    await stores.credits.grant(account.id, credits);
    keys.push({ secret, accountId: account.id });
  }
  await database.close();
  return keys;
}

/** Credits that are still put aside for work that has not ended. */
export async function openHolds(file: string): Promise<number> {
  const database = createDatabase(file);
  const [{ open }] = (await database.knex('credit_holds').count({ open: '*' })) as unknown as [{ open: number }];
  await database.close();
  return Number(open);
}
