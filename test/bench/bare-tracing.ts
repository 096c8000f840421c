import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { createServiceContainer } from '#config/container.js';
import { loadConfig } from '#config/env.js';
import { VECTORIZE_TO_FILE, WORKER_POOL } from '#config/tokens.js';
import { circlesPng } from '#test/support/png-files.js';

/**
 * A process that traces and does nothing else, with the workers of the service: `node bare-tracing.js SIZE CIRCLES TIER`. Says `ready`, and
 * for each line `COUNT SEED` that it is given how long so many pictures took, in milliseconds.
 */
const [size, circles, tier] = process.argv.slice(2) as [string, string, string];
const container = createServiceContainer(loadConfig({ BURIN_WORKERS: '1', BURIN_STORAGE_URL: 'memory:' }));
const pool = container.get(WORKER_POOL);
const vectorizeToFile = container.get(VECTORIZE_TO_FILE);
await pool.warm();
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const [count, seed] = line.split(' ').map(Number) as [number, number];
  const pictures = await Promise.all(
    Array.from({ length: count }, (_, i) => circlesPng(Number(size), Number(circles), seed + i)),
  );
  const startMs = performance.now();
  for (const bytes of pictures)
    await vectorizeToFile({
      picture: { kind: 'encoded', bytes: new Uint8Array(bytes) },
      settings: { quality_tier: tier },
    });
  process.stdout.write(`${performance.now() - startMs}\n`);
}
await pool.close();
