import { type ErrorCode, ServiceError } from '#domain/errors.js';

/** An error on its way to another thread or process: it would lose its class and its code, so it goes as plain data. */
export type FailureData =
  | { readonly refusal: { readonly code: ErrorCode; readonly details: unknown; readonly cause: string } }
  | { readonly fault: { readonly name: string; readonly message: string; readonly stack: string } };

const inWords = (cause: unknown): string =>
  cause === undefined ? '' : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

export function toFailureData(error: unknown): FailureData {
  if (error instanceof ServiceError)
    return { refusal: { code: error.code, details: error.details, cause: inWords(error.cause) } };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { fault: { name, message, stack: stack ?? message } };
}

const SettledRefusal = ServiceError as new (
  code: ErrorCode,
  details: unknown,
  options: { cause?: unknown },
) => ServiceError;

/** The error again, to be thrown. */
export function toError(failure: FailureData): Error {
  if ('refusal' in failure) {
    const { code, details, cause } = failure.refusal;
    return new SettledRefusal(code, details, cause === '' ? {} : { cause });
  }
  const { name, message, stack } = failure.fault;
  return Object.assign(new Error(message), { name, stack });
}
