import type { TraceWorkers } from '#adapters/cli/commands/trace.js';
import { createPinoLogger } from '#adapters/logging/pino-logger.js';
import { createWorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerVectorizer } from '#adapters/tracing/worker-vectorizer.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { TIER_IDS, TIERS } from '#domain/tiers/tier.js';
import { chosenModel } from './compose-restoring.js';
import type { TracingWorkerData } from './tracing-worker-data.js';

/** JavaScript heap of one worker; what pictures take lies beside it. */
const WORKER_MEMORY_BYTES = 2 * 1024 ** 3;

/** Processes that trace for a program on this machine: no time limit, and each picture in one thread, since the others have their own. */
export async function composeWorkers(count: number): Promise<TraceWorkers> {
  const unlimited = TIER_IDS.map((id) => {
    const { waitLimitMs, maxWaiting } = TIERS[id];
    return [id, { running: count, waiting: maxWaiting, waitLimitMs, runLimitMs: Number.POSITIVE_INFINITY }] as const;
  });
  const pool = createWorkerPool({
    entry: new URL('./main/tracing-worker.js', import.meta.url),
    workers: count,
    heapBytes: WORKER_MEMORY_BYTES,
    data: {
      tiers: Object.fromEntries(unlimited) as TracingWorkerData['tiers'],
      maxPixels: LIMITS.maxPixels,
      splitFits: false,
      restoreModel: chosenModel(),
    } satisfies TracingWorkerData,
    logger: createPinoLogger({ level: 'silent' }),
  });
  return {
    vectorizeToFile: createWorkerVectorizer({ pool, runLimitMs: () => Number.POSITIVE_INFINITY }),
    close: () => pool.close(),
  };
}
