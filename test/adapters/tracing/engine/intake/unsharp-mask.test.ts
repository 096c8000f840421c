import { expect } from 'chai';
import fc from 'fast-check';
import { findUnsharpMask, withoutUnsharpMask } from '#adapters/tracing/engine/intake/find-unsharp-mask.js';
import { hasMaskedEdges } from '#adapters/tracing/engine/intake/halos.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { enlarged } from '#test/support/enlarged-pictures.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, lettering, rectangle, star, turned } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, noise, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { sharpenedBy, UNSHARP_MASKS } from '#test/support/sharpened-pictures.js';
import { softened } from '#test/support/soft-pictures.js';

/** On white, and with what is nearly black: half of the halos are cut off. */
const drawing = paint(128, 104, 0xffffff, [
  layer(0x222222, circle(36.3, 34.6, 25.2)),
  layer(0xd66956, turned(rectangle(72, 12, 40, 32), 17, 92, 28)),
  layer(0xd4b460, star(84.7, 74.2, 22, 10, 5)),
  layer(0x2a9d8f, circle(30.1, 80.4, 16.3)),
  layer(0xc9b38a, circle(36.3, 34.6, 12.4)),
]);
const find = (picture: Raster) => findUnsharpMask(toWorkingPixels(picture));

/** Share of the channels that are off by more than so many levels. */
const farther = (a: Raster, b: Raster, levels: number) =>
  Array.from(a.data).filter((level, i) => Math.abs(level - b.data[i]!) > levels).length / a.data.length;

describe('unsharp masks', () => {
  for (const [radiusPx, amount, threshold] of UNSHARP_MASKS) {
    it(`of ${radiusPx} px and ${100 * amount} %, threshold ${threshold}, are found and undone`, () => {
      const sharpened = sharpenedBy(drawing, radiusPx, amount, threshold);
      const pixels = toWorkingPixels(sharpened);
      expect(hasMaskedEdges(pixels)).to.equal(true);
      const mask = findUnsharpMask(pixels);
      expect(mask?.radiusPx).to.be.closeTo(radiusPx, 0.12 * radiusPx);
      expect(mask?.amount).to.be.closeTo(amount, 0.15 * amount);
      if (mask === undefined) return;
      const undone = withoutUnsharpMask(pixels, mask);
      const before = farther(sharpened, drawing, 8);
      expect(before).to.be.above(0.03);
      expect(farther(undone, drawing, 8)).to.be.below(0.25 * before);
    });
  }

  it('are looked for beside full colors, too, of which halos are cut off in some channels', () => {
    const full = paint(128, 104, 0x0000d6, [
      layer(0xffcc00, turned(rectangle(-20, 44, 180, 22), -20, 64, 52)),
      layer(0x006000, turned(rectangle(-20, 66, 180, 90), -20, 64, 52)),
      layer(0xffffff, star(28, 26, 16, 7, 5)),
    ]);
    const pixels = toWorkingPixels(sharpenedBy(full, 1, 0.5));
    expect(hasMaskedEdges(toWorkingPixels(full))).to.equal(false);
    expect(hasMaskedEdges(pixels)).to.equal(true);
    const mask = findUnsharpMask(pixels);
    expect(mask?.radiusPx).to.be.closeTo(1, 0.15);
    expect(mask?.amount).to.be.closeTo(0.5, 0.1);
  });

  it('are not looked for where no edge has halos as they leave them', () => {
    const outlined = paint(128, 104, 0xffffff, [
      layer(0x000000, circle(50.3, 50.6, 40.2)),
      layer(0x2a9d8f, circle(50.3, 50.6, 36.2)),
      layer(0x000000, rectangle(96, 10, 20, 80)),
      layer(0xf0f0f0, rectangle(99, 13, 14, 74)),
    ]);
    const text = paint(120, 40, 0xf0f0e0, [layer(0x225588, ...lettering(3, 30, 22))]);
    for (const [name, picture] of Object.entries({
      drawing,
      outlined,
      text,
      soft: softened(drawing, 0.12),
      grainy: grainy(drawing, 4),
      enlarged: enlarged(drawing, 256, 208, 'cubic'),
      ramp: gradient(96, 64),
      board: checkerboard(64, 64, 4),
    }))
      expect(hasMaskedEdges(toWorkingPixels(picture)), name).to.equal(false);
  });

  it('are none where none would leave less', () => {
    for (const picture of [
      drawing,
      softened(drawing, 0.12),
      paint(40, 30, 0xffffff, [layer(0x000000, rectangle(10, 8, 12, 9))]),
      paint(40, 30, 0x557799, []),
      noise(96, 96, 7),
      gradient(96, 64),
      checkerboard(64, 64, 4),
    ])
      expect(find(picture)).to.equal(undefined);
    const clear = sharpenedBy(drawing, 2, 0.6);
    expect(find({ ...clear, data: clear.data.map((level, i) => (i === 3 ? 90 : level)) })).to.equal(undefined);
  });

  it('are undone in pictures of any size, up to rounding, where nothing was cut off', () => {
    holds(
      fc.property(
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 1, max: 14 }),
        fc.nat(),
        fc.double({ min: 0.3, max: 4, noNaN: true }),
        fc.double({ min: 0.2, max: 0.9, noNaN: true }),
        (width, height, seed, radiusPx, amount) => {
          const picture = { ...noise(width, height, seed) };
          picture.data = picture.data.map((level, i) => (i % 4 === 3 ? 255 : 70 + (level >> 2)));
          // Of levels 64 from each other, what is beyond is at most .9 times that.
          const sharpened = sharpenedBy(picture, radiusPx, amount);
          const undone = withoutUnsharpMask(toWorkingPixels(sharpened), { radiusPx, amount });
          expect(undone.data).to.have.lengthOf(picture.data.length);
          expect(farther(undone as Raster, picture, 2)).to.equal(0);
        },
      ),
    );
  });
});
