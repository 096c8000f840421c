import { expect } from 'chai';
import fc from 'fast-check';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { circle } from '#test/support/outlines.js';
import { checkerboard, layer, noise, paint, pixelwise, single } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const flatness = (raster: Parameters<typeof toWorkingPixels>[0]) => measureFlatness(toWorkingPixels(raster));

/** Pixels that are mostly as the one before, and else off by little or by much. */
function shades(width: number, height: number, seed: number) {
  const random = createSeededRandom(seed);
  const color = [40, 120, 200, 255];
  return pixelwise(width, height, () => {
    const most = [0, 0, 4, 12, 200][Math.floor(5 * random())]!;
    color[Math.floor(4 * random())] = Math.min(255, Math.floor(most * random()) + 40);
    return [color[0]!, color[1]!, color[2]!, color[3]!];
  });
}

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

  it('is the share of pixels that are so near to their right and lower neighbors, whatever the width', () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 23 }),
      fc.integer({ min: 2, max: 12 }),
      fc.nat(),
      (w, h, seed) => {
        const raster = shades(w, h, seed);
        const pixels = toWorkingPixels(raster);
        const offBy = (a: number, b: number) =>
          Math.max(...[0, 1, 2, 3].map((c) => Math.abs(pixels.rgba[4 * a + c]! - pixels.rgba[4 * b + c]!)));
        const off: number[] = [];
        for (let y = 0; y + 1 < h; y++)
          for (let x = 0; x + 1 < w; x++)
            off.push(Math.max(offBy(y * w + x, y * w + x + 1), offBy(y * w + x, (y + 1) * w + x)));
        const upTo = (most: number) => off.filter((levels) => levels <= most).length / off.length;
        const expected = { exact: upTo(0), within4: upTo(4), within12: upTo(12), strong: 1 - upTo(48) };
        expect(measureFlatness(pixels)).to.deep.equal(expected);
      },
    );
    holds(property, 200);
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
