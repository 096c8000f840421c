/** OKLab (Ottosson 2020) of sRGB bytes: a space in which distance is about what people see. */

/** The light of each level of sRGB, 0 to 1 (IEC 61966-2-1). */
export const LIGHT_OF: Float64Array = new Float64Array(256);
for (let i = 0; i < 256; i++) {
  const c = i / 255;
  LIGHT_OF[i] = c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** Writes L, a, b (L 0..1) of an sRGB color to `out[at..at+2]`; channels are rounded to bytes. */
export function toOklab(red: number, green: number, blue: number, out: Float64Array, at: number): void {
  const r = LIGHT_OF[Math.round(red)];
  const g = LIGHT_OF[Math.round(green)];
  const b = LIGHT_OF[Math.round(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  out[at] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  out[at + 1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  out[at + 2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}
