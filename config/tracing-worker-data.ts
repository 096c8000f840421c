import { getEnvironmentData } from 'node:worker_threads';
import { WORKER_DATA } from '#adapters/tracing/worker-protocol.js';
import type { Config } from './env.js';

/** What of the configuration a tracing worker is told. */
export interface TracingWorkerData {
  readonly tiers: Config['tiers'];
  readonly maxPixels: number;
  readonly restoreModel: Config['restoreModel'];
  /** Whether one large picture may take two cores; left out, it may. */
  readonly splitFits?: boolean;
}

/** What an exporting worker is told. */
export type ExportWorkerData = Pick<TracingWorkerData, 'maxPixels'>;

/** In a worker of a pool: what it was told when it was begun. */
export const workerDataOf = <Data extends ExportWorkerData>(): Data => getEnvironmentData(WORKER_DATA) as never;
