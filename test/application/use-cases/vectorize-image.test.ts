import { expect } from 'chai';
import type { Tracer } from '#application/ports/tracer.js';
import { createVectorizeImage } from '#application/use-cases/vectorize-image.js';
import { ServiceError } from '#domain/errors.js';
import { settingNames } from '#domain/presets/settings.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { plainSvgExporter } from '#test/support/plain-svg-exporter.js';
import {
  createSingleColorTracer,
  type SingleColorTracerOptions,
  singleColorRaster,
} from '#test/support/single-color-tracer.js';

const picture = { kind: 'raster', raster: singleColorRaster(8, 4, 0xff8000ff) } as const;

function setUp(options: SingleColorTracerOptions = {}, more: { tracers?: Tracer[]; runLimitMs?: () => number } = {}) {
  const tracer = createSingleColorTracer(options);
  const formats: string[] = [];
  const vectorize = createVectorizeImage({
    tracers: [tracer, ...(more.tracers ?? [])],
    exporters: {
      get(format) {
        formats.push(format);
        return plainSvgExporter;
      },
    },
    clock: createManualClock(10),
    ...(more.runLimitMs && { runLimitMs: more.runLimitMs }),
  });
  return { vectorize, tracer, formats };
}

async function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(ServiceError);
  return error as ServiceError;
}

