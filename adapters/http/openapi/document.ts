import type { Exporter } from '#application/ports/exporter.js';
import { ERRORS, type ErrorCode, type ErrorSpec } from '#domain/errors.js';
import { exportOptionSchema } from '#domain/exports/define-export-options.js';
import { EXPORT_OPTION_NAMES, exportOptionRow } from '#domain/exports/export-options.js';
import { toJsonSchema } from '#domain/presets/settings.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { STATUS_OF } from '../problem.js';
import {
  BatchConversionAnswer,
  ConversionAnswer,
  ErrorAnswer,
  EstimateAnswer,
  ReadinessAnswer,
  StatusAnswer,
  UsageAnswer,
} from '../schemas/answers.js';
import {
  CapabilitiesAnswer,
  DescriptionAnswer,
  ExportAnswer,
  HealthAnswer,
  JobAnswer,
  LivenessAnswer,
  ZipAnswer,
} from '../schemas/service-answers.js';
import { SESSION_COOKIE } from '../session-cookie.js';
import { ACCOUNT_SCHEMAS } from './account-operations.js';
import { EXAMPLES } from './examples.js';
import type { OperationRow, SchemaName } from './operation-row.js';
import { OPERATIONS } from './operations.js';

/** The version of the description itself. */
export const DESCRIPTION_VERSION = '1.2.0';

type Json = Readonly<Record<string, unknown>>;

/** Refusals that only the command line gives, and one that nobody is there to read. */
const NOT_PUBLISHED: ReadonlySet<string> = new Set(['INPUT_UNREADABLE', 'OUTPUT_UNWRITABLE', 'CANCELLED']);
export const PUBLISHED_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !NOT_PUBLISHED.has(code));

const statusOf = (code: ErrorCode): number => STATUS_OF[(ERRORS[code] as ErrorSpec).kind];
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const FILE: Json = { type: 'string', contentMediaType: 'application/octet-stream' };

const HEADERS = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Names the request in logs and errors.' },
  'X-RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests that a window takes.' },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests that are left in the window.' },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the window ends.' },
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds after which the same request may succeed.' },
  'X-Credits-Charged': { schema: { type: 'integer' }, description: 'Credits that the request cost.' },
  'X-Credits-Remaining': { schema: { type: 'integer' }, description: 'Credits that are left.' },
  'Idempotent-Replayed': { schema: { type: 'string', enum: ['true'] }, description: 'Set on an answer given before.' },
  'Set-Cookie': { schema: { type: 'string' }, description: 'The session of the dashboard.' },
  Location: { schema: { type: 'string' }, description: 'Where to look: the job, or the file.' },
  Allow: { schema: { type: 'string' }, description: 'The methods that the address takes.' },
} as const;
type HeaderName = keyof typeof HEADERS;

const headersOf = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
const EVERY: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

function formSchema(field: string, file: Json, leaveOut: readonly string[] = []): Json {
  const { properties } = toJsonSchema({ form: true });
  const kept = Object.entries(properties).filter(([name]) => !leaveOut.includes(name));
  return {
    type: 'object',
    additionalProperties: false,
    properties: { [field]: file, ...Object.fromEntries(kept) },
  };
}

/** Every option once; which format takes which, and how, stands in the description and in the format's own schema. */
function exportOptionProperties(exporters: readonly Exporter[]): Json {
  return Object.fromEntries(
    EXPORT_OPTION_NAMES.map((name) => {
      const schema = exportOptionSchema(exportOptionRow(name));
      const formats = exporters.filter(({ rows }) => rows[name] !== undefined).map(({ format }) => format.id);
      // Formats have defaults of their own.
      const { default: _, ...open } = schema;
      return [name, { ...open, description: `${schema.description} Honoured by: ${formats.join(', ')}.` }];
    }),
  );
}

function requestSchemas(exporters: readonly Exporter[]): Record<string, Json> {
  const format: Json = { type: 'string', enum: exporters.map((exporter) => exporter.format.id) };
  const filenameBase: Json = { type: 'string', maxLength: 200, description: 'The file is called by it.' };
  const options = exportOptionProperties(exporters);
  const svg: Json = { type: 'string', minLength: 1, description: 'SVG markup of any origin.' };
  const sourceSvgBasename: Json = { type: 'string', description: 'The downloadPathBasename of a conversion.' };
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['format'],
    anyOf: [{ required: ['svg'] }, { required: ['sourceSvgBasename'] }],
    properties: {
      svg,
      sourceSvgBasename,
      format,
      filenameBase,
      exportOptions: ref('schemas', 'ExportOptions'),
      ...options,
    },
  };
  return {
    ConversionForm: { ...formSchema('imageFile', FILE), required: [] },
    BatchConversionForm: {
      ...formSchema('imageFiles', { type: 'array', items: FILE, minItems: 1, maxItems: LIMITS.maxBatchFiles }, [
        'output',
        'dry_run',
      ]),
      required: ['imageFiles'],
    },
    ExportOptions: { type: 'object', additionalProperties: false, properties: options },
    ...Object.fromEntries(
      exporters.map(({ format: { id, label }, optionsSchema }) => [
        `ExportOptions.${id}`,
        { ...optionsSchema, description: `The options of ${label}.` },
      ]),
    ),
    ExportRequest: item,
    ZipRequest: {
      type: 'object',
      additionalProperties: false,
      required: ['items'],
      properties: { items: { type: 'array', minItems: 1, maxItems: LIMITS.maxZipItems, items: item } },
    },
  };
}

