import type { PlanarMap } from '../planar-map/planar-map.js';
import { segmentsOf } from './curves.js';
import { mergeSegments } from './merge-segments.js';
import type { SplitCurves } from './split-segments.js';

/** How far one curve may be off the several settled ones that it takes the place of, px. */
const NEEDLESS_PX = 0.12;

/** The curves with fewer segments, where what has settled lies so well that one does for several. Chains that are `proven` (1) keep theirs. */
export function withoutNeedless(map: PlanarMap, curves: SplitCurves, proven?: Uint8Array): SplitCurves {
  const kept = proven ? segmentsOf(curves.curves, proven).map((flag, k) => flag | curves.fresh[k]) : curves.fresh;
  const merged = mergeSegments(map, curves.curves, NEEDLESS_PX, kept);
  const { origin } = merged;
  const flagsOf = (flags: Uint8Array) => Uint8Array.from(origin, (k) => (k < 0 ? 0 : flags[k]));
  for (let c = 0; c < merged.changed.length; c++) merged.changed[c] |= curves.changed[c];
  return {
    curves: merged.curves,
    changed: merged.changed,
    corners: flagsOf(curves.corners),
    // A handle mirrors that of the very segment before.
    mirrored: flagsOf(curves.mirrored).map((flag, k) => (k > 0 && origin[k - 1] < 0 ? 0 : flag)),
    fresh: flagsOf(curves.fresh),
  };
}
