import { expect } from 'chai';
import { mendEdges } from '#adapters/tracing/engine/intake/mend-edges.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, rectangle, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
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
    });
  });

  it('undoes unsharp masks, but for what was changed since', () => {
    const sharpened = sharpenedBy(clean, 2, 0.8);
    const { unsharpMask, haloDepth } = mendEdges(toWorkingPixels(sharpened), undefined);
    expect(unsharpMask?.radiusPx).to.be.closeTo(2, 0.2);
    expect(haloDepth).to.equal(null);
    const since = mendEdges(toWorkingPixels(grainy(sharpened, 2)), undefined);
    expect(since.unsharpMask).to.equal(null);
    expect(mendEdges(toWorkingPixels(sharpened), 'photo').unsharpMask).to.equal(null);
  });

  it('leaves a photograph its halos', () => {
    const given = toWorkingPixels(softened(clean, -0.08));
    expect(mendEdges(given, 'photo').pixels).to.equal(given);
    expect(mendEdges(given, 'flat').haloDepth).to.be.above(0.03);
  });
});
