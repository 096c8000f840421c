import { BurinError, toBurinError } from './burin-error.js';

/** How requests are sent, and sent again. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly maxRetries: number;
  /** The longest wait before one is; where the service asks for more, its refusal is the answer. */
  readonly maxRetryDelayMs: number;
  /** How long one attempt may take; 0 for no limit. */
  readonly timeoutMs: number;
  /** Waits, and rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Told before each wait. */
  readonly onRetry?: ((retry: RetryNote) => void) | undefined;
}

export interface RetryNote {
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: BurinError;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const FIRST_DELAY_MS = 250;
const LONGEST_GUESS_MS = 8000;
/** Refusals that say nothing of the request itself. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504, 507]);

const mayPass = ({ status, code }: BurinError): boolean =>
  status === 0 || PASSING.has(status) || code === 'REQUEST_IN_PROGRESS';

/** Twice as long each time, and a little different for everybody, so that many do not come back at once. */
const guessedDelay = (attempt: number): number =>
  Math.min(LONGEST_GUESS_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
export const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });

/** One attempt, with its body read to the end: a connection may break within it. */
async function attemptOnce(
  url: string,
  init: RequestInit,
  { fetch, timeoutMs }: SendOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const limits = [...(signal ? [signal] : []), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])];
  try {
    const response = await fetch(url, { ...init, ...(limits.length > 0 && { signal: AbortSignal.any(limits) }) });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw toBurinError(response, new TextDecoder().decode(bytes));
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (error instanceof BurinError) throw error;
    if (signal?.aborted) throw signal.reason;
    const problem = error instanceof Error ? error.message : String(error);
    const details = { code: 'NETWORK_ERROR', status: 0 };
    throw new BurinError(`No answer from ${new URL(url).origin}: ${problem}`, details, { cause: error });
  }
}

/**
 * Sends a request until it succeeds, is refused for what it is, or was repeated often enough. Waits as long as the service
 * asks (Retry-After), else longer each time. The request is the same every time, so its Idempotency-Key is as well: what was
 * done and paid already is answered, not done again. Rejects with a BurinError, or with the signal's reason.
 */
export async function send(
  url: string,
  init: RequestInit,
  options: SendOptions,
  signal?: AbortSignal | undefined,
): Promise<Answer> {
  const { maxRetries, maxRetryDelayMs, wait, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(url, init, options, signal);
    } catch (error) {
      if (!(error instanceof BurinError) || !mayPass(error) || attempt > maxRetries) throw error;
      const { retryAfterSeconds } = error;
      const waitMs = retryAfterSeconds === undefined ? guessedDelay(attempt) : retryAfterSeconds * 1000;
      if (waitMs > maxRetryDelayMs) throw error;
      onRetry?.({ attempt, waitMs, error });
      await wait(waitMs, signal);
    }
  }
}
