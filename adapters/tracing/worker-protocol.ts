import { type FailureData, toError, toFailureData } from '#application/failure-data.js';
import type { TraceStage } from '#application/ports/tracer.js';

/** What a task is called with, in its process. */
export interface WorkerCall<Input> {
  readonly input: Input;
  /** Whether the work is not wanted any more; to be asked at checkpoints. */
  readonly isStopped: () => boolean;
  /** Where progress goes; undefined where nobody listens. */
  readonly onProgress: ((stage: TraceStage, fraction: number) => void) | undefined;
}

export type ProgressMessage = readonly [stage: TraceStage, fraction: number];

/** What comes back: an Error would lose its class and its code on the way, so failures are plain data. */
export type WorkerReply<Output> =
  | { readonly ok: true; readonly output: Output }
  | ({ readonly ok: false } & FailureData);

/** What a process is told: first what it is to load, then one task after the other. */
export type WorkerOrder =
  | { readonly kind: 'load'; readonly entry: string; readonly data: unknown }
  | {
      readonly kind: 'task';
      /** Above 0. */
      readonly number: number;
      readonly name: string;
      readonly input: unknown;
      readonly tellsProgress: boolean;
    };

/** What a process says. */
export type WorkerWord =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'broken'; readonly failure: FailureData }
  | { readonly kind: 'progress'; readonly progress: ProgressMessage }
  | { readonly kind: 'reply'; readonly reply: WorkerReply<unknown> };

/** Under which an entry file finds its data, with `getEnvironmentData` of node:worker_threads. */
export const WORKER_DATA = 'burin.worker-data';

/** Of a file that both sides have open: the number of the task that is to stop, as 32 bits. */
export const STOP_FLAG_FD = 4;

/** In the worker: an error as plain data. */
export const toFailure = (error: unknown): WorkerReply<never> => ({ ok: false, ...toFailureData(error) });

/** Where the work was asked for: the output, or the worker's error thrown again. */
export function fromReply<Output>(reply: WorkerReply<Output>): Output {
  if (reply.ok) return reply.output;
  throw toError(reply);
}
