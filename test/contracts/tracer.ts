import { expect } from 'chai';
import {
  type Picture,
  type Raster,
  TRACE_STAGES,
  type TraceRequest,
  type Tracer,
  type TraceStage,
} from '#application/ports/tracer.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { type ErrorCode, ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { tierOf } from '#domain/tiers/tier.js';
import { refusalOf } from './refusal-of.js';

export interface TracerContract {
  readonly tracer: () => Tracer;
  /** A picture file of these pixels, in a format the tracer takes. */
  readonly encode: (raster: Raster) => Uint8Array | Promise<Uint8Array>;
  /** A picture that keeps it busy for as long as it is let: traced only to be stopped. */
  readonly busy: () => Picture | Promise<Picture>;
  /** 32 x 32 pixels or so, of two colors or more. */
  readonly raster: Raster;
}

/** What every tracer keeps to, wherever it runs. */
export function describeTracer(name: string, { tracer, encode, busy, raster }: TracerContract) {
  const request = (picture: Picture, over: Partial<TraceRequest> = {}): TraceRequest => ({
    picture,
    settings: resolveSettings({}),
    tier: tierOf('balanced_crisp'),
    fidelity: false,
    timeoutMs: 60_000,
    ...over,
  });
  const pixels: Picture = { kind: 'raster', raster };

  describe(`${name} is a tracer`, () => {
    it('draws pixels, and says what it did', async () => {
      const outcome = await tracer().trace(request(pixels));
      const { drawing } = outcome;
      expect([drawing.width, drawing.height]).to.deep.equal([raster.width, raster.height]);
      expect([...shapesOf(drawing.items)].length).to.be.greaterThan(1);
      expect(drawing.commands).to.be.instanceOf(Uint8Array);
      expect(drawing.coords).to.be.instanceOf(Float64Array);
      expect(outcome.source).to.deep.equal({ width: raster.width, height: raster.height, format: undefined });
      expect(Object.keys(outcome.timingsMs)).to.have.members([...TRACE_STAGES]);
      expect(outcome.fidelity).to.equal(null);
      expect(tracer().id).to.match(/^[a-z]+$/);
      expect(tracer().version).to.match(/\d/);
    });

    it('draws a picture file, and leaves its bytes alone', async () => {
      const bytes = await encode(raster);
      const before = bytes.slice();
      const outcome = await tracer().trace(request({ kind: 'encoded', bytes }));
      expect(bytes).to.deep.equal(before);
      expect(outcome.source.format).to.be.a('string').and.not.equal('');
      expect(outcome.drawing.width).to.equal(raster.width);
    });

    it('draws the same twice, to the bit', async () => {
      const [a, b] = [await tracer().trace(request(pixels)), await tracer().trace(request(pixels))];
      expect([...shapesOf(a.drawing.items)].length).to.be.greaterThan(0);
      expect(a.drawing).to.deep.equal(b.drawing);
    });

    it('measures the same fidelity late, of the pixels as they were', async () => {
      const { fidelity } = await tracer().trace(request(pixels, { fidelity: true }));
      const own = { ...raster, data: raster.data.slice() };
      const late = await tracer().trace(
        request({ kind: 'raster', raster: own }, { fidelity: true, measureLate: true }),
      );
      own.data.fill(0);
      expect(late.fidelity).to.deep.equal(fidelity);
      expect(late.fidelity).to.equal(late.fidelity);
      expect(JSON.parse(JSON.stringify(late)).fidelity).to.deep.equal(fidelity);
    });

    it('measures fidelity when asked', async () => {
      const { fidelity } = await tracer().trace(request(pixels, { fidelity: true }));
      expect(fidelity?.psnr).to.be.within(0, 99);
      expect(fidelity?.worst.width).to.be.greaterThan(0);
    });

    it('reports its stages in order, all before the answer', async () => {
      const seen: [TraceStage, number][] = [];
      await tracer().trace(request(pixels, { onProgress: (stage, fraction) => seen.push([stage, fraction]) }));
      const count = seen.length;
      expect(count).to.be.greaterThan(2);
      const order = seen.map(([stage]) => TRACE_STAGES.indexOf(stage));
      expect(order).to.deep.equal([...order].sort((a, b) => a - b));
      const fractions = seen.map(([, fraction]) => fraction);
      expect(fractions).to.deep.equal([...fractions].sort((a, b) => a - b));
      expect(Math.max(...fractions)).to.be.at.most(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(seen).to.have.length(count);
    });

    it('refuses what is no picture, by code', async () => {
      const text: Picture = { kind: 'encoded', bytes: new TextEncoder().encode('this is no picture at all') };
      const error = await refusalOf(tracer().trace(request(text)));
      expect(error.code).to.equal('UNSUPPORTED_IMAGE');
      expect(error.message).to.equal(new ServiceError('UNSUPPORTED_IMAGE').message);
    });

    it('refuses a picture that was cut, saying of which format', async () => {
      const bytes = await encode(raster);
      const cut: Picture = { kind: 'encoded', bytes: bytes.slice(0, Math.floor(bytes.length / 2)) };
      const error = await refusalOf(tracer().trace(request(cut)));
      expect(error.code).to.equal('UNREADABLE_IMAGE');
      expect((error as ServiceError<'UNREADABLE_IMAGE'>).details.format).to.be.a('string');
    });

    const stops = async (over: Partial<TraceRequest>, signal: AbortSignal | undefined, code: ErrorCode) => {
      const error = await refusalOf(tracer().trace(request(await busy(), over), signal));
      expect(error.code).to.equal(code);
      // And goes on working for others.
      expect((await tracer().trace(request(pixels))).drawing.width).to.equal(raster.width);
      return error;
    };

    it('stops when it is aborted while at work', async () => {
      const aborting = new AbortController();
      await stops({ onProgress: () => setImmediate(() => aborting.abort()) }, aborting.signal, 'CANCELLED');
    });

    it('does not begin for a signal that is aborted already', async () => {
      await stops({}, AbortSignal.abort(), 'CANCELLED');
    });

    it('gives up past its deadline, saying which', async () => {
      const error = await stops({ timeoutMs: 30 }, undefined, 'CONVERSION_TIMEOUT');
      expect(error.details).to.deep.equal({ limitMs: 30, tier: 'balanced_crisp' });
    });
  });
}
