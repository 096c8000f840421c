import { expect } from 'chai';
import { measureFidelity } from '#adapters/tracing/fidelity/measure-fidelity.js';
import { ServiceError, vectorize } from '#config/main/library.js';
import { discRaster } from '#test/support/rasters.js';
import { singleColorRaster } from '#test/support/single-color-tracer.js';

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(Error);
  return error as Error;
}

describe('the library', () => {
  it('traces pixels in the calling thread and answers everything', async () => {
    const stages = new Set<string>();
    const result = await vectorize(
      singleColorRaster(16, 12, 0x336699ff),
      { preset: 'logo' },
      { onProgress: (stage) => stages.add(stage) },
    );
    expect(result.svg).to.match(/^<\?xml|^<svg/);
    expect(result.drawing).to.include({ width: 16, height: 12 });
    expect(result.colorPalette[0]).to.deep.include({ hex: '#336699', coverage: 1 });
    expect(result.qualityDiagnostics.settings.preset).to.deep.equal({ value: 'logo', origin: 'explicit' });
    expect(result.qualityDiagnostics.fidelity).to.not.equal(null);
    expect(result.traceStats).to.include({ width: 16, height: 12, shapes: 1 });
    expect(stages.size).to.be.greaterThan(0);
  });

  it('measures fidelity when it is read, of the picture as it was', async () => {
    const raster = discRaster(24);
    const { qualityDiagnostics, drawing } = await vectorize(raster);
    const expected = measureFidelity({ ...raster, data: raster.data.slice() }, drawing);
    raster.data.fill(127);
    expect(structuredClone(qualityDiagnostics).fidelity).to.deep.equal(expected);
    expect(qualityDiagnostics.fidelity).to.deep.equal(expected);
  });

  it('leaves fidelity out where told to', async () => {
    const { qualityDiagnostics, traceStats } = await vectorize(singleColorRaster(4, 4, 0xff), { fidelity: false });
    expect(qualityDiagnostics.fidelity).to.equal(null);
    expect(qualityDiagnostics.settings.fidelity).to.deep.equal({ value: false, origin: 'explicit' });
    expect(traceStats.svgBytes).to.be.greaterThan(0);
  });

  it('refuses what is neither a file nor pixels', async () => {
    for (const wrong of [null, undefined, 'a.png', {}, { width: 1, height: 1, data: [0, 0, 0, 0] }])
      expect(await errorOf(vectorize(wrong as never)), String(wrong)).to.be.instanceOf(TypeError);
    const data = new Uint8Array(16);
    for (const [width, height] of [
      [0, 4],
      [-2, -2],
      [1.5, 2],
      [2, 3],
      ['2', 2],
      [Number.NaN, 1],
    ])
      expect(await errorOf(vectorize({ data, width, height } as never)), `${width} ${height}`).to.be.instanceOf(
        RangeError,
      );
  });

  it('refuses wrong settings and parameters that are for requests', async () => {
    const raster = singleColorRaster(2, 2, 0xff);
    for (const [settings, field] of [
      [{ preset: 'foo' }, 'preset'],
      [{ nosuch: 1 }, 'nosuch'],
      [{ output: 'svg' }, 'output'],
      [{ dry_run: true }, 'dry_run'],
    ] as const) {
      const error = await errorOf(vectorize(raster, settings as never));
      expect(error).to.be.instanceOf(ServiceError);
      expect(error).to.include({ code: 'INVALID_REQUEST', field });
    }
  });

  it('refuses bytes that are no picture', async () => {
    expect(await errorOf(vectorize(Buffer.from('hello')))).to.include({ code: 'UNSUPPORTED_IMAGE' });
  });

  it('gives up when the signal aborts', async () => {
    const error = await errorOf(vectorize(singleColorRaster(2, 2, 0xff), {}, { signal: AbortSignal.abort() }));
    expect(error).to.include({ code: 'CANCELLED' });
  });
});
