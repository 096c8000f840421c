import { expect } from 'chai';
import fc from 'fast-check';
import { type Drawing, type VectorizeSettings, vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { circle, rectangle } from '#test/support/outlines.js';
import {
  layer,
  noise,
  paint,
  pixelwise,
  SPRITE_COLORS,
  SPRITE_ROWS,
  sprite,
  testPictures,
} from '#test/support/pictures.js';
import { SEED } from '#test/support/properties.js';

/** Colors of the drawing that can be seen, with their opacity where it is not whole. */
function colorsOf({ items }: Drawing): Set<string> {
  const seen = new Set<string>();
  for (const { fill, visibleAreaPx } of shapesOf(items)) {
    if (fill === null) continue;
    if (fill.kind !== 'solid') throw new RangeError('a gradient was drawn');
    if (visibleAreaPx > 0)
      seen.add(`${fill.color.toString(16).padStart(6, '0')}${fill.opacity < 1 ? fill.opacity : ''}`);
  }
  return seen;
}
const drawn = async (raster: Parameters<typeof vectorize>[0], settings: VectorizeSettings) =>
  colorsOf((await vectorize(raster, { gradients: 'off', ...settings, fidelity: false })).drawing);

/** Disks of so many colors far from one another, on white. */
function disks(count: number) {
  const colors = Array.from({ length: count }, (_, k) => {
    const [r, g, b] = [(k * 97) % 211, (k * 53 + 40) % 199, (k * 151 + 90) % 223];
    return (r << 16) | (g << 8) | b;
  });
  const layers = colors.map((color, k) =>
    layer(color, circle(14.3 + 24 * (k % 6), 14.6 + 24 * Math.floor(k / 6), 9.5)),
  );
  return { colors, raster: paint(150, 8 + 24 * Math.ceil(count / 6), 0xffffff, layers) };
}
const hex = (colors: readonly number[]) => colors.map((c) => c.toString(16).padStart(6, '0'));

describe('palettes', () => {
  it('of so many colors have exactly so many, 2 to 32, where the picture has them', async () => {
    const { raster } = disks(34);
    const pixels = pixelwise(24, 24, (x, y) => {
      const k = (Math.floor(x / 4) * 6 + Math.floor(y / 4)) % 36;
      return [(k * 41) % 256, (k * 97) % 256, (k * 59) % 256, 255];
    });
    for (let count = 2; count <= 32; count++) {
      expect((await drawn(raster, { palette_count: count })).size, `${count} of a drawing`).to.equal(count);
      expect((await drawn(pixels, { palette_count: count })).size, `${count} of pixel art`).to.equal(count);
    }
  });

  it('of so many have colors of the picture, and all there are where it has fewer', async () => {
    const { raster, colors } = disks(9);
    const own = new Set([...hex(colors), 'ffffff']);
    for (const count of [3, 7, 10, 30]) {
      const seen = await drawn(raster, { palette_count: count });
      expect([...seen].every((color) => own.has(color))).to.equal(true);
      expect(seen.size).to.equal(Math.min(count, 10));
    }
  });

  it('tell near colors apart when as many are asked for, and when they are to be kept exactly', async () => {
    const near = [0x808080, 0x818280, 0x838180, 0x7f8084];
    const raster = paint(
      120,
      40,
      0xffffff,
      near.map((color, k) => layer(color, rectangle(6 + 28 * k, 8, 20, 24))),
    );
    expect((await drawn(raster, { palette_count: 5 })).size).to.equal(5);
    expect([...(await drawn(raster, { preserve_exact_colors: true }))].sort()).to.deep.equal(
      hex([...near, 0xffffff]).sort(),
    );
    expect((await drawn(raster, {})).size).to.equal(2);
  });

  it('that are fixed let no other color in, whatever the picture', async () => {
    const fixed = ['#003049', '#d62828', '#fcbf49'];
    let pictures = 0;
    for (const { name, raster } of [...(await testPictures()), { name: 'more noise', raster: noise(40, 40, 2) }]) {
      const seen = await drawn(raster, { fixed_palette: fixed });
      for (const color of seen) expect(fixed, name).to.include(`#${color}`);
      pictures++;
    }
    expect(pictures).to.be.greaterThan(35);
  });

  it('that are kept exactly have colors of pixels of the picture only', async () => {
    let shapes = 0;
    for (const { name, raster } of await testPictures()) {
      const own = new Set<string>();
      let opaque = true;
      for (let i = 0; i < raster.data.length; i += 4) {
        own.add(hex([(raster.data[i]! << 16) | (raster.data[i + 1]! << 8) | raster.data[i + 2]!])[0]!);
        if (raster.data[i + 3] !== 255) opaque = false;
      }
      if (!opaque) continue;
      for (const color of await drawn(raster, { preserve_exact_colors: true })) {
        expect(own.has(color), `${name}: ${color}`).to.equal(true);
        shapes++;
      }
    }
    expect(shapes).to.be.greaterThan(60);
  });

  it('that the picture decides neither invent colors nor merge them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 24 }), async (count) => {
        const { raster, colors } = disks(count);
        expect([...(await drawn(raster, {}))].sort()).to.deep.equal(hex([...colors, 0xffffff]).sort());
      }),
      { seed: SEED, numRuns: 16 },
    );
  });

  it('of pixel art keep it pixel art, in every number and fixed', async () => {
    const raster = sprite(SPRITE_ROWS, SPRITE_COLORS);
    for (const settings of [{ palette_count: 3 }, { fixed_palette: ['#000000', '#ff0000'] }]) {
      const { drawing } = await vectorize(raster, { ...settings, fidelity: false });
      expect(drawing.crispEdges).to.equal(true);
      expect(drawing.coords.every((v) => Number.isInteger(v))).to.equal(true);
    }
  });
});
