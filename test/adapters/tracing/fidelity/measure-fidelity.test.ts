import { expect } from 'chai';
import { measureFidelity } from '#adapters/tracing/fidelity/measure-fidelity.js';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from '#test/support/drawing-builder.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const flatDrawing = (width: number, height: number, color: number, opacity = 1) =>
  createDrawingBuilder(width, height).drawing([shapeOf(rectOf(0, 0, width, height), solid(color, opacity))]);

/** The pixels of a drawing, straight, as a decoder would give them. */
function pictureOf(drawing: Drawing) {
  const data = renderDrawing(drawing, drawing.width, drawing.height);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    for (let c = i; c < i + 3; c++) data[c] = alpha === 0 ? 0 : Math.round((data[c]! * 255) / alpha);
  }
  return { width: drawing.width, height: drawing.height, data };
}

const discs = (): Drawing =>
  createDrawingBuilder(100, 70).drawing([
    shapeOf(rectOf(0, 0, 100, 70), solid(0xfafafa)),
    shapeOf({ kind: 'circle', cx: 30.3, cy: 30.2, r: 21.7 }, solid(0xcc3311)),
    shapeOf({ kind: 'circle', cx: 66.1, cy: 41.9, r: 17.2 }, solid(0x1144aa)),
  ]);

describe('measured fidelity', () => {
  for (const [width, height] of [
    [100, 70],
    [1, 1],
    [3, 5],
    [1, 500],
    [9, 8],
    [17, 33],
  ] as const)
    it(`is perfect for a drawing of the picture itself, ${width} x ${height}`, () => {
      const drawing = flatDrawing(width, height, 0x336699);
      const { worst, ...figures } = measureFidelity(pictureOf(drawing), drawing);
      expect(figures).to.deep.equal({ psnr: 99, ssim: 1, deltaE00: 0 });
      expect(worst).to.include({ x: 0, y: 0, deltaE00: 0 });
    });

  it('is perfect for curves too', () => {
    const { psnr, ssim, deltaE00 } = measureFidelity(pictureOf(discs()), discs());
    expect([psnr, ssim, deltaE00]).to.deep.equal([99, 1, 0]);
  });

  it('is what the definitions say for two flat colors', () => {
    const { psnr, ssim, deltaE00, worst } = measureFidelity(
      pictureOf(flatDrawing(64, 48, 0x646464)),
      flatDrawing(64, 48, 0x6e6e6e),
    );
    expect(psnr).to.be.closeTo(20 * Math.log10(255 / 10), 1e-9);
    expect(ssim).to.be.closeTo((2 * 100 * 110 + 6.5025) / (100 ** 2 + 110 ** 2 + 6.5025), 1e-9);
    expect(deltaE00).to.be.within(3, 4.5);
    expect(worst.deltaE00).to.be.closeTo(deltaE00, 1e-9);
  });

  for (const [width, height] of [
    [32, 24],
    [37, 26],
    [9, 70],
    [6, 40],
  ] as const)
    it(`has the SSIM of all windows of its definition, ${width} x ${height}`, () => {
      const random = createSeededRandom(width);
      const gray = Uint8Array.from({ length: width * height }, () => 100 + Math.floor(100 * random() ** 3));
      const data = Uint8Array.from({ length: 4 * gray.length }, (_, i) => (i % 4 === 3 ? 255 : gray[i >> 2]!));
      const ssims: number[] = [];
      const [columns, rows] = [Math.min(8, width), Math.min(8, height)];
      const startsOf = (side: number, window: number) =>
        Array.from({ length: Math.ceil((side - window) / 4) + 1 }, (_, k) => Math.min(4 * k, side - window));
      for (const top of startsOf(height, rows))
        for (const left of startsOf(width, columns)) {
          const window = Array.from(
            { length: columns * rows },
            (_, k) => gray[(top + Math.floor(k / columns)) * width + left + (k % columns)]!,
          );
          const mean = window.reduce((sum, value) => sum + value, 0) / window.length;
          const variance = window.reduce((sum, value) => sum + (value - mean) ** 2, 0) / window.length;
          // What it is drawn as is even: it varies neither by itself nor with the picture.
          ssims.push((((2 * mean * 120 + 6.5025) / (mean ** 2 + 120 ** 2 + 6.5025)) * 58.5225) / (variance + 58.5225));
        }
      const { ssim } = measureFidelity({ width, height, data }, flatDrawing(width, height, 0x787878));
      expect(ssim).to.be.closeTo(ssims.reduce((sum, value) => sum + value, 0) / ssims.length, 1e-9);
    });

  it('finds the block that differs most', () => {
    const picture = pictureOf(discs());
    for (let y = 52; y < 60; y++) for (let x = 82; x < 92; x++) picture.data.set([0, 255, 0, 255], 4 * (y * 100 + x));
    const { worst, deltaE00 } = measureFidelity(picture, discs());
    expect(worst).to.include({ x: 80, y: 48, width: 16, height: 16 });
    expect(worst.deltaE00).to.be.above(10 * deltaE00);
  });

  it('falls as the drawing gets worse', () => {
    const picture = pictureOf(discs());
    const shifted = (by: number) =>
      measureFidelity(
        picture,
        createDrawingBuilder(100, 70).drawing([
          shapeOf(rectOf(0, 0, 100, 70), solid(0xfafafa)),
          shapeOf({ kind: 'circle', cx: 30.3 + by, cy: 30.2, r: 21.7 }, solid(0xcc3311)),
          shapeOf({ kind: 'circle', cx: 66.1 + by, cy: 41.9, r: 17.2 }, solid(0x1144aa)),
        ]),
      );
    const steps = [0.02, 0.1, 0.5, 2].map(shifted);
    for (const [i, worse] of steps.slice(1).entries()) {
      expect(worse.psnr).to.be.below(steps[i]!.psnr);
      expect(worse.ssim).to.be.below(steps[i]!.ssim);
      expect(worse.deltaE00).to.be.above(steps[i]!.deltaE00);
    }
  });

  it('sees white paint where the picture is transparent', () => {
    const clear = { width: 20, height: 20, data: new Uint8Array(1600) };
    expect(measureFidelity(clear, createDrawingBuilder(20, 20).drawing()).psnr).to.equal(99);
    const { psnr, deltaE00 } = measureFidelity(clear, flatDrawing(20, 20, 0xffffff));
    expect(psnr).to.be.below(10);
    expect(deltaE00).to.be.above(20);
  });

  it('renders a drawing of another size at the size of the picture', () => {
    const picture = pictureOf(flatDrawing(40, 30, 0x123456));
    expect(measureFidelity(picture, flatDrawing(400, 300, 0x123456)).psnr).to.equal(99);
  });

  it('reads pixels wherever they lie in their buffer', () => {
    const { width, height, data } = pictureOf(discs());
    const moved = new Uint8Array(data.length + 3).subarray(3);
    moved.set(data);
    expect(measureFidelity({ width, height, data: moved }, flatDrawing(100, 70, 0))).to.deep.equal(
      measureFidelity({ width, height, data }, flatDrawing(100, 70, 0)),
    );
  });

  it('refuses data of another size', () => {
    const picture = { width: 2, height: 2, data: new Uint8Array(15) };
    expect(() => measureFidelity(picture, flatDrawing(2, 2, 0))).to.throw(RangeError, '16 bytes, not 15');
  });
});
