import { expect } from 'chai';
import type { LightMyRequestResponse } from 'fastify';
import Value from 'typebox/value';
import { OPERATIONS } from '#adapters/http/openapi/operations.js';
import {
  BatchConversionAnswer,
  ConversionAnswer,
  ErrorAnswer,
  EstimateAnswer,
  ReadinessAnswer,
  StatusAnswer,
  UsageAnswer,
} from '#adapters/http/schemas/answers.js';
import {
  CapabilitiesAnswer,
  DescriptionAnswer,
  ExportAnswer,
  HealthAnswer,
  JobAnswer,
  LivenessAnswer,
  ZipAnswer,
} from '#adapters/http/schemas/service-answers.js';
import { type LossReason, LostWorker } from '#adapters/tracing/lost-worker.js';
import { createWorkerVectorizer } from '#adapters/tracing/worker-vectorizer.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createVectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { composeVectorizeImage } from '#config/compose.js';
import { ERRORS, type ErrorCode, invalid, ServiceError } from '#domain/errors.js';
import { publishedNames, settingNames } from '#domain/presets/settings.js';
import { exporters } from '#plugins/index.js';
import { fieldsOfSchema, fieldsOfValue } from '#test/support/answer-fields.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService, type TestServiceOptions } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { discPng } from '#test/support/png-files.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';

/**
 * The published description as a table: every parameter, field, header, status and code, each exercised through HTTP. What is
 * added to the description or to the service alone fails here. Longer than files are here because it is one table, not to be split.
 */

const picture = toPpm(discRaster(8));
const form = (settings: Record<string, string> = {}) => convertForm(picture, settings);
type Service = ReturnType<typeof createTestService>;
type Answer = LightMyRequestResponse;

const post = ({ app }: Service, url: string, payload: Buffer | object, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { ...(Buffer.isBuffer(payload) && { 'content-type': MULTIPART_TYPE }), ...headers },
    payload,
  });

/** By name: values that are taken, and values that are refused. */
const PARAMETERS: Readonly<Record<string, readonly [taken: readonly string[], refused: readonly string[]]>> = {
  preset: [['auto', 'logo', 'illustration', 'photo', 'pixel_art', 'technical_drawing'], ['cartoon']],
  quality_tier: [['fast', 'balanced_crisp', 'high_precision'], ['best']],
  quality_profile: [
    'auto balanced_crisp balanced_edge_clean sharp_text_logo sharp_guarded photo_smooth clipart exact'.split(' '),
    ['sharp'],
  ],
  color_mode: [['color', 'grayscale', 'bw', 'outline'], ['sepia']],
  details_level: [['auto', 'low', 'medium', 'high'], ['ultra']],
  line_fit_tolerance: [['coarse', 'medium', 'fine', 'super_fine'], ['finest']],
  simplification: [
    ['0', '0.5', '1'],
    ['-0.1', '1.1', 'much'],
  ],
  tiny_path_area: [
    ['0', '5000'],
    ['-1', '5001'],
  ],
  paletteCount: [
    ['2', '128'],
    ['1', '129', '2.5'],
  ],
  palette_count: [
    ['2', '64'],
    ['1', '65'],
  ],
  palette_count_mode: [['auto', 'manual'], ['both']],
  preserve_exact_colors: [['true', 'false'], ['perhaps']],
  fixed_palette: [
    ['["#ff0000","#00ff00"]', '#ff0000,#00ff00'],
    ['red-ish', ''],
  ],
  edge_recovery: [['off', 'real_esrgan', 'pixel_exact', 'auto'], ['on']],
  recovery_detail: [['low', 'med', 'high', 'ultra'], ['medium']],
  preprocess_sharpen: [['true', 'false'], ['2']],
  artifact_cleanup: [
    ['0', '4'],
    ['-1', '5'],
  ],
  output: [['svg', 'json'], ['pdf']],
  dry_run: [['true', 'false'], ['maybe']],
  engine: [['planar'], ['vtracer']],
  gap_cleanup: [['off', 'stroke', 'underlap'], ['on']],
  shape_stacking: [['stacked', 'cutouts'], ['layered']],
  curves: [['line,arc,quadratic,cubic', 'line'], ['spline']],
  primitives: [['on', 'off'], ['auto']],
  gradients: [['on', 'off', 'auto'], ['some']],
  stroke_mode: [['fill', 'centerline'], ['outline']],
  max_nodes: [['4', '10000'], ['3']],
  max_bytes: [['256', '10000'], ['1']],
  background: [['keep', 'remove'], ['blur']],
  fidelity: [['true', 'false'], ['high']],
};

