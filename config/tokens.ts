import type { FastifyInstance } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import type { Logger as PinoLogger } from 'pino';
import type { Dashboard, HttpServerDeps } from '#adapters/http/server.js';
import type { Metrics } from '#adapters/metrics/prometheus-metrics.js';
import type { Database } from '#adapters/persistence/create-database.js';
import type { Stores } from '#adapters/persistence/stores.js';
import type { ConversionWorker } from '#adapters/queue/bullmq-conversion-worker.js';
import type { RedisLink } from '#adapters/redis/redis-link.js';
import type { WorkerEncoder } from '#adapters/tracing/worker-encoder.js';
import type { WorkerPool } from '#adapters/tracing/worker-pool.js';
import type { ExporterRegistry } from '#application/exporter-registry.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { JobBoard } from '#application/ports/job-board.js';
import type { RateLimiter } from '#application/ports/rate-limiter.js';
import type { Telemetry } from '#application/ports/telemetry.js';
import type { ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import type { ConvertPicture } from '#application/use-cases/convert-picture.js';
import type { DownloadArtifact } from '#application/use-cases/download-artifact.js';
import type { ExportDrawing } from '#application/use-cases/export-drawing.js';
import type { ExportZip } from '#application/use-cases/export-zip.js';
import type { ReportCapabilities } from '#application/use-cases/report-capabilities.js';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import type { Config } from './env.js';
import type { Lifecycle } from './lifecycle.js';

const token = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** What the container holds, by name and type. */
export const CONFIG = token<Config>('Config');
export const LIFECYCLE = token<Lifecycle>('Lifecycle');
export const CLOCK = token<Clock>('Clock');
export const ID_SOURCE = token<IdSource>('IdSource');
export const LOGGER = token<PinoLogger>('Logger');
/** Undefined where the service is one process. */
export const REDIS = token<RedisLink | undefined>('Redis');
/** Of a process that traces for a fleet; undefined for others. */
export const CONVERSION_WORKER = token<ConversionWorker | undefined>('ConversionWorker');
export const WORKER_POOL = token<WorkerPool>('WorkerPool');
export const VECTORIZE_TO_FILE = token<VectorizeToFile>('VectorizeToFile');
export const CONVERSION_QUEUE = token<ConversionQueue>('ConversionQueue');
export const ARTIFACT_STORE = token<ArtifactStore>('ArtifactStore');
export const CONVERT_PICTURE = token<ConvertPicture>('ConvertPicture');
export const DOWNLOAD_ARTIFACT = token<DownloadArtifact>('DownloadArtifact');
export const DATABASE = token<Database>('Database');
export const STORES = token<Stores>('Stores');
export const CONVERT_FOR_CALLER = token<ConvertForCaller>('ConvertForCaller');
/** What people do who sign in. */
export const DASHBOARD = token<Dashboard>('Dashboard');
export const RATE_LIMITER = token<RateLimiter>('RateLimiter');
export const REPORT_STATUS = token<ReportStatus>('ReportStatus');
/** Where work is timed for who watches a fleet. */
export const TELEMETRY = token<Telemetry>('Telemetry');
export const METRICS = token<Metrics>('Metrics');
export const EXPORTERS = token<ExporterRegistry>('Exporters');
export const EXPORT_POOL = token<WorkerPool>('ExportPool');
export const WORKER_ENCODER = token<WorkerEncoder>('WorkerEncoder');
export const EXPORT_DRAWING = token<ExportDrawing>('ExportDrawing');
export const EXPORT_ZIP = token<ExportZip>('ExportZip');
/** What of the server is about exports and about the service itself. */
export const EXPORT_DOORS =
  token<Pick<HttpServerDeps, 'exportDrawing' | 'exportZip' | 'jobs' | 'queue' | 'metrics' | 'description'>>(
    'ExportDoors',
  );
/** Undefined where the service is one process. */
export const JOB_BOARD = token<JobBoard | undefined>('JobBoard');
export const REPORT_CAPABILITIES = token<ReportCapabilities>('ReportCapabilities');
export const HTTP_SERVER = token<FastifyInstance>('HttpServer');
