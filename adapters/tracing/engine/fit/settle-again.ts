import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type Bend, findBends, missedWay } from './bends.js';
import { ChainEnds } from './chain-ends.js';
import { contourNumbers } from './contour-shape.js';
import { countCrossings } from './curve-crossings.js';
import { type ChainCurves, CurveList, SEGMENT_SIZE } from './curves.js';
import { drawSides } from './draw-sides.js';
import { EXACT, type Roughness } from './edge-roughness.js';
import { Islands } from './islands.js';
import type { PixelBand } from './pixel-band.js';
import { beginAnew, isMissed, type SettledCurves, startAgain } from './second-start.js';
import type { SettleSettings } from './settle.js';
import { Settler } from './settler.js';
import { sharpenBends } from './sharpen-bends.js';
import type { Sketch } from './small-contours.js';
import type { Misfits, SplitCurves } from './split-segments.js';
import { withoutNeedless } from './without-needless.js';

/** What began anew settles in so many rounds, and once more where it is split. */
const ROUNDS = 8;
/** It is taken where it leaves less than this share of what there was; with corners for bends, where it gains more than this share of what these miss. */
const WORTH_IT = 0.95;
const WORTH_A_CORNER = 0.3;
/** Where something that hangs together is not, it is tried again without what was in its way, so many times in all, unless there are more chains than these. */
const MOST_TRIES = 2;
const MANY_CHAINS = 48;
/** Where there is a sketch, so much is missed, squared levels a px: less than where it is not known that there is anything better. */
const MISSED_BESIDE_SKETCH = 5;
/** From a sketch what a number more must gain, as the logarithm of what is left. */
const NUMBER_PRICE = 0.1;
/** Curves that leave so many times as much as facets do, and squared levels a px, are as well, and better to look at. */
const AS_WELL = 1.5;
const AS_WELL_PX = 4;
/** A vertex this far from the pixels of its chain has no business there, px. */
const ASTRAY_PX = 1.5;

/** What has been found of what curves miss. */
export interface FoundMisses {
  /** Per segment what it misses, where corners are to be tried for narrow bends. */
  readonly misfits: Misfits | undefined;
  /** By chain a polygon that is much nearer to its pixels than its curves, or what has been drawn there and may be facets. */
  readonly sketches: ReadonlyMap<number, Sketch>;
}

/**
 * Settles anew what curves miss by far, since they were not where their pixels are when they began (`startAgain`), before that with narrow bends as
 * corners where it is known what segments miss (`misfits`), and last from `sketches`, and keeps of all that hangs
 * together what is nearer to the pixels, crosses itself no more often and has no vertex far from its own pixels.
 * Borders between two `shaded` regions (1), where these hardly differ, stay where they are. Returns the curves; node positions (x, y in turn) are changed in place.
 */
export function settleAgain(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  band: PixelBand,
  { curves, nodePositions, costs }: SettledCurves,
  { misfits, sketches }: FoundMisses,
  { splitPrice, shaded, roughness = EXACT }: Pick<SettleSettings, 'splitPrice' | 'shaded' | 'roughness'>,
): ChainCurves {
  const tried = new Uint8Array(map.chainCount);
  const given: Settled = { curves, nodePositions: nodePositions.slice(), costs, changed: tried };
  let best =
    misfits === undefined ? given : settleCorners(map, regions, band, given, misfits.misfit, nodePositions, shaded);
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    nodePositions.set(best.nodePositions);
    const started = startAgain(map, regions, rgba, { ...best, nodePositions }, tried, shaded, roughness.share);
    if (started === undefined) break;
    const begun = withoutNeedless(map, started);
    if (attempt > 0 && begun.changed.reduce((sum, flag) => sum + flag, 0) > MANY_CHAINS) break;
    const price = shaded === undefined ? splitPrice : Infinity;
    const settled = settle(map, regions, band, begun, nodePositions, price, roughness);
    if (settled === undefined) break;
    const most = best.costs.map((cost) => WORTH_IT * cost);
    best = takeBetter(map, band, best, settled, started.changed, tried, most);
  }
  best = settleSketched(map, regions, band, best, nodePositions, sketches, splitPrice, roughness, shaded);
  nodePositions.set(best.nodePositions);
  return best.curves;
}

