import type { Config } from './env.js';

/** What of the configuration a tracing worker is told. */
export interface TracingWorkerData {
  readonly tiers: Config['tiers'];
  readonly maxPixels: number;
}

/** What an exporting worker is told. */
export type ExportWorkerData = Pick<TracingWorkerData, 'maxPixels'>;
