import type { FastifyInstance } from 'fastify';
import type { BatchEntry, ConvertBatch } from '#application/use-cases/convert-batch.js';
import type { ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import { invalid } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings, publishedNames, settingNames } from '#domain/presets/settings.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { type CallerRules, requireCaller } from '../caller-guards.js';
import { creditHeaders } from '../credit-headers.js';
import { disconnectSignal } from '../disconnect.js';
import type { BeginOnce } from '../idempotency.js';
import { jsonBody } from '../json-body.js';
import { readUploadForm } from '../upload-form.js';

export interface ConvertBatchRouteDeps {
  readonly convertBatch: ConvertBatch;
  readonly convertForCaller: ConvertForCaller;
  readonly beginOnce: BeginOnce;
  readonly maxUploadBytes: number;
  readonly callers: CallerRules;
}

const FILES_FIELD = 'imageFiles';
const PARAMETERS = settingNames('tracing').flatMap((name) => publishedNames(name).map((published) => published.name));

/** An entry as it is published. */
function entryBody(entry: BatchEntry): Buffer {
  if (!entry.ok) return jsonBody({ ...entry });
  const { filename, ok, json, traceStats } = entry;
  return jsonBody({ filename, ok, svg: json.svg, colorPalette: json.colorPalette, traceStats });
}

const arrayBody = (items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    Buffer.from('['),
    ...items.flatMap((item, i) => (i === 0 ? [item] : [Buffer.from(','), item])),
    Buffer.from(']'),
  ]);

/** POST /api/v1/convert-batch */
export function registerConvertBatch(app: FastifyInstance, deps: ConvertBatchRouteDeps): void {
  const { convertBatch, convertForCaller, beginOnce, maxUploadBytes, callers } = deps;
  app.post(
    '/api/v1/convert-batch',
    { onRequest: async (request) => requireCaller(request, callers) },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      const { caller } = request;
      const misplaced = Object.keys(request.query as object)[0];
      if (misplaced !== undefined)
        throw invalid(misplaced.slice(0, 60), 'stands in the address; send it as a field of the form');
      const { fields, files } = await readUploadForm(request, {
        fileField: FILES_FIELD,
        maxFileBytes: maxUploadBytes,
        maxFiles: LIMITS.maxBatchFiles,
        fields: PARAMETERS,
      });
      const settings = parseSettings(fields, 'tracing');
      resolveSettings(settings);
      if (files.length === 0) throw invalid(FILES_FIELD, 'is missing; send the pictures as files of this name');
      const asked = { fields: settings, files: files.map(({ bytes }) => bytes) };
      if (await beginOnce(request, reply, asked)) return reply;
      const reference = request.idempotentWork?.id;
      try {
        const outcome = await convertBatch(
          { caller, files, settings: fields, ...(reference !== undefined && { reference }) },
          signal,
        );
        const { results, succeeded, failed, totalRequested, charged } = outcome;
        const body = jsonBody({ results: arrayBody(results.map(entryBody)), succeeded, failed, totalRequested });
        return reply
          .headers(creditHeaders({ charged, remaining: await convertForCaller.remaining(caller) }))
          .type('application/json; charset=utf-8')
          .send(body);
      } catch (error) {
        reply.headers(creditHeaders({ charged: 0, remaining: await convertForCaller.remaining(caller) }));
        throw error;
      }
    },
  );
}
