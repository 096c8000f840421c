import { expect } from 'chai';
import fc from 'fast-check';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { chooseNoisyPalette, type NoisyPalette } from '#adapters/tracing/engine/quantize/noisy-palette.js';
import { labelNoisy, NoisyLabeler } from '#adapters/tracing/engine/segment/label-noisy.js';
import { withColor } from '#adapters/tracing/engine/segment/with-color.js';
import { circle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const SIDE = 48;
const GROUND = 0xffd95b;

describe('labels of compressed pictures', () => {
  it('are the same whether a color was there from the beginning or was added', async () => {
    const picture = await jpegDamaged(
      paint(SIDE, SIDE, GROUND, [
        layer(0x2a6fb0, circle(20.3, 21.6, 13.2)),
        layer(0xe63946, star(34.7, 33.2, 9, 4, 5)),
        layer(0x40220f, circle(14.2, 18.1, 1.6)),
      ]),
      60,
    );
    const pixels = toWorkingPixels(picture);
    const { rgba } = pixels;
    const palette = chooseNoisyPalette(pixels);
    expect(palette.size).to.be.at.least(2);
    let moved = 0;
    // Colors of pixels of the picture, one of which is often a palette color or near to one, from one color on.
    const property = fc.property(
      fc.array(fc.nat(SIDE * SIDE - 1), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: palette.size }),
      (added, size) => {
        let known: NoisyPalette = { ...palette, size, channels: palette.channels.slice(0, 4 * size) };
        const labeler = new NoisyLabeler(pixels, known);
        const before = labelNoisy(pixels, known).labels.slice();
        for (const pixel of added) {
          const color = Array.from(rgba.subarray(4 * pixel, 4 * pixel + 4), (level, c) =>
            c < 3 ? level + 0.25 : level,
          );
          known = { ...known, size: known.size + 1, channels: withColor(known.channels, color) };
          labeler.add(color);
          const { mixed, errors } = labeler.mixtures;
          const anew = labelNoisy(pixels, known);
          expect(mixed).to.deep.equal(anew.mixed);
          expect(errors).to.deep.equal(anew.errors);
        }
        const grown = labeler.labeled();
        const anew = labelNoisy(pixels, known);
        expect(grown.labels).to.deep.equal(anew.labels);
        expect(grown.seeds).to.equal(anew.seeds);
        if (grown.labels.some((label, i) => label !== before[i])) moved++;
      },
    );
    holds(property, 100);
    expect(moved, 'runs in which labels changed').to.be.above(50);
  });

  it('leave a picture of noise without a color around most of its pixels as they are, too', () => {
    const random = createSeededRandom(7);
    const data = new Uint8Array(32 * 32 * 4).map((_, i) => (i % 4 === 3 ? 255 : Math.floor(256 * random())));
    const pixels = toWorkingPixels({ width: 32, height: 32, data });
    const none: NoisyPalette = { size: 1, channels: Float64Array.of(0, 0, 0, 255), noise: 0 };
    const labeler = new NoisyLabeler(pixels, none);
    let known = none;
    for (const color of [
      [255, 255, 255, 255],
      [128, 128, 128, 255],
      [200, 40, 90, 255],
    ]) {
      known = { ...known, size: known.size + 1, channels: withColor(known.channels, color) };
      labeler.add(color);
    }
    const grown = labeler.labeled();
    const anew = labelNoisy(pixels, known);
    expect(anew.mixed.length).to.be.above(900);
    expect(grown.labels).to.deep.equal(anew.labels);
    expect(grown.errors).to.deep.equal(anew.errors);
  });

  it('are found in parts that do not show', async () => {
    // Some 210 rows are looked at at once.
    const picture = await jpegDamaged(
      paint(620, 460, GROUND, [
        layer(0x2a6fb0, star(310.4, 212.6, 200, 120, 31)),
        layer(0xe63946, circle(310.4, 212.6, 90)),
        layer(0x40220f, star(100.7, 211.2, 60, 20, 9)),
      ]),
      60,
    );
    const palette = chooseNoisyPalette(toWorkingPixels(picture));
    expect(palette.size).to.be.at.least(4);
    const whole = labelNoisy(toWorkingPixels(picture), palette).labels.slice();
    const data = picture.data.subarray(150 * 620 * 4, 270 * 620 * 4);
    const part = labelNoisy(toWorkingPixels({ width: 620, height: 120, data }), palette).labels;
    for (let y = 20; y < 100; y++) {
      const row = whole.subarray((150 + y) * 620, (151 + y) * 620);
      expect(row, `row ${150 + y}`).to.deep.equal(part.subarray(y * 620, (y + 1) * 620));
      expect(new Set(row).size).to.be.above(2);
    }
  });
});
