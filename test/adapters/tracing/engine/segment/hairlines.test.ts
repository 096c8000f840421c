import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { type Contour, circle, ellipse, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const SIDE = 200;
const [PALE, TAN, BROWN, SKIN, SHIRT, HAIR] = [0xd1d4f9, 0xd6b370, 0x5c3829, 0xf1c3a5, 0xe9b007, 0x2c1b18];

/** A head with hair of a color, in front of a pale ground; everything has an outline of a color, so many px wide. */
function head(hair: number, line: number, width: number, scale = 1): Raster {
  const outlined = (color: number, shape: (grow: number) => Contour) => [
    layer(line, shape(width / 2)),
    layer(color, shape(-width / 2)),
  ];
  const layers = [
    ...outlined(SHIRT, (grow) => ellipse(100, 200, 82 + grow, 58 + grow, 0)),
    ...outlined(BROWN, (grow) => ellipse(100, 158, 20 + grow, 30 + grow, 0)),
    ...outlined(hair, (grow) => ellipse(96, 76, 61 + grow, 54 + grow, 12)),
    ...outlined(SKIN, (grow) => ellipse(101, 100, 47 + grow, 51 + grow, 0)),
    ...outlined(hair, (grow) => ellipse(88, 58, 42 + grow, 21 + grow, -14)),
    ...outlined(BROWN, (grow) => circle(82.4, 101.7, 6.3 + grow)),
    ...outlined(BROWN, (grow) => circle(121.8, 100.3, 6.3 + grow)),
  ].map(({ outline, ...rest }) => ({ ...rest, outline: outline.map((c) => c.map((value) => value * scale)) }));
  return paint(SIDE * scale, SIDE * scale, PALE, layers);
}

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

const drawingOf = (raster: Raster) => trace(raster, ENGINE, () => {}).drawing;
const penOf = (raster: Raster) => labelFlatArt(toWorkingPixels(raster), ENGINE)!.pen;

describe('hairlines along edges', () => {
  for (const [width, most] of [
    [1 / 4, 0.47],
    [1 / 3, 0.36],
    [0.5, 0.22],
  ] as const) {
    it(`of ${width.toFixed(2)} px are all of one color, which no pixel shows, and whole`, () => {
      const picture = head(TAN, 0x000000, width);
      const drawing = drawingOf(picture);
      const colors = [...shapesOf(drawing.items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : NaN));
      expect(new Set(colors)).to.deep.equal(new Set([PALE, TAN, BROWN, SKIN, SHIRT, 0x000000]));
      const off = differenceOf(referencePicture(drawing, 4), rgbOf(head(TAN, 0x000000, width, 4))).mean;
      expect(off).to.be.at.most(most);
    });
  }

  for (const width of [1 / 3, 0.5])
    it(`of ${width.toFixed(2)} px tell how wide they are`, () => {
      expect(penOf(head(TAN, 0x000000, width))!.widthPx).to.be.closeTo(width, 0.06);
    });

  it('are as wide where they lie between two colors that nearly lead to theirs', () => {
    const drawing = drawingOf(head(HAIR, 0x000000, 0.5));
    // .33 where each edge is sampled by what pixels have of two colors.
    expect(differenceOf(referencePicture(drawing, 4), rgbOf(head(HAIR, 0x000000, 0.5, 4))).mean).to.be.at.most(0.24);
  });

  it('have no one width where they were drawn with two pens', () => {
    const thin = head(TAN, 0x000000, 0.3);
    const wide = head(TAN, 0x000000, 0.7);
    const data = Uint8Array.from(thin.data);
    data.set(wide.data.subarray(0, data.length / 2));
    expect(penOf({ width: SIDE, height: SIDE, data })!.widthPx).to.equal(undefined);
  });

  it('are none where edges are but edges, or what lies on them is a color of the picture', () => {
    expect(penOf(head(TAN, TAN, 0.5))).to.equal(undefined);
    const data = paint(SIDE, SIDE, PALE, [layer(SHIRT, rectangle(20, 20, 90, 120)), layer(SKIN, circle(90, 110, 50))]);
    expect(penOf(data)).to.equal(undefined);
  });
});
