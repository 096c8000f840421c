import type { Drawing } from '#domain/drawing/drawing.js';
import type { RasterSize } from '#domain/exports/raster-size.js';
import type { Raster } from './tracer.js';

/** Paints drawings as pixels. */
export interface DrawingRenderer {
  /**
   * The drawing on transparent ground, in sRGB, exactly `size` pixels large and stretched to it by the rounding of whole pixels
   * only. Rejects with IMAGE_TOO_LARGE before anything is painted where that would take too much memory, and with CANCELLED.
   */
  render(drawing: Drawing, size: RasterSize, signal: AbortSignal): Promise<Raster>;
}
