import { expect } from 'chai';
import { SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { LineSums } from '#adapters/tracing/engine/fit/line-sums.js';
import { PolygonFinder } from '#adapters/tracing/engine/fit/polygon.js';
import { SpanFinder } from '#adapters/tracing/engine/fit/spans.js';
import { PolygonVertices } from '#adapters/tracing/engine/fit/vertices.js';

const TOLERANCE_PX = 0.42;
const CORNER_PX = 0.34;

/** Samples a px apart along a way of points. */
function sampled(...way: readonly (readonly [number, number])[]) {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let k = 1; k < way.length; k++) {
    const [ax, ay] = way[k - 1]!;
    const [bx, by] = way[k]!;
    const steps = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay)));
    for (let s = k === 1 ? 0 : 1; s <= steps; s++) {
      xs.push(ax + ((bx - ax) * s) / steps);
      ys.push(ay + ((by - ay) * s) / steps);
    }
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys) };
}

function arcSamples(r: number, fromDegrees: number, toDegrees: number) {
  const count = Math.max(8, Math.round((Math.abs(toDegrees - fromDegrees) * Math.PI * r) / 180));
  const angle = (k: number) => ((fromDegrees + ((toDegrees - fromDegrees) * k) / count) * Math.PI) / 180;
  return {
    xs: Float64Array.from({ length: count + 1 }, (_, k) => r * Math.cos(angle(k))),
    ys: Float64Array.from({ length: count + 1 }, (_, k) => r * Math.sin(angle(k))),
  };
}

function verticesOf({ xs, ys }: { readonly xs: Float64Array; readonly ys: Float64Array }, cornerPx = CORNER_PX) {
  const sums = new LineSums();
  sums.load(xs, ys, xs.length);
  const polygon = new PolygonFinder();
  const size = polygon.find(sums, xs.length);
  const vertices = new PolygonVertices();
  vertices.load(xs, ys, xs.length, polygon.vertices, size, sums, cornerPx);
  return vertices;
}

const corners = (vertices: PolygonVertices) => [...vertices.corner.subarray(1, vertices.count - 1)];

describe('the vertices of a polygon', () => {
  it('are corners where straight sides meet, at the point where they do', () => {
    for (const turn of [30, 60, 90, 120, 150]) {
      const angle = (turn * Math.PI) / 180;
      const [x, y] = [30.3, 7.6];
      const samples = sampled([0, y], [x, y], [x + 30 * Math.cos(angle), y + 30 * Math.sin(angle)]);
      const vertices = verticesOf(samples);
      expect(corners(vertices), `${turn} degrees`).to.deep.equal([1]);
      expect(vertices.x[1]).to.be.closeTo(x, 0.05);
      expect(vertices.y[1]).to.be.closeTo(y, 0.05);
    }
  });

  it('are smooth on circles of every size', () => {
    let smooth = 0;
    for (const r of [3, 6, 12, 40, 120]) {
      const vertices = verticesOf(arcSamples(r, 0, 200));
      for (let k = 1; k < vertices.count - 1; k++) {
        expect(vertices.corner[k], `radius ${r}`).to.equal(0);
        // On the circle, with its tangent.
        const [x, y] = [vertices.x[k]!, vertices.y[k]!];
        expect(Math.hypot(x, y)).to.be.closeTo(r, 0.12);
        const radial = (vertices.tangentX[k]! * x + vertices.tangentY[k]! * y) / Math.hypot(x, y);
        expect(Math.abs(radial), `radius ${r}`).to.be.at.most(0.12);
        smooth++;
      }
    }
    expect(smooth).to.be.greaterThan(12);
  });

  it('become smooth as the corner measure is raised', () => {
    const samples = sampled([0, 0], [20, 0], [38, 9]);
    expect(corners(verticesOf(samples, 0.2))).to.deep.equal([1]);
    expect(corners(verticesOf(samples, 5))).to.deep.equal([0]);
  });

  it('have a tangent at a corner that follows the curve on the side that is asked for', () => {
    const line = sampled([-30, 0], [0, 0]);
    const { xs, ys } = arcSamples(40, -90, -30);
    const samples = {
      xs: Float64Array.from([...line.xs.slice(0, -1), ...Array.from(ys, (y) => y + 40)]),
      ys: Float64Array.from([...line.ys.slice(0, -1), ...xs]),
    };
    const vertices = verticesOf(samples);
    const at = [...vertices.corner].findIndex((corner, k) => k > 0 && corner === 1);
    expect(Math.hypot(vertices.x[at]!, vertices.y[at]!)).to.be.at.most(0.5);
    vertices.tangentTowards(at, at + 1, samples.xs, samples.ys);
    expect(vertices.endY).to.be.greaterThan(0.97);
    vertices.tangentTowards(at, at - 1, samples.xs, samples.ys);
    expect(vertices.endX).to.be.closeTo(1, 1e-6);
  });

  it('close a contour with one tangent', () => {
    const vertices = verticesOf(arcSamples(20, 0, 360));
    vertices.closeSmoothly(0, 1);
    const last = vertices.count - 1;
    for (const k of [0, last]) {
      vertices.tangentTowards(k, k === 0 ? 1 : k - 1, new Float64Array(0), new Float64Array(0));
      expect([vertices.endX, vertices.endY]).to.deep.equal([0, 1]);
    }
  });

  it('may be more than at first there was room for', () => {
    const way = Array.from({ length: 700 }, (_, k) => [k * 5, k % 2 === 0 ? 0 : 9] as const);
    const vertices = verticesOf(sampled(...way));
    expect(vertices.count).to.be.within(600, 1500);
  });
});

