import { Writable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createZipArchiveWriter } from '#adapters/archive/zip-archive-writer.js';
import { createOpenApi } from '#adapters/http/openapi/document.js';
import { createHttpServer, type HttpServerOptions } from '#adapters/http/server.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { sha256Digest } from '#adapters/identity/sha256-digest.js';
import { INPUT_FORMATS } from '#adapters/imaging/image-kind.js';
import { createMemoryRateLimiter } from '#adapters/limits/memory-rate-limiter.js';
import { createPinoLogger } from '#adapters/logging/pino-logger.js';
import { createPrometheusMetrics } from '#adapters/metrics/prometheus-metrics.js';
import { createMemoryStores, type Stores } from '#adapters/persistence/stores.js';
import { createConversionSlots } from '#adapters/queue/conversion-slots.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { Exporter } from '#application/ports/exporter.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createTrackJobs } from '#application/track-jobs.js';
import { createConvertBatch } from '#application/use-cases/convert-batch.js';
import { createConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import { createConvertPicture } from '#application/use-cases/convert-picture.js';
import { createDownloadArtifact } from '#application/use-cases/download-artifact.js';
import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import { createExportDrawing } from '#application/use-cases/export-drawing.js';
import { createExportZip } from '#application/use-cases/export-zip.js';
import { createGrantCredits } from '#application/use-cases/grant-credits.js';
import { createIdentifyCaller } from '#application/use-cases/identify-caller.js';
import { createManageAccounts } from '#application/use-cases/manage-accounts.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';
import { createManageOwnAccount } from '#application/use-cases/manage-own-account.js';
import { createReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { type Checks, createReportStatus } from '#application/use-cases/report-status.js';
import { createReportUsage } from '#application/use-cases/report-usage.js';
import { createSignIn } from '#application/use-cases/sign-in.js';
import { createVectorizeToFile, type VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { composeEncodeDrawing } from '#config/compose-export.js';
import { composeGuide } from '#config/compose-guide.js';
import { createServiceMcp } from '#config/service-mcp.js';
import type { AccountPlanId, PlanId } from '#domain/credits/plans.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { exporters as registered } from '#plugins/index.js';
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
  readonly waitLimitMs?: number;
  /** Conversions that one key may have in flight. */
  readonly perKey?: number;
  readonly capBytes?: number;
  readonly checks?: () => Checks;
  readonly exporters?: readonly Exporter[];
  readonly encodeDrawing?: EncodeDrawing;
  /** Of everybody who calls; anonymous where left out. */
  readonly plan?: PlanId;
  readonly clock?: ReturnType<typeof createManualClock>;
  readonly stores?: Stores;
  readonly artifacts?: ArtifactStore;
  /** What stands before the queue. */
  readonly queueOf?: (queue: ConversionQueue) => ConversionQueue;
}

/** The HTTP server over real use cases, in memory, with the small tracer in the calling thread. */
export function createTestService(options: TestServiceOptions = {}) {
  const {
    tracer = createRunTracer(),
    waiting = 4,
    running = 1,
    waitLimitMs = 60_000,
    perKey = 100,
    capBytes = 10_000_000,
    checks = () => ({ workers: 'ok' }),
  } = options;
  const { clock = createManualClock() } = options;
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const artifacts = options.artifacts ?? createMemoryArtifactStore({ clock, ids: randomIdSource, capBytes });
  const limits = { running, waiting, waitLimitMs };
  const slots = createConversionSlots({
    workers: running,
    tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
    clock,
  });
  const vectorizeToFile = options.vectorizeToFile ?? createVectorizeToFile({ vectorizeImage: vectorizeWith(tracer) });
  const ownQueue = createInProcessConversionQueue({ slots, vectorizeToFile });
  const queue = options.queueOf?.(ownQueue) ?? ownQueue;
  const { exporters = registered } = options;
  const registry = createExporterRegistry(exporters);
  const stores = options.stores ?? createMemoryStores(clock);
  const exportDeps = {
    exporters: registry,
    encodeDrawing: options.encodeDrawing ?? composeEncodeDrawing({ exporters }),
    artifacts,
    files: stores.files,
    fileLifetimeMs: 60_000,
    maxSvgBytes: options.server?.maxSvgBytes ?? 25 * 1024 * 1024,
  };
  const metrics = createPrometheusMetrics();
  metrics.observe({ queueLoad: () => queue.load(), pools: {} });
  const reportCapabilities = createReportCapabilities({
    exporters: registry,
    engines: async () => [{ id: 'planar', state: 'available', version: tracer.version, license: 'GPL-3.0-or-later' }],
    edgeRecovery: async () => [],
    inputFormats: INPUT_FORMATS,
  });
  const logger = createPinoLogger({ level: 'info', destination });
  const converting = new Set<Promise<unknown>>();
  const own = createConvertForCaller({
    convertPicture: createConvertPicture({ queue, artifacts, fileLifetimeMs: 60_000 }),
    queue,
    ...stores,
    artifacts,
    digest: sha256Digest,
    logger,
    maxConcurrentPerKey: perKey,
  });
  const convertForCaller: typeof own = Object.assign(async (...asked: Parameters<typeof own>) => {
    const conversion = own(...asked);
    converting.add(conversion);
    return conversion.finally(() => converting.delete(conversion));
  }, own);
  const jobs = createTrackJobs({ clock, ids: randomIdSource, artifacts, files: stores.files, lifetimeMs: 60_000 });
  const rateLimiter = createMemoryRateLimiter({ clock });
  const faults: unknown[] = [];
  const exportDrawing = createExportDrawing(exportDeps);
  const downloadArtifact = createDownloadArtifact({ artifacts });
  const reportStatus = createReportStatus({ clock, version: '9.8.7', engine: tracer.version, checks });
  const app: FastifyInstance = createHttpServer({
    guide: composeGuide(false),
    mcp: createServiceMcp({
      convertForCaller,
      exportDrawing,
      downloadArtifact,
      reportUsage: createReportUsage(stores),
      reportCapabilities,
      reportStatus,
      exporters: registry,
      maxUploadBytes: 1_000_000,
      version: '9.8.7',
      logger,
    }),
    jobs,
    queue,
    metrics,
    description: { version: '9.8.7', reportCapabilities, openApi: () => createOpenApi({ exporters: registry }) },
    exportDrawing,
    exportZip: createExportZip({ ...exportDeps, archives: createZipArchiveWriter({ clock }) }),
    identifyCaller: createIdentifyCaller(stores),
    rateLimiter,
    dashboard: {
      signIn: createSignIn({ ...stores, rateLimiter }),
      ownAccount: createManageOwnAccount(stores),
      accounts: createManageAccounts({ ...stores, removeFile: (basename) => artifacts.remove(basename) }),
      grantCredits: createGrantCredits(stores),
    },
    idempotency: stores.idempotency,
    digest: sha256Digest,
    usage: stores.usage,
    convertForCaller,
    convertBatch: createConvertBatch({ convertForCaller, onFault: (fault) => faults.push(fault) }),
    reportUsage: createReportUsage(stores),
    downloadArtifact,
    reportStatus,
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
      maxSvgBytes: 25 * 1024 * 1024,
      maxZipRequestBytes: 100 * 1024 * 1024,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 60_000,
      keepAliveTimeoutMs: 5_000,
      ...options.server,
    },
  });
  const { plan } = options;
  if (plan !== undefined)
    app.addHook('onRequest', async (request) => {
      Object.assign(request.caller, { plan });
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
  /** Resolves when no job and no conversion goes on, those included whose callers have left. */
  const idle = async () => {
    await jobs.idle();
    while (converting.size > 0) await Promise.allSettled(converting);
  };
  return { app, convert, idle, clock, queue: slots, artifacts, logged, stores, createKey, faults };
}
