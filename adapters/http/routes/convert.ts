import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ConvertedPicture, ConvertPicture } from '#application/use-cases/convert-picture.js';
import { estimateConversion } from '#application/use-cases/estimate-conversion.js';
import { invalid, ServiceError } from '#domain/errors.js';
import { parseSettings, publishedNames, settingNames } from '#domain/presets/settings.js';
import { type CallerRules, requireCaller } from '../caller-guards.js';
import { disconnectSignal } from '../disconnect.js';
import { fileHeaders } from '../file-headers.js';
import { jsonBody } from '../json-body.js';
import { readUploadForm } from '../upload-form.js';

export interface ConvertRouteDeps {
  readonly convertPicture: ConvertPicture;
  readonly maxUploadBytes: number;
  readonly callers: CallerRules;
}

const FILE_FIELD = 'imageFile';
const PARAMETERS = settingNames().flatMap((name) => publishedNames(name).map((published) => published.name));

/** The figures of a conversion, where the body is the SVG itself. */
const statsHeaders = ({ traceStats, qualityDiagnostics, file }: ConvertedPicture): Record<string, string | number> => ({
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

function answerWith(reply: FastifyReply, output: 'json' | 'svg', converted: ConvertedPicture): FastifyReply {
  const { svgFile, json, file, qualityDiagnostics, traceStats } = converted;
  if (output === 'svg')
    return reply.headers({ ...fileHeaders('image/svg+xml', file.fileName), ...statsHeaders(converted) }).send(svgFile);
  const body = jsonBody({
    ...json,
    qualityDiagnostics,
    traceStats,
    stats: traceStats,
    downloadPathBasename: file.basename,
    downloadActualFilename: file.fileName,
    convertedFileSize: file.sizeBytes,
  });
  return reply.type('application/json; charset=utf-8').send(body);
}

/** POST /api/v1/convert */
export function registerConvert(
  app: FastifyInstance,
  { convertPicture, maxUploadBytes, callers }: ConvertRouteDeps,
): void {
  app.post(
    '/api/v1/convert',
    { onRequest: async (request) => requireCaller(request, callers) },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      const misplaced = Object.keys(request.query as object)[0];
      if (misplaced !== undefined)
        throw invalid(misplaced.slice(0, 60), 'stands in the address; send it as a field of the form');
      const { fields, file } = await readUploadForm(request, {
        fileField: FILE_FIELD,
        maxFileBytes: maxUploadBytes,
        fields: PARAMETERS,
      });
      const { output = 'json', dry_run = false } = parseSettings(fields);
      if (dry_run) return reply.send({ dryRun: true, ...estimateConversion(fields) });
      if (file === undefined) throw invalid(FILE_FIELD, 'is missing; send the picture as a file of this name');
      if (file.bytes.length === 0) throw invalid(FILE_FIELD, 'is empty');
      const converted = await convertPicture({ ...file, settings: fields }, signal);
      if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      return answerWith(reply, output, converted);
    },
  );
}