/** Refusals as the description has them. */
interface CodeRow {
  readonly status: number;
  readonly retry?: true;
  readonly service?: TestServiceOptions;
  readonly ask: (service: Service) => Promise<Answer>;
}
const convert = (service: Service, body = form(), headers: Record<string, string> = {}) =>
  post(service, '/api/v1/convert', body, headers);
const never = () => new Promise<never>(() => {});
const withKey = async (service: Service, body = form()) => convert(service, body, (await service.createKey()).headers);
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>';

/** Over a worker that is lost with everything it is given. */
const losing = (reason: LossReason) => {
  const run = async () => {
    throw new LostWorker(reason, 'it is gone');
  };
  return createWorkerVectorizer({ pool: { run }, runLimitMs: () => 1000 });
};

const CODES: Readonly<Record<string, CodeRow>> = {
  RATE_LIMITED: {
    status: 429,
    retry: true,
    service: { server: { requestsPerMinute: { key: 1, anonymous: 1 } } },
    ask: async (service) => {
      await convert(service);
      return convert(service);
    },
  },
  API_KEY_BUSY: { status: 429, retry: true, service: { perKey: 0 }, ask: withKey },
  QUEUE_FULL: {
    status: 429,
    retry: true,
    service: { waiting: 0, vectorizeToFile: never },
    ask: async (service) => {
      const slot = await service.queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
      const answer = await withKey(service);
      slot.release();
      return answer;
    },
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    ask: async (service) => {
      const { headers, spend } = await service.createKey('free');
      await spend(50);
      return convert(service, form(), headers);
    },
  },
  STORAGE_FULL: { status: 507, retry: true, service: { capBytes: 10 }, ask: (service) => convert(service) },
  AT_CAPACITY: {
    status: 503,
    retry: true,
    ask: async (service) => {
      await service.queue.close();
      return convert(service);
    },
  },
  QUEUE_TIMEOUT: {
    status: 504,
    retry: true,
    service: { waitLimitMs: 1 },
    ask: async (service) => {
      await service.queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
      return convert(service);
    },
  },
  UPSTREAM_UNAVAILABLE: {
    status: 502,
    retry: true,
    ask: async (service) => {
      service.stores.keys.authenticate = async () => {
        throw new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'The database', retryAfterSeconds: 5 });
      };
      return convert(service, form(), { 'x-api-key': 'brn_live_x' });
    },
  },
  INTERNAL_ERROR: { status: 500, ask: (service) => convert(service, convertForm(toPpm(discRaster(8), 'throw'))) },
  INVALID_REQUEST: { status: 400, ask: (service) => convert(service, form({ preset: 'x' })) },
  UNSUPPORTED_IMAGE: { status: 415, ask: (service) => convert(service, convertForm(Buffer.from('text'))) },
  CONVERSION_FAILED: {
    status: 422,
    service: { vectorizeToFile: losing('broke') },
    ask: (service) => convert(service),
  },
  WORKER_LOST: {
    status: 503,
    retry: true,
    service: { vectorizeToFile: losing('killed') },
    ask: (service) => convert(service),
  },
  UNREADABLE_IMAGE: { status: 422, ask: (service) => convert(service, convertForm(picture.slice(0, 60))) },
  INVALID_SVG: { status: 422, ask: (service) => post(service, '/api/v1/export', { svg: '<svg', format: 'svg' }) },
  UNAUTHORIZED: { status: 401, ask: ({ app }) => app.inject({ url: '/api/v1/usage' }) },
  PLAN_REQUIRED: { status: 403, ask: (service) => post(service, '/api/v1/export', { svg: SVG, format: 'dxf' }) },
  NOT_FOUND: { status: 404, ask: ({ app }) => app.inject({ url: '/download-file?fileBasename=x&actualFilename=y' }) },
  METHOD_NOT_ALLOWED: { status: 405, ask: ({ app }) => app.inject({ url: '/api/v1/convert' }) },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    ask: async (service) => {
      await convert(service, form(), { 'idempotency-key': 'k' });
      return convert(service, form({ preset: 'logo' }), { 'idempotency-key': 'k' });
    },
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    ask: async (service) => {
      const { headers } = await service.createKey();
      const keyed = { ...headers, 'idempotency-key': 'k' };
      const answers = await Promise.all([convert(service, form(), keyed), convert(service, form(), keyed)]);
      return answers.find(({ statusCode }) => statusCode === 409) as Answer;
    },
  },
  PAYLOAD_TOO_LARGE: { status: 413, ask: (service) => convert(service, convertForm(new Uint8Array(1_000_001))) },
  IMAGE_TOO_LARGE: {
    status: 413,
    ask: (service) => convert(service, convertForm(Buffer.from('P6\n60000 60000\n255\n'))),
  },
  TOO_MANY_FILES: {
    status: 413,
    ask: (service) => {
      const files = Array.from({ length: 11 }, () => ({ name: 'imageFiles', value: picture, fileName: 'a.ppm' }));
      return post(service, '/api/v1/convert-batch', multipartBody(files));
    },
  },
  UNSUPPORTED_FORMAT: { status: 400, ask: (service) => post(service, '/api/v1/export', { svg: SVG, format: 'gif' }) },
  CONVERSION_TIMEOUT: {
    status: 504,
    retry: true,
    service: {
      vectorizeToFile: async () => {
        throw new ServiceError('CONVERSION_TIMEOUT', { limitMs: 10_000, tier: 'fast' });
      },
    },
    ask: (service) => convert(service),
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, ask: (service) => post(service, '/api/v1/convert', { preset: 'logo' }) },
  EXPORT_FAILED: {
    status: 422,
    ask: async (service) =>
      post(
        service,
        '/api/v1/batch',
        { items: [{ svg: '<svg', format: 'svg' }] },
        (await service.createKey('pro')).headers,
      ),
  },
  FORBIDDEN: { status: 403, ask: (service) => convert(service, form(), { origin: 'https://evil.example' }) },
};

