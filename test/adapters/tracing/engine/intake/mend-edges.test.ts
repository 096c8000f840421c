import { expect } from 'chai';
import { findUnsharpMask } from '#adapters/tracing/engine/intake/find-unsharp-mask.js';
import { hasMaskedEdges } from '#adapters/tracing/engine/intake/halos.js';
import { mendEdges } from '#adapters/tracing/engine/intake/mend-edges.js';
import { isRippled, turnsOften } from '#adapters/tracing/engine/intake/ripples.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, rectangle, turned } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { sharpenedBy } from '#test/support/sharpened-pictures.js';
import { softened } from '#test/support/soft-pictures.js';

const clean = paint(120, 100, 0xe8e0d0, [
  layer(0x1d5577, circle(40.3, 44.6, 30.2)),
  layer(0xd66956, turned(rectangle(70, 16, 36, 50), 17, 88, 41)),
]);

describe('mendEdges', () => {
  it('takes halos from sharpened pictures, blur from soft ones, and leaves others as they are', () => {
    const mend = (share: number) => mendEdges(toWorkingPixels(softened(clean, share)), undefined);
    expect(mend(-0.08)).to.deep.include({ edgeBlurPx: null }).and.to.have.property('haloDepth').above(0.03);
    expect(mend(0.12)).to.deep.include({ haloDepth: null }).and.to.have.property('edgeBlurPx').closeTo(0.49, 0.03);
    const given = toWorkingPixels(clean);
    expect(mendEdges(given, undefined)).to.deep.equal({
      pixels: given,
      edgeBlurPx: null,
      haloDepth: null,
      unsharpMask: null,
      stepped: false,
      linearLight: false,
      grain: null,
    });
  });

  it('undoes unsharp masks, but for what was compressed since', async () => {
    const sharpened = sharpenedBy(clean, 2, 0.8);
    const { unsharpMask, haloDepth } = mendEdges(toWorkingPixels(sharpened), undefined);
    expect(unsharpMask?.radiusPx).to.be.closeTo(2, 0.2);
    expect(haloDepth).to.equal(null);
    const lines = paint(200, 160, 0xffffff, [
      layer(0x222222, circle(60.3, 64.6, 50.2)),
      layer(0xffffff, circle(60.3, 64.6, 36.2)),
      layer(0x222222, turned(rectangle(130, 16, 36, 110), 17, 148, 71)),
    ]);
    const since = toWorkingPixels(await jpegDamaged(sharpenedBy(lines, 2, 0.6), 85));
    expect(hasMaskedEdges(since)).to.equal(true);
    expect(findUnsharpMask(since)).not.to.equal(undefined);
    expect(mendEdges(since, undefined).unsharpMask).to.equal(null);
    expect(mendEdges(toWorkingPixels(sharpened), 'photo').unsharpMask).to.equal(null);
  });

  it('takes off grain, and what is left of it at edges does not pass for compression', () => {
    const given = toWorkingPixels(grainy(clean, 2));
    const { pixels, grain } = mendEdges(given, undefined);
    expect(grain).to.be.closeTo(2, 0.2);
    expect([isRippled(given), turnsOften(given)]).to.include(true);
    expect([isRippled(pixels), turnsOften(pixels)]).to.deep.equal([false, false]);
    expect(mendEdges(given, 'photo').grain).to.equal(null);
    expect(mendEdges(given, undefined, false).grain).to.equal(null);
  });

  it('leaves a photograph its halos', () => {
    const given = toWorkingPixels(softened(clean, -0.08));
    expect(mendEdges(given, 'photo').pixels).to.equal(given);
    expect(mendEdges(given, 'flat').haloDepth).to.be.above(0.03);
  });
});
