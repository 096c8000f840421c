import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';

const options = defineExportOptions('measure', ['scale', 'title', 'unit'], {
  unit: { values: ['px', 'mm'] },
  title: {},
});

/** A format of the tests' own: writes down the size of a drawing. */
export const measure = {
  format: {
    id: 'measure',
    label: 'Measure',
    mediaType: 'text/x-measure',
    extension: 'measure',
    plan: 'anonymous',
    features: ['size'],
  },
  rows: options.rows,
  optionsSchema: options.optionsSchema,
  parseOptions: options.parseOptions,
  availability: async () => ({ state: 'available' }),
  encode: async ({ width, height }, { scale, title, unit }, signal) => {
    if (signal.aborted) throw new ServiceError('CANCELLED');
    const text = `${title ?? 'drawing'}: ${width * scale} x ${height * scale} ${unit}`;
    return { bytes: new TextEncoder().encode(text), warnings: [] };
  },
} as const satisfies Exporter<ReturnType<typeof options.parseOptions>>;
