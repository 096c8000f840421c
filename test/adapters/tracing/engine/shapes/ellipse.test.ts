import { expect } from 'chai';
import { EllipseFitter } from '#adapters/tracing/engine/shapes/ellipse.js';

/** What is fitted to samples of a contour that has those moments of a bar or an ellipse of a width and a height. */
function fitted(
  xs: readonly number[],
  ys: readonly number[],
  [width, height, area]: readonly [number, number, number],
) {
  const fitter = new EllipseFitter(1);
  const [xx, yy] = [width ** 2, height ** 2];
  const moments = { cx: 0, cy: 0, area, xx, xy: 0, yy };
  const weights = new Float32Array(xs.length).fill(1);
  const isEllipse = fitter.fit(Float64Array.from(xs), Float64Array.from(ys), weights, xs.length, moments);
  return { isEllipse, longest: Math.max(fitter.rx, fitter.ry), shortest: Math.min(fitter.rx, fitter.ry) };
}

describe('ellipses', () => {
  it('are found from samples all around them', () => {
    const angles = Array.from({ length: 40 }, (_, k) => (k * Math.PI) / 20);
    const [xs, ys] = [angles.map((a) => 3.1 * Math.cos(a)), angles.map((a) => 7.4 * Math.sin(a))];
    const { isEllipse, longest, shortest } = fitted(xs, ys, [3.1 / 2, 7.4 / 2, Math.PI * 3.1 * 7.4]);
    expect(isEllipse).to.equal(true);
    expect([longest, shortest].map((v) => v.toFixed(3))).to.deep.equal(['7.400', '3.100']);
  });

  it('are none by the long sides of a stem alone, by which they could be of any length', () => {
    const rows = [-3, -2, -1, 0, 1, 2, 3];
    const half = (y: number) => 0.33 * Math.sqrt(1 - (y / 17) ** 2);
    const [xs, ys] = [
      [...rows.map((y) => half(y)), ...rows.map((y) => -half(y))],
      [...rows, ...rows],
    ];
    const { isEllipse, longest } = fitted(xs, ys, [0.66 / Math.sqrt(12), 7 / Math.sqrt(12), 0.66 * 7]);
    expect(longest).to.be.above(8);
    expect(isEllipse).to.equal(false);
  });
});