/**
 * Settles chains from sketches of them, where they are missed still, and takes what gains more than its numbers cost: letters, whose strokes end in two
 * corners a pixel or three apart.
 */
function settleSketched(
  map: PlanarMap,
  regions: Regions,
  band: PixelBand,
  before: Settled,
  nodePositions: Float64Array,
  sketches: ReadonlyMap<number, Sketch>,
  splitPrice: number,
  roughness: Roughness,
  shaded: Uint8Array | undefined,
): Settled {
  const again = new Uint8Array(map.chainCount);
  const isToBe = (c: number) => isMissed(map, regions, c, before.costs[c], 0, MISSED_BESIDE_SKETCH);
  for (const [c, { isDrawn }] of sketches) if ((isDrawn || isToBe(c)) && !isWithinShade(map, c, shaded)) again[c] = 1;
  if (!again.includes(1)) return before;
  nodePositions.set(before.nodePositions);
  const begun = beginAnew(before.curves, again, (c, list) => drawSketch(sketches.get(c) as Sketch, list));
  const price = shaded === undefined ? splitPrice : Infinity;
  const settled = settle(map, regions, band, withoutNeedless(map, begun), nodePositions, price, roughness);
  if (settled === undefined) return before;
  const most = before.costs.map((cost, c) => {
    if (again[c] === 0) return WORTH_IT * cost;
    if (sketches.get(c)?.isDrawn) return AS_WELL * cost + AS_WELL_PX * (map.starts[c + 1] - map.starts[c] - 1);
    const more = Math.max(0, numbersOf(settled.curves, c) - numbersOf(before.curves, c));
    return WORTH_IT * cost * Math.exp(-NUMBER_PRICE * more);
  });
  return takeBetter(map, band, before, settled, again, new Uint8Array(map.chainCount), most);
}

/** Whether a chain lies between two regions that gradients are painted in. */
const isWithinShade = ({ left, right }: PlanarMap, chain: number, shaded: Uint8Array | undefined): boolean =>
  shaded !== undefined && shaded[left[chain]] === 1 && shaded[right[chain]] === 1;

const numbersOf = ({ kinds, starts }: ChainCurves, chain: number) =>
  contourNumbers(kinds.subarray(starts[chain], starts[chain + 1]));

/** Adds a sketch to the curves, with cubics for its blunt corners. */
function drawSketch({ contour }: Sketch, list: CurveList): void {
  const { x, y } = contour.polygon();
  const count = x.length;
  const xs = Float64Array.of(...x, x[0]);
  const ys = Float64Array.of(...y, y[0]);
  drawSides(list, { xs, ys, corners: Int32Array.from(xs, (_, k) => k), count, isClosed: true, isSmall: false });
}

/**
 * Settles chains with corners in place of their narrow bends: with all of a chain's at first, then, where that was no better, with those beside which
 * less was missed.
 */
function settleCorners(
  map: PlanarMap,
  regions: Regions,
  band: PixelBand,
  before: Settled,
  misfit: Float64Array,
  nodePositions: Float64Array,
  shaded: Uint8Array | undefined,
): Settled {
  let best = before;
  let bends = findBends(map, regions, before, misfit, band, shaded);
  const way = missedWay(map, regions, before.curves, misfit);
  for (let attempt = 0; attempt < MOST_TRIES && bends.length > 0; attempt++) {
    nodePositions.set(best.nodePositions);
    const begun = sharpenBends(best.curves, way, bends);
    const { curves, changed } = begun;
    const settler = new Settler(map, regions, band, begun, nodePositions);
    if (!settler.isSolvable) break;
    settler.settle(ROUNDS, true);
    const after = { curves, nodePositions: nodePositions.slice(), costs: settler.costs.slice(), changed };
    const missed = settler.misfits().misfit;
    const most = best.costs.slice();
    for (const bend of bends) most[bend.chain] -= WORTH_A_CORNER * bend.misfit;
    const { costs } = best;
    best = takeBetter(map, band, best, after, changed, new Uint8Array(map.chainCount), most);
    const isTaken = (c: number) => best.costs[c] !== costs[c];
    bends = bends.filter((bend) => !isTaken(bend.chain) && missedBeside(bend, curves, missed) < bend.misfit);
  }
  return best;
}

