import 'reflect-metadata';
import { Container } from 'inversify';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createHttpServer } from '#adapters/http/server.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { sha256Digest } from '#adapters/identity/sha256-digest.js';
import { createPinoLogger } from '#adapters/logging/pino-logger.js';
import { ENGINE_VERSION } from '#adapters/tracing/engine/version.js';
import { observedArtifactStore, observedConvertPicture } from '#application/observed.js';
import { createConvertBatch } from '#application/use-cases/convert-batch.js';
import { createConvertPicture } from '#application/use-cases/convert-picture.js';
import { createDownloadArtifact } from '#application/use-cases/download-artifact.js';
import { createIdentifyCaller } from '#application/use-cases/identify-caller.js';
import { createReportStatus } from '#application/use-cases/report-status.js';
import { createReportUsage } from '#application/use-cases/report-usage.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { bindAccounts } from './bind-accounts.js';
import { bindExports } from './bind-exports.js';
import { bindObservation, observeBoth } from './bind-observation.js';
import { bindQueue } from './bind-queue.js';
import { composeGuide } from './compose-guide.js';
import type { Config } from './env.js';
import { createLifecycle } from './lifecycle.js';
import { openArtifactStore } from './open-artifact-store.js';
import { PACKAGE_VERSION } from './package-version.js';
import { createServiceMcp } from './service-mcp.js';
import {
  ARTIFACT_STORE,
  CLOCK,
  CONFIG,
  CONVERSION_QUEUE,
  CONVERT_FOR_CALLER,
  CONVERT_PICTURE,
  DASHBOARD,
  DOWNLOAD_ARTIFACT,
  EXPORT_DOORS,
  EXPORTERS,
  HTTP_SERVER,
  ID_SOURCE,
  LIFECYCLE,
  LOGGER,
  METRICS,
  RATE_LIMITER,
  REDIS,
  REPORT_STATUS,
  STORES,
  TELEMETRY,
  WORKER_POOL,
} from './tokens.js';
import { webOptions } from './web-options.js';

/** Everything of the service, made when it is first asked for, and once. */
export function createServiceContainer(config: Config): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CONFIG).toConstantValue(config);
  container.bind(LIFECYCLE).toConstantValue(createLifecycle());
  container.bind(CLOCK).toConstantValue(systemClock);
  container.bind(ID_SOURCE).toConstantValue(randomIdSource);
  container.bind(LOGGER).toResolvedValue(({ logLevel }) => createPinoLogger({ level: logLevel }), [CONFIG]);

  container
    .bind(ARTIFACT_STORE)
    .toResolvedValue(
      async ({ storage, fleet }, clock, ids, telemetry, { ofStore }) =>
        observedArtifactStore(
          await openArtifactStore(storage, clock, ids, fleet !== undefined),
          observeBoth('store', telemetry, ofStore),
        ),
      [CONFIG, CLOCK, ID_SOURCE, TELEMETRY, METRICS],
    );

  container
    .bind(CONVERT_PICTURE)
    .toResolvedValue(
      (queue, artifacts, { storage: { fileLifetimeMs } }, telemetry, clock) =>
        observedConvertPicture(createConvertPicture({ queue, artifacts, fileLifetimeMs }), telemetry, clock),
      [CONVERSION_QUEUE, ARTIFACT_STORE, CONFIG, TELEMETRY, CLOCK],
    );
  container
    .bind(DOWNLOAD_ARTIFACT)
    .toResolvedValue((artifacts) => createDownloadArtifact({ artifacts }), [ARTIFACT_STORE]);
  container.bind(REPORT_STATUS).toResolvedValue(
    (clock, pool, lifecycle, redis, { fleet }) =>
      createReportStatus({
        clock,
        version: PACKAGE_VERSION,
        engine: ENGINE_VERSION,
        checks: () => ({
          // Where others trace, theirs are in the queues' capacity.
          ...(fleet?.role !== 'api' && {
            workers: lifecycle.state !== 'starting' && pool.state().workers > 0 ? 'ok' : 'failing',
          }),
          ...(redis !== undefined && { redis: redis.isUp() ? 'ok' : 'failing' }),
          queue: lifecycle.state !== 'stopping' ? 'ok' : 'failing',
        }),
      }),
    [CLOCK, WORKER_POOL, LIFECYCLE, REDIS, CONFIG],
  );

  bindObservation(container);
  bindQueue(container);
  bindAccounts(container);
  bindExports(container);
  container.bind(HTTP_SERVER).toResolvedValue(
    (
      convertForCaller,
      stores,
      dashboard,
      rateLimiter,
      downloadArtifact,
      reportStatus,
      doors,
      exporters,
      ids,
      logger,
      { http, limits },
      telemetry,
    ) =>
      createHttpServer({
        telemetry,
        ...doors,
        guide: composeGuide(webOptions().webFolder !== undefined),
        mcp: createServiceMcp({
          ...doors,
          ...doors.description,
          convertForCaller,
          downloadArtifact,
          reportStatus,
          reportUsage: createReportUsage(stores),
          exporters,
          maxUploadBytes: limits.maxUploadBytes,
          logger,
        }),
        identifyCaller: createIdentifyCaller(stores),
        rateLimiter,
        dashboard,
        idempotency: stores.idempotency,
        digest: sha256Digest,
        usage: stores.usage,
        convertForCaller,
        convertBatch: createConvertBatch({
          convertForCaller,
          onFault: (err) => logger.error({ err }, 'a picture of a batch failed'),
        }),
        reportUsage: createReportUsage(stores),
        downloadArtifact,
        reportStatus,
        ids,
        logger,
        options: { ...http, ...limits, ...webOptions(), maxZipRequestBytes: LIMITS.maxZipRequestBytes },
      }),
    [
      CONVERT_FOR_CALLER,
      STORES,
      DASHBOARD,
      RATE_LIMITER,
      DOWNLOAD_ARTIFACT,
      REPORT_STATUS,
      EXPORT_DOORS,
      EXPORTERS,
      ID_SOURCE,
      LOGGER,
      CONFIG,
      TELEMETRY,
    ],
  );
  return container;
}
