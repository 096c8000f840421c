import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EdgeRecovery, RecoveryDetail, RestoreOutcome, RestoreProblem } from '#application/ports/edge-recovery.js';
import type { Raster } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';
import type { ModelFile } from './load-model.js';

/** What the restoring process is asked: whether the model can be used, or to restore a picture with it. */
export interface ChildRequest {
  readonly file: ModelFile;
  /** The package to import. */
  readonly runtime: string;
  readonly threads: number;
  readonly memoryBytes: number;
  readonly picture: { readonly raster: Raster; readonly detail: RecoveryDetail } | undefined;
}
export type ChildAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'restored'; readonly raster: Raster }
  | { readonly kind: 'problem'; readonly problem: RestoreProblem; readonly reason: string };

export interface OnnxEdgeRecoveryOptions {
  /** Null where none is wanted. */
  readonly model: ModelFile | null;
  readonly threads: number;
  /** Of the restoring process, all that it holds. */
  readonly memoryBytes?: number;
  /** Larger pictures are not restored. */
  readonly maxPixels?: number;
  /** How long one picture may take, whatever its request allows. */
  readonly limitMs?: number;
  /** How long looking for the model may take. */
  readonly loadLimitMs?: number;
  /** The package that runs the model. */
  readonly runtime?: string;
}

const MB = 1024 * 1024;
const DEFAULT_MEMORY_BYTES = 1024 * MB;
/** What the memory limit has room for; beyond it there are pixels enough. */
const DEFAULT_MAX_PIXELS = 1_200_000;
const DEFAULT_LIMIT_MS = 120_000;
const DEFAULT_LOAD_LIMIT_MS = 20_000;
/** A process that has nothing to do goes after this. */
const IDLE_MS = 60_000;
/** How often whoever waits is asked whether it still wants to. */
const TICK_MS = 50;

const CHILD = fileURLToPath(new URL('./restoring-child.js', import.meta.url));

/** Begins a process that has nothing of ours: no environment, no input, no output. It does not keep this one alive. */
function begin(): ChildProcess {
  const child = fork(CHILD, [], {
    env: {},
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  child.unref();
  child.channel?.unref();
  return child;
}

const problem = (kind: RestoreProblem, reason: string): ChildAnswer => ({ kind: 'problem', problem: kind, reason });

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

interface Asking {
  readonly timeoutMs: number;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Restores with any ONNX model of Real-ESRGAN's layout, in a process of its own: begun at the first request, kept for the next,
 * ended when it is idle, too slow or no longer wanted, and begun anew after that. Requests wait for one another.
 */
export function createOnnxEdgeRecovery(options: OnnxEdgeRecoveryOptions): EdgeRecovery & { close(): void } {
  const {
    model,
    threads,
    memoryBytes = DEFAULT_MEMORY_BYTES,
    maxPixels = DEFAULT_MAX_PIXELS,
    limitMs = DEFAULT_LIMIT_MS,
    loadLimitMs = DEFAULT_LOAD_LIMIT_MS,
    runtime = 'onnxruntime-node',
  } = options;
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (ending: ChildProcess | undefined) => {
    // What comes of its end is nobody's concern any more, but must not end us.
    ending?.on('error', () => {});
    ending?.kill('SIGKILL');
    if (child === ending) child = undefined;
  };

  /** Rejects with what `onProgress` throws and with CANCELLED; everything else is an answer. */
  const ask = (file: ModelFile, picture: ChildRequest['picture'], { timeoutMs, onProgress, signal }: Asking) =>
    new Promise<ChildAnswer>((resolve, reject) => {
      clearTimeout(idle);
      child ??= begin();
      const asked = child;
      // While it works it must keep us alive, or its answer would be lost.
      asked.ref();
      asked.channel?.ref();
      let fraction = 0;
      const settle = (act: () => void, keep: boolean) => {
        clearTimeout(deadline);
        clearInterval(ticking);
        signal?.removeEventListener('abort', onAbort);
        asked.off('message', onAnswer).off('exit', onExit).off('error', onFault);
        if (keep) {
          asked.unref();
          asked.channel?.unref();
          idle = setTimeout(() => end(asked), IDLE_MS).unref();
        } else end(asked);
        act();
      };
      const report = () => {
        try {
          onProgress?.(fraction);
        } catch (error) {
          settle(() => reject(error), false);
        }
      };
      const give = (answer: ChildAnswer, keep: boolean) => settle(() => resolve(answer), keep);
      const onAbort = () =>
        settle(() => reject(new ServiceError('CANCELLED', undefined, { cause: signal?.reason })), false);
      const onFault = () => give(problem('failed', 'the restoring process cannot be begun'), false);
      const onExit = () => give(problem('failed', 'the restoring process ended'), false);
      const onAnswer = (answer: ChildAnswer) => {
        if (answer.kind !== 'progress') return give(answer, true);
        fraction = answer.fraction;
        report();
      };
      const deadline = setTimeout(
        () => give(problem('timed-out', 'restoring took longer than it may'), false),
        Math.max(0, Math.min(timeoutMs, limitMs)),
      );
      const ticking = setInterval(report, TICK_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      asked.on('message', onAnswer).once('exit', onExit).once('error', onFault);
      const request: ChildRequest = { file, runtime, threads, memoryBytes, picture };
      asked.send(request, (error) => {
        if (error !== null) onFault();
      });
    });

  /** Resolves when nobody is before us; rejects as `ask` does. */
  const waitFor = (turn: Promise<unknown>, { onProgress, signal }: Asking) =>
    new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearInterval(ticking);
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      const onAbort = () => settle(() => reject(new ServiceError('CANCELLED', undefined, { cause: signal?.reason })));
      const ticking = setInterval(() => {
        try {
          onProgress?.(0);
        } catch (error) {
          settle(() => reject(error));
        }
      }, TICK_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      void turn.then(() => settle(resolve));
    });

  /** One after the other; the time spent waiting counts. */
  async function askInTurn(file: ModelFile, picture: ChildRequest['picture'], asking: Asking): Promise<ChildAnswer> {
    const startMs = performance.now();
    const turn = last;
    const { promise: done, resolve: finish } = withResolvers();
    last = Promise.all([turn, done]);
    try {
      await waitFor(turn, asking);
      const timeoutMs = asking.timeoutMs - (performance.now() - startMs);
      return await ask(file, picture, { ...asking, timeoutMs });
    } finally {
      finish();
    }
  }

  return {
    async availability() {
      if (model === null) return { state: 'unavailable', reason: 'It is switched off here.' };
      const answer = await askInTurn(model, undefined, { timeoutMs: loadLimitMs });
      return answer.kind === 'problem'
        ? { state: 'unavailable', reason: asSentence(answer.reason) }
        : { state: 'available' };
    },

    async restore({ raster, detail, timeoutMs, onProgress }, signal): Promise<RestoreOutcome> {
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      if (model === null) return { ok: false, problem: 'no-model', reason: 'restoring is switched off here' };
      const { width, height } = raster;
      if (width * height > maxPixels) {
        const reason = `the picture has more than the ${maxPixels} pixels that are restored`;
        return { ok: false, problem: 'too-large', reason };
      }
      const answer = await askInTurn(model, { raster, detail }, { timeoutMs, onProgress, signal });
      if (answer.kind === 'restored') return { ok: true, raster: answer.raster };
      if (answer.kind === 'problem') return { ok: false, problem: answer.problem, reason: answer.reason };
      throw new TypeError(`the restoring process answered ${answer.kind}`);
    },

    close() {
      clearTimeout(idle);
      end(child);
    },
  };
}

const asSentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;