/** What is missed by the two segments that meet nearest to where a bend's corner was put. */
function missedBeside({ chain, x, y }: Bend, { starts, points }: ChainCurves, misfit: Float64Array): number {
  const from = starts[chain];
  const to = starts[chain + 1];
  let nearest = Infinity;
  let missed = 0;
  for (let k = from; k < to; k++) {
    const off = distance(points[k * SEGMENT_SIZE] - x, points[k * SEGMENT_SIZE + 1] - y);
    if (off >= nearest) continue;
    nearest = off;
    missed = misfit[k] + misfit[k > from ? k - 1 : to - 1];
  }
  return missed;
}

interface Settled extends SettledCurves {
  /** Per chain: has it been given something else to follow the pixels with. */
  readonly changed: Uint8Array;
}

/** Settles what has changed, and splits what misses unless `splitPrice` is Infinity; undefined where that would take too much. */
function settle(
  map: PlanarMap,
  regions: Regions,
  band: PixelBand,
  begun: SplitCurves,
  nodePositions: Float64Array,
  splitPrice: number,
  roughness: Roughness,
): Settled | undefined {
  let settled: Settled | undefined;
  let now: SplitCurves | undefined = begun;
  const changed = new Uint8Array(map.chainCount);
  for (let pass = 0; pass < 2 && now !== undefined; pass++) {
    const settler: Settler = new Settler(map, regions, band, now, nodePositions);
    if (!settler.isSolvable) break;
    settler.settle(ROUNDS, pass === 0);
    for (let c = 0; c < changed.length; c++) changed[c] |= now.changed[c];
    settled = { curves: now.curves, nodePositions: nodePositions.slice(), costs: settler.costs.slice(), changed };
    now =
      pass === 0 && splitPrice < Infinity
        ? settler.split(settler.misfits(), splitPrice, now, undefined, roughness)
        : undefined;
  }
  return settled;
}

/** Of all that hangs together of what has begun anew that which is better. What has been `tried` is marked there, as far as the rest goes without. */
function takeBetter(
  map: PlanarMap,
  band: PixelBand,
  before: Settled,
  after: Settled,
  begun: Uint8Array,
  tried: Uint8Array,
  most: Float64Array,
): Settled {
  const ends = new ChainEnds(map, new Uint8Array(map.nodes.length));
  for (let c = 0; c < begun.length; c++) if (after.changed[c] === 1) ends.mark(c);
  const isBorder = (c: number) => map.left[c] < 0 || map.right[c] < 0;
  const moved = after.changed.map((flag, c) => (flag === 1 || (ends.touches(c) && !isBorder(c)) ? 1 : 0));
  const crossed = countCrossings(before.curves, begun, moved);
  const crosses = countCrossings(after.curves, begun, moved);
  const isOut = (c: number) => crosses[c] > crossed[c] || (begun[c] === 1 && isAstray(map, after.curves, c));
  const costs = after.costs.map((cost, c) => (isOut(c) ? Infinity : cost));
  const islands = new Islands(map, moved);
  islands.weigh(most);
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
    // What a chain painted where it is not left is no longer so.
    if (moved[c] === 1 && !isBetter) band.kept.drop(c);
    if (!isBetter) continue;
    kept[c] = after.costs[c];
    if (map.startNode[c] < 0) continue;
    for (const node of [map.startNode[c], map.endNode[c]])
      for (let i = 2 * node; i < 2 * node + 2; i++) nodePositions[i] = after.nodePositions[i];
  }
  const curves = list.finish();
  for (let c = 0; c < begun.length; c++)
    if (isBorder(c) && map.startNode[c] >= 0) followNodes(map, curves, c, nodePositions);
  return { curves, nodePositions, costs: kept, changed: begun };
}

/** Leads a chain along the picture's border to where its nodes are. */
function followNodes(
  { startNode, endNode }: PlanarMap,
  { starts, points }: ChainCurves,
  chain: number,
  nodes: Float64Array,
): void {
  const from = starts[chain] * SEGMENT_SIZE;
  const to = starts[chain + 1] * SEGMENT_SIZE;
  for (let i = 0; i < 2; i++) {
    points[from + i] = points[from + 2 + i] = nodes[2 * startNode[chain] + i];
    points[to - 4 + i] = points[to - 2 + i] = nodes[2 * endNode[chain] + i];
  }
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
