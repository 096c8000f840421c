import type { Raster } from '#application/ports/tracer.js';
import { coverageOf, type Layer, pixelwise } from './pictures.js';

const toLight = (level: number) => (level <= 10.31475 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4);
const toLevel = (light: number) => 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
const channelsOf = (color: number) => [color >> 16, (color >> 8) & 255, color & 255];

/** Paints opaque layers, first to last, over a background color, as `paint` does, but mixes light where edges cross pixels (sRGB, IEC 61966-2-1). */
export function paintInLight(width: number, height: number, background: number, layers: readonly Layer[]): Raster {
  const ground = channelsOf(background).map(toLight);
  const light = new Float64Array(width * height * 3).map((_, i) => ground[i % 3]!);
  for (const { outline, color } of layers) {
    const own = channelsOf(color).map(toLight);
    const coverage = coverageOf(outline, width, height);
    for (let i = 0; i < light.length; i++) light[i]! += coverage[Math.floor(i / 3)]! * (own[i % 3]! - light[i]!);
  }
  return pixelwise(width, height, (x, y) => {
    const at = (y * width + x) * 3;
    const level = (c: number) => Math.round(toLevel(light[at + c]!));
    return [level(0), level(1), level(2), 255];
  });
}
