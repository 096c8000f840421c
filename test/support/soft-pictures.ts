import type { Raster } from '#application/ports/tracer.js';

export { pixelwise } from './pictures.js';

/** Means over 3 px along each row. */
export function blurred({ width, height, data }: Raster): Raster {
  const out = new Uint8Array(data);
  for (let y = 0; y < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const at = (y * width + x) * 4;
      for (let c = 0; c < 4; c++)
        out[at + c] = Math.round(
          ((data[at - 4 + c] as number) + (data[at + c] as number) + (data[at + 4 + c] as number)) / 3,
        );
    }
  }
  return { width, height, data: out };
}
