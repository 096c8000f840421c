import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { type ConversionLoad, startConversionLoad } from '#test/support/conversion-load.js';
import { POSTGRES_MISSING, postgresSchema } from '#test/support/databases.js';
import { startProcess } from '#test/support/service-process.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { until } from '#test/support/until.js';

const HOUR_MS = 60 * 60 * 1000;
/** How long it is away at least, each time; BURIN_TEST_ALL_CASES=1: ten seconds. */
const AWAY_MS = process.env.BURIN_TEST_ALL_CASES === '1' ? 10_000 : 0;

(POSTGRES_MISSING === undefined ? describe : describe.skip)(
  `a service whose PostgreSQL is restarted under load${POSTGRES_MISSING === undefined ? '' : ` (pending: ${POSTGRES_MISSING})`}`,
  () => {
    let folder: string;
    let schema: Awaited<ReturnType<typeof postgresSchema>>;
    let proxy: TcpProxy;
    let direct: Database;
    let service: ReturnType<typeof startProcess>;
    let load: ConversionLoad | undefined;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'burin-restarted-'));
      schema = await postgresSchema();
      direct = createDatabase(schema.url);
      const { port, hostname } = new URL(schema.url);
      proxy = await startTcpProxy(Number(port || 5432), hostname);
      const through = new URL(schema.url);
      through.host = `127.0.0.1:${proxy.port}`;
      service = startProcess({
        BURIN_PORT: '0',
        BURIN_DATA_DIR: folder,
        BURIN_DATABASE_URL: through.href,
        BURIN_RATE_PER_KEY: '1000000',
        BURIN_CONCURRENT_PER_KEY: '50',
        BURIN_WORKERS: '1',
      });
      await service.ready;
    });
    after(async () => {
      service.child.kill('SIGKILL');
      await service.exited;
      await proxy.close();
      await direct.close();
      await schema.remove();
      await rm(folder, { recursive: true, force: true });
    });

    it('answers 502 with Retry-After meanwhile, then is whole again, and has charged everything once', async () => {
      const url = await service.ready;
      const key = service.firstKey();
      const { accounts, credits } = createKnexStores(direct, systemClock);
      const { id } = (await accounts.owner())!;
      await credits.grant(id, 100_000);
      load = await startConversionLoad([url], key, {
        // What was under way with the connection is somebody's until its lease is over: here it is over at once.
        async onRefusal({ code }) {
          if (code === 'REQUEST_IN_PROGRESS') await direct.knex('idempotency_records').update({ lease_until_ms: 0 });
        },
      });
      const { answers, done } = load;
      const refused = () => answers.filter(({ code }) => code === 'UPSTREAM_UNAVAILABLE');

      for (let restart = 1; restart <= 3; restart++) {
        const [doneBefore, refusedBefore] = [done.size, refused().length];
        await until(() => done.size >= doneBefore + 5);
        proxy.cut();
        const startMs = performance.now();
        await until(() => refused().length >= refusedBefore + 8 && performance.now() >= startMs + AWAY_MS);
        proxy.restore();
      }
      const doneBefore = done.size;
      await until(() => done.size >= doneBefore + 5);
      await load.finish();

      for (const { status, retryAfter } of refused()) expect([status, retryAfter]).to.deep.equal([502, '5']);
      const others = answers.filter(({ status, code }) => status !== 200 && code !== 'UPSTREAM_UNAVAILABLE');
      for (const { code } of others) expect(code).to.equal('REQUEST_IN_PROGRESS');

      await direct.knex('credit_holds').update({ expires_at_ms: 0 });
      const later = { ...systemClock, wallMs: () => systemClock.wallMs() + HOUR_MS };
      await createKnexStores(direct, later).credits.expireHolds();
      const entries = await credits.entries(id);
      expect(sumEntries(entries)).to.deep.equal(await credits.balance(id));
      expect(await direct.knex('credit_holds').select('id')).to.deep.equal([]);
      expect(entries.filter(({ used }) => used > 0).length).to.equal(done.size);
      expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    }).timeout(120_000);
  },
);
