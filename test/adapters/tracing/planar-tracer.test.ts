import { expect } from 'chai';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { type Raster, TRACE_STAGES, type TraceRequest, type TraceStage } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import type { ExplicitSettings } from '#domain/presets/settings.js';
import { TIERS } from '#domain/tiers/tier.js';
import { circle } from '#test/support/outlines.js';
import { enlarge, layer, paint, SPRITE_COLORS, SPRITE_ROWS, sprite } from '#test/support/pictures.js';

const raster = paint(64, 48, 0xffffff, [layer(0xe63946, circle(30, 24, 15))]);
const decoded = { ...raster, format: 'png' };
const tracer = createPlanarTracer({ decoder: { decode: async () => decoded } as never });

const request = (explicit: ExplicitSettings = {}, more: Partial<TraceRequest> = {}): TraceRequest => ({
  picture: { kind: 'raster', raster },
  settings: resolveSettings(explicit),
  tier: TIERS.balanced_crisp,
  fidelity: false,
  timeoutMs: 60_000,
  ...more,
});
const pixels = (picture: Raster): Partial<TraceRequest> => ({ picture: { kind: 'raster', raster: picture } });

async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`no refusal but ${String(error)}`);
  return error;
}

describe('the planar tracer', () => {
  it('traces pixels and files alike, and says what it worked on', async () => {
    const fromPixels = await tracer.trace(request());
    expect(fromPixels.source).to.deep.equal({ width: 64, height: 48, format: undefined });
    const fromFile = await tracer.trace(request({}, { picture: { kind: 'encoded', bytes: new Uint8Array(1) } }));
    expect(fromFile.source).to.deep.equal({ width: 64, height: 48, format: 'png' });
    expect(fromFile.drawing).to.deep.equal(fromPixels.drawing);
    expect(fromPixels.workingSize).to.deep.equal({ width: 64, height: 48 });
    expect(fromPixels.detectedType).to.equal('flat_art');
    expect(fromPixels.typeReason).to.contain('equal their neighbors');
    expect(fromPixels.notes).to.deep.equal([]);
  });

  it('reports its stages in order and times each', async () => {
    const seen: TraceStage[] = [];
    let last = 0;
    const { timingsMs } = await tracer.trace(
      request(
        {},
        {
          onProgress: (stage, fraction) => {
            expect(fraction).to.be.within(last, 1);
            last = fraction;
            if (seen.at(-1) !== stage) seen.push(stage);
          },
        },
      ),
    );
    expect(seen).to.deep.equal(TRACE_STAGES);
    expect(Object.keys(timingsMs)).to.deep.equal(TRACE_STAGES);
    for (const ms of Object.values(timingsMs)) expect(ms).to.be.at.least(0);
  });

  it('traces what is too large reduced, draws it in full size and says so', async () => {
    const outcome = await tracer.trace(request({}, { tier: { ...TIERS.fast, maxWorkingPixels: 192 } as never }));
    expect(outcome.workingSize).to.deep.equal({ width: 16, height: 12 });
    expect([outcome.drawing.width, outcome.drawing.height]).to.deep.equal([64, 48]);
    expect(outcome.notes.map(({ code }) => code)).to.deep.equal(['traced-reduced']);
  });

  it('measures the drawing where it is asked to', async () => {
    const { fidelity } = await tracer.trace(request({}, { fidelity: true }));
    expect(fidelity?.psnr).to.be.greaterThan(35);
    expect((await tracer.trace(request())).fidelity).to.equal(null);
  });

  it('says what became of edge recovery', async () => {
    const art = pixels(enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 4));
    const recovery = async (edge_recovery: 'off' | 'pixel_exact' | 'auto' | 'real_esrgan', more = {}) => {
      const { edgeRecoveryResolved, edgeRecoveryReason } = await tracer.trace(request({ edge_recovery }, more));
      expect(edgeRecoveryReason.length).to.be.greaterThan(5);
      return edgeRecoveryResolved;
    };
    expect(await recovery('pixel_exact', art)).to.equal('pixel_exact');
    expect(await recovery('auto', art)).to.equal('pixel_exact');
    expect(await recovery('off', art)).to.equal('off');
    expect(await recovery('real_esrgan', art)).to.equal('off');
    for (const asked of ['pixel_exact', 'auto', 'real_esrgan'] as const) expect(await recovery(asked)).to.equal('off');
    const { edgeRecoveryReason } = await tracer.trace(request({ edge_recovery: 'real_esrgan' }));
    expect(edgeRecoveryReason).to.equal('no restoring model is installed; traced directly');
  });

  it('notes what was asked for and not done', async () => {
    const { notes } = await tracer.trace(
      request({ stroke_mode: 'centerline', gradients: 'on', gap_cleanup: 'stroke' }),
    );
    expect(notes.map(({ code }) => code)).to.deep.equal([
      'centerline-not-traced',
      'gradients-not-traced',
      'gap-cleanup-not-applied',
    ]);
  });

  it('gives up past its deadline and when it is cancelled', async () => {
    const late = await refusal(tracer.trace(request({}, { timeoutMs: -1 })));
    expect(late.code).to.equal('CONVERSION_TIMEOUT');
    const stopped = await refusal(tracer.trace(request(), AbortSignal.abort(new Error('enough'))));
    expect(stopped.code).to.equal('CANCELLED');
    const controller = new AbortController();
    const midway = tracer.trace(
      request({}, { onProgress: (stage) => stage === 'fit' && controller.abort() }),
      controller.signal,
    );
    expect((await refusal(midway)).code).to.equal('CANCELLED');
  });

  it('leaves a broken file to the decoder', async () => {
    const broken = new ServiceError('UNSUPPORTED_IMAGE', undefined as never);
    const failing = createPlanarTracer({ decoder: { decode: () => Promise.reject(broken) } as never });
    const error = await refusal(failing.trace(request({}, { picture: { kind: 'encoded', bytes: new Uint8Array(3) } })));
    expect(error).to.equal(broken);
  });
});
