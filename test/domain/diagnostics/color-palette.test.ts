import { expect } from 'chai';
import { colorPaletteOf } from '#domain/diagnostics/color-palette.js';
import type { Geometry, GradientStop } from '#domain/drawing/drawing.js';
import { drawingOf, shape, solid } from '#test/support/drawings.js';

const rect: Geometry = { kind: 'rect', x: 0, y: 0, width: 1, height: 1, radius: 0 };
const stop = (offset: number, color: number): GradientStop => ({ offset, color, opacity: 1 });

describe('the palette of a drawing', () => {
  it('says what share of the picture each color covers, most first', () => {
    const palette = colorPaletteOf(
      drawingOf(10, 10, () => [
        shape(rect, solid(0x0000ff), 20),
        shape(rect, solid(0xff8000), 70),
        shape(rect, solid(0x0000ff), 5),
        shape(rect, solid(0x0000ff, 0.5), 5),
      ]),
    );
    expect(palette).to.deep.equal([
      { hex: '#ff8000', rgb: [255, 128, 0], opacity: 1, coverage: 0.7, shapes: 1 },
      { hex: '#0000ff', rgb: [0, 0, 255], opacity: 1, coverage: 0.25, shapes: 2 },
      { hex: '#0000ff', rgb: [0, 0, 255], opacity: 0.5, coverage: 0.05, shapes: 1 },
    ]);
  });

  it('shares a gradient among its stops by the ramp nearest to each', () => {
    const stops = [stop(0.1, 0xff0000), stop(0.5, 0x00ff00), stop(1, 0x0000ff)];
    const palette = colorPaletteOf(
      drawingOf(10, 10, () => [shape(rect, { kind: 'linear', x1: 0, y1: 0, x2: 1, y2: 0, stops }, 100)]),
    );
    expect(palette.map(({ hex, coverage }) => [hex, coverage])).to.deep.equal([
      ['#00ff00', 0.45],
      ['#ff0000', 0.3],
      ['#0000ff', 0.25],
    ]);
  });

  it('gives the area to the fill, or to the stroke where there is none, and counts a shape once', () => {
    const stroke = {
      paint: solid(0),
      width: 1,
      cap: 'butt',
      join: 'miter',
      miterLimit: 4,
      dashes: [],
      dashOffset: 0,
    } as const;
    const palette = colorPaletteOf(
      drawingOf(10, 10, () => [
        shape(rect, null, 10, stroke),
        shape(rect, solid(0xffffff), 50, stroke),
        shape(rect, solid(0), 1, stroke),
      ]),
    );
    expect(palette.map(({ hex, coverage, shapes }) => [hex, coverage, shapes])).to.deep.equal([
      ['#ffffff', 0.5, 1],
      ['#000000', 0.11, 3],
    ]);
  });

  it('is empty for an empty drawing', () => {
    expect(colorPaletteOf(drawingOf(1, 1, () => []))).to.deep.equal([]);
  });
});
