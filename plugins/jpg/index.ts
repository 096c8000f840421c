import type { DrawingRenderer } from '#application/ports/drawing-renderer.js';
import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { rasterSizeOf } from '#domain/exports/raster-size.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { type JpgOptions, jpgOptions } from './options.js';

const MAX_SIDE_PX = 65_535;
/** Beneath what the background does not cover: a size rounded up leaves the last row half covered. */
const WHITE = '#ffffff';

export const createJpg = (renderer: DrawingRenderer) =>
  ({
    format: {
      id: 'jpg',
      label: 'JPEG',
      mediaType: 'image/jpeg',
      extension: 'jpg',
      plan: 'anonymous',
      features: ['opaque'],
    },
    rows: jpgOptions.rows,
    optionsSchema: jpgOptions.optionsSchema,
    parseOptions: jpgOptions.parseOptions,
    availability: async () => ({ state: 'available' }),
    encode: async (drawing, options, signal) => {
      if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      const limits = { maxPixels: LIMITS.maxPixels, maxSidePx: MAX_SIDE_PX };
      const size = rasterSizeOf(drawing, options, 'jpg', limits);
      const { width, height, data } = await renderer.render(prepareDrawing(drawing, options), size, signal);
      // Loaded with the first picture: every program that lists the formats would wait for it.
      const { default: sharp } = await import('sharp');
      const pixels = sharp(data, { raw: { width, height, channels: 4 } })
        .flatten({ background: WHITE })
        .withDensity(options.dpi);
      const bytes = await pixels.jpeg({ quality: options.quality, chromaSubsampling: '4:4:4' }).toBuffer();
      return { bytes, warnings: [], size: { width, height, unit: 'px' } };
    },
  }) as const satisfies Exporter<JpgOptions>;
