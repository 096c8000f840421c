import type { Tracer } from '#application/ports/tracer.js';
import type { WorkerPool } from './worker-pool.js';

export interface WorkerTracerDeps {
  readonly pool: WorkerPool;
  /** The id of the worker's tracer that does the work; also this one's. */
  readonly id: string;
  readonly version: string;
}

/** A tracer that lives in the workers of a pool: same answers, and the calling process stays free. */
export const createWorkerTracer = ({ pool, id, version }: WorkerTracerDeps): Tracer => ({
  id,
  version,
  trace({ onProgress, ...request }, signal) {
    const { timeoutMs, tier } = request;
    const input = { ...request, tracerId: id };
    return pool.run('trace', input, { signal, timeoutMs, tierId: tier.id, onProgress });
  },
});
