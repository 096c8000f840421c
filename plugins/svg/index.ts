import type { Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { ServiceError } from '#domain/errors.js';
import { placementOf } from '#domain/exports/output-size.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { writeSvg } from '#domain/exports/svg-document.js';
import { fitVersion } from './fit-version.js';
import { type SvgOptions, svgOptions } from './options.js';

const gradientWarnings = (count: number): readonly Note[] =>
  count === 0
    ? []
    : [
        {
          code: 'gradient-simplified',
          message: `${count} radial gradient(s) became circles around their center: SVG Tiny has no other.`,
        },
      ];

export const svg = {
  format: {
    id: 'svg',
    label: 'SVG 1.1',
    mediaType: 'image/svg+xml',
    extension: 'svg',
    plan: 'anonymous',
    features: ['curves', 'gradients', 'groups', 'strokes', 'transparency'],
  },
  rows: svgOptions.rows,
  optionsSchema: svgOptions.optionsSchema,
  parseOptions: svgOptions.parseOptions,
  availability: async () => ({ state: 'available' }),
  encode: async (drawing, options, signal) => {
    if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    const fitted = fitVersion(prepareDrawing(drawing, options), options);
    const { text, simplifiedGradients } = writeSvg(fitted.drawing, options);
    const { width, height, unit } = placementOf(drawing, options);
    return {
      bytes: new TextEncoder().encode(text),
      warnings: [...fitted.warnings, ...gradientWarnings(simplifiedGradients)],
      size: { width, height, unit },
    };
  },
} as const satisfies Exporter<SvgOptions>;
