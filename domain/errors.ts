/**
 * Every refusal Burin can give, in one table: the stable public code, a transport-free kind that each door maps to its own
 * status, and the message. Messages are public by construction; anything private goes into `cause`.
 */

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'too-large'
  | 'unsupported'
  | 'unprocessable'
  | 'out-of-credits'
  | 'rate-limited'
  | 'cancelled'
  | 'timed-out'
  | 'unavailable'
  | 'upstream-unavailable'
  | 'storage-full'
  | 'internal';

export interface ErrorSpec {
  readonly kind: ErrorKind;
  readonly message: (details: never) => string;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

export const ERRORS = {
  INVALID_REQUEST: {
    kind: 'invalid',
    message: (d: { readonly field: string; readonly problem: string }) => `${d.field}: ${d.problem}`,
  },
  UNSUPPORTED_FORMAT: {
    kind: 'invalid',
    message: (d: { readonly field: 'format'; readonly format: string; readonly known: readonly string[] }) =>
      `There is no export format "${d.format}"; there are ${d.known.join(', ')}.`,
  },
  UNAUTHORIZED: {
    kind: 'unauthenticated',
    message: (d: { readonly problem: string }) => d.problem,
  },
  FORBIDDEN: { kind: 'forbidden', message: (d: { readonly problem: string }) => d.problem },
  PLAN_REQUIRED: {
    kind: 'forbidden',
    message: (d: { readonly feature: string; readonly plan: string }) => `${d.feature} needs the ${d.plan} plan.`,
  },
  NOT_FOUND: {
    kind: 'not-found',
    message: (d: { readonly what: string }) => `${d.what} was not found, or has expired.`,
  },
  INPUT_UNREADABLE: {
    kind: 'not-found',
    message: (d: { readonly name: string; readonly problem: string }) => `${d.name} cannot be read: ${d.problem}`,
  },
  OUTPUT_UNWRITABLE: {
    kind: 'storage-full',
    message: (d: { readonly name: string; readonly problem: string }) => `${d.name} cannot be written: ${d.problem}`,
  },
  METHOD_NOT_ALLOWED: {
    kind: 'method-not-allowed',
    message: (d: { readonly method: string; readonly allowed: readonly string[] }) =>
      `${d.method} is not allowed here; allowed: ${d.allowed.join(', ')}.`,
  },
  IDEMPOTENCY_CONFLICT: {
    kind: 'conflict',
    message: () => 'This Idempotency-Key was used before with another request; use a new key for a new request.',
  },
  REQUEST_IN_PROGRESS: {
    kind: 'conflict',
    message: () => 'A request with this Idempotency-Key is still being worked on; retry when it has finished.',
  },
  PAYLOAD_TOO_LARGE: {
    kind: 'too-large',
    message: (d: { readonly limitBytes: number; readonly what: string }) =>
      `${d.what} is larger than the ${d.limitBytes} bytes that are accepted.`,
  },
  IMAGE_TOO_LARGE: {
    kind: 'too-large',
    message: (d: { readonly width: number; readonly height: number; readonly limitPixels: number }) =>
      `The image is ${d.width} x ${d.height} pixels; at most ${d.limitPixels} pixels are accepted.`,
  },
  TOO_MANY_FILES: {
    kind: 'too-large',
    message: (d: { readonly count: number; readonly limit: number }) =>
      `${d.count} files were sent; at most ${d.limit} are accepted.`,
  },
  UNSUPPORTED_IMAGE: {
    kind: 'unsupported',
    message: () => 'The file is not a JPG, PNG, BMP, WEBP or AVIF image (its bytes decide, not its name or type).',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'unsupported',
    message: (d: { readonly expected: string }) => `The request body must be ${d.expected}.`,
  },
  UNREADABLE_IMAGE: {
    kind: 'unprocessable',
    message: (d: { readonly format: string; readonly problem: string }) =>
      `The ${d.format.toUpperCase()} image cannot be read: ${d.problem}`,
  },
  INVALID_SVG: {
    kind: 'unprocessable',
    message: (d: { readonly problem: string }) => `The SVG cannot be used: ${d.problem}`,
  },
  EXPORT_FAILED: {
    kind: 'unprocessable',
    message: (d: { readonly problem: string }) => `Nothing could be exported: ${d.problem}`,
  },
  CONVERSION_FAILED: {
    kind: 'unprocessable',
    message: (d: { readonly problem: string }) => `The image cannot be converted: ${d.problem}.`,
  },
  INSUFFICIENT_CREDITS: {
    kind: 'out-of-credits',
    message: (d: { readonly needed: number; readonly balance: number }) =>
      `This needs ${d.needed} credits and ${d.balance} are left.`,
  },
  RATE_LIMITED: {
    kind: 'rate-limited',
    message: (d: { readonly limit: number; readonly retryAfterSeconds: number }) =>
      `More than ${d.limit} requests a minute; retry in ${d.retryAfterSeconds} s.`,
  },
  API_KEY_BUSY: {
    kind: 'rate-limited',
    message: (d: { readonly limit: number; readonly retryAfterSeconds: number }) =>
      `This key has ${d.limit} conversions in flight already, which is as many as it may; retry in ${d.retryAfterSeconds} s.`,
  },
  QUEUE_FULL: {
    kind: 'rate-limited',
    message: (d: { readonly tier: string; readonly retryAfterSeconds: number }) =>
      `The ${d.tier} queue is full; retry in ${d.retryAfterSeconds} s.`,
  },
  AT_CAPACITY: {
    kind: 'unavailable',
    message: (d: { readonly tier: string; readonly retryAfterSeconds: number }) =>
      `No worker can take ${d.tier} work now; retry in ${d.retryAfterSeconds} s.`,
  },
  WORKER_LOST: {
    kind: 'unavailable',
    message: (d: { readonly retryAfterSeconds: number }) =>
      `The process that worked on it was ended from outside; nothing was charged; retry in ${d.retryAfterSeconds} s.`,
  },
  QUEUE_TIMEOUT: {
    kind: 'timed-out',
    message: (d: { readonly tier: string; readonly waitedMs: number; readonly retryAfterSeconds: number }) =>
      `No ${d.tier} slot came free within ${seconds(d.waitedMs)}; nothing was charged; retry in ${d.retryAfterSeconds} s.`,
  },
  CONVERSION_TIMEOUT: {
    kind: 'timed-out',
    message: (d: { readonly limitMs: number; readonly tier: string }) =>
      `The work ran past the ${d.tier} limit of ${seconds(d.limitMs)}; a smaller picture or a higher tier may fit.`,
  },
  CANCELLED: { kind: 'cancelled', message: () => 'The request was cancelled before it finished.' },
  STORAGE_FULL: {
    kind: 'storage-full',
    message: (d: { readonly retryAfterSeconds: number }) =>
      `The file storage is full for the moment; retry in ${d.retryAfterSeconds} s.`,
  },
  UPSTREAM_UNAVAILABLE: {
    kind: 'upstream-unavailable',
    message: (d: { readonly what: string; readonly retryAfterSeconds: number }) =>
      `${d.what} cannot be reached; retry in ${d.retryAfterSeconds} s.`,
  },
  INTERNAL_ERROR: { kind: 'internal', message: () => 'Internal error.' },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;
/** What a refusal of this code must say; `undefined` where its message needs nothing. */
export type ErrorDetails<C extends ErrorCode> =
  Parameters<(typeof ERRORS)[C]['message']> extends [infer D] ? D : undefined;

/** An expected refusal. Anything thrown that is not one is a bug, logged whole and told as INTERNAL_ERROR. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly kind: ErrorKind;
  readonly details: ErrorDetails<C>;

  constructor(
    code: C,
    ...[details, options]: ErrorDetails<C> extends undefined
      ? [details?: undefined, options?: { cause?: unknown }]
      : [details: ErrorDetails<C>, options?: { cause?: unknown }]
  ) {
    const spec: ErrorSpec = ERRORS[code];
    super(spec.message(details as never), options);
    this.name = 'ServiceError';
    this.code = code;
    this.kind = spec.kind;
    this.details = details as ErrorDetails<C>;
  }

  /** The request's field at fault, where one is. */
  get field(): string | undefined {
    return (this.details as { field?: string } | undefined)?.field;
  }

  /** Seconds after which the same request may succeed, where that is known. */
  get retryAfterSeconds(): number | undefined {
    return (this.details as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  }
}

/** An INVALID_REQUEST for one field. */
export const invalid = (field: string, problem: string) => new ServiceError('INVALID_REQUEST', { field, problem });
