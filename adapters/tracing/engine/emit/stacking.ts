import type { Loops } from '../planar-map/loops.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { bringBulgesForward } from './convex-fronts.js';

/** Alpha (0..255) from which a region hides what lies beneath it, and below which it is not drawn at all. */
const SOLID_ALPHA = 254.5;
const VISIBLE_ALPHA = 0.5;

/** Who is painted when, and which holes must stay open. */
export interface Stacking {
  /** Regions to draw, back to front. */
  readonly order: Int32Array;
  /** Per region its place in `order`; -1 for those not drawn. */
  readonly rank: Int32Array;
  /** Per region: hides what lies beneath it. */
  readonly solid: Uint8Array;
  /** Per loop: is part of its region's outline. Outer loops always; holes where something may be seen through them. */
  readonly kept: Uint8Array;
  /** Per region: is not in `order`, for the frame is filled with its color first; none where nothing is. */
  readonly ground: Uint8Array;
}

/**
 * Orders regions back to front by the area their outer contours enclose, so that what lies inside something is painted after
 * it, and where everything is solid what bulges into its neighbor after that; those marked in `front` come last. A hole whose every region is solid need not be cut: it will be painted over. With `cutouts`
 * every hole is. Regions marked in `hidden` are not painted, nor are those that have no pixels.
 *
 * Where everything is solid, the frame can be filled with the rearmost region's color, and regions of that color along the
 * picture's border need no outline of their own: they are the ground.
 */
export function stackRegions(
  map: PlanarMap,
  loops: Loops,
  regions: Regions,
  hidden: Uint8Array,
  cutouts: boolean,
  hasGradient: (region: number) => boolean = () => false,
  front?: Uint8Array,
): Stacking {
  const { count, colors } = regions;
  const solid = new Uint8Array(count);
  const outerArea = new Float64Array(count);
  let drawn = 0;
  const visible = new Uint8Array(count);
  for (let r = 0; r < count; r++) {
    if (loops.regionStarts[r] === loops.regionStarts[r + 1]) continue;
    const alpha = colors[r * 4 + 3];
    solid[r] = alpha >= SOLID_ALPHA && hidden[r] === 0 ? 1 : 0;
    visible[r] = alpha >= VISIBLE_ALPHA && hidden[r] === 0 ? 1 : 0;
    drawn += visible[r];
    outerArea[r] = loops.areaPx[loops.byRegion[loops.regionStarts[r]]];
  }
  const order = new Int32Array(drawn);
  for (let r = 0, k = 0; r < count; r++) if (visible[r] === 1) order[k++] = r;
  const isFront = (r: number) => front?.[r] ?? 0;
  order.sort((a, b) => isFront(a) - isFront(b) || outerArea[b] - outerArea[a] || a - b);
  const isClosed = !cutouts && isEverySolid(loops, solid);
  if (isClosed && front === undefined) {
    const findParents = () => holesAround(map, loops).map((hole) => (hole < 0 ? -1 : loops.region[hole]));
    bringBulgesForward(map, order, findParents);
  }
  const ground = new Uint8Array(count);
  if (isClosed && !hasGradient(order[0])) markGround(map, regions, order[0], hasGradient, ground);
  const painted = order.filter((r) => ground[r] === 0);
  const rank = new Int32Array(count).fill(-1);
  for (let k = 0; k < painted.length; k++) rank[painted[k]] = k;

  const kept = new Uint8Array(loops.count);
  for (let l = 0; l < loops.count; l++) if (cutouts || loops.areaPx[l] > 0) kept[l] = 1;
  if (!cutouts) keepSeenThroughHoles(map, loops, regions, solid, kept);
  return { order: painted, rank, solid, kept, ground };
}

/** Whether every region that has pixels hides what lies beneath it. */
function isEverySolid({ regionStarts }: Loops, solid: Uint8Array): boolean {
  for (let r = 0; r < solid.length; r++) if (solid[r] === 0 && regionStarts[r] < regionStarts[r + 1]) return false;
  return true;
}

/** Marks the regions along the border that have the rearmost one's color; none where that one does not reach the border. */
function markGround(
  map: PlanarMap,
  { colors }: Regions,
  rearmost: number,
  hasGradient: (region: number) => boolean,
  ground: Uint8Array,
): void {
  const isAlike = (region: number) => {
    for (let i = 0; i < 4; i++) if (colors[region * 4 + i] !== colors[rearmost * 4 + i]) return false;
    return !hasGradient(region);
  };
  for (let c = 0; c < map.chainCount; c++) {
    const region = map.left[c] < 0 ? map.right[c] : map.right[c] < 0 ? map.left[c] : -1;
    if (region >= 0 && isAlike(region)) ground[region] = 1;
  }
  if (ground[rearmost] === 0) ground.fill(0);
}

/** Opens every hole that has a region in it, however deep, which is not solid. */
function keepSeenThroughHoles(
  map: PlanarMap,
  loops: Loops,
  regions: Regions,
  solid: Uint8Array,
  kept: Uint8Array,
): void {
  const holeOf = holesAround(map, loops);
  for (let r = 0; r < regions.count; r++) {
    if (solid[r] === 1 || loops.regionStarts[r] === loops.regionStarts[r + 1]) continue;
    let region = r;
    for (;;) {
      const hole = holeOf[region];
      if (hole < 0 || kept[hole] === 1) break;
      kept[hole] = 1;
      region = loops.region[hole];
    }
  }
}

/** Per region the loop that is the hole it lies in, -1 for none. */
function holesAround(map: PlanarMap, loops: Loops): Int32Array {
  // Chains that meet at nodes bound one connected component; the hole it fills belongs to the region around it.
  const component = new Int32Array(map.chainCount);
  for (let c = 0; c < map.chainCount; c++) component[c] = c;
  const find = (c: number): number => {
    while (component[c] !== c) {
      component[c] = component[component[c]];
      c = component[c];
    }
    return c;
  };
  const firstAtNode = new Int32Array(map.nodes.length).fill(-1);
  for (let c = 0; c < map.chainCount; c++) {
    for (const node of [map.startNode[c], map.endNode[c]]) {
      if (node < 0) continue;
      if (firstAtNode[node] < 0) firstAtNode[node] = c;
      else component[find(c)] = find(firstAtNode[node]);
    }
  }
  const chainOf = (loop: number) => loops.halfEdges[loops.starts[loop]] >> 1;
  const holes = new Int32Array(map.chainCount).fill(-1);
  for (let l = 0; l < loops.count; l++) if (loops.areaPx[l] < 0) holes[find(chainOf(l))] = l;
  const { regionStarts, byRegion } = loops;
  const around = new Int32Array(regionStarts.length - 1).fill(-1);
  for (let r = 0; r < around.length; r++)
    if (regionStarts[r] < regionStarts[r + 1]) around[r] = holes[find(chainOf(byRegion[regionStarts[r]]))];
  return around;
}
