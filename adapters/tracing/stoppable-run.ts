import { ServiceError } from '#domain/errors.js';
import { LostWorker } from './lost-worker.js';
import type { RunOptions } from './worker-pool.js';
import type { WorkerProcess } from './worker-process.js';
import type { WorkerReply } from './worker-protocol.js';

/** A task that waits for a process, or runs in one, and may be stopped at any time. */
export interface StoppableRun {
  /** What became of it, once the process is free again. */
  readonly outcome: Promise<WorkerReply<unknown>>;
  /** Whether it was given up: by its caller, or past its limit. */
  readonly isStopped: boolean;
  /** Resolves when the process can have other work; rejects where it cannot. */
  on(process: WorkerProcess): Promise<void>;
  /** Of a task that no process will take. */
  fail(error: unknown): void;
}

/** A process that was asked to stop has this long to reach a checkpoint; then it is killed. */
const STOP_GRACE_MS = 100;
/** The longest delay that timers take. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Its limit counts from when it is given to a process. Where it was stopped the outcome rejects with what it was stopped for, whatever comes of it. */
export function runStoppable(
  task: { readonly name: string; readonly input: unknown },
  { signal, timeoutMs, tierId, onProgress }: RunOptions,
): StoppableRun {
  let stoppedFor: ServiceError | undefined;
  let at: WorkerProcess | undefined;
  let isKilled = false;
  let graceTimer: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let settle: { readonly give: (reply: WorkerReply<unknown>) => void; readonly fail: (error: unknown) => void };

  const onAbort = () => stop(new ServiceError('CANCELLED', undefined, { cause: signal?.reason }));
  const outcome = new Promise<WorkerReply<unknown>>((resolve, reject) => {
    settle = { give: resolve, fail: reject };
  }).finally(() => {
    clearTimeout(deadline);
    clearTimeout(graceTimer);
    signal?.removeEventListener('abort', onAbort);
  });
  const fail = (error: unknown) => settle.fail(stoppedFor ?? error);
  function stop(reason: ServiceError): void {
    if (stoppedFor !== undefined) return;
    stoppedFor = reason;
    if (at === undefined) fail(reason);
    else {
      at.askToStop();
      graceTimer = setTimeout(() => {
        isKilled = true;
        at?.kill();
      }, STOP_GRACE_MS);
    }
  }
  signal?.addEventListener('abort', onAbort, { once: true });

  return {
    outcome,
    get isStopped() {
      return stoppedFor !== undefined;
    },
    fail,
    async on(process) {
      at = process;
      if (timeoutMs <= MAX_DELAY_MS) {
        const late = () => stop(new ServiceError('CONVERSION_TIMEOUT', { limitMs: timeoutMs, tier: tierId }));
        deadline = setTimeout(late, timeoutMs);
      }
      try {
        const reply = await process.run({ ...task, onProgress });
        // It may have finished, or failed for the reason it was stopped, just then.
        if (stoppedFor !== undefined && !reply.ok) fail(stoppedFor);
        else settle.give(reply);
        // Its answer was on its way when it was: it is as good as gone, and another task would be lost with it.
        if (isKilled) throw new LostWorker('killed', 'the process was killed as it answered');
      } catch (error) {
        fail(error);
        throw error;
      }
    },
  };
}
