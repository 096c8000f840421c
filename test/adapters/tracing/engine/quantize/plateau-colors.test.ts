import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { chooseNoisyPalette } from '#adapters/tracing/engine/quantize/noisy-palette.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle, roundedRectangle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, linearShade, noise, paint, pixelwise } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const paletteOf = (picture: Raster) => chooseNoisyPalette(toWorkingPixels(picture));

/** The several colors that a palette's are, as many as there are of each, six digits. */
const partsOf = (picture: Raster): readonly (readonly string[])[] =>
  [...(paletteOf(picture).parts ?? new Map<number, Float64Array>()).values()].map((colors) =>
    Array.from({ length: colors.length / 4 }, (_, k) =>
      [...colors.subarray(4 * k, 4 * k + 3)].map((level) => Math.round(level).toString(16).padStart(2, '0')).join(''),
    ),
  );

/** How far two colors of six digits are apart, in the channel that differs most. */
const apart = (a: string, b: string): number =>
  Math.max(...[0, 2, 4].map((at) => Math.abs(parseInt(a.slice(at, at + 2), 16) - parseInt(b.slice(at, at + 2), 16))));

describe('colors that are hardly apart, after compression', () => {
  const card = paint(192, 192, 0xffffff, [
    layer(0xf4f2ed, roundedRectangle(0, 0, 192, 192, 48)),
    layer(0x2a6fb0, circle(96, 96, 50)),
    layer(0xffffff, star(96, 96, 30, 14, 5)),
  ]);

  it('are told by areas that are exactly even: a light card and white, from bad quality to good', async () => {
    for (const quality of [40, 60, 75, 92]) {
      const parts = partsOf(await jpegDamaged(card, quality));
      expect(parts, `quality ${quality}`).to.have.length(1);
      const [colors] = parts;
      expect(colors).to.have.length(2);
      for (const truth of ['f4f2ed', 'ffffff'])
        expect(Math.min(...colors!.map((color) => apart(color, truth))), `${quality} ${truth}`).to.be.at.most(4);
    }
  });

  it('are told by hue alone where areas are longer than blocks', async () => {
    const pages = paint(240, 160, 0xffffff, [
      layer(0xf4f6f9, rectangle(12, 12, 100, 136)),
      layer(0xfef3f2, rectangle(128, 12, 100, 136)),
    ]);
    const parts = partsOf(await jpegDamaged(pages, 75));
    expect(parts).to.have.length(1);
    expect(parts[0]).to.have.length(3);
  });

  it('leave less noise than one color for both', async () => {
    const damaged = await jpegDamaged(card, 75);
    const one = paint(192, 192, 0xf4f2ed, [layer(0x2a6fb0, circle(96, 96, 50))]);
    expect(paletteOf(damaged).noise).to.be.below(paletteOf(await jpegDamaged(one, 75)).noise + 1);
  });

  it('are none in smooth changes, in grain, and in one color that ripples', async () => {
    const smooth = paint(192, 192, 0xffffff, [
      {
        color: 0,
        outline: [rectangle(0, 0, 192, 192)],
        shade: linearShade(0, 0, 192, 40, [255, 255, 255, 1], [226, 230, 238, 1]),
      },
      layer(0x2a6fb0, circle(96, 96, 50)),
    ]);
    const flat = paint(192, 192, 0xf4f2ed, [
      layer(0x2a6fb0, circle(96, 96, 50)),
      layer(0x101418, star(96, 96, 30, 14, 5)),
    ]);
    for (const quality of [20, 40, 60, 75, 92]) {
      expect(partsOf(await jpegDamaged(smooth, quality)), `smooth, quality ${quality}`).to.deep.equal([]);
      expect(partsOf(await jpegDamaged(flat, quality)), `one color, quality ${quality}`).to.deep.equal([]);
    }
    expect(partsOf(noise(96, 96, 5))).to.deep.equal([]);
  });

  it('are told of a mosaic, too, whose tiles are of thousands of colors, and of the two that most of it has', () => {
    const random = createSeededRandom(11);
    const tiles = Array.from({ length: 80 * 80 }, () => [random(), random(), random()].map((v) => Math.floor(200 * v)));
    const mosaic = pixelwise(640, 720, (x, y) => {
      if (y >= 640) return x < 320 ? [255, 255, 255, 255] : [244, 242, 237, 255];
      const [red, green, blue] = tiles[Math.floor(y / 8) * 80 + Math.floor(x / 8)]!;
      return [red!, green!, blue!, 255];
    });
    expect(partsOf(mosaic).filter((colors) => colors.includes('ffffff') && colors.includes('f4f2ed'))).to.have.length(
      1,
    );
  });
});
