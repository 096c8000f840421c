import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import type { SpanSettings } from './spans.js';

/** Levels of contrast (in four channels) across an edge at which one level of noise makes its segments as dear as those of a clean edge. */
const PLAIN_CONTRAST = 250;
/** They are so many times as dear at most. */
const MOST_TIMES = 8;
/** By how much the tolerance grows with every time that they are dearer, as a share of it. */
const TOLERANCE_SHARE = 0.25;

/**
 * Per chain how many times as dear its segments are as those of clean edges, where compression or noise has moved colors by so many levels:
 * it moves an edge the farther, along it as well as across, the less contrast that has.
 */
export function measureRipples({ left, right }: PlanarMap, { colors }: Regions, noise: number): Float32Array {
  return Float32Array.from(left, (l, chain) => {
    const r = right[chain];
    if (l < 0 || r < 0) return 1;
    let contrastSq = 0;
    for (let i = 0; i < 4; i++) contrastSq += (colors[l * 4 + i] - colors[r * 4 + i]) ** 2;
    return timesAsDear(noise, Math.sqrt(contrastSq));
  });
}

/** How many times as dear segments are where noise is of so many levels, and an edge of so many (where that is not known, of plain contrast). */
export function timesAsDear(noise: number, contrast = PLAIN_CONTRAST): number {
  return Math.max(1, Math.min(MOST_TIMES, (noise * PLAIN_CONTRAST) / contrast));
}

/** Settings for segments so many times as dear. */
export function dearerBy<Settings extends SpanSettings>(times: number, settings: Settings): Settings {
  const tolerancePx = settings.tolerancePx * (1 + TOLERANCE_SHARE * (times - 1));
  return { ...settings, tolerancePx, segmentPrice: settings.segmentPrice * times };
}
