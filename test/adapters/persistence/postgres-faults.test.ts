import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database, type DatabaseOptions } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { ServiceError } from '#domain/errors.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { POSTGRES_MISSING, postgresSchema } from '#test/support/databases.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';

(POSTGRES_MISSING === undefined ? describe : describe.skip)(
  `a PostgreSQL that goes away${POSTGRES_MISSING === undefined ? '' : ` (pending: ${POSTGRES_MISSING})`}`,
  () => {
    let schema: Awaited<ReturnType<typeof postgresSchema>>;
    let proxy: TcpProxy;
    let direct: Database;
    let opened: Database[];
    /** Through the proxy. */
    const open = (options: DatabaseOptions = {}) => {
      const url = new URL(schema.url);
      url.host = `127.0.0.1:${proxy.port}`;
      const database = createDatabase(url.href, options);
      opened.push(database);
      return database;
    };

    beforeEach(async () => {
      schema = await postgresSchema();
      const { port, hostname } = new URL(schema.url);
      proxy = await startTcpProxy(Number(port || 5432), hostname);
      direct = createDatabase(schema.url);
      opened = [direct];
      await migrate(direct);
    });
    afterEach(async () => {
      proxy.restore();
      for (const database of opened) await database.close();
      await proxy.close();
      await schema.remove();
    });

    it('is told as UPSTREAM_UNAVAILABLE with a time to come again, and is whole when it is back', async () => {
      const { accounts, credits } = createKnexStores(open(), systemClock);
      const { id } = await accounts.create({ email: null, plan: 'pro' });
      const hold = await credits.hold(id, 5);
      proxy.cut();
      for (const refused of [credits.hold(id, 1), credits.balance(id), accounts.find(id)]) {
        const refusal = await refusalOf(refused);
        expect(refusal.code).to.equal('UPSTREAM_UNAVAILABLE');
        expect(refusal.message).to.equal('The database cannot be reached; retry in 5 s.');
        expect(refusal.retryAfterSeconds).to.equal(5);
      }
      // Never rejects: what cannot be released now expires.
      await (await createKnexStores(direct, systemClock).credits.hold(id, 7)).release();
      proxy.restore();
      expect(await hold.settle()).to.deep.equal({ charged: 5, remaining: 495 });
      expect(sumEntries(await credits.entries(id))).to.deep.equal(await credits.balance(id));
    });

    it('cuts work in flight anywhere, and the ledger adds up', async () => {
      const { accounts, credits } = createKnexStores(open(), systemClock);
      const { id } = await accounts.create({ email: null, plan: 'free' });
      await credits.grant(id, 100_000);
      const told = { settled: 0, refused: 0 };
      let stopped = false;
      const churn = async () => {
        while (!stopped)
          try {
            const hold = await credits.hold(id, 1);
            const { charged } = await hold.settle();
            told.settled += charged;
          } catch (error) {
            expect(error).to.be.instanceOf(ServiceError).with.property('code', 'UPSTREAM_UNAVAILABLE');
            told.refused++;
          }
      };
      const lanes = Array.from({ length: 8 }, churn);
      for (let cut = 0; cut < 5; cut++) {
        const [settledBefore, refusedBefore] = [told.settled, told.refused];
        // So much work goes on when it breaks, and goes on again when it is back.
        while (told.settled < settledBefore + 40) await new Promise(setImmediate);
        proxy.cut();
        while (told.refused < refusedBefore + 16) await new Promise(setImmediate);
        proxy.restore();
      }
      const last = told.settled;
      while (told.settled < last + 40) await new Promise(setImmediate);
      stopped = true;
      await Promise.all(lanes);

      await direct.knex('credit_holds').update({ expires_at_ms: 0 });
      await createKnexStores(direct, systemClock).credits.expireHolds();
      const [balance, entries] = [await credits.balance(id), await credits.entries(id)];
      expect(sumEntries(entries)).to.deep.equal(balance);
      expect((await direct.knex('credit_holds').select('id')).length).to.equal(0);
      const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
      // Every hold has one end. What was told is there; a settle whose answer was lost may be too, once.
      expect(count('hold')).to.equal(count('settle') + count('release') + count('expire'));
      expect(count('settle')).to.be.within(told.settled, told.settled + 5 * 8);
      expect(availableCredits(balance)).to.equal(100_050 - count('settle'));
    }).timeout(60_000);

    it('that swallows everything is given up in time, and its connections are not used again', async () => {
      const database = open({ connections: 1, connectLimitMs: 300, statementLimitMs: 200 });
      const { accounts, credits } = createKnexStores(database, systemClock);
      const { id } = await accounts.create({ email: null, plan: 'pro' });
      proxy.stall();
      expect((await refusalOf(credits.balance(id))).code).to.equal('UPSTREAM_UNAVAILABLE');
      expect((await refusalOf(credits.balance(id))).code).to.equal('UPSTREAM_UNAVAILABLE');
      proxy.restore();
      expect(availableCredits(await credits.balance(id))).to.equal(500);
    }).timeout(30_000);

    it('whose row is locked by another too long says so, and keeps its connection', async () => {
      const database = open({ connections: 1, statementLimitMs: 200 });
      const { accounts, credits } = createKnexStores(database, systemClock);
      const { id } = await accounts.create({ email: null, plan: 'pro' });
      const before = proxy.connections;
      await direct.knex.transaction(async (trx) => {
        await trx('credit_balances').where({ account_id: id }).forUpdate().select('account_id');
        expect((await refusalOf(credits.hold(id, 1))).code).to.equal('UPSTREAM_UNAVAILABLE');
      });
      expect((await credits.hold(id, 1)).remaining).to.equal(499);
      expect(proxy.connections).to.equal(before);
    });

    it('with no free connection says so', async () => {
      const database = open({ connections: 1, connectLimitMs: 200 });
      const { accounts } = createKnexStores(database, systemClock);
      await database.knex.transaction(async () => {
        expect((await refusalOf(accounts.list())).code).to.equal('UPSTREAM_UNAVAILABLE');
      });
      expect(await accounts.list()).to.deep.equal([]);
    });

    it('tells a wrong statement as what it is', async () => {
      const error = await open()
        .knex('no_such_table')
        .select()
        .catch((refused: Error) => refused);
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(ServiceError);
    });

    it('is migrated by one of several processes that start at once, however long another takes', async () => {
      const empty = await postgresSchema();
      const databases = Array.from({ length: 4 }, () => createDatabase(empty.url, { statementLimitMs: 60 }));
      try {
        const slow = {
          name: '0000-slow',
          up: async (trx: { raw(sql: string): PromiseLike<unknown> }) => void (await trx.raw('SELECT pg_sleep(0.3)')),
        };
        const taken = await Promise.all(databases.map((database) => migrate(database, [slow])));
        expect(taken.flat()).to.deep.equal(['0000-slow']);
      } finally {
        for (const database of databases) await database.close();
        await empty.remove();
      }
    });
  },
);
