import { kernelMemory } from '../kernels/kernel-memory.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type ChainCurves, segmentsOf } from './curves.js';
import { EXACT, type Roughness } from './edge-roughness.js';
import { mergeSegments } from './merge-segments.js';
import { mirrorHandles } from './mirror-handles.js';
import { PixelBand } from './pixel-band.js';
import { settleAgain } from './settle-again.js';
import { Settler } from './settler.js';
import { drawContours, type Sketch } from './small-contours.js';
import type { Misfits, SplitCurves } from './split-segments.js';
import { withoutNeedless } from './without-needless.js';

/** How far curves may be moved so that their handles mirror each other, px: what that cost is won back here. */
const MIRROR_PX = 0.05;
/**
 * How far one curve may be off the several that it takes the place of before they are settled, px, about what samples are off: what
 * cannot follow the pixels is split again.
 */
const MERGE_PX = 0.12;
/** What was split settles in this share of the rounds, and in so many at most. */
const SHARE_AFTER_SPLIT = 0.75;
const ROUNDS_AFTER_SPLIT = 6;
/**
 * Where a picture has more px of edges than this, and more than this share of its pixels (a maze, a hatching, all of it edge), settling would
 * take more memory than everything else together, and minutes.
 */
const MOST_EDGE_PX = 1 << 18;
const MOST_EDGE_SHARE = 0.12;
/**
 * With more rounds than these there is time to split what was split again, and with more than those, in clean pictures, a third time, and to try bends as
 * corners. Twice it is with any number where edges take less than this share of the picture's pixels: pages of small text would take a fourth more time
 * for nothing, and noisy pictures more nodes. In a picture with more pixels a side than so many, for which people grant more time, the share is so many
 * times as large, up to twice.
 */
const ROUNDS_FOR_TWO_SPLITS = 8;
const ROUNDS_FOR_THREE_SPLITS = 12;
const FEW_EDGES_SHARE = 0.1;
const FEW_EDGES_SHARE_WHEN_NOISY = 0.04;
const FEW_EDGES_PX = 256;
const MOST_TIMES_AS_MANY = 2;

export interface SettleSettings {
  /** What one settling takes at most; none are settled in 0. */
  readonly rounds: number;
  /** What splitting must gain: 1 is neutral, larger is simpler, and with Infinity nothing is split. */
  readonly splitPrice: number;
  /** Where the picture is noisy, per chain how many times as dear that is; what is missed everywhere splits nothing then. */
  readonly ripples?: Float32Array | undefined;
  /** How rough edges are: what is missed because of that is no reason to split, or to begin anew. */
  readonly roughness?: Roughness;
  /** Chains (1) that the pixels prove to be as they are drawn, where there are any: none of their segments is one with another. */
  readonly proven?: Uint8Array | undefined;
  /** Regions (1) that gradients are painted in. */
  readonly shaded?: Uint8Array | undefined;
  /** Is told the squares of levels that are left, summed over the channels of the pixels along the edges. */
  readonly onSettled?: ((squares: number) => void) | undefined;
}

/**
 * Moves all curves of a drawing together until it looks as the picture does: Levenberg–Marquardt on the pixels along the
 * edges, whose colors follow from the exact areas the regions cover of them. What sums across one edge cannot tell is told
 * here: pixels in which three colors meet, corners, and features so thin that both their edges lie in one pixel. Segments that
 * cannot follow are split, and settle again.
 *
 * Returns the curves; node positions (x, y in turn) are changed in place.
 */
export function settleCurves(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  curves: ChainCurves,
  nodePositions: Float64Array,
  settings: SettleSettings,
): ChainCurves {
  const { rounds, splitPrice, ripples, proven, roughness = EXACT } = settings;
  const edgePx = map.vertices.length;
  const edgeShare = edgePx / (map.width * map.height);
  const isAllEdge = edgePx > MOST_EDGE_PX && edgeShare > MOST_EDGE_SHARE;
  if (rounds <= 0 || isAllEdge) return curves;
  const timesAsMany = Math.max(1, Math.min(MOST_TIMES_AS_MANY, Math.sqrt(map.width * map.height) / FEW_EDGES_PX));
  const fewEdges = ripples === undefined ? FEW_EDGES_SHARE : FEW_EDGES_SHARE_WHEN_NOISY;
  const splitsTwice = rounds > ROUNDS_FOR_TWO_SPLITS || edgeShare < fewEdges * timesAsMany;
  const hasTime = ripples === undefined && rounds > ROUNDS_FOR_THREE_SPLITS;
  const mostSplits = hasTime ? 3 : splitsTwice ? 2 : 1;
  const splits = splitPrice === Infinity ? 0 : mostSplits;
  const begun = splits > 0 ? mergeSegments(map, curves, MERGE_PX, proven && segmentsOf(curves, proven)).curves : curves;
  const size = begun.kinds.length;
  let band = new PixelBand(map, regions, rgba, begun, nodePositions);
  let now: SplitCurves = {
    curves: begun,
    changed: new Uint8Array(begun.chainCount).fill(1),
    corners: new Uint8Array(size),
    mirrored: splits > 0 ? mirrorHandles(begun, MIRROR_PX) : new Uint8Array(size),
    fresh: new Uint8Array(size),
  };
  const triesCorners = splits > 0 && hasTime;
  let settled = curves;
  let costs: Float64Array | undefined;
  let misfits: Misfits | undefined;
  const sketches = new Map<number, Sketch>();
  const inVain = new Set<number>();
  for (let pass = 0; ; pass++) {
    const settler = new Settler(map, regions, band, now, nodePositions);
    if (!settler.isSolvable) {
      misfits = undefined;
      break;
    }
    const most = pass === 0 ? rounds : Math.min(ROUNDS_AFTER_SPLIT, Math.ceil(rounds * SHARE_AFTER_SPLIT));
    const isWanted = pass < splits || triesCorners;
    settler.settle(most, isWanted);
    settled = now.curves;
    costs = settler.costs.slice();
    if (isWanted) misfits = settler.misfits();
    if (pass >= splits || misfits === undefined) break;
    const split = settler.split(misfits, splitPrice, now, ripples, roughness) ?? {
      ...now,
      changed: new Uint8Array(begun.chainCount),
    };
    const drawn =
      ripples === undefined
        ? drawContours(map, regions, rgba, now.curves, split, settler.costs, sketches, inVain)
        : split;
    const next = withoutNeedless(map, drawn, proven);
    if (!next.changed.includes(1)) break;
    // Corners that are new may lie beyond the pixels that were looked at.
    if (drawn !== split) band = new PixelBand(map, regions, rgba, next.curves, nodePositions);
    now = next;
    settled = now.curves;
  }
  if (costs !== undefined && ripples === undefined && splits > 0) {
    const missed = triesCorners ? misfits : undefined;
    const found = { misfits: missed, sketches };
    settled = settleAgain(map, regions, rgba, band, { curves: settled, nodePositions, costs }, found, settings);
  }
  kernelMemory.release();
  if (costs !== undefined) settings.onSettled?.(sumOf(costs));
  return settled;
}

function sumOf(costs: Float64Array): number {
  let sum = 0;
  for (const cost of costs) sum += cost;
  return sum;
}
