import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { type SvgOptions, svgOptions } from './options.js';
import { writeSvg } from './write-svg.js';

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
    return { bytes: new TextEncoder().encode(writeSvg(drawing, options)), warnings: [] };
  },
} as const satisfies Exporter<SvgOptions>;