describe('vectorizing a picture', () => {
  it('answers with everything that every door shows', async () => {
    const { vectorize, formats } = setUp({ decided: { details_level: 'low' } });
    const result = await vectorize({
      picture,
      settings: { preset: 'logo', quality_tier: 'high_precision' },
      queuedMs: 7,
    });
    expect(Object.keys(result)).to.have.members([
      'svg',
      'drawing',
      'colorPalette',
      'colorGroups',
      'qualityDiagnostics',
      'traceStats',
    ]);
    expect(result.svg).to.equal('<svg width="8" height="4"/>');
    expect(formats).to.deep.equal(['svg']);
    expect(result.colorPalette).to.deep.equal([
      { hex: '#ff8000', rgb: [255, 128, 0], opacity: 1, coverage: 1, shapes: 1 },
    ]);
    expect(result.colorGroups.length).to.equal(1);
    expect(result.colorGroups[0]).to.include({ hex: '#ff8000', shapes: 1, coverage: 1 });
    expect(result.colorGroups[0]!.shapeIds.length).to.equal(1);
    expect(result.traceStats).to.deep.equal({
      width: 8,
      height: 4,
      shapes: 1,
      paths: 0,
      primitives: 1,
      gradients: 0,
      nodes: 4,
      parameters: 4,
      colors: 1,
      svgBytes: 27,
      // The clock moves 10 ms at each of its four readings; writing counts the encoding too.
      timingsMs: { decode: 1, recover: 2, segment: 3, fit: 4, write: 5 + 10, score: 6, total: 30, queued: 7 },
    });
    const { settings, ...diagnostics } = result.qualityDiagnostics;
    expect(diagnostics).to.deep.equal({
      engineVersion: 'planar-test-1',
      detectedType: 'flat_art',
      typeConfidence: 1,
      typeReason: 'one color',
      preset: 'logo',
      qualityProfile: 'sharp_text_logo',
      qualityTier: 'high_precision',
      edgeRecoveryRequested: 'off',
      edgeRecoveryResolved: 'off',
      edgeRecoveryReason: 'not asked for',
      workingSize: { width: 8, height: 4 },
      notes: [],
      fidelity: { psnr: 99, ssim: 1, deltaE00: 0, worst: { x: 0, y: 0, width: 8, height: 4, deltaE00: 0 } },
    });
    expect(Object.keys(settings)).to.deep.equal(settingNames('tracing'));
    expect(settings).to.deep.include({
      preset: { value: 'logo', origin: 'explicit' },
      quality_profile: { value: 'sharp_text_logo', origin: 'preset' },
      details_level: { value: 'low', origin: 'auto' },
      simplification: { value: 0.25, origin: 'default' },
    });
  });

  it('shows palettes in diagnostics as people write them', async () => {
    const { vectorize } = setUp();
    const { qualityDiagnostics } = await vectorize({ picture, settings: { fixed_palette: '#f00,00ff00' } });
    expect(qualityDiagnostics.settings.fixed_palette).to.deep.equal({
      value: ['#ff0000', '#00ff00'],
      origin: 'explicit',
    });
  });

  it('hands the tracer resolved settings, the tier and its time limit', async () => {
    const { vectorize, tracer } = setUp();
    const signal = new AbortController().signal;
    await vectorize({ picture, settings: { quality_tier: 'fast', paletteCount: '9' } }, signal);
    const [request] = tracer.requests;
    expect(request).to.include({ fidelity: false, timeoutMs: 10_000, picture });
    expect(request!.tier).to.include({ id: 'fast', maxWorkingPixels: 2 * 1024 * 1024 });
    expect(request!.settings.values).to.include({ palette_count: 9, palette_count_mode: 'manual' });
  });

  it('lets whoever composes it set other time limits', async () => {
    const { vectorize, tracer } = setUp({}, { runLimitMs: () => Number.POSITIVE_INFINITY });
    await vectorize({ picture, settings: {} });
    expect(tracer.requests[0]!.timeoutMs).to.equal(Number.POSITIVE_INFINITY);
  });

  it('refuses wrong settings before any work', async () => {
    const { vectorize, tracer } = setUp();
    const wrong = [{ preset: 'foo' }, { palette_count: 65 }, { nosuch: 1 }, { palette_count_mode: 'manual' }];
    for (const settings of wrong) {
      const { code, field } = await refusalOf(vectorize({ picture, settings }));
      expect(code).to.equal('INVALID_REQUEST');
      expect(field).to.be.a('string');
    }
    expect(tracer.requests).to.deep.equal([]);
  });

  it('chooses the tracer by the engine setting and names those there are where it is missing', async () => {
    const potrace = createSingleColorTracer({ id: 'potrace' });
    const { vectorize, tracer } = setUp({}, { tracers: [potrace] });
    const { qualityDiagnostics } = await vectorize({ picture, settings: { engine: 'potrace' } });
    expect(qualityDiagnostics.engineVersion).to.equal('potrace-test-1');
    expect([tracer.requests.length, potrace.requests.length]).to.deep.equal([0, 1]);

    const refusal = await refusalOf(setUp().vectorize({ picture, settings: { engine: 'potrace' } }));
    expect(refusal.field).to.equal('engine');
    expect(refusal.message).to.include('planar');
  });

  it('reports progress in order', async () => {
    const seen: string[] = [];
    await setUp().vectorize({ picture, settings: {}, onProgress: (stage) => seen.push(stage) });
    expect(seen).to.deep.equal(['decode', 'recover', 'segment', 'fit', 'write', 'score']);
  });

  it('notes a limit that the drawing does not meet', async () => {
    const { vectorize } = setUp({ before: () => {} });
    const met = await vectorize({ picture, settings: { max_nodes: 4, max_bytes: 256 } });
    expect(met.qualityDiagnostics.notes).to.deep.equal([]);
    const big = { kind: 'raster', raster: singleColorRaster(2, 2, 0xff) } as const;
    const exporter = { ...plainSvgExporter, encode: async () => ({ bytes: new Uint8Array(300), warnings: [] }) };
    const wordy = createVectorizeImage({
      tracers: [createSingleColorTracer()],
      exporters: { get: () => exporter },
      clock: createManualClock(),
    });
    const { qualityDiagnostics } = await wordy({ picture: big, settings: { max_bytes: 256 } });
    expect(qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal(['max-bytes-exceeded']);
    expect(qualityDiagnostics.notes[0]!.message).to.include('300').and.to.include('256');
  });

  it('gives up when the signal aborts: before, during and after tracing', async () => {
    const before = setUp();
    expect((await refusalOf(before.vectorize({ picture, settings: {} }, AbortSignal.abort()))).code).to.equal(
      'CANCELLED',
    );
    expect(before.tracer.requests.length).to.equal(0);

    const controller = new AbortController();
    const during = setUp({ before: () => controller.abort() });
    expect((await refusalOf(during.vectorize({ picture, settings: {} }, controller.signal))).code).to.equal(
      'CANCELLED',
    );

    const late = new AbortController();
    const after = setUp();
    const promise = after.vectorize(
      { picture, settings: {}, onProgress: (stage) => stage === 'score' && late.abort() },
      late.signal,
    );
    expect((await refusalOf(promise)).code).to.equal('CANCELLED');
    expect(after.tracer.requests.length).to.equal(1);
  });

  it("passes the tracer's refusals and faults on as they are", async () => {
    const fault = new Error('broken');
    const { vectorize } = setUp({
      before: () => {
        throw fault;
      },
    });
    const caught = await vectorize({ picture, settings: {} }).catch((error: unknown) => error);
    expect(caught).to.equal(fault);
  });
});
