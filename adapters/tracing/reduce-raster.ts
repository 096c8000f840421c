import type { Raster } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Tier } from '#domain/tiers/tier.js';

/**
 * The raster brought down to at most `maxPixels` by averaging areas (in premultiplied form, so that transparent pixels lend no
 * color); the same object where it is small enough already. Sides keep their proportion as far as whole pixels allow. Every pixel is read
 * once, in the order of memory: rows are summed along, and each goes to the one or two rows it falls into.
 */
export function reduceRaster(raster: Raster, maxPixels: number): Raster {
  const { width, height, data } = raster;
  if (width * height <= maxPixels) return raster;
  const shrink = Math.sqrt(maxPixels / (width * height));
  const newWidth = Math.max(1, Math.min(Math.floor(width * shrink) || 1, maxPixels));
  const newHeight = Math.max(1, Math.min(Math.floor(height * shrink) || 1, Math.floor(maxPixels / newWidth)));
  const columns = cutsOf(width, newWidth);
  const rows = cutsOf(height, newHeight);
  const out = new Uint8Array(newWidth * newHeight * 4);
  const opaque = isOpaque(data);
  const sumAlong = opaque ? sumColors : sumMasses;
  const line = new Float64Array(newWidth * (opaque ? 3 : 4));
  const sums = new Float64Array(line.length);
  const perPixel = (newWidth * newHeight) / (width * height);
  for (let y = 0, v = 0; y < newHeight; y++) {
    for (; v < (rows.at[y] as number); v++) {
      sumAlong(data, v * width * 4, columns, line);
      for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) + (line[k] as number);
    }
    const share = rows.share[y] as number;
    if (share > 0) {
      sumAlong(data, v++ * width * 4, columns, line);
      for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) + (line[k] as number) * share;
    }
    if (opaque) writeColors(sums, out, y * newWidth * 4, perPixel);
    else writeMasses(sums, out, y * newWidth * 4, perPixel);
    // The rest of the row that was cut belongs to the next one.
    if (share > 0) for (let k = 0; k < sums.length; k++) sums[k] = (line[k] as number) * (1 - share);
    else sums.fill(0);
  }
  return { width: newWidth, height: newHeight, data: out };
}

/** Where a side is cut into fewer parts: per part the pixel in which it ends, and how much of that pixel is its own (0 for none). */
interface Cuts {
  readonly at: Int32Array;
  readonly share: Float64Array;
}

function cutsOf(size: number, parts: number): Cuts {
  const at = new Int32Array(parts);
  const share = new Float64Array(parts);
  for (let k = 0; k < parts; k++) {
    const end = k + 1 === parts ? size : ((k + 1) * size) / parts;
    at[k] = Math.floor(end);
    share[k] = end - Math.floor(end);
  }
  return { at, share };
}

function isOpaque(data: Raster['data']): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** One row of opaque pixels, beginning at byte `at`, summed along: per part three numbers. */
function sumColors(data: Raster['data'], at: number, { at: ends, share: shares }: Cuts, line: Float64Array): void {
  let r = 0;
  let g = 0;
  let b = 0;
  for (let x = 0, u = 0, to = 0; x < ends.length; x++, to += 3) {
    for (const end = ends[x] as number; u < end; u++, at += 4) {
      r += data[at] as number;
      g += data[at + 1] as number;
      b += data[at + 2] as number;
    }
    const share = shares[x] as number;
    if (share === 0) {
      line[to] = r;
      line[to + 1] = g;
      line[to + 2] = b;
      r = g = b = 0;
      continue;
    }
    const red = data[at] as number;
    const green = data[at + 1] as number;
    const blue = data[at + 2] as number;
    const rest = 1 - share;
    line[to] = r + red * share;
    line[to + 1] = g + green * share;
    line[to + 2] = b + blue * share;
    r = red * rest;
    g = green * rest;
    b = blue * rest;
    u++;
    at += 4;
  }
}

/** The same for pixels that may be seen through: per part color times opacity, three numbers, and opacity. */
function sumMasses(data: Raster['data'], at: number, { at: ends, share: shares }: Cuts, line: Float64Array): void {
  let r = 0;
  let g = 0;
  let b = 0;
  let a = 0;
  for (let x = 0, u = 0, to = 0; x < ends.length; x++, to += 4) {
    for (const end = ends[x] as number; u < end; u++, at += 4) {
      const alpha = data[at + 3] as number;
      r += (data[at] as number) * alpha;
      g += (data[at + 1] as number) * alpha;
      b += (data[at + 2] as number) * alpha;
      a += alpha;
    }
    const share = shares[x] as number;
    const alpha = share > 0 ? (data[at + 3] as number) : 0;
    const red = share > 0 ? (data[at] as number) * alpha : 0;
    const green = share > 0 ? (data[at + 1] as number) * alpha : 0;
    const blue = share > 0 ? (data[at + 2] as number) * alpha : 0;
    line[to] = r + red * share;
    line[to + 1] = g + green * share;
    line[to + 2] = b + blue * share;
    line[to + 3] = a + alpha * share;
    r = red * (1 - share);
    g = green * (1 - share);
    b = blue * (1 - share);
    a = alpha * (1 - share);
    if (share === 0) continue;
    u++;
    at += 4;
  }
}

function writeColors(sums: Float64Array, out: Uint8Array, at: number, perPixel: number): void {
  for (let k = 0; k < sums.length; k += 3, at += 4) {
    out[at] = (sums[k] as number) * perPixel + 0.5;
    out[at + 1] = (sums[k + 1] as number) * perPixel + 0.5;
    out[at + 2] = (sums[k + 2] as number) * perPixel + 0.5;
    out[at + 3] = 255;
  }
}

function writeMasses(sums: Float64Array, out: Uint8Array, at: number, perPixel: number): void {
  for (let k = 0; k < sums.length; k += 4, at += 4) {
    const alpha = sums[k + 3] as number;
    if (alpha <= 0) continue;
    const scale = 1 / alpha;
    out[at] = (sums[k] as number) * scale + 0.5;
    out[at + 1] = (sums[k + 1] as number) * scale + 0.5;
    out[at + 2] = (sums[k + 2] as number) * scale + 0.5;
    out[at + 3] = alpha * perPixel + 0.5;
  }
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