const ANSWERS: Readonly<Record<string, object>> = {
  Error: ErrorAnswer,
  Conversion: ConversionAnswer,
  ConversionEstimate: EstimateAnswer,
  BatchConversion: BatchConversionAnswer,
  Job: JobAnswer,
  Export: ExportAnswer,
  Zip: ZipAnswer,
  Usage: UsageAnswer,
  Capabilities: CapabilitiesAnswer,
  Description: DescriptionAnswer,
  Status: StatusAnswer,
  Health: HealthAnswer,
  Liveness: LivenessAnswer,
  Readiness: ReadinessAnswer,
  ...ACCOUNT_SCHEMAS,
};

/** One response for each status, with the codes that it may carry. */
function errorResponses({ errors, probes, answer }: OperationRow): Record<string, Json> {
  const statuses = [...new Set(errors.map(statusOf))].sort((a, b) => a - b);
  const responses: Record<string, Json> = {};
  for (const status of statuses) {
    const codes = errors.filter((code) => statusOf(code) === status);
    const retry = [429, 502, 503, 504, 507].includes(status);
    responses[status] = {
      description: codes.join(', '),
      headers: headersOf(
        ...EVERY,
        ...(retry ? (['Retry-After'] as const) : []),
        ...(status === 405 ? (['Allow'] as const) : []),
      ),
      content: {
        'application/json': {
          schema: { allOf: [ref('schemas', 'Error'), { properties: { code: { enum: codes } } }] },
        },
      },
    };
  }
  if (probes)
    responses[503] = {
      description: 'A check fails.',
      headers: headersOf(...EVERY, 'Retry-After'),
      content: { 'application/json': { schema: ref('schemas', answer.schemas?.[0] as string) } },
    };
  return responses;
}

const SECURITY: Readonly<Record<OperationRow['security'], readonly Json[] | undefined>> = {
  // As stated for the whole document.
  any: undefined,
  header: [{ ApiKey: [] }],
  session: [{ Session: [] }],
  none: [],
};

const schemaOf = (names: readonly SchemaName[]): Json =>
  names.length === 1 ? ref('schemas', names[0] as string) : { anyOf: names.map((name) => ref('schemas', name)) };

function operationObject(row: OperationRow): Json {
  const {
    id,
    tag,
    summary,
    description,
    body,
    query = [],
    answer,
    charges,
    idempotent,
    setsCookie,
    asynchronous,
    redirects,
  } = row;
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const security = SECURITY[row.security];
  const { request, response } = EXAMPLES[id] ?? {};
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(asynchronous ? [ref('parameters', 'Prefer')] : []),
    ...query.map((parameter) => ({ required: true, ...parameter, in: 'query', schema: { type: 'string' } })),
    ...(idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(security !== undefined && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          [body.mediaType]: { schema: ref('schemas', body.schema), ...(request !== undefined && { example: request }) },
        },
      },
    }),
    responses: {
      200: {
        description: answer.description,
        headers: headersOf(
          ...EVERY,
          ...(charges ? (['X-Credits-Charged', 'X-Credits-Remaining'] as const) : []),
          ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
          ...(setsCookie ? (['Set-Cookie'] as const) : []),
        ),
        content: {
          ...(answer.schemas !== undefined && {
            'application/json': {
              schema: schemaOf(answer.schemas),
              ...(response !== undefined && { example: response }),
            },
          }),
          ...Object.fromEntries((answer.otherMediaTypes ?? []).map((type) => [type, {}])),
        },
      },
      ...(asynchronous && {
        202: {
          description: 'The work goes on as a job.',
          headers: headersOf(...EVERY, 'Location'),
          content: { 'application/json': { schema: ref('schemas', 'Job') } },
        },
      }),
      ...(redirects && {
        302: {
          description: 'The file is at `Location`, for a minute.',
          headers: headersOf(...EVERY, 'Location'),
        },
      }),
      ...errorResponses(row),
    },
  };
}

export interface OpenApiDeps {
  readonly exporters: { readonly all: readonly Exporter[] };
}

/** The published description, OpenAPI 3.1.0, made of the tables and schemas that the service itself goes by. */
export function createOpenApi({ exporters }: OpenApiDeps): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of OPERATIONS) {
    paths[row.path] ??= {};
    (paths[row.path] as Record<string, Json>)[row.method] = operationObject(row);
  }
  const meanings = PUBLISHED_CODES.map((code) => `${code} (${statusOf(code)})`).join(', ');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Burin',
      version: DESCRIPTION_VERSION,
      description: `Pictures into drawings, and drawings into other formats. Errors have one form; their codes: ${meanings}.`,
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }, { Bearer: [] }, {}],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'For pages of the service itself; on the machine that runs it they need none.',
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
      },
      parameters: {
        Prefer: {
          name: 'Prefer',
          in: 'header',
          description: '`respond-async`: do not wait; the answer is a job.',
          schema: { type: 'string' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Within 24 hours, the same key with the same request is given the first answer again.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      headers: HEADERS,
      schemas: {
        ...requestSchemas(exporters.all),
        ...ANSWERS,
        ErrorCode: { type: 'string', enum: PUBLISHED_CODES },
      },
    },
  };
}
