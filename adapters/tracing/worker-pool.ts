import type { Logger } from '#application/ports/logger.js';
import type { TraceStage } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';
import { LostWorker } from './lost-worker.js';
import { runStoppable, type StoppableRun } from './stoppable-run.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';
import { fromReply, type WorkerReply } from './worker-protocol.js';
import type { TaskInput, TaskName, TaskOutput } from './worker-tasks.js';

export interface WorkerPoolOptions {
  /** The compiled file that exports `createWorkerTasks(…)`'s tasks by name. */
  readonly entry: URL;
  readonly workers: number;
  /** Workers that stay when there is nothing to do; all where left out. The others go after a minute. */
  readonly idleWorkers?: number;
  /** JavaScript heap of one worker. */
  readonly heapBytes: number;
  /** All that one worker may have in memory, pixels and libraries included; Infinity where left out. Watched on Linux only. */
  readonly residentBytes?: number;
  /** Tasks after which a worker is replaced by a new one; Infinity where left out. */
  readonly tasksPerWorker?: number;
  /** What workers see of the environment; all of it where left out. */
  readonly env?: NodeJS.ProcessEnv;
  /** Plain data for the entry, which finds it under WORKER_DATA. */
  readonly data?: unknown;
  readonly logger: Logger;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Past it, counted from when a worker begins: CONVERSION_TIMEOUT, and the worker is free again. Infinity for none. */
  readonly timeoutMs: number;
  /** For the message of CONVERSION_TIMEOUT. */
  readonly tierId: string;
  readonly onProgress?: ((stage: TraceStage, fraction: number) => void) | undefined;
}

export interface PoolState {
  /** Loading ones included. */
  readonly workers: number;
  /** Tasks that run or wait for a worker, those that are being stopped included. */
  readonly busy: number;
}

/** Processes that work. A task that is aborted, too slow, too large or fatal costs nobody but its own caller. */
export interface WorkerPool {
  /** Rejects with the task's own ServiceError, CANCELLED, CONVERSION_TIMEOUT, LostWorker, or an Error where no worker can be had. */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>, options: RunOptions): Promise<TaskOutput<Name>>;
  /** Resolves when the workers that stay have loaded, and one at least; rejects when one cannot. */
  warm(): Promise<void>;
  state(): PoolState;
  /** Ends all workers at once, running tasks included; resolves when they are gone. */
  close(): Promise<void>;
}

/** Of workers that need not stay. */
const IDLE_MS = 60_000;
/** A worker that has nothing to do for so long and still has more than this in memory is replaced. */
const SWEPT_AFTER_MS = 1000;
const KEPT_BYTES = 300 * 1024 ** 2;
/** After an entry could not be loaded. */
const TRY_AGAIN_MS = 1000;

interface Member {
  readonly process: WorkerProcess;
  isLoaded: boolean;
  run: StoppableRun | undefined;
  tasks: number;
  /** Gets no more work, and goes when it has none. */
  isRetiring: boolean;
  idleTimers: readonly NodeJS.Timeout[];
}

