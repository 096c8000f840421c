import { expect } from 'chai';
import { CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { mirrorHandles } from '#adapters/tracing/engine/fit/mirror-handles.js';

type Cubic = readonly number[];

const at = (p: ArrayLike<number>, t: number, i: number) => {
  const u = 1 - t;
  return u * u * u * p[i]! + 3 * u * u * t * p[2 + i]! + 3 * u * t * t * p[4 + i]! + t * t * t * p[6 + i]!;
};

/** The two parts of a cubic. */
function partsOf(p: Cubic, t: number): readonly [Cubic, Cubic] {
  const mid = (a: readonly number[], b: readonly number[]) => a.map((v, i) => v + t * (b[i]! - v));
  const [p0, p1, p2, p3] = [0, 2, 4, 6].map((k) => p.slice(k, k + 2)) as [number[], number[], number[], number[]];
  const [a, b, c] = [mid(p0, p1), mid(p1, p2), mid(p2, p3)];
  const [d, e] = [mid(a, b), mid(b, c)];
  const f = mid(d, e);
  return [
    [...p0, ...a, ...d, ...f],
    [...f, ...e, ...c, ...p3],
  ];
}

function chainOf(cubics: readonly Cubic[]) {
  const list = new CurveList();
  list.beginChain();
  for (const p of cubics) list.cubic(...(p as [number, number, number, number, number, number, number, number]));
  return list.finish();
}

/** How far the points of some cubics are from others, px. */
function farthest(from: readonly ArrayLike<number>[], to: readonly ArrayLike<number>[]): number {
  let most = 0;
  for (const p of from) {
    for (let i = 0; i <= 20; i++) {
      let least = Infinity;
      for (const q of to)
        for (let k = 0; k <= 4000; k++)
          least = Math.min(
            least,
            Math.hypot(at(p, i / 20, 0) - at(q, k / 4000, 0), at(p, i / 20, 1) - at(q, k / 4000, 1)),
          );
      most = Math.max(most, least);
    }
  }
  return most;
}

const BOW: Cubic = [10, 60, 25, 12, 70, 8, 90, 50];

describe('handles that mirror each other', () => {
  for (const t of [0.3, 0.4, 0.62, 0.7]) {
    it(`moves the vertex of a curve cut at ${t} to where both handles are equally long, and the curve stays`, () => {
      const whole = chainOf([BOW]).points;
      const curves = chainOf(partsOf(BOW, t));
      expect([...mirrorHandles(curves, 0.05)]).to.deep.equal([0, 1]);
      const { points } = curves;
      expect(points[8]! - points[4]!).to.be.closeTo(points[10]! - points[8]!, 1e-9);
      expect(points[9]! - points[5]!).to.be.closeTo(points[11]! - points[9]!, 1e-9);
      expect([...points.subarray(0, 2), ...points.subarray(14)]).to.deep.equal([10, 60, 90, 50]);
      expect(farthest([points.subarray(0, 8), points.subarray(8)], [whole])).to.be.below(0.05);
    });
  }

  it('leaves corners, very unequal handles, and curves that no other vertex fits, as they are', () => {
    const corner = [BOW, [90, 50, 91, 80, 120, 90, 140, 60]];
    const unequal = partsOf(BOW, 0.1);
    // Round at first, then nearly straight: no cubic goes on from one into the other.
    const bent = [
      [0, 0, 0, 11, 9, 20, 20, 20],
      [20, 20, 53, 20, 60, 70, 100, 71],
    ];
    for (const cubics of [corner, unequal, bent]) {
      const curves = chainOf(cubics);
      const before = curves.points.slice();
      expect([...mirrorHandles(curves, 0.05)]).to.deep.equal([0, 0]);
      expect(curves.points).to.deep.equal(before);
    }
  });
});
