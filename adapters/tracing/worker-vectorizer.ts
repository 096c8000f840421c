import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type Tier, tierOf } from '#domain/tiers/tier.js';
import type { WorkerPool } from './worker-pool.js';

export interface WorkerVectorizerDeps {
  readonly pool: WorkerPool;
  readonly runLimitMs: (tier: Tier) => number;
}

/** The whole buffer where the view has it to itself, so that it can be handed over. */
function wholeBuffer({ buffer, byteLength }: Uint8Array | Uint8ClampedArray): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/**
 * The use case, run whole in a worker: of a large drawing, even writing, counting and copying it would hold up everybody
 * else in the calling thread. The picture's bytes are handed over: where they fill their buffer, the caller's are empty
 * afterwards.
 */
export const createWorkerVectorizer =
  ({ pool, runLimitMs }: WorkerVectorizerDeps): VectorizeToFile =>
  async ({ onProgress, ...input }, signal) => {
    // Refused here, before a worker is bothered.
    const tier = tierOf(resolveSettings(parseSettings(input.settings)).values.quality_tier);
    const { picture } = input;
    const transfer = wholeBuffer(picture.kind === 'encoded' ? picture.bytes : picture.raster.data);
    return pool.run('vectorize', input, { signal, timeoutMs: runLimitMs(tier), tierId: tier.id, transfer, onProgress });
  };
