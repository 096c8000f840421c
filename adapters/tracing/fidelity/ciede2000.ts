/** sRGB bytes to linear light, 0..1. */
const LINEAR = Float64Array.from({ length: 256 }, (_, i) => {
  const v = i / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

const labCurve = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);

/** CIE Lab (D65) of an sRGB color packed as 0xRRGGBB, into `lab[at..at + 2]`. */
export function toLab(rgb: number, lab: Float64Array, at: number): void {
  const r = LINEAR[rgb >> 16]!;
  const g = LINEAR[(rgb >> 8) & 0xff]!;
  const b = LINEAR[rgb & 0xff]!;
  const x = labCurve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = labCurve(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = labCurve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  lab[at] = 116 * y - 16;
  lab[at + 1] = 500 * (x - y);
  lab[at + 2] = 200 * (y - z);
}

const DEGREES = 180 / Math.PI;
const pow7 = (v: number): number => {
  const cube = v * v * v;
  return cube * cube * v;
};
const POW_25_7 = pow7(25);

/** The CIEDE2000 difference of two Lab colors; about 1 is just noticeable. */
export function ciede2000(l1: number, a1: number, b1: number, l2: number, a2: number, b2: number): number {
  const meanChroma7 = pow7((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const g = 1.5 - 0.5 * Math.sqrt(meanChroma7 / (meanChroma7 + POW_25_7));
  const c1 = Math.hypot(g * a1, b1);
  const c2 = Math.hypot(g * a2, b2);
  const hue = (b: number, a: number) => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) * DEGREES + 360) % 360);
  const h1 = hue(b1, g * a1);
  const h2 = hue(b2, g * a2);
  // Hues are compared the short way round; a gray has none.
  const gray = c1 * c2 === 0;
  let hueStep = gray ? 0 : h2 - h1;
  if (hueStep > 180) hueStep -= 360;
  else if (hueStep < -180) hueStep += 360;
  let meanHue = h1 + h2;
  if (!gray) {
    if (Math.abs(h1 - h2) > 180) meanHue += meanHue < 360 ? 360 : -360;
    meanHue /= 2;
  }
  const deltaL = l2 - l1;
  const deltaC = c2 - c1;
  const deltaH = 2 * Math.sqrt(c1 * c2) * Math.sin(hueStep / 2 / DEGREES);
  const t =
    1 -
    0.17 * Math.cos((meanHue - 30) / DEGREES) +
    0.24 * Math.cos((2 * meanHue) / DEGREES) +
    0.32 * Math.cos((3 * meanHue + 6) / DEGREES) -
    0.2 * Math.cos((4 * meanHue - 63) / DEGREES);
  const fromMiddle = ((l1 + l2) / 2 - 50) ** 2;
  const meanC = (c1 + c2) / 2;
  const lightness = deltaL / (1 + (0.015 * fromMiddle) / Math.sqrt(20 + fromMiddle));
  const chroma = deltaC / (1 + 0.045 * meanC);
  const hued = deltaH / (1 + 0.015 * meanC * t);
  const meanC7 = pow7(meanC);
  const turn = 60 * Math.exp(-(((meanHue - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(meanC7 / (meanC7 + POW_25_7)) * Math.sin(turn / DEGREES);
  return Math.sqrt(lightness * lightness + chroma * chroma + hued * hued + rotation * chroma * hued);
}
