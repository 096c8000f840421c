import { availableParallelism } from 'node:os';
import { workerData } from 'node:worker_threads';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createSplitFitter } from '#adapters/tracing/split-fitter.js';
import { createWorkerTasks } from '#adapters/tracing/worker-tasks.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import { createVectorizeImage } from '#application/use-cases/vectorize-image.js';
import { createVectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { exporters } from '#plugins/index.js';
import { composeTracers } from '../compose.js';
import { composeEdgeRecovery } from '../compose-restoring.js';
import type { TracingWorkerData } from '../tracing-worker-data.js';

/** A circle and a triangle, 32 x 32. */
const WARM_UP_PNG = [
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAA6lBMVEXCQQzHUSH46OH//v724trERhPw0MMdTtj//////v3bjm735+HHUiLbjm',
  '8vTMHwz8LBQQ3jqJDbj3DERxTajGzjqZBQSpnvz8EwXdtIb9+CnelqiuXH0/UhUdnajGvk6fpafuPc5PmlufDipo3x9P38/f/jpo6FRljIUyO7',
  'QRS2QhqNRU0kTtD+/fz46eJiSYPIxNtAat6HoeopTcq/QhCWRUNZSo0lVNkgTtWOpers3NxHS6N8RmKoRC2wQiL249yKRlIeTtdCS6q+QRI0TL',
  'xzR214R2gmTc6zQh+gRDaSRUg/S64fTtZfSYcbEEG8AAAACXBIWXMAAAsTAAALEwEAmpwYAAAA8klEQVQ4y83TaVeCQBQG4AsCV8QFEKw0tazU',
  'cmnRXHJtNS3//9+RAw7jHfH41ffr+5wz2x2IHwmcGGgpmqboB4GRkMCLlJIjQayqwjaqFQFiJVbDZAXOPrgJe/j++gRXBIbKwR/+QFYWQIL303',
  'dc/IJNgZ7kYIyIa5B0AhTew8gD/0uYEXDG+4eBB/DDzBCQ4aCGfubaoSVyAUi/0U3WWX/fDAAO6TFTDDS2PfbLBMjsonoMYIFetRX03U4I8JK+',
  'puODV97jxR2dBzfrgccdgBVhYNp20kzvgvNbceT0JyTJ7w3tCwXFaxE8U4BXJ/izIrMBhS4ka6gQOP4AAAAASUVORK5CYII=',
].join('');

const { tiers, maxPixels, restoreModel, splitFits = true } = workerData as TracingWorkerData;
const tracers = composeTracers(
  createImageDecoder({ maxPixels }),
  composeEdgeRecovery(restoreModel),
  splitFits && availableParallelism() > 1 ? createSplitFitter() : undefined,
);
const vectorizeToFile = createVectorizeToFile({
  vectorizeImage: createVectorizeImage({
    tracers,
    exporters: createExporterRegistry(exporters),
    clock: systemClock,
    runLimitMs: ({ id }) => tiers[id].runLimitMs,
  }),
});

// Loaded and compiled before the first request comes.
await vectorizeToFile({ picture: { kind: 'encoded', bytes: Buffer.from(WARM_UP_PNG, 'base64') }, settings: {} });

export const { ready, trace, vectorize } = createWorkerTasks({ tracers, vectorizeToFile });
