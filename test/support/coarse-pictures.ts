import type { Raster } from '#application/ports/tracer.js';
import { coverageOf, type Layer, pixelwise } from './pictures.js';

/** Places of a pixel that renderers look at, along either side. */
const SAMPLES = 4;

/** A picture as renderers draw it that look at 4 x 4 places of each pixel, and nowhere else. */
export function sampled(width: number, height: number, ground: number, layers: readonly Layer[]): Raster {
  const fine = new Int32Array(width * height * SAMPLES ** 2).fill(ground);
  for (const { outline, color } of layers) {
    const enlarged = outline.map((contour) => contour.map((value) => value * SAMPLES));
    const coverage = coverageOf(enlarged, width * SAMPLES, height * SAMPLES);
    for (let i = 0; i < fine.length; i++) if (coverage[i]! >= 0.5) fine[i] = color;
  }
  return pixelwise(width, height, (x, y) => {
    const sums = [0, 0, 0];
    for (let i = 0; i < SAMPLES ** 2; i++) {
      const row = y * SAMPLES + Math.floor(i / SAMPLES);
      const color = fine[row * width * SAMPLES + x * SAMPLES + (i % SAMPLES)]!;
      for (let c = 0; c < 3; c++) sums[c]! += (color >> (16 - 8 * c)) & 255;
    }
    const [r, g, b] = sums.map((sum) => Math.round(sum / SAMPLES ** 2));
    return [r!, g!, b!, 255];
  });
}
