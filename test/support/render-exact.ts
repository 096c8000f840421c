import { renderSvg } from './render-svg.js';

/** An SVG over white, rendered at 8x and averaged: coverage exact to 1/64. */
export function renderExact(svg: string, width: number) {
  const large = renderSvg(svg, width * 8, '#fff');
  const height = Math.floor(large.height / 8);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 64; k++)
          sum += large.data[((y * 8 + (k >> 3)) * large.width + x * 8 + (k & 7)) * 4 + c] as number;
        data[(y * width + x) * 4 + c] = Math.round(sum / 64);
      }
    }
  }
  return { width, height, data };
}