/** Codes that never leave by this door: the command line's, and the answer that nobody is there to read. */
const NOT_OVER_HTTP: readonly ErrorCode[] = ['INPUT_UNREADABLE', 'OUTPUT_UNWRITABLE', 'CANCELLED'];

/** A field beside the options: values that are taken, where one may be the name of a kept drawing, and values that are refused. */
const EXPORT_FIELDS: Readonly<
  Record<string, { readonly taken: (basename: string) => readonly unknown[]; readonly refused: readonly unknown[] }>
> = {
  svg: { taken: () => [SVG], refused: ['', 7] },
  sourceSvgBasename: { taken: (basename) => [basename], refused: ['A'.repeat(22), ''] },
  format: { taken: () => ['svg', 'png'], refused: ['gif', 7] },
  filenameBase: { taken: () => ['logo', 'a b/c'], refused: ['x'.repeat(201), 7] },
  exportOptions: { taken: () => [{}, { precision: 1 }], refused: ['scale', { nothing: 1 }] },
};

interface ExportRow {
  /** One that honours the option. */
  readonly format: string;
  /** What it needs to be given with. */
  readonly beside?: object;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}
const EXPORT_PARAMETERS: Readonly<Record<string, ExportRow>> = {
  scale: { format: 'png', taken: [1, 8], refused: [0.9, 8.1, 'big'] },
  width: { format: 'png', taken: [1, 40], refused: [0, 100_001] },
  height: { format: 'png', taken: [1, 40], refused: [0, 100_001] },
  fit: { format: 'png', beside: { width: 9, height: 9 }, taken: ['inset', 'overflow', 'stretch'], refused: ['cover'] },
  unit: { format: 'pdf', beside: { width: 9 }, taken: ['px', 'pt', 'mm', 'cm', 'in'], refused: ['m'] },
  dpi: { format: 'png', taken: [1, 2400], refused: [0, 2401] },
  background: { format: 'png', taken: ['#fff', '#00ff00', 'none'], refused: ['light'] },
  group_by: { format: 'svg', taken: ['none', 'color', 'path'], refused: ['layer'] },
  svg_version: { format: 'svg', taken: ['1.0', '1.1', 'tiny1.2'], refused: ['2.0'] },
  flatten: { format: 'svg', taken: [true, false], refused: ['perhaps'] },
  clip_overflow: { format: 'svg', taken: [true, false], refused: ['perhaps'] },
  non_scaling_strokes: { format: 'svg', taken: [true, false], refused: ['perhaps'] },
  gap_cleanup: { format: 'svg', taken: ['off', 'stroke', 'underlap'], refused: ['on'] },
  gap_width: { format: 'svg', beside: { gap_cleanup: 'stroke' }, taken: [0.01, 10], refused: [0, 11] },
  precision: { format: 'svg', taken: [0, 2], refused: [-1, 99, 1.5] },
  quality: { format: 'jpg', taken: [1, 100], refused: [0, 101] },
  lossless: { format: 'webp', taken: [true, false], refused: ['perhaps'] },
  pdf_version: { format: 'pdf', taken: ['1.4', '1.5', '1.6', '1.7'], refused: ['2.0'] },
  title: { format: 'pdf', taken: ['A title'], refused: ['x'.repeat(501)] },
  author: { format: 'pdf', taken: ['Ada'], refused: ['x'.repeat(501)] },
  subject: { format: 'pdf', taken: ['A subject'], refused: ['x'.repeat(501)] },
  keywords: { format: 'pdf', taken: ['a, b'], refused: ['x'.repeat(501)] },
  level: { format: 'eps', taken: [2, 3], refused: [1, 4] },
  compatibility: { format: 'dxf', taken: ['lines_only', 'lines_and_arcs', 'splines'], refused: ['arcs'] },
  tolerance: { format: 'dxf', taken: [0.001, 10], refused: [0, 11] },
  layers: { format: 'dxf', taken: ['color', 'none'], refused: ['path'] },
};

