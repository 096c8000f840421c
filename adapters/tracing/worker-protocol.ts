import type { MessagePort } from 'node:worker_threads';
import { type FailureData, toError, toFailureData } from '#application/failure-data.js';
import type { TraceStage } from '#application/ports/tracer.js';

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
  | ({ readonly ok: false } & FailureData);

/** In the worker: an error as plain data. */
export const toFailure = (error: unknown): WorkerReply<never> => ({ ok: false, ...toFailureData(error) });

/** In the main thread: the output, or the worker's error thrown again. */
export function fromReply<Output>(reply: WorkerReply<Output>): Output {
  if (reply.ok) return reply.output;
  throw toError(reply);
}
