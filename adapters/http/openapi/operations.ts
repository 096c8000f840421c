import type { ErrorCode } from '#domain/errors.js';

/** Every operation of the service over HTTP, once: the published description, the links at `/api/v1` and tests read this table. */

export type SchemaName =
  | 'Conversion'
  | 'ConversionEstimate'
  | 'ConversionForm'
  | 'BatchConversion'
  | 'BatchConversionForm'
  | 'ExportRequest'
  | 'Job'
  | 'Export'
  | 'ZipRequest'
  | 'Zip'
  | 'Usage'
  | 'Capabilities'
  | 'Description'
  | 'Status'
  | 'Health'
  | 'Liveness'
  | 'Readiness';

export interface OperationRow {
  readonly id: string;
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `/jobs/{id}`. */
  readonly path: string;
  readonly tag: 'Convert' | 'Export' | 'Files' | 'Account' | 'Service';
  readonly summary: string;
  readonly description?: string;
  /** `any`: a key, a bearer or nothing; `header`: the key's header alone; `none`: nothing is asked. */
  readonly security: 'any' | 'header' | 'none';
  readonly body?: { readonly mediaType: 'multipart/form-data' | 'application/json'; readonly schema: SchemaName };
  readonly query?: readonly { readonly name: string; readonly description: string }[];
  /** Of the 200. A schema, or what comes instead of JSON. */
  readonly answer: {
    readonly description: string;
    readonly schemas?: readonly SchemaName[];
    readonly otherMediaTypes?: readonly string[];
  };
  /** Answers 503 with the body of the 200 where a check fails. */
  readonly probes?: true;
  /** With `Prefer: respond-async`, 202 and a job. */
  readonly asynchronous?: true;
  /** Credits are told in headers. */
  readonly charges?: true;
  /** Takes an Idempotency-Key. */
  readonly idempotent?: true;
  readonly errors: readonly ErrorCode[];
}

/** What every request may be told. */
const ALWAYS: readonly ErrorCode[] = ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'INTERNAL_ERROR'];
const WORK: readonly ErrorCode[] = [
  ...ALWAYS,
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_CONFLICT',
  'REQUEST_IN_PROGRESS',
  'STORAGE_FULL',
  'UPSTREAM_UNAVAILABLE',
];
const CONVERTING: readonly ErrorCode[] = [
  ...WORK,
  'INSUFFICIENT_CREDITS',
  'IMAGE_TOO_LARGE',
  'UNSUPPORTED_IMAGE',
  'UNREADABLE_IMAGE',
  'API_KEY_BUSY',
  'QUEUE_FULL',
  'AT_CAPACITY',
  'QUEUE_TIMEOUT',
  'CONVERSION_TIMEOUT',
];
const EXPORTING: readonly ErrorCode[] = [...WORK, 'PLAN_REQUIRED', 'QUEUE_FULL', 'QUEUE_TIMEOUT', 'CONVERSION_TIMEOUT'];

