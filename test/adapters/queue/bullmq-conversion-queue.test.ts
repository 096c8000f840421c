import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createBullmqConversionQueue } from '#adapters/queue/bullmq-conversion-queue.js';
import { startBullmqConversionWorker } from '#adapters/queue/bullmq-conversion-worker.js';
import { createRedisLink } from '#adapters/redis/redis-link.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import { ServiceError } from '#domain/errors.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { describeConversionQueue, drawn, type QueueOptions } from '#test/contracts/conversion-queue.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
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

    const start = async (
      { workers, waiting, waitLimitMs, vectorizeToFile }: QueueOptions,
      change: (artifacts: ArtifactStore) => ArtifactStore = (artifacts) => artifacts,
    ) => {
      const link = await createRedisLink(redis.url);
      const prefix = `test-${randomBytes(6).toString('hex')}`;
      const limits = { running: workers, waiting, waitLimitMs, runLimitMs: 60_000 };
      const tiers = Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>;
      const kept = createMemoryArtifactStore({ clock: systemClock, ids: randomIdSource, capBytes: 10_000_000 });
      const artifacts = change(kept);
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
    };
    describeConversionQueue('that of many processes', (wanted) => start(wanted));

    describe('while a picture is being kept', () => {
      const wanted = { workers: 1, waiting: 4, waitLimitMs: 60_000 };
      const conversion = (onTurn: () => Promise<void>) => ({
        tier: 'fast' as const,
        caller: { id: 'caller', maxInFlight: 4 },
        bytes: new Uint8Array([1, 2, 3]),
        settings: {},
        onTurn,
      });

      it('lets its turn come, and begins when it lies there', async () => {
        const seen: (readonly number[])[] = [];
        let keep = () => {};
        const turned = new Promise<void>((resolve) => {
          keep = resolve;
        });
        const { queue, close } = await start(
          {
            ...wanted,
            async vectorizeToFile({ picture }) {
              if (picture.kind === 'encoded') seen.push([...picture.bytes]);
              return drawn('a');
            },
          },
          (artifacts) => ({
            ...artifacts,
            async put(artifact) {
              // It is the picture that travels first.
              await turned;
              return artifacts.put(artifact);
            },
          }),
        );
        try {
          await queue.convert(conversion(async () => keep()));
          expect(seen).to.deep.equal([[1, 2, 3]]);
        } finally {
          await close();
        }
      });

      it('gives up where it cannot be kept, and has its place back', async () => {
        let runs = 0;
        let full = true;
        const { queue, close } = await start(
          {
            ...wanted,
            async vectorizeToFile() {
              runs++;
              return drawn('a');
            },
          },
          (artifacts) => ({
            ...artifacts,
            async put(artifact) {
              if (full) throw new ServiceError('STORAGE_FULL', { retryAfterSeconds: 1 });
              return artifacts.put(artifact);
            },
          }),
        );
        try {
          expect((await refusalOf(queue.convert(conversion(async () => {})))).code).to.equal('STORAGE_FULL');
          expect(runs).to.equal(0);
          expect((await queue.load()).fast).to.include({ waiting: 0, running: 0 });
          full = false;
          await queue.convert(conversion(async () => {}));
          expect(runs).to.equal(1);
        } finally {
          await close();
        }
      });
    });
  });
