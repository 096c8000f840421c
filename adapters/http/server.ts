import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { ConvertPicture } from '#application/use-cases/convert-picture.js';
import type { DownloadArtifact } from '#application/use-cases/download-artifact.js';
import type { ExportDrawing } from '#application/use-cases/export-drawing.js';
import type { ExportZip } from '#application/use-cases/export-zip.js';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import { type CallerRules, guardCallers, requireCaller } from './caller-guards.js';
import { answerError, answerEveryError, createParserErrorAnswer } from './error-answers.js';
import { registerConvert } from './routes/convert.js';
import { type DescriptionRouteDeps, registerDescription } from './routes/description.js';
import { registerDownload } from './routes/download.js';
import { registerExport } from './routes/export.js';
import { registerHealth } from './routes/health.js';
import { type MetricsText, registerMetrics } from './routes/metrics.js';
import { registerReference } from './routes/reference.js';

export interface HttpServerOptions extends CallerRules {
  readonly trustProxy: boolean | readonly string[];
  readonly maxUploadBytes: number;
  readonly maxSvgBytes: number;
  readonly maxZipRequestBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export interface HttpServerDeps {
  readonly convertPicture: ConvertPicture;
  readonly downloadArtifact: DownloadArtifact;
  readonly exportDrawing: ExportDrawing;
  readonly exportZip: ExportZip;
  readonly queue: Pick<ConversionQueue, 'load'>;
  readonly metrics: MetricsText;
  readonly description: DescriptionRouteDeps;
  readonly reportStatus: ReportStatus;
  readonly ids: IdSource;
  readonly logger: FastifyBaseLogger;
  readonly options: HttpServerOptions;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** How often connections are looked over for requests that take too long to arrive. */
const CONNECTION_CHECK_MS = 1000;

/** The path alone: an address may hold the secret name of a file. */
const pathOf = (url: string) => url.split('?', 1)[0];

/** The service over HTTP, built and not listening. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const { convertPicture, downloadArtifact, reportStatus, ids, logger, options } = deps;
  const { maxUploadBytes, trustProxy } = options;
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
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerError(error, request as never, reply as never);
    },
    clientErrorHandler: createParserErrorAnswer(ids, MAX_HEADER_BYTES),
  });

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
  answerEveryError(app as unknown as FastifyInstance);
  guardCallers(app as unknown as FastifyInstance, options);
  app.register(multipart);
  app.register(async (routes) => {
    // Forms only: what else is sent is refused by its media type.
    routes.removeContentTypeParser(['application/json', 'text/plain']);
    registerConvert(routes, { convertPicture, maxUploadBytes, callers: options });
  });
  app.register(async (routes) => {
    const { exportDrawing, exportZip } = deps;
    const { maxSvgBytes, maxZipRequestBytes } = options;
    registerExport(routes, {
      exportDrawing,
      exportZip,
      maxSvgBytes,
      maxZipRequestBytes,
      requireCaller: (request) => requireCaller(request, options),
    });
    registerDownload(routes, downloadArtifact);
    registerHealth(routes, reportStatus, deps.queue);
    registerMetrics(routes, deps.metrics);
    registerDescription(routes, deps.description);
    registerReference(routes);
  });
  return app as unknown as FastifyInstance;
}
