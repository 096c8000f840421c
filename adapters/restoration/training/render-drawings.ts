import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type RenderedImage, Resvg } from '@resvg/resvg-js';
import { drawingAt } from './drawings.js';
import { findIconFiles } from './icon-art.js';

// Writes what train.py reads: every drawing at twice its size, RGB, one after the other in one file, and a list of sizes.
// Usage: node dist/adapters/restoration/training/render-drawings.js FOLDER COUNT

const FONT_FILES = ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSerif', 'DejaVuSansMono', 'DejaVuSansCondensed'].map(
  (name) => join('node_modules/dejavu-fonts-ttf/ttf', `${name}.ttf`),
);

/** The drawing in pixels: three bytes each, nothing transparent (every drawing has a background). */
export function renderRgb(svg: string, width: number, packageRoot = '.'): { image: RenderedImage; rgb: Uint8Array } {
  const image = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { loadSystemFonts: false, fontFiles: FONT_FILES.map((file) => join(packageRoot, file)) },
  }).render();
  const rgba = image.pixels;
  const rgb = new Uint8Array(image.width * image.height * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) rgb.set(rgba.subarray(from, from + 3), to);
  return { image, rgb };
}

function writeAll(folder: string, count: number): void {
  const files = findIconFiles('.', 'train');
  const pixels = openSync(join(folder, 'drawings.rgb'), 'w');
  const sizes: [number, number][] = [];
  for (let index = 0; index < count; index++) {
    const { svg, width } = drawingAt(index, 'train', files);
    const { image, rgb } = renderRgb(svg, width * 2);
    writeSync(pixels, rgb);
    sizes.push([image.width, image.height]);
  }
  closeSync(pixels);
  writeFileSync(join(folder, 'drawings.json'), JSON.stringify(sizes));
}

const [folder, count] = process.argv.slice(2);
if (process.argv[1]?.endsWith('render-drawings.js') && folder !== undefined) writeAll(folder, Number(count));
