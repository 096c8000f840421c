import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountOf } from '#application/caller.js';
import type { ExportDrawing } from '#application/use-cases/export-drawing.js';
import { type ExportZip, requireZipPlan } from '#application/use-cases/export-zip.js';
import { invalid, ServiceError } from '#domain/errors.js';
import '../callers.js';
import { disconnectSignal } from '../disconnect.js';

export interface ExportRouteDeps {
  readonly exportDrawing: ExportDrawing;
  readonly exportZip: ExportZip;
  readonly maxSvgBytes: number;
  readonly maxZipRequestBytes: number;
  /** Refuses who may not have work done. */
  readonly requireCaller: (request: FastifyRequest) => void | Promise<void>;
}

/** JSON escapes quotes and line ends, so markup is longer in it; and the rest of the request wants room too. */
const ESCAPED_LENGTH = 2;
const BESIDE_SVG_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** The parameters belong into the body, and the body is JSON. */
async function requireJson(request: FastifyRequest): Promise<void> {
  const misplaced = Object.keys(request.query as object)[0];
  if (misplaced !== undefined)
    throw invalid(misplaced.slice(0, 60), 'stands in the address; send it as a field of the JSON body');
  const type = request.headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { expected: 'application/json' });
}

const askedBy = ({ body, caller }: FastifyRequest) => ({ body, plan: caller.plan, accountId: accountOf(caller)?.id });

/** POST /api/v1/export and POST /api/v1/batch */
export function registerExport(app: FastifyInstance, deps: ExportRouteDeps): void {
  const { exportDrawing, exportZip, maxSvgBytes, maxZipRequestBytes, requireCaller } = deps;
  const onRequest = async (request: FastifyRequest) => {
    await requireCaller(request);
    await requireJson(request);
  };
  app.post(
    '/api/v1/export',
    { onRequest, bodyLimit: maxSvgBytes * ESCAPED_LENGTH + BESIDE_SVG_BYTES },
    async (request, reply) => exportDrawing(askedBy(request), disconnectSignal(reply)),
  );
  const onZipRequest = async (request: FastifyRequest) => {
    await onRequest(request);
    requireZipPlan(request.caller.plan);
  };
  app.post('/api/v1/batch', { onRequest: onZipRequest, bodyLimit: maxZipRequestBytes }, async (request, reply) =>
    exportZip(askedBy(request), disconnectSignal(reply)),
  );
}
