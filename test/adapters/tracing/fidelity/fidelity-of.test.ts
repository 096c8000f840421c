import { expect } from 'chai';
import { fidelityOf } from '#adapters/tracing/fidelity/fidelity-of.js';
import type { TraceRequest } from '#application/ports/tracer.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { tierOf } from '#domain/tiers/tier.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from '#test/support/drawing-builder.js';
import { singleColorRaster } from '#test/support/single-color-tracer.js';

describe('the fidelity of an answer', () => {
  const raster = singleColorRaster(8, 6, 0x336699ff);
  const requestWith = (over: Partial<TraceRequest>): TraceRequest => ({
    picture: { kind: 'raster', raster },
    settings: resolveSettings({}),
    tier: tierOf('balanced_crisp'),
    fidelity: true,
    timeoutMs: 1000,
    ...over,
  });
  /** A drawing that counts how often it is painted. */
  const counted = () => {
    const { items, ...drawing } = createDrawingBuilder(8, 6).drawing([shapeOf(rectOf(0, 0, 8, 6), solid(0x336699))]);
    const count = { painted: 0 };
    const paintings = {
      ...drawing,
      get items() {
        count.painted++;
        return items;
      },
    };
    return { drawing: paintings, count };
  };

  it('is measured at once, and once', () => {
    const { drawing, count } = counted();
    const fidelity = fidelityOf(requestWith({}), raster, drawing);
    expect(count.painted).to.equal(1);
    expect(fidelity()?.psnr).to.equal(99);
    expect(count.painted).to.equal(1);
  });

  it('is measured when it is first asked for where it may be late, and once', () => {
    const { drawing, count } = counted();
    const fidelity = fidelityOf(requestWith({ measureLate: true }), raster, drawing);
    expect(count.painted).to.equal(0);
    expect(fidelity()?.psnr).to.equal(99);
    expect(fidelity()).to.equal(fidelity());
    expect(count.painted).to.equal(1);
  });

  it('is null where nobody wants it', () => {
    const { drawing, count } = counted();
    expect(fidelityOf(requestWith({ fidelity: false, measureLate: true }), raster, drawing)()).to.equal(null);
    expect(count.painted).to.equal(0);
  });
});
