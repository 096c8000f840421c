import { expect } from 'chai';
import { SEGMENT_CIRCLE, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { repeatShapes } from '#adapters/tracing/engine/fit/repeat-shapes.js';
import { type Contour, circle, star } from '#test/support/outlines.js';
import { contoursOf, settledShapes } from './settled-shapes.js';

const PLACES = [
  [40.3, 42.7],
  [120.81, 41.15],
  [200.5, 44.92],
  [79.07, 150.44],
  [161.66, 148.23],
] as const;

/** A contour's numbers from where it begins. */
const relative = (points: readonly number[]) => points.map((value, i) => value - points[i % 2]!);

/** Mean distance from the corners of outlines to the nearest vertex, px. */
function missOf(contours: readonly (readonly number[])[], outlines: readonly Contour[]): number {
  const vertices = contours.flatMap((points) =>
    points.flatMap((x, i) => (i % 8 === 0 ? [[x, points[i + 1]!] as const] : [])),
  );
  let sum = 0;
  let count = 0;
  for (const outline of outlines)
    for (let i = 0; i < outline.length; i += 2) {
      sum += Math.min(...vertices.map(([x, y]) => Math.hypot(x - outline[i]!, y - outline[i + 1]!)));
      count++;
    }
  return sum / count;
}

describe('repeated shapes', () => {
  for (const size of [30, 33])
    it(`are drawn alike, and nearer to what they are: five stars of ${size} px between the pixels`, () => {
      const stars = PLACES.map(([x, y]) => star(x, y, size, size * 0.42, 5));
      const { map, curves } = settledShapes(240, 200, stars);
      const before = contoursOf(map, curves);
      const after = contoursOf(map, repeatShapes(map, curves));
      expect(after.length).to.equal(5);
      const first = relative(after[0]!);
      for (const points of after) {
        expect(points.length).to.equal(first.length);
        relative(points).forEach((value, i) => {
          expect(value).to.be.closeTo(first[i]!, 1e-9);
        });
        // Digits are written the same where places differ by whole steps of them.
        const steps = (points[0]! - after[0]![0]!) * 100;
        expect(steps).to.be.closeTo(Math.round(steps), 1e-6);
      }
      expect(missOf(after, stars)).to.be.below(missOf(before, stars));
    });

  it('of one size get the mean of it where they are circles, at their own places', () => {
    const { map, curves } = settledShapes(
      240,
      200,
      PLACES.map(([x, y]) => circle(x, y, 14.3)),
    );
    const before = contoursOf(map, curves);
    const after = contoursOf(map, repeatShapes(map, curves));
    expect([...curves.kinds].filter((kind) => kind !== SEGMENT_LINE)).to.deep.equal(PLACES.map(() => SEGMENT_CIRCLE));
    expect(new Set(before.map(([, , r]) => r)).size).to.be.above(1);
    expect(new Set(after.map(([, , r]) => r)).size).to.equal(1);
    after.forEach(([x, y, r], i) => {
      expect(x).to.be.closeTo(before[i]![0]!, 0.0051);
      expect(y).to.be.closeTo(before[i]![1]!, 0.0051);
      expect(r).to.be.closeTo(14.3, 0.02);
    });
  });

  it('are none that differ by what the pixels tell', () => {
    const outlines = [
      star(40.3, 42.7, 20, 8.4, 5),
      star(120.81, 41.15, 20.4, 8.57, 5),
      circle(60.2, 150.4, 14),
      circle(150.6, 148.3, 14.4),
    ];
    const { map, curves } = settledShapes(240, 200, outlines);
    const before = contoursOf(map, curves);
    expect(before.length).to.equal(4);
    expect(contoursOf(map, repeatShapes(map, curves))).to.deep.equal(before);
  });
});
