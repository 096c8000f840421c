/** A refusal of the service, or that it could not be reached. */
export class BurinError extends Error {
  override readonly name = 'BurinError';
  /** As in the API's table of errors; `NETWORK_ERROR` where no answer came, `UNEXPECTED_ANSWER` where it was none of Burin's. */
  readonly code: string;
  /** Of the answer; 0 where none came. */
  readonly status: number;
  /** The field at fault, where one is. */
  readonly field: string | undefined;
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    details: {
      readonly code: string;
      readonly status: number;
      readonly field?: string | undefined;
      readonly requestId?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    },
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.code = details.code;
    this.status = details.status;
    this.field = details.field;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Says what an answer that is no success was. `body` is its text. */
export function toBurinError(response: Response, body: string): BurinError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const { status } = response;
  let parsed: Readonly<Record<string, unknown>> = {};
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === 'object' && json !== null) parsed = json as Readonly<Record<string, unknown>>;
  } catch {
    // A proxy's own page.
  }
  const { error, code, field, retry_after_seconds: retryAfter, request_id: id } = parsed;
  if (typeof error !== 'string' || typeof code !== 'string')
    return new BurinError(`The answer ${status} is none of Burin's.`, {
      code: 'UNEXPECTED_ANSWER',
      status,
      requestId,
      retryAfterSeconds: retryAfterOf(response),
    });
  return new BurinError(error, {
    code,
    status,
    requestId: requestId ?? (typeof id === 'string' ? id : undefined),
    field: typeof field === 'string' ? field : undefined,
    retryAfterSeconds: retryAfterOf(response) ?? (typeof retryAfter === 'number' ? retryAfter : undefined),
  });
}

/** The header, in seconds from now: it may name a number of them or a date. */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
