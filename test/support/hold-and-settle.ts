import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexCreditLedger } from '#adapters/persistence/knex-credit-ledger.js';
import { ServiceError } from '#domain/errors.js';

/**
 * A process of its own that spends an account's credits, one at a time and in many lanes at once, until none is left:
 * `<database> <account> <lanes>`. At a line on its input it pays one, and at the next all it can; says at last how many it paid.
 */
const [url, accountId, lanes] = process.argv.slice(2) as [string, string, string];
const database = createDatabase(url);
const credits = createKnexCreditLedger({ database, clock: systemClock });

let settled = 0;
async function payOne(): Promise<void> {
  const hold = await credits.hold(accountId, 1);
  const { charged } = await hold.settle();
  settled += charged;
}

async function spend(): Promise<void> {
  try {
    for (;;) await payOne();
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'INSUFFICIENT_CREDITS')) throw error;
  }
}

const told = () => new Promise((begin) => process.stdin.once('data', begin));

await credits.balance(accountId);
process.stdout.write('ready\n');
await told();
await payOne();
process.stdout.write('paid\n');
await told();
await Promise.all(Array.from({ length: Number(lanes) }, spend));
await database.close();
process.stdout.write(`${settled}\n`);
process.stdin.destroy();