function spansOf(
  samples: { readonly xs: Float64Array; readonly ys: Float64Array },
  options: { price?: number; straight?: boolean } = {},
) {
  const vertices = verticesOf(samples);
  const finder = new SpanFinder();
  const spans = finder.find(samples.xs, samples.ys, vertices, {
    tolerancePx: TOLERANCE_PX,
    segmentPrice: options.price ?? 1,
    straightOnly: options.straight ?? false,
    fitRounds: 1,
  });
  const kinds = [...spans.kinds.subarray(0, spans.count)];
  return { spans, kinds, vertices };
}

/** The largest distance of samples from the spans' curves, each followed in fine steps. */
function farthest(
  { xs, ys }: { readonly xs: Float64Array; readonly ys: Float64Array },
  points: Float64Array,
  count: number,
): number {
  const curve: [number, number][] = [];
  for (let s = 0; s < count; s++)
    for (let k = 0; k <= 200; k++) {
      const t = k / 200;
      const u = 1 - t;
      const w = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      const at = (c: number) => w.reduce((sum, weight, i) => sum + weight * points[s * 8 + 2 * i + c]!, 0);
      curve.push([at(0), at(1)]);
    }
  let most = 0;
  for (let i = 0; i < xs.length; i++)
    most = Math.max(most, Math.min(...curve.map(([x, y]) => Math.hypot(x - xs[i]!, y - ys[i]!))));
  return most;
}

describe('the spans between corners', () => {
  it('are one line for a straight edge, and one for each side of a square', () => {
    expect(spansOf(sampled([0, 0], [50, 13])).kinds).to.deep.equal([SEGMENT_LINE]);
    const square = spansOf(sampled([0, 0], [30, 0], [30, 30], [0, 30], [0, 1]));
    expect(square.kinds).to.deep.equal(new Array(4).fill(SEGMENT_LINE));
    expect([square.spans.points[6], square.spans.points[7]].map((v) => Math.round(v! * 100) / 100)).to.deep.equal([
      30, 0,
    ]);
  });

  it('are few cubics for an arc, that follow it within the tolerance', () => {
    for (const r of [8, 20, 60]) {
      const samples = arcSamples(r, 0, 170);
      const { spans, kinds } = spansOf(samples);
      expect(
        kinds.every((kind) => kind === SEGMENT_CUBIC),
        `radius ${r}`,
      ).to.equal(true);
      expect(kinds.length).to.be.at.most(3);
      expect(farthest(samples, spans.points, spans.count)).to.be.at.most(TOLERANCE_PX);
    }
  });

  it('are connected, each beginning where the one before ends', () => {
    const { spans } = spansOf(sampled([0, 0], [20, 0], [32, 8], [35, 30], [10, 41], [2, 20]));
    expect(spans.count).to.be.at.least(4);
    for (let s = 1; s < spans.count; s++) {
      expect(spans.points[s * 8]).to.equal(spans.points[s * 8 - 2]);
      expect(spans.points[s * 8 + 1]).to.equal(spans.points[s * 8 - 1]);
      expect(spans.vertices[s]).to.be.greaterThan(spans.vertices[s - 1]!);
    }
    expect(spans.vertices[0]).to.equal(0);
  });

  it('are lines only where nothing else is allowed', () => {
    const samples = arcSamples(30, 0, 270);
    const { spans, kinds } = spansOf(samples, { straight: true });
    expect(kinds.every((kind) => kind === SEGMENT_LINE)).to.equal(true);
    expect(kinds.length).to.be.greaterThan(5);
    expect(farthest(samples, spans.points, spans.count)).to.be.at.most(1);
  });

  it('take no more bytes the dearer bytes are', () => {
    const count = 400;
    const xs = Float64Array.from({ length: count }, (_, k) => k);
    const wave = Float64Array.from(xs, (x) => 5 * Math.sin(x / 25) + Math.sin(x / 7));
    const bytes = [0.2, 1, 4, 16].map((price) =>
      spansOf({ xs, ys: wave }, { price }).kinds.reduce((sum, kind) => sum + (kind === SEGMENT_LINE ? 6 : 14), 0),
    );
    expect(bytes[0]).to.be.greaterThan(50);
    for (let k = 1; k < bytes.length; k++) expect(bytes[k]).to.be.at.most(bytes[k - 1]!);
  });

  it('find room for as many as there are', () => {
    const way = Array.from({ length: 500 }, (_, k) => [k * 6, k % 2 === 0 ? 0 : 11] as const);
    const { kinds } = spansOf(sampled(...way));
    expect(kinds.length).to.be.within(450, 700);
  });

  it('are tried a few times a sample, however ragged and long the chain is, and follow it still', () => {
    const tried = (count: number) => {
      // Smooth at large, and too ragged for a side of more than a few px.
      const angle = (k: number) => (k * Math.PI) / 900;
      const radius = (k: number) => 300 + 0.35 * Math.sin(k * 2.4) + 0.3 * Math.sin(k * 1.1);
      const samples = {
        xs: Float64Array.from({ length: count }, (_, k) => radius(k) * Math.cos(angle(k)) + k / 50),
        ys: Float64Array.from({ length: count }, (_, k) => radius(k) * Math.sin(angle(k))),
      };
      const vertices = verticesOf(samples);
      const finder = new SpanFinder();
      const spans = finder.find(samples.xs, samples.ys, vertices, {
        tolerancePx: 1.5,
        segmentPrice: 1,
        straightOnly: false,
        fitRounds: 1,
      });
      expect(spans.vertices[spans.count]).to.equal(vertices.count - 1);
      return finder.tries / count;
    };
    const [short, long] = [tried(6000), tried(24_000)];
    expect(short).to.be.greaterThan(1);
    expect(long).to.be.lessThan(8);
    expect(long).to.be.lessThan(short + 1);
  });
});
