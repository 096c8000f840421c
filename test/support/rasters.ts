import type { Raster } from '#application/ports/tracer.js';

/** A disc on a ground, hard-edged: small, and not one color. */
export function discRaster(size: number, color = 0x2266aa, ground = 0xffffff): Raster {
  const data = new Uint8Array(size * size * 4);
  const radius = size * 0.35;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const rgb = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) <= radius ? color : ground;
      data.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff, 255], (y * size + x) * 4);
    }
  return { width: size, height: size, data };
}
