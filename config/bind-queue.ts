import type { Container } from 'inversify';
import { createMemoryRateLimiter } from '#adapters/limits/memory-rate-limiter.js';
import { createRedisRateLimiter } from '#adapters/limits/redis-rate-limiter.js';
import { createConversionSlots } from '#adapters/queue/conversion-slots.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerVectorizer } from '#adapters/tracing/worker-vectorizer.js';
import {
  ARTIFACT_STORE,
  CLOCK,
  CONFIG,
  CONVERSION_QUEUE,
  CONVERSION_WORKER,
  ID_SOURCE,
  JOB_BOARD,
  LOGGER,
  METRICS,
  RATE_LIMITER,
  REDIS,
  VECTORIZE_TO_FILE,
  WORKER_POOL,
} from './tokens.js';
import type { TracingWorkerData } from './tracing-worker-data.js';

/** Of every key in Redis. */
const PREFIX = 'burin';

/**
 * Threads that are ready when nothing has been traced for a minute. Each is tens of MB and a good part of the start; another one
 * is there in a fraction of a second when two pictures come at once.
 */
const STAYING_WORKERS = 1;

/** Of a process in which nothing is traced. */
const NO_WORKERS: WorkerPool = {
  run: async () => {
    throw new Error('this process traces nothing');
  },
  warm: async () => {},
  state: () => ({ workers: 0, busy: 0 }),
  close: async () => {},
};

/**
 * Who converts when and where, and how many requests are let in: of this process alone, or of as many as share a Redis. What
 * speaks to Redis is loaded where there is one.
 */
export function bindQueue(container: Container): void {
  container.bind(REDIS).toResolvedValue(
    async ({ fleet }, logger) => {
      if (fleet === undefined) return undefined;
      const { createRedisLink } = await import('#adapters/redis/redis-link.js');
      let troubled = false;
      return createRedisLink(fleet.redisUrl, {
        // Once for each time that it goes away.
        onTrouble(err) {
          if (!troubled) logger.error({ err }, 'Redis cannot be reached');
          troubled = true;
        },
        onReady() {
          if (troubled) logger.info({}, 'Redis is back');
          troubled = false;
        },
      });
    },
    [CONFIG, LOGGER],
  );
  container
    .bind(RATE_LIMITER)
    .toResolvedValue(
      (clock, redis) =>
        redis === undefined
          ? createMemoryRateLimiter({ clock })
          : createRedisRateLimiter({ run: redis.run, prefix: PREFIX }),
      [CLOCK, REDIS],
    );
  container.bind(JOB_BOARD).toResolvedValue(
    async (redis) => {
      if (redis === undefined) return undefined;
      const { createRedisJobBoard } = await import('#adapters/jobs/redis-job-board.js');
      return createRedisJobBoard({ ...redis, prefix: PREFIX });
    },
    [REDIS],
  );
  container.bind(WORKER_POOL).toResolvedValue(
    ({ workers, tiers, limits, fleet, restoreModel }, logger) =>
      fleet?.role === 'api'
        ? NO_WORKERS
        : createWorkerPool({
            entry: new URL('./main/tracing-worker.js', import.meta.url),
            workers: workers.count,
            idleWorkers: STAYING_WORKERS,
            memoryBytes: workers.memoryBytes,
            data: { tiers, maxPixels: limits.maxPixels, restoreModel } satisfies TracingWorkerData,
            logger,
          }),
    [CONFIG, LOGGER],
  );
  container
    .bind(VECTORIZE_TO_FILE)
    .toResolvedValue(
      (pool, { tiers }, metrics) =>
        metrics.ofConversions(createWorkerVectorizer({ pool, runLimitMs: ({ id }) => tiers[id].runLimitMs })),
      [WORKER_POOL, CONFIG, METRICS],
    );
  container.bind(CONVERSION_QUEUE).toResolvedValue(
    async ({ workers, tiers }, clock, ids, logger, pool, vectorizeToFile, artifacts, redis, metrics) => {
      if (redis !== undefined) {
        const { createBullmqConversionQueue } = await import('#adapters/queue/bullmq-conversion-queue.js');
        return metrics.ofQueue(
          await createBullmqConversionQueue({ redis, prefix: PREFIX, tiers, artifacts, clock, ids, logger }),
        );
      }
      const isAlive = () => pool.state().workers > 0;
      const slots = createConversionSlots({ workers: workers.count, tiers, clock, isAlive });
      return metrics.ofQueue(createInProcessConversionQueue({ slots, vectorizeToFile }));
    },
    [CONFIG, CLOCK, ID_SOURCE, LOGGER, WORKER_POOL, VECTORIZE_TO_FILE, ARTIFACT_STORE, REDIS, METRICS],
  );
  container.bind(CONVERSION_WORKER).toResolvedValue(
    async ({ fleet, workers, tiers }, ids, logger, pool, vectorizeToFile, artifacts, redis) => {
      if (fleet === undefined || redis === undefined || fleet.role === 'api') return undefined;
      const { startBullmqConversionWorker } = await import('#adapters/queue/bullmq-conversion-worker.js');
      return startBullmqConversionWorker({
        redis,
        prefix: PREFIX,
        name: ids.next(),
        tiers: Object.fromEntries(fleet.tiers.map((tier) => [tier, tiers[tier]])),
        workers: workers.count,
        isAlive: () => pool.state().workers > 0,
        vectorizeToFile,
        artifacts,
        logger,
      });
    },
    [CONFIG, ID_SOURCE, LOGGER, WORKER_POOL, VECTORIZE_TO_FILE, ARTIFACT_STORE, REDIS],
  );
}
