import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import fc from 'fast-check';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import type { Drawing, Geometry, Stroke } from '#domain/drawing/drawing.js';
import { writeSvg } from '#domain/exports/svg-document.js';
import { svgOptions } from '#plugins/svg/options.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { holds } from '#test/support/properties.js';

const BLACK = solid(0);
const alphaOf = (pixels: Uint8Array, width: number, x: number, y: number) => pixels[4 * (y * width + x) + 3]!;
const sumOfAlpha = (pixels: Uint8Array) => pixels.reduce((sum, value, i) => (i % 4 === 3 ? sum + value : sum), 0) / 255;
const only = (geometry: Geometry, size = 64): Drawing =>
  createDrawingBuilder(size, size).drawing([shapeOf(geometry, BLACK)]);

/** How much of the pixel [at, at + 1] lies between from and to. */
const overlap = (at: number, from: number, to: number) => Math.max(0, Math.min(at + 1, to) - Math.max(at, from));

/** The share of channels that differ by more than 24 of 255, and the mean difference. */
function differenceToResvg(drawing: Drawing, scale: number) {
  const { text } = writeSvg(drawing, svgOptions.parseOptions({ precision: 4 }));
  const { pixels } = new Resvg(text, { fitTo: { mode: 'zoom', value: scale } }).render();
  const ours = renderDrawing(drawing, drawing.width * scale, drawing.height * scale);
  expect(ours.length).to.equal(pixels.length);
  let far = 0;
  let sum = 0;
  for (let i = 0; i < ours.length; i++) {
    const difference = Math.abs(ours[i]! - pixels[i]!);
    sum += difference;
    if (difference > 24) far++;
  }
  return { far: far / ours.length, mean: sum / ours.length, painted: sumOfAlpha(ours) };
}

