import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { Digest } from '#application/ports/digest.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { IdempotencyStore } from '#application/ports/idempotency-store.js';
import type { RateLimiter } from '#application/ports/rate-limiter.js';
import type { Telemetry } from '#application/ports/telemetry.js';
import type { UsageMeter } from '#application/ports/usage-meter.js';
import type { TrackJobs } from '#application/track-jobs.js';
import type { ConvertBatch } from '#application/use-cases/convert-batch.js';
import type { ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import type { DownloadArtifact } from '#application/use-cases/download-artifact.js';
import type { ExportDrawing } from '#application/use-cases/export-drawing.js';
import type { ExportZip } from '#application/use-cases/export-zip.js';
import type { IdentifyCaller } from '#application/use-cases/identify-caller.js';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import type { ReportUsage } from '#application/use-cases/report-usage.js';
import { readBoundedJson } from './bounded-json.js';
import { type CallerRules, guardCallers, requireCaller } from './caller-guards.js';
import { createAddressRates, identifyCallers, type RequestsPerMinute, tellRates } from './callers.js';
import { refuseEarly } from './early-refusals.js';
import { answerError, answerEveryError, createParserErrorAnswer } from './error-answers.js';
import { answerOnce } from './idempotency.js';
import { traceRequests } from './request-spans.js';
import { registerAccount } from './routes/account.js';
import { type AccountsRouteDeps, registerAccounts } from './routes/accounts.js';
import { registerConvert } from './routes/convert.js';
import { registerConvertBatch } from './routes/convert-batch.js';
import { type DescriptionRouteDeps, registerDescription } from './routes/description.js';
import { registerDownload } from './routes/download.js';
import { registerExport } from './routes/export.js';
import { type GuideFiles, registerGuide } from './routes/guide.js';
import { registerHealth } from './routes/health.js';
import { registerJobs } from './routes/jobs.js';
import { type McpDoor, registerMcp } from './routes/mcp.js';
import { type MetricsText, registerMetrics } from './routes/metrics.js';
import { registerReference } from './routes/reference.js';
import { registerSession, type SessionRouteDeps } from './routes/session.js';
import { registerUsage } from './routes/usage.js';
import { registerWeb } from './routes/web.js';
import { recordUsage } from './usage-records.js';

export interface HttpServerOptions extends CallerRules {
  readonly requestsPerMinute: RequestsPerMinute;
  readonly maxUploadBytes: number;
  readonly maxSvgBytes: number;
  readonly maxZipRequestBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Where the built pages of the browser are; without it there are none. */
  readonly webFolder?: string;
}

export type Dashboard = Pick<SessionRouteDeps, 'signIn' | 'ownAccount'> &
  Pick<AccountsRouteDeps, 'accounts' | 'grantCredits'>;

export interface HttpServerDeps {
  readonly identifyCaller: IdentifyCaller;
  readonly rateLimiter: RateLimiter;
  readonly idempotency: IdempotencyStore;
  readonly digest: Digest;
  readonly usage: UsageMeter;
  readonly convertForCaller: ConvertForCaller;
  readonly convertBatch: ConvertBatch;
  readonly reportUsage: ReportUsage;
  readonly downloadArtifact: DownloadArtifact;
  readonly exportDrawing: ExportDrawing;
  readonly exportZip: ExportZip;
  readonly jobs: TrackJobs;
  readonly queue: Pick<ConversionQueue, 'load'>;
  readonly metrics: MetricsText;
  readonly mcp: McpDoor;
  readonly guide: GuideFiles;
  readonly description: DescriptionRouteDeps;
  readonly reportStatus: ReportStatus;
  /** What people do who sign in. */
  readonly dashboard: Dashboard;
  readonly ids: IdSource;
  /** Where requests are timed; nowhere where it is left out. */
  readonly telemetry?: Telemetry;
  readonly logger: FastifyBaseLogger;
  readonly options: HttpServerOptions;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** What the dashboard sends is a few words. */
const MAX_FORM_BYTES = 16 * 1024;
/** How often connections are looked over for requests that take too long to arrive. */
const CONNECTION_CHECK_MS = 1000;

/** The path alone: an address may hold the secret name of a file. */
const pathOf = (url: string) => url.split('?', 1)[0];

/** The service over HTTP, built and not listening. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const { convertForCaller, convertBatch, reportUsage, downloadArtifact, reportStatus, ids, logger, options } = deps;
  const { maxUploadBytes, trustProxy, requestsPerMinute } = options;
  const callerDeps = { ...deps, requestsPerMinute, pages: options };
  const addressRates = createAddressRates(callerDeps);
  const app = Fastify({
    loggerInstance: logger,
    requestIdHeader: false,
    // One line for each answer, written below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => ids.next(),
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    bodyLimit: maxUploadBytes,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // While stopping, work is refused by the queue, in our own words; downloads and probes are served to the end.
    return503OnClosing: false,
    http: {
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A request without a Host is refused by us, with a body.
      requireHostHeader: false,
    },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: true, verbose: true } },
    frameworkErrors: async (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(await addressRates(request.ip));
      answerError(error, request as never, reply as never);
    },
    clientErrorHandler: createParserErrorAnswer(ids, MAX_HEADER_BYTES, addressRates),
  });

  if (deps.telemetry !== undefined) traceRequests(app as unknown as FastifyInstance, deps.telemetry);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onSend', async (_request, reply) => {
    // Or a client that keeps its connection would keep the process.
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.wasRefusedEarly) return;
    const { method, ip } = request;
    const fields = {
      method,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ip,
    };
    request.log.info(fields, 'answered');
  });
  const rememberCaller = refuseEarly(app as unknown as FastifyInstance, {
    ...callerDeps,
    requestsPerKey: requestsPerMinute.key,
  });
  tellRates(app as unknown as FastifyInstance, callerDeps);
  recordUsage(app as unknown as FastifyInstance, deps.usage);
  answerEveryError(app as unknown as FastifyInstance);
  guardCallers(app as unknown as FastifyInstance, options);
  identifyCallers(app as unknown as FastifyInstance, callerDeps);
  app.addHook('onRequest', async (request) => rememberCaller(request));
  const beginOnce = answerOnce(app as unknown as FastifyInstance, deps);
  app.register(multipart);
  app.register(async (routes) => {
    // Forms only: what else is sent is refused by its media type.
    routes.removeContentTypeParser(['application/json', 'text/plain']);
    const forms = { convertForCaller, beginOnce, jobs: deps.jobs, maxUploadBytes, callers: options };
    registerConvert(routes, forms);
    registerConvertBatch(routes, { ...forms, convertBatch });
  });
  app.register(async (routes) => {
    const { exportDrawing, exportZip } = deps;
    const { maxSvgBytes, maxZipRequestBytes } = options;
    readBoundedJson(routes);
    registerExport(routes, {
      exportDrawing,
      exportZip,
      maxSvgBytes,
      maxZipRequestBytes,
      requireCaller: (request) => requireCaller(request, options),
    });
    registerDownload(routes, downloadArtifact);
    registerJobs(routes, deps.jobs);
    registerHealth(routes, reportStatus, deps.queue);
    registerMetrics(routes, deps.metrics);
    registerDescription(routes, deps.description);
    registerReference(routes);
    registerGuide(routes, deps.guide);
    registerMcp(routes, { mcp: deps.mcp, callers: options, maxRequestBytes: maxZipRequestBytes });
    registerUsage(routes, reportUsage);
    if (options.webFolder !== undefined) registerWeb(routes, options.webFolder);
  });
  app.register(async (routes) => {
    const { publicUrl } = options;
    routes.removeContentTypeParser('text/plain');
    routes.addHook('onRoute', (route) => {
      route.bodyLimit = MAX_FORM_BYTES;
    });
    routes.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    registerSession(routes, { ...deps.dashboard, callers: options });
    registerAccount(routes, { ...deps.dashboard, reportUsage, publicUrl });
    registerAccounts(routes, { ...deps.dashboard, publicUrl });
  });
  return app as unknown as FastifyInstance;
}
