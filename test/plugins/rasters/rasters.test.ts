import { expect } from 'chai';
import sharp from 'sharp';
import type { Exporter } from '#application/ports/exporter.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { exporters } from '#plugins/index.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { differenceOf, readPicture } from '#test/support/compare-pictures.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from '#test/support/drawing-builder.js';
import { refusalOf } from '#test/support/refusal-of.js';

const never = new AbortController().signal;
const IDS = ['png', 'jpg', 'webp', 'avif'] as const;
type Id = (typeof IDS)[number];
const exporterOf = (id: Id) => (exporters as readonly Exporter[]).find(({ format }) => format.id === id)!;
const encode = (id: Id, drawing: Drawing, options: object = {}) => {
  const exporter = exporterOf(id);
  return exporter.encode(drawing, exporter.parseOptions(options), never);
};
const bytesOf = async (id: Id, drawing: Drawing, options: object = {}) => (await encode(id, drawing, options)).bytes;
const pixelsOf = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4)];
  return { ...info, at };
};

/** Left half opaque orange, right half blue at a quarter, nothing above. */
function halves(width = 40, height = 20): Drawing {
  return createDrawingBuilder(width, height).drawing([
    shapeOf(rectOf(0, height / 2, width / 2, height / 2), solid(0xff8000)),
    shapeOf(rectOf(width / 2, height / 2, width / 2, height / 2), solid(0x0000ff, 0.25)),
  ]);
}

