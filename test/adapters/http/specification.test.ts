import { expect } from 'chai';
import type { LightMyRequestResponse } from 'fastify';
import Value from 'typebox/value';
import { BatchConversionAnswer, ConversionAnswer, StatusAnswer, UsageAnswer } from '#adapters/http/schemas/answers.js';
import { ERRORS, type ErrorCode, ServiceError } from '#domain/errors.js';
import { publishedNames, settingNames } from '#domain/presets/settings.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService, type TestServiceOptions } from '#test/support/http-service.js';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

/**
 * The published description as a table: every parameter, field, header, status and code, each exercised through HTTP. What is
 * added to the description or to the service alone fails here.
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

/** Refusals as the description has them; `next` waits for the routes of exports. */
interface CodeRow {
  readonly status: number;
  readonly retry?: true;
  readonly service?: TestServiceOptions;
  readonly ask: ((service: Service) => Promise<Answer>) | 'next issue: exports and ZIP';
}
const convert = (service: Service, body = form(), headers: Record<string, string> = {}) =>
  post(service, '/api/v1/convert', body, headers);
const never = () => new Promise<never>(() => {});
const withKey = async (service: Service, body = form()) => convert(service, body, (await service.createKey()).headers);
const next = 'next issue: exports and ZIP';

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
  UNREADABLE_IMAGE: { status: 422, ask: (service) => convert(service, convertForm(picture.slice(0, 60))) },
  INVALID_SVG: { status: 422, ask: next },
  UNAUTHORIZED: { status: 401, ask: ({ app }) => app.inject({ url: '/api/v1/usage' }) },
  PLAN_REQUIRED: { status: 403, ask: next },
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
  UNSUPPORTED_FORMAT: { status: 400, ask: next },
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
  EXPORT_FAILED: { status: 422, ask: next },
  FORBIDDEN: { status: 403, ask: (service) => convert(service, form(), { origin: 'https://evil.example' }) },
};

/** Codes that never leave by this door: the command line's, and the answer that nobody is there to read. */
const NOT_OVER_HTTP: readonly ErrorCode[] = ['INPUT_UNREADABLE', 'OUTPUT_UNWRITABLE', 'CANCELLED'];

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
      if (typeof ask === 'string') {
        it.skip(`${code} is ${status} (${ask})`);
        continue;
      }
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

  describe('answers', () => {
    const rows: [string, object, (service: Service, headers: Record<string, string>) => Promise<Answer>][] = [
      ['POST /api/v1/convert', ConversionAnswer, (service, headers) => convert(service, form(), headers)],
      [
        'POST /api/v1/convert-batch',
        BatchConversionAnswer,
        (service, headers) =>
          post(
            service,
            '/api/v1/convert-batch',
            multipartBody([{ name: 'imageFiles', value: picture, fileName: 'a.ppm' }]),
            headers,
          ),
      ],
      ['GET /api/v1/usage', UsageAnswer, ({ app }, headers) => app.inject({ url: '/api/v1/usage', headers })],
      ['GET /api/v1/status', StatusAnswer, ({ app }) => app.inject({ url: '/api/v1/status' })],
    ];
    it('are as many as there are here', () => expect(rows).to.have.length(4));
    for (const [name, schema, ask] of rows)
      it(`${name} has its fields and no others, and the headers of every answer`, async () => {
        const service = createTestService();
        const answer = await ask(service, (await service.createKey()).headers);
        expect(answer.statusCode, answer.body).to.equal(200);
        expect([...Value.Errors(schema as never, answer.json())]).to.deep.equal([]);
        for (const header of RATE_HEADERS) expect(answer.headers[header], header).to.match(/^\d+$/);
        if (name.startsWith('POST')) {
          expect(answer.headers['x-credits-charged']).to.equal('2');
          expect(answer.headers['x-credits-remaining']).to.equal('498');
        }
      });
  });
});
