import { expect } from 'chai';
import { findPixelGrid } from '#adapters/tracing/engine/pixel/find-pixel-grid.js';
import { isPixelArt } from '#adapters/tracing/engine/pixel/is-pixel-art.js';
import { inventPhoto } from '#test/support/labelled-pictures.js';
import { bar, type Contour, ring } from '#test/support/outlines.js';
import { coverageOf } from '#test/support/pictures.js';
import { seeded } from '#test/support/pixel-grids.js';
import { enlarge, FISH, LANDSCAPE, type Picture, paint } from './sprites.js';

const find = ({ rgba, width, height }: Picture) => findPixelGrid(rgba, width, height);

/** A disk with a ring, each pixel the mean of 8 x 8 samples, as a renderer would draw it. */
function antiAliased(size: number): Picture {
  const center = size / 2;
  return paint(size, size, (x, y) => {
    const sum = [0, 0, 0];
    for (let s = 0; s < 64; s++) {
      const radius = Math.hypot(x + ((s % 8) + 0.5) / 8 - center, y + (Math.floor(s / 8) + 0.5) / 8 - center) / size;
      const color =
        radius < 0.2 ? [220, 50, 40] : radius < 0.35 ? [30, 80, 200] : radius < 0.45 ? [250, 210, 60] : [255, 255, 255];
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + (color[c] as number) / 64;
    }
    return [...sum.map(Math.round), 255];
  });
}

/** How much of each pixel outlines cover, 0..255. */
const paintCoverage = (width: number, height: number, outlines: readonly Contour[]) =>
  coverageOf(outlines, width, height).map((share) => Math.round(share * 255));

