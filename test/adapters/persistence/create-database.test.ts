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
