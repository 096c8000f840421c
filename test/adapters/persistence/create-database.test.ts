import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { migrations } from '#adapters/persistence/migrations/index.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { createStartFirst } from '#application/use-cases/first-start.js';
import { availableCredits, sumEntries } from '#domain/credits/balance.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { DATABASE_KINDS, sqliteFile } from '#test/support/databases.js';
import { createManualClock } from '#test/support/manual-clock.js';

const clock = createManualClock(0, Date.UTC(2026, 10, 21));

describe('a database address', () => {
  it('may be a path or have a scheme, and is refused with those there are', async () => {
    for (const url of ['', 'sqlite:', 'mysql://host/db', 'https://example.org'])
      expect(() => createDatabase(url), url).to.throw(/^BURIN_DATABASE_URL: .*give a file path, sqlite:/);
    const file = sqliteFile();
    for (const url of [file.path, `sqlite:${file.path}`, `sqlite://${file.path}`, 'sqlite::memory:']) {
      const database = createDatabase(url);
      await migrate(database);
      expect(await database.knex('accounts').select()).to.deep.equal([]);
      await database.close();
    }
    expect(existsSync(file.path)).to.equal(true);
    file.remove();
  });
});

const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing failed'),
    (error: Error) => error,
  );

describe('a SQLite database', () => {
  let file: ReturnType<typeof sqliteFile>;
  beforeEach(() => {
    file = sqliteFile();
  });
  afterEach(() => file.remove());

  it('writes ahead, keeps foreign keys, and waits for others', async () => {
    const database = createDatabase(file.path);
    const pragma = async (name: string) => Object.values((await database.knex.raw(`PRAGMA ${name}`))[0])[0];
    expect(await pragma('journal_mode')).to.equal('wal');
    expect(await pragma('synchronous')).to.equal(1);
    expect(await pragma('foreign_keys')).to.equal(1);
    expect(await pragma('busy_timeout')).to.equal(10_000);
    expect(await pragma('wal_autocheckpoint')).to.equal(8000);
    await database.close();
  });

  it('asks the same statement again as if it were new, after a failure and a change of its table, too', async () => {
    const database = createDatabase(file.path);
    const { knex } = database;
    const things = () => knex('things');
    await knex.schema.createTable('things', (table) => {
      table.string('name').primary();
      table.integer('size');
    });
    const add = (name: string, size: number | null) => things().insert({ name, size });
    await add('a', 1);
    expect((await errorOf(Promise.resolve(add('a', 1)))).message).to.include('UNIQUE');
    await add('b', null);
    const ask = (name: string) => things().where({ name }).select('*');
    const asked = await Promise.all(['a', 'b', 'c', 'a'].map(ask));
    const [a, b] = [
      { name: 'a', size: 1 },
      { name: 'b', size: null },
    ];
    expect(asked).to.deep.equal([[a], [b], [], [a]]);
    const changed = await Promise.all([
      things().update({ size: 5 }),
      things().where({ name: 'x' }).update({ size: 5 }),
    ]);
    expect(changed).to.deep.equal([2, 0]);
    await knex.schema.alterTable('things', (table) => table.string('color').defaultTo('red'));
    expect(await ask('b')).to.deep.equal([{ name: 'b', size: 5, color: 'red' }]);
    const failing = database.transaction(async (trx) => {
      await trx('things').insert({ name: 'gone', size: 1 });
      await trx('things').insert({ name: 'a', size: 1 });
    });
    expect((await errorOf(failing)).message).to.include('UNIQUE');
    expect(await ask('gone')).to.deep.equal([]);
    expect((await errorOf(Promise.resolve(knex('nowhere').select('*')))).message).to.include('no such table');
    // More texts than are kept, and the first of them again.
    const names = Array.from({ length: 300 }, (_, i) => `n${i}`);
    for (let i = 1; i < names.length; i++)
      expect(await things().whereIn('name', names.slice(0, i)).select('name')).to.deep.equal([]);
    expect((await ask('a')).length).to.equal(1);
    expect([await things().where({ name: 'a' }).delete(), await things().where({ name: 'a' }).delete()]).to.deep.equal([
      1, 0,
    ]);
    await database.close();
  });

  for (const scheme of ['sqlite', 'better-sqlite3'])
    it(`does a transaction whole or not at all, one after the other, by ${scheme}`, async () => {
      const database = createDatabase(`${scheme}:${file.path}`);
      const { knex } = database;
      await knex.schema.createTable('things', (table) => table.integer('size').primary());
      const sizes = async () => (await knex('things').orderBy('size').pluck('size')) as number[];
      const order: string[] = [];
      const add = (size: number, fails = false) =>
        database.transaction(async (trx) => {
          order.push(`begin ${size}`);
          await trx('things').insert({ size });
          // Somebody else's turn would come now, if it could.
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push(`end ${size}`);
          if (fails) throw new Error(`not ${size}`);
          return (await trx('things').pluck('size')) as number[];
        });
      const [first, failed, third] = await Promise.allSettled([add(1), add(2, true), add(3), sizes()]);
      expect(order).to.deep.equal([1, 2, 3].flatMap((size) => [`begin ${size}`, `end ${size}`]));
      expect(first).to.deep.include({ value: [1] });
      expect((failed as PromiseRejectedResult).reason.message).to.equal('not 2');
      expect(third).to.deep.include({ value: [1, 3] });
      // One that a statement has undone already is undone, and the next is as good as any.
      const undone = database.transaction(async (trx) => {
        await trx('things').insert({ size: 4 });
        await trx.raw('ROLLBACK');
        throw new Error('undone');
      });
      expect((await errorOf(undone)).message).to.equal('undone');
      let late: () => Promise<unknown> = async () => undefined;
      await database.transaction(async (trx) => {
        late = async () => trx('things').insert({ size: 5 });
      });
      expect((await errorOf(late())).message).to.include('after the end of its transaction');
      expect(await sizes()).to.deep.equal([1, 3]);
      await database.close();
    });

  it('is copied whole while it is written to', async () => {
    const database = createDatabase(file.path);
    await migrate(database);
    const { accounts, credits } = createKnexStores(database, clock);
    const { id } = await accounts.create({ email: null, plan: 'pro' });
    let isCopied = false;
    const work = (async () => {
      while (!isCopied) await (await credits.hold(id, 1)).settle();
    })();
    await (await credits.hold(id, 1)).settle();
    const copy = join(dirname(file.path), 'copy.sqlite');
    const other = createDatabase(file.path);
    await other.copyTo(copy);
    isCopied = true;
    await work;
    const taken = await refusalOf(other.copyTo(copy));
    expect(taken).to.include({ code: 'INVALID_REQUEST' });
    const nowhere = await refusalOf(other.copyTo(join(dirname(file.path), 'no', 'copy.sqlite')));
    expect(nowhere.code).to.equal('OUTPUT_UNWRITABLE');
    await other.close();
    await database.close();
    expect(readdirSync(dirname(file.path)).filter((name) => name.includes('unfinished'))).to.deep.equal([]);

    const copied = createDatabase(copy);
    expect(await migrate(copied)).to.deep.equal([]);
    const stores = createKnexStores(copied, clock);
    const balance = await stores.credits.balance(id);
    expect(availableCredits(balance)).to.be.within(1, 499);
    expect(sumEntries(await stores.credits.entries(id))).to.deep.equal(balance);
    await copied.close();
  });

  it('of a newer version is refused', async () => {
    const database = createDatabase(file.path);
    await migrate(database);
    await database.knex('burin_migrations').insert({ name: '9999-later', taken_at: 'x' });
    const error = await migrate(database).catch((refused: Error) => refused);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('9999-later');
    await database.close();
  });

  it('is as it was where a step fails', async () => {
    const database = createDatabase(file.path);
    const broken = {
      name: '0002-broken',
      up: async () => {
        throw new Error('it broke');
      },
    };
    const error = await migrate(database, [...migrations, broken]).catch((refused: Error) => refused);
    expect(error).to.have.property('message', 'it broke');
    expect(await database.knex.schema.hasTable('accounts')).to.equal(false);
    expect(await migrate(database)).to.deep.equal(migrations.map(({ name }) => name));
    await database.close();
  });
});

for (const { name, missing, create } of DATABASE_KINDS)
  (missing === undefined ? it : it.skip)(
    `processes that start at once on one ${name} make one owner${missing === undefined ? '' : ` (pending: ${missing})`}`,
    async () => {
      const test = await create();
      try {
        const databases = [test.database, test.connect(), test.connect()];
        const started = await Promise.all(
          databases.map(async (database) => {
            const taken = await migrate(database);
            expect(taken).to.deep.equal([]);
            return createStartFirst(createKnexStores(database, clock))();
          }),
        );
        expect(started.filter((start) => start !== undefined).length).to.equal(1);
        const { accounts, keys } = createKnexStores(test.database, clock);
        expect((await accounts.list()).length).to.equal(1);
        expect((await keys.list()).length).to.equal(1);
      } finally {
        await test.remove();
      }
    },
  );
