import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { DATABASE_KINDS } from '#test/support/databases.js';

const WORKER = fileURLToPath(import.meta.resolve('#test/support/hold-and-settle.js'));
const PROCESSES = 4;
const LANES = 16;
const ALL_CASES = process.env.BURIN_TEST_ALL_CASES === '1';
/** BURIN_TEST_ALL_CASES=1: the whole number, where it would take long. */
const CREDITS: Readonly<Record<string, number>> = {
  PostgreSQL: ALL_CASES ? 20_000 : 4000,
  SQLite: ALL_CASES ? 20_000 : 1000,
  'SQLite by better-sqlite3': 1000,
};

/** Starts one; `begin` has it pay one credit, `finish` all it can, and resolves with how many it paid. */
async function startSpender(url: string, accountId: string) {
  const args = [WORKER, url, accountId, String(LANES)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  expect((await lines.next()).value).to.equal('ready');
  return {
    async begin(): Promise<void> {
      child.stdin.write('\n');
      expect((await lines.next()).value).to.equal('paid');
    },
    async finish(): Promise<number> {
      child.stdin.write('\n');
      const paid = Number((await lines.next()).value);
      expect((await ended)[0]).to.equal(0);
      return paid;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

for (const { name, missing, create } of DATABASE_KINDS) {
  const wanted = CREDITS[name];
  if (wanted === undefined) continue;
  (missing === undefined ? it : it.skip)(
    `${PROCESSES} processes spend exactly ${wanted} credits of one account in ${name}, all at once${missing === undefined ? '' : ` (pending: ${missing})`}`,
    async function () {
      this.timeout(240_000);
      const test = await create();
      const { accounts, credits } = createKnexStores(test.database, systemClock);
      const spenders: Awaited<ReturnType<typeof startSpender>>[] = [];
      try {
        const { id } = await accounts.create({ email: null, plan: 'free' });
        const { monthly } = await credits.balance(id);
        await credits.grant(id, wanted - monthly);
        for (let i = 0; i < PROCESSES; i++) spenders.push(await startSpender(test.url, id));
        const startMs = performance.now();
        // Whoever has the database's lock may keep it till the end: that all of them take part is seen to.
        await Promise.all(spenders.map(({ begin }) => begin()));
        const paid = await Promise.all(spenders.map(({ finish }) => finish()));
        const seconds = (performance.now() - startMs) / 1000;

        expect(paid.reduce((a, b) => a + b, 0)).to.equal(wanted);
        expect(paid.every((one) => one > 0)).to.equal(true);
        const [balance, entries] = [await credits.balance(id), await credits.entries(id)];
        expect(availableCredits(balance)).to.equal(0);
        expect(sumEntries(entries)).to.deep.equal(balance);
        const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
        expect([count('hold'), count('settle'), count('release')]).to.deep.equal([wanted, wanted, 0]);
        expect((await test.database.knex('credit_holds').select('id')).length).to.equal(0);
        expect((await refusalOf(credits.hold(id, 1))).code).to.equal('INSUFFICIENT_CREDITS');
        console.log(`      ${wanted} holds and settles in ${seconds.toFixed(1)} s, by process: ${paid.join(', ')}`);
      } finally {
        for (const { kill } of spenders) kill();
        await test.remove();
      }
    },
  );
}
