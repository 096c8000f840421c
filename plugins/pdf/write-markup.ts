import SVGtoPDF from 'svg-to-pdfkit';
import type { Drawing, DrawingItem, Stroke } from '#domain/drawing/drawing.js';
import { writeSvg } from '#domain/exports/svg-document.js';
import { makeDocument, pageOf } from './document.js';
import type { PdfOptions } from './options.js';

/** No file, no address: nothing but the pictures that we have embedded ourselves. */
const EMBEDDED = /^data:image\/(?:png|jpeg);base64,/;

const withLeastDash = (stroke: Stroke, least: number): Stroke => ({
  ...stroke,
  dashes: stroke.dashes.map((length) => Math.max(least, length)),
});

/** pdfkit refuses dashes without length, which draw round and square dots. */
const withDashes = (items: readonly DrawingItem[], least: number): readonly DrawingItem[] =>
  items.map((item) => {
    if (item.kind === 'image') return item;
    if (item.kind === 'shape') return { ...item, stroke: item.stroke && withLeastDash(item.stroke, least) };
    const mask = item.mask && withDashes(item.mask, least);
    return { ...item, items: withDashes(item.items, least), ...(mask && { mask }) };
  });

export interface PdfOfMarkup {
  readonly bytes: Uint8Array;
  /** What svg-to-pdfkit could not draw, in its words. */
  readonly problems: readonly string[];
}

/**
 * A drawing with pictures or masks as a PDF document: svg-to-pdfkit draws the SVG that we write of it, and no other. It takes
 * three times as long as `writePdf` does, which does not know these. The same drawing and options give the same bytes.
 */
export async function writePdfOfMarkup(drawing: Drawing, options: PdfOptions): Promise<PdfOfMarkup> {
  const { width, height, matrix } = pageOf(drawing, options);
  const [scaleX, , , scaleY, x, y] = matrix;
  const items = withDashes(drawing.items, 10 ** -options.precision);
  const { text } = writeSvg(
    { ...drawing, items },
    {
      scale: 1,
      width: null,
      height: null,
      fit: 'inset',
      unit: 'px',
      dpi: 96,
      group_by: 'none',
      svg_version: null,
      non_scaling_strokes: false,
      precision: options.precision,
      title: null,
    },
  );
  const problems: string[] = [];
  const bytes = await makeDocument(options, (document) => {
    document.addPage({ size: [width, height], margin: 0 });
    SVGtoPDF(document, text, x, y, {
      assumePt: true,
      width: drawing.width * scaleX,
      height: drawing.height * scaleY,
      preserveAspectRatio: 'none',
      imageCallback: (link) => (EMBEDDED.test(link) ? link : ''),
      warningCallback: (problem) => problems.push(problem),
    });
  });
  return { bytes, problems };
}
