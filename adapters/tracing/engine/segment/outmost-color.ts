/** Pixels this near to the one farthest out (four channels, squared) are nearly as far out. */
const SAME_SQ = 16 * 16;
/** So many pixels with the very color of the one farthest out show it pure, if they are such a share of those nearly as far out. */
const LEAST_EXACT = 4;
const EXACT_SHARE = 0.3;

/** Squared distance of two pixels, four channels. */
export function pixelDistanceSq(rgba: Uint8Array, a: number, b: number): number {
  let d = 0;
  for (let c = 0; c < 4; c++) d += (rgba[a * 4 + c] - rgba[b * 4 + c]) ** 2;
  return d;
}

/** The mean of those pixels that are nearly as far out as the worst, or the worst one's color, where many of them have the very same. */
export function meanOutmost(rgba: Uint8Array, pixels: readonly number[], worst: number): Float64Array {
  const mean = new Float64Array(4);
  let count = 0;
  let same = 0;
  for (const pixel of pixels) {
    const offSq = pixelDistanceSq(rgba, pixel, worst);
    if (offSq > SAME_SQ) continue;
    count++;
    if (offSq === 0) same++;
    for (let c = 0; c < 4; c++) mean[c] += rgba[pixel * 4 + c];
  }
  if (same >= LEAST_EXACT && same >= EXACT_SHARE * count)
    return Float64Array.from(rgba.subarray(worst * 4, worst * 4 + 4));
  for (let c = 0; c < 4; c++) mean[c] /= count;
  return mean;
}
