import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { startConversionLoad } from '#test/support/conversion-load.js';
import { POSTGRES_MISSING, postgresSchema } from '#test/support/databases.js';
import { type Fleet, startFleet } from '#test/support/fleet.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { discPng } from '#test/support/png-files.js';
import {
  type FailingStore,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  startFailingStore,
  startS3Server,
} from '#test/support/s3-server.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { until } from '#test/support/until.js';

const missing = POSTGRES_MISSING ?? missingForRedis;
const title = 'two API and two worker processes on PostgreSQL, Redis and S3';

if (missing !== undefined) it(`${title} (${missing})`);
else
  describe(title, function () {
    this.timeout(120_000);
    let redis: OwnRedis;
    let schema: Awaited<ReturnType<typeof postgresSchema>>;
    let postgres: TcpProxy;
    let server: S3Server;
    let s3: FailingStore;
    let direct: Database;
    let fleet: Fleet;
    let accountId: string;

    before(async () => {
      redis = await startRedis();
      schema = await postgresSchema();
      const { port, hostname } = new URL(schema.url);
      postgres = await startTcpProxy(Number(port || 5432), hostname);
      server = await startS3Server();
      s3 = await startFailingStore(server.port);
      const through = new URL(schema.url);
      through.host = `127.0.0.1:${postgres.port}`;
      fleet = await startFleet({
        apis: 2,
        workers: 2,
        redisUrl: redis.url,
        databaseUrl: through.href,
        storageUrl: `s3://${S3_BUCKET}/fleet?endpoint=${s3.endpoint}`,
        env: {
          BURIN_CONCURRENT_PER_KEY: '50',
          BURIN_RATE_PER_KEY: '1000000',
          AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
          AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
        },
      });
      direct = createDatabase(schema.url);
      const { accounts, credits } = createKnexStores(direct, systemClock);
      accountId = (await accounts.owner())!.id;
      await credits.grant(accountId, 100_000);
    });
    after(async () => {
      await fleet?.remove();
      await direct?.close();
      await postgres?.close();
      await s3?.close();
      await server?.close();
      await schema?.remove();
      await redis?.remove();
    });

    const load = () =>
      startConversionLoad(fleet.urls, fleet.key, {
        async onRefusal({ code }) {
          if (code === 'REQUEST_IN_PROGRESS') await direct.knex('idempotency_records').update({ lease_until_ms: 0 });
        },
      });
    /** Nothing is held and every conversion that was answered is paid once. */
    const expectWhole = async (paid: number) => {
      await until(async () => (await fleet.leftovers()).length === 0);
      await direct.knex('credit_holds').update({ expires_at_ms: 0 });
      const { credits } = createKnexStores(direct, systemClock);
      await credits.expireHolds();
      const entries = await credits.entries(accountId);
      expect(sumEntries(entries)).to.deep.equal(await credits.balance(accountId));
      expect(await direct.knex('credit_holds').select('id')).to.deep.equal([]);
      expect(entries.filter(({ used }) => used > 0).length).to.equal(paid);
    };
    let paid = 0;

    it('give at one door what was made at the other, and export it', async () => {
      const [one, other] = fleet.urls as [string, string];
      const headers = { 'x-api-key': fleet.key };
      const made = await fetch(`${one}/api/v1/convert`, {
        method: 'POST',
        headers: { ...headers, 'content-type': MULTIPART_TYPE },
        body: new Uint8Array(convertForm(await discPng(48), {}, 'disc.png')),
      });
      expect(made.status).to.equal(200);
      paid++;
      const { svg, downloadPathBasename, downloadActualFilename } = (await made.json()) as Record<string, string>;
      const get = async (url: string, fileBasename: unknown, actualFilename: unknown) =>
        fetch(
          `${url}/download-file?${new URLSearchParams({ fileBasename: String(fileBasename), actualFilename: String(actualFilename) })}`,
        );
      expect(await (await get(other, downloadPathBasename, downloadActualFilename)).text()).to.equal(svg);
      const exported = await fetch(`${other}/api/v1/export`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ sourceSvgBasename: downloadPathBasename, format: 'pdf' }),
      });
      const file = (await exported.json()) as Record<string, string>;
      expect(exported.status, JSON.stringify(file)).to.equal(200);
      const pdf = await get(one, file.downloadPathBasename, file.downloadActualFilename);
      expect((await pdf.text()).slice(0, 5)).to.equal('%PDF-');
    });

    for (const [name, fail, mend] of [
      ['S3 fails', () => s3.become('failing'), () => s3.become('whole')],
      ['PostgreSQL is restarted', () => postgres.cut(), () => postgres.restore()],
    ] as const)
      it(`answer 502 while ${name}, and are whole again, everything paid once and nothing left in a queue`, async () => {
        const { answers, done, finish } = await load();
        const refused = () => answers.filter(({ status }) => status === 502);
        try {
          await until(() => done.size >= 5);
          fail();
          await until(() => refused().length >= 10);
        } finally {
          mend();
        }
        const before = done.size;
        await until(() => done.size >= before + 5);
        await finish();
        for (const { code, retryAfter } of refused())
          expect([code, retryAfter]).to.deep.equal(['UPSTREAM_UNAVAILABLE', '5']);
        paid += done.size;
        await expectWhole(paid);
        for (const url of fleet.urls) expect((await fetch(`${url}/readyz`)).status).to.equal(200);
      });
  });
