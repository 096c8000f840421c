import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import sharp from 'sharp';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import { vectorize } from '#config/main/library.js';
import { fixturePath } from '#test/support/package-root.js';
import { writeBmp } from '#test/support/write-bmp.js';

describe('one picture in every format', () => {
  const side = 192;

  it('gives the same drawing to the byte where nothing is lost, and the same picture where something is', async () => {
    const png = await readFile(fixturePath('lighthouse.png'));
    const { data } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const fromPng = await vectorize(png);
    const lossless = {
      bmp: writeBmp(side, side, data),
      webp: await sharp(png).webp({ lossless: true }).toBuffer(),
      pixels: { width: side, height: side, data },
    };
    for (const [name, picture] of Object.entries(lossless))
      expect((await vectorize(picture)).svg, name).to.equal(fromPng.svg);

    const truth = renderDrawing(fromPng.drawing, side, side);
    const lossy = {
      jpeg: await sharp(png).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
      webp: await sharp(png).webp({ quality: 95 }).toBuffer(),
      avif: await sharp(png).avif({ quality: 90, effort: 2, chromaSubsampling: '4:4:4' }).toBuffer(),
    };
    for (const [name, picture] of Object.entries(lossy)) {
      const drawn = renderDrawing((await vectorize(picture)).drawing, side, side);
      let sum = 0;
      for (let i = 0; i < truth.length; i++) sum += Math.abs(truth[i]! - drawn[i]!);
      expect(sum / truth.length, name).to.be.below(2.5);
    }
  });
});
