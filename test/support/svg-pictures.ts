import { Resvg } from '@resvg/resvg-js';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createSvgDrawingReader } from '#adapters/svg-reader/svg-drawing-reader.js';
import { bundledFontFiles } from '#config/font-files.js';
import { averaged, type RgbPicture } from './compare-pictures.js';

/** Reads with nothing but what the program brings. */
export const svgReader = createSvgDrawingReader({ decoder: createImageDecoder(), fontFiles: bundledFontFiles() });

/**
 * The reference: markup that we trust, rendered as it is on white, `scale` pixels a unit after `by` x `by` pixels were averaged
 * to one.
 */
export function referenceOfMarkup(markup: string, scale: number, by = 1): RgbPicture {
  const { width, height, pixels } = new Resvg(markup, {
    fitTo: { mode: 'zoom', value: scale * by },
    font: {
      loadSystemFonts: false,
      fontFiles: [...bundledFontFiles()],
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
      serifFamily: 'DejaVu Serif',
      monospaceFamily: 'DejaVu Sans Mono',
    },
    logLevel: 'off',
  }).render();
  const data = new Uint8Array(width * height * 3);
  // The pixels are premultiplied: what they leave of the white is added.
  for (let i = 0, o = 0; i < pixels.length; i += 4, o += 3) {
    const beneath = 255 - pixels[i + 3]!;
    data[o] = pixels[i]! + beneath;
    data[o + 1] = pixels[i + 1]! + beneath;
    data[o + 2] = pixels[i + 2]! + beneath;
  }
  return averaged({ width, height, data }, by);
}
