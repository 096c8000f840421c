import type { WorkingPixels } from './working-pixels.js';

/** Shares of red, green and blue in luma (Rec. 601), in sixteenths of 65536. Linear in the bytes, so mixtures stay mixtures. */
const RED = 19595;
const GREEN = 38470;
const BLUE = 7471;

/** The pixels in grays of the same luma; opacity is kept. */
export function toGrayscale(pixels: WorkingPixels): WorkingPixels {
  const rgba = new Uint8Array(pixels.rgba);
  for (let i = 0; i < rgba.length; i += 4) {
    const luma = (RED * rgba[i] + GREEN * rgba[i + 1] + BLUE * rgba[i + 2] + 32768) >> 16;
    rgba[i] = rgba[i + 1] = rgba[i + 2] = luma;
  }
  return { ...pixels, rgba, words: new Uint32Array(rgba.buffer) };
}

/** The pixels laid over white. */
export function overWhite(pixels: WorkingPixels): WorkingPixels {
  if (pixels.opaque) return pixels;
  const rgba = new Uint8Array(pixels.rgba);
  for (let i = 0; i < rgba.length; i += 4) {
    const white = 255 - rgba[i + 3];
    rgba[i] += white;
    rgba[i + 1] += white;
    rgba[i + 2] += white;
    rgba[i + 3] = 255;
  }
  return { ...pixels, rgba, words: new Uint32Array(rgba.buffer), opaque: true };
}

/**
 * The gray level that best parts the pixels in two, by Otsu's measure (1979): greatest variance between the parts. Where a
 * range of levels does equally well (clean line art has nothing between ink and paper) its middle is taken. -1 for a picture
 * of one level.
 */
export function otsuThreshold(gray: WorkingPixels): number {
  const counts = new Float64Array(256);
  for (let i = 0; i < gray.rgba.length; i += 4) counts[gray.rgba[i]]++;
  const total = gray.rgba.length / 4;
  let sum = 0;
  for (let level = 0; level < 256; level++) sum += level * counts[level];
  let below = 0;
  let sumBelow = 0;
  let best = -1;
  let first = -1;
  let last = -1;
  for (let level = 0; level < 255; level++) {
    below += counts[level];
    sumBelow += level * counts[level];
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const gap = sumBelow / below - (sum - sumBelow) / above;
    const variance = below * above * gap * gap;
    if (variance > best * (1 + 1e-12)) {
      best = variance;
      first = last = level;
    } else if (variance >= best * (1 - 1e-12)) last = level;
  }
  return first < 0 ? -1 : (first + last) / 2 + 0.5;
}
