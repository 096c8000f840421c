/**
 * What "different" means to the photo front end.
 *
 * A pixel is its premultiplied color P and its alpha a. Two of them are as far apart as they look, on average over a black and
 * a white backdrop: ½|ΔP|² + ½|ΔP − Δa|² = |ΔP − Δa/2|² + |Δa/2|² per channel. With both opaque that is plain RGB distance.
 */

/**
 * Weights of the squared differences of red, green, blue; their sum is 3, so that λ keeps the scale of unweighted RGB.
 * Between equal weights and luma's 0.9, 1.76, 0.34. Measured on six photos at equal boundary length: as good as equal weights in PSNR
 * (within 0.01 dB) and 0.4 % nearer in OKLab; pure luma is 0.04 dB worse, as it lets reds and blues of one luma flow together.
 */
export const RED_WEIGHT = 0.95;
export const GREEN_WEIGHT = 1.38;
export const BLUE_WEIGHT = 0.67;
/** |Δa/2|² counted once per color channel. */
export const ALPHA_WEIGHT = (RED_WEIGHT + GREEN_WEIGHT + BLUE_WEIGHT) / 4;

/** Whether every pixel has alpha 255. */
export function isOpaque(rgba: Uint8Array, pixelCount: number): boolean {
  for (let at = 3, end = pixelCount * 4; at < end; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

/** The picture with its colors multiplied by alpha (rounded); the picture itself, not a copy, where all of it is opaque. */
export function toPremultiplied(rgba: Uint8Array, pixelCount: number): Uint8Array {
  if (isOpaque(rgba, pixelCount)) return rgba;
  const out = new Uint8Array(pixelCount * 4);
  for (let at = 0, end = pixelCount * 4; at < end; at += 4) {
    const alpha = rgba[at + 3];
    out[at] = (rgba[at] * alpha + 127) / 255;
    out[at + 1] = (rgba[at + 1] * alpha + 127) / 255;
    out[at + 2] = (rgba[at + 2] * alpha + 127) / 255;
    out[at + 3] = alpha;
  }
  return out;
}
