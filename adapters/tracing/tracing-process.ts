import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import type { ProcessAnswer, ProcessCall } from './process-protocol.js';
import { toFailure } from './worker-protocol.js';

/** More often nobody sees it, and every message wakes the process that it goes to. */
const TELL_EVERY_MS = 40;

/**
 * The side of a process that traces: answers one call after the other until the process that started it lets go of it. An
 * interrupt goes to all processes of a terminal; this one leaves it to the one that gives it work.
 */
export function serveTracing(vectorizeToFile: VectorizeToFile): void {
  const send = (answer: ProcessAnswer) => process.send?.(answer);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ input, tellsProgress }: ProcessCall) => {
    let toldMs = Number.NEGATIVE_INFINITY;
    const onProgress: NonNullable<Parameters<VectorizeToFile>[0]['onProgress']> = (stage, fraction) => {
      const now = performance.now();
      if (now - toldMs < TELL_EVERY_MS) return;
      toldMs = now;
      send({ progress: [stage, fraction] });
    };
    try {
      send({ reply: { ok: true, output: await vectorizeToFile({ ...input, ...(tellsProgress && { onProgress }) }) } });
    } catch (error) {
      send({ reply: toFailure(error) });
    }
  });
}
