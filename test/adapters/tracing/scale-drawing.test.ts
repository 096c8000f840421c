import { expect } from 'chai';
import { scaleDrawing } from '#adapters/tracing/scale-drawing.js';
import type { Drawing, DrawingItem, Shape } from '#domain/drawing/drawing.js';
import { drawingOf, shape, solid } from '#test/support/drawings.js';

const whole = (): Drawing =>
  drawingOf(100, 50, (path) => [
    shape(path('M 10 10 L 20 10 Q 25 15 20 20 C 18 22 12 22 10 20 A 5 6 30 1 0 10 10 Z'), solid(0xff0000), 100),
    shape({ kind: 'circle', cx: 50, cy: 25, r: 10 }, solid(0x00ff00), 314),
    shape({ kind: 'ellipse', cx: 70, cy: 30, rx: 8, ry: 4, rotation: 20 }, null, 0, {
      paint: solid(0),
      width: 2,
      cap: 'round',
      join: 'round',
      miterLimit: 4,
      dashes: [],
      dashOffset: 0,
    }),
    {
      kind: 'group',
      opacity: 0.5,
      clip: [{ kind: 'rect', x: 1, y: 2, width: 30, height: 40, radius: 3 }],
      items: [shape({ kind: 'rect', x: 5, y: 6, width: 7, height: 8, radius: 1 }, solid(1), 56)],
    },
  ]);
const shapeAt = (items: readonly DrawingItem[], k: number) => items[k] as Shape;

describe('a drawing brought to another size', () => {
  it('is the same object where the size is the same', () => {
    const drawing = whole();
    expect(scaleDrawing(drawing, 100, 50)).to.equal(drawing);
  });

  it('has every coordinate, radius and width multiplied, and areas by both factors', () => {
    const scaled = scaleDrawing(whole(), 300, 150);
    expect([scaled.width, scaled.height]).to.deep.equal([300, 150]);
    // Rotation and flags of the arc stay.
    expect([...scaled.coords]).to.deep.equal([
      30, 30, 60, 30, 75, 45, 60, 60, 54, 66, 36, 66, 30, 60, 15, 18, 30, 1, 0, 30, 30,
    ]);
    expect(shapeAt(scaled.items, 1).geometry).to.deep.equal({ kind: 'circle', cx: 150, cy: 75, r: 30 });
    expect(shapeAt(scaled.items, 1).visibleAreaPx).to.equal(314 * 9);
    expect(shapeAt(scaled.items, 2).geometry).to.deep.equal({
      kind: 'ellipse',
      cx: 210,
      cy: 90,
      rx: 24,
      ry: 12,
      rotation: 20,
    });
    expect(shapeAt(scaled.items, 2).stroke?.width).to.equal(6);
    const group = scaled.items[3]!;
    if (group.kind !== 'group') throw new RangeError('the group is gone');
    expect(group.opacity).to.equal(0.5);
    expect(group.clip).to.deep.equal([{ kind: 'rect', x: 3, y: 6, width: 90, height: 120, radius: 9 }]);
    expect(shapeAt(group.items, 0).geometry).to.deep.equal({
      kind: 'rect',
      x: 15,
      y: 18,
      width: 21,
      height: 24,
      radius: 3,
    });
  });

  it('keeps circles circles where the sides are rounded apart', () => {
    const scaled = scaleDrawing(whole(), 301, 150);
    const { geometry } = shapeAt(scaled.items, 1);
    if (geometry.kind !== 'circle') throw new RangeError('the circle is gone');
    expect(geometry.cx).to.be.closeTo(150.5, 1e-9);
    expect(geometry.cy).to.be.closeTo(75, 1e-9);
    expect(geometry.r).to.be.closeTo(10 * Math.sqrt(3.01 * 3), 1e-9);
    expect(scaled.coords[14]).to.be.closeTo(5 * Math.sqrt(3.01 * 3), 1e-9);
  });

  it('leaves the drawing it comes from as it was', () => {
    const drawing = whole();
    scaleDrawing(drawing, 200, 100);
    expect(drawing).to.deep.equal(whole());
  });

  it('has gradients where its shapes are', () => {
    const stops = [
      { offset: 0, color: 0, opacity: 1 },
      { offset: 1, color: 0xffffff, opacity: 1 },
    ];
    const rect = { kind: 'rect', x: 0, y: 0, width: 10, height: 10, radius: 0 } as const;
    const linear = { kind: 'linear', x1: 1, y1: 2, x2: 3, y2: 4, stops } as const;
    const radial = { kind: 'radial', cx: 5, cy: 6, r: 7, fx: 8, fy: 9, stops } as const;
    const drawing = drawingOf(100, 50, () => [
      shape(rect, linear, 0),
      shape(rect, radial, 0),
      shape(rect, { ...radial, matrix: [1, 2, 3, 4, 5, 6] }, 0),
    ]);
    const fills = scaleDrawing(drawing, 200, 100).items.map((item) => (item as Shape).fill);
    expect(fills[0]).to.deep.equal({ kind: 'linear', x1: 2, y1: 4, x2: 6, y2: 8, stops });
    expect(fills[1]).to.deep.equal({ kind: 'radial', cx: 10, cy: 12, r: 14, fx: 16, fy: 18, stops });
    expect(fills[2]).to.deep.equal({ ...radial, matrix: [2, 4, 6, 8, 10, 12] });
  });
});
