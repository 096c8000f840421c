import { expect } from 'chai';
import fc from 'fast-check';
import { flatten } from '#adapters/tracing/fidelity/flatten.js';
import { signedAreaOf } from '#domain/drawing/area.js';
import { boundsOfGeometry, boundsOfShape } from '#domain/drawing/bounds.js';
import type { Geometry } from '#domain/drawing/drawing.js';
import { Polylines } from '#domain/drawing/polylines.js';
import {
  type BuilderStep,
  createDrawingBuilder,
  rectOf,
  shapeOf,
  solid,
  strokeOf,
} from '#test/support/drawing-builder.js';
import { holds } from '#test/support/properties.js';

/** Bounds and area of the outline's fine polygon: the other way to the same figures. */
function measured(geometry: Geometry, drawing: ReturnType<ReturnType<typeof createDrawingBuilder>['drawing']>) {
  const lines = new Polylines();
  flatten(geometry, drawing, 1e-5, lines);
  const bounds = { minX: 1 / 0, minY: 1 / 0, maxX: -1 / 0, maxY: -1 / 0 };
  let area = 0;
  for (let i = 0; i < lines.count; i++) {
    const from = lines.starts[i]!;
    const to = lines.starts[i + 1]!;
    let x0 = lines.points[2 * to - 2]!;
    let y0 = lines.points[2 * to - 1]!;
    for (let k = from; k < to; k++) {
      const x = lines.points[2 * k]!;
      const y = lines.points[2 * k + 1]!;
      area += (x0 * y - y0 * x) / 2;
      bounds.minX = Math.min(bounds.minX, x);
      bounds.minY = Math.min(bounds.minY, y);
      bounds.maxX = Math.max(bounds.maxX, x);
      bounds.maxY = Math.max(bounds.maxY, y);
      x0 = x;
      y0 = y;
    }
  }
  return { bounds, area };
}

const number = fc.double({ min: -60, max: 60, noNaN: true });
const numbers = (count: number) => fc.array(number, { minLength: count, maxLength: count });
const radius = fc.double({ min: 1, max: 50, noNaN: true });
const piece: fc.Arbitrary<BuilderStep> = fc.oneof(
  numbers(2).map((n): BuilderStep => ['L', ...n]),
  numbers(4).map((n): BuilderStep => ['Q', ...n]),
  numbers(6).map((n): BuilderStep => ['C', ...n]),
  fc
    .tuple(radius, radius, number, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }), number, number)
    .map((n): BuilderStep => ['A', ...n]),
);

describe('bounds and area', () => {
  it('agree with a fine polygon of any path', () => {
    let compared = 0;
    holds(
      fc.property(numbers(2), fc.array(piece, { minLength: 1, maxLength: 6 }), (start, pieces) => {
        const builder = createDrawingBuilder(10, 10);
        const path = builder.path([['M', ...start], ...pieces, ['Z'], ['M', 1, 1], ['L', 2, 1], ['L', 2, 3]]);
        const drawing = builder.drawing();
        const { bounds, area } = measured(path, drawing);
        const exact = boundsOfGeometry(path, drawing)!;
        for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
          expect(exact[side]).to.be.closeTo(bounds[side], 2e-3, side);
        expect(signedAreaOf(path, drawing)).to.be.closeTo(area, 0.2);
        compared++;
      }),
      500,
    );
    expect(compared).to.equal(500);
  });

  const primitives: readonly Geometry[] = [
    { kind: 'circle', cx: 5, cy: 6, r: 3 },
    { kind: 'ellipse', cx: 5, cy: -6, rx: 9, ry: 2, rotation: 30 },
    rectOf(1, 2, 30, 4),
    rectOf(1, 2, 30, 14, 5),
  ];
  for (const [i, geometry] of primitives.entries())
    it(`agree with a fine polygon of a ${geometry.kind} (${i})`, () => {
      const drawing = createDrawingBuilder(10, 10).drawing();
      const { bounds, area } = measured(geometry, drawing);
      const exact = boundsOfGeometry(geometry, drawing)!;
      for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
        expect(exact[side]).to.be.closeTo(bounds[side], 1e-3);
      expect(signedAreaOf(geometry, drawing)).to.be.closeTo(area, 1e-2);
    });

  it('give a quarter of a circle its own corner', () => {
    const builder = createDrawingBuilder(10, 10);
    const path = builder.path([['M', 10, 0], ['A', 10, 10, 0, 0, 1, 0, 10], ['L', 0, 0], ['Z']]);
    const drawing = builder.drawing();
    expect({ ...boundsOfGeometry(path, drawing) }).to.deep.equal({ minX: 0, minY: 0, maxX: 10, maxY: 10 });
    expect(signedAreaOf(path, drawing)).to.be.closeTo(25 * Math.PI, 1e-9);
  });

  it('take a hole that runs the other way off the area', () => {
    const builder = createDrawingBuilder(10, 10);
    const ring = builder.path([
      ...([['M', 0, 0], ['L', 10, 0], ['L', 10, 10], ['L', 0, 10], ['Z']] as const),
      ...([['M', 2, 2], ['L', 2, 4], ['L', 4, 4], ['L', 4, 2], ['Z']] as const),
    ]);
    expect(signedAreaOf(ring, builder.drawing())).to.equal(96);
  });

  it('are nothing for a path without points', () => {
    const builder = createDrawingBuilder(10, 10);
    const path = builder.path([]);
    expect(boundsOfGeometry(path, builder.drawing())).to.equal(undefined);
    expect(signedAreaOf(path, builder.drawing())).to.equal(0);
  });

  it('grow by half the stroke, and by the longest miter where a path may have one', () => {
    const builder = createDrawingBuilder(10, 10);
    const path = builder.path([
      ['M', 0, 0],
      ['L', 10, 0],
    ]);
    const drawing = builder.drawing();
    const grown = (geometry: Geometry, more: Parameters<typeof strokeOf>[2]) =>
      boundsOfShape(shapeOf(geometry, null, strokeOf(solid(0), 2, more)), drawing)!.minX;
    expect(grown(rectOf(0, 0, 5, 5), {})).to.equal(-1);
    expect(grown(path, { join: 'round', cap: 'round' })).to.equal(-1);
    expect(grown(path, { join: 'round', cap: 'square' })).to.equal(-Math.SQRT2);
    expect(grown(path, { join: 'miter', miterLimit: 4 })).to.equal(-4);
  });
});
