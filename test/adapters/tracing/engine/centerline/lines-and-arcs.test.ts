import { expect } from 'chai';
import { addLinesAndArcs } from '#adapters/tracing/engine/centerline/lines-and-arcs.js';
import { CurveList, SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';

const circle = { radius: 10, x: 20, y: 20, ux: 0, uy: 0, error: 0 };
const onCircle = (degrees: number, radius = circle.radius) => [
  20 + radius * Math.cos((degrees * Math.PI) / 180),
  20 + radius * Math.sin((degrees * Math.PI) / 180),
];

/** The kinds and control points of one arc of `places` places between two angles, whose middle place is at a third. */
function drawn(from: number, middle: number, to: number, places: number, radius = circle.radius) {
  const curves = new CurveList();
  curves.beginChain();
  addLinesAndArcs(
    {
      cost: 0,
      breaks: [0, places - 1],
      nodes: [...onCircle(from, radius), ...onCircle(to, radius)],
      primitives: [{ ...circle, radius }],
      middles: onCircle(middle, radius),
    },
    curves,
  );
  const { kinds, points } = curves.finish();
  return { kinds: [...kinds], points: [...points] };
}

describe('lines and arcs as curves', () => {
  it('have an arc as cubics of a quarter turn at most, on its circle', () => {
    const { kinds, points } = drawn(10, 80, 150, 26);
    expect(kinds).to.deep.equal([SEGMENT_CUBIC, SEGMENT_CUBIC]);
    for (const p of [0, 6, 8, 14]) expect(Math.hypot(points[p]! - 20, points[p + 1]! - 20)).to.be.closeTo(10, 1e-9);
  });

  it('have a line where ends were moved past each other, not the rest of the circle', () => {
    expect(drawn(12, 30, 10, 5).kinds).to.deep.equal([SEGMENT_LINE]);
    expect(drawn(10, 30, 50, 8).kinds).to.deep.equal([SEGMENT_CUBIC]);
    // On a small circle that is no longer than its places, but a middle place beside an end does not tell the way.
    for (const middle of [146, 144, -119, -121])
      expect(drawn(145, middle, -120, 8, 3.01).kinds, `${middle}`).to.deep.equal([SEGMENT_CUBIC, SEGMENT_CUBIC]);
  });
});
