import { expect } from 'chai';
import { CubicFitter } from '#adapters/tracing/engine/fit/cubic.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

type Points = readonly [number, number, number, number, number, number, number, number];

const along = ([x0, y0, x1, y1, x2, y2, x3, y3]: Points, t: number): readonly [number, number] => {
  const u = 1 - t;
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
};

/** Fits the samples of a known curve, given its ends and end tangents. */
function refit(curve: Points, count: number, tolerance = 0.42, noise: () => number = () => 0, rounds = 4) {
  const points = Array.from({ length: count }, (_, k) => along(curve, k / (count - 1)));
  const xs = Float64Array.from(points, ([x]) => x + noise());
  const ys = Float64Array.from(points, ([, y]) => y + noise());
  const [x0, y0, x1, y1, x2, y2, x3, y3] = curve;
  const start = Math.hypot(x1 - x0, y1 - y0);
  const end = Math.hypot(x3 - x2, y3 - y2);
  const fitter = new CubicFitter();
  fitter.ends.set([x0, y0, (x1 - x0) / start, (y1 - y0) / start, x3, y3, (x3 - x2) / end, (y3 - y2) / end]);
  fitter.fit(xs, ys, 0, count - 1, tolerance, rounds);
  return { fitter, start, end };
}

const CURVES: readonly Points[] = [
  [0, 0, 10, 0, 20, 10, 20, 20],
  [0, 0, 8, 12, 30, -12, 40, 0],
  [5, 5, 5, 16, 14, 25, 25, 25],
  [0, 0, 20, 5, 40, 5, 60, 0],
];

describe('the cubic through a stretch of samples', () => {
  it('is the curve the samples were taken from', () => {
    for (const curve of CURVES) {
      const { fitter, start, end } = refit(curve, 40, 0.1);
      expect(fitter.largest).to.be.at.most(0.06);
      expect(Math.abs(fitter.startHandle / start - 1)).to.be.at.most(0.06);
      expect(Math.abs(fitter.endHandle / end - 1)).to.be.at.most(0.06);
    }
  });

  it('is near it after one round, and nearer with every other', () => {
    for (const curve of CURVES) {
      const missed = [1, 2, 4].map((rounds) => refit(curve, 40, 0, undefined, rounds).fitter.largest);
      expect(missed[0]).to.be.at.most(0.6);
      expect(missed[1]).to.be.at.most(missed[0]! + 1e-9);
      expect(missed[2]).to.be.at.most(missed[1]! + 1e-9);
    }
  });

  it('passes through the middle of noise', () => {
    const random = createSeededRandom(6);
    for (const curve of CURVES) {
      const { fitter, start, end } = refit(curve, 90, 0.42, () => (random() - 0.5) * 0.2);
      expect(fitter.largest).to.be.at.most(0.25);
      expect(Math.abs(fitter.startHandle / start - 1)).to.be.at.most(0.2);
      expect(Math.abs(fitter.endHandle / end - 1)).to.be.at.most(0.2);
    }
  });

  it('says how far samples are from what it cannot follow', () => {
    const count = 60;
    const xs = Float64Array.from({ length: count }, (_, k) => k);
    const ys = Float64Array.from({ length: count }, (_, k) => 6 * Math.sin(k / 4));
    const fitter = new CubicFitter();
    fitter.ends.set([0, 0, Math.SQRT1_2, Math.SQRT1_2, 59, ys[59]!, Math.SQRT1_2, Math.SQRT1_2]);
    fitter.fit(xs, ys, 0, count - 1, 0.42, 4);
    expect(fitter.largest).to.be.greaterThan(3 * 0.42);
  });

  it('counts the error of all samples where it looks at some of them only', () => {
    const offset = (count: number) => {
      const xs = Float64Array.from({ length: count }, (_, k) => (k * 100) / (count - 1));
      const ys = new Float64Array(count).fill(0.1);
      const fitter = new CubicFitter();
      fitter.ends.set([0, 0, 1, 0, 100, 0, 1, 0]);
      fitter.fit(xs, ys, 0, count - 1, 0.42, 4);
      return fitter.error / (count - 2);
    };
    expect(offset(20)).to.be.closeTo(0.01, 0.001);
    expect(offset(400)).to.be.closeTo(0.01, 0.001);
  });

  it('makes a third of the chord its handles where there is nothing to fit', () => {
    const fitter = new CubicFitter();
    for (const between of [0, 1]) {
      const xs = Float64Array.from({ length: 2 + between }, (_, k) => (k * 9) / (1 + between));
      fitter.ends.set([0, 0, 1, 0, 9, 0, 1, 0]);
      fitter.fit(xs, new Float64Array(2 + between), 0, 1 + between, 0.42, 4);
      expect([fitter.startHandle, fitter.endHandle]).to.deep.equal([3, 3]);
      expect(fitter.largest).to.be.closeTo(0, 1e-9);
    }
  });

  it('keeps handles between a cusp and a loop, and finite where all samples are one point', () => {
    const random = createSeededRandom(12);
    const fitter = new CubicFitter();
    for (let round = 0; round < 500; round++) {
      const count = 2 + Math.floor(random() * 30);
      const size = round % 10 === 0 ? 0 : 20;
      const xs = Float64Array.from({ length: count }, () => random() * size);
      const ys = Float64Array.from({ length: count }, () => random() * size);
      const [a, b] = [random() * 7, random() * 7];
      const last = count - 1;
      fitter.ends.set([xs[0]!, ys[0]!, Math.cos(a), Math.sin(a), xs[last]!, ys[last]!, Math.cos(b), Math.sin(b)]);
      fitter.fit(xs, ys, 0, last, 0.42, 1 + (round % 4));
      let length = 0;
      for (let k = 1; k < count; k++) length += Math.hypot(xs[k]! - xs[k - 1]!, ys[k]! - ys[k - 1]!);
      for (const handle of [fitter.startHandle, fitter.endHandle])
        expect(handle).to.be.within(0, Math.max(length, 1e-9) * 1.2 + 1e-9);
      expect(Number.isFinite(fitter.error) && Number.isFinite(fitter.largest)).to.equal(true);
    }
  });
});
