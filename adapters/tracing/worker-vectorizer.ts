import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type Tier, tierOf } from '#domain/tiers/tier.js';
import { refusalOfLoss } from './lost-worker.js';
import type { WorkerPool } from './worker-pool.js';

export interface WorkerVectorizerDeps {
  readonly pool: Pick<WorkerPool, 'run'>;
  readonly runLimitMs: (tier: Tier) => number;
}

const atFault = (problem: string) => new ServiceError('CONVERSION_FAILED', { problem });

/**
 * The use case, run whole in a process beside this one: of a large drawing, even writing and counting it would hold up everybody
 * else here, and hostile bytes meet native code where it can take nobody with it. Rejects as the use case does, and with
 * CONVERSION_FAILED where the process broke down over the picture or needed too much memory, WORKER_LOST where it was killed.
 */
export const createWorkerVectorizer =
  ({ pool, runLimitMs }: WorkerVectorizerDeps): VectorizeToFile =>
  async ({ onProgress, ...input }, signal) => {
    // Refused here, before a worker is bothered.
    const tier = tierOf(resolveSettings(parseSettings(input.settings)).values.quality_tier);
    const options = { signal, timeoutMs: runLimitMs(tier), tierId: tier.id, onProgress };
    return pool.run('vectorize', input, options).catch((error: unknown) => {
      throw refusalOfLoss(error, atFault);
    });
  };
