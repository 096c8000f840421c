import { expect } from 'chai';
import { CurvePainter } from '#adapters/tracing/engine/fit/curve-painter.js';
import { SEGMENT_CIRCLE } from '#adapters/tracing/engine/fit/curves.js';
import { PixelBand } from '#adapters/tracing/engine/fit/pixel-band.js';
import { settleCurves } from '#adapters/tracing/engine/fit/settle.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { circle, ellipse, rectangle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const ROUNDS = 12;

const junction = (x: number, y: number) =>
  paint(64, 64, 0xe63946, [
    layer(0x1d3557, [x, y, x + 40, y - 36, 110, -40, 110, 110, x + 4, 110]),
    layer(0xf4c430, [x, y, x + 80, y + 18, 110, 110, -60, 110, x - 60, y + 60]),
  ]);

function partsAndPixels(raster: Raster, primitives = true) {
  return { ...partsOfPicture(raster, { refineRounds: 0, primitives }), rgba: toWorkingPixels(raster).rgba };
}

function settled(raster: Raster, rounds = ROUNDS, primitives = true) {
  const parts = partsAndPixels(raster, primitives);
  const { map, regions, rgba, curves, nodes } = parts;
  return { ...parts, curves: settleCurves(map, regions, rgba, curves, nodes, { rounds, splitPrice: Infinity }) };
}

/** How much the drawing differs from the picture along its edges, squared levels. */
function difference({ map, regions, rgba, curves, nodes }: ReturnType<typeof partsAndPixels>): number {
  return new CurvePainter(map, regions, new PixelBand(map, regions, rgba, curves, nodes), curves).compare(true);
}

/** Squared levels, summed along all edges of a small picture. */
const LITTLE = 100;