/** A pool of processes, begun as they are needed. Tasks that find none free wait, in their order. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { workers, idleWorkers = workers, tasksPerWorker = Number.POSITIVE_INFINITY, logger } = options;
  const { entry, heapBytes, residentBytes = Number.POSITIVE_INFINITY, env, data } = options;
  const members = new Set<Member>();
  const waiting = new Set<StoppableRun>();
  let inFlight = 0;
  let isClosed = false;

  const staying = () => [...members].filter(({ isRetiring }) => !isRetiring);
  const isFree = ({ isLoaded, run, isRetiring }: Member) => isLoaded && run === undefined && !isRetiring;

  const remove = (member: Member) => {
    members.delete(member);
    for (const timer of member.idleTimers) clearTimeout(timer);
    member.process.kill();
  };
  /** A process that dies in idleness is no task's loss, but must not leave the pool smaller. */
  const keepEnough = () => {
    while (!isClosed && staying().length < idleWorkers) start();
  };

  function start(): Member {
    const child = startWorkerProcess({ entry, heapBytes, residentBytes, data, ...(env && { env }) });
    const member: Member = {
      process: child,
      isLoaded: false,
      run: undefined,
      tasks: 0,
      isRetiring: false,
      idleTimers: [],
    };
    members.add(member);
    child.loaded.then(
      () => {
        member.isLoaded = true;
        // Whom it takes over from goes now.
        for (const old of members) if (old !== member && old.tasks >= tasksPerWorker) retire(old);
        deal();
        rest(member);
      },
      (error: unknown) => {
        remove(member);
        if (isClosed) return;
        logger.error({ err: error }, 'a worker could not be begun');
        // Where others are there or on their way, those do what waits.
        if (staying().length === 0) for (const run of [...waiting]) run.fail(error);
        setTimeout(keepEnough, TRY_AGAIN_MS).unref();
      },
    );
    void child.ended.then(() => {
      if (!members.delete(member) || isClosed) return;
      if (member.run === undefined && member.isLoaded) logger.warn({ pid: child.pid }, 'an idle worker has ended');
      if (member.isLoaded) keepEnough();
      deal();
    });
    return member;
  }

  function retire(member: Member): void {
    member.isRetiring = true;
    if (member.run === undefined) remove(member);
  }

  /** Its memory and its place are given back where they are not needed. */
  function rest(member: Member): void {
    for (const timer of member.idleTimers) clearTimeout(timer);
    member.idleTimers = [];
    if (!isFree(member)) return;
    const look = async () => {
      const bytes = await member.process.residentBytes();
      if (bytes === undefined || bytes <= KEPT_BYTES || !isFree(member)) return;
      retire(member);
      keepEnough();
    };
    const leave = () => {
      if (staying().length > idleWorkers) retire(member);
    };
    member.idleTimers = [setTimeout(look, SWEPT_AFTER_MS).unref(), setTimeout(leave, IDLE_MS).unref()];
  }

  /** Gives work to who has none, and begins who is missing. */
  function deal(): void {
    for (const run of waiting) {
      const member = [...members].find(isFree);
      if (member === undefined) break;
      waiting.delete(run);
      void give(run, member);
    }
    const loading = staying().filter(({ isLoaded }) => !isLoaded).length;
    for (let missing = waiting.size - loading; missing > 0 && staying().length < workers; missing--) start();
  }

  async function give(run: StoppableRun, member: Member): Promise<void> {
    member.run = run;
    try {
      await run.on(member.process);
    } catch (error) {
      // It has ended, or must: it is in the middle of something.
      remove(member);
      if (error instanceof LostWorker && !run.isStopped)
        logger.error({ err: error }, 'a worker was lost over its task');
    }
    member.run = undefined;
    // One takes over before this one goes, so that nobody waits for it.
    if (++member.tasks === tasksPerWorker && members.has(member)) start();
    if (member.isRetiring) remove(member);
    if (isClosed) return;
    keepEnough();
    deal();
    rest(member);
  }

  const run: WorkerPool['run'] = async <Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    runOptions: RunOptions,
  ) => {
    const { signal } = runOptions;
    if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    if (isClosed) throw new LostWorker('killed', 'the pool is closed');
    inFlight++;
    const one = runStoppable({ name, input }, runOptions);
    try {
      waiting.add(one);
      deal();
      return fromReply((await one.outcome) as WorkerReply<TaskOutput<Name>>);
    } catch (error) {
      if (error instanceof ServiceError || error instanceof LostWorker) throw error;
      throw new Error(`the task ${name} failed in its worker`, { cause: error });
    } finally {
      waiting.delete(one);
      inFlight--;
    }
  };

  return {
    run,
    async warm() {
      while (staying().length < Math.max(1, idleWorkers)) start();
      await Promise.all(staying().map(({ process: { loaded } }) => loaded));
    },
    state: () => ({ workers: staying().length, busy: inFlight }),
    async close() {
      isClosed = true;
      const ended = [...members].map((member) => member.process.ended);
      for (const run of [...waiting]) run.fail(new LostWorker('killed', 'the pool was closed'));
      for (const member of [...members]) remove(member);
      await Promise.all(ended);
    },
  };
}
