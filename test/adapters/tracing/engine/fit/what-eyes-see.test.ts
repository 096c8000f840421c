import { expect } from 'chai';
import { SEGMENT_CIRCLE, SEGMENT_LINE, SEGMENT_RECT } from '#adapters/tracing/engine/fit/curves.js';
import { type Contour, circle, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { contoursOf, settledShapes } from './settled-shapes.js';

const SIZE = 96;
/** Turns (degrees) at a vertex that nobody would draw on purpose where a curve goes on. */
const FACET = { least: 2, most: 25 };

/** Two arcs of so flat a bend that two lines are hardly further off than a curve, from tip to tip. */
function lens(cx: number, cy: number, half: number, height: number): Contour {
  const points: number[] = [];
  for (const side of [1, -1])
    for (let i = 0; i < 64; i++) {
      const t = i / 32 - 1;
      points.push(cx + side * t * half, cy - side * height * (1 - t * t));
    }
  return points;
}

const kite = (x: number, y: number, length: number, degrees: number): Contour => {
  const half = Math.tan((degrees * Math.PI) / 360) * length;
  return [x, y, x + half, y + length, x, y + length * 1.2, x - half, y + length];
};

describe('what eyes see of curves', () => {
  it('a flat bend is a curve, not two lines with a kink', () => {
    let shapes = 0;
    let kinks = 0;
    for (const [cx, cy, half, height] of [
      [47.3, 48.2, 34.5, 6.1],
      [48.1, 47.6, 21.3, 3.4],
      [46.9, 48.9, 39.2, 11.3],
    ] as const) {
      const { map, curves } = settledShapes(SIZE, SIZE, [lens(cx, cy, half, height)]);
      const [points] = contoursOf(map, curves);
      for (let p = 8; p < points!.length; p += 8) {
        const [ux, uy] = [points![p - 2]! - points![p - 4]!, points![p - 1]! - points![p - 3]!];
        const [vx, vy] = [points![p + 2]! - points![p]!, points![p + 3]! - points![p + 1]!];
        const turn = (Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)) * 180) / Math.PI;
        if (turn > FACET.least && turn < FACET.most) kinks++;
      }
      expect([...curves.kinds].filter((kind) => kind !== SEGMENT_LINE).length).to.be.at.least(2);
      shapes++;
    }
    expect(shapes).to.equal(3);
    expect(kinks).to.equal(0);
  });

  it('a sharp tip goes to its end, also where it is less than a pixel wide', () => {
    let tips = 0;
    for (const degrees of [22, 30, 36, 45, 60])
      for (const [x, y] of [
        [47.2, 11.6],
        [48.7, 12.1],
        [46.45, 10.85],
      ] as const) {
        const { map, curves } = settledShapes(SIZE, SIZE, [kite(x, y, 60, degrees)]);
        const [points] = contoursOf(map, curves);
        let nearest = Number.POSITIVE_INFINITY;
        for (let p = 0; p < points!.length; p += 8)
          nearest = Math.min(nearest, Math.hypot(points![p]! - x, points![p + 1]! - y));
        expect(nearest, `${degrees} degrees at ${x}, ${y}`).to.be.below(0.3);
        expect(points!.length / 8, `${degrees} degrees at ${x}, ${y}`).to.equal(4);
        tips++;
      }
    expect(tips).to.equal(15);
  });

  it('a level side that ends in a tip beyond the pixels along the edges stays where it is', () => {
    let sides = 0;
    for (const y of [60.18, 60.35, 59.82]) {
      // From the left tip along the level side to the right one, 22 degrees each.
      const rise = Math.tan((22 * Math.PI) / 180) * 30;
      const { map, curves } = settledShapes(160, SIZE, [[20.8, y, 50.8, y - rise, 110.2, y - rise, 140.2, y]]);
      const [points] = contoursOf(map, curves);
      let furthest = 0;
      for (let p = 0; p < points!.length; p += 8)
        if (points![p + 1]! > y - 0.8) furthest = Math.max(furthest, Math.abs(points![p + 1]! - y));
      expect(furthest, `at ${y}`).to.be.below(0.03);
      sides++;
    }
    expect(sides).to.equal(3);
  });

  it('a rectangle has square corners wherever it lies, and round ones from 1 px on', () => {
    let rectangles = 0;
    for (const radius of [0, 1, 1.3, 2])
      for (let i = 0; i < 25; i++) {
        // The last is one whose corner pixels are 0.87 by 0.81 covered, which looks rounder than any other.
        const [x, y] = [20.13 + (i % 5) * 0.2, 20.19 + Math.floor(i / 5) * 0.2];
        const outline = radius > 0 ? roundedRectangle(x, y, 55.75, 41.62, radius) : rectangle(x, y, 55.75, 41.62);
        const { map, curves } = settledShapes(SIZE, SIZE, [outline]);
        const chain = [...map.left.keys()].find((c) => map.left[c]! >= 0 && map.right[c]! >= 0)!;
        const at = curves.starts[chain]!;
        expect(curves.kinds[at]).to.equal(SEGMENT_RECT);
        expect(curves.points[at * 8 + 4], `radius ${radius} at ${x}, ${y}`).to.be.closeTo(radius, radius && 0.3);
        rectangles++;
      }
    expect(rectangles).to.equal(100);
  });

  it('a dot is a circle, however few pixels it has', () => {
    let dots = 0;
    for (const radius of [1.3, 1.6, 2.4])
      for (const [x, y] of [
        [20.3, 31.2],
        [61.5, 40.5],
        [44.1, 71.8],
      ] as const) {
        const { map, curves } = settledShapes(SIZE, SIZE, [circle(x, y, radius), rectangle(0, 80, SIZE, 12)]);
        const chain = [...map.startNode.keys()].find(
          (c) => map.startNode[c]! < 0 && map.left[c]! >= 0 && map.right[c]! >= 0,
        )!;
        const at = curves.starts[chain]!;
        expect(curves.kinds[at], `radius ${radius} at ${x}, ${y}`).to.equal(SEGMENT_CIRCLE);
        const [cx, cy, r] = curves.points.subarray(at * 8);
        expect(Math.hypot(cx! - x, cy! - y)).to.be.below(0.12);
        expect(r).to.be.closeTo(radius, 0.06);
        dots++;
      }
    expect(dots).to.equal(9);
  });
});
