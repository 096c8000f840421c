import { expect } from 'chai';
import sharp from 'sharp';
import type { WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerTracer } from '#adapters/tracing/worker-tracer.js';
import type { Raster, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { TIERS } from '#domain/tiers/tier.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { circle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { startTracingPool } from '#test/support/tracing-pool.js';

/** Flat art of so many px, as a bad JPEG. */
async function damagedArt(width: number, height: number): Promise<Raster> {
  const clean = paint(width, height, 0xffffff, [
    layer(0xe63946, circle(width * 0.3, height * 0.4, height * 0.2)),
    layer(0x1d3557, star(width * 0.65, height * 0.55, height * 0.35, height * 0.13, 9)),
    layer(0xf4a261, star(width * 0.25, height * 0.75, height * 0.2, height * 0.07, 7)),
    layer(0x2a9d8f, circle(width * 0.65, height * 0.55, height * 0.08)),
  ]);
  const file = await sharp(clean.data, { raw: { width, height, channels: 4 } })
    .flatten()
    .blur(1)
    .jpeg({ quality: 60 })
    .toBuffer();
  return { width, height, data: await sharp(file).ensureAlpha().raw().toBuffer() };
}

describe('Restoring in a worker of the service', () => {
  let pool: WorkerPool;
  let tracer: Tracer;
  before(async () => {
    pool = await startTracingPool();
    tracer = createWorkerTracer({ pool, id: 'planar', version: 'as the worker has it' });
  });
  after(() => pool.close());

  const request = (raster: Raster, more: Partial<TraceRequest> = {}): TraceRequest => ({
    picture: { kind: 'raster', raster },
    settings: resolveSettings({ edge_recovery: 'real_esrgan' }),
    tier: TIERS.balanced_crisp,
    fidelity: false,
    timeoutMs: 60_000,
    ...more,
  });

  it('happens, with the model that comes with Burin', async () => {
    const { drawing, workingSize, ...outcome } = await tracer.trace(request(await damagedArt(112, 84)));
    expect(outcome).to.include({ edgeRecoveryResolved: 'real_esrgan', edgeRecoveryReason: 'asked for' });
    expect([drawing.width, drawing.height]).to.deep.equal([112, 84]);
    expect(workingSize).to.deep.equal({ width: 224, height: 168 });
  });

  it('is stopped in its midst, and the next is restored again', async () => {
    const aborting = new AbortController();
    const reported: number[] = [];
    const onProgress = (stage: TraceStage, fraction: number) => {
      if (stage !== 'recover') return;
      reported.push(fraction);
      // Beyond its beginning: tiles are being worked on.
      if (fraction > Math.min(...reported)) aborting.abort();
    };
    const stopped = tracer.trace(request(await damagedArt(1000, 900), { onProgress }), aborting.signal);
    expect((await refusalOf(stopped)).code).to.equal('CANCELLED');
    expect(aborting.signal.aborted).to.equal(true);
    const next = await tracer.trace(request(await damagedArt(112, 84)));
    expect(next.edgeRecoveryResolved).to.equal('real_esrgan');
  });
});
