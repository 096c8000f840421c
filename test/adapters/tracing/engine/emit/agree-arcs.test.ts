import { expect } from 'chai';
import { agreeArcs } from '#adapters/tracing/engine/emit/agree-arcs.js';
import { type ArcRuns, findArcs } from '#adapters/tracing/engine/emit/arc-runs.js';
import { type ChainCurves, CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { addArc } from '#test/support/arcs.js';

/** Closed chains, or ones between nodes, with their arcs made to agree. */
function agreed(list: CurveList, isClosed = true) {
  const settled = list.finish();
  const startNode = new Int32Array(settled.chainCount).fill(isClosed ? -1 : 0);
  const arcs = findArcs(settled, 1000);
  const before = [...arcs.radii];
  return { settled, arcs, before, curves: agreeArcs({ startNode }, settled, arcs) };
}

/** Centers of the arcs as they are drawn: by their ends, radius and flags. */
function centersOf({ points }: ChainCurves, { counts, radii, large }: ArcRuns): [number, number][] {
  const centers: [number, number][] = [];
  counts.forEach((count, k) => {
    if (count === 0) return;
    const [x0, y0] = [points[k * 8]!, points[k * 8 + 1]!];
    const [x1, y1] = [points[(k + count) * 8 - 2]!, points[(k + count) * 8 - 1]!];
    const chord = Math.hypot(x1 - x0, y1 - y0);
    const side = radii[k]! > 0 !== (large[k] === 1) ? 1 : -1;
    const height = (side * Math.sqrt(radii[k]! ** 2 - chord ** 2 / 4)) / chord;
    centers.push([(x0 + x1) / 2 - (y1 - y0) * height, (y0 + y1) / 2 + (x1 - x0) * height]);
  });
  return centers;
}

function expectJoined({ starts, points, chainCount }: ChainCurves): void {
  for (let c = 0; c < chainCount; c++) {
    for (let k = starts[c]!; k < starts[c + 1]!; k++) {
      const next = k + 1 < starts[c + 1]! ? k + 1 : starts[c]!;
      expect([...points.subarray(k * 8 + 6, k * 8 + 8)]).to.deep.equal([...points.subarray(next * 8, next * 8 + 2)]);
    }
  }
}

const last = (list: CurveList): [number, number] => [
  list.points.data[list.points.length - 2]!,
  list.points.data[list.points.length - 1]!,
];

/** A pill turned by an angle, radians: two half circles and the lines between them. */
function addPill(list: CurveList, x: number, y: number, length: number, r: number, angle: number): void {
  list.beginChain();
  const [dx, dy] = [length * Math.cos(angle), length * Math.sin(angle)];
  const [nx, ny] = [r * Math.sin(angle), -r * Math.cos(angle)];
  const first = list.points.length;
  addArc(list, x + dx, y + dy, r, angle - Math.PI / 2, angle + Math.PI / 2, 2);
  list.line(...last(list), x - nx, y - ny);
  addArc(list, x, y, r, angle + Math.PI / 2, angle + (3 * Math.PI) / 2, 2);
  list.line(...last(list), list.points.data[first]!, list.points.data[first + 1]!);
}

describe('arcs that agree', () => {
  it('share a center where they bound a ring sector, and their corners stay on its sides', () => {
    const list = new CurveList();
    list.beginChain();
    addArc(list, 96.301, 102.699, 71.302, 0.4, 2.3, 2);
    const [x, y] = last(list);
    const inner = [96.299 + 40.4 * Math.cos(2.3), 102.701 + 40.4 * Math.sin(2.3)] as const;
    list.line(x, y, ...inner);
    addArc(list, 96.299, 102.701, 40.4, 2.3, 0.4, 2);
    list.line(...last(list), 96.301 + 71.302 * Math.cos(0.4), 102.699 + 71.302 * Math.sin(0.4));
    const { settled, curves, arcs } = agreed(list);
    const before = centersOf(settled, arcs);
    const [a, b] = centersOf(curves, arcs);
    expect(before).to.have.length(2);
    expect(Math.hypot(before[0]![0] - before[1]![0], before[0]![1] - before[1]![1])).to.be.above(0.002);
    expect(Math.hypot(a![0] - b![0], a![1] - b![1])).to.be.below(1e-4);
    expect(Math.hypot(a![0] - 96.3, a![1] - 102.7)).to.be.below(0.02);
    expectJoined(curves);
    // The side's direction is what it was.
    const turn = (points: Float64Array) => Math.atan2(points[23]! - points[17]!, points[22]! - points[16]!);
    expect(turn(curves.points)).to.be.closeTo(turn(settled.points), 1e-9);
  });

  it('have one radius in three pills, and the sides of each are parallel', () => {
    const list = new CurveList();
    addPill(list, 40, 40, 50, 12.497, 0.4);
    addPill(list, 120, 50, 45, 12.503, -0.6);
    addPill(list, 60, 140, 70, 12.501, 0.2);
    const { curves, arcs, before } = agreed(list);
    expect(new Set(before.filter((r) => r !== 0)).size).to.be.above(1);
    const radii = [...arcs.radii].filter((r) => r !== 0);
    expect(radii).to.have.length(6);
    expect(new Set(radii).size).to.equal(1);
    // Cubics of a quarter turn are outside their circle by up to a third of a hundredth.
    expect(radii[0]).to.be.closeTo(12.5, 0.004);
    expectJoined(curves);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [2, 5].map((k) => curves.points.subarray((c * 6 + k) * 8, (c * 6 + k + 1) * 8));
      const [ax, ay, bx, by] = [a![6]! - a![0]!, a![7]! - a![1]!, b![6]! - b![0]!, b![7]! - b![1]!];
      expect((ax * by - ay * bx) / (Math.hypot(ax, ay) * Math.hypot(bx, by))).to.be.closeTo(0, 1e-9);
    }
  });

  it('are not those that differ by more than their curves leave open', () => {
    const list = new CurveList();
    addPill(list, 40, 40, 50, 12.5, 0.4);
    addPill(list, 120, 50, 45, 12.6, -0.6);
    const { arcs } = agreed(list);
    const radii = [...arcs.radii].filter((r) => r !== 0);
    expect(Math.max(...radii) - Math.min(...radii)).to.be.closeTo(0.1, 0.005);
  });

  it('keep their ends where other chains meet', () => {
    const list = new CurveList();
    list.beginChain();
    addArc(list, 50, 50, 30, 0, 1.5, 2);
    list.beginChain();
    addArc(list, 50.004, 50, 30.003, 3, 4.5, 2);
    const { settled, curves, arcs } = agreed(list, false);
    expect([...curves.points]).to.deep.equal([...settled.points]);
    expect(arcs.radii[0]).to.equal(arcs.radii[2]);
  });
});
