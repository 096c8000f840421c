import type { Raster } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Tier } from '#domain/tiers/tier.js';

/**
 * The raster brought down to at most `maxPixels` by averaging areas (in premultiplied form, so that transparent pixels lend no
 * color); the same object where it is small enough already. Sides keep their proportion as far as whole pixels allow.
 */
export function reduceRaster(raster: Raster, maxPixels: number): Raster {
  const { width, height, data } = raster;
  if (width * height <= maxPixels) return raster;
  const shrink = Math.sqrt(maxPixels / (width * height));
  const newWidth = Math.max(1, Math.min(Math.floor(width * shrink) || 1, maxPixels));
  const newHeight = Math.max(1, Math.min(Math.floor(height * shrink) || 1, Math.floor(maxPixels / newWidth)));
  const stepX = width / newWidth;
  const stepY = height / newHeight;
  const out = new Uint8Array(newWidth * newHeight * 4);
  const sums = new Float64Array(newWidth * 4);
  for (let y = 0; y < newHeight; y++) {
    sums.fill(0);
    const top = y * stepY;
    const bottom = Math.min(height, (y + 1) * stepY);
    for (let v = Math.floor(top); v < bottom; v++) {
      const coverY = Math.min(bottom, v + 1) - Math.max(top, v);
      for (let x = 0; x < newWidth; x++) {
        const left = x * stepX;
        const right = Math.min(width, (x + 1) * stepX);
        let r = 0;
        let g = 0;
        let b = 0;
        let a = 0;
        for (let u = Math.floor(left); u < right; u++) {
          const at = (v * width + u) * 4;
          const alpha = (data[at + 3] as number) * (Math.min(right, u + 1) - Math.max(left, u));
          r += (data[at] as number) * alpha;
          g += (data[at + 1] as number) * alpha;
          b += (data[at + 2] as number) * alpha;
          a += alpha;
        }
        const to = x * 4;
        sums[to] = (sums[to] as number) + r * coverY;
        sums[to + 1] = (sums[to + 1] as number) + g * coverY;
        sums[to + 2] = (sums[to + 2] as number) + b * coverY;
        sums[to + 3] = (sums[to + 3] as number) + a * coverY;
      }
    }
    const perPixel = 1 / (stepX * stepY);
    for (let x = 0; x < newWidth; x++) {
      const alpha = sums[x * 4 + 3] as number;
      if (alpha <= 0) continue;
      const to = (y * newWidth + x) * 4;
      for (let c = 0; c < 3; c++) out[to + c] = Math.round((sums[x * 4 + c] as number) / alpha);
      out[to + 3] = Math.round(alpha * perPixel);
    }
  }
  return { width: newWidth, height: newHeight, data: out };
}

/** What a person should know where the picture was traced smaller than it is. */
export const reductionNotes = (raster: Raster, working: Raster, { id }: Tier): Note[] =>
  working === raster
    ? []
    : [
        {
          code: 'traced-reduced',
          message: `The picture was traced at ${working.width} x ${working.height} px, the most that ${id} works on; the drawing has the full size.`,
        },
      ];
