import { Resvg } from '@resvg/resvg-js';
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

/** Flat circles over one another on white, other ones for another seed. */
export const circlesPng = (size: number, count: number, seed: number) => {
  const random = createSeededRandom(seed);
  const circles = Array.from({ length: count }, () => {
    const [x, y, r] = [random() * size, random() * size, (0.02 + random() * 0.08) * size].map((value) =>
      value.toFixed(1),
    );
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${Math.floor(random() * 360)},70%,50%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="white"/>${circles.join('')}</svg>`;
  // Not by sharp, which reads no SVG where our own decoder has been loaded.
  return new Resvg(svg).render().asPng();
};
