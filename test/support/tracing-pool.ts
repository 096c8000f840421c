import sharp from 'sharp';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import type { Picture, Raster } from '#application/ports/tracer.js';
import { loadConfig } from '#config/env.js';
import type { TracingWorkerData } from '#config/tracing-worker-data.js';
import { createRecordingLogger } from './recording-logger.js';
import { createSeededRandom } from './seeded-random.js';

export const toPng = ({ data, width, height }: Raster): Promise<Uint8Array> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** Nothing but noise, as a file: work for as long as a tracer is let. */
export async function noisePicture(size: number): Promise<Picture> {
  const random = createSeededRandom(1);
  const data = Uint8Array.from({ length: size * size * 4 }, (_, i) => (i % 4 === 3 ? 255 : random() * 256));
  return { kind: 'encoded', bytes: await toPng({ data, width: size, height: size }) };
}

/** One worker of the service's own kind, ready to trace. */
export async function startTracingPool(): Promise<WorkerPool> {
  const { tiers, limits, restoreModel } = loadConfig({});
  const pool = createWorkerPool({
    entry: new URL(import.meta.resolve('#config/main/tracing-worker.js')),
    workers: 1,
    heapBytes: 512 * 1024 * 1024,
    data: { tiers, maxPixels: limits.maxPixels, restoreModel } satisfies TracingWorkerData,
    logger: createRecordingLogger(),
  });
  await pool.warm();
  return pool;
}
