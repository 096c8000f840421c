import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { at } from './contour-shape.js';
import { farthestPlace, placeOnCracks, type ShareAt } from './crack-places.js';
import { type ChainCurves, type CurveList, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';
import { drawSides } from './draw-sides.js';

/** Longest chain there is room for, px along its pixels' sides; closed ones that are shorter than that are round rather than polygons. */
export const MOST_OUTLINE_PX = 160;
const SMALL_PX = 24;
/** A curve that is farther than this from some of the places is none of these, px. */
const FAR_PX = 0.2;
/** Places along a curve that its distance is measured from, a segment. */
const PER_SEGMENT = 8;
/** Standard deviation of the outline, px, and what a side is worth in units of squared error over its square. */
const SIGMA_PX = 0.2;
const SIDE_PRICE = 3;
/** Where so much is missed by so many sides in a row, longer ones will not do either. */
const FAR_OFF = 60;
const GIVE_UP_AFTER = 4;
/** How far a pixel may be off all mixtures of two colors, levels, to tell where the edge between them lies: a share of the distance between these. */
const OFF_SHARE = 0.12;
const OFF_LEVELS = 4;

/** The outlines of pixels that chains are, as far as the two colors beside each tell. */
export class PixelOutlines {
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  private chain = 0;
  /** Places on the cracks of the chain at hand, its ends first and last. */
  private count = 0;
  private readonly xs = new Float64Array(MOST_OUTLINE_PX + 2);
  private readonly ys = new Float64Array(MOST_OUTLINE_PX + 2);
  private readonly costs = new Float64Array(MOST_OUTLINE_PX + 2);
  private readonly origin = new Int32Array(MOST_OUTLINE_PX + 2);
  private readonly corners = new Int32Array(MOST_OUTLINE_PX + 2);

  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array) {
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
  }

  load(chain: number): void {
    const { map, xs, ys } = this;
    this.chain = chain;
    if (map.startNode[chain] < 0) {
      const count = placeOnCracks(map, chain, this.shareAt, xs, ys);
      const first = farthestPlace(xs, ys, count);
      for (const list of [xs, ys])
        list.set(Float64Array.from({ length: count + 1 }, (_, i) => list[(first + i) % count]));
      this.count = count + 1;
      return;
    }
    const count = placeOnCracks(map, chain, this.shareAt, xs, ys, 1);
    this.placeEnd(0, map.vertices[map.starts[chain]]);
    this.placeEnd(count + 1, map.vertices[map.starts[chain + 1] - 1]);
    this.count = count + 2;
  }

  private placeEnd(i: number, vertex: number): void {
    const stride = this.map.width + 1;
    this.ys[i] = Math.floor(vertex / stride);
    this.xs[i] = vertex - this.ys[i] * stride;
  }

  /** How much of a pixel is of the color to the right; `otherwise` where it is no mixture of the two. */
  private readonly shareAt: ShareAt = (x, y, otherwise) => {
    const { rgba, chain } = this;
    const { colors, width } = this.regions;
    const l = this.map.left[chain] * 4;
    const r = this.map.right[chain] * 4;
    const pixel = (y * width + x) * 4;
    let dot = 0;
    let lengthSq = 0;
    for (let i = 0; i < 4; i++) {
      const d = colors[r + i] - colors[l + i];
      dot += (rgba[pixel + i] - colors[l + i]) * d;
      lengthSq += d * d;
    }
    const share = Math.max(0, Math.min(1, dot / lengthSq));
    let offSq = 0;
    for (let i = 0; i < 4; i++)
      offSq += (rgba[pixel + i] - colors[l + i] - share * (colors[r + i] - colors[l + i])) ** 2;
    return offSq > (OFF_LEVELS + OFF_SHARE * Math.sqrt(lengthSq)) ** 2 ? otherwise : share;
  };

  /** Whether some of the places, the ends aside, are far from all of a chain's curve. */
  isFarFrom({ starts, kinds, points }: ChainCurves, chain: number): boolean {
    for (let i = 1; i + 1 < this.count; i++) {
      let nearest = Infinity;
      for (let k = starts[chain]; k < starts[chain + 1]; k++) {
        const p = k * SEGMENT_SIZE;
        for (let n = 0; n <= PER_SEGMENT; n++) {
          const t = n / PER_SEGMENT;
          const isLine = kinds[k] === SEGMENT_LINE;
          const x = isLine ? points[p] + t * (points[p + 6] - points[p]) : at(points, p, t);
          const y = isLine ? points[p + 1] + t * (points[p + 7] - points[p + 1]) : at(points, p + 1, t);
          nearest = Math.min(nearest, distance(x - this.xs[i], y - this.ys[i]));
        }
      }
      if (nearest > FAR_PX) return true;
    }
    return false;
  }

  /** Adds the polygon along the places that costs least, from the chain's first node to its last (dynamic programming), with curves for its blunt corners. */
  draw(list: CurveList, nodePositions: Float64Array): void {
    const { map, chain, xs, ys, costs, origin, corners } = this;
    const last = this.count - 1;
    const first = map.startNode[chain];
    const end = map.endNode[chain];
    if (first >= 0) {
      xs[0] = nodePositions[2 * first];
      ys[0] = nodePositions[2 * first + 1];
      xs[last] = nodePositions[2 * end];
      ys[last] = nodePositions[2 * end + 1];
    }
    costs[0] = 0;
    for (let j = 1; j <= last; j++) {
      costs[j] = Infinity;
      let failures = 0;
      for (let i = j - 1; i >= 0 && failures < GIVE_UP_AFTER; i--) {
        const missed = this.missedBy(i, j) / (SIGMA_PX * SIGMA_PX);
        failures = missed > FAR_OFF ? failures + 1 : 0;
        const cost = costs[i] + SIDE_PRICE + missed;
        // Of equals the longest.
        if (cost > costs[j]) continue;
        costs[j] = cost;
        origin[j] = i;
      }
    }
    let count = 0;
    for (let j = last; j > 0; j = origin[j]) corners[count++] = j;
    corners[count++] = 0;
    corners.subarray(0, count).reverse();
    drawSides(list, { xs, ys, corners, count: count - 1, isClosed: first < 0, isSmall: this.count <= SMALL_PX });
  }

  /** Squared distances of the places between two from the line through these, summed. */
  private missedBy(i: number, j: number): number {
    const { xs, ys } = this;
    const dx = xs[j] - xs[i];
    const dy = ys[j] - ys[i];
    const lengthSq = dx * dx + dy * dy;
    let sum = 0;
    for (let k = i + 1; k < j; k++) {
      const [x, y] = [xs[k] - xs[i], ys[k] - ys[i]];
      const across = x * dy - y * dx;
      sum += lengthSq > 0 ? (across * across) / lengthSq : x * x + y * y;
    }
    return sum;
  }
}
