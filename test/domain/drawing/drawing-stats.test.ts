import { expect } from 'chai';
import type { Paint } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { drawingOf, shape, solid } from '#test/support/drawings.js';

describe('counting a drawing', () => {
  it('counts nodes once and every number that places an outline', () => {
    const drawing = drawingOf(10, 10, (path) => [
      // 3 nodes: the last line comes back to the first point.
      shape(path('M 0 0 L 4 0 L 4 4 L 0 0 Z'), solid(1)),
      // 3 nodes in each of two outlines, one closed by Z alone, one left open.
      shape(path('M 0 0 L 4 0 L 4 4 Z M 1 1 L 2 1 L 2 2'), solid(1)),
      shape(path('M 0 0 Q 1 1 2 0 C 3 0 4 1 4 2 A 1 1 0 0 1 6 2 Z'), solid(2)),
    ]);
    const { nodes, parameters, paths, shapes, primitives } = drawingStatsOf(drawing);
    expect({ nodes, parameters, paths, shapes, primitives }).to.deep.equal({
      nodes: 3 + 6 + 4,
      parameters: 8 + 12 + (2 + 4 + 6 + 5),
      paths: 3,
      shapes: 3,
      primitives: 0,
    });
  });

  it('counts primitives, gradients, colors and what lies in groups', () => {
    const gradient: Paint = {
      kind: 'linear',
      x1: 0,
      y1: 0,
      x2: 1,
      y2: 0,
      stops: [
        { offset: 0, color: 0xff0000, opacity: 1 },
        { offset: 1, color: 0x0000ff, opacity: 0.5 },
      ],
    };
    const drawing = drawingOf(10, 10, (path) => [
      shape({ kind: 'circle', cx: 1, cy: 1, r: 1 }, gradient),
      {
        kind: 'group',
        opacity: 0.5,
        clip: null,
        items: [
          shape({ kind: 'rect', x: 0, y: 0, width: 2, height: 2, radius: 0.5 }, solid(0xff0000, 0.3)),
          shape({ kind: 'ellipse', cx: 1, cy: 1, rx: 1, ry: 2, rotation: 30 }, solid(0x00ff00)),
        ],
      },
      shape(path('M 0 0 L 1 1'), null, 0, {
        paint: solid(0x123456),
        width: 1,
        cap: 'butt',
        join: 'miter',
        miterLimit: 4,
        dashes: [],
        dashOffset: 0,
      }),
    ]);
    expect(drawingStatsOf(drawing)).to.deep.equal({
      shapes: 4,
      paths: 1,
      primitives: 3,
      gradients: 1,
      nodes: 14,
      parameters: 3 + 5 + 5 + 4,
      colors: 4,
    });
  });

  it('counts nothing in an empty drawing', () => {
    const counts = Object.values(drawingStatsOf(drawingOf(1, 1, () => [])));
    expect(counts).to.deep.equal([0, 0, 0, 0, 0, 0, 0]);
  });
});
