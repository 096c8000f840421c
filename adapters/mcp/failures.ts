import { FIXES } from '#domain/error-fixes.js';
import { type ErrorCode, ServiceError } from '#domain/errors.js';
import { ToolFailure } from './backend.js';

/** A refusal as tools give it: our code, what was wrong, and what to do about it. */
export interface Failure {
  readonly code: string;
  readonly error: string;
  readonly fix: string;
  readonly field?: string;
}

/** Errors that nobody expected are told to `onFault` and otherwise kept. */
export function toFailure(error: unknown, onFault: (error: unknown) => void): Failure {
  if (error instanceof ServiceError || error instanceof ToolFailure) {
    const { code, message, field } = error;
    const fix = FIXES[code as ErrorCode] ?? 'Check the address and the key of the service.';
    return { code, error: message, fix, ...(field !== undefined && { field }) };
  }
  onFault(error);
  return { code: 'INTERNAL_ERROR', error: 'Internal error.', fix: FIXES.INTERNAL_ERROR };
}

/** The answer of a tool that could not do its work: for models as text, for programs in `_meta`. */
export const failureResult = (failure: Failure) => ({
  isError: true,
  content: [{ type: 'text' as const, text: `${failure.code}: ${failure.error}\nFix: ${failure.fix}` }],
  _meta: { 'burin/error': failure },
});
