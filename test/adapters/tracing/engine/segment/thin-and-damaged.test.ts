import { expect } from 'chai';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, circle, rectangle } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';

const colorsOf = (raster: { width: number; height: number; data: Uint8Array | Uint8ClampedArray }) => {
  const { drawing, pictureType } = trace(raster, ENGINE, () => {});
  return {
    drawing,
    pictureType,
    colors: new Set(drawing.items.map(({ fill }) => (fill?.kind === 'solid' ? fill.color : undefined))),
  };
};

const distance = (a: number, b: number) =>
  Math.hypot((a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255));

describe('colors that no flat area has', () => {
  it('are found in lines of one to three px, which stay whole', () => {
    for (const width of [1.4, 2, 3]) {
      const line = bar(8, 10, 70, 31, width);
      const { drawing, colors } = colorsOf(paint(80, 40, 0xffffff, [layer(0x203040, line)]));
      expect(drawing.items.length, `${width} px`).to.equal(2);
      const ink = [...colors].find((color) => color !== 0xffffff) as number;
      expect(distance(ink, 0x203040), `${width} px: ${ink.toString(16)}`).to.be.below(90);
    }
  });

  it('are not thought of where a color of the picture explains the line', () => {
    const picture = paint(80, 40, 0xffffff, [
      layer(0x000000, bar(8, 8, 70, 20, 1)),
      layer(0x000000, rectangle(30, 28, 20, 8)),
    ]);
    const { colors } = colorsOf(picture);
    expect([...colors].sort()).to.deep.equal([0, 0xffffff]);
  });
});

describe('dots of a pixel', () => {
  /** A face with a mouth and two eyes, each of which fills one pixel and has a little of four others. */
  const face = (size: number) =>
    paint(size, size, 0xd4ab88, [
      layer(0x662113, circle(28.5, 30.5, 0.68)),
      layer(0x662113, circle(42.5, 30.5, 0.68)),
      layer(0x662113, rectangle(30, 44, 12, 4)),
    ]);
  /** All that is drawn on the ground, but for the mouth. */
  const eyes = (size: number) =>
    trace(face(size), ENGINE, () => {})
      .drawing.items.map(({ geometry }) => geometry)
      .filter((shape) => shape.kind !== 'rect' || shape.width < 4);

  for (const size of [72, 240])
    it(`are drawn where and as large as they are in pictures of ${size} px`, () => {
      const found = eyes(size);
      expect(found.length).to.equal(2);
      for (const [k, x] of [28.5, 42.5].entries()) {
        const eye = found[k]!;
        if (eye.kind !== 'circle') throw new RangeError(`a ${eye.kind} was drawn`);
        expect(Math.hypot(eye.cx - x, eye.cy - 30.5)).to.be.at.most(0.05);
        expect(eye.r).to.be.closeTo(0.68, 0.03);
      }
    });
});

describe('flat art that compression has been at', () => {
  const clean = paint(120, 90, 0xffffff, [
    layer(0x1d3557, circle(38, 45, 27)),
    layer(0xe63946, rectangle(62, 20, 40, 50)),
    layer(0xf1c40f, circle(82, 45, 9)),
  ]);

  it('is drawn in its own few colors, ringing left out', async () => {
    for (const quality of [50, 75, 90]) {
      const { drawing, colors } = colorsOf(await jpegDamaged(clean, quality));
      expect(drawing.items.length, `quality ${quality}`).to.be.within(4, 12);
      for (const color of [0xffffff, 0x1d3557, 0xe63946, 0xf1c40f]) {
        const nearest = Math.min(...[...colors].map((found) => distance(found as number, color)));
        expect(nearest, `quality ${quality}, ${color.toString(16)}`).to.be.below(24);
      }
    }
  });
});
