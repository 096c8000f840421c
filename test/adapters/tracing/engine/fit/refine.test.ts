import { expect } from 'chai';
import { SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { ChainRefiner } from '#adapters/tracing/engine/fit/refine.js';
import { Spans } from '#adapters/tracing/engine/fit/spans.js';
import { PolygonVertices } from '#adapters/tracing/engine/fit/vertices.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

interface Chain {
  readonly spans: Spans;
  readonly vertices: PolygonVertices;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly weights: Float32Array;
}

type Segment = readonly [kind: number, ...points: number[]];

const pointAt = (points: ArrayLike<number>, s: number, t: number): readonly [number, number] => {
  const u = 1 - t;
  const w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  const at = (c: number) => w.reduce((sum, weight, i) => sum + weight * points[s * 8 + 2 * i + c]!, 0);
  return [at(0), at(1)];
};

/** A chain whose samples lie on `truth`, with spans that are `truth` disturbed by up to `disturbPx`. */
function chainOf(truth: readonly Segment[], perSegment: number, disturb: () => number, closed: boolean): Chain {
  const points = truth.flatMap(([, ...p]) => p);
  const xs: number[] = [];
  const ys: number[] = [];
  const vertices = new PolygonVertices();
  const spans = new Spans();
  spans.count = truth.length;
  truth.forEach(([kind], s) => {
    vertices.index[s] = xs.length;
    spans.vertices[s] = s;
    spans.kinds[s] = kind;
    for (let k = 0; k < perSegment; k++) {
      const [x, y] = pointAt(points, s, k / perSegment);
      xs.push(x);
      ys.push(y);
    }
  });
  const [x, y] = pointAt(points, truth.length - 1, 1);
  xs.push(x);
  ys.push(y);
  vertices.index[truth.length] = xs.length - 1;
  spans.vertices[truth.length] = truth.length;
  vertices.count = truth.length + 1;

  const moved = points.map((v) => v + disturb());
  const last = truth.length * 8;
  for (let s = 1; s < truth.length; s++) for (let c = 0; c < 2; c++) moved[s * 8 + c] = moved[s * 8 - 2 + c]!;
  for (let c = 0; c < 2; c++) {
    // Open ends are nodes, which hold still; a closed chain ends where it begins.
    if (!closed) {
      moved[c] = points[c]!;
      moved[last - 2 + c] = points[last - 2 + c]!;
    } else moved[last - 2 + c] = moved[c]!;
  }
  spans.points.set(moved);
  return {
    spans,
    vertices,
    xs: Float64Array.from(xs),
    ys: Float64Array.from(ys),
    weights: new Float32Array(xs.length).fill(1),
  };
}

/** Root mean square distance of the samples from the curves. */
function missPx({ spans, xs, ys }: Chain): number {
  const curve: (readonly [number, number])[] = [];
  for (let s = 0; s < spans.count; s++) for (let k = 0; k <= 400; k++) curve.push(pointAt(spans.points, s, k / 400));
  let sum = 0;
  for (let i = 0; i < xs.length; i++) sum += Math.min(...curve.map(([x, y]) => (x - xs[i]!) ** 2 + (y - ys[i]!) ** 2));
  return Math.sqrt(sum / xs.length);
}

const refine = ({ spans, vertices, xs, ys, weights }: Chain, closed: boolean, rounds: number) =>
  new ChainRefiner().refine(spans, vertices, xs, ys, weights, closed ? 0 : 1, xs.length - 2, closed, rounds);

const S_CURVE: readonly Segment[] = [
  [SEGMENT_CUBIC, 0, 0, 8, 0, 14, 6, 20, 12],
  [SEGMENT_CUBIC, 20, 12, 26, 18, 36, 20, 44, 16],
  [SEGMENT_LINE, 44, 16, 44, 16, 64, 6, 64, 6],
];
const K = 0.5523 * 15;
const CIRCLE: readonly Segment[] = [
  [SEGMENT_CUBIC, 15, 0, 15, K, K, 15, 0, 15],
  [SEGMENT_CUBIC, 0, 15, -K, 15, -15, K, -15, 0],
  [SEGMENT_CUBIC, -15, 0, -15, -K, -K, -15, 0, -15],
  [SEGMENT_CUBIC, 0, -15, K, -15, 15, -K, 15, 0],
];
const WEDGE: readonly Segment[] = [
  [SEGMENT_LINE, 0, 0, 0, 0, 30, 4, 30, 4],
  [SEGMENT_CUBIC, 30, 4, 34, 14, 30, 26, 20, 30],
  [SEGMENT_LINE, 20, 30, 20, 30, 0, 0, 0, 0],
];

describe('the refinement of a chain', () => {
  for (const [name, truth, closed] of [
    ['an open curve', S_CURVE, false],
    ['a closed curve', CIRCLE, true],
    ['a closed contour with corners', WEDGE, true],
  ] as const)
    it(`leads ${name} from a disturbed start to its samples`, () => {
      const random = createSeededRandom(41);
      for (let start = 0; start < 12; start++) {
        const chain = chainOf(truth, 40, () => (random() - 0.5) * 0.7, closed);
        const before = missPx(chain);
        refine(chain, closed, 12);
        expect(before).to.be.greaterThan(0.03);
        expect(missPx(chain), `start ${start}`).to.be.at.most(Math.min(0.06, before));
      }
    });

  it('never ends worse than it began, however bad the start', () => {
    const random = createSeededRandom(77);
    let better = 0;
    for (let start = 0; start < 60; start++) {
      const chain = chainOf(S_CURVE, 25, () => (random() - 0.5) * 3, false);
      const before = missPx(chain);
      refine(chain, false, 8);
      const after = missPx(chain);
      expect(after, `start ${start}`).to.be.at.most(before * 1.1 + 0.02);
      if (after < before * 0.7) better++;
    }
    expect(better).to.be.greaterThan(40);
  });

  it('leaves a chain that fits where it is', () => {
    const chain = chainOf(S_CURVE, 40, () => 0, false);
    const before = Float64Array.from(chain.spans.points);
    refine(chain, false, 8);
    for (let i = 0; i < 24; i++) expect(chain.spans.points[i]).to.be.closeTo(before[i]!, 0.05);
  });

  it('holds the ends of an open chain still and keeps segments connected', () => {
    const random = createSeededRandom(5);
    const chain = chainOf(S_CURVE, 30, () => (random() - 0.5) * 0.8, false);
    refine(chain, false, 8);
    const { points } = chain.spans;
    expect([points[0], points[1], points[22], points[23]]).to.deep.equal([0, 0, 64, 6]);
    for (const s of [1, 2])
      expect([points[s * 8], points[s * 8 + 1]]).to.deep.equal([points[s * 8 - 2], points[s * 8 - 1]]);
    const closed = chainOf(CIRCLE, 30, () => (random() - 0.5) * 0.5, true);
    refine(closed, true, 8);
    expect([closed.spans.points[30], closed.spans.points[31]]).to.deep.equal([
      closed.spans.points[0],
      closed.spans.points[1],
    ]);
  });

  it('makes one tangent of two that nearly agree', () => {
    const random = createSeededRandom(6);
    const chain = chainOf(CIRCLE, 40, () => (random() - 0.5) * 0.3, true);
    refine(chain, true, 8);
    const { points } = chain.spans;
    let smooth = 0;
    for (let s = 0; s < 4; s++) {
      const next = ((s + 1) % 4) * 8;
      const arriving = Math.atan2(points[s * 8 + 7]! - points[s * 8 + 5]!, points[s * 8 + 6]! - points[s * 8 + 4]!);
      const leaving = Math.atan2(points[next + 3]! - points[next + 1]!, points[next + 2]! - points[next]!);
      const turn = Math.abs(arriving - leaving) % (2 * Math.PI);
      if (Math.min(turn, 2 * Math.PI - turn) < 1e-9) smooth++;
    }
    expect(smooth).to.be.greaterThan(1);
  });

  it('does nothing where there is nothing to move or nothing to go by', () => {
    const single = chainOf([[SEGMENT_LINE, 0, 0, 0, 0, 20, 5, 20, 5]], 20, () => 0, false);
    refine(single, false, 8);
    expect([...single.spans.points.subarray(0, 8)]).to.deep.equal([0, 0, 0, 0, 20, 5, 20, 5]);
    const empty = new Spans();
    const none = new Float64Array(0);
    new ChainRefiner().refine(empty, new PolygonVertices(), none, none, new Float32Array(0), 0, -1, false, 8);
    expect(empty.count).to.equal(0);
  });

  it('counts samples that are far away: losing them is no progress', () => {
    const chain = chainOf(CIRCLE, 30, () => 0, true);
    for (let i = 20; i < 26; i++) {
      chain.xs[i]! += 9;
      chain.ys[i]! += 9;
    }
    refine(chain, true, 12);
    for (let k = 0; k < 100; k++)
      for (let s = 0; s < 4; s++) {
        const [x, y] = pointAt(chain.spans.points, s, k / 100);
        expect(Math.hypot(x, y)).to.be.closeTo(15, 0.3);
      }
  });

  it('gives the same bytes twice, on a fresh object and a used one', () => {
    const used = new ChainRefiner();
    const results = [used, used, new ChainRefiner()].map((refiner) => {
      const random = createSeededRandom(8);
      const { spans, vertices, xs, ys, weights } = chainOf(WEDGE, 33, () => (random() - 0.5) * 0.6, true);
      refiner.refine(spans, vertices, xs, ys, weights, 0, xs.length - 2, true, 8);
      return [...spans.points.subarray(0, 24)];
    });
    expect(results[1]).to.deep.equal(results[0]);
    expect(results[2]).to.deep.equal(results[0]);
  });
});
