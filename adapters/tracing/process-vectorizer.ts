import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import type { ProcessAnswer, ProcessCall } from './process-protocol.js';
import { fromReply } from './worker-protocol.js';

export interface ProcessVectorizerOptions {
  /** The compiled file that calls `serveTracing`. */
  readonly entry: URL;
  readonly processes: number;
  /** JavaScript heap of one process. */
  readonly memoryBytes: number;
}

export interface ProcessVectorizer {
  /** Rejects with the process's own ServiceError, CANCELLED, or an Error where the process itself was lost. */
  readonly vectorizeToFile: VectorizeToFile;
  /** Ends all processes at once; resolves when they are gone. */
  close(): Promise<void>;
}

interface Job {
  readonly call: ProcessCall;
  readonly onProgress: Parameters<VectorizeToFile>[0]['onProgress'];
  readonly resolve: (file: VectorizedFile) => void;
  readonly reject: (error: unknown) => void;
}

interface Tracer {
  readonly child: ChildProcess;
  job: Job | undefined;
}

const MB = 1024 * 1024;
/** What a picture leaves behind is swept away at once instead of piling up: as fast, and memory stays level from early on. */
const YOUNG_MB = 4;

const endOf = (code: number | null, signal: NodeJS.Signals | null) =>
  signal === null ? `ended with ${code}` : `was ended by ${signal}`;

/**
 * Traces in processes beside this one, each a picture at a time. They share neither heap nor memory management, so that many
 * are as fast as if each ran alone, and one that dies takes nothing but its own picture with it: another takes its place.
 */
export function createProcessVectorizer({
  entry,
  processes,
  memoryBytes,
}: ProcessVectorizerOptions): ProcessVectorizer {
  const waiting: Job[] = [];
  const tracers = new Set<Tracer>();

  /** The job that a process had, which it has no more. */
  const take = (tracer: Tracer): Job | undefined => {
    const { job } = tracer;
    tracer.job = undefined;
    return job;
  };

  const start = (): Tracer => {
    const child = fork(fileURLToPath(entry), [], {
      serialization: 'advanced',
      execArgv: [
        ...process.execArgv,
        `--max-old-space-size=${Math.ceil(memoryBytes / MB)}`,
        `--max-semi-space-size=${YOUNG_MB}`,
      ],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const tracer: Tracer = { child, job: undefined };
    tracers.add(tracer);
    const lose = (what: string, cause?: unknown) => {
      tracers.delete(tracer);
      take(tracer)?.reject(new Error(`the process that traced it ${what}`, { cause }));
      deal();
    };
    child.on('exit', (code, signal) => lose(endOf(code, signal)));
    child.on('error', (error) => lose('could not be used', error));
    child.on('message', (answer: ProcessAnswer) => {
      if ('progress' in answer) {
        tracer.job?.onProgress?.(...answer.progress);
        return;
      }
      const job = take(tracer);
      // The next picture is on its way before this one's files are written.
      deal();
      try {
        job?.resolve(fromReply(answer.reply));
      } catch (error) {
        job?.reject(error);
      }
    });
    return tracer;
  };

  /** Gives work to who has none. */
  function deal(): void {
    while (waiting.length > 0) {
      const idle =
        [...tracers].find(({ job }) => job === undefined) ?? (tracers.size < processes ? start() : undefined);
      if (idle === undefined) return;
      idle.job = waiting.shift() as Job;
      idle.child.send(idle.job.call);
    }
  }

  /** Gives up a job: one that waits is left out, one that is worked on ends with its process. */
  const giveUp = (job: Job, reason: unknown) => {
    const at = waiting.indexOf(job);
    if (at >= 0) waiting.splice(at, 1);
    for (const tracer of tracers)
      if (tracer.job === job) {
        tracers.delete(tracer);
        tracer.child.kill('SIGKILL');
      }
    job.reject(new ServiceError('CANCELLED', undefined, { cause: reason }));
    deal();
  };

  return {
    async vectorizeToFile({ onProgress, ...input }, signal) {
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      let stop = () => {};
      try {
        return await new Promise<VectorizedFile>((resolve, reject) => {
          const call = { input, tellsProgress: onProgress !== undefined };
          const job: Job = { call, onProgress, resolve, reject };
          stop = () => giveUp(job, signal?.reason);
          signal?.addEventListener('abort', stop, { once: true });
          waiting.push(job);
          deal();
        });
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    async close() {
      const ended = [...tracers].map(({ child }) => new Promise((gone) => child.once('exit', gone)));
      waiting.length = 0;
      for (const { child } of tracers) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
