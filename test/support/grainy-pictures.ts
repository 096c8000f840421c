import type { Raster } from '#application/ports/tracer.js';
import { createSeededRandom } from './seeded-random.js';

/** Independent numbers of the standard normal distribution (Box and Muller), the same ones for the same seed. */
function createNormalRandom(seed: number): () => number {
  const random = createSeededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const toByte = (value: number) => Math.min(255, Math.max(0, Math.round(value)));

/** The picture with grain of so many levels (standard deviation) in every channel but alpha. */
export function grainy({ width, height, data }: Raster, levels: number, seed = 1): Raster {
  const normal = createNormalRandom(seed);
  return {
    width,
    height,
    data: Uint8Array.from(data, (value, i) => (i % 4 === 3 ? value : toByte(value + levels * normal()))),
  };
}

/** As `grainy`, with grain that neighbors share: means of 3 x 3 px, as scaling and compression leave it. */
export function coarselyGrainy({ width, height, data }: Raster, levels: number, seed = 1): Raster {
  const normal = createNormalRandom(seed);
  const grain = Float64Array.from(data, () => normal());
  const at = (x: number, y: number, c: number) =>
    grain[(Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 4 + c] as number;
  const around = (x: number, y: number, c: number) => {
    let sum = 0;
    for (let v = y - 1; v <= y + 1; v++) for (let u = x - 1; u <= x + 1; u++) sum += at(u, v, c);
    return sum / 3;
  };
  const out = Uint8Array.from(data, (value, i) => {
    const pixel = i >> 2;
    return i % 4 === 3 ? value : toByte(value + levels * around(pixel % width, Math.floor(pixel / width), i % 4));
  });
  return { width, height, data: out };
}
