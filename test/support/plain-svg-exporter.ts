import type { Exporter } from '#application/ports/exporter.js';

/** Writes the size of the drawing and nothing of what it shows: for tests of what stands around an exporter. */
export const plainSvgExporter: Exporter = {
  format: { id: 'svg', label: 'SVG', mediaType: 'image/svg+xml', extension: 'svg', plan: 'anonymous', features: [] },
  rows: {},
  optionsSchema: {},
  parseOptions: () => ({}),
  availability: async () => ({ state: 'available' }),
  encode: async ({ width, height }) => ({
    bytes: new TextEncoder().encode(`<svg width="${width}" height="${height}"/>`),
    warnings: [],
  }),
};
