import { type OutlineBuffer, solidPaint } from '../emit/outline-buffer.js';
import type { FitSettings } from '../fit/fit-chains.js';
import type { Regions } from '../segment/regions.js';
import type { EngineShape } from '../types.js';
import type { FoundStrokes } from './find-strokes.js';
import { choosePens, drawFitted } from './fit-strokes.js';

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
      const paintOf = (k: number) => solidPaint(paint.colors, regionOf[k]);
      const shapes = drawFitted(strokes, choosePens(strokes), paintOf, out, paint, settings);
      // Between them the strokes of a region show what it did.
      return shapes.map((shape, k) => ({ ...shape, visibleAreaPx: paint.areaPx[regionOf[k]] / shares[regionOf[k]] }));
    },
  };
}
