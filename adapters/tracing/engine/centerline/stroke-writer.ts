import { type OutlineBuffer, solidPaint } from '../emit/outline-buffer.js';
import type { FitSettings } from '../fit/fit-chains.js';
import type { Regions } from '../segment/regions.js';
import type { EngineShape } from '../types.js';
import type { FoundStrokes } from './find-strokes.js';
import { choosePens, drawFitted } from './fit-strokes.js';

/** The middle of a line is known better than its edges, and seen on either side: it is followed more nearly. */
const TOLERANCE_SHARE = 0.6;
/** But for what grain has been at, whose lines would shiver. */
const GRAINY_FACTOR = 2;

/** Draws the regions that are lines. */
export interface StrokeWriter {
  isDrawn(region: number): boolean;
  draw(out: OutlineBuffer): EngineShape[];
}

export function createStrokeWriter(
  found: FoundStrokes,
  paint: Regions,
  settings: FitSettings,
  grainy: boolean,
): StrokeWriter {
  const { strokes, regionOf, patches, patchOf, isDrawn } = found;
  const shares = new Int32Array(paint.count);
  for (const region of regionOf) shares[region]++;
  return {
    isDrawn: (region) => isDrawn[region] === 1,
    draw: (out) => {
      const { tolerancePx, segmentPrice } = settings;
      const own = grainy
        ? { ...settings, tolerancePx: GRAINY_FACTOR * tolerancePx, segmentPrice: GRAINY_FACTOR * segmentPrice }
        : { ...settings, tolerancePx: TOLERANCE_SHARE * tolerancePx };
      const paintOf = (k: number) => solidPaint(paint.colors, regionOf[k]);
      const areas = patches.map((points, k) => ({ points, paint: solidPaint(paint.colors, patchOf[k]) }));
      const shapes = drawFitted(strokes, choosePens(strokes), paintOf, areas, out, paint, own);
      // Between them the strokes of a region show what it did.
      return shapes.map((shape, k) =>
        k < strokes.length ? { ...shape, visibleAreaPx: paint.areaPx[regionOf[k]] / shares[regionOf[k]] } : shape,
      );
    },
  };
}
