import type { FastifyInstance, FastifyReply } from 'fastify';
import { accountOf, ownerId } from '#application/caller.js';
import { roomForDrawing } from '#application/room-for-drawing.js';
import type { TrackJobs } from '#application/track-jobs.js';
import type { ChargedConversion, ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import type { ConvertedPicture } from '#application/use-cases/convert-picture.js';
import { invalid } from '#domain/errors.js';
import { parseSettings, publishedNames, settingNames } from '#domain/presets/settings.js';
import { type CallerRules, requireCaller } from '../caller-guards.js';
import { creditHeaders } from '../credit-headers.js';
import { disconnectSignal } from '../disconnect.js';
import { fileHeaders } from '../file-headers.js';
import type { BeginOnce } from '../idempotency.js';
import { jsonBody } from '../json-body.js';
import { readUploadForm } from '../upload-form.js';
import { toJobAnswer, wantsAsync } from './jobs.js';

export interface ConvertRouteDeps {
  readonly convertForCaller: ConvertForCaller;
  readonly beginOnce: BeginOnce;
  /** For who does not wait for the answer. */
  readonly jobs: TrackJobs;
  readonly maxUploadBytes: number;
  readonly callers: CallerRules;
}

const FILE_FIELD = 'imageFile';
const PARAMETERS = settingNames().flatMap((name) => publishedNames(name).map((published) => published.name));

/** The figures of a conversion, where the body is the SVG itself. */
const statsHeaders = ({
  traceStats,
  qualityDiagnostics,
  file,
}: ChargedConversion): Record<string, string | number> => ({
  'x-burin-engine': qualityDiagnostics.engineVersion,
  'x-burin-width': traceStats.width,
  'x-burin-height': traceStats.height,
  'x-burin-shapes': traceStats.shapes,
  'x-burin-nodes': traceStats.nodes,
  'x-burin-parameters': traceStats.parameters,
  'x-burin-colors': traceStats.colors,
  'x-burin-svg-bytes': traceStats.svgBytes,
  'x-burin-total-ms': Math.round(traceStats.timingsMs.total),
  'x-burin-queued-ms': Math.round(traceStats.timingsMs.queued),
  ...(qualityDiagnostics.fidelity && {
    'x-burin-psnr': qualityDiagnostics.fidelity.psnr.toFixed(2),
    'x-burin-delta-e': qualityDiagnostics.fidelity.deltaE00.toFixed(3),
  }),
  'x-burin-download-basename': file.basename,
  'x-burin-download-filename': encodeURIComponent(file.fileName),
});

/** The answer as JSON. */
function bodyOf({ json, file, qualityDiagnostics, traceStats }: ConvertedPicture): Buffer {
  return jsonBody({
    ...json,
    qualityDiagnostics,
    traceStats,
    stats: traceStats,
    downloadPathBasename: file.basename,
    downloadActualFilename: file.fileName,
    convertedFileSize: file.sizeBytes,
  });
}

function answerWith(reply: FastifyReply, output: 'json' | 'svg', converted: ChargedConversion): FastifyReply {
  const { svgFile, file } = converted;
  if (output === 'svg')
    return reply.headers({ ...fileHeaders('image/svg+xml', file.fileName), ...statsHeaders(converted) }).send(svgFile);
  return reply.type('application/json; charset=utf-8').send(bodyOf(converted));
}

/** POST /api/v1/convert */
export function registerConvert(
  app: FastifyInstance,
  { convertForCaller, beginOnce, jobs, maxUploadBytes, callers }: ConvertRouteDeps,
): void {
  app.post(
    '/api/v1/convert',
    { onRequest: async (request) => requireCaller(request, callers) },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      const { caller } = request;
      const misplaced = Object.keys(request.query as object)[0];
      if (misplaced !== undefined)
        throw invalid(misplaced.slice(0, 60), 'stands in the address; send it as a field of the form');
      const { fields, file } = await readUploadForm(request, {
        fileField: FILE_FIELD,
        maxFileBytes: maxUploadBytes,
        fields: PARAMETERS,
      });
      const settings = parseSettings(fields);
      const { output = 'json', dry_run = false } = settings;
      if (!dry_run && file === undefined)
        throw invalid(FILE_FIELD, 'is missing; send the picture as a file of this name');
      if (file?.bytes.length === 0) throw invalid(FILE_FIELD, 'is empty');
      if (await beginOnce(request, reply, { fields: settings, files: file ? [file.bytes] : [] })) return reply;
      if (dry_run || file === undefined) {
        const estimate = await convertForCaller.estimate({
          caller,
          settings: fields,
          ...(file && { bytes: file.bytes }),
        });
        reply.headers(creditHeaders({ charged: 0, remaining: await convertForCaller.remaining(caller) }));
        return reply.send({ dryRun: true, ...estimate });
      }
      const reference = request.idempotentWork?.id;
      if (wantsAsync(request)) {
        const owner = { id: ownerId(caller), accountId: accountOf(caller)?.id };
        const job = await jobs.start(owner, roomForDrawing(file.bytes.length), async (cancelled, onProgress, keep) => {
          const beforePaid = (converted: ConvertedPicture) => keep(bodyOf(converted));
          const asked = { ...file, caller, settings: fields, onProgress, beforePaid };
          return (await convertForCaller({ ...asked, ...(reference !== undefined && { reference }) }, cancelled))
            .charge;
        });
        return reply
          .code(202)
          .headers({ location: `/api/v1/jobs/${job.id}`, 'preference-applied': 'respond-async' })
          .send(toJobAnswer(job, request.id));
      }
      try {
        const converted = await convertForCaller(
          { ...file, caller, settings: fields, ...(reference !== undefined && { reference }) },
          signal,
        );
        reply.headers(creditHeaders(converted.charge));
        return answerWith(reply, output, converted);
      } catch (error) {
        // Where the ledger cannot say, the refusal is told all the same.
        const remaining = await convertForCaller.remaining(caller).catch(() => undefined);
        if (remaining !== undefined) reply.headers(creditHeaders({ charged: 0, remaining }));
        throw error;
      }
    },
  );
}
