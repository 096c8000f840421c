import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createRedisJobBoard } from '#adapters/jobs/redis-job-board.js';
import { createMemoryStores } from '#adapters/persistence/stores.js';
import { createRedisLink, type RedisLink } from '#adapters/redis/redis-link.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import type { Charge } from '#application/ports/credit-ledger.js';
import { createTrackJobs, type Job, type JobWork } from '#application/track-jobs.js';
import { ServiceError } from '#domain/errors.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { until } from '#test/support/until.js';

/** What a job of these tests makes. */
interface Outcome {
  readonly body: Uint8Array;
  readonly charge: Charge;
}

const title = 'jobs of many processes';
if (missingForRedis !== undefined) it(`${title} (${missingForRedis})`);
else
  describe(title, () => {
    let redis: OwnRedis;
    const links: RedisLink[] = [];
    before(async () => {
      redis = await startRedis();
    });
    after(async () => {
      for (const link of links) await link.close();
      await redis.remove();
    });

    const owner = { id: 'somebody', accountId: undefined };
    const body = new TextEncoder().encode('{"a":1}');
    const done: Outcome = { body, charge: { charged: 2, remaining: 8 } };
    /** Two processes of one service. */
    const setUp = async () => {
      const prefix = `test-${randomBytes(6).toString('hex')}`;
      const artifacts = createMemoryArtifactStore({ clock: systemClock, ids: randomIdSource, capBytes: 1_000_000 });
      const { files } = createMemoryStores(systemClock);
      const open = async () => {
        const link = await createRedisLink(redis.url);
        links.push(link);
        const board = await createRedisJobBoard({ ...link, prefix });
        return createTrackJobs({
          clock: systemClock,
          ids: randomIdSource,
          artifacts,
          files,
          lifetimeMs: 60_000,
          board,
        });
      };
      return { prefix, one: await open(), other: await open() };
    };
    /** Work that the test ends. */
    const held = () => {
      let signal: AbortSignal | undefined;
      let report: Parameters<JobWork>[1] = () => {};
      let end = (_outcome: Outcome | Error) => {};
      const work: JobWork = async (given, onProgress, keep) => {
        const { body: made, charge } = await new Promise<Outcome>((resolve, reject) => {
          signal = given;
          report = onProgress;
          end = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
          given.addEventListener('abort', () => reject(new ServiceError('CANCELLED')), { once: true });
        });
        await keep(made);
        return charge;
      };
      return {
        work,
        begun: () => until(() => signal !== undefined),
        report: (...progress: Parameters<typeof report>) => report(...progress),
        end: (outcome: Outcome | Error) => end(outcome),
      };
    };

    it('are known to every process as soon as they are begun, to their owner alone', async () => {
      const { one, other } = await setUp();
      const { work, begun, end } = held();
      const job = await one.start(owner, 1000, work);
      expect(await other.find('somebody', job.id)).to.deep.equal({ ...job, error: undefined });
      expect(await other.find('somebody else', job.id)).to.equal(undefined);
      expect(await other.cancel('somebody else', job.id)).to.equal(undefined);
      expect(await other.find('somebody', 'none')).to.equal(undefined);
      await begun();
      end(done);
      await one.idle();
      await until(async () => (await other.find('somebody', job.id))?.state === 'succeeded');
      expect((await other.find('somebody', job.id))?.charge).to.deep.equal(done.charge);
      expect(await other.result('somebody', job.id)).to.deep.equal(body);
      expect(await other.result('somebody else', job.id)).to.equal(undefined);
    });

    it('are watched from another process to their end', async () => {
      const { one, other } = await setUp();
      const { work, begun, report, end } = held();
      const job = await one.start(owner, 1000, work);
      const seen: Job[] = [];
      other.watch(job.id, (now) => seen.push(now));
      await until(() => seen.some(({ state }) => state === 'queued'));
      await begun();
      report('fit', 0.5);
      await until(() => seen.some(({ stage, fraction }) => stage === 'fit' && fraction === 0.5));
      end(new ServiceError('UNREADABLE_IMAGE', { format: 'png', problem: 'it is cut short' }));
      await until(() => seen.at(-1)?.state === 'failed');
      expect(seen.at(-1)?.error).to.be.instanceOf(ServiceError).and.include({ code: 'UNREADABLE_IMAGE' });
    });

    it('are cancelled from another process', async () => {
      const { one, other } = await setUp();
      const { work, begun } = held();
      const job = await one.start(owner, 1000, work);
      await begun();
      expect((await other.cancel('somebody', job.id))?.state).to.equal('cancelled');
      expect((await one.find('somebody', job.id))?.state).to.equal('cancelled');
      expect((await other.cancel('somebody', job.id))?.state).to.equal('cancelled');
    });

    it('are gone soon with the process that had them', async () => {
      const { prefix, one } = await setUp();
      const { work, begun, end } = held();
      const job = await one.start(owner, 1000, work);
      await begun();
      const link = links.at(-1) as RedisLink;
      expect(await link.client.pttl(`${prefix}:job:${job.id}`)).to.be.within(1, 10_000);
      end(done);
      await one.idle();
      await until(async () => (await link.client.pttl(`${prefix}:job:${job.id}`)) > 10_000);
    });

    it('are not begun where nobody could be told of them', async () => {
      const { one } = await setUp();
      await redis.stop();
      let begun = false;
      const work: JobWork = async () => {
        begun = true;
        return done.charge;
      };
      expect((await refusalOf(one.start(owner, 1000, work))).code).to.equal('UPSTREAM_UNAVAILABLE');
      expect(begun).to.equal(false);
      await redis.start();
    });
  });
