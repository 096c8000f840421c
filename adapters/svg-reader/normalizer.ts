import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '#domain/errors.js';
import { invalidSvg } from './svg-node.js';

export interface NormalizerRequest {
  readonly markup: string;
  readonly fontFiles: readonly string[];
}
export type NormalizerAnswer = { readonly text: string } | { readonly problem: string };

export interface Normalizer {
  /**
   * Resolves styles, references, text and units: absolute paths with plain paints come back, in groups with matrices. Rejects
   * with INVALID_SVG where the markup cannot be resolved, takes too long, or ends the process that tries; and with CANCELLED.
   */
  normalize(request: NormalizerRequest, signal?: AbortSignal): Promise<string>;
}

const CHILD = fileURLToPath(new URL('./normalizer-child.js', import.meta.url));

/** Begins a process that has nothing of ours: no environment, no input, no output. It does not keep this one alive. */
function begin(): ChildProcess {
  const child = fork(CHILD, [], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  child.unref();
  child.channel?.unref();
  return child;
}

/**
 * Normalises in a process of its own, which is begun at the first request, kept for the next, and begun anew where it ended.
 * Requests wait for one another. `timeoutMs` is for one request's own work.
 */
export function createNormalizer(timeoutMs: number): Normalizer {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const ask = (request: NormalizerRequest, signal: AbortSignal | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(new ServiceError('CANCELLED', undefined, { cause: signal.reason }));
        return;
      }
      child ??= begin();
      const asked = child;
      // While it works it must keep us alive, or its answer would be lost.
      asked.ref();
      asked.channel?.ref();
      const settle = (act: () => void, keep: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        asked.off('message', onAnswer).off('exit', onExit);
        asked.unref();
        asked.channel?.unref();
        if (keep) asked.off('error', fail);
        else {
          // It keeps its listener: what comes of its end is nobody's concern any more, but must not end us.
          asked.kill('SIGKILL');
          child = undefined;
        }
        act();
      };
      const fail = (error: unknown) => settle(() => reject(error), false);
      const onAbort = () => fail(new ServiceError('CANCELLED', undefined, { cause: signal?.reason }));
      const onExit = (_code: unknown, end: unknown) =>
        fail(invalidSvg('it cannot be resolved.', new Error(`the normaliser ended: ${end}`)));
      const onAnswer = (answer: NormalizerAnswer) =>
        settle(() => {
          if ('text' in answer) resolve(answer.text);
          else reject(invalidSvg(`it cannot be resolved: ${answer.problem}.`));
        }, true);
      const timer = setTimeout(
        () => fail(invalidSvg(`it takes more than ${timeoutMs / 1000} s to resolve.`)),
        timeoutMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      asked.once('message', onAnswer).once('exit', onExit).on('error', fail);
      asked.send(request, (error) => {
        if (error !== null) fail(invalidSvg('it cannot be resolved.', error));
      });
    });

  return {
    normalize(request, signal) {
      const answer = last.then(() => ask(request, signal));
      last = answer.catch(() => {});
      return answer;
    },
  };
}
