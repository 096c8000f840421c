import type { Container } from 'inversify';
import { createZipArchiveWriter } from '#adapters/archive/zip-archive-writer.js';
import { createOpenApi } from '#adapters/http/openapi/document.js';
import { createPrometheusMetrics } from '#adapters/metrics/prometheus-metrics.js';
import { createWorkerEncoder } from '#adapters/tracing/worker-encoder.js';
import { createWorkerPool } from '#adapters/tracing/worker-pool.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import type { FleetState } from '#application/ports/conversion-queue.js';
import { createTrackJobs } from '#application/track-jobs.js';
import { createExportDrawing } from '#application/use-cases/export-drawing.js';
import { createExportZip } from '#application/use-cases/export-zip.js';
import { createReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { TIER_IDS, tierOf } from '#domain/tiers/tier.js';
import { exporters } from '#plugins/index.js';
import { builtIn } from './compose-exporting.js';
import { composeEdgeRecovery } from './compose-restoring.js';
import { PACKAGE_VERSION } from './package-version.js';
import {
  ARTIFACT_STORE,
  CLOCK,
  CONFIG,
  CONVERSION_QUEUE,
  EXPORT_DOORS,
  EXPORT_DRAWING,
  EXPORT_POOL,
  EXPORT_ZIP,
  EXPORTERS,
  ID_SOURCE,
  JOB_BOARD,
  LOGGER,
  METRICS,
  REPORT_CAPABILITIES,
  STORES,
  WORKER_ENCODER,
  WORKER_POOL,
} from './tokens.js';
import type { ExportWorkerData } from './tracing-worker-data.js';
import { workerBounds } from './worker-bounds.js';

/** What the service exports with. */
export function bindExports(container: Container): void {
  container.bind(EXPORTERS).toResolvedValue(() => createExporterRegistry(exporters), []);
  container.bind(METRICS).toResolvedValue(createPrometheusMetrics, []);
  container.bind(EXPORT_POOL).toResolvedValue(
    ({ workers, exports, limits }, logger) =>
      createWorkerPool({
        entry: new URL('./main/export-worker.js', import.meta.url),
        workers: exports.running,
        // Many services never export anything.
        idleWorkers: 0,
        ...workerBounds(workers),
        data: { maxPixels: limits.maxPixels } satisfies ExportWorkerData,
        logger,
      }),
    [CONFIG, LOGGER],
  );
  container
    .bind(WORKER_ENCODER)
    .toResolvedValue((pool, { exports }) => createWorkerEncoder({ pool, ...exports }), [EXPORT_POOL, CONFIG]);
  container.bind(EXPORT_DRAWING).toResolvedValue(
    (registry, { encodeDrawing }, artifacts, { files }, metrics, { storage, limits }) =>
      createExportDrawing({
        files,
        exporters: registry,
        encodeDrawing: metrics.ofExports(encodeDrawing),
        artifacts,
        fileLifetimeMs: storage.fileLifetimeMs,
        maxSvgBytes: limits.maxSvgBytes,
      }),
    [EXPORTERS, WORKER_ENCODER, ARTIFACT_STORE, STORES, METRICS, CONFIG],
  );
  container.bind(EXPORT_ZIP).toResolvedValue(
    (registry, { encodeDrawing }, artifacts, { files }, clock, metrics, logger, { storage, limits }) =>
      createExportZip({
        files,
        exporters: registry,
        encodeDrawing: metrics.ofExports(encodeDrawing),
        artifacts,
        archives: createZipArchiveWriter({ clock }),
        fileLifetimeMs: storage.fileLifetimeMs,
        maxSvgBytes: limits.maxSvgBytes,
        onFault: (err) => logger.error({ err }, 'an item of a ZIP failed'),
      }),
    [EXPORTERS, WORKER_ENCODER, ARTIFACT_STORE, STORES, CLOCK, METRICS, LOGGER, CONFIG],
  );
  container.bind(REPORT_CAPABILITIES).toResolvedValue(
    (registry, { tiers, limits, storage, restoreModel }) =>
      createReportCapabilities({
        exporters: registry,
        ...builtIn(composeEdgeRecovery(restoreModel)),
        tiers: TIER_IDS.map((id) => {
          const { runLimitMs, waitLimitMs, waiting } = tiers[id];
          return { ...tierOf(id), runLimitMs, waitLimitMs, maxWaiting: waiting };
        }),
        limits: { ...limits, fileLifetimeMs: storage.fileLifetimeMs },
      }),
    [EXPORTERS, CONFIG],
  );
  container.bind(EXPORT_DOORS).toResolvedValue(
    (
      exportDrawing,
      exportZip,
      artifacts,
      { files },
      clock,
      ids,
      { storage },
      queue,
      tracing,
      exporting,
      metrics,
      registry,
      reportCapabilities,
      board,
    ) => {
      metrics.observe({
        queueLoad: () => queue.load(),
        fleet: queue.fleet && (() => queue.fleet?.() as Promise<FleetState>),
        pools: { tracing: () => tracing.state(), export: () => exporting.state() },
      });
      return {
        exportDrawing,
        exportZip,
        jobs: createTrackJobs({ clock, ids, artifacts, files, lifetimeMs: storage.fileLifetimeMs, board }),
        queue,
        metrics,
        description: {
          version: PACKAGE_VERSION,
          reportCapabilities,
          openApi: () => createOpenApi({ exporters: registry }),
        },
      };
    },
    [
      EXPORT_DRAWING,
      EXPORT_ZIP,
      ARTIFACT_STORE,
      STORES,
      CLOCK,
      ID_SOURCE,
      CONFIG,
      CONVERSION_QUEUE,
      WORKER_POOL,
      EXPORT_POOL,
      METRICS,
      EXPORTERS,
      REPORT_CAPABILITIES,
      JOB_BOARD,
    ],
  );
}
