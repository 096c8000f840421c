import { expect } from 'chai';
import { keepSymmetry } from '#adapters/tracing/engine/fit/keep-symmetry.js';
import { type Contour, star } from '#test/support/outlines.js';
import { contoursOf, settledShapes } from './settled-shapes.js';

/** A heart about an upright line; its right half wider by `more`, px. */
function heart(cx: number, cy: number, size: number, more = 0): Contour {
  const points: number[] = [];
  const cubic = (...p: readonly number[]) => {
    for (let i = 0; i < 64; i++) {
      const t = i / 64;
      const u = 1 - t;
      const at = (k: number) =>
        u * u * u * p[k]! + 3 * u * u * t * p[k + 2]! + 3 * u * t * t * p[k + 4]! + t * t * t * p[k + 6]!;
      const x = at(0) * size;
      points.push(cx + (x > 0 ? x * (1 + more / size) : x), cy + at(1) * size);
    }
  };
  cubic(0, -0.4, 0.3, -1, 1, -0.9, 1, -0.3);
  cubic(1, -0.3, 1, 0.3, 0.3, 0.6, 0, 1);
  cubic(0, 1, -0.3, 0.6, -1, 0.3, -1, -0.3);
  cubic(-1, -0.3, -1, -0.9, -0.3, -1, 0, -0.4);
  return points;
}

const verticesOf = (points: readonly number[]) =>
  points.flatMap((x, i) => (i % 2 === 0 ? [[x, points[i + 1]!] as const] : []));

/** How far the mirror image of a contour's points is from the contour's own points, px; about the line that fits them best. */
function asymmetry(points: readonly number[]): number {
  const all = verticesOf(points);
  const xs = all.map(([x]) => x);
  const axis = (Math.min(...xs) + Math.max(...xs)) / 2;
  return Math.max(...all.map(([x, y]) => Math.min(...all.map(([u, v]) => Math.hypot(2 * axis - x - u, y - v)))));
}

describe('symmetry', () => {
  for (const [name, outline] of [
    ['heart', heart(44.45, 46.1, 22)],
    ['star', star(44.81, 44.27, 30, 12.6, 5)],
    ['star between the pixels', star(40.3, 42.7, 20, 8.4, 5)],
  ] as const)
    it(`of a ${name} is kept exactly`, () => {
      const { map, curves } = settledShapes(90, 90, [outline]);
      const [before] = contoursOf(map, curves);
      const [after] = contoursOf(map, keepSymmetry(map, curves));
      expect(asymmetry(before!)).to.be.above(1e-4);
      expect(asymmetry(after!)).to.be.below(1e-9);
    });

  it('that the pixels do not have is not made', () => {
    const { map, curves } = settledShapes(120, 120, [heart(60.3, 58.6, 40, 0.4)]);
    const before = contoursOf(map, curves);
    keepSymmetry(map, curves);
    expect(contoursOf(map, curves)).to.deep.equal(before);
  });
});
