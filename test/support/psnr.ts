import { renderSvg } from './render-svg.js';

/** dB between two drawings over white, rendered at so many px of width; 99 where nothing differs. Their sides are alike. */
export function psnrOf(first: string, second: string, width: number): number {
  const a = renderSvg(first, width, '#fff').data;
  return psnrOfPixels(a, renderSvg(second, width, '#fff').data);
}

/** dB between two opaque pictures of one size, RGBA; 99 where nothing differs. */
export function psnrOfPixels(a: Uint8Array | Uint8ClampedArray, b: Uint8Array | Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  // Opacity is the same everywhere: of four numbers three tell.
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * a.length * 0.75) / sum);
}
