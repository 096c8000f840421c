import { expect } from 'chai';
import { type Fleet, startFleet } from '#test/support/fleet.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { discPng, noisePng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';
import { until } from '#test/support/until.js';

const title = 'a service of two API and two worker processes';

if (missingForRedis !== undefined) it(`${title} (${missingForRedis})`);
else
  describe(title, function () {
    this.timeout(60_000);
    let redis: OwnRedis;
    let fleet: Fleet;
    let one: string;
    let other: string;

    before(async () => {
      redis = await startRedis();
      fleet = await startFleet({
        apis: 2,
        workers: 2,
        redisUrl: redis.url,
        env: { BURIN_FAST_WAITING: '3' },
        workerEnv: { BURIN_WORKER_TIERS: 'fast,balanced_crisp' },
      });
      [one, other] = fleet.urls as [string, string];
    });
    after(async () => {
      await fleet?.remove();
      await redis?.remove();
    });

    const headers = (over: Record<string, string> = {}) => ({ 'x-api-key': fleet.key, ...over });
    const convert = (url: string, picture: Uint8Array, settings: Record<string, string>, over = {}) =>
      fetch(`${url}/api/v1/convert`, {
        method: 'POST',
        headers: headers({ 'content-type': MULTIPART_TYPE, ...over }),
        body: new Uint8Array(convertForm(picture, settings, 'disc.png')),
      });
    const queuesOf = async (url: string) => {
      const health = (await (await fetch(`${url}/health`)).json()) as {
        queues: Record<string, { waiting: number; running: number; capacity: number }>;
      };
      return health.queues;
    };

    it('tells the truth of all of them in every one', async () => {
      for (const url of fleet.urls) {
        expect(await queuesOf(url)).to.deep.equal({
          fast: { waiting: 0, running: 0, capacity: 2 },
          balanced_crisp: { waiting: 0, running: 0, capacity: 2 },
          high_precision: { waiting: 0, running: 0, capacity: 0 },
        });
        const metrics = await (await fetch(`${url}/metrics`)).text();
        expect(metrics).to.include('burin_queue_conversions{tier="fast",state="capacity"} 2');
        expect(metrics).to.include('burin_queue_workers{tier="fast"} 2');
        expect(metrics).to.include('burin_queue_leases 0');
      }
      for (const { ready } of fleet.workers) {
        const health = await fetch(`${await ready}/health`);
        expect(health.status).to.equal(200);
        expect(await health.json()).to.deep.equal({
          status: 'ok',
          checks: { workers: 'ok', redis: 'ok', queue: 'ok' },
        });
        expect((await fetch(`${await ready}/api/v1/status`)).status).to.equal(404);
      }
    });

    it('gives at one door what was made at the other', async () => {
      const answer = await convert(one, await discPng(40), { quality_tier: 'fast' });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('x-credits-charged')).to.equal('1');
      const { svg, downloadPathBasename, downloadActualFilename } = (await answer.json()) as Record<string, string>;
      const query = new URLSearchParams({
        fileBasename: downloadPathBasename as string,
        actualFilename: downloadActualFilename as string,
      });
      const file = await fetch(`${other}/download-file?${query}`);
      expect(await file.text()).to.equal(svg);
      // The same picture again is free, whoever is asked.
      const again = await convert(other, await discPng(40), { quality_tier: 'fast' });
      expect(again.headers.get('x-credits-charged')).to.equal('0');
    });

    it('refuses what no worker takes', async () => {
      const refused = await convert(one, await discPng(40), { quality_tier: 'high_precision' });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([503, 'AT_CAPACITY']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    });

    it('has its jobs seen and cancelled at either door', async () => {
      const settings = { quality_tier: 'balanced_crisp' };
      const begun = await convert(one, await noisePng(200), settings, { prefer: 'respond-async' });
      const { id } = (await begun.json()) as { id: string };
      expect(begun.status).to.equal(202);
      const cancelled = await fetch(`${other}/api/v1/jobs/${id}`, { method: 'DELETE', headers: headers() });
      expect(await cancelled.json()).to.include({ id, state: 'cancelled' });
      await until(async () => (await fleet.leftovers()).length === 0);
    });

    it('lets a key have exactly 200 requests a minute at both doors together', async () => {
      const ask = (url: string) => fetch(`${url}/api/v1/status`, { headers: headers() });
      // What this file has asked so far counts as well.
      const left = Number((await ask(one)).headers.get('x-ratelimit-remaining'));
      const statuses: number[] = [];
      await Promise.all(
        fleet.urls.map(async (url) => {
          for (let i = 0; i < 15; i++)
            statuses.push(...(await Promise.all(Array.from({ length: 10 }, async () => (await ask(url)).status))));
        }),
      );
      expect(statuses.filter((status) => status === 200)).to.have.length(left);
      expect(statuses.filter((status) => status === 429)).to.have.length(300 - left);
    });

    it('lets a worker that is told to stop finish what it has, and takes nobody to it any more', async () => {
      const anonymous = (picture: Uint8Array) =>
        fetch(`${one}/api/v1/convert`, {
          method: 'POST',
          headers: { 'content-type': MULTIPART_TYPE },
          body: new Uint8Array(convertForm(picture, { quality_tier: 'balanced_crisp' }, 'a.png')),
        });
      const running = anonymous(await noisePng(200));
      await until(async () => (await queuesOf(one)).balanced_crisp?.running === 1);
      for (const { child } of fleet.workers) child.kill('SIGTERM');
      await until(async () => (await queuesOf(other)).fast?.capacity === 0);
      expect((await running).status).to.equal(200);
      for (const { exited } of fleet.workers) expect(await exited).to.equal(0);
      const refused = await anonymous(await discPng(30));
      expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([503, 'AT_CAPACITY']);
      expect(await fleet.leftovers()).to.deep.equal([]);
    });

    it('is one process, too, where that does everything', async () => {
      const alone = startProcess({
        BURIN_PORT: '0',
        BURIN_DATA_DIR: fleet.folder,
        BURIN_DATABASE_URL: fleet.databaseUrl,
        BURIN_REDIS_URL: redis.url,
        BURIN_WORKERS: '1',
        BURIN_RATE_PER_KEY: '1000',
      });
      try {
        const answer = await convert(await alone.ready, await discPng(50), { quality_tier: 'high_precision' });
        expect(answer.status).to.equal(200);
        alone.child.kill('SIGTERM');
        expect(await alone.exited).to.equal(0);
      } finally {
        alone.child.kill('SIGKILL');
        await alone.exited;
      }
    });

    it('says what to look at where there is no Redis', async () => {
      const lost = startProcess({ BURIN_PORT: '0', BURIN_REDIS_URL: 'redis://127.0.0.1:1', BURIN_ROLE: 'worker' });
      expect(await lost.exited).to.equal(1);
      expect(lost.errors.join('')).to.include('BURIN_REDIS_URL');
      await lost.ready.catch(() => {});
    });

    it('says in one line what to look at where there is no database or no bucket', async () => {
      const s3 = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'secret', BURIN_DATA_DIR: fleet.folder };
      for (const [name, address, env] of [
        ['BURIN_DATABASE_URL', 'postgres://burin:secret@127.0.0.1:1/burin', {}],
        ['BURIN_STORAGE_URL', 's3://bucket?endpoint=http://127.0.0.1:1', s3],
      ] as const) {
        const lost = startProcess({ BURIN_PORT: '0', ...env, [name]: address });
        await lost.ready.catch(() => {});
        expect(await lost.exited).to.equal(1);
        expect(lost.errors.join('')).to.match(
          /^burin: The .* cannot be reached \(.*ECONNREFUSED.*\)\. Check BURIN_\w+\.\n$/,
        );
        expect(lost.errors.join('')).to.include(name).and.to.not.include('secret');
      }
    });
  });