const FORMATS = ['svg', 'pdf', 'eps', 'dxf', 'png', 'jpg', 'webp', 'avif'];

const QUERY_PARAMETERS = [
  'GET /download-file fileBasename',
  'GET /download-file actualFilename',
  'GET /api/v1/session/link token',
  'GET /api/v1/account/charges limit',
  'GET /api/v1/account/errors limit',
];

/** Conversions by the engine itself, in this thread. */
const realEngine = () => createVectorizeToFile({ vectorizeImage: composeVectorizeImage() });
const realForm = async (settings: Record<string, string>) => convertForm(await discPng(24), settings, 'disc.png');

const capabilityAnswers = (url: string) => async () => {
  const lacking: Exporter = {
    ...exporters[0],
    format: { ...exporters[0].format, id: 'lacking' },
    availability: async () => ({ state: 'unavailable', reason: 'It is not installed.' }),
  };
  return [await createTestService({ exporters: [...exporters, lacking] }).app.inject(url)];
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const under = (at: string, names: readonly string[]) => [at, ...names.map((name) => `${at}.${name}`)];
const eachOf = (at: string, names: readonly string[]) => [at, ...names.map((name) => `${at}[].${name}`)];

const PALETTE = eachOf('colorPalette', words('hex rgb opacity coverage shapes'));
const TRACE_STATS = [
  ...words('width height shapes paths primitives gradients nodes parameters colors svgBytes'),
  ...under('timingsMs', words('decode recover segment fit write score total queued')),
];
const CONVERSION = [
  'svg',
  ...PALETTE,
  ...eachOf('colorGroups', words('id hex shapeIds shapes coverage')),
  ...under('qualityDiagnostics', [
    ...words('engineVersion detectedType typeConfidence typeReason preset qualityProfile qualityTier'),
    ...words('edgeRecoveryRequested edgeRecoveryResolved edgeRecoveryReason'),
    ...words('settings settings.*.value settings.*.origin'),
    ...under('workingSize', words('width height')),
    ...eachOf('notes', words('code message')),
    ...under('fidelity', ['psnr', 'ssim', 'deltaE00', ...under('worst', words('x y width height deltaE00'))]),
  ]),
  ...under('traceStats', TRACE_STATS),
  ...under('stats', TRACE_STATS),
  ...words('downloadPathBasename downloadActualFilename convertedFileSize'),
];
const ERROR = words('error code field retry_after_seconds request_id');
const CAPABILITIES = [
  ...eachOf('inputFormats', words('id mediaType')),
  ...eachOf('exportFormats', [
    ...words('id label mediaType extension plan features options'),
    ...under('availability', words('state reason')),
  ]),
  ...eachOf('exportOptions', [
    ...words('name meaning unit type default values min max maxLength formats'),
    ...words('type default values min max maxLength').map((name) => `formats.*.${name}`),
  ]),
  ...eachOf('presets', words('id label meaning settings')),
  ...eachOf('qualityProfiles', words('id label meaning settings')),
  ...eachOf('qualityTiers', words('id meaning credits maxWorkingPixels runLimitSeconds waitLimitSeconds maxWaiting')),
  ...eachOf('edgeRecovery', words('id state reason')),
  ...eachOf('engines', words('id version license state reason')),
  'parameters',
  ...under('limits', [
    ...words('maxUploadBytes maxSvgBytes maxZipRequestBytes maxPixels maxBatchFiles maxZipItems'),
    ...words('maxConcurrentPerKey requestsPerMinute requestsPerMinute.key requestsPerMinute.anonymous fileLifetimeMs'),
  ]),
];
/** What stands in the schema of a parameter is not ours to list. */
const JSON_SCHEMAS = /^(capabilities\.)?parameters\.\*/;
const CAPABILITY_MAPS = ['exportOptions[].formats', 'presets[].settings', 'qualityProfiles[].settings', 'parameters'];
const SETTINGS_MAP = 'qualityDiagnostics.settings';
const inside = (at: string, names: readonly string[]) => names.map((name) => `${at}.${name}`);
const BROKEN = { svg: '<svg', format: 'svg', filenameBase: 'broken' };
const DROPPED = `${SVG.slice(0, -6)}<script/></svg>`;

interface AnswerRow {
  readonly schema: object;
  /** Fields whose names are open. */
  readonly maps?: readonly string[];
  readonly fields: readonly string[];
  /** Answers in which together every field appears. */
  readonly ask: () => Promise<readonly Answer[]>;
}
const getting = (url: string) => async () => [await createTestService().app.inject(url)];
const probing = (url: string) => async () => [
  await createTestService().app.inject(url),
  await createTestService({ checks: () => ({ workers: 'failing' }) }).app.inject(url),
];
/** Traced with a note, and measured. */
const NOTED = { fidelity: 'true', stroke_mode: 'centerline' };

const ANSWERS: Readonly<Record<string, AnswerRow>> = {
  Conversion: {
    schema: ConversionAnswer,
    maps: [SETTINGS_MAP],
    fields: CONVERSION,
    ask: async () => [await convert(createTestService({ vectorizeToFile: realEngine() }), await realForm(NOTED))],
  },
  ConversionEstimate: {
    schema: EstimateAnswer,
    maps: ['settings'],
    fields: words('dryRun credits settings settings.*.value settings.*.origin'),
    ask: async () => [await convert(createTestService(), form({ dry_run: 'true' }))],
  },
  BatchConversion: {
    schema: BatchConversionAnswer,
    fields: [
      ...eachOf('results', [...words('filename ok svg error code'), ...PALETTE, ...under('traceStats', TRACE_STATS)]),
      ...words('succeeded failed totalRequested'),
    ],
    ask: async () => {
      const files = [picture, Buffer.from('text')].map((value) => ({ name: 'imageFiles', value, fileName: 'a.ppm' }));
      return [await post(createTestService(), '/api/v1/convert-batch', multipartBody(files))];
    },
  },
  Job: {
    schema: JobAnswer,
    maps: [`result.${SETTINGS_MAP}`],
    fields: [
      ...words('id state position stage fraction created_at'),
      ...under('links', words('self events')),
      'result',
      ...inside('result', CONVERSION),
      ...under('error', ERROR),
    ],
    ask: async () => {
      const service = createTestService({ vectorizeToFile: realEngine() });
      const failing = createTestService({ waiting: 0, vectorizeToFile: never });
      const ended = async (at: Service, body: Buffer) => {
        const begun = await convert(at, body, { prefer: 'respond-async' });
        const { links } = begun.json();
        await at.app.inject(links.events);
        return [begun, await at.app.inject(links.self)];
      };
      const refusing = createTestService({
        vectorizeToFile: async () => {
          throw invalid('engine', 'is not installed here');
        },
      });
      const slot = await failing.queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
      const staged = createTestService({
        vectorizeToFile: ({ onProgress }, signal) =>
          new Promise((_, reject) => {
            onProgress?.('segment', 0.5);
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      });
      const { links } = (await convert(staged, form(), { prefer: 'respond-async' })).json();
      await until(() => staged.queue.load().balanced_crisp.running === 1);
      let running = await staged.app.inject(links.self);
      while (running.json().stage === undefined) running = await staged.app.inject(links.self);
      await staged.app.inject({ method: 'DELETE', url: links.self });
      const answers = [
        ...(await ended(service, await realForm(NOTED))),
        ...(await ended(failing, form())),
        ...(await ended(refusing, form())),
        running,
      ];
      slot.release();
      return answers;
    },
  },
  Export: {
    schema: ExportAnswer,
    fields: [
      ...words('downloadPathBasename downloadActualFilename convertedFileSize actualFormat'),
      ...eachOf('warnings', words('code message')),
      ...under('size', words('width height unit')),
    ],
    ask: async () => [await post(createTestService(), '/api/v1/export', { svg: DROPPED, format: 'png' })],
  },
  Zip: {
    schema: ZipAnswer,
    fields: [
      ...words('zipBasename zipFilename itemCount'),
      ...eachOf('failed', words('index filenameBase format error code')),
      ...eachOf('warnings', ['index', ...eachOf('warnings', words('code message'))]),
    ],
    ask: async () => {
      const service = createTestService();
      const { headers } = await service.createKey('pro');
      return [await post(service, '/api/v1/batch', { items: [BROKEN, { svg: DROPPED, format: 'png' }] }, headers)];
    },
  },
  Usage: {
    schema: UsageAnswer,
    fields: [
      ...words('plan status api_credits_balance api_credits_used_this_period monthly_credits_quota key_prefix'),
      ...eachOf('history', words('date conversions exports credits_used failures')),
    ],
    ask: async () => {
      const service = createTestService();
      return [await service.app.inject({ url: '/api/v1/usage', headers: (await service.createKey()).headers })];
    },
  },
  Capabilities: {
    schema: CapabilitiesAnswer,
    maps: CAPABILITY_MAPS,
    fields: CAPABILITIES,
    ask: capabilityAnswers('/api/v1/capabilities'),
  },
  Description: {
    schema: DescriptionAnswer,
    maps: ['links', ...inside('capabilities', CAPABILITY_MAPS)],
    fields: [
      ...words('name version links links.*.method links.*.href links.*.summary'),
      ...under('capabilities', CAPABILITIES),
    ],
    ask: capabilityAnswers('/api/v1'),
  },
  Status: {
    schema: StatusAnswer,
    fields: words('status version engine uptime_seconds time'),
    ask: probing('/api/v1/status'),
  },
  Health: {
    schema: HealthAnswer,
    maps: ['checks'],
    fields: [
      ...words('status checks queues'),
      ...words('fast balanced_crisp high_precision').flatMap((tier) =>
        under(`queues.${tier}`, words('waiting running capacity')),
      ),
    ],
    ask: probing('/health'),
  },
  Liveness: { schema: LivenessAnswer, fields: ['status'], ask: getting('/livez') },
  Readiness: { schema: ReadinessAnswer, maps: ['checks'], fields: ['status', 'checks'], ask: probing('/readyz') },
  Error: {
    schema: ErrorAnswer,
    fields: ERROR,
    ask: async () => [
      await convert(createTestService(), form({ preset: 'x' })),
      await convert(createTestService({ capBytes: 10 })),
    ],
  },
};

/** Headers of answers, as they are published: what each must say, and where it is found. */
const HEADERS: Readonly<
  Record<string, { readonly value: RegExp; readonly ask: (service: Service) => Promise<Answer> }>
> = {
  'X-Request-Id': { value: /^[\w-]{22}$/, ask: ({ app }) => app.inject('/livez') },
  'X-RateLimit-Limit': { value: /^100000$/, ask: ({ app }) => app.inject('/nowhere') },
  'X-RateLimit-Remaining': { value: /^99999$/, ask: ({ app }) => app.inject('/api/v1/nowhere') },
  'X-RateLimit-Reset': { value: /^60$/, ask: ({ app }) => app.inject({ method: 'DELETE', url: '/livez' }) },
  'Retry-After': {
    value: /^[1-9]\d*$/,
    ask: async (service) => {
      await service.queue.close();
      return convert(service);
    },
  },
  'X-Credits-Charged': { value: /^2$/, ask: withKey },
  'X-Credits-Remaining': { value: /^498$/, ask: withKey },
  'Idempotent-Replayed': {
    value: /^true$/,
    ask: async (service) => {
      await convert(service, form(), { 'idempotency-key': 'k' });
      return convert(service, form(), { 'idempotency-key': 'k' });
    },
  },
  'Set-Cookie': {
    value: /^burin_session=; .*HttpOnly; SameSite=Strict$/,
    ask: ({ app }) => app.inject({ method: 'DELETE', url: '/api/v1/session' }),
  },
  Location: {
    value: /^\/api\/v1\/jobs\/[\w-]{22}$/,
    ask: (service) => convert(service, form(), { prefer: 'respond-async' }),
  },
  Allow: {
    value: /^DELETE, GET, HEAD, POST$/,
    ask: ({ app }) => app.inject({ method: 'PUT', url: '/api/v1/session' }),
  },
};
const SVG_HEADERS = words(`x-burin-engine x-burin-width x-burin-height x-burin-shapes x-burin-nodes x-burin-parameters
  x-burin-colors x-burin-svg-bytes x-burin-total-ms x-burin-queued-ms x-burin-psnr x-burin-delta-e
  x-burin-download-basename x-burin-download-filename`);
/** What HTTP itself has on an answer, or the frameworks put there. */
const COMMON_HEADERS = words(`content-type content-length date connection cache-control www-authenticate
  content-disposition content-security-policy x-content-type-options preference-applied vary`);

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

describe('the specification, row by row', () => {
  describe('parameters of convert', () => {
    it('are those of the table, no more and no fewer', () => {
      const published = settingNames().flatMap((name) => publishedNames(name).map((row) => row.name));
      expect(Object.keys(PARAMETERS)).to.have.members(published);
    });

    for (const [name, [taken, refused]] of Object.entries(PARAMETERS)) {
      it(`${name} takes ${taken.join(' ')} and refuses ${refused.join(' ')}`, async () => {
        const service = createTestService();
        const dry: Record<string, string> = {
          ...(name !== 'dry_run' && { dry_run: 'true' }),
          // A mode of manual wants a count.
          ...(name === 'palette_count_mode' && { palette_count: '8' }),
        };
        for (const value of taken) {
          const answer = await convert(service, form({ ...dry, [name]: value }));
          expect(answer.statusCode, `${value}: ${answer.body}`).to.equal(200);
        }
        for (const value of refused)
          expectProblem(await convert(service, form({ ...dry, [name]: value })), 400, 'INVALID_REQUEST', name);
      });
    }
  });

  describe('codes', () => {
    it('are those of the error table, no more and no fewer', () => {
      expect([...Object.keys(CODES), ...NOT_OVER_HTTP]).to.have.members(Object.keys(ERRORS));
    });

    for (const [code, { status, retry, service: options, ask }] of Object.entries(CODES)) {
      it(`${code} is ${status}${retry ? ' and says when to come again' : ''}`, async () => {
        const answer = await ask(createTestService(options));
        const field = status === 400 ? answer.json().field : undefined;
        const body = expectProblem(answer, status, code, field);
        expect(field === undefined).to.equal(status !== 400);
        if (retry) expect(Number(answer.headers['retry-after'])).to.equal(body.retry_after_seconds);
        else expect(answer.headers).not.to.have.property('retry-after');
        for (const header of RATE_HEADERS) expect(answer.headers[header], header).to.match(/^\d+$/);
      });
    }
  });

  describe('parameters of export, and of the items of a ZIP', () => {
    const sent = async (service: Service, body: object, zip: boolean) =>
      zip
        ? post(service, '/api/v1/batch', { items: [body] }, (await service.createKey('pro')).headers)
        : post(service, '/api/v1/export', body, (await service.createKey('pro')).headers);

    it('are those of the table, no more and no fewer', async () => {
      const document = (await createTestService().app.inject('/api/v1/openapi.json')).json();
      const { ExportRequest, ZipRequest, ExportOptions } = document.components.schemas;
      const published = Object.keys(ExportRequest.properties);
      expect([...Object.keys(EXPORT_FIELDS), ...Object.keys(EXPORT_PARAMETERS)]).to.have.members(published);
      expect(Object.keys(ExportOptions.properties)).to.have.members(Object.keys(EXPORT_PARAMETERS));
      expect(Object.keys(ZipRequest.properties)).to.deep.equal(['items']);
      expect(Object.keys(ZipRequest.properties.items.items.properties)).to.have.members(published);
    });

    for (const [name, { taken, refused }] of Object.entries(EXPORT_FIELDS))
      it(`${name} is taken, and refused where it is wrong`, async () => {
        const service = createTestService();
        const { downloadPathBasename } = (await convert(service)).json();
        const whole = (body: object) => ({
          format: 'svg',
          ...(name !== 'svg' && name !== 'sourceSvgBasename' && { svg: SVG }),
          ...body,
        });
        for (const value of taken(downloadPathBasename)) {
          for (const zip of [false, true]) {
            const answer = await sent(service, whole({ [name]: value }), zip);
            expect(answer.statusCode, answer.body).to.equal(200);
          }
        }
        for (const value of refused) {
          const answer = await sent(service, whole({ [name]: value }), false);
          expect(answer.statusCode, answer.body).to.be.oneOf([400, 404]);
          const inZip = await sent(service, whole({ [name]: value }), true);
          expectProblem(inZip, 422, 'EXPORT_FAILED');
        }
      });

    for (const [name, { format, beside = {}, taken, refused }] of Object.entries(EXPORT_PARAMETERS))
      it(`${name} takes ${taken.join(' ')} and refuses ${refused.join(' ')}, at either place`, async () => {
        const service = createTestService();
        const body = { svg: SVG, format, ...beside };
        for (const value of taken)
          for (const asked of [
            { ...body, [name]: value },
            { ...body, exportOptions: { [name]: value } },
          ]) {
            const answer = await sent(service, asked, false);
            expect(answer.statusCode, `${value}: ${answer.body}`).to.equal(200);
          }
        for (const value of refused) {
          expectProblem(await sent(service, { ...body, [name]: value }, false), 400, 'INVALID_REQUEST', name);
          expectProblem(await sent(service, { ...body, [name]: value }, true), 422, 'EXPORT_FAILED');
        }
      });

    it('write every format there is', async () => {
      expect(exporters.map(({ format }) => format.id)).to.have.members(FORMATS);
      const service = createTestService();
      for (const format of FORMATS) {
        const answer = await sent(service, { svg: SVG, format }, false);
        expect(answer.json().actualFormat, answer.body).to.equal(format);
      }
    });

    it('are at most twenty items', async () => {
      const service = createTestService();
      const items = (count: number) => ({ items: Array.from({ length: count }, () => ({ svg: SVG, format: 'svg' })) });
      const { headers } = await service.createKey('pro');
      expect((await post(service, '/api/v1/batch', items(20), headers)).json().itemCount).to.equal(20);
      expectProblem(await post(service, '/api/v1/batch', items(21), headers), 413, 'TOO_MANY_FILES');
    });
  });

  describe('parameters in the address', () => {
    it('are those of the table, no more and no fewer', () => {
      const published = OPERATIONS.flatMap(({ method, path, query = [] }) =>
        query.map(({ name }) => `${method.toUpperCase()} ${path} ${name}`),
      );
      expect(QUERY_PARAMETERS).to.have.members(published);
    });

    it('of a download are both needed, and no other is taken', async () => {
      const { app } = createTestService();
      for (const [query, field] of [
        ['actualFilename=y', 'fileBasename'],
        ['fileBasename=x', 'actualFilename'],
        ['fileBasename=x&actualFilename=y&z=1', 'z'],
      ])
        expectProblem(await app.inject(`/download-file?${query}`), 400, 'INVALID_REQUEST', field);
    });
  });

  describe('answers', () => {
    for (const [name, { schema, maps = [], fields, ask }] of Object.entries(ANSWERS))
      it(`${name} has the fields of the table and no others`, async () => {
        expect(fieldsOfSchema(schema as never)).to.have.members(fields);
        const seen = new Set<string>();
        const answers = await ask();
        for (const answer of answers) {
          expect([...Value.Errors(schema as never, answer.json())], answer.body.slice(0, 500)).to.deep.equal([]);
          for (const field of fieldsOfValue(answer.json(), maps)) if (!JSON_SCHEMAS.test(field)) seen.add(field);
          for (const header of RATE_HEADERS) expect(answer.headers[header], header).to.match(/^\d+$/);
        }
        expect([...seen]).to.have.members(fields);
      });

    it('are those that are published', async () => {
      const document = (await createTestService().app.inject('/api/v1/openapi.json')).json();
      const published = OPERATIONS.filter(({ tag }) => tag !== 'Dashboard').flatMap(
        ({ answer }) => answer.schemas ?? [],
      );
      expect(Object.keys(ANSWERS)).to.have.members([...new Set([...published, 'Error'])]);
      for (const name of Object.keys(ANSWERS)) expect(document.components.schemas, name).to.have.property(name);
    });
  });

  describe('headers', () => {
    it('are those of the table, and each says what it must', async () => {
      const document = (await createTestService().app.inject('/api/v1/openapi.json')).json();
      expect(Object.keys(document.components.headers)).to.have.members(Object.keys(HEADERS));
      for (const [name, { value, ask }] of Object.entries(HEADERS)) {
        const answer = await ask(createTestService());
        expect(answer.headers[name.toLowerCase()], `${name}: ${answer.body.slice(0, 200)}`).to.match(value);
      }
    });

    it('of an SVG tell its figures', async () => {
      const service = createTestService();
      const answer = await convert(service, form({ output: 'svg', fidelity: 'true' }));
      const told = Object.keys(answer.headers).filter((name) => name.startsWith('x-burin-'));
      expect(told).to.have.members(SVG_HEADERS);
      for (const name of SVG_HEADERS) expect(String(answer.headers[name]), name).to.match(/^.+$/);
      expect(answer.headers['content-type']).to.equal('image/svg+xml');
      expect(answer.headers['content-disposition']).to.match(/^attachment; filename="picture.svg"/);
    });

    it('on answers are in the table, or say what every answer of HTTP says', async () => {
      const known = new Set([
        ...Object.keys(HEADERS).map((name) => name.toLowerCase()),
        ...SVG_HEADERS,
        ...COMMON_HEADERS,
      ]);
      const asked = [
        ...Object.values(ANSWERS).map(({ ask }) => ask()),
        ...Object.values(CODES).map(async ({ service, ask }) => [await ask(createTestService(service))]),
      ];
      const seen = new Set((await Promise.all(asked)).flat().flatMap(({ headers }) => Object.keys(headers)));
      expect([...seen].filter((name) => !known.has(name))).to.deep.equal([]);
    });

    it('of requests are those of the table', async () => {
      const document = (await createTestService().app.inject('/api/v1/openapi.json')).json();
      const published = Object.values(document.components.parameters as Record<string, { name: string; in: string }>);
      expect(published.map(({ name, in: place }) => `${place} ${name}`)).to.have.members([
        'header Prefer',
        'header Idempotency-Key',
      ]);
      expect(document.components.securitySchemes.ApiKey.name).to.equal('X-API-Key');
      const service = createTestService();
      const { headers, secret } = await service.createKey();
      for (const sent of [headers, { authorization: `Bearer ${secret}` }])
        expect(
          (await convert(service, form(), sent as Record<string, string>)).headers['x-credits-remaining'],
        ).to.equal('498');
    });
  });
});
