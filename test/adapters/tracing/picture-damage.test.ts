import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { findDamage } from '#adapters/tracing/picture-damage.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const drawing = (side: number): Raster => {
  const at = (share: number) => side * share;
  return paint(side, side, 0xffffff, [
    layer(0xe63946, circle(at(0.35), at(0.4), at(0.25))),
    layer(0x1d3557, star(at(0.65), at(0.65), at(0.3), at(0.12), 5)),
  ]);
};
const sharpOf = ({ width, height, data }: Raster) => sharp(data, { raw: { width, height, channels: 4 } });
const rasterOf = async (picture: Sharp): Promise<Raster> => {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

describe('The damage of a picture', () => {
  const none = { small: false, compressed: false, blurred: false };

  it('is none where there is none, in whatever size', () => {
    for (const side of [64, 100, 256]) expect(findDamage(drawing(side)), String(side)).to.deep.equal(none);
  });

  it('is none where colors change smoothly, or not at all', () => {
    const data = Uint8Array.from({ length: 128 * 128 * 4 }, (_, i) => (i % 4 === 3 ? 255 : Math.floor(i / 4) % 128));
    expect(findDamage({ width: 128, height: 128, data })).to.deep.equal(none);
    expect(findDamage(paint(128, 128, 0x336699, []))).to.deep.equal(none);
  });

  it('is compression, of any quality, by either format', async () => {
    const clean = drawing(128);
    for (const quality of [30, 50, 75, 90]) {
      const file = await sharpOf(clean).jpeg({ quality }).toBuffer();
      expect(findDamage(await rasterOf(sharp(file))), String(quality)).to.include({ compressed: true });
    }
    const webp = await sharpOf(clean).webp({ quality: 40 }).toBuffer();
    expect(findDamage(await rasterOf(sharp(webp)))).to.include({ compressed: true });
  });

  it('is blur, from where it shows', async () => {
    for (const sigma of [1, 1.5, 2])
      expect(findDamage(await rasterOf(sharpOf(drawing(128)).blur(sigma))), String(sigma)).to.include({
        blurred: true,
      });
    expect(findDamage(await rasterOf(sharpOf(drawing(128)).blur(0.3)))).to.include({ blurred: false });
  });

  it('is its size, where it is an icon', () => {
    expect(findDamage(drawing(48)).small).to.equal(true);
    expect(findDamage(drawing(49)).small).to.equal(false);
    for (const side of [1, 2, 7]) expect(findDamage(drawing(side))).to.deep.equal({ ...none, small: true });
  });
});
