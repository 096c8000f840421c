import { expect } from 'chai';
import { findArcs } from '#adapters/tracing/engine/emit/arc-runs.js';
import { tangentArcs } from '#adapters/tracing/engine/emit/tangent-arcs.js';
import { type ChainCurves, CurveList } from '#adapters/tracing/engine/fit/curves.js';

type Point = readonly [number, number];

const turnedBy = (degrees: number, [x, y]: Point): Point => {
  const angle = (degrees * Math.PI) / 180;
  return [
    50 + (x - 50) * Math.cos(angle) - (y - 50) * Math.sin(angle),
    50 + (x - 50) * Math.sin(angle) + (y - 50) * Math.cos(angle),
  ];
};

/** Handles of a quarter circle, as a share of its radius. */
const QUARTER = 0.5523;

/**
 * The outline of a stroke from x = 30 to 70 around y = 50, closed, one chain: lines, and at its ends two cubics each. Both joints at its right
 * end lie `early` px before the true ones, which hardly moves the curve.
 */
function stroke(half: number, early: number, degrees: number, bulge = 0): ChainCurves {
  const list = new CurveList();
  list.beginChain();
  const at = (x: number, y: number) => turnedBy(degrees, [x, y]);
  const line = (a: Point, b: Point) => list.line(...at(...a), ...at(...b));
  const cubic = (a: Point, b: Point, c: Point, d: Point) =>
    list.cubic(...at(...a), ...at(...b), ...at(...c), ...at(...d));
  const h = QUARTER * half;
  const [top, bottom] = [50 - half, 50 + half];
  const tip = 70 + half + bulge;
  line([30, top], [70 - early, top]);
  cubic([70 - early, top], [70 + h - early / 8, top], [tip, 50 - h], [tip, 50]);
  cubic([tip, 50], [tip, 50 + h], [70 + h - early / 8, bottom], [70 - early, bottom]);
  line([70 - early, bottom], [30, bottom]);
  cubic([30, bottom], [30 - h, bottom], [30 - half, 50 + h], [30 - half, 50]);
  cubic([30 - half, 50], [30 - half, 50 - h], [30 - h, top], [30, top]);
  return list.finish();
}

const CLOSED = { startNode: Int32Array.of(-1) };

describe('arcs that are tangent to the lines beside them', () => {
  it('stand for round ends whose joints lie anywhere along the lines', () => {
    let ends = 0;
    for (const half of [4, 6.7, 10])
      for (const early of [0.17, 0.2])
        for (const degrees of [0, 23, 90, 211]) {
          const before = stroke(half, early, degrees);
          expect(findArcs(before).counts[1], 'the joints are off').to.equal(0);
          const after = tangentArcs(CLOSED, before);
          const arcs = findArcs(after);
          const name = `${half} px, ${early} px early, ${degrees} degrees`;
          expect(arcs.counts[1], name).to.equal(2);
          expect(Math.abs(arcs.radii[1]!), name).to.be.closeTo(half, 0.01);
          const [x, y] = turnedBy(degrees, [70, 50 - half]);
          expect(Math.hypot(after.points[8]! - x, after.points[9]! - y), name).to.be.below(0.06);
          // Segments still follow each other.
          for (let k = 0; k < 6; k++)
            for (let i = 0; i < 2; i++)
              expect(after.points[8 * k + 6 + i]!, name).to.equal(after.points[8 * ((k + 1) % 6) + i]!);
          ends++;
        }
    expect(ends).to.equal(24);
  });

  it('leave what is no circle, and the curves they are given, as they are', () => {
    const before = stroke(6.7, 0.3, 23, 0.4);
    const points = before.points.slice();
    const after = tangentArcs(CLOSED, before);
    expect([...before.points]).to.deep.equal([...points]);
    expect([...after.points.subarray(8, 24)]).to.deep.equal([...points.subarray(8, 24)]);
  });

  it('move no end of an open chain', () => {
    const whole = stroke(6.7, 0.3, 23);
    // From the last cubic on: the line that it goes on into is at the chain's other end.
    const open: ChainCurves = {
      chainCount: 1,
      starts: Int32Array.of(0, 6),
      kinds: Int32Array.from([0, 1, 2, 3, 4, 5], (k) => whole.kinds[(k + 4) % 6]!),
      points: Float64Array.from({ length: 48 }, (_, i) => whole.points[(i + 32) % 48]!),
    };
    const after = tangentArcs({ startNode: Int32Array.of(0) }, open);
    expect([...after.points.subarray(0, 2)]).to.deep.equal([...open.points.subarray(0, 2)]);
    expect([...after.points.subarray(46)]).to.deep.equal([...open.points.subarray(46)]);
  });
});
