import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { coverageOf, layer, paint, pixelwise, single } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const labelsOf = (raster: Raster, mergeDistance = 0.02) => {
  const pixels = toWorkingPixels(raster);
  const palette = choosePalette(pixels, mergeDistance, 2);
  return { labels: labelFlat(pixels, palette).labels, palette };
};

describe('labels of flat art', () => {
  it('give a mixed pixel to the color that covers more of it', () => {
    const outline = [circle(20.3, 19.6, 12.4)];
    const { labels, palette } = labelsOf(paint(40, 40, 0xffffff, [layer(0x1d3557, ...outline)]));
    const coverage = coverageOf(outline, 40, 40);
    expect(palette.size).to.equal(2);
    let checked = 0;
    for (let i = 0; i < labels.length; i++) {
      // Bytes round: what is nearly half and half may fall either way.
      if (Math.abs(coverage[i]! - 0.5) < 0.01) continue;
      expect(labels[i]).to.equal(coverage[i]! > 0.5 ? 1 : 0);
      checked++;
    }
    expect(checked).to.be.greaterThan(1500);
  });

  it('never take a mixture for a third color that happens to lie between two others', () => {
    // Gray lies between black and white; it is in the picture too, but far from the edge.
    const raster = paint(60, 30, 0xffffff, [
      layer(0x000000, circle(15, 15, 9.3)),
      layer(0x808080, rectangle(40, 5, 15, 20)),
    ]);
    const { labels } = labelsOf(raster);
    const near = new Set<number>();
    for (let y = 0; y < 30; y++) for (let x = 0; x < 30; x++) near.add(labels[y * 60 + x]!);
    expect(near.size).to.equal(2);
  });

  it('un-mix opacity as they do colors', () => {
    const outline = [circle(16, 16, 9.7)];
    const { labels, palette } = labelsOf(paint(32, 32, null, [layer(0xe63946, ...outline)]));
    const coverage = coverageOf(outline, 32, 32);
    expect(palette.size).to.equal(2);
    for (let i = 0; i < labels.length; i++)
      if (Math.abs(coverage[i]! - 0.5) > 0.01)
        expect(palette.channels[labels[i]! * 4 + 3]).to.equal(coverage[i]! > 0.5 ? 255 : 0);
  });

  it('give a pixel nobody explains the nearest color', () => {
    // A blot of noise in an even field: no two colors are near it.
    const raster = pixelwise(30, 30, (x, y) =>
      Math.abs(x - 15) < 6 && Math.abs(y - 15) < 6 ? [200 + ((x * 7 + y * 3) % 20), 10, 10, 255] : [255, 255, 255, 255],
    );
    const { labels, palette } = labelsOf(raster);
    expect(palette.size).to.equal(1);
    expect(new Set(labels)).to.deep.equal(new Set([0]));
  });

  it('leave exact colors as they are', () => {
    const { labels } = labelsOf(single(8, 8, 0x2a9d8f));
    expect(new Set(labels)).to.deep.equal(new Set([0]));
    const halves = labelsOf(pixelwise(20, 10, (x) => (x < 10 ? [9, 9, 9, 255] : [250, 250, 250, 255])));
    for (let i = 0; i < 200; i++) expect(halves.labels[i]).to.equal(i % 20 < 10 ? 0 : 1);
  });

  it('are those of the nearest colors where a picture has more than any palette, each looked for once', () => {
    const [blocks, block] = [26, 12];
    const side = blocks * block;
    const random = createSeededRandom(2);
    const colors = Array.from({ length: blocks * blocks }, () =>
      [random(), random(), random()].map((v) => (v * 255) | 0),
    );
    const { labels, palette } = labelsOf(
      pixelwise(side, side, (x, y) => {
        const [r, g, b] = colors[Math.floor(y / block) * blocks + Math.floor(x / block)]!;
        return [r!, g!, b!, 255];
      }),
      0,
    );
    expect(palette.size).to.be.lessThan(colors.length);
    let foreign = 0;
    colors.forEach((color, k) => {
      // The middles of blocks are out of sight of any other color.
      const i = (Math.floor(k / blocks) * block + 6) * side + (k % blocks) * block + 6;
      const distance = (n: number) => color.reduce((sum, v, c) => sum + (v - palette.channels[n * 4 + c]!) ** 2, 0);
      let nearest = Infinity;
      for (let n = 0; n < palette.size; n++) nearest = Math.min(nearest, distance(n));
      expect(distance(labels[i]!)).to.equal(nearest);
      if (nearest > 0) foreign++;
    });
    expect(foreign).to.be.greaterThan(100);
  });
});
