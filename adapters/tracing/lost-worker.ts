import { type ErrorDetails, ServiceError } from '#domain/errors.js';

/**
 * Why a process was lost with its task: it needed more `memory` than one may have, it `broke` down over what it was given, or
 * somebody else `killed` it, which says nothing of the task.
 */
export type LossReason = 'memory' | 'broke' | 'killed';

/** A process that ended with a task in hand. */
export class LostWorker extends Error {
  override readonly name = 'LostWorker';
  readonly reason: LossReason;

  constructor(reason: LossReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

const RETRY_AFTER_SECONDS = 1;
const PROBLEMS = {
  memory: 'it needs more memory than one request may have',
  broke: 'the process that worked on it broke down over it',
} as const satisfies Record<Exclude<LossReason, 'killed'>, string>;

/** What a caller is told of a lost process: `atFault` makes the refusal where what was sent in is to blame. Other errors are given back. */
export function refusalOfLoss(error: unknown, atFault: (problem: string) => ServiceError): unknown {
  if (!(error instanceof LostWorker)) return error;
  if (error.reason !== 'killed') return Object.assign(atFault(PROBLEMS[error.reason]), { cause: error });
  const details: ErrorDetails<'WORKER_LOST'> = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new ServiceError('WORKER_LOST', details, { cause: error });
}
