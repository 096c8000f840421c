import { Writable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createHttpServer, type HttpServerOptions } from '#adapters/http/server.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createPinoLogger } from '#adapters/logging/pino-logger.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createConvertPicture } from '#application/use-cases/convert-picture.js';
import { createDownloadArtifact } from '#application/use-cases/download-artifact.js';
import { type Checks, createReportStatus } from '#application/use-cases/report-status.js';
import { createVectorizeToFile, type VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
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
  readonly capBytes?: number;
  readonly checks?: () => Checks;
}

/** The HTTP server over real use cases, in memory, with the small tracer in the calling thread. */
export function createTestService(options: TestServiceOptions = {}) {
  const {
    tracer = createRunTracer(),
    waiting = 4,
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
  const limits = { running: 1, waiting, waitLimitMs: 60_000 };
  const queue = createInProcessConversionQueue({
    workers: 1,
    tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
    clock,
  });
  const vectorizeToFile = options.vectorizeToFile ?? createVectorizeToFile({ vectorizeImage: vectorizeWith(tracer) });
  const app: FastifyInstance = createHttpServer({
    convertPicture: createConvertPicture({ queue, vectorizeToFile, artifacts, fileLifetimeMs: 60_000 }),
    downloadArtifact: createDownloadArtifact({ artifacts }),
    reportStatus: createReportStatus({ clock, version: '9.8.7', engine: tracer.version, checks }),
    ids: randomIdSource,
    logger: createPinoLogger({ level: 'info', destination }),
    options: {
      loopback: true,
      publicUrl: null,
      corsOrigins: [],
      anonymous: true,
      trustProxy: false,
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
  return { app, convert, clock, queue, artifacts, logged };
}
