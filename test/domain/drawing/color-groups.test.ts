import { expect } from 'chai';
import fc from 'fast-check';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import { colorGroupsOf, colorLayoutOf, MAX_NAMED_SHAPES } from '#domain/drawing/color-groups.js';
import type { Drawing, DrawingItem, Shape } from '#domain/drawing/drawing.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { holds } from '#test/support/properties.js';

const RED = 0xff0000;
const BLUE = 0x0000ff;
const drawingOf = (items: readonly DrawingItem[], size = 100): Drawing =>
  createDrawingBuilder(size, size).drawing(items);
const square = (x: number, y: number, side: number, color: number) => shapeOf(rectOf(x, y, side, side), solid(color));

describe('color groups', () => {
  it('join shapes of one color past others that lie elsewhere', () => {
    const drawing = drawingOf([square(0, 0, 5, RED), square(50, 50, 5, BLUE), square(80, 0, 5, RED)]);
    const groups = colorGroupsOf(drawing);
    expect(
      groups.map(({ id, hex, color, opacity, shapeIds }) => ({ id, hex, color, opacity, shapeIds })),
    ).to.deep.equal([
      { id: 'c-ff0000', hex: '#ff0000', color: RED, opacity: 1, shapeIds: ['s1', 's2'] },
      { id: 'c-0000ff', hex: '#0000ff', color: BLUE, opacity: 1, shapeIds: ['s3'] },
    ]);
  });

  it('keep a shape behind what covers it', () => {
    const drawing = drawingOf([square(0, 0, 50, RED), square(0, 0, 30, BLUE), square(10, 10, 10, RED)]);
    expect(colorGroupsOf(drawing).map(({ id }) => id)).to.deep.equal(['c-ff0000', 'c-0000ff', 'c-ff0000-2']);
  });

  it('keep the order of neighbors that share a pixel', () => {
    const drawing = drawingOf([square(0, 0, 20, RED), square(20.5, 0, 20, BLUE), square(41, 0, 20, RED)]);
    expect(colorGroupsOf(drawing)).to.have.length(3);
  });

  it('tell paints apart by opacity and stroke', () => {
    const drawing = drawingOf([
      square(0, 0, 5, RED),
      shapeOf(rectOf(20, 0, 5, 5), solid(RED, 0.5)),
      shapeOf(rectOf(40, 0, 5, 5), solid(RED), strokeOf(solid(BLUE), 1)),
      shapeOf(rectOf(60, 0, 5, 5), null, strokeOf(solid(BLUE), 1)),
      shapeOf(rectOf(80, 0, 5, 5), null),
    ]);
    expect(colorGroupsOf(drawing).map(({ id, opacity }) => [id, opacity])).to.deep.equal([
      ['c-ff0000', 1],
      ['c-ff0000-2', 0.5],
      ['c-ff0000-3', 1],
      ['c-0000ff', 1],
      ['c-none', 0],
    ]);
  });

  it('stay within the groups of the drawing', () => {
    const group = { kind: 'group', opacity: 0.5, clip: null, items: [square(60, 60, 5, RED)] } as const;
    const drawing = drawingOf([square(0, 0, 5, RED), group, square(30, 0, 5, RED)]);
    expect(colorLayoutOf(drawing).map(({ kind }) => kind)).to.deep.equal(['color-group', 'group', 'color-group']);
    expect(colorGroupsOf(drawing).map(({ id, shapeIds }) => [id, ...shapeIds])).to.deep.equal([
      ['c-ff0000', 's1'],
      ['c-ff0000-2', 's2'],
      ['c-ff0000-3', 's3'],
    ]);
  });

  it('name no shapes above the limit', () => {
    const many = (count: number) => drawingOf(Array.from({ length: count }, () => square(1, 1, 1, RED)));
    expect(colorGroupsOf(many(MAX_NAMED_SHAPES))[0]!.shapeIds).to.have.length(MAX_NAMED_SHAPES);
    const [group] = colorGroupsOf(many(MAX_NAMED_SHAPES + 1));
    expect(group!.shapeIds).to.deep.equal([]);
    expect(group!.shapes).to.have.length(MAX_NAMED_SHAPES + 1);
  });

  it('never change the picture, and lose no shape', () => {
    let fewer = 0;
    const shape = fc
      .tuple(
        fc.double({ min: -10, max: 100, noNaN: true }),
        fc.double({ min: -10, max: 100, noNaN: true }),
        fc.oneof(fc.double({ min: 0.2, max: 6, noNaN: true }), fc.double({ min: 5, max: 60, noNaN: true })),
        fc.constantFrom(RED, BLUE, 0x00ff00),
        fc.constantFrom(1, 0.5),
      )
      .map(([x, y, r, color, opacity]): Shape => shapeOf({ kind: 'circle', cx: x, cy: y, r }, solid(color, opacity)));
    holds(
      fc.property(fc.array(shape, { minLength: 2, maxLength: 60 }), (shapes) => {
        const before = drawingOf(shapes);
        const groups = colorGroupsOf(before);
        const sorted = groups.flatMap((group) => group.shapes);
        expect(sorted).to.have.length(shapes.length);
        expect(new Set(sorted).size).to.equal(shapes.length);
        expect(new Set(groups.map(({ id }) => id)).size).to.equal(groups.length);
        const a = renderDrawing(before, 100, 100);
        const b = renderDrawing(drawingOf(sorted), 100, 100);
        expect(Buffer.compare(a, b)).to.equal(0);
        const runs = shapes.filter((s, i) => i === 0 || s.fill !== shapes[i - 1]!.fill).length;
        if (groups.length < runs) fewer++;
      }),
      150,
    );
    expect(fewer).to.be.above(50);
  });

  it('sort fifty thousand shapes and lose none', () => {
    const items = Array.from({ length: 50_000 }, (_, i) =>
      square((i * 7919) % 990, (i * 104_729) % 985, 1 + (i % 100 === 0 ? 400 : i % 9), (i * 2_654_435) % 12),
    );
    const drawing = drawingOf(items, 1000);
    const groups = colorGroupsOf(drawing);
    expect(groups.reduce((sum, { shapes }) => sum + shapes.length, 0)).to.equal([...shapesOf(items)].length);
  });
});
