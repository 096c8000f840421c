import type { Raster } from '#application/ports/tracer.js';
import type { Tier } from '#domain/tiers/tier.js';
import { reduceRaster } from './reduce-raster.js';

/** Rows, about, in which runs of equal pixels are counted. */
const ROWS = 1024;
/** Runs a pixel up to which a picture is a drawing, and runs a working pixel up to which there is time to trace their edges. */
const MOST_RUNS_PER_PIXEL = 1 / 16;
const MOST_RUNS = 1 / 4;
/** So many pixels of a drawing take no more time and little more memory than one of a photograph. */
const DRAWN_PIXELS = 4;

/**
 * The raster at the size it is traced at: brought down to the tier's working pixels, or to four times as many where it is a drawing, whose
 * even areas take next to no work. The same object where it is small enough already.
 */
export function workingRaster(raster: Raster, { maxWorkingPixels }: Pick<Tier, 'maxWorkingPixels'>): Raster {
  if (raster.width * raster.height <= maxWorkingPixels) return raster;
  return reduceRaster(raster, isDrawing(raster, maxWorkingPixels) ? DRAWN_PIXELS * maxWorkingPixels : maxWorkingPixels);
}

/** Whether runs of equal pixels are long, and few enough. */
function isDrawing({ width, height, data }: Raster, maxWorkingPixels: number): boolean {
  const step = Math.max(1, Math.floor(height / ROWS));
  let runs = 0;
  let seen = 0;
  for (let y = 0; y < height; y += step, seen += width) {
    const end = (y + 1) * width * 4;
    for (let at = y * width * 4 + 4; at < end; at += 4) {
      const isSame =
        data[at] === data[at - 4] &&
        data[at + 1] === data[at - 3] &&
        data[at + 2] === data[at - 2] &&
        data[at + 3] === data[at - 1];
      if (!isSame) runs++;
    }
  }
  const perPixel = runs / seen;
  return perPixel <= MOST_RUNS_PER_PIXEL && perPixel * width * height <= MOST_RUNS * maxWorkingPixels;
}
