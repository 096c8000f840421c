import type { ErrorCode } from '#domain/errors.js';
import type { ACCOUNT_SCHEMAS } from './account-operations.js';

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
  | 'Readiness'
  | keyof typeof ACCOUNT_SCHEMAS;

export interface OperationRow {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/jobs/{id}`. */
  readonly path: string;
  readonly tag: 'Convert' | 'Export' | 'Files' | 'Account' | 'Dashboard' | 'Service';
  readonly summary: string;
  readonly description?: string;
  /** `any`: a key, a bearer or nothing; `header`: the key's header alone; `session`: the dashboard's cookie; `none`: nothing is asked. */
  readonly security: 'any' | 'header' | 'session' | 'none';
  readonly body?: { readonly mediaType: 'multipart/form-data' | 'application/json'; readonly schema: SchemaName };
  /** Required where nothing else is said. */
  readonly query?: readonly { readonly name: string; readonly description: string; readonly required?: false }[];
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
  /** 302 to another server, which gives the answer. */
  readonly redirects?: true;
  /** Credits are told in headers. */
  readonly charges?: true;
  /** Takes an Idempotency-Key. */
  readonly idempotent?: true;
  /** Gives the browser its session, or takes it away. */
  readonly setsCookie?: true;
  readonly errors: readonly ErrorCode[];
}

/** What every request may be told. */
export const ALWAYS: readonly ErrorCode[] = ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'INTERNAL_ERROR'];
