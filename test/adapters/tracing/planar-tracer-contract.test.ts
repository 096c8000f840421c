import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { ENGINE_VERSION } from '#adapters/tracing/engine/version.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import type { WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerTracer } from '#adapters/tracing/worker-tracer.js';
import { describeTracer } from '#test/contracts/tracer.js';
import { discRaster } from '#test/support/rasters.js';
import { noisePicture, startTracingPool, toPng } from '#test/support/tracing-pool.js';

describe('the planar tracer', () => {
  const contract = { encode: toPng, busy: () => noisePicture(600), raster: discRaster(32) };
  let pool: WorkerPool;
  before(async () => {
    pool = await startTracingPool();
  });
  after(() => pool.close());

  const inProcess = createPlanarTracer({ decoder: createImageDecoder() });
  describeTracer('the engine in the calling thread', { ...contract, tracer: () => inProcess });
  describeTracer('the engine in a worker', {
    ...contract,
    tracer: () => createWorkerTracer({ pool, id: 'planar', version: ENGINE_VERSION }),
  });
});
