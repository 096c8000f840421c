import { Writable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createHttpServer, type HttpServerOptions } from '#adapters/http/server.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { sha256Digest } from '#adapters/identity/sha256-digest.js';
import { createMemoryRateLimiter } from '#adapters/limits/memory-rate-limiter.js';
import { createPinoLogger } from '#adapters/logging/pino-logger.js';
import { createMemoryStores } from '#adapters/persistence/stores.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createConvertBatch } from '#application/use-cases/convert-batch.js';
import { createConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import { createConvertPicture } from '#application/use-cases/convert-picture.js';
import { createDownloadArtifact } from '#application/use-cases/download-artifact.js';
import { createIdentifyCaller } from '#application/use-cases/identify-caller.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';
import { type Checks, createReportStatus } from '#application/use-cases/report-status.js';
import { createReportUsage } from '#application/use-cases/report-usage.js';
import { createVectorizeToFile, type VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import type { AccountPlanId } from '#domain/credits/plans.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { createManualClock } from './manual-clock.js';
import { MULTIPART_TYPE } from './multipart.js';
import { createRunTracer } from './run-tracer.js';
import { vectorizeWith } from './vectorize-with.js';

export interface TestServiceOptions {
  readonly tracer?: Tracer;
  readonly vectorizeToFile?: VectorizeToFile;
  readonly server?: Partial<HttpServerOptions>;
  readonly waiting?: number;
  readonly running?: number;
  /** Conversions that one key may have in flight. */
  readonly perKey?: number;
  readonly capBytes?: number;
  readonly checks?: () => Checks;
}

/** The HTTP server over real use cases, in memory, with the small tracer in the calling thread. */
export function createTestService(options: TestServiceOptions = {}) {
  const {
    tracer = createRunTracer(),
    waiting = 4,
    running = 1,
    perKey = 100,
    capBytes = 10_000_000,
    checks = () => ({ workers: 'ok' }),
  } = options;
  const clock = createManualClock();
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const artifacts = createMemoryArtifactStore({ clock, ids: randomIdSource, capBytes });
  const limits = { running, waiting, waitLimitMs: 60_000 };
  const queue = createInProcessConversionQueue({
    workers: running,
    tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
    clock,
  });
  const vectorizeToFile = options.vectorizeToFile ?? createVectorizeToFile({ vectorizeImage: vectorizeWith(tracer) });
  const stores = createMemoryStores(clock);
  const logger = createPinoLogger({ level: 'info', destination });
  const convertForCaller = createConvertForCaller({
    convertPicture: createConvertPicture({ queue, vectorizeToFile, artifacts, fileLifetimeMs: 60_000 }),
    ...stores,
    artifacts,
    digest: sha256Digest,
    logger,
    maxConcurrentPerKey: perKey,
  });
  const faults: unknown[] = [];
  const app: FastifyInstance = createHttpServer({
    identifyCaller: createIdentifyCaller(stores),
    rateLimiter: createMemoryRateLimiter({ clock }),
    idempotency: stores.idempotency,
    digest: sha256Digest,
    usage: stores.usage,
    convertForCaller,
    convertBatch: createConvertBatch({ convertForCaller, onFault: (fault) => faults.push(fault) }),
    reportUsage: createReportUsage(stores),
    downloadArtifact: createDownloadArtifact({ artifacts }),
    reportStatus: createReportStatus({ clock, version: '9.8.7', engine: tracer.version, checks }),
    ids: randomIdSource,
    logger,
    options: {
      loopback: true,
      publicUrl: null,
      corsOrigins: [],
      anonymous: true,
      trustProxy: false,
      // So many that only tests of the limit reach it.
      requestsPerMinute: { key: 100_000, anonymous: 100_000 },
      maxUploadBytes: 1_000_000,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 60_000,
      keepAliveTimeoutMs: 5_000,
      ...options.server,
    },
  });
  const convert = (body: Buffer, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    app.inject({
      method: 'POST',
      url: '/api/v1/convert',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      payload: body,
    });
  /** A new account with a key, whose balance can be lowered by spending. */
  const createKey = async (plan: AccountPlanId = 'pro') => {
    const { secret, key, account } = await createManageKeys(stores).create({ plan });
    const headers = { 'x-api-key': secret };
    const spend = async (credits: number) => void (await (await stores.credits.hold(account.id, credits)).settle());
    return { secret, key, account, headers, spend };
  };
  return { app, convert, clock, queue, artifacts, logged, stores, createKey, faults };
}
