import type { EdgeRecovery, RestoreOutcome } from '#application/ports/edge-recovery.js';
import type { Raster } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';

/** Every pixel as four: what a restorer answers that has nothing to add. */
function doubled({ width, height, data }: Raster): Raster {
  const words = new Uint32Array(new Uint8Array(data).buffer);
  const twice = new Uint32Array(width * height * 4);
  for (let y = 0; y < height * 2; y++)
    for (let x = 0; x < width * 2; x++) twice[y * width * 2 + x] = words[(y >> 1) * width + (x >> 1)] as number;
  return { width: width * 2, height: height * 2, data: new Uint8Array(twice.buffer) };
}

/** Recovery in the calling thread, without a model: doubles pictures, or does what `answer` says. */
export const createMemoryEdgeRecovery = (
  answer: (raster: Raster) => RestoreOutcome = (raster) => ({ ok: true, raster: doubled(raster) }),
): EdgeRecovery => ({
  availability: async () => ({ state: 'available' }),
  async restore({ raster, timeoutMs, onProgress }, signal) {
    const startMs = performance.now();
    for (const fraction of [0, 0.5]) {
      onProgress?.(fraction);
      // Who aborts in the calling thread gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    }
    if (performance.now() - startMs >= timeoutMs)
      return { ok: false, problem: 'timed-out', reason: 'restoring took longer than it may' };
    return answer(raster);
  },
});
