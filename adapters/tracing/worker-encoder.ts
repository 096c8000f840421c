import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import { ServiceError } from '#domain/errors.js';
import { refusalOfLoss } from './lost-worker.js';
import type { WorkerPool } from './worker-pool.js';

export interface WorkerEncoderDeps {
  readonly pool: WorkerPool;
  /** Exports that run at once. */
  readonly running: number;
  /** Exports that may wait for a worker; more are refused with QUEUE_FULL. */
  readonly waiting: number;
  readonly waitLimitMs: number;
  /** Past it, an export is given up: CONVERSION_TIMEOUT. */
  readonly runLimitMs: number;
}

export interface ExportLoad {
  readonly waiting: number;
  readonly running: number;
  readonly capacity: number;
}

export interface WorkerEncoder {
  readonly encodeDrawing: EncodeDrawing;
  load(): ExportLoad;
}

/** What exports are called where a refusal names a tier. */
const QUEUE_NAME = 'export';
const FULL_RETRY_SECONDS = 5;

const cancelled = (signal: AbortSignal | undefined) =>
  new ServiceError('CANCELLED', undefined, { cause: signal?.reason });

const atFault = (problem: string) => new ServiceError('INVALID_SVG', { problem: `${problem}.` });

/**
 * Reading and writing drawings in the processes of a pool, first come, first served. Rejects as the use case does, with
 * INVALID_SVG where the process broke down over the drawing or needed too much memory, and WORKER_LOST where it was killed.
 */
export function createWorkerEncoder(deps: WorkerEncoderDeps): WorkerEncoder {
  const { pool, running: capacity, waiting: maxWaiting, waitLimitMs, runLimitMs } = deps;
  /** In order of arrival. */
  const waiters = new Set<() => void>();
  let running = 0;

  const enter = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal));
      if (running < capacity) {
        running++;
        return resolve();
      }
      if (waiters.size >= maxWaiting)
        return reject(new ServiceError('QUEUE_FULL', { tier: QUEUE_NAME, retryAfterSeconds: FULL_RETRY_SECONDS }));
      const leave = () => {
        waiters.delete(admit);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const admit = () => {
        leave();
        running++;
        resolve();
      };
      const onAbort = () => {
        leave();
        reject(cancelled(signal));
      };
      const timer = setTimeout(() => {
        leave();
        const details = { tier: QUEUE_NAME, waitedMs: waitLimitMs, retryAfterSeconds: FULL_RETRY_SECONDS };
        reject(new ServiceError('QUEUE_TIMEOUT', details));
      }, waitLimitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(admit);
    });
  const leave = () => {
    running--;
    const [next] = waiters;
    next?.();
  };

  return {
    load: () => ({ waiting: waiters.size, running, capacity }),
    async encodeDrawing(input, signal) {
      await enter(signal);
      try {
        return await pool.run('encode', input, { signal, timeoutMs: runLimitMs, tierId: QUEUE_NAME });
      } catch (error) {
        throw refusalOfLoss(error, atFault);
      } finally {
        leave();
      }
    },
  };
}
