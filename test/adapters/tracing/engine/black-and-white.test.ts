import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { asScan } from '#test/support/labelled-pictures.js';
import { drawPlan } from '#test/support/plans.js';
import { psnrOf } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

/** Rendered at 8x and averaged, so that coverage is exact to 1/64. */
function plan(seed: number) {
  const { svg, width, height } = drawPlan(seed);
  const large = renderSvg(svg, width * 8).data;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = 0; k < 64; k++) sum += large[((y * 8 + (k >> 3)) * width * 8 + x * 8 + (k & 7)) * 4] as number;
      data.fill(Math.round(sum / 64), (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { svg, width, height, data };
}

const draw = async (picture: { width: number; height: number; data: Uint8Array }) =>
  (await vectorize(picture, { preset: 'technical_drawing', fidelity: false })).svg;

describe('a technical drawing', function () {
  this.timeout(120_000);

  it('is drawn as it was meant, clean and from an uneven scan', async () => {
    const clean: number[] = [];
    const scanned: number[] = [];
    for (const seed of [1, 2, 3]) {
      const { svg, width, height, data } = plan(seed);
      clean.push(psnrOf(svg, await draw({ width, height, data }), 4 * width));
      scanned.push(psnrOf(svg, await draw(await asScan({ width, height, data }, seed)), 4 * width));
    }
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(clean), clean.join()).to.be.at.least(38);
    expect(mean(scanned), scanned.join()).to.be.at.least(26);
  });

  it('is drawn in reverse where it is white on black', async () => {
    const { svg, width, height, data } = plan(2);
    const inverse = data.map((value, i) => (i % 4 === 3 ? value : 255 - value));
    const drawn = await draw({ width, height, data: inverse });
    const flipped = svg.replace('#fff', '#x').replace('#000', '#fff').replace('#x', '#000');
    expect(psnrOf(flipped, drawn, 4 * width)).to.be.at.least(36);
  });
});
