import { expect } from 'chai';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { moveDatabase } from '#adapters/persistence/move-database.js';
import { createKnexStores, type Stores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { POSTGRES_MISSING, postgresSchema, sqliteFile } from '#test/support/databases.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { runBurin } from '#test/support/run-burin.js';

const ACCOUNTS = 7;
/** More than one page of a copy. */
const CHARGES = 300;
const clock = createManualClock(0, Date.now());

/** Something in every table, texts of every kind. */
async function fill({
  accounts,
  keys,
  credits,
  usage,
  idempotency,
  retrace,
  sessions,
  links,
  passwords,
  files,
}: Stores) {
  const { account: owner } = await accounts.ensureOwner();
  const ids = [owner.id];
  for (let i = 1; i < ACCOUNTS; i++)
    ids.push((await accounts.create({ email: `größe-${i}@example.org`, plan: i % 2 === 0 ? 'pro' : 'free' })).id);
  for (const [i, id] of ids.entries()) {
    await keys.create(id, `Schlüssel ${i} 日本 'quoted'`);
    await credits.grant(id, 500, { reference: `order-${i}` });
    await credits.hold(id, 3);
    await sessions.open(id, 'Browser/1.0 "x"');
    await links.create(id, 'invite');
    await passwords.set(id, `a long password ${i}`);
    await files.add(id, { basename: String(i).padStart(22, 'A'), expiresAtMs: clock.wallMs() + 1000 });
    await usage.record({ accountId: id, kind: 'conversion', credits: 2 });
    await usage.recordError({ accountId: id, requestId: 'r', code: 'X', message: 'né', operation: 'convert' });
    await retrace.remember({ caller: id, picture: `digest-${i}`, tier: 'fast' });
    const work = await idempotency.begin({ caller: id, key: `key ${i}`, fingerprint: 'f' });
    if (work.state === 'new')
      await work.finish({ status: 200, headers: { 'x-a': 'b' }, body: Uint8Array.from([0, 255, i]) });
  }
  const first = ids[0] as string;
  await Promise.all(Array.from({ length: CHARGES }, async () => (await credits.hold(first, 1)).settle()));
  return ids;
}

(POSTGRES_MISSING === undefined ? describe : describe.skip)(
  `a SQLite database that is moved to PostgreSQL${POSTGRES_MISSING === undefined ? '' : ` (pending: ${POSTGRES_MISSING})`}`,
  () => {
    let file: ReturnType<typeof sqliteFile>;
    let schema: Awaited<ReturnType<typeof postgresSchema>>;
    let source: Database;
    let target: Database;
    beforeEach(async () => {
      file = sqliteFile();
      schema = await postgresSchema();
      source = createDatabase(file.path);
      target = createDatabase(schema.url);
      await migrate(source);
    });
    afterEach(async () => {
      await source.close();
      await target.close();
      await schema.remove();
      file.remove();
    });

    const tables = async () =>
      (await source.knex('sqlite_master').where({ type: 'table' }).pluck<string[]>('name')).filter(
        (name) => !name.startsWith('sqlite_') && name !== 'burin_migrations',
      );
    const textsOf = async (database: Database, table: string) => {
      const rows: Record<string, unknown>[] = await database.knex(table).select('*');
      // One driver gives large numbers as text, and columns in another order.
      const texts = rows.map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([name, value]) => [
              name,
              Buffer.isBuffer(value) ? value.toString('hex') : value === null ? null : String(value),
            ])
            .sort(),
        ),
      );
      return texts.sort();
    };

    it('is there whole, row for row, and goes on', async () => {
      const ids = await fill(createKnexStores(source, clock));
      const moved = await moveDatabase(source, target);
      expect(moved.map(({ name }) => name).sort()).to.deep.equal((await tables()).sort());
      expect(moved.length).to.be.at.least(12);
      for (const { name, rows } of moved) {
        const before = await textsOf(source, name);
        expect(before.length, name).to.equal(rows).and.to.be.at.least(ACCOUNTS);
        expect(await textsOf(target, name), name).to.deep.equal(before);
      }
      const { accounts, credits, passwords, usage } = createKnexStores(target, clock);
      expect((await accounts.owner())?.id).to.equal(ids[0]);
      expect(await passwords.check('größe-1@example.org', 'a long password 1')).to.equal(ids[1]);
      for (const id of ids) {
        const hold = await credits.hold(id, 1);
        await hold.settle();
        await usage.recordError({ accountId: id, requestId: 's', code: 'Y', message: 'm', operation: 'o' });
        expect(sumEntries(await credits.entries(id))).to.deep.equal(await credits.balance(id));
        expect((await usage.recentErrors(id, 1))[0]?.code).to.equal('Y');
      }
    });

    it('goes nowhere where something is already, and leaves that as it is', async () => {
      await fill(createKnexStores(source, clock));
      await migrate(target);
      const there = createKnexStores(target, clock);
      const { id } = await there.accounts.create({ email: 'first@example.org', plan: 'free' });
      const refusal = await refusalOf(moveDatabase(source, target));
      expect(refusal.message).to.equal('--to: its table accounts is not empty; give a new database');
      expect((await there.accounts.list()).map((account) => account.id)).to.deep.equal([id]);
    });

    it('is moved whole or not at all, and can be moved again', async () => {
      const { accounts } = createKnexStores(source, clock);
      const { id } = await accounts.create({ email: null, plan: 'free' });
      // Postgres keeps no such character in a text; SQLite does.
      await source.knex('api_keys').insert({
        id: 'k',
        account_id: id,
        prefix: 'p',
        secret_hash: 'h',
        name: 'null \0 inside',
        created_at_ms: 1,
      });
      const failed = await moveDatabase(source, target).catch((error: Error) => error);
      expect(failed).to.be.instanceOf(Error);
      expect(await target.knex('accounts').select('id')).to.deep.equal([]);
      await source.knex('api_keys').update({ name: 'fine' });
      expect((await moveDatabase(source, target)).find(({ name }) => name === 'api_keys')?.rows).to.equal(1);
    });

    it('moves from SQLite to PostgreSQL only', async () => {
      expect((await refusalOf(moveDatabase(source, source))).field).to.equal('--to');
      expect((await refusalOf(moveDatabase(target, target))).field).to.equal('BURIN_DATABASE_URL');
    });

    it('is moved by burin migrate --to, while nobody writes', async () => {
      const ids = await fill(createKnexStores(source, clock));
      const env = { ...process.env, BURIN_DATABASE_URL: file.path };
      const { code, stdout, stderr } = await runBurin(['migrate', '--to', schema.url, '--json'], { env });
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const { moved } = JSON.parse(stdout) as { moved: Record<string, number> };
      expect(moved.accounts).to.equal(ids.length);
      expect(moved.credit_entries).to.be.above(2 * CHARGES);
      const again = await runBurin(['migrate', '--to', schema.url], { env });
      expect(again.code).to.not.equal(0);
      expect(again.stderr).to.include('is not empty');
    });
  },
);
