import { expect } from 'chai';
import fc from 'fast-check';
import { measureHalos, withoutHalos } from '#adapters/tracing/engine/intake/halos.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, lettering, rectangle, star, turned } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, noise, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { softened } from '#test/support/soft-pictures.js';

const drawing = (background: number | null) =>
  paint(96, 80, background, [
    layer(0x1d5577, circle(30.3, 28.6, 19.2)),
    layer(0xd66956, turned(rectangle(50, 12, 30, 22), 17, 65, 23)),
    layer(0xd4b460, star(60.7, 55.2, 18, 8, 5)),
    layer(0x2a9d8f, circle(22.1, 60.4, 12.3)),
  ]);

const depthOf = (raster: Raster) => measureHalos(toWorkingPixels(raster));
const offFrom = (clean: Raster, data: ArrayLike<number>) =>
  Math.hypot(...Array.from(clean.data, (value, i) => value - data[i]!)) / Math.sqrt(data.length);

describe('the halos of a picture', () => {
  it('are as deep as it was sharpened', () => {
    for (const background of [0xe8e0d0, 0xffffff]) {
      const depths = [0.04, 0.07, 0.12].map((share) => depthOf(softened(drawing(background), -share)));
      expect(depths[0]).to.be.within(0.025, 0.045);
      expect(depths[1]).to.be.within(0.04, 0.08);
      expect(depths[2]).to.be.within(0.07, 0.14);
    }
  });

  it('are none where nothing was sharpened, or too few edges tell', () => {
    const lines = paint(90, 60, 0xffffff, [
      layer(0xd66956, rectangle(45, 0, 45, 60)),
      layer(0x202020, ...Array.from({ length: 7 }, (_, k) => rectangle(44.2, 2.3 + 8 * k, 1.4, 7.1))),
    ]);
    const bars = [0, 1, 2, 3, 4, 5, 6].map((k) => 8 + 12 * k);
    const raised = paint(100, 60, 0xb0b0b0, [
      layer(0x404040, ...bars.map((x) => rectangle(x, 5, 7, 50))),
      layer(0xc8c8c8, ...bars.map((x) => rectangle(x - 1, 5, 1, 50))),
    ]);
    const text = paint(120, 40, 0xf0f0e0, [layer(0x225588, ...lettering(3, 30, 22))]);
    const few = softened(paint(20, 12, 0xe0e0e0, [layer(0x404040, rectangle(5.4, 3, 8, 6))]), -0.1);
    const others = [checkerboard(40, 40, 5), checkerboard(40, 40, 1), gradient(64, 48), noise(48, 48, 7)];
    for (const raster of [
      drawing(0xffffff),
      drawing(null),
      softened(drawing(0xffffff), 0.1),
      lines,
      raised,
      text,
      few,
      ...others,
    ])
      expect(depthOf(raster)).to.equal(0);
  });
});

describe('a picture without its halos', () => {
  it('is nearer to what it was before, even areas to the byte', () => {
    const clean = drawing(0xe8e0d0);
    const sharpened = softened(clean, -0.08);
    const { data } = withoutHalos(toWorkingPixels(sharpened), depthOf(sharpened));
    expect(offFrom(clean, data)).to.be.below(0.7 * offFrom(clean, sharpened.data));
    const isEven = (i: number) => [-388, -384, -380, -4, 0, 4, 380, 384, 388].every((step) => same(clean, i, i + step));
    let even = 0;
    for (let i = 4 * 97; i < data.length - 4 * 97; i += 4) {
      if (!isEven(i) || !same(sharpened, i, i + 4) || !same(sharpened, i, i + 384)) continue;
      even++;
      expect(data.slice(i, i + 4)).to.deep.equal(sharpened.data.slice(i, i + 4));
    }
    expect(even).to.be.above(2000);
  });

  it('loses them in parts that do not show', () => {
    // Some 210 rows are looked at at once.
    const sharpened = softened(
      paint(620, 460, 0xe8e0d0, [
        layer(0x1d5577, star(310.4, 212.6, 200, 120, 31)),
        layer(0xd66956, circle(310.4, 212.6, 90)),
      ]),
      -0.08,
    );
    const depth = depthOf(sharpened);
    const { data } = withoutHalos(toWorkingPixels(sharpened), depth);
    const rowBytes = 620 * 4;
    const rows = (from: number, to: number) => sharpened.data.subarray(from * rowBytes, to * rowBytes);
    const part = withoutHalos(toWorkingPixels({ width: 620, height: 120, data: rows(150, 270) }), depth).data;
    let cleared = 0;
    for (let y = 10; y < 110; y++) {
      const row = data.subarray((150 + y) * rowBytes, (151 + y) * rowBytes);
      expect(row, `row ${150 + y}`).to.deep.equal(part.subarray(y * rowBytes, (y + 1) * rowBytes));
      if (row.some((level, i) => level !== sharpened.data[(150 + y) * rowBytes + i])) cleared++;
    }
    expect(cleared).to.be.above(80);
  });

  it('has no color that was not there, whatever it is', () => {
    holds(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.nat(), (width, height, seed) => {
        const pixels = toWorkingPixels(noise(width, height, seed));
        const seen = new Set(pixels.words);
        const after = toWorkingPixels(withoutHalos(pixels, 0.1));
        for (const word of after.words) expect(seen.has(word)).to.equal(true);
      }),
    );
  });
});

function same({ data }: Raster, a: number, b: number): boolean {
  for (let c = 0; c < 4; c++) if (data[a + c] !== data[b + c]) return false;
  return true;
}