describe('the rasterizer', () => {
  it('covers each pixel of a rectangle by exactly its share', () => {
    const side = fc.double({ min: -4, max: 20, noNaN: true });
    let compared = 0;
    holds(
      fc.property(side, side, side, side, (x0, y0, x1, y1) => {
        const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
        const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
        const pixels = renderDrawing(only(rectOf(left, top, right - left, bottom - top), 16), 16, 16);
        for (let y = 0; y < 16; y++) {
          for (let x = 0; x < 16; x++) {
            const exact = overlap(x, left, right) * overlap(y, top, bottom) * 255;
            expect(Math.abs(alphaOf(pixels, 16, x, y) - exact)).to.be.below(1, `${x}, ${y}`);
            compared++;
          }
        }
      }),
      200,
    );
    expect(compared).to.equal(200 * 256);
  });

  it('covers half of each pixel that a diagonal cuts in two', () => {
    const builder = createDrawingBuilder(8, 8);
    const triangle = builder.path([['M', 0, 0], ['L', 8, 8], ['L', 0, 8], ['Z']]);
    const pixels = renderDrawing(builder.drawing([shapeOf(triangle, BLACK)]), 8, 8);
    for (let y = 0; y < 8; y++)
      for (let x = 0; x < 8; x++)
        expect(alphaOf(pixels, 8, x, y)).to.be.closeTo(x === y ? 127.5 : x < y ? 255 : 0, 0.5, `${x}, ${y}`);
  });

  it('gives circles, ellipses and arcs their area', () => {
    const builder = createDrawingBuilder(64, 64);
    const arcs = builder.path([['M', 8, 32], ['A', 20, 20, 0, 0, 1, 48, 32], ['A', 20, 20, 0, 0, 1, 8, 32], ['Z']]);
    const area = (drawing: Drawing) => sumOfAlpha(renderDrawing(drawing, 64, 64));
    expect(area(only({ kind: 'circle', cx: 31.3, cy: 30.7, r: 20 })) / (Math.PI * 400)).to.be.closeTo(1, 1e-3);
    const ellipse = { kind: 'ellipse', cx: 31.3, cy: 30.7, rx: 26, ry: 9, rotation: 33 } as const;
    expect(area(only(ellipse)) / (Math.PI * 26 * 9)).to.be.closeTo(1, 1e-3);
    expect(area(builder.drawing([shapeOf(arcs, BLACK)])) / (Math.PI * 400)).to.be.closeTo(1, 1e-3);
  });

  it('draws shapes that leave the canvas on all sides', () => {
    for (const [cx, cy] of [
      [0, 32],
      [64, 32],
      [32, 0],
      [32, 64],
    ] as const) {
      const pixels = renderDrawing(only({ kind: 'circle', cx, cy, r: 20 }), 64, 64);
      expect(sumOfAlpha(pixels)).to.be.closeTo((Math.PI * 400) / 2, 2);
    }
    const all = renderDrawing(only({ kind: 'circle', cx: 32, cy: 32, r: 4000 }), 64, 64);
    expect(sumOfAlpha(all)).to.equal(64 * 64);
    expect(sumOfAlpha(renderDrawing(only(rectOf(70, 3, 9, 9)), 64, 64))).to.equal(0);
    expect(sumOfAlpha(renderDrawing(only(rectOf(-70, 3, 9, 9)), 64, 64))).to.equal(0);
  });

  it('fills by the nonzero and the even-odd rule', () => {
    const twice = (evenOdd: boolean, sameWay: boolean) => {
      const builder = createDrawingBuilder(10, 10);
      const path = builder.path(
        [
          ...([['M', 0, 0], ['L', 9, 0], ['L', 9, 9], ['L', 0, 9], ['Z']] as const),
          ...(sameWay
            ? ([['M', 2, 2], ['L', 6, 2], ['L', 6, 6], ['L', 2, 6], ['Z']] as const)
            : ([['M', 2, 2], ['L', 2, 6], ['L', 6, 6], ['L', 6, 2], ['Z']] as const)),
        ],
        evenOdd,
      );
      return sumOfAlpha(renderDrawing(builder.drawing([shapeOf(path, BLACK)]), 10, 10));
    };
    expect(twice(false, true)).to.equal(81);
    expect(twice(true, true)).to.equal(65);
    expect(twice(false, false)).to.equal(65);
  });

  it('covers pixels wholly or not at all where edges are crisp', () => {
    const drawing = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(0.2, 0.8, 5, 5), BLACK)], true);
    const pixels = renderDrawing(drawing, 10, 10);
    expect(new Set(pixels.filter((_, i) => i % 4 === 3))).to.deep.equal(new Set([0, 255]));
    expect(sumOfAlpha(pixels)).to.equal(25);
  });

  it('lays a translucent group over what is behind as one', () => {
    const items = [shapeOf(rectOf(0, 0, 6, 6), solid(0xff0000)), shapeOf(rectOf(3, 0, 6, 6), solid(0x0000ff))];
    const group = { kind: 'group', opacity: 0.5, clip: [rectOf(0, 0, 10, 3)], items } as const;
    const drawing = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(0, 0, 10, 10), solid(0xffffff)), group]);
    const pixels = renderDrawing(drawing, 10, 10);
    const at = (x: number, y: number) => [...pixels.subarray(4 * (10 * y + x), 4 * (10 * y + x) + 4)];
    expect(at(1, 1)).to.deep.equal([255, 128, 128, 255]);
    expect(at(4, 1)).to.deep.equal([128, 128, 255, 255]);
    expect(at(4, 4)).to.deep.equal([255, 255, 255, 255]);
  });

  const strokes: readonly [string, number, Partial<Stroke>][] = [
    ['butt', 10 * 4, {}],
    ['square', 14 * 4, { cap: 'square' }],
    ['round', 10 * 4 + Math.PI * 4, { cap: 'round' }],
    ['dashed', 5 * 4, { dashes: [1.25] }],
    ['dashed from within', 5 * 4, { dashes: [2.5], dashOffset: 1.25 }],
  ];
  for (const [name, area, more] of strokes)
    it(`paints the area of a ${name} line`, () => {
      const builder = createDrawingBuilder(32, 32);
      const line = builder.path([
        ['M', 8.3, 9.1],
        ['L', 14.3, 17.1],
      ]);
      const drawing = builder.drawing([shapeOf(line, null, strokeOf(BLACK, 4, more))]);
      expect(sumOfAlpha(renderDrawing(drawing, 32, 32))).to.be.closeTo(area, 0.15);
    });

  const joins: readonly [string, number, Partial<Stroke>][] = [
    ['miter', 4, {}],
    ['beveled', 2, { join: 'bevel' }],
    ['rounded', Math.PI, { join: 'round' }],
    ['too long a miter', 2, { miterLimit: 1.2 }],
  ];
  for (const [name, corner, more] of joins)
    it(`paints the area of a right angle, ${name}`, () => {
      const builder = createDrawingBuilder(32, 32);
      const line = builder.path([
        ['M', 5, 5],
        ['L', 25, 5],
        ['L', 25, 25],
      ]);
      const drawing = builder.drawing([shapeOf(line, null, strokeOf(BLACK, 4, more))]);
      expect(sumOfAlpha(renderDrawing(drawing, 32, 32))).to.be.closeTo(20 * 4 * 2 - 4 + corner, 0.1);
    });

  it('draws like another renderer: curves, gradients, strokes, clips', () => {
    const builder = createDrawingBuilder(120, 90);
    const blob = builder.path([
      ['M', 10, 50],
      ['C', 10, 5, 60, -10, 70, 30],
      ['Q', 90, 60, 60, 70],
      ['A', 30, 16, 25, 1, 0, 20, 75],
      ['Z'],
    ]);
    const zigzag = builder.path([
      ['M', 70, 10],
      ['L', 112, 22],
      ['L', 78, 34],
      ['C', 90, 34, 112, 40, 110, 60],
    ]);
    const stops = [
      { offset: 0.1, color: 0xffffff, opacity: 1 },
      { offset: 0.6, color: 0xff00ff, opacity: 0.8 },
      { offset: 1, color: 0x000088, opacity: 1 },
    ];
    const linear = { kind: 'linear', x1: 10, y1: 10, x2: 60, y2: 70, stops } as const;
    const matrix = [1.3, 0, 0.2, 0.8, -30, 5] as const;
    const radial = { kind: 'radial', cx: 90, cy: 60, r: 25, fx: 85, fy: 52, matrix, stops } as const;
    const drawings: Readonly<Record<string, Drawing>> = {
      curves: builder.drawing([shapeOf(blob, solid(0x3366cc))]),
      linear: builder.drawing([shapeOf(blob, linear)]),
      radial: builder.drawing([shapeOf(rectOf(60, 30, 60, 60, 8), radial)]),
      stroke: builder.drawing([
        shapeOf(zigzag, null, strokeOf(solid(0x112211, 0.7), 7, { cap: 'round', miterLimit: 6 })),
      ]),
      roundJoins: builder.drawing([shapeOf(blob, null, strokeOf(radial, 5, { join: 'round' }))]),
      dashes: builder.drawing([shapeOf(zigzag, null, strokeOf(BLACK, 4, { dashes: [9, 3, 2], dashOffset: 4 }))]),
      clip: builder.drawing([
        {
          kind: 'group',
          opacity: 0.6,
          clip: [blob],
          items: [shapeOf(rectOf(0, 0, 120, 60), linear), shapeOf(zigzag, BLACK)],
        },
      ]),
    };
    expect(Object.keys(drawings)).to.have.length(7);
    for (const [name, drawing] of Object.entries(drawings)) {
      const { far, mean, painted } = differenceToResvg(drawing, 5);
      expect(painted, name).to.be.above(1000);
      expect(far, `${name}: share of channels far off`).to.be.below(0.004);
      expect(mean, `${name}: mean difference`).to.be.below(0.5);
    }
  });

  it('refuses sizes that are none', () => {
    for (const size of [0, -1, 1.5, Number.NaN])
      expect(() => renderDrawing(only(rectOf(0, 0, 1, 1)), size, 10)).to.throw(RangeError);
  });
});
