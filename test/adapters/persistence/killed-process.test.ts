import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { sqliteFile } from '#test/support/databases.js';
import { createManualClock } from '#test/support/manual-clock.js';

const WORKER = fileURLToPath(import.meta.resolve('#test/support/hold-until-killed.js'));

describe('a process that is killed with credits in its hands', () => {
  let file: ReturnType<typeof sqliteFile>;
  let database: Database;
  let child: ChildProcess | undefined;
  // The child lives in real time.
  const clock = createManualClock(0, Date.now());
  /** The reaper's hour is over. The clock is not moved on: by an hour it may come to another month, which has a quota of its own. */
  const passHour = () => database.knex('credit_holds').update({ expires_at_ms: clock.wallMs() });
  const setUp = async () => {
    await migrate(database);
    const stores = createKnexStores(database, clock);
    const { id } = await stores.accounts.create({ email: null, plan: 'pro' });
    return { ...stores, id };
  };
  /** Starts the worker and kills it, without warning, once it has said that many lines. */
  const killAfter = async (lines: number, mode: 'hold' | 'churn', id: string): Promise<string[]> => {
    child = spawn(process.execPath, [WORKER, file.path, id, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      said.push(line);
      if (said.length === lines) child.kill('SIGKILL');
    }
    expect((await ended)[1]).to.equal('SIGKILL');
    return said;
  };

  beforeEach(() => {
    file = sqliteFile();
    database = createDatabase(file.path);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await database.close();
    file.remove();
  });

  it('gets them back by the reaper, once', async () => {
    const { credits, id } = await setUp();
    await killAfter(1, 'hold', id);
    expect(availableCredits(await credits.balance(id))).to.equal(495);
    expect(await credits.expireHolds()).to.equal(0);
    await passHour();
    expect(await credits.expireHolds()).to.equal(1);
    expect(await credits.expireHolds()).to.equal(0);
    expect(availableCredits(await credits.balance(id))).to.equal(500);
    expect((await credits.entries(id)).map(({ kind }) => kind)).to.deep.equal(['quota', 'hold', 'expire']);
  });

  it('leaves a ledger that adds up, wherever in its work it was', async () => {
    const { credits, id } = await setUp();
    const said = await killAfter(301, 'churn', id);
    const balance = await credits.balance(id);
    const entries = await credits.entries(id);
    expect(sumEntries(entries)).to.deep.equal(balance);
    const count = (wanted: string) => entries.filter(({ kind }) => kind === wanted).length;
    const told = said.filter((line) => line === 'settled').length;
    // All that it told is there; what it had no time to tell may be.
    expect(told).to.be.greaterThan(100);
    expect(count('settle')).to.be.within(told, told + 8);
    expect(count('hold') - count('settle')).to.be.within(0, 8);
    await passHour();
    expect(await credits.expireHolds()).to.equal(count('hold') - count('settle'));
    expect(availableCredits(await credits.balance(id))).to.equal(500 - count('settle'));
  });
});