describe('settling curves against the pixels', () => {
  it('finds where three edges meet far nearer than the samples do', () => {
    let scenes = 0;
    for (const [x, y] of [
      [31.4, 30.7],
      [32.25, 31.1],
      [30.85, 32.6],
    ] as const) {
      const { map, nodes } = settled(junction(x, y));
      const inner = [...map.nodes.keys()].filter((n) => {
        const v = map.nodes[n]!;
        return v % 65 > 5 && v % 65 < 60 && v > 65 * 5 && v < 65 * 60;
      });
      expect(inner.length).to.equal(1);
      expect(nodes[2 * inner[0]!]).to.be.closeTo(x, 0.04);
      expect(nodes[2 * inner[0]! + 1]).to.be.closeTo(y, 0.04);
      scenes++;
    }
    expect(scenes).to.equal(3);
  });

  it('keeps all that meets at a node meeting there, whatever rests before the others', () => {
    const random = createSeededRandom(20261125);
    const at = () => 8 + 80 * random();
    let nodes = 0;
    for (let scene = 0; scene < 12; scene++) {
      const layers = [0x1d3557, 0xf4c430, 0x2a9d8f, 0xe63946, 0x8338ec].map((color, k) =>
        layer(
          color,
          k % 2 === 0 ? ellipse(at(), at(), 12 + 20 * random(), 10 + 20 * random()) : star(at(), at(), 30, 14, 5),
        ),
      );
      const { map, regions, rgba, curves, nodes: places } = partsAndPixels(paint(96, 96, 0xffffff, layers));
      const { starts, points } = settleCurves(map, regions, rgba, curves, places, { rounds: 4, splitPrice: 1 });
      for (let c = 0; c < map.chainCount; c++) {
        if (map.startNode[c]! < 0) continue;
        const ends = [points[starts[c]! * 8], points[starts[c]! * 8 + 1]];
        ends.push(points[starts[c + 1]! * 8 - 2], points[starts[c + 1]! * 8 - 1]);
        const at = [map.startNode[c]!, map.endNode[c]!].flatMap((n) => [places[2 * n], places[2 * n + 1]]);
        expect(ends, `chain ${c} of scene ${scene}`).to.deep.equal(at);
        nodes++;
      }
    }
    expect(nodes).to.be.greaterThan(100);
  });

  it('finds corners, and leaves little of what differed', () => {
    const corners = star(32, 34, 28, 11.5, 5);
    const raster = paint(64, 64, 0xffffff, [layer(0x1d3557, corners)]);
    const parts = settled(raster);
    expect(difference(parts)).to.be.lessThan(LITTLE);
    const { points, kinds } = parts.curves;
    for (let corner = 0; corner < corners.length; corner += 2) {
      let nearest = Infinity;
      for (let k = 0; k < kinds.length; k++) {
        nearest = Math.min(
          nearest,
          Math.hypot(points[k * 8]! - corners[corner]!, points[k * 8 + 1]! - corners[corner + 1]!),
        );
      }
      expect(nearest).to.be.lessThan(0.05);
    }
  });

  /** Squares of random colors, so many px a side. */
  const squares = (side: number, px: number) => {
    const random = createSeededRandom(9);
    const colors = [0xe63946, 0xf4c430, 0x1d3557, 0x2a9d8f];
    const columns = Math.ceil(side / px);
    const chosen = Array.from({ length: columns ** 2 }, () => colors[Math.floor(random() * colors.length)]!);
    const data = new Uint8ClampedArray(side * side * 4);
    for (let y = 0, i = 0; y < side; y++) {
      for (let x = 0; x < side; x++, i += 4) {
        const color = chosen[Math.floor(y / px) * columns + Math.floor(x / px)]!;
        data.set([color >> 16, (color >> 8) & 255, color & 255, 255], i);
      }
    }
    return partsAndPixels({ width: side, height: side, data });
  };

  it('brings curves nearer where thousands of edges meet everywhere', () => {
    const parts = squares(180, 2);
    const { map, regions, rgba, curves, nodes } = parts;
    expect(map.nodes.length).to.be.greaterThan(5000);
    const before = difference(parts);
    const after = settleCurves(map, regions, rgba, curves, nodes, { rounds: ROUNDS, splitPrice: Infinity });
    expect(difference({ ...parts, curves: after })).to.be.lessThan(before / 2);
  });

  it('leaves alone where so many edges meet everywhere that solving for them would take longer than it is worth', () => {
    const { map, regions, rgba, curves, nodes } = squares(380, 1);
    expect(map.nodes.length).to.be.greaterThan(30_000);
    expect(settleCurves(map, regions, rgba, curves, nodes, { rounds: ROUNDS, splitPrice: 1 })).to.equal(curves);
  });

  it('leaves alone a large picture that is nearly all edge, which would take more memory than all else', () => {
    const { map, regions, rgba, curves, nodes } = partsAndPixels(junction(31.4, 30.7));
    const points = curves.points.slice();
    const maze = { ...map, vertices: new Int32Array(300_000) };
    expect(settleCurves(maze, regions, rgba, curves, nodes, { rounds: ROUNDS, splitPrice: 1 })).to.equal(curves);
    expect(curves.points).to.deep.equal(points);
    settleCurves(map, regions, rgba, curves, nodes, { rounds: ROUNDS, splitPrice: Infinity });
    expect(curves.points).not.to.deep.equal(points);
  });

  it('brings curves back that were moved aside', () => {
    const raster = paint(64, 64, 0xffffff, [layer(0x2a9d8f, ellipse(32, 31.5, 25, 13, 25))]);
    const parts = settled(raster, ROUNDS, false);
    const at = difference(parts);
    for (let i = 0; i < parts.curves.points.length; i++) {
      if (parts.map.left[0]! >= 0 || i >= parts.curves.starts[1]! * 8) parts.curves.points[i]! += 0.3;
    }
    // The picture's border has not moved with the rest.
    expect(difference(parts)).to.be.greaterThan(at * 10);
    settleCurves(parts.map, parts.regions, parts.rgba, parts.curves, parts.nodes, {
      rounds: ROUNDS,
      splitPrice: Infinity,
    });
    expect(difference(parts)).to.be.lessThan(at * 2 + 500);
  });

  it('never makes a drawing worse, in whatever number of rounds', () => {
    const raster = paint(48, 48, 0x8ecae6, [
      layer(0xf4c430, circle(33, 13, 8)),
      layer(0x2a9d8f, ellipse(12, 40, 24, 17)),
      layer(0xe63946, rectangle(20.5, 20.5, 11, 15)),
    ]);
    let before = difference(partsAndPixels(raster));
    for (const rounds of [0, 1, 2, 4, 8]) {
      const after = difference(settled(raster, rounds));
      expect(after).to.be.at.most(before * 1.0001);
      before = after;
    }
  });

  it('splits what cannot follow, and that only', () => {
    // A leaf, whose sides a span of one segment cannot follow, and a rectangle.
    const raster = paint(64, 64, 0xffffff, [
      layer(0x1d3557, ellipse(30, 24, 25, 13, 28)),
      layer(0xe63946, rectangle(10.4, 48.2, 12, 9)),
    ]);
    const coarse = {
      ...partsOfPicture(raster, { tolerancePx: 3, segmentPrice: 20, primitives: false, fitRounds: 4 }),
      rgba: toWorkingPixels(raster).rgba,
    };
    const settle = (price: number) => {
      const { map, regions, rgba, curves, nodes } = coarse;
      const own = { ...curves, points: Float64Array.from(curves.points) };
      return {
        ...coarse,
        curves: settleCurves(map, regions, rgba, own, nodes.slice(), { rounds: ROUNDS, splitPrice: price }),
      };
    };
    const whole = settle(Infinity);
    const split = settle(1);
    expect(split.curves.kinds.length).to.be.within(whole.curves.kinds.length + 1, whole.curves.kinds.length + 12);
    expect(difference(split)).to.be.lessThan(difference(whole) / 4);
    // The rectangle was well as it was.
    const last = coarse.map.chainCount - 1;
    expect(split.curves.starts[last + 1]! - split.curves.starts[last]!).to.equal(4);
  });

  /** Ellipses in each other, longer around than what begins anew where it misses, in a square of 104 px. */
  const rings = (x: number, y: number, count = 3) =>
    Array.from({ length: count }, (_, n) =>
      layer(n % 2 === 1 ? 0xffffff : 0x1d3557, ellipse(x + 52, y + 50, 50 - 4 * n, 28 - 4 * n, 28)),
    );
  const coarsely = (raster: Raster) =>
    partsOfPicture(raster, { tolerancePx: 6, segmentPrice: 20, primitives: false, fitRounds: 4 });

  it('splits once more what still cannot follow, where edges are few for the size of the picture', () => {
    const leftAt = (size: number) => {
      const raster = paint(size, size, 0xffffff, rings(0, 0));
      const coarse = coarsely(raster);
      const { map, regions, curves, nodes } = coarse;
      const { rgba } = toWorkingPixels(raster);
      return difference({
        ...coarse,
        rgba,
        curves: settleCurves(map, regions, rgba, curves, nodes, { rounds: 4, splitPrice: 1 }),
      });
    };
    expect(leftAt(320)).to.be.lessThan(leftAt(104) / 3);
  });

  it('splits a third time where there are rounds for that, and leaves less, but not what noise may have moved', () => {
    const left = [0, 0];
    const numbers = [0, 0];
    for (let seed = 1; seed <= 6; seed++) {
      const random = createSeededRandom(seed);
      const waves = 9 + Math.floor(4 * random());
      const [turn, depth] = [2 * Math.PI * random(), 0.2 + 0.1 * random()];
      const wavy = Array.from({ length: 720 }, (_, k) => {
        const angle = (2 * Math.PI * (k >> 1)) / 360;
        const radius = 60 * (1 + depth * Math.sin(waves * angle + turn));
        return 90 + radius * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
      });
      const raster = paint(180, 180, 0xffffff, [layer(0x1d3557, wavy)]);
      const coarse = coarsely(raster);
      const { rgba } = toWorkingPixels(raster);
      for (const [k, rounds] of [12, 13].entries()) {
        const nodes = coarse.nodes.slice();
        const curves = settleCurves(coarse.map, coarse.regions, rgba, coarse.curves, nodes, {
          rounds,
          splitPrice: 0.25,
        });
        left[k]! += difference({ ...coarse, rgba, nodes, curves });
        const noisy = settleCurves(coarse.map, coarse.regions, rgba, coarse.curves, coarse.nodes.slice(), {
          rounds,
          splitPrice: 0.01,
          ripples: new Float32Array(coarse.map.chainCount).fill(1),
        });
        numbers[k]! += noisy.kinds.length;
      }
    }
    expect(left[1]).to.be.lessThan(0.85 * left[0]!);
    expect(numbers[1]).to.equal(numbers[0]);
  });

  it('splits once more in a large picture with more edges than a small one may have for that', () => {
    const PITCH = 104;
    const leftAt = (side: number) => {
      const shapes = [];
      for (let y = 0; y < side; y += PITCH) for (let x = 0; x < side; x += PITCH) shapes.push(...rings(x, y, 6));
      const raster = paint(side, side, 0xffffff, shapes);
      const coarse = coarsely(raster);
      const { map, regions, curves, nodes } = coarse;
      expect(map.vertices.length / side ** 2, 'share of edges').to.be.within(0.101, 0.199);
      const { rgba } = toWorkingPixels(raster);
      const settledCurves = settleCurves(map, regions, rgba, curves, nodes, { rounds: 4, splitPrice: 1 });
      return difference({ ...coarse, rgba, curves: settledCurves }) / shapes.length;
    };
    expect(leftAt(8 * PITCH)).to.be.lessThan(leftAt(2 * PITCH) / 2);
  });

  it('keeps nodes on the picture border, which follows them, and circles as they are', () => {
    const raster = paint(40, 40, 0xffffff, [
      layer(0x000000, [20.3, -5, 60, -5, 60, 60, 22.8, 60]),
      layer(0xe63946, circle(10, 20, 6.2)),
    ]);
    const { map, nodes, curves } = settled(raster);
    const xs = [...map.nodes.keys()].map((n) => nodes[2 * n]!).sort((a, b) => a - b);
    const slope = (22.8 - 20.3) / 65;
    expect(xs[0]).to.be.closeTo(20.3 + 5 * slope, 0.02);
    expect(xs[1]).to.be.closeTo(20.3 + 45 * slope, 0.02);
    expect([...map.nodes.keys()].map((n) => nodes[2 * n + 1])).to.have.members([0, 40]);
    expect([...curves.kinds]).to.include(SEGMENT_CIRCLE);
    for (let c = 0; c < map.chainCount; c++) {
      if (map.startNode[c]! < 0) continue;
      expect(curves.points[curves.starts[c]! * 8]).to.equal(nodes[2 * map.startNode[c]!]);
      expect(curves.points[curves.starts[c + 1]! * 8 - 2]).to.equal(nodes[2 * map.endNode[c]!]);
    }
  });
});

