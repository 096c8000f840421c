import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { findRuledColors } from '#adapters/tracing/engine/segment/ruled-lines.js';
import { findRuledSections } from '#adapters/tracing/engine/segment/ruled-sections.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, type Contour, circle, lettering, rectangle, roundedRectangle, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** A card with a border of a color, so many px wide, which lies half on either side of its edge. */
function card(ground: number, line: number, fill: number, width: number, scale = 1): Raster {
  const grown = (by: number) =>
    rectangle(30.3 - by, 24.8 - by, 118.9 + 2 * by, 82.5 + 2 * by).map((value) => value * scale);
  return paint(180 * scale, 140 * scale, ground, [layer(line, grown(width / 2)), layer(fill, grown(-width / 2))]);
}

const found = (raster: Raster) => {
  const pixels = toWorkingPixels(raster);
  return findRuledColors(pixels, choosePalette(pixels, 0.02, 2))?.map(({ color }) => Array.from(color, Math.round));
};

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

const farthest = (color: readonly number[], rgb: number) =>
  Math.max(...[16, 8, 0].map((shift, c) => Math.abs(color[c]! - ((rgb >> shift) & 255))));

/** Ground, line, fill, and how wide the line is, px. */
const CARDS = [
  [0xffffff, 0x8a8a8a, 0xdfe2e0, 1.28],
  [0xf5f6f8, 0xd0d4da, 0xffffff, 1],
  [0xfff4e6, 0x2f6fed, 0xd9f0c8, 0.7],
  [0x293249, 0xa9a9a9, 0x04471c, 1.52],
  [0xffffff, 0x000000, 0xb4e2d2, 0.57],
] as const;

describe('ruled lines', () => {
  for (const [ground, line, fill, width] of CARDS) {
    const name = `#${line.toString(16).padStart(6, '0')}, ${width} px wide`;

    it(`of ${name}, are of one color, which no pixel need show`, () => {
      const colors = found(card(ground, line, fill, width))!;
      expect(colors).to.have.length(1);
      expect(farthest(colors[0]!, line)).to.be.at.most(20);
    });

    it(`of ${name}, are drawn as straight as they are, and of three colors`, () => {
      const { drawing } = trace(card(ground, line, fill, width), ENGINE, () => {});
      const shapes = [...shapesOf(drawing.items)];
      expect(shapes).to.have.length(3);
      expect(drawingStatsOf(drawing).nodes).to.be.at.most(20);
      const off = differenceOf(referencePicture(drawing, 4), rgbOf(card(ground, line, fill, width, 4))).mean;
      expect(off).to.be.at.most(0.25);
    });
  }

  it('of several colors are found, each with its own', () => {
    const picture = paint(200, 160, 0xffffff, [
      layer(0x7a5c2e, rectangle(12.3, 10.4, 176.2, 138.3)),
      layer(0xe9d8b4, rectangle(13.1, 11.2, 174.6, 136.7)),
      layer(0x2f6fed, rectangle(40.3, 40.7, 90.2, 60.3)),
      layer(0xd9f0c8, rectangle(41.1, 41.5, 88.6, 58.7)),
    ]);
    const colors = found(picture)!;
    expect(colors).to.have.length(2);
    expect(Math.min(...colors.map((color) => farthest(color, 0x7a5c2e)))).to.be.at.most(20);
    expect(Math.min(...colors.map((color) => farthest(color, 0x2f6fed)))).to.be.at.most(20);
  });

  it('are none where areas meet, nor where what is beneath them shines through, nor in letters or slanted lines', () => {
    const striped = (seam: number) =>
      paint(120, 90, 0xffffff, [
        layer(0x000091, rectangle(0, 0, 40.3, 90)),
        layer(0xe1000f, rectangle(40.3 + seam, 0, 80, 90)),
      ]);
    for (const picture of [
      striped(0),
      striped(0.2),
      paint(120, 90, 0xffffff, [layer(0x2a9d8f, rectangle(10.4, 12.7, 70.2, 50.6))]),
      paint(120, 90, 0xffffff, [layer(0x222222, ...lettering(8, 60, 30))]),
      paint(120, 90, 0xf0f0f0, [layer(0x222222, turned(rectangle(10, 40, 100, 1), 12, 60, 40))]),
      paint(120, 90, 0xf0f0f0, [layer(0x222222, circle(60, 45, 30.2)), layer(0xe07a5f, circle(60, 45, 29.4))]),
    ])
      expect(found(picture)).to.equal(undefined);
  });

  it('are laid where they are much of what is mixed, and not beside more of other lines', () => {
    const border = [
      layer(0x000000, rectangle(12.3, 10.4, 150.2, 110.3)),
      layer(0xffffff, rectangle(13, 11.1, 148.8, 108.9)),
    ];
    const rings = (count: number) =>
      Array.from({ length: count }, (_, k) => [
        layer(0x85340a, circle(80, 65, 50 - 4 * k)),
        layer(0xf6b40e, circle(80, 65, 49.2 - 4 * k)),
      ]).flat();
    const isRuled = (count: number) =>
      labelFlatArt(toWorkingPixels(paint(180, 140, 0xffffff, [...border, ...rings(count)])), ENGINE)!.isRuled;
    expect(isRuled(1)).to.equal(true);
    expect(isRuled(11)).to.equal(false);
  });

  it('are laid beside strokes of another ink, of which they explain nothing', () => {
    const strokes = Array.from({ length: 24 }, (_, k) => {
      const [x, y] = [24.3 + 15.7 * (k % 12), 40.2 + 24 * Math.floor(k / 12)];
      return bar(x, y, x + 3.1 + (k % 5), y + 8.4, 0.9);
    });
    const picture = paint(240, 120, 0xf5f6f8, [
      layer(0xd0d4da, rectangle(12.3, 10.4, 210.2, 98.3)),
      layer(0xffffff, rectangle(13.3, 11.4, 208.2, 96.3)),
      layer(0x1c5a33, ...strokes),
    ]);
    const { isRuled, labels, channels } = labelFlatArt(toWorkingPixels(picture), ENGINE)!;
    expect(isRuled).to.equal(true);
    // No lighter than half-way between ink and paper.
    const isInk = (label: number) =>
      channels[4 * label]! < 0x8d && channels[4 * label]! < channels[4 * label + 1]! - 20;
    let inked = 0;
    for (const label of labels) if (isInk(label)) inked++;
    expect(inked).to.be.greaterThan(24 * 6);
  });

  it('leave the corners of a frame round that are', () => {
    const frame = (scale: number) =>
      paint(
        180 * scale,
        140 * scale,
        0xd7e0e2,
        [0.4, -0.4].map((by, k) =>
          layer(
            k === 0 ? 0x546948 : 0xffffff,
            roundedRectangle(21.3 - by, 19.7 - by, 133 + 2 * by, 98.6 + 2 * by, 12 + by).map((value) => value * scale),
          ),
        ),
      );
    const { drawing } = trace(frame(1), ENGINE, () => {});
    expect(drawingStatsOf(drawing).nodes).to.be.at.most(40);
    expect(differenceOf(referencePicture(drawing, 4), rgbOf(frame(4))).mean).to.be.at.most(0.35);
  });
});

