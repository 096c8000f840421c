import { invalid, ServiceError } from '#domain/errors.js';
import type { ExportOptionValues } from './export-options.js';
import { placementOf, unitsPerInch } from './output-size.js';

/** Whole pixels. */
export interface RasterSize {
  readonly width: number;
  readonly height: number;
  /** The drawing fills the picture and stands out on one axis, instead of being shown whole. */
  readonly overflow: boolean;
}

type SizeOptions = Pick<ExportOptionValues, 'scale' | 'width' | 'height' | 'fit' | 'unit' | 'dpi'>;

export interface RasterLimits {
  /** width x height */
  readonly maxPixels: number;
  /** The longest side that the format has. */
  readonly maxSidePx: number;
}

/** What rounding errors add to a size that was meant to be whole. */
const SLACK_PX = 1e-6;

/**
 * The size of a raster export. Lengths become pixels by `dpi`; a pixel that is begun counts whole.
 * Throws IMAGE_TOO_LARGE, or INVALID_REQUEST where a side is longer than the format's longest, before anything is painted.
 */
export function rasterSizeOf(
  drawing: { readonly width: number; readonly height: number },
  options: SizeOptions,
  format: string,
  { maxPixels, maxSidePx }: RasterLimits,
): RasterSize {
  const placement = placementOf(drawing, options);
  const pixelsPerUnit = options.dpi / unitsPerInch(placement.unit, options.dpi);
  const toPixels = (length: number) => Math.max(1, Math.ceil(length * pixelsPerUnit - SLACK_PX));
  const width = toPixels(placement.width);
  const height = toPixels(placement.height);
  if (!(width * height <= maxPixels))
    throw new ServiceError('IMAGE_TOO_LARGE', { width, height, limitPixels: maxPixels });
  const field = options.width !== null ? 'width' : options.height !== null ? 'height' : 'scale';
  if (width > maxSidePx || height > maxSidePx)
    throw invalid(field, `gives ${width} x ${height} pixels; ${format} takes at most ${maxSidePx} a side`);
  return { width, height, overflow: options.fit === 'overflow' && options.width !== null && options.height !== null };
}
