import { expect } from 'chai';
import { measureBlur } from '#adapters/tracing/engine/intake/blur-width.js';
import { enlarged } from '#test/support/enlarged-pictures.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { gaussianBlurred } from '#test/support/soft-pictures.js';

const drawing = (scale: number) =>
  paint(160 * scale, 120 * scale, 0xffffff, [
    layer(0x1d3557, circle(40.3 * scale, 44.6 * scale, 25.2 * scale)),
    layer(0xe63946, turned(rectangle(90 * scale, 16 * scale, 44 * scale, 30 * scale), 17, 112 * scale, 31 * scale)),
    layer(0x2a9d8f, star(112.7 * scale, 84.2 * scale, 26 * scale, 11 * scale, 5)),
  ]);
const clean = drawing(2);

describe('the blur of a whole picture', () => {
  it('is that of the Gaussian it went through, compressed since or grainy', async () => {
    for (const px of [0.8, 1.2, 1.7, 2.2, 2.8]) {
      const soft = gaussianBlurred(clean, px);
      for (const [name, picture] of [
        ['clean', soft],
        ['JPEG', await jpegDamaged(soft, 85)],
        ['grainy', grainy(soft, 1.5)],
      ] as const) {
        const found = measureBlur(picture);
        expect(found.px, `${px}, ${name}`).to.be.within(0.92 * px, 1.04 * px);
        expect(found.unevenness, `${px}, ${name}`).to.be.within(1, px < 2 ? 1.08 : 1.12);
      }
    }
  });

  it('is hardly any where edges are sharp, JPEGs among them', async () => {
    for (const picture of [clean, await jpegDamaged(clean, 60)]) expect(measureBlur(picture).px).to.be.below(0.4);
  });

  it('is uneven where a picture was enlarged', () => {
    for (const kernel of ['linear', 'cubic', 'lanczos'] as const)
      for (const factor of [2, 3])
        expect(measureBlur(enlarged(drawing(1), 160 * factor, 120 * factor, kernel)).unevenness, kernel).to.be.above(
          1.1,
        );
  });

  it('is none where something sharp lies upon what is blurred, and where there are few edges', () => {
    const soft = gaussianBlurred(clean, 2);
    const text = paint(320, 240, null, [
      layer(0x000000, ...Array.from({ length: 12 }, (_, k) => rectangle(12 + 24 * k, 190, 12, 40))),
    ]);
    const both = { ...soft, data: soft.data.map((value, i) => (text.data[i | 3] === 255 ? text.data[i]! : value)) };
    expect(measureBlur(both).px).to.be.below(0.4);
    expect(measureBlur(gaussianBlurred(paint(30, 30, 0xffffff, [layer(0, circle(15, 15, 5))]), 1.2)).px).to.equal(0);
  });
});
