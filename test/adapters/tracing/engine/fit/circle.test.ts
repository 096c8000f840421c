import { expect } from 'chai';
import { CircleFitter } from '#adapters/tracing/engine/fit/circle.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const around = (count: number, at: (angle: number) => readonly [number, number]) => {
  const points = Array.from({ length: count }, (_, k) => at((k * 2 * Math.PI) / count));
  return {
    xs: Float64Array.from(points, ([x]) => x),
    ys: Float64Array.from(points, ([, y]) => y),
    weights: new Float32Array(count).fill(1),
    count,
  };
};
const circleOf = ({ xs, ys, weights, count }: ReturnType<typeof around>) => {
  const fitter = new CircleFitter();
  return { found: fitter.fit(xs, ys, weights, count), fitter };
};

describe('the circle through samples', () => {
  it('has the center and the radius of the circle they lie on', () => {
    for (const [x, y, r, count] of [
      [0, 0, 5, 8],
      [1000.25, -3.5, 60.125, 200],
      [7.1, 9.9, 1.2, 12],
    ] as const) {
      const { found, fitter } = circleOf(around(count, (a) => [x + r * Math.cos(a), y + r * Math.sin(a)]));
      expect(found).to.equal(true);
      expect(fitter.x).to.be.closeTo(x, 1e-9);
      expect(fitter.y).to.be.closeTo(y, 1e-9);
      expect(fitter.r).to.be.closeTo(r, 1e-9);
    }
  });

  it('is found through noise, and where samples crowd on one side', () => {
    const random = createSeededRandom(14);
    const { found, fitter } = circleOf(
      around(160, (a) => {
        const r = 20 + (random() - 0.5) * 0.2;
        const crowded = a + 0.8 * Math.sin(a);
        return [31.3 + r * Math.cos(crowded), 30.8 + r * Math.sin(crowded)];
      }),
    );
    expect(found).to.equal(true);
    expect(Math.hypot(fitter.x - 31.3, fitter.y - 30.8)).to.be.at.most(0.03);
    expect(fitter.r).to.be.closeTo(20, 0.02);
  });

  it('gives samples of no weight no say', () => {
    const ring = around(60, (a) => [10 * Math.cos(a), 10 * Math.sin(a)]);
    for (let k = 0; k < 60; k += 6) {
      ring.xs[k]! *= 1.012;
      ring.ys[k]! *= 1.012;
      ring.weights[k] = 0;
    }
    const { found, fitter } = circleOf(ring);
    expect(found).to.equal(true);
    expect(fitter.r).to.be.closeTo(10, 1e-6);
  });

  it('is none for ellipses, squares, lines, single points and few samples', () => {
    const square = (a: number) => Math.max(Math.abs(Math.cos(a)), Math.abs(Math.sin(a)));
    const shapes = [
      around(100, (a) => [20 * Math.cos(a), 18.5 * Math.sin(a)]),
      around(100, (a) => [(10 * Math.cos(a)) / square(a), (10 * Math.sin(a)) / square(a)]),
      around(50, (a) => [a * 10, 3]),
      around(50, () => [4, 4]),
      around(7, (a) => [9 * Math.cos(a), 9 * Math.sin(a)]),
      around(40, (a) => [200 * Math.cos(a / 3), 2 * Math.sin(a)]),
    ];
    for (const [k, shape] of shapes.entries()) expect(circleOf(shape).found, `shape ${k}`).to.equal(false);
    expect(shapes.length).to.equal(6);
  });
});
