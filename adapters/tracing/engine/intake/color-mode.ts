import type { EnginePicture } from '../types.js';
import type { WorkingPixels } from './working-pixels.js';

/** Shares of red, green and blue in luma (Rec. 601), of 65536. Linear in the bytes, so that mixtures stay mixtures. */
const RED = 19595;
const GREEN = 38470;
const BLUE = 7471;

/** The picture in grays of the same luma; opacity is kept. */
export function toGrayscale(picture: EnginePicture): EnginePicture {
  const data = new Uint8Array(picture.data);
  for (let i = 0; i < data.length; i += 4) {
    const luma = (RED * data[i] + GREEN * data[i + 1] + BLUE * data[i + 2] + 32768) >> 16;
    data[i] = luma;
    data[i + 1] = luma;
    data[i + 2] = luma;
  }
  return { ...picture, data };
}

/** The picture laid over white. */
export function overWhite(picture: EnginePicture): EnginePicture {
  const data = new Uint8Array(picture.data);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3];
    if (alpha === 255) continue;
    for (let c = 0; c < 3; c++) data[i + c] = (data[i + c] * alpha + 255 * (255 - alpha) + 127) / 255;
    data[i + 3] = 255;
  }
  return { ...picture, data };
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
      first = level;
      last = level;
    } else if (variance >= best * (1 - 1e-12)) last = level;
  }
  return first < 0 ? -1 : (first + last) / 2 + 0.5;
}
