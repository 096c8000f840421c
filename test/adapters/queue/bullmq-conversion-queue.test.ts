import { randomBytes } from 'node:crypto';
import { systemClock } from '#adapters/clock/system-clock.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createBullmqConversionQueue } from '#adapters/queue/bullmq-conversion-queue.js';
import { startBullmqConversionWorker } from '#adapters/queue/bullmq-conversion-worker.js';
import { createRedisLink } from '#adapters/redis/redis-link.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { describeConversionQueue } from '#test/contracts/conversion-queue.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { createRecordingLogger } from '#test/support/recording-logger.js';

const title = 'the queue of a fleet';

if (missingForRedis !== undefined) it(`${title} (${missingForRedis})`);
else
  describe(title, () => {
    let redis: OwnRedis;
    before(async () => {
      redis = await startRedis();
    });
    after(() => redis.remove());

    describeConversionQueue('that of many processes', async ({ workers, waiting, waitLimitMs, vectorizeToFile }) => {
      const link = await createRedisLink(redis.url);
      const prefix = `test-${randomBytes(6).toString('hex')}`;
      const limits = { running: workers, waiting, waitLimitMs, runLimitMs: 60_000 };
      const tiers = Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>;
      const artifacts = createMemoryArtifactStore({ clock: systemClock, ids: randomIdSource, capBytes: 10_000_000 });
      const logger = createRecordingLogger();
      const shared = { redis: link, prefix, tiers, artifacts, logger };
      const worker = await startBullmqConversionWorker({ ...shared, name: 'worker', workers, vectorizeToFile });
      const queue = await createBullmqConversionQueue({ ...shared, clock: systemClock, ids: randomIdSource });
      return {
        queue,
        loseWorkers: () => worker.close(),
        async close() {
          await queue.close();
          await worker.close();
          await link.close();
        },
      };
    });
  });
