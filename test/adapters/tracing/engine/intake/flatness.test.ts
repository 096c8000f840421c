import { expect } from 'chai';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { circle } from '#test/support/outlines.js';
import { checkerboard, layer, noise, paint, pixelwise, single } from '#test/support/pictures.js';

const flatness = (raster: Parameters<typeof toWorkingPixels>[0]) => measureFlatness(toWorkingPixels(raster));

describe('flatness', () => {
  it('is whole for one color and for pictures too small to compare', () => {
    const whole = { exact: 1, within4: 1, within12: 1, strong: 0 };
    for (const [width, height] of [
      [20, 10],
      [1, 50],
      [50, 1],
      [1, 1],
    ] as const)
      expect(flatness(single(width, height, 0x336699))).to.deep.equal(whole);
  });

  it('counts small, middling and strong differences apart', () => {
    const steps = (step: number) => pixelwise(10, 10, (x, y) => [(x + y) * step, 0, 0, 255]);
    expect(flatness(steps(3))).to.deep.equal({ exact: 0, within4: 1, within12: 1, strong: 0 });
    expect(flatness(steps(9))).to.deep.equal({ exact: 0, within4: 0, within12: 1, strong: 0 });
    expect(flatness(steps(13))).to.deep.equal({ exact: 0, within4: 0, within12: 0, strong: 0 });
    expect(flatness(checkerboard(10, 10, 1))).to.deep.equal({ exact: 0, within4: 0, within12: 0, strong: 1 });
  });

  it('sees a difference in opacity alone', () => {
    const fading = pixelwise(10, 10, (x) => [0, 0, 0, x * 20]);
    expect(flatness(fading).exact).to.equal(0);
  });

  it('tells a drawing from noise, in tall pictures too, of which it looks at some rows only', () => {
    expect(flatness(paint(64, 64, 0xffffff, [layer(0, circle(32, 32, 20))])).exact).to.be.greaterThan(0.8);
    expect(flatness(noise(64, 64, 3)).exact).to.be.lessThan(0.01);
    const tall = flatness(pixelwise(4, 3000, (_, y) => [y < 1500 ? 0 : 255, 0, 0, 255]));
    expect(tall.exact).to.be.greaterThan(0.99);
  });
});
