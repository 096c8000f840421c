import { expect } from 'chai';
import fc from 'fast-check';
import { intersectRegions, type Region } from '#domain/drawing/intersect-regions.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const square = (x: number, y: number, side: number) => [x, y, x + side, y, x + side, y + side, x, y + side];
const region = (contours: readonly (readonly number[])[], evenOdd = false): Region => ({ contours, evenOdd });

function areaOf(contours: readonly (readonly number[])[]): number {
  let area = 0;
  for (const points of contours)
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      area += points[i]! * points[next + 1]! - points[next]! * points[i + 1]!;
    }
  return area / 2;
}

function windings(contours: readonly (readonly number[])[], x: number, y: number): number {
  let count = 0;
  for (const points of contours)
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      const [x1, y1, x2, y2] = [points[i]!, points[i + 1]!, points[next]!, points[next + 1]!];
      if (y1 <= y !== y2 <= y && x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) > x) count += y2 > y1 ? 1 : -1;
    }
  return count;
}

/** How near a point is to any edge: those within rounding may fall on either side. */
function edgeDistance(contours: readonly (readonly number[])[], x: number, y: number): number {
  let least = Infinity;
  for (const points of contours)
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      const [x1, y1] = [points[i]!, points[i + 1]!];
      const [dx, dy] = [points[next]! - x1, points[next + 1]! - y1];
      const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x1 + along * dx - x, y1 + along * dy - y));
    }
  return least;
}

describe('the intersection of regions', () => {
  it('is what both have in common', () => {
    const { contours, unchanged } = intersectRegions(region([square(0, 0, 10)]), region([square(5, 5, 10)]));
    expect(unchanged).to.equal(false);
    expect(Math.abs(areaOf(contours))).to.equal(25);
    expect(intersectRegions(region([square(0, 0, 2)]), region([square(5, 5, 2)])).contours).to.deep.equal([]);
  });

  it('says where nothing is cut off, shared edges or not', () => {
    expect(intersectRegions(region([square(6, 6, 2)]), region([square(5, 5, 9)])).unchanged).to.equal(true);
    expect(intersectRegions(region([square(5, 5, 9)]), region([square(5, 5, 9)])).unchanged).to.equal(true);
    expect(intersectRegions(region([square(5, 5, 10)]), region([square(5, 5, 9)])).unchanged).to.equal(false);
  });

  it('follows the fill rules of both', () => {
    const nested = [square(0, 0, 10), square(2, 2, 6)];
    const all = region([square(-5, -5, 30)]);
    expect(Math.abs(areaOf(intersectRegions(region(nested, true), all).contours))).to.equal(64);
    expect(Math.abs(areaOf(intersectRegions(region(nested, false), all).contours))).to.equal(100);
    expect(Math.abs(areaOf(intersectRegions(all, region(nested, true)).contours))).to.equal(64);
  });

  it('holds at every point, for any two tangles of polygons, on a grid and off it', () => {
    const random = createSeededRandom(11);
    let compared = 0;
    const tangle = (points: number, whole: boolean) =>
      fc
        .array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 2 * points, maxLength: 2 * points })
        .map((values) => (whole ? values.map(Math.round) : values));
    const regions = fc
      .boolean()
      .chain((whole) =>
        fc.tuple(tangle(9, whole), tangle(4, whole), fc.boolean()).map(([a, b, evenOdd]) => region([a, b], evenOdd)),
      );
    holds(
      fc.property(regions, regions, (a, b) => {
        const { contours } = intersectRegions(a, b);
        const inside = ({ contours: all, evenOdd }: Region, x: number, y: number) =>
          evenOdd ? windings(all, x, y) % 2 !== 0 : windings(all, x, y) !== 0;
        for (let k = 0; k < 40; k++) {
          const [x, y] = [random() * 20, random() * 20];
          if (edgeDistance([...a.contours, ...b.contours], x, y) < 0.01) continue;
          expect(windings(contours, x, y) !== 0).to.equal(inside(a, x, y) && inside(b, x, y));
          expect(Math.abs(windings(contours, x, y))).to.be.at.most(1);
          compared++;
        }
      }),
      150,
    );
    expect(compared).to.be.above(4000);
  });
});
