import type { MessagePort } from 'node:worker_threads';
import type { TraceStage } from '#application/ports/tracer.js';
import { type ErrorCode, ServiceError } from '#domain/errors.js';

/** What goes to a worker with every task. */
export interface WorkerCall<Input> {
  readonly input: Input;
  /** One number in shared memory; 1 asks the worker to stop at its next checkpoint. */
  readonly stop: Int32Array;
  /** Where progress goes; undefined where nobody listens. */
  readonly progress: MessagePort | undefined;
}

export type ProgressMessage = readonly [stage: TraceStage, fraction: number];

/** What comes back: an Error would lose its class and its code on the way, so failures are plain data. */
export type WorkerReply<Output> =
  | { readonly ok: true; readonly output: Output }
  | {
      readonly ok: false;
      readonly refusal: { readonly code: ErrorCode; readonly details: unknown; readonly cause: string };
    }
  | { readonly ok: false; readonly fault: { readonly name: string; readonly message: string; readonly stack: string } };

const inWords = (cause: unknown): string =>
  cause === undefined ? '' : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

/** In the worker: an error as plain data. */
export function toFailure(error: unknown): WorkerReply<never> {
  if (error instanceof ServiceError)
    return { ok: false, refusal: { code: error.code, details: error.details, cause: inWords(error.cause) } };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { ok: false, fault: { name, message, stack: stack ?? message } };
}

const SettledRefusal = ServiceError as new (
  code: ErrorCode,
  details: unknown,
  options: { cause?: unknown },
) => ServiceError;

/** In the main thread: the output, or the worker's error thrown again. */
export function fromReply<Output>(reply: WorkerReply<Output>): Output {
  if (reply.ok) return reply.output;
  if ('refusal' in reply) {
    const { code, details, cause } = reply.refusal;
    throw new SettledRefusal(code, details, cause === '' ? {} : { cause });
  }
  const { name, message, stack } = reply.fault;
  throw Object.assign(new Error(message), { name, stack });
}
