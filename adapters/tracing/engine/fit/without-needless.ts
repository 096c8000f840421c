import type { PlanarMap } from '../planar-map/planar-map.js';
import { mergeSegments } from './merge-segments.js';
import type { SplitCurves } from './split-segments.js';

/** How far one curve may be off the several settled ones that it takes the place of, px. */
const NEEDLESS_PX = 0.12;

/** The curves with fewer segments, where what has settled lies so well that one does for several. */
export function withoutNeedless(map: PlanarMap, curves: SplitCurves): SplitCurves {
  const merged = mergeSegments(map, curves.curves, NEEDLESS_PX, curves.fresh);
  const { origin } = merged;
  const kept = (flags: Uint8Array) => Uint8Array.from(origin, (k) => (k < 0 ? 0 : flags[k]));
  for (let c = 0; c < merged.changed.length; c++) merged.changed[c] |= curves.changed[c];
  return {
    curves: merged.curves,
    changed: merged.changed,
    corners: kept(curves.corners),
    // A handle mirrors that of the very segment before.
    mirrored: kept(curves.mirrored).map((flag, k) => (k > 0 && origin[k - 1] < 0 ? 0 : flag)),
    fresh: kept(curves.fresh),
  };
}
