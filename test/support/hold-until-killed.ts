import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexCreditLedger } from '#adapters/persistence/knex-credit-ledger.js';

/**
 * A process of its own that works with somebody's credits until it is killed: `<database> <account> hold` sets 5 aside and
 * waits, `… churn` holds and settles without end. Says a line for each thing it has done.
 */
const [url, accountId, mode] = process.argv.slice(2) as [string, string, 'hold' | 'churn'];
const credits = createKnexCreditLedger({ database: createDatabase(url), clock: systemClock });
const say = (text: string) => process.stdout.write(`${text}\n`);

if (mode === 'hold') {
  await credits.hold(accountId, 5);
  say('held');
  setInterval(() => {}, 1000);
} else {
  const churn = async () => {
    for (;;) {
      const hold = await credits.hold(accountId, 1);
      say('held');
      await hold.settle();
      say('settled');
    }
  };
  await Promise.all(Array.from({ length: 8 }, churn));
}
