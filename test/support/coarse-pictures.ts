import type { Raster } from '#application/ports/tracer.js';
import { coverageOf, type Layer, pixelwise } from './pictures.js';

/**
 * A picture as renderers draw it that look at so many places of each pixel along either side, and nowhere else: at one, they do not
 * anti-alias.
 */
export function sampled(width: number, height: number, ground: number, layers: readonly Layer[], samples = 4): Raster {
  const fine = new Int32Array(width * height * samples ** 2).fill(ground);
  for (const { outline, color } of layers) {
    const enlarged = outline.map((contour) => contour.map((value) => value * samples));
    const coverage = coverageOf(enlarged, width * samples, height * samples);
    for (let i = 0; i < fine.length; i++) if (coverage[i]! >= 0.5) fine[i] = color;
  }
  return pixelwise(width, height, (x, y) => {
    const sums = [0, 0, 0];
    for (let i = 0; i < samples ** 2; i++) {
      const row = y * samples + Math.floor(i / samples);
      const color = fine[row * width * samples + x * samples + (i % samples)]!;
      for (let c = 0; c < 3; c++) sums[c]! += (color >> (16 - 8 * c)) & 255;
    }
    const [r, g, b] = sums.map((sum) => Math.round(sum / samples ** 2));
    return [r!, g!, b!, 255];
  });
}
