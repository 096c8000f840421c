import { expect } from 'chai';
import { LineSums } from '#adapters/tracing/engine/fit/line-sums.js';
import { PolygonFinder } from '#adapters/tracing/engine/fit/polygon.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/** The squared distances from the best line, by trying directions finely. */
function errorSlowly(xs: Float64Array, ys: Float64Array, i: number, j: number): number {
  const n = j - i + 1;
  let mx = 0;
  let my = 0;
  for (let k = i; k <= j; k++) {
    mx += xs[k]! / n;
    my += ys[k]! / n;
  }
  let least = Infinity;
  for (let step = 0; step < 20_000; step++) {
    const angle = (step * Math.PI) / 20_000;
    let sum = 0;
    for (let k = i; k <= j; k++) sum += ((xs[k]! - mx) * Math.sin(angle) - (ys[k]! - my) * Math.cos(angle)) ** 2;
    if (sum < least) least = sum;
  }
  return least;
}

describe('prefix sums of points', () => {
  it('give the error of the least squares line through any stretch', () => {
    const random = createSeededRandom(3);
    const sums = new LineSums();
    const xs = Float64Array.from({ length: 40 }, (_, k) => 5000 + k + random());
    const ys = Float64Array.from({ length: 40 }, (_, k) => 9000 + 0.4 * k + random());
    sums.load(xs, ys, 40);
    for (const [i, j] of [
      [0, 39],
      [3, 9],
      [10, 30],
      [38, 39],
    ] as const)
      expect(sums.error(i, j)).to.be.closeTo(errorSlowly(xs, ys, i, j), 1e-3);
    expect(sums.error(5, 6)).to.be.closeTo(0, 1e-8);
  });

  it('fit the line itself, at any slope, far from the origin and past its first size', () => {
    const sums = new LineSums();
    for (let degrees = 0; degrees < 180; degrees += 15) {
      const dx = Math.cos((degrees * Math.PI) / 180);
      const dy = Math.sin((degrees * Math.PI) / 180);
      const count = 3000;
      const xs = Float64Array.from({ length: count }, (_, k) => 12_345 + k * dx);
      const ys = Float64Array.from({ length: count }, (_, k) => 23_456 + k * dy);
      sums.load(xs, ys, count);
      sums.fit(10, count - 1);
      expect(Math.abs(sums.dx * dy - sums.dy * dx)).to.be.at.most(1e-6);
      expect(Math.hypot(sums.dx, sums.dy)).to.be.closeTo(1, 1e-12);
      expect(Math.abs((sums.x - 12_345) * dy - (sums.y - 23_456) * dx)).to.be.at.most(1e-4);
    }
  });
});

const polygonOf = (xs: number[], ys: number[]) => {
  const sums = new LineSums();
  const finder = new PolygonFinder();
  sums.load(Float64Array.from(xs), Float64Array.from(ys), xs.length);
  const size = finder.find(sums, xs.length);
  return [...finder.vertices.subarray(0, size)];
};

describe('the polygon of least cost', () => {
  it('of samples on one line is that line', () => {
    const k = Array.from({ length: 60 }, (_, i) => i);
    expect(
      polygonOf(
        k,
        k.map((i) => 3 + 0.37 * i),
      ),
    ).to.deep.equal([0, 59]);
    expect(polygonOf([0, 5], [0, 1])).to.deep.equal([0, 1]);
  });

  it('turns at the corner of two lines, noise or not', () => {
    const random = createSeededRandom(2);
    for (const noisePx of [0, 0.05]) {
      const xs = Array.from({ length: 61 }, (_, i) => (i < 30 ? i : 30));
      const ys = Array.from({ length: 61 }, (_, i) => (i < 30 ? 0 : i - 30) + (random() - 0.5) * noisePx);
      const vertices = polygonOf(xs, ys);
      expect(vertices[0]).to.equal(0);
      expect(vertices.at(-1)).to.equal(60);
      expect(vertices.length).to.equal(3);
      expect(vertices[1]).to.be.within(29, 31);
    }
  });

  it('follows a circle within its tolerance, with more sides the larger it is', () => {
    let before = 0;
    for (const r of [5, 20, 80]) {
      const count = Math.round(2 * Math.PI * r);
      const angle = (i: number) => (i * 2 * Math.PI) / count;
      const xs = Array.from({ length: count }, (_, i) => r * Math.cos(angle(i)));
      const ys = Array.from({ length: count }, (_, i) => r * Math.sin(angle(i)));
      const vertices = polygonOf(xs, ys);
      for (let v = 1; v < vertices.length; v++) {
        const half = (angle(vertices[v]!) - angle(vertices[v - 1]!)) / 2;
        expect(r * (1 - Math.cos(half))).to.be.at.most(1);
      }
      expect(vertices.length).to.be.greaterThan(before);
      before = vertices.length;
    }
  });

  it('breaks straight rows of more than 160 samples, and rows longer than its first size', () => {
    const k = Array.from({ length: 2500 }, (_, i) => i);
    const vertices = polygonOf(
      k,
      k.map(() => 0),
    );
    for (let v = 1; v < vertices.length; v++) expect(vertices[v]! - vertices[v - 1]!).to.be.within(1, 160);
    expect(vertices.length).to.equal(17);
  });
});
