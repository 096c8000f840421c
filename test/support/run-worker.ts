import { createWorkerTasks } from '#adapters/tracing/worker-tasks.js';
import { createVectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { createRunTracer } from './run-tracer.js';
import { vectorizeWith } from './vectorize-with.js';

/** A worker's entry with the small tracer in it. */
const tracer = createRunTracer();
export const { trace, vectorize } = createWorkerTasks({
  tracers: [tracer],
  vectorizeToFile: createVectorizeToFile({ vectorizeImage: vectorizeWith(tracer) }),
});
