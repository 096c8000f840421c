import type { Picture, Tracer } from '#application/ports/tracer.js';
import type { WorkerPool } from './worker-pool.js';

export interface WorkerTracerDeps {
  readonly pool: WorkerPool;
  /** The id of the worker's tracer that does the work; also this one's. */
  readonly id: string;
  readonly version: string;
}

/** The caller keeps its bytes, as with any tracer: what is handed over to the worker is a copy. */
function copyOf(picture: Picture): { readonly picture: Picture; readonly buffer: ArrayBuffer } {
  if (picture.kind === 'encoded') {
    const bytes = new Uint8Array(picture.bytes);
    return { picture: { kind: 'encoded', bytes }, buffer: bytes.buffer };
  }
  const data = new Uint8Array(picture.raster.data);
  return { picture: { kind: 'raster', raster: { ...picture.raster, data } }, buffer: data.buffer };
}

/** A tracer that lives in the workers of a pool: same answers, and the calling thread stays free. */
export const createWorkerTracer = ({ pool, id, version }: WorkerTracerDeps): Tracer => ({
  id,
  version,
  trace({ onProgress, picture: original, ...request }, signal) {
    const { picture, buffer } = copyOf(original);
    const input = { ...request, picture, tracerId: id };
    const { timeoutMs, tier } = request;
    return pool.run('trace', input, { signal, timeoutMs, tierId: tier.id, transfer: [buffer], onProgress });
  },
});
