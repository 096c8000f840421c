import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Logger } from '#application/ports/logger.js';
import type { TraceStage } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';
import { fromReply, type ProgressMessage, type WorkerCall, type WorkerReply } from './worker-protocol.js';
import type { TaskInput, TaskName, TaskOutput } from './worker-tasks.js';

export interface WorkerPoolOptions {
  /** The compiled file that exports `createWorkerTasks(…)`'s tasks by name. */
  readonly entry: URL;
  readonly workers: number;
  /** Workers that stay when there is nothing to do; all where left out. The others go after a minute. */
  readonly idleWorkers?: number;
  /** JavaScript heap of one worker; typed arrays do not count and are bounded by the pixel limits. */
  readonly memoryBytes: number;
  /** Plain data for the entry, which finds it as `workerData` of node:worker_threads. */
  readonly data?: unknown;
  readonly logger: Logger;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Past it: CONVERSION_TIMEOUT, and the worker is free again. Infinity for none. */
  readonly timeoutMs: number;
  /** For the message of CONVERSION_TIMEOUT. */
  readonly tierId: string;
  /** Buffers of the input that are handed over; the caller's views on them are empty afterwards. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly onProgress?: ((stage: TraceStage, fraction: number) => void) | undefined;
}

export interface PoolState {
  readonly workers: number;
  /** Workers with a task, one that is being stopped included. */
  readonly busy: number;
}

/** Threads that trace. A task that is aborted, too slow or fatal costs nobody but its own caller. */
export interface WorkerPool {
  /** Rejects with the task's own ServiceError, CANCELLED, CONVERSION_TIMEOUT, or an Error when the worker itself was lost. */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>, options: RunOptions): Promise<TaskOutput<Name>>;
  /** Resolves when every worker that stays has loaded; rejects when one cannot. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all workers at once, running tasks included. */
  close(): Promise<void>;
}

/** A worker that was asked to stop has this long to reach a checkpoint; then it is killed and replaced. */
const STOP_GRACE_MS = 100;
/** The longest delay that timers take. */
const MAX_DELAY_MS = 2 ** 31 - 1;
/** Of workers that need not stay. */
const IDLE_MS = 60_000;
const MB = 1024 * 1024;

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { entry, workers, idleWorkers = workers, memoryBytes, data, logger } = options;
  const threads = new Piscina({
    filename: entry.href,
    minThreads: idleWorkers,
    idleTimeout: IDLE_MS,
    maxThreads: workers,
    // Workers keep their own event loop: decoding is asynchronous.
    atomics: 'disabled',
    recordTiming: false,
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / MB) },
  });
  threads.on('error', (err) => logger.error({ err }, 'an idle worker failed and was replaced'));
  let busy = 0;

  /** Runs the task under a signal that kills its worker, and says why it was stopped where it was. */
  async function runStoppable<Output>(name: TaskName, call: WorkerCall<unknown>, options: RunOptions): Promise<Output> {
    const { signal, timeoutMs, tierId, transfer = [] } = options;
    const kill = new AbortController();
    let stoppedFor: ServiceError | undefined;
    let graceTimer: NodeJS.Timeout | undefined;
    const stop = (reason: ServiceError) => {
      if (stoppedFor !== undefined) return;
      stoppedFor = reason;
      Atomics.store(call.stop, 0, 1);
      graceTimer = setTimeout(() => kill.abort(), STOP_GRACE_MS);
    };
    const onAbort = () => stop(new ServiceError('CANCELLED', undefined, { cause: signal?.reason }));
    signal?.addEventListener('abort', onAbort, { once: true });
    const deadline =
      timeoutMs > MAX_DELAY_MS
        ? undefined
        : setTimeout(
            () => stop(new ServiceError('CONVERSION_TIMEOUT', { limitMs: timeoutMs, tier: tierId })),
            timeoutMs,
          );
    try {
      const transferList = [...transfer, ...(call.progress ? [call.progress] : [])];
      const reply = (await threads.run(call, { name, signal: kill.signal, transferList })) as WorkerReply<Output>;
      // It may have finished, or failed for the reason it was stopped, just then.
      if (stoppedFor !== undefined && !reply.ok) throw stoppedFor;
      return fromReply(reply);
    } catch (error) {
      if (stoppedFor !== undefined) throw stoppedFor;
      if (error instanceof ServiceError) throw error;
      throw new Error(`the task ${name} failed in its worker`, { cause: error });
    } finally {
      clearTimeout(deadline);
      clearTimeout(graceTimer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  const run: WorkerPool['run'] = async (name, input, options) => {
    if (options.signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: options.signal.reason });
    const { onProgress } = options;
    const channel = onProgress === undefined ? undefined : new MessageChannel();
    const report = ([stage, fraction]: ProgressMessage) => onProgress?.(stage, fraction);
    channel?.port1.on('message', report);
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    busy++;
    try {
      return await runStoppable(name, { input, stop, progress: channel?.port2 }, options);
    } finally {
      busy--;
      if (channel !== undefined) {
        // What was reported before the answer is told before the answer.
        for (let left = receiveMessageOnPort(channel.port1); left; left = receiveMessageOnPort(channel.port1))
          report(left.message as ProgressMessage);
        channel.port1.close();
      }
    }
  };

  return {
    run,
    async warm() {
      const all = Array.from({ length: idleWorkers }, () =>
        run('ready', undefined, { timeoutMs: Number.POSITIVE_INFINITY, tierId: '' }),
      );
      await Promise.all(all);
    },
    state: () => ({ workers: threads.threads.length, busy }),
    close: () => threads.destroy(),
  };
}
