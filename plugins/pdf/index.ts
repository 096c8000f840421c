import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { placementOf } from '#domain/exports/output-size.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { type PdfOptions, pdfOptions } from './options.js';

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
    // Loaded with the first file: every program that lists the formats would wait for it.
    const { writePdf } = await import('./write-pdf.js');
    const bytes = await writePdf(prepareDrawing(drawing, options), options);
    return { bytes, warnings: [], size: { width, height, unit } };
  },
} as const satisfies Exporter<PdfOptions>;
