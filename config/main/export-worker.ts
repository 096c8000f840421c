import { workerData } from 'node:worker_threads';
import { createExportWorkerTasks } from '#adapters/tracing/worker-tasks.js';
import { composeEncodeDrawing } from '../compose-export.js';
import type { ExportWorkerData } from '../tracing-worker-data.js';

const { maxPixels } = workerData as ExportWorkerData;

export const { ready, encode } = createExportWorkerTasks({ encodeDrawing: composeEncodeDrawing({ maxPixels }) });
