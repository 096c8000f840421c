import { Resvg } from '@resvg/resvg-js';

export interface Seams {
  /** Pixels through which the ground shows. */
  readonly pixels: number;
  /** How much of it at the worst of them, 0..1. */
  readonly worst: number;
}

/** Less than this share of the ground is what rounding to bytes makes. */
const LEAST = 2 / 255;

/** The scales at which seams are looked for: edges on the pixel grid, and off it. */
export const SEAM_SCALES = [1, 3.7] as const;

/**
 * Where the ground shows through a drawing that should cover its whole canvas: rendered over magenta and over green, in which
 * every channel differs, so that no color of the drawing can hide it. The outermost pixels, which a canvas that ends within
 * a pixel covers in part, are left out.
 */
export function countSeams(svg: string, scale: number): Seams {
  const over = (background: string) =>
    new Resvg(svg, { background, fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } }).render();
  const magenta = over('#ff00ff');
  const green = over('#00ff00');
  const { width, height } = magenta;
  const [a, b] = [magenta.pixels, green.pixels];
  let pixels = 0;
  let worst = 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      let most = 0;
      for (let c = 0; c < 3; c++) {
        const at = 4 * (y * width + x) + c;
        most = Math.max(most, Math.abs(a[at]! - b[at]!) / 255);
      }
      if (most > LEAST) pixels++;
      worst = Math.max(worst, most);
    }
  return { pixels, worst };
}
