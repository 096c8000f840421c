import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexCreditLedger } from '#adapters/persistence/knex-credit-ledger.js';
import { ServiceError } from '#domain/errors.js';

/**
 * A process of its own that spends an account's credits, one at a time and in many lanes at once, until none is left:
 * `<database> <account> <lanes>`. Waits for a line on its input before it begins, and says at last how many it paid.
 */
const [url, accountId, lanes] = process.argv.slice(2) as [string, string, string];
const database = createDatabase(url);
const credits = createKnexCreditLedger({ database, clock: systemClock });

let settled = 0;
async function spend(): Promise<void> {
  try {
    for (;;) {
      const hold = await credits.hold(accountId, 1);
      const { charged } = await hold.settle();
      settled += charged;
    }
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'INSUFFICIENT_CREDITS')) throw error;
  }
}

await credits.balance(accountId);
process.stdout.write('ready\n');
await new Promise((begin) => process.stdin.once('data', begin));
await Promise.all(Array.from({ length: Number(lanes) }, spend));
await database.close();
process.stdout.write(`${settled}\n`);
process.stdin.destroy();
