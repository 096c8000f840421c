import { expect } from 'chai';
import { toGrayscale } from '#adapters/tracing/engine/intake/color-mode.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import {
  type Labeling,
  labelBlackAndWhite,
  labelFlatArt,
  labelPhoto,
} from '#adapters/tracing/engine/segment/labeling.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { gradient, layer, noise, paint, pixelwise, single } from '#test/support/pictures.js';

const scene = paint(60, 40, 0xffffff, [
  layer(0xe63946, circle(16, 20, 11.4)),
  layer(0x9d2933, circle(16, 20, 5)),
  layer(0x1d3557, rectangle(34.5, 8.5, 20, 22)),
]);
const colorsUsed = ({ labels, channels }: Labeling) =>
  [...new Set(labels)].map((k) => channels.subarray(k * 4, k * 4 + 4).join()).sort();

describe('labels and their colors', () => {
  it('of flat art are the colors of its flat areas', () => {
    const labeling = labelFlatArt(toWorkingPixels(scene), ENGINE)!;
    expect(colorsUsed(labeling)).to.deep.equal(['157,41,51,255', '230,57,70,255', '255,255,255,255', '29,53,87,255']);
  });

  it('are left to others where there is no flat area', () => {
    expect(labelFlatArt(toWorkingPixels(noise(16, 16, 2)), ENGINE)).to.equal(undefined);
  });

  it('are as many colors as asked for, the nearest joined', () => {
    for (const colorCount of [2, 3, 4, 9]) {
      const labeling = labelFlatArt(toWorkingPixels(scene), { ...ENGINE, colorCount })!;
      expect(colorsUsed(labeling).length).to.equal(Math.min(4, colorCount));
    }
    const three = labelFlatArt(toWorkingPixels(scene), { ...ENGINE, colorCount: 3 })!;
    expect(colorsUsed(three)).to.deep.equal(['230,57,70,255', '255,255,255,255', '29,53,87,255']);
  });

  it('do not count nothing as a color', () => {
    const clear = paint(60, 40, null, [layer(0xe63946, circle(16, 20, 11)), layer(0x1d3557, rectangle(34, 8, 20, 22))]);
    const labeling = labelFlatArt(toWorkingPixels(clear), { ...ENGINE, colorCount: 2 })!;
    expect(colorsUsed(labeling)).to.deep.equal(['0,0,0,0', '230,57,70,255', '29,53,87,255']);
  });

  it('are those of a fixed palette and no others, and nothing stays nothing', () => {
    const clear = paint(60, 40, null, [layer(0xe63946, circle(16, 20, 11)), layer(0x1d3557, rectangle(34, 8, 20, 22))]);
    const fixedPalette = [0xff0000, 0x0000ff, 0x00ff00];
    for (const raster of [clear, scene]) {
      const { labels, channels } = labelFlatArt(toWorkingPixels(raster), { ...ENGINE, fixedPalette })!;
      expect(channels.length).to.equal(16);
      expect(Math.max(...labels)).to.be.at.most(3);
      const nothing = raster === clear ? 3 : -1;
      expect(labels[0]).to.not.equal(raster === clear ? 0 : -1);
      if (nothing >= 0) expect(labels[0]).to.equal(nothing);
    }
    const photo = labelPhoto(toWorkingPixels(gradient(40, 30)), { ...ENGINE, fixedPalette }, 900);
    expect(new Set(photo.labels).size).to.be.within(1, 3);
  });

  it('of a photograph are regions with a color each, fewer the more a boundary must be worth', () => {
    const pixels = toWorkingPixels(gradient(60, 60));
    const counts = [100, 900, 20_000].map((lambda) => {
      const { labels, channels } = labelPhoto(pixels, ENGINE, lambda);
      expect(Math.max(...labels)).to.equal(channels.length / 4 - 1);
      return channels.length / 4;
    });
    expect(counts[0]).to.be.greaterThan(counts[1]!);
    expect(counts[1]).to.be.greaterThan(counts[2]! - 1);
  });

  it('of a photograph take clamped bytes as well', () => {
    const raster = gradient(20, 20);
    const clamped = { ...raster, data: new Uint8ClampedArray(raster.data) };
    expect(labelPhoto(toWorkingPixels(clamped), ENGINE, 900)).to.deep.equal(
      labelPhoto(toWorkingPixels(raster), ENGINE, 900),
    );
  });

  it('in black and white are ink and paper, colored as they were measured', () => {
    const gray = toWorkingPixels(
      toGrayscale(pixelwise(10, 1, (x) => (x < 3 ? [40, 40, 40, 255] : [220, 220, 220, 255]))),
    );
    const { labels, channels } = labelBlackAndWhite(gray);
    expect([...labels]).to.deep.equal([0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
    expect([...channels]).to.deep.equal([40, 40, 40, 255, 220, 220, 220, 255]);
  });

  it('in black and white of one level are paper if it is light, else ink', () => {
    expect(new Set(labelBlackAndWhite(toWorkingPixels(single(3, 3, 0xeeeeee))).labels)).to.deep.equal(new Set([1]));
    expect(new Set(labelBlackAndWhite(toWorkingPixels(single(3, 3, 0x111111))).labels)).to.deep.equal(new Set([0]));
  });
});
