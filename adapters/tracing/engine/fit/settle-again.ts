import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { ChainEnds } from './chain-ends.js';
import { countCrossings } from './curve-crossings.js';
import { type ChainCurves, CurveList, SEGMENT_SIZE } from './curves.js';
import { Islands } from './islands.js';
import type { PixelBand } from './pixel-band.js';
import { startAgain } from './second-start.js';
import { MOST_WORK, Settler } from './settler.js';
import type { SplitCurves } from './split-segments.js';

/** What began anew settles in so many rounds, and once more where it is split. */
const ROUNDS = 8;
/** It is taken where it leaves less than this share of what there was. */
const WORTH_IT = 0.95;
/** Where something that hangs together is not, it is tried again without what was in its way, so many times in all, unless there are more chains than these. */
const MOST_TRIES = 3;
const MANY_CHAINS = 48;
/** A vertex this far from the pixels of its chain has no business there, px. */
const ASTRAY_PX = 1.5;

/**
 * Settles anew what curves miss by far, since they were not where their pixels are when they began (`startAgain`), and keeps of all that hangs
 * together what is nearer to the pixels, crosses itself no more often and has no vertex far from its own pixels. `costs` are the squared differences that are left along each chain.
 * Returns the curves; node positions (x, y in turn) are changed in place.
 */
export function settleAgain(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  band: PixelBand,
  curves: ChainCurves,
  nodePositions: Float64Array,
  costs: Float64Array,
  splitPrice: number,
): ChainCurves {
  const tried = new Uint8Array(map.chainCount);
  let best: Settled = { curves, nodePositions: nodePositions.slice(), costs };
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    nodePositions.set(best.nodePositions);
    const begun = startAgain(map, regions, rgba, best.curves, nodePositions, best.costs, tried);
    if (begun === undefined) break;
    if (attempt > 0 && begun.changed.reduce((sum, flag) => sum + flag, 0) > MANY_CHAINS) break;
    const settled = settle(map, regions, band, begun, nodePositions, splitPrice);
    if (settled === undefined) break;
    best = takeBetter(map, best, settled, begun.changed, tried);
  }
  nodePositions.set(best.nodePositions);
  return best.curves;
}

interface Settled {
  readonly curves: ChainCurves;
  readonly nodePositions: Float64Array;
  /** Per chain. */
  readonly costs: Float64Array;
}

/** Settles what has changed, and splits it; undefined where that would take too much. */
function settle(
  map: PlanarMap,
  regions: Regions,
  band: PixelBand,
  begun: SplitCurves,
  nodePositions: Float64Array,
  splitPrice: number,
): Settled | undefined {
  let settled: Settled | undefined;
  let now: SplitCurves | undefined = begun;
  for (let pass = 0; pass < 2 && now !== undefined; pass++) {
    const settler: Settler = new Settler(map, regions, band, now, nodePositions);
    if (settler.work > MOST_WORK) break;
    settler.settle(ROUNDS, pass === 0);
    settled = { curves: now.curves, nodePositions: nodePositions.slice(), costs: settler.costs.slice() };
    now = pass === 0 ? settler.split(splitPrice, now, undefined) : undefined;
  }
  return settled;
}

/** Of all that hangs together of what has begun anew that which is better. What has been `tried` is marked there, as far as the rest goes without. */
function takeBetter(map: PlanarMap, before: Settled, after: Settled, begun: Uint8Array, tried: Uint8Array): Settled {
  const ends = new ChainEnds(map, new Uint8Array(map.nodes.length));
  for (let c = 0; c < begun.length; c++) if (begun[c] === 1) ends.mark(c);
  const moved = begun.map((flag, c) => (flag === 1 || ends.touches(c) ? 1 : 0));
  const crossed = countCrossings(before.curves, begun, moved);
  const crosses = countCrossings(after.curves, begun, moved);
  const isOut = (c: number) => crosses[c] > crossed[c] || (begun[c] === 1 && isAstray(map, after.curves, c));
  const costs = after.costs.map((cost, c) => (isOut(c) ? Infinity : cost));
  const islands = new Islands(map, moved);
  islands.weigh(before.costs.map((cost) => cost * WORTH_IT));
  islands.weigh(costs);
  // Of what is not better that which is worse is not tried again; all of it where nothing is.
  const isInTheWay = begun.map((flag, c) => (flag === 1 && !(costs[c] < before.costs[c]) ? 1 : 0));
  const hasSome = isInTheWay.slice();
  islands.spread(hasSome);
  for (let c = 0; c < begun.length; c++)
    if (begun[c] === 1 && (islands.isBest(c) || hasSome[c] === 0 || isInTheWay[c] === 1)) tried[c] = 1;
  const list = new CurveList();
  const nodePositions = before.nodePositions.slice();
  const kept = before.costs.slice();
  for (let c = 0; c < begun.length; c++) {
    list.beginChain();
    const isBetter = moved[c] === 1 && islands.isBest(c);
    const { curves } = isBetter ? after : before;
    for (let k = curves.starts[c]; k < curves.starts[c + 1]; k++) list.copy(curves, k);
    if (!isBetter) continue;
    kept[c] = after.costs[c];
    if (map.startNode[c] < 0) continue;
    for (const node of [map.startNode[c], map.endNode[c]])
      for (let i = 2 * node; i < 2 * node + 2; i++) nodePositions[i] = after.nodePositions[i];
  }
  return { curves: list.finish(), nodePositions, costs: kept };
}

/** Whether a vertex of a chain is far from all corners of the pixels that it runs along. */
function isAstray({ vertices, starts, width }: PlanarMap, curves: ChainCurves, chain: number): boolean {
  const stride = width + 1;
  for (let k = curves.starts[chain]; k < curves.starts[chain + 1]; k++) {
    const x = curves.points[k * SEGMENT_SIZE + 6];
    const y = curves.points[k * SEGMENT_SIZE + 7];
    let nearest = Infinity;
    for (let i = starts[chain]; i < starts[chain + 1]; i++) {
      const v = Math.floor(vertices[i] / stride);
      nearest = Math.min(nearest, distance(x - (vertices[i] - v * stride), y - v));
    }
    if (nearest > ASTRAY_PX) return true;
  }
  return false;
}
