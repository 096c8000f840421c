import type { DrawingRenderer } from '#application/ports/drawing-renderer.js';
import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { rasterSizeOf } from '#domain/exports/raster-size.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { type AvifOptions, avifOptions } from './options.js';

const MAX_SIDE_PX = 16_384;
/** 0..9: at 1 a megapixel takes 0.2 s, and a second where ten thousand shapes fill it; at 4 ten times that. */
const EFFORT = 1;

export const createAvif = (renderer: DrawingRenderer) =>
  ({
    format: {
      id: 'avif',
      label: 'AVIF',
      mediaType: 'image/avif',
      extension: 'avif',
      plan: 'anonymous',
      features: ['transparency'],
    },
    rows: avifOptions.rows,
    optionsSchema: avifOptions.optionsSchema,
    parseOptions: avifOptions.parseOptions,
    availability: async () => ({ state: 'available' }),
    encode: async (drawing, options, signal) => {
      if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      const limits = { maxPixels: LIMITS.maxPixels, maxSidePx: MAX_SIDE_PX };
      const size = rasterSizeOf(drawing, options, 'avif', limits);
      const { width, height, data } = await renderer.render(prepareDrawing(drawing, options), size, signal);
      // Loaded with the first picture: every program that lists the formats would wait for it.
      const { default: sharp } = await import('sharp');
      const pixels = sharp(data, { raw: { width, height, channels: 4 } }).withDensity(options.dpi);
      const bytes = await pixels
        .avif({ quality: options.quality, lossless: options.lossless, effort: EFFORT, chromaSubsampling: '4:4:4' })
        .toBuffer();
      return { bytes, warnings: [], size: { width, height, unit: 'px' } };
    },
  }) as const satisfies Exporter<AvifOptions>;
