import type { DrawingRenderer } from '#application/ports/drawing-renderer.js';
import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { rasterSizeOf } from '#domain/exports/raster-size.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { type PngOptions, pngOptions } from './options.js';

/** More makes files 1 % smaller and takes twice the time. */
const COMPRESSION = 6;
/** What readers take; the format would have more. */
const MAX_SIDE_PX = 65_535;

export const createPng = (renderer: DrawingRenderer) =>
  ({
    format: {
      id: 'png',
      label: 'PNG',
      mediaType: 'image/png',
      extension: 'png',
      plan: 'anonymous',
      features: ['transparency'],
    },
    rows: pngOptions.rows,
    optionsSchema: pngOptions.optionsSchema,
    parseOptions: pngOptions.parseOptions,
    availability: async () => ({ state: 'available' }),
    encode: async (drawing, options, signal) => {
      if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      const limits = { maxPixels: LIMITS.maxPixels, maxSidePx: MAX_SIDE_PX };
      const size = rasterSizeOf(drawing, options, 'png', limits);
      const { width, height, data } = await renderer.render(prepareDrawing(drawing, options), size, signal);
      // Loaded with the first picture: every program that lists the formats would wait for it.
      const { default: sharp } = await import('sharp');
      const pixels = sharp(data, { raw: { width, height, channels: 4 } }).withDensity(options.dpi);
      const bytes = await pixels.png({ compressionLevel: COMPRESSION }).toBuffer();
      return { bytes, warnings: [], size: { width, height, unit: 'px' } };
    },
  }) as const satisfies Exporter<PngOptions>;
