import { expect } from 'chai';
import { type ChainCurves, CurveList, SEGMENT_CUBIC } from '#adapters/tracing/engine/fit/curves.js';
import { mergeSegments } from '#adapters/tracing/engine/fit/merge-segments.js';

/** A segment: a line of four numbers or a cubic of eight. */
type Segment = readonly number[];

const MAP = { left: Int32Array.of(0), right: Int32Array.of(1) };
const BOW: Segment = [10, 60, 30, 40, 65, 36, 90, 50];
const WAVE: Segment = [0, 0, 40, 12, 60, -12, 100, 0];

const at = (p: ArrayLike<number>, t: number, i: number) => {
  const u = 1 - t;
  return u * u * u * p[i]! + 3 * u * u * t * p[2 + i]! + 3 * u * t * t * p[4 + i]! + t * t * t * p[6 + i]!;
};

/** The part of a cubic between two of its parameters. */
function part(p: Segment, from: number, to: number): Segment {
  const point = (t: number) => [at(p, t, 0), at(p, t, 1)] as const;
  const slope = (t: number) =>
    [0, 1].map(
      (i) =>
        (1 - t) ** 2 * (p[2 + i]! - p[i]!) +
        2 * (1 - t) * t * (p[4 + i]! - p[2 + i]!) +
        t * t * (p[6 + i]! - p[4 + i]!),
    );
  const [x0, y0] = point(from);
  const [x3, y3] = point(to);
  const [ux, uy] = slope(from) as [number, number];
  const [vx, vy] = slope(to) as [number, number];
  const d = to - from;
  return [x0, y0, x0 + ux * d, y0 + uy * d, x3 - vx * d, y3 - vy * d, x3, y3];
}

function chainOf(segments: readonly Segment[]): ChainCurves {
  const list = new CurveList();
  list.beginChain();
  for (const s of segments) {
    const [a, b, c, d, e, f, g, h] = s as [number, number, number, number, number, number, number, number];
    if (s.length === 4) list.line(a, b, c, d);
    else list.cubic(a, b, c, d, e, f, g, h);
  }
  return list.finish();
}

/** The straight way along a curve, in so many lines. */
const linesAlong = (p: Segment, count: number): Segment[] =>
  Array.from({ length: count }, (_, k) => [
    at(p, k / count, 0),
    at(p, k / count, 1),
    at(p, (k + 1) / count, 0),
    at(p, (k + 1) / count, 1),
  ]);

describe('merged segments', () => {
  for (const [name, curve] of [
    ['a bow', BOW],
    ['a wave', WAVE],
  ] as const) {
    it(`draws ${name} that was cut into three as one curve again`, () => {
      const cut = chainOf([part(curve, 0, 0.3), part(curve, 0.3, 0.55), part(curve, 0.55, 1)]);
      const merged = mergeSegments(MAP, cut, 0.1).curves;
      expect([...merged.kinds]).to.deep.equal([SEGMENT_CUBIC]);
      for (let t = 0; t <= 1; t += 0.05) {
        let least = Infinity;
        for (let s = 0; s <= 1; s += 0.001) {
          least = Math.min(
            least,
            Math.hypot(at(merged.points, s, 0) - at(curve, t, 0), at(merged.points, s, 1) - at(curve, t, 1)),
          );
        }
        expect(least).to.be.lessThan(0.1);
      }
    });
  }

  it('draws five lines along a slight curve as that curve, and three, which take no more numbers, as they are', () => {
    const slight = part(BOW, 0.4, 0.5);
    expect([...mergeSegments(MAP, chainOf(linesAlong(slight, 5)), 0.1).curves.kinds]).to.deep.equal([SEGMENT_CUBIC]);
    expect(mergeSegments(MAP, chainOf(linesAlong(slight, 3)), 0.1).curves.kinds).to.have.length(3);
  });

  it('keeps corners', () => {
    const corner = chainOf([
      [0, 0, 10, 0, 20, 0, 30, 0],
      [30, 0, 30, 10, 30, 20, 30, 30],
    ]);
    expect([...mergeSegments(MAP, corner, 0.1).curves.points]).to.deep.equal([...corner.points]);
  });

  it('keeps what one curve would be too far from', () => {
    const parts = [part(WAVE, 0, 0.5), part(BOW, 0, 1).map((v, i) => v + (i % 2 === 0 ? 40 : -60))];
    const far = chainOf(parts);
    expect(mergeSegments(MAP, far, 0.1).curves.kinds).to.have.length(2);
  });

  it('keeps the tangents where the chain goes on smoothly', () => {
    const before: Segment = [-40, -12, -30, -9, -10, -3, 0, 0];
    const merged = mergeSegments(
      MAP,
      chainOf([before, part(WAVE, 0, 0.4), part(WAVE, 0.4, 1).map((v, i) => v + (i === 3 ? 0.01 : 0))]),
      0.02,
    ).curves;
    expect(merged.kinds).to.have.length(2);
    const { points } = merged;
    const turn = Math.atan2(points[11]! - points[9]!, points[10]! - points[8]!) - Math.atan2(12, 40);
    expect(Math.abs(turn)).to.be.lessThan(1e-6);
  });

  it("leaves the picture's border alone", () => {
    const cut = chainOf([part(BOW, 0, 0.5), part(BOW, 0.5, 1)]);
    const border = { left: Int32Array.of(-1), right: Int32Array.of(1) };
    expect([...mergeSegments(border, cut, 0.1).curves.points]).to.deep.equal([...cut.points]);
  });
});
