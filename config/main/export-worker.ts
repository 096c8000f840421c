import { createExportWorkerTasks } from '#adapters/tracing/worker-tasks.js';
import { composeEncodeDrawing } from '../compose-export.js';
import { type ExportWorkerData, workerDataOf } from '../tracing-worker-data.js';

const { maxPixels } = workerDataOf<ExportWorkerData>();

export const { encode } = createExportWorkerTasks({ encodeDrawing: composeEncodeDrawing({ maxPixels }) });
