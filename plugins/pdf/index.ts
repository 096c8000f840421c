import type { Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { ServiceError } from '#domain/errors.js';
import { placementOf } from '#domain/exports/output-size.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { type PdfOptions, pdfOptions } from './options.js';

function warningsOf(problems: readonly string[], { group_by }: PdfOptions): readonly Note[] {
  const warnings: Note[] = [];
  if (group_by === 'color')
    warnings.push({
      code: 'layers-dropped',
      message: 'The drawing has pictures or masks, which cannot stand on layers: it was written without them.',
    });
  if (problems.length > 0)
    warnings.push({
      code: 'part-dropped',
      message: `${problems.length} part(s) could not be drawn; the first: ${problems[0]!.slice(0, 200)}.`,
    });
  return warnings;
}

export const pdf = {
  format: {
    id: 'pdf',
    label: 'PDF',
    mediaType: 'application/pdf',
    extension: 'pdf',
    plan: 'anonymous',
    features: ['curves', 'gradients', 'groups', 'strokes', 'transparency', 'images'],
  },
  rows: pdfOptions.rows,
  optionsSchema: pdfOptions.optionsSchema,
  parseOptions: pdfOptions.parseOptions,
  availability: async () => ({ state: 'available' }),
  encode: async (drawing, options, signal) => {
    if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    const { width, height, unit } = placementOf(drawing, options);
    const size = { width, height, unit };
    const prepared = prepareDrawing(drawing, options);
    // Loaded with the first file: every program that lists the formats would wait for it.
    const { isPlain, writePdf } = await import('./write-pdf.js');
    if (isPlain(prepared.items)) return { bytes: await writePdf(prepared, options), warnings: [], size };
    const { writePdfOfMarkup } = await import('./write-markup.js');
    const { bytes, problems } = await writePdfOfMarkup(prepared, options);
    return { bytes, warnings: warningsOf(problems, options), size };
  },
} as const satisfies Exporter<PdfOptions>;