export const OPERATIONS: readonly OperationRow[] = [
  {
    id: 'convert',
    method: 'post',
    path: '/api/v1/convert',
    tag: 'Convert',
    summary: 'Convert a picture to SVG',
    description:
      'Explicit fields win over the preset. With `output=svg` the SVG itself is answered, with its figures in X-Burin headers; with `dry_run=true` only what it would cost.',
    security: 'any',
    body: { mediaType: 'multipart/form-data', schema: 'ConversionForm' },
    answer: {
      description: 'The drawing with its palette, diagnostics and statistics.',
      schemas: ['Conversion', 'ConversionEstimate'],
      otherMediaTypes: ['image/svg+xml'],
    },
    asynchronous: true,
    charges: true,
    idempotent: true,
    errors: CONVERTING,
  },
  {
    id: 'convertBatch',
    method: 'post',
    path: '/api/v1/convert-batch',
    tag: 'Convert',
    summary: 'Convert up to ten pictures',
    description: 'One after the other, each with its own result and charge. Ends early on 401 or 402.',
    security: 'any',
    body: { mediaType: 'multipart/form-data', schema: 'BatchConversionForm' },
    answer: { description: 'A result for each picture.', schemas: ['BatchConversion'] },
    charges: true,
    idempotent: true,
    errors: [...CONVERTING, 'TOO_MANY_FILES'],
  },
  {
    id: 'getJob',
    method: 'get',
    path: '/api/v1/jobs/{id}',
    tag: 'Convert',
    summary: 'How a job stands, and its result',
    description: 'Of a conversion that was asked for with `Prefer: respond-async`. For who began it alone.',
    security: 'any',
    answer: { description: 'The job; once it succeeded, with its result.', schemas: ['Job'] },
    errors: [...ALWAYS, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    id: 'cancelJob',
    method: 'delete',
    path: '/api/v1/jobs/{id}',
    tag: 'Convert',
    summary: 'Cancel a job',
    description: 'One that has ended stays as it is.',
    security: 'any',
    answer: { description: 'The job.', schemas: ['Job'] },
    errors: [...ALWAYS, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    id: 'watchJob',
    method: 'get',
    path: '/api/v1/jobs/{id}/events',
    tag: 'Convert',
    summary: 'What happens to a job, as Server-Sent Events',
    description: 'An event for every change, called by the state, with the job as its data; ends with the job.',
    security: 'any',
    answer: { description: 'Events.', otherMediaTypes: ['text/event-stream'] },
    errors: [...ALWAYS, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    id: 'exportDrawing',
    method: 'post',
    path: '/api/v1/export',
    tag: 'Export',
    summary: 'Export SVG to another format',
    description:
      'Of SVG markup of any origin, or of what convert answered. An option may stand at the top level or in `exportOptions`. Formats of the pro plan say so in the capabilities.',
    security: 'any',
    body: { mediaType: 'application/json', schema: 'ExportRequest' },
    answer: { description: 'Where the file can be downloaded.', schemas: ['Export'] },
    idempotent: true,
    errors: [...EXPORTING, 'UNSUPPORTED_FORMAT', 'NOT_FOUND', 'INVALID_SVG', 'IMAGE_TOO_LARGE'],
  },
  {
    id: 'exportZip',
    method: 'post',
    path: '/api/v1/batch',
    tag: 'Export',
    summary: 'Export up to twenty drawings into one ZIP',
    description: 'Needs the pro plan. Made even where some items fail; those are listed.',
    security: 'any',
    body: { mediaType: 'application/json', schema: 'ZipRequest' },
    answer: { description: 'Where the ZIP can be downloaded, and what is not in it.', schemas: ['Zip'] },
    idempotent: true,
    errors: [...EXPORTING, 'TOO_MANY_FILES', 'EXPORT_FAILED'],
  },
  {
    id: 'downloadFile',
    method: 'get',
    path: '/download-file',
    tag: 'Files',
    summary: 'Download a produced file',
    description: 'Needs no key: the name is the secret.',
    security: 'none',
    query: [
      { name: 'fileBasename', description: 'The downloadPathBasename (or zipBasename) that was given out.' },
      {
        name: 'actualFilename',
        description: 'The downloadActualFilename (or zipFilename) that was given out with it.',
      },
    ],
    answer: { description: 'The file.', otherMediaTypes: ['application/octet-stream'] },
    errors: [...ALWAYS, 'NOT_FOUND'],
  },
  {
    id: 'getUsage',
    method: 'get',
    path: '/api/v1/usage',
    tag: 'Account',
    summary: 'Plan, credits and the last 30 days of the key',
    security: 'header',
    answer: { description: 'What the key has and used.', schemas: ['Usage'] },
    errors: [...ALWAYS, 'UNAUTHORIZED', 'FORBIDDEN'],
  },
  {
    id: 'getCapabilities',
    method: 'get',
    path: '/api/v1/capabilities',
    tag: 'Service',
    summary: 'Formats, options, presets, tiers and limits as they stand here',
    security: 'none',
    answer: { description: 'Everything that can be asked of the service.', schemas: ['Capabilities'] },
    errors: ALWAYS,
  },
  {
    id: 'getStatus',
    method: 'get',
    path: '/api/v1/status',
    tag: 'Service',
    summary: 'How the service is',
    security: 'none',
    answer: { description: 'Status, versions and time.', schemas: ['Status'] },
    errors: ALWAYS,
  },
  {
    id: 'describe',
    method: 'get',
    path: '/api/v1',
    tag: 'Service',
    summary: 'What the service is and where everything is',
    security: 'none',
    answer: { description: 'Name, version, links to every operation, and the capabilities.', schemas: ['Description'] },
    errors: ALWAYS,
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/api/v1/openapi.json',
    tag: 'Service',
    summary: 'This document',
    security: 'none',
    answer: { description: 'OpenAPI 3.1.0.', otherMediaTypes: ['application/json'] },
    errors: ALWAYS,
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/health',
    tag: 'Service',
    summary: 'Checks and queue depths',
    description: '503 with the same body when a check fails.',
    security: 'none',
    answer: { description: 'All checks pass.', schemas: ['Health'] },
    probes: true,
    errors: ALWAYS,
  },
  {
    id: 'getLiveness',
    method: 'get',
    path: '/livez',
    tag: 'Service',
    summary: 'Whether the process answers',
    security: 'none',
    answer: { description: 'It does.', schemas: ['Liveness'] },
    errors: ALWAYS,
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether work can be taken',
    description: '503 with the same body when it cannot.',
    security: 'none',
    answer: { description: 'It can.', schemas: ['Readiness'] },
    probes: true,
    errors: ALWAYS,
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Figures for Prometheus',
    description: "For this machine, or with the owner's key.",
    security: 'any',
    answer: { description: 'Prometheus text format.', otherMediaTypes: ['text/plain'] },
    errors: [...ALWAYS, 'UNAUTHORIZED', 'FORBIDDEN'],
  },
];
