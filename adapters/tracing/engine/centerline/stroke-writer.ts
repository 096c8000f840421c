import { type OutlineBuffer, solidPaint } from '../emit/outline-buffer.js';
import type { FitSettings } from '../fit/fit-chains.js';
import type { Regions } from '../segment/regions.js';
import type { EngineShape } from '../types.js';
import type { FoundStrokes } from './find-strokes.js';
import { choosePens, drawFitted } from './fit-strokes.js';

/** The middle of a line is known better than its edges, and seen on either side: it is followed more nearly. */
const TOLERANCE_SHARE = 0.6;

/** Draws the regions that are lines. */
export interface StrokeWriter {
  isDrawn(region: number): boolean;
  draw(out: OutlineBuffer): EngineShape[];
}

export function createStrokeWriter(found: FoundStrokes, paint: Regions, settings: FitSettings): StrokeWriter {
  const { strokes, regionOf, isDrawn } = found;
  const shares = new Int32Array(paint.count);
  for (const region of regionOf) shares[region]++;
  return {
    isDrawn: (region) => isDrawn[region] === 1,
    draw: (out) => {
      const nearer = { ...settings, tolerancePx: TOLERANCE_SHARE * settings.tolerancePx };
      const paintOf = (k: number) => solidPaint(paint.colors, regionOf[k]);
      const shapes = drawFitted(strokes, choosePens(strokes), paintOf, out, paint, nearer);
      // Between them the strokes of a region show what it did.
      return shapes.map((shape, k) => ({ ...shape, visibleAreaPx: paint.areaPx[regionOf[k]] / shares[regionOf[k]] }));
    },
  };
}
