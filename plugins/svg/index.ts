import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { parseSvgOptions, type SvgOptions, svgOptionsSchema } from './options.js';
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
  optionsSchema: svgOptionsSchema,
  parseOptions: parseSvgOptions,
  availability: async () => ({ state: 'available' }),
  encode: async (drawing, options, signal) => {
    if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    return new TextEncoder().encode(writeSvg(drawing, options));
  },
} as const satisfies Exporter<SvgOptions>;
