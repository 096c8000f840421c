import { expect } from 'chai';
import sharp from 'sharp';
import { unblur } from '#adapters/tracing/engine/intake/unblur.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { vectorize } from '#config/main/library.js';
import { asScan } from '#test/support/labelled-pictures.js';
import { drawPlan } from '#test/support/plans.js';
import { renderExact } from '#test/support/render-exact.js';
import { renderSvg } from '#test/support/render-svg.js';

const planAt = (seed: number) => {
  const { svg, width } = drawPlan(seed);
  return { svg, width, picture: renderExact(svg, width) };
};

/** Root of the mean squared difference of two gray pictures, levels. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 4) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return Math.sqrt(sum / (a.length / 4));
}

describe('a sheet out of focus', function () {
  this.timeout(60_000);

  it('is sharper again: nearer to what it was by two fifths at least', async () => {
    for (const sigma of [0.65, 0.8, 1]) {
      const { picture } = planAt(2);
      const { width, height, data } = picture;
      const blurred = await sharp(data, { raw: { width, height, channels: 4 } })
        .blur(sigma)
        .ensureAlpha()
        .raw()
        .toBuffer();
      const found = unblur(toWorkingPixels({ width, height, data: new Uint8Array(blurred) }));
      expect(difference(found.rgba, data), `${sigma}`).to.be.below(0.6 * difference(blurred, data));
    }
  });

  it('is left as it is where its edges are sharp, or it has none', () => {
    const sharpEnough = toWorkingPixels(planAt(2).picture);
    expect(unblur(sharpEnough)).to.equal(sharpEnough);
    const data = new Uint8Array(64 * 64 * 4).fill(255);
    const empty = toWorkingPixels({ width: 64, height: 64, data });
    expect(unblur(empty)).to.equal(empty);
  });

  it('is traced to 28 dB of its plan and more, at four times its size, with grain, skewed light and JPEG', async () => {
    for (const seed of [2, 4, 6, 8]) {
      const { svg, width, picture } = planAt(seed);
      const scanned = await asScan(picture, seed + 9);
      const traced = await vectorize(scanned, { preset: 'technical_drawing', fidelity: false });
      const truth = renderSvg(svg, width * 4, '#fff').data;
      const drawn = renderSvg(traced.svg, width * 4, '#fff').data;
      const decibels = 20 * Math.log10(255 / difference(new Uint8Array(truth), new Uint8Array(drawn)));
      expect(decibels, `plan ${seed}`).to.be.at.least(28);
    }
  });
});
