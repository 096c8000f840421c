import sharp from 'sharp';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { ENGINE_VERSION } from '#adapters/tracing/engine/version.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerTracer } from '#adapters/tracing/worker-tracer.js';
import type { Picture, Raster } from '#application/ports/tracer.js';
import { loadConfig } from '#config/env.js';
import type { TracingWorkerData } from '#config/tracing-worker-data.js';
import { describeTracer } from '#test/contracts/tracer.js';
import { discRaster } from '#test/support/rasters.js';
import { createRecordingLogger } from '#test/support/recording-logger.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const toPng = ({ data, width, height }: Raster) =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** Nothing but noise: far more than the contract's deadline of work. */
async function noise(): Promise<Picture> {
  const random = createSeededRandom(1);
  const size = 600;
  const data = Uint8Array.from({ length: size * size * 4 }, (_, i) => (i % 4 === 3 ? 255 : random() * 256));
  return { kind: 'encoded', bytes: await toPng({ data, width: size, height: size }) };
}

describe('the planar tracer', () => {
  const contract = { encode: toPng, busy: noise, raster: discRaster(32) };
  let pool: WorkerPool;
  before(async () => {
    const { tiers, limits } = loadConfig({});
    pool = createWorkerPool({
      entry: new URL('../../../config/main/tracing-worker.js', import.meta.url),
      workers: 1,
      memoryBytes: 512 * 1024 * 1024,
      data: { tiers, maxPixels: limits.maxPixels } satisfies TracingWorkerData,
      logger: createRecordingLogger(),
    });
    await pool.warm();
  });
  after(() => pool.close());

  const inProcess = createPlanarTracer({ decoder: createImageDecoder() });
  describeTracer('the engine in the calling thread', { ...contract, tracer: () => inProcess });
  describeTracer('the engine in a worker', {
    ...contract,
    tracer: () => createWorkerTracer({ pool, id: 'planar', version: ENGINE_VERSION }),
  });
});
