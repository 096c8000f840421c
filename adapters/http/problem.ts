import { type ErrorKind, ServiceError } from '#domain/errors.js';

/** What every kind of refusal is over HTTP. */
export const STATUS_OF = {
  invalid: 400,
  unauthenticated: 401,
  'out-of-credits': 402,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  'rate-limited': 429,
  cancelled: 499,
  internal: 500,
  'upstream-unavailable': 502,
  unavailable: 503,
  'timed-out': 504,
  'storage-full': 507,
} as const satisfies Record<ErrorKind, number>;

/** Statuses that always say when to come again; where the refusal itself does not know, this long. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504, 507]);
const DEFAULT_RETRY_AFTER_SECONDS = 30;

/** The body of every error. */
export interface ProblemBody {
  readonly error: string;
  readonly code: string;
  /** Which field is at fault; on every 400. */
  readonly field?: string;
  readonly retry_after_seconds?: number;
  readonly request_id: string;
}

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
}

/** How a refusal is answered. What is not a ServiceError tells nothing but that it happened. */
export function toProblem(error: unknown, requestId: string): Problem {
  const refusal = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR');
  const status = STATUS_OF[refusal.kind];
  const field = refusal.field ?? (status === 400 ? 'body' : undefined);
  const retryAfter = RETRYABLE.has(status)
    ? Math.max(1, Math.ceil(refusal.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS))
    : undefined;
  const { allowed } = (refusal.details ?? {}) as { allowed?: readonly string[] };
  return {
    status,
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="burin"' }),
      ...(status === 405 && allowed !== undefined && { allow: allowed.join(', ') }),
    },
    body: {
      error: refusal.message,
      code: refusal.code,
      ...(field !== undefined && { field }),
      ...(retryAfter !== undefined && { retry_after_seconds: retryAfter }),
      request_id: requestId,
    },
  };
}
