import { Resvg } from '@resvg/resvg-js';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createSvgDrawingReader } from '#adapters/svg-reader/svg-drawing-reader.js';
import { bundledFontFiles } from '#config/font-files.js';
import { averagedPicture, type RgbPicture } from './compare-pictures.js';

/** Reads with nothing but what the program brings. */
export const svgReader = createSvgDrawingReader({ decoder: createImageDecoder(), fontFiles: bundledFontFiles() });

/**
 * The reference: markup that we trust, rendered as it is on white, `scale` pixels a unit after `by` x `by` pixels were averaged
 * to one.
 */
export function referenceOfMarkup(markup: string, scale: number, by = 1): Promise<RgbPicture> {
  const rendered = new Resvg(markup, {
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
  return averagedPicture(rendered.asPng(), by);
}
