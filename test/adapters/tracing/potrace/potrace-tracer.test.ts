import { expect } from 'chai';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { createPotraceTracer } from '#adapters/tracing/potrace/potrace-tracer.js';
import type { WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerTracer } from '#adapters/tracing/worker-tracer.js';
import type { Raster, Tracer } from '#application/ports/tracer.js';
import { boundsOfGeometry } from '#domain/drawing/bounds.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import type { SettingValues } from '#domain/presets/settings.js';
import { tierOf } from '#domain/tiers/tier.js';
import { describeTracer } from '#test/contracts/tracer.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { discRaster } from '#test/support/rasters.js';
import { noisePicture, startTracingPool, toPng } from '#test/support/tracing-pool.js';

const installed = findPotrace();

/** A dark disk and a red bar on light gray. */
const scene = paint(120, 90, 0xdddddd, [
  layer(0x202020, circle(40, 45, 25)),
  layer(0xc04030, rectangle(80, 10, 30, 70)),
]);

(installed ? describe : describe.skip)(
  `potrace${installed ? '' : ' (pending: the optional package is not installed)'}`,
  () => {
    let tracer: Tracer;
    let pool: WorkerPool;
    before(async () => {
      tracer = createPotraceTracer({ decoder: createImageDecoder(), potrace: installed! });
      pool = await startTracingPool();
    });
    after(() => pool.close());

    const contract = { encode: toPng, busy: () => noisePicture(300), raster: discRaster(32) };
    describeTracer('potrace in the calling thread', { ...contract, tracer: () => tracer });
    describeTracer('potrace in a worker', {
      ...contract,
      tracer: () => createWorkerTracer({ pool, id: 'potrace', version: `potrace-${installed!.version}` }),
    });

    const trace = (raster: Raster, settings: Partial<SettingValues> = {}) =>
      tracer.trace({
        picture: { kind: 'raster', raster },
        settings: resolveSettings(settings),
        tier: tierOf('balanced_crisp'),
        fidelity: true,
        timeoutMs: 60_000,
      });
    const colorsOf = async (...args: Parameters<typeof trace>) =>
      [...shapesOf((await trace(...args)).drawing.items)].map(({ fill }) => (fill as { color: number }).color);

    it('draws black on white in bw, at the level that parts them best', async () => {
      expect(await colorsOf(scene, { color_mode: 'bw' })).to.deep.equal([0xffffff, 0x000000]);
      const { drawing } = await trace(scene, { color_mode: 'bw' });
      const [ground, ink] = [...shapesOf(drawing.items)];
      expect(ground!.geometry).to.deep.equal({ kind: 'rect', x: 0, y: 0, width: 120, height: 90, radius: 0 });
      const { minX, minY, maxX, maxY } = boundsOfGeometry(ink!.geometry, drawing)!;
      for (const [at, expected] of [
        [minX, 15],
        [maxX, 110],
        [minY, 10],
        [maxY, 80],
      ] as const)
        expect(at).to.be.closeTo(expected, 0.6);
    });

    it('draws as many tones as are asked for, the lightest beneath, in their own colors or in grays', async () => {
      const { drawing, fidelity } = await trace(scene, { palette_count: 3, palette_count_mode: 'manual' });
      const colors = [...shapesOf(drawing.items)].map(({ fill }) => (fill as { color: number }).color);
      expect(colors).to.have.length(3);
      for (const [k, expected] of [0xdddddd, 0xc04030, 0x202020].entries())
        for (const shift of [16, 8, 0]) expect((colors[k]! >> shift) & 255).to.be.closeTo((expected >> shift) & 255, 6);
      expect(fidelity!.psnr).to.be.greaterThan(27);
      const grays = await colorsOf(scene, { color_mode: 'grayscale', palette_count: 3, palette_count_mode: 'manual' });
      for (const gray of grays) expect([gray >> 16, (gray >> 8) & 255]).to.deep.equal([gray & 255, gray & 255]);
      expect(await colorsOf(scene, { fixed_palette: [0xffffff, 0x0000ff] })).to.satisfy((all: number[]) =>
        all.every((color) => color === 0xffffff || color === 0x0000ff),
      );
    });

    it('draws nothing where nothing is', async () => {
      const clear = paint(60, 60, null, [layer(0x202020, circle(30, 30, 15))]);
      const { drawing } = await trace(clear);
      for (const { geometry } of shapesOf(drawing.items)) {
        const { minX, maxX } = boundsOfGeometry(geometry, drawing)!;
        expect(minX).to.be.greaterThan(13);
        expect(maxX).to.be.lessThan(47);
      }
      const nothing = paint(20, 20, null, []);
      expect((await trace(nothing)).drawing.items).to.deep.equal([]);
    });

    it('stays within the picture, and reaches its border', async () => {
      const halves = paint(50, 40, 0xffffff, [layer(0x000000, rectangle(-5, 20, 60, 30))]);
      const { drawing, fidelity } = await trace(halves, { color_mode: 'bw' });
      const [, ink] = [...shapesOf(drawing.items)];
      const { minX, minY, maxX, maxY } = boundsOfGeometry(ink!.geometry, drawing)!;
      expect([minX, maxX, maxY]).to.deep.equal([0, 50, 40]);
      expect(minY).to.be.closeTo(20, 0.01);
      expect(fidelity!.psnr).to.be.greaterThan(60);
    });

    it('draws polygons where no curves are allowed, and fewer nodes where it is to be simpler', async () => {
      const nodes = async (settings: Partial<SettingValues>) => (await trace(scene, settings)).drawing.coords.length;
      const { drawing } = await trace(scene, { color_mode: 'bw', curves: ['line'] });
      expect([...drawing.commands].every((command) => command !== 3)).to.equal(true);
      expect(await nodes({ color_mode: 'bw', simplification: 1 })).to.be.at.most(await nodes({ color_mode: 'bw' }));
    });
  },
);
