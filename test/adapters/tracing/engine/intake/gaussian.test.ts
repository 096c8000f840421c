import { expect } from 'chai';
import { GaussianBlur } from '#adapters/tracing/engine/intake/gaussian.js';

const WIDTH = 23;
const HEIGHT = 19;
const blurredBy = (radiusPx: number, plane: Float64Array) => {
  const gaussian = new GaussianBlur(WIDTH, HEIGHT);
  const out = new Float64Array(plane.length);
  gaussian.setRadius(radiusPx);
  gaussian.blur(plane, out);
  return out;
};

describe('GaussianBlur', () => {
  it('spreads a dot as far as its standard deviation says, along both axes alike', () => {
    const dot = new Float64Array(WIDTH * HEIGHT);
    dot[9 * WIDTH + 11] = 1;
    for (const radiusPx of [0.8, 1.4, 2.2]) {
      const out = blurredBy(radiusPx, dot);
      let sum = 0;
      let across = 0;
      let down = 0;
      out.forEach((share, i) => {
        sum += share;
        across += share * ((i % WIDTH) - 11) ** 2;
        down += share * (Math.floor(i / WIDTH) - 9) ** 2;
      });
      expect(sum).to.be.closeTo(1, 1e-9);
      expect(Math.sqrt(across)).to.be.closeTo(radiusPx, 0.05);
      expect(down).to.be.closeTo(across, 1e-9);
    }
  });

  it('leaves what is even as it is, up to the border', () => {
    const out = blurredBy(3, new Float64Array(WIDTH * HEIGHT).fill(140));
    for (const level of out) expect(level).to.be.closeTo(140, 1e-9);
  });
});
