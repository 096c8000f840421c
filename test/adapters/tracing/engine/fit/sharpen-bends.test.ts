import { expect } from 'chai';
import { CurveWay } from '#adapters/tracing/engine/fit/curve-way.js';
import { CurveList, SEGMENT_LINE, SEGMENT_SIZE } from '#adapters/tracing/engine/fit/curves.js';
import { sharpenBends } from '#adapters/tracing/engine/fit/sharpen-bends.js';
import { type Contour, circle, rectangle, roundedRectangle, turned } from '#test/support/outlines.js';
import { contoursOf, type SettledShapes, settledShapes } from './settled-shapes.js';

/** A disk without what lies to the right of an upright line, as the inside of a letter is: two blunt corners. */
function cutDisk(cx: number, cy: number, r: number, cut: number): Contour {
  const inside = circle(cx, cy, r);
  const half = Math.sqrt(r * r - cut * cut);
  const points: number[] = [];
  for (let i = 0; i < inside.length; i += 2) if (inside[i]! < cx + cut) points.push(inside[i]!, inside[i + 1]!);
  const first = points.findIndex((y, i) => i % 2 === 1 && y > cy && Math.abs(y - cy - half) < 0.1);
  // From the lower corner around to the upper one.
  const from = first - 1;
  return [cx + cut, cy + half, ...points.slice(from), ...points.slice(0, from), cx + cut, cy - half];
}

/** The nearest place at which two segments of a shape meet with tangents further apart than so many radians; how far it is, px. */
function cornerNear({ map, curves }: SettledShapes, x: number, y: number, leastTurn: number): number {
  let nearest = Infinity;
  for (const p of contoursOf(map, curves)) {
    if (p.length === SEGMENT_SIZE) continue;
    for (let k = 0; k < p.length; k += SEGMENT_SIZE) {
      const before = (k + p.length - SEGMENT_SIZE) % p.length;
      const direction = (a: number, b: number) => Math.atan2(p[b + 1]! - p[a + 1]!, p[b]! - p[a]!);
      const isShort = (a: number, b: number) => Math.hypot(p[b]! - p[a]!, p[b + 1]! - p[a + 1]!) < 1e-9;
      const out = isShort(k, k + 2) ? direction(k, k + 6) : direction(k, k + 2);
      const into = isShort(before + 4, before + 6) ? direction(before, before + 6) : direction(before + 4, before + 6);
      const turn = Math.abs(Math.atan2(Math.sin(out - into), Math.cos(out - into)));
      if (turn > leastTurn) nearest = Math.min(nearest, Math.hypot(p[k]! - x, p[k + 1]! - y));
    }
  }
  return nearest;
}

/** As with high precision. */
const ROUNDS = 16;
/** Where a shape lies upon the pixels. */
const PHASES = [
  [0, 0],
  [0.3, 0.4],
  [0.55, 0.2],
  [0.8, 0.7],
] as const;

describe('bends as corners', () => {
  it('finds the blunt corners of disks that are cut off', () => {
    let [found, all] = [0, 0];
    for (let r = 6; r <= 12; r += 0.5)
      for (const share of [0.72, 0.78, 0.84])
        for (const [dx, dy] of PHASES) {
          const [cx, cy, cut] = [20 + dx, 20 + dy, share * r];
          const half = Math.sqrt(r * r - cut * cut);
          const shapes = settledShapes(40, 40, [cutDisk(cx, cy, r, cut)], ROUNDS);
          all += 2;
          for (const side of [-1, 1]) if (cornerNear(shapes, cx + cut, cy + side * half, 0.3) < 0.3) found++;
        }
    expect(found / all).to.be.above(0.76);
  });

  it('leaves round what is', () => {
    for (const radius of [3, 4, 5.5]) {
      const rounded = turned(roundedRectangle(9.3, 9.4, 26, 19, radius), 17, 22, 19);
      const shapes = settledShapes(46, 40, [rounded], ROUNDS);
      const corners = turned(rectangle(9.3, 9.4, 26, 19), 17, 22, 19);
      for (let i = 0; i < corners.length; i += 2)
        expect(cornerNear(shapes, corners[i]!, corners[i + 1]!, 0.3), `radius ${radius}`).to.be.above(4);
    }
  });

  it('leads what is on either side of a bend on to the corner, and leaves other chains alone', () => {
    const list = new CurveList();
    list.beginChain();
    list.line(0, 0, 8, 0);
    list.cubic(8, 0, 9.2, 0, 10, 0.8, 10, 2);
    list.line(10, 2, 10, 12);
    list.beginChain();
    list.line(20, 0, 20, 9);
    const curves = list.finish();
    const map = { startNode: Int32Array.of(0, 2), endNode: Int32Array.of(1, 3) };
    const way = new CurveWay(map, curves, () => true);
    way.load(0);
    const at = (x: number, y: number) => {
      let nearest = 0;
      const off = (i: number) => Math.hypot(way.x(i) - x, way.y(i) - y);
      for (let i = 0; i < way.places; i++) if (off(i) < off(nearest)) nearest = i;
      return nearest;
    };
    const bend = { chain: 0, first: at(8, 0), last: at(10, 2), x: 10, y: 0, misfit: 1 };
    const sharp = sharpenBends(curves, way, [bend]);
    expect([...sharp.curves.kinds]).to.deep.equal([SEGMENT_LINE, SEGMENT_LINE, SEGMENT_LINE]);
    const ends = [0, 1, 2].map((k) => [0, 1, 6, 7].map((i) => sharp.curves.points[SEGMENT_SIZE * k + i]));
    expect(ends).to.deep.equal([
      [0, 0, 10, 0],
      [10, 0, 10, 12],
      [20, 0, 20, 9],
    ]);
    expect([...sharp.corners]).to.deep.equal([0, 1, 0]);
    expect([...sharp.changed]).to.deep.equal([1, 0]);
  });
});
