import sharp from 'sharp';
import { discRaster } from './rasters.js';
import { createSeededRandom } from './seeded-random.js';

/** A disc of one color on another. */
export const discPng = (size: number) => {
  const { data, width, height } = discRaster(size);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
};

/** Nothing but noise: seconds of work. */
export const noisePng = (size: number, seed = 3) => {
  const random = createSeededRandom(seed);
  const data = Uint8Array.from({ length: size * size * 3 }, () => random() * 256);
  return sharp(data, { raw: { width: size, height: size, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
};