describe('raster exports', () => {
  const SIZES: readonly (readonly [object, number, number])[] = [
    [{}, 40, 20],
    [{ scale: 8 }, 320, 160],
    [{ scale: 1.3 }, 52, 26],
    [{ width: 100 }, 100, 50],
    [{ height: 50 }, 100, 50],
    [{ width: 60, height: 60 }, 60, 30],
    [{ width: 60, height: 60, fit: 'overflow' }, 60, 60],
    [{ width: 60, height: 60, fit: 'stretch' }, 60, 60],
    [{ width: 1, unit: 'in', dpi: 300 }, 300, 150],
    [{ width: 25.4, unit: 'mm', dpi: 96 }, 96, 48],
  ];
  for (const id of IDS) {
    it(`${id} has exactly the size asked for`, async () => {
      for (const [options, width, height] of SIZES) {
        const { bytes, size } = await encode(id, halves(), options);
        const { width: w, height: h, format } = await sharp(bytes).metadata();
        expect([w, h], JSON.stringify(options)).to.deep.equal([width, height]);
        expect(size).to.deep.equal({ width, height, unit: 'px' });
        expect(format).to.equal({ png: 'png', jpg: 'jpeg', webp: 'webp', avif: 'heif' }[id]);
      }
    });

    it(`${id} states its resolution`, async () => {
      const bytes = await bytesOf(id, halves(), { dpi: 300 });
      const { density, exif } = await sharp(bytes).metadata();
      if (id === 'png' || id === 'jpg') expect(density).to.equal(300);
      else expect(xResolutionOf(exif!)).to.be.closeTo(300, 0.01);
    });

    it(`${id} refuses a canvas that is too large before it paints it`, async () => {
      const refusal = await refusalOf(encode(id, halves(100_000, 100_000)));
      expect(refusal.code).to.equal('IMAGE_TOO_LARGE');
      expect((await refusalOf(encode(id, halves(4000, 4000), { scale: 8 }))).code).to.equal('IMAGE_TOO_LARGE');
      if (id === 'png') return;
      const long = await refusalOf(encode(id, halves(700, 2), { width: 100_000 }));
      expect([long.code, long.field]).to.deep.equal(['INVALID_REQUEST', 'width']);
    });
  }

  for (const id of ['png', 'webp', 'avif'] as const)
    it(`${id} keeps opacity, and colors are not darkened by it`, async () => {
      const { at } = await pixelsOf(await bytesOf(id, halves(), id === 'png' ? {} : { lossless: true }));
      expect(at(5, 5)[3]).to.equal(0);
      const near = (actual: readonly number[], wanted: readonly number[]) => {
        for (const [c, value] of actual.entries()) expect(value).to.be.closeTo(wanted[c]!, 2);
      };
      near(at(5, 15), [255, 128, 0, 255]);
      near(at(35, 15), [0, 0, 255, 64]);
    });

  it('PNG, and WEBP without loss, are the very same pixels', async () => {
    const [png, webp] = await Promise.all(
      [
        await bytesOf('png', everythingDrawing(), { scale: 3 }),
        await bytesOf('webp', everythingDrawing(), { scale: 3, lossless: true }),
      ].map((bytes) => sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer()),
    );
    expect(png!.equals(webp!)).to.equal(true);
  });

  it('lie on the background asked for; JPG on white where none is', async () => {
    for (const id of IDS) {
      const { at } = await pixelsOf(await bytesOf(id, halves(), { background: '#00ff00' }));
      expect(at(5, 5)[1]).to.be.above(245);
      expect(at(5, 5)[0]).to.be.below(20);
      expect(at(5, 5)[3]).to.equal(255);
    }
    const { at } = await pixelsOf(await bytesOf('jpg', halves()));
    for (const value of at(5, 5)) expect(value).to.be.above(250);
    expect(() => exporterOf('jpg').parseOptions({ background: 'none' })).to.throw(
      ServiceError,
      /jpg has no transparency/,
    );
  });

  it('are worse and smaller the lower the quality', async () => {
    const reference = await readPicture(await bytesOf('png', everythingDrawing(), { scale: 4 }));
    for (const id of ['jpg', 'webp', 'avif'] as const) {
      const good = await bytesOf(id, everythingDrawing(), { scale: 4, quality: 95 });
      const poor = await bytesOf(id, everythingDrawing(), { scale: 4, quality: 10 });
      expect(poor.length).to.be.below(good.length);
      const goodMean = differenceOf(await readPicture(good), reference).mean;
      expect(goodMean, id).to.be.below(1.5);
      expect(differenceOf(await readPicture(poor), reference).mean).to.be.above(goodMean);
    }
  });

  it('stretch and cut as `fit` says', async () => {
    const quarters = createDrawingBuilder(40, 20).drawing([
      shapeOf(rectOf(0, 0, 10, 20), solid(0xff0000)),
      shapeOf(rectOf(10, 0, 30, 20), solid(0x0000ff)),
    ]);
    const stretched = await pixelsOf(await bytesOf('png', quarters, { width: 40, height: 40, fit: 'stretch' }));
    expect([stretched.at(9, 20), stretched.at(11, 20)]).to.deep.equal([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ]);
    // Twice as large, 80 x 40, of which the middle 40 show: the red ends where they begin.
    const cut = await pixelsOf(await bytesOf('png', quarters, { width: 40, height: 40, fit: 'overflow' }));
    expect([cut.at(0, 20), cut.at(39, 39)]).to.deep.equal([
      [0, 0, 255, 255],
      [0, 0, 255, 255],
    ]);
  });
});

/** The horizontal resolution in an EXIF block. */
function xResolutionOf(exif: Uint8Array): number {
  const bytes = Buffer.from(exif);
  const start = bytes.toString('latin1', 0, 4) === 'Exif' ? 6 : 0;
  const little = bytes.toString('latin1', start, start + 2) === 'II';
  const u16 = (at: number) => (little ? bytes.readUInt16LE(start + at) : bytes.readUInt16BE(start + at));
  const u32 = (at: number) => (little ? bytes.readUInt32LE(start + at) : bytes.readUInt32BE(start + at));
  const directory = u32(4);
  for (let i = 0; i < u16(directory); i++) {
    const entry = directory + 2 + 12 * i;
    if (u16(entry) === 0x011a) return u32(u32(entry + 8)) / u32(u32(entry + 8) + 4);
  }
  throw new Error('there is no XResolution');
}