describe('the band of pixels along the edges', () => {
  it('holds the pixels in which edges end on the border, wherever that is', () => {
    let checked = 0;
    const house = layer(0x8ecae6, [23.21, 11.68, 41.73, 12.68, 40.59, 33.74, 22.07, 32.74]);
    for (let k = 0; k < 16; k++) {
      for (const isMirrored of [false, true]) {
        const hill = layer(0x6d4c41, ellipse(isMirrored ? 64 - 25.9 : 25.9, 48.1 + k / 8, 26.3, 19.3));
        const { map, regions, rgba, curves, nodes } = partsAndPixels(paint(64, 48, 0xffffff, [hill, house]));
        const { slotOf } = new PixelBand(map, regions, rgba, curves, nodes);
        for (let n = 0; n < map.nodes.length; n++) {
          const [x, y] = [Math.min(63, Math.floor(nodes[2 * n]!)), Math.min(47, Math.floor(nodes[2 * n + 1]!))];
          expect(slotOf[y * 64 + x], `${k} ${isMirrored}: ${x}, ${y}`).to.be.above(0);
          checked++;
        }
      }
    }
    expect(checked).to.be.greaterThan(60);
  });
});

describe('the curve painter', () => {
  it('knows how the difference changes with every vertex', () => {
    const parts = partsAndPixels(paint(64, 64, 0xffffff, [layer(0xf4c430, star(32, 34, 28, 11.5, 5))]));
    const { map, regions, rgba, curves, nodes } = parts;
    const painter = new CurvePainter(map, regions, new PixelBand(map, regions, rgba, curves, nodes), curves);
    painter.compare(true);
    painter.linearize();
    const gradient = Float64Array.from(painter.gradient);
    const STEP = 1e-4;
    let checked = 0;
    for (let c = 0; c < map.chainCount; c++) {
      if (map.left[c]! < 0 || map.right[c]! < 0) continue;
      for (let k = curves.starts[c]!; k + 1 < curves.starts[c + 1]!; k++) {
        for (const axis of [0, 1]) {
          const costs = [-STEP, STEP].map((by) => {
            const moved = { ...curves, points: Float64Array.from(curves.points) };
            // The vertex and the handles beside it, as when a vertex moves.
            for (const at of [4, 6, 8, 10]) moved.points[k * 8 + at + axis]! += by;
            return new CurvePainter(map, regions, new PixelBand(map, regions, rgba, moved, nodes), moved).compare(true);
          });
          const slope = (costs[1]! - costs[0]!) / (2 * STEP);
          const known = -2 * (gradient[k * 8 + 2 + axis]! + gradient[k * 8 + 8 + axis]!);
          expect(known).to.be.closeTo(slope, 0.05 * Math.abs(slope) + 40);
          checked++;
        }
      }
    }
    expect(checked).to.be.greaterThan(3);
  });
});