describe('findRuledSections', () => {
  const isPure = (word: number) => [0xffffffff, 0xff204060].includes(word);

  it('finds what is the same all the way between two even areas, along rows and along columns', () => {
    const picture = paint(60, 50, 0xffffff, [layer(0x604020, rectangle(10.5, 12.25, 36, 30))]);
    const sections = findRuledSections(toWorkingPixels(picture), isPure);
    const at = (x: number, y: number) => y * 60 + x;
    const of = (step: number) => sections.filter((section) => section.step === step);
    expect(of(1).map(({ middle, lengthPx }) => [middle, lengthPx])).to.deep.equal([
      [[at(11, 12)], 35],
      [[at(11, 42)], 35],
    ]);
    expect(of(60).map(({ before, middle, behind, lengthPx }) => [before, middle, behind, lengthPx])).to.deep.equal([
      [at(9, 13), [at(10, 13)], at(11, 13), 29],
      [at(45, 13), [at(46, 13)], at(47, 13), 29],
    ]);
  });

  it("finds none at the picture's border, nor where less than 20 px are the same", () => {
    const lengths = (shape: Contour) =>
      findRuledSections(toWorkingPixels(paint(60, 50, 0xffffff, [layer(0x604020, shape)])), isPure).map(
        ({ before, behind, lengthPx, step }) => [behind - before, lengthPx, step],
      );
    expect(lengths(rectangle(-5, -5, 70, 17.5))).to.deep.equal([[120, 60, 1]]);
    expect(lengths(rectangle(10.25, -5, 60, 60))).to.deep.equal([[2, 50, 60]]);
    // What is mixed reaches to the border.
    expect(lengths(rectangle(-5, 0.5, 70, 60))).to.deep.equal([]);
    expect(lengths(rectangle(20.5, 20.5, 17, 17))).to.deep.equal([]);
  });
});