describe('findPixelGrid', () => {
  it('finds the cell of whole enlargements', () => {
    for (const cell of [1, 2, 3, 8, 31]) {
      expect(find(enlarge(FISH, cell))).to.deep.equal({ cell, offsetX: 0, offsetY: 0, columns: 16, rows: 16 });
      expect(find(enlarge(LANDSCAPE, cell))).to.deep.equal({ cell, offsetX: 0, offsetY: 0, columns: 12, rows: 12 });
    }
  });

  it('finds the grid of a cropped enlargement', () => {
    expect(find(enlarge(LANDSCAPE, 8, 8, 3, 5))).to.deep.equal({
      cell: 8,
      offsetX: 5,
      offsetY: 3,
      columns: 12,
      rows: 12,
    });
    expect(find(enlarge(LANDSCAPE, 7, 7, 0, 6))).to.deep.equal({
      cell: 7,
      offsetX: 0,
      offsetY: 1,
      columns: 12,
      rows: 12,
    });
  });

  it('takes sprites with dithering and large sprites with plain backdrops', () => {
    const dithered = paint(32, 32, (x, y) => ((x + y) % 2 < y / 16 ? [20, 20, 60, 255] : [200, 120, 40, 255]));
    expect(find(dithered)?.cell).to.equal(1);
    const scene = paint(64, 64, (x, y) => {
      const row = LANDSCAPE[Math.floor(y / 2) % 12] as string;
      return row[x % 12] === 'B' ? [59, 93, 201, 255] : [56, (y * 3) & 240, 100, 255];
    });
    expect(find(scene)?.cell).to.equal(1);
  });

  it('does not take a gray photograph, which has no more colors than tones', () => {
    const { width, height, data } = inventPhoto(220, 180, 5);
    const random = seeded(3);
    for (let i = 0; i < data.length; i += 4) {
      const tone = Math.min(255, Math.max(0, (data[i + 1] as number) + (random() - 0.5) * 24));
      data.fill(tone, i, i + 3);
    }
    expect(findPixelGrid(data, width, height)).to.equal(null);
  });

  it('does not take icons of lines, smoothed, on paper or on nothing', () => {
    let taken = 0;
    for (const size of [16, 20, 24, 32, 48])
      for (const isOpaque of [false, true]) {
        const scale = size / 24;
        const icon = paintCoverage(size, size, [
          ...ring(12.3 * scale, 11.8 * scale, 9.1 * scale, 7.1 * scale),
          bar(7 * scale, 8.2 * scale, 17 * scale, 15.4 * scale, 2 * scale),
        ]);
        const level = (cover: number): [number, number, number, number] =>
          isOpaque ? [255 - cover, 255 - cover, 255 - cover, 255] : [20, 20, 20, cover];
        expect(find(paint(size, size, (x, y) => level(icon[y * size + x] as number))), `${size} px`).to.equal(null);
        taken++;
      }
    expect(taken).to.equal(10);
  });

  it('does not take boxes in a frame that ends within pixels, nor boxes of lines that leave next to nothing flat', () => {
    const level = (cover: number, k: number) => Math.round((255 - cover) * (k === 2 ? 0.3 : 1));
    // A flag: three stripes on whole pixels, and a frame around it with a third of a pixel outside.
    const frame = paintCoverage(96, 96, [[5.33, 21.33, 90.67, 21.33, 90.67, 74.67, 5.33, 74.67]]);
    const isStripe = (x: number, y: number) => x >= 8 && x < 88 && y >= 24 && y < 72;
    const STRIPES = [
      [241, 179, 28, 255],
      [92, 158, 49, 255],
      [210, 47, 39, 255],
    ] as const;
    const flag = paint(96, 96, (x, y) => {
      if (isStripe(x, y)) return [...(STRIPES[Math.floor((y - 24) / 16)] as (typeof STRIPES)[number])];
      const ink = 255 - (frame[y * 96 + x] as number);
      return [ink, ink, ink, 255];
    });
    expect(find(flag)).to.equal(null);
    // Shelves of folders: yellow, with lines 1.7 px wide every few pixels.
    const lines = [];
    for (let k = 0; k < 9; k++)
      lines.push(bar(3 + 5.31 * k, 0, 3.4 + 5.31 * k, 48, 1.7), bar(0, 2 + 5.17 * k, 48, 1.6 + 5.17 * k, 1.7));
    const shelves = paintCoverage(48, 48, lines);
    expect(
      find(
        paint(
          48,
          48,
          (x, y) =>
            [0, 1, 2, 3].map((k) => (k === 3 ? 255 : level(shelves[y * 48 + x] as number, k))) as [
              number,
              number,
              number,
              number,
            ],
        ),
      ),
    ).to.equal(null);
  });

  it('takes sprites of glass: a few opacities are no smoothed edges', () => {
    const { rgba, width, height } = enlarge(FISH, 1);
    const glass = { rgba: rgba.slice(), width, height };
    for (let i = 0; i < width * height; i++)
      if (rgba[i * 4 + 3] === 255 && i % 3 > 0) glass.rgba[i * 4 + 3] = 90 + 60 * (i % 3);
    expect(find(glass)).to.not.equal(null);
  });

  it('does not take what is no pixel art', () => {
    const noise = (x: number, y: number, spread: number): number =>
      (Math.imul(x * 131 + y * 7919, 0x9e3779b1) >>> 20) & spread;
    const others: Record<string, Picture> = {
      'one pixel': paint(1, 1, () => [9, 9, 9, 255]),
      'one color': paint(64, 64, () => [12, 34, 56, 255]),
      'full transparency': paint(16, 16, () => [1, 2, 3, 0]),
      'a thin line': paint(1, 5000, (_, y) => (y % 7 < 3 ? [0, 0, 0, 255] : [255, 255, 255, 255])),
      stripes: paint(120, 80, (x) => (x < 40 ? [0, 90, 60, 255] : x < 80 ? [255, 255, 255, 255] : [200, 30, 40, 255])),
      'a cross': paint(160, 160, (x, y) => {
        const isBar = (k: number): boolean => k >= 60 && k < 100;
        return isBar(x) || isBar(y) ? [255, 255, 255, 255] : [210, 20, 30, 255];
      }),
      'an icon of 72 px': antiAliased(72),
      'an icon of 24 px': antiAliased(24),
      'a tiny photograph': paint(16, 16, (x, y) => [
        80 + x * 5 + noise(x, y, 15),
        90 + y * 4 + noise(y, x, 15),
        70 + x * y,
        255,
      ]),
      'a large photograph': paint(200, 150, (x, y) => [
        (x + noise(x, y, 15)) & 255,
        (y + noise(y, x, 15)) & 255,
        90,
        255,
      ]),
    };
    expect(Object.keys(others)).to.have.lengthOf(10);
    for (const [title, picture] of Object.entries(others)) {
      expect(find(picture), title).to.equal(null);
      expect(isPixelArt(picture.rgba, picture.width, picture.height), title).to.equal(false);
    }
    const { rgba, width, height } = enlarge(FISH, 1);
    expect(isPixelArt(rgba, width, height)).to.equal(true);
  });

  it('refuses a size that does not match', () => {
    expect(() => findPixelGrid(new Uint8Array(15), 2, 2)).to.throw(RangeError, '2 x 2');
  });
});
