import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { contrastSqOf } from './contour-pixels.js';
import { type ChainCurves, CurveList, isWholeShape, SEGMENT_CIRCLE } from './curves.js';
import { MOST_OUTLINE_PX, PixelOutlines } from './pixel-outlines.js';
import type { SplitCurves } from './split-segments.js';

/** Longer chains between nodes are not looked at, px along their pixels' sides, nor are closed ones that are shorter than this. */
const LONGEST_PX = 60;
const SHORTEST_CLOSED_PX = 12;
/** What is missed along a chain, squared levels a px, from which it may have begun at the wrong place, and the share of its contrast, squared. */
const LEAST_MISSED = 20;
const LEAST_SHARE = 0.0003;
/**
 * And where edges are as rough as any: rounding alone puts them off by so much, and all around a circle, which has nothing to follow that with, by a
 * tenth of a pixel.
 */
const ROUGH_SHARE = 0.001;
const ROUGH_CIRCLE_SHARE = 0.01;
/** So many chains begin anew at once at most, those first that miss most. */
const MOST_BEGUN = 512;
/** A node that is farther than this from where its pixels meet, px, is put back there. */
const NODE_FAR_PX = 0.7;

/** Curves, and how they have settled. */
export interface SettledCurves {
  readonly curves: ChainCurves;
  /** x, y in turn. */
  readonly nodePositions: Float64Array;
  /** Per chain the squared differences that are left along it. */
  readonly costs: Float64Array;
}

/**
 * Short chains, closed or between nodes, that curves miss, and that are not where their pixels are, as lines and curves along these, and their nodes, which are
 * changed in place, where their pixels meet: from there curves may get to where they belong, which steps from where they were do not lead to. Where two
 * edges lie within a pixel or two, samples do not tell them apart. Those that have been
 * `tried` (1) are left alone, and what edges that are rough (`roughness`, 0 to 1) are off by is not missed. Undefined where there is no such chain.
 */
export function startAgain(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  { curves, nodePositions, costs }: SettledCurves,
  tried: Uint8Array,
  shaded?: Uint8Array,
  roughness = 0,
): SplitCurves | undefined {
  const outlines = new PixelOutlines(map, regions, rgba);
  const { starts, chainCount } = curves;
  const far: number[] = [];
  for (let c = 0; c < chainCount; c++) {
    const kind = curves.kinds[starts[c]];
    const share = LEAST_SHARE + roughness * (kind === SEGMENT_CIRCLE ? ROUGH_CIRCLE_SHARE : ROUGH_SHARE);
    if (tried[c] === 1 || isBesideShade(map, c, shaded) || !isMissed(map, regions, c, costs[c], share)) continue;
    outlines.load(c);
    if (isWholeShape(kind) || outlines.isFarFrom(curves, c)) far.push(c);
  }
  if (far.length === 0) return undefined;
  far.sort((a, b) => costs[b] - costs[a] || a - b);
  const again = new Uint8Array(chainCount);
  for (const c of far.slice(0, MOST_BEGUN)) again[c] = 1;
  resetNodes(map, again, nodePositions);
  return beginAnew(curves, again, (c, list) => {
    outlines.load(c);
    outlines.draw(list, nodePositions);
  });
}

/** The curves with some chains (`again`, 1) drawn anew: `draw` adds such a chain to the list. */
export function beginAnew(
  curves: ChainCurves,
  again: Uint8Array,
  draw: (chain: number, list: CurveList) => void,
): SplitCurves {
  const { starts, chainCount } = curves;
  const list = new CurveList();
  const fresh: number[] = [];
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const from = list.kinds.length;
    if (again[c] === 1) draw(c, list);
    else for (let k = starts[c]; k < starts[c + 1]; k++) list.copy(curves, k);
    for (let k = from; k < list.kinds.length; k++) fresh.push(1 - again[c]);
  }
  const size = list.kinds.length;
  return {
    curves: list.finish(),
    changed: again,
    corners: new Uint8Array(size),
    mirrored: new Uint8Array(size),
    fresh: Uint8Array.from(fresh),
  };
}

function isBesideShade({ left, right }: PlanarMap, chain: number, shaded: Uint8Array | undefined): boolean {
  return shaded !== undefined && (shaded[left[chain]] === 1 || shaded[right[chain]] === 1);
}

/** Whether along a chain of those looked at so much is missed: some levels (squared, a px), and a share of the contrast, squared. */
export function isMissed(
  map: PlanarMap,
  regions: Regions,
  chain: number,
  cost: number,
  share = LEAST_SHARE,
  levels = LEAST_MISSED,
): boolean {
  const [left, right] = [map.left[chain], map.right[chain]];
  if (left < 0 || right < 0) return false;
  const steps = map.starts[chain + 1] - map.starts[chain] - 1;
  const isClosed = map.startNode[chain] < 0;
  if (isClosed && steps < SHORTEST_CLOSED_PX) return false;
  if (steps > (isClosed ? MOST_OUTLINE_PX : LONGEST_PX)) return false;
  return cost > steps * (levels + share * contrastSqOf(regions, left, right));
}

/** Puts nodes at which one of the chains ends back to where their pixels meet, if they are far from there. */
function resetNodes(
  { startNode, endNode, nodes, width }: PlanarMap,
  chains: Uint8Array,
  positions: Float64Array,
): void {
  const stride = width + 1;
  for (let c = 0; c < chains.length; c++) {
    if (chains[c] === 0 || startNode[c] < 0) continue;
    for (let end = 0; end < 2; end++) {
      const node = end === 0 ? startNode[c] : endNode[c];
      const y = Math.floor(nodes[node] / stride);
      const x = nodes[node] - y * stride;
      if (distance(positions[2 * node] - x, positions[2 * node + 1] - y) < NODE_FAR_PX) continue;
      positions[2 * node] = x;
      positions[2 * node + 1] = y;
    }
  }
}
