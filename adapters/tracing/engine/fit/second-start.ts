import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { contrastSqOf } from './contour-pixels.js';
import { at } from './contour-shape.js';
import { type ChainCurves, CurveList, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';
import type { SplitCurves } from './split-segments.js';

/** Longer chains are not looked at, px along their pixels' sides. */
const LONGEST_PX = 28;
/** What is missed along a chain, squared levels a px, from which it may have begun at the wrong place; and the share of its contrast, squared. */
const LEAST_MISSED = 300;
const LEAST_SHARE = 0.005;
/** A curve that is farther than this from the pixels' own outline, px, is none of it, and so is a node. */
const FAR_PX = 0.3;
const NODE_FAR_PX = 0.7;
/** Places along a curve that its distance is measured from, a segment. */
const PER_SEGMENT = 8;
/** Standard deviation of the outline, px, and what a side is worth in units of squared error over its square. */
const SIGMA_PX = 0.25;
const SIDE_PRICE = 3;
/** How far a pixel may be off all mixtures of two colors, levels, to tell where the edge between them lies: a share of the distance between these. */
const OFF_SHARE = 0.12;
const OFF_LEVELS = 4;

/**
 * Short chains between nodes that curves miss by far, and that are not where their pixels are, as lines along these, and their nodes, which are
 * changed in place, where their pixels meet: from there curves may get to where they belong, which steps from where they were do not lead to. Where two
 * edges lie within a pixel or two, samples do not tell them apart. `costs` are the squared differences that are left along each chain; those that have been
 * `tried` (1) are left alone. Undefined where there is no such chain.
 */
export function startAgain(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  curves: ChainCurves,
  nodePositions: Float64Array,
  costs: Float64Array,
  tried: Uint8Array,
): SplitCurves | undefined {
  const outlines = new PixelOutlines(map, regions, rgba);
  const { starts, chainCount } = curves;
  const again = new Uint8Array(chainCount);
  for (let c = 0; c < chainCount; c++) {
    if (tried[c] === 1 || !isMissed(map, regions, c, costs[c])) continue;
    outlines.load(c);
    again[c] = outlines.isFarFrom(curves, c) ? 1 : 0;
  }
  if (!again.includes(1)) return undefined;
  resetNodes(map, again, nodePositions);
  const list = new CurveList();
  const fresh: number[] = [];
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const from = list.kinds.length;
    if (again[c] === 1) {
      outlines.load(c);
      outlines.draw(list, nodePositions);
    } else for (let k = starts[c]; k < starts[c + 1]; k++) list.copy(curves, k);
    for (let k = from; k < list.kinds.length; k++) fresh.push(again[c]);
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

function isMissed(map: PlanarMap, regions: Regions, chain: number, cost: number): boolean {
  const [left, right] = [map.left[chain], map.right[chain]];
  if (map.startNode[chain] < 0 || left < 0 || right < 0) return false;
  const steps = map.starts[chain + 1] - map.starts[chain] - 1;
  if (steps > LONGEST_PX) return false;
  return cost > steps * (LEAST_MISSED + LEAST_SHARE * contrastSqOf(regions, left, right));
}

/** Puts nodes at which one of the chains ends back to where their pixels meet, if they are far from there. */
function resetNodes(
  { startNode, endNode, nodes, width }: PlanarMap,
  chains: Uint8Array,
  positions: Float64Array,
): void {
  const stride = width + 1;
  for (let c = 0; c < chains.length; c++) {
    if (chains[c] === 0) continue;
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

/** The outlines of pixels that chains are, as far as the two colors beside each tell. */
class PixelOutlines {
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  private chain = 0;
  /** Places on the cracks of the chain at hand, its ends first and last. */
  private count = 0;
  private readonly xs = new Float64Array(LONGEST_PX + 2);
  private readonly ys = new Float64Array(LONGEST_PX + 2);
  private readonly costs = new Float64Array(LONGEST_PX + 2);
  private readonly origin = new Int32Array(LONGEST_PX + 2);
  private readonly corners = new Int32Array(LONGEST_PX + 2);

  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array) {
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
  }

  load(chain: number): void {
    const { vertices, starts, width } = this.map;
    const stride = width + 1;
    this.chain = chain;
    this.count = 0;
    const from = starts[chain];
    const to = starts[chain + 1] - 1;
    for (let i = from; i <= to; i++) {
      const y = Math.floor(vertices[i] / stride);
      const x = vertices[i] - y * stride;
      if (i === from) this.add(x, y);
      if (i === to) break;
      const nextY = Math.floor(vertices[i + 1] / stride);
      const nextX = vertices[i + 1] - nextY * stride;
      const off = this.crossing(x, y, nextX, nextY);
      this.add((x + nextX) / 2 + off * (y - nextY), (y + nextY) / 2 + off * (nextX - x));
    }
    const y = Math.floor(vertices[to] / stride);
    this.add(vertices[to] - y * stride, y);
  }

  private add(x: number, y: number): void {
    this.xs[this.count] = x;
    this.ys[this.count++] = y;
  }

  /** How far to the right of the middle of a crack the pixels on either side pass a half, px: linear, between their middles; 0 where they do not tell. */
  private crossing(x: number, y: number, nextX: number, nextY: number): number {
    const [rx, ry] = [y - nextY, nextX - x];
    const [mx, my] = [(x + nextX) / 2, (y + nextY) / 2];
    const right = this.shareAt(Math.floor(mx + rx / 2), Math.floor(my + ry / 2), 1);
    const left = this.shareAt(Math.floor(mx - rx / 2), Math.floor(my - ry / 2), 0);
    const passed = (0.5 - left) / (right - left);
    return passed >= 0 && passed <= 1 ? passed - 0.5 : 0;
  }

  /** How much of a pixel is of the color to the right; `otherwise` where it is no mixture of the two. */
  private shareAt(x: number, y: number, otherwise: number): number {
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
  }

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

  /** Adds the polygon along the places that costs least, from the chain's first node to its last. */
  draw(list: CurveList, nodePositions: Float64Array): void {
    const { map, chain, xs, ys, costs, origin, corners } = this;
    const last = this.count - 1;
    const first = map.startNode[chain];
    const end = map.endNode[chain];
    xs[0] = nodePositions[2 * first];
    ys[0] = nodePositions[2 * first + 1];
    xs[last] = nodePositions[2 * end];
    ys[last] = nodePositions[2 * end + 1];
    costs[0] = 0;
    for (let j = 1; j <= last; j++) {
      costs[j] = Infinity;
      for (let i = 0; i < j; i++) {
        const cost = costs[i] + SIDE_PRICE + this.missedBy(i, j) / (SIGMA_PX * SIGMA_PX);
        if (cost >= costs[j]) continue;
        costs[j] = cost;
        origin[j] = i;
      }
    }
    let count = 0;
    for (let j = last; j > 0; j = origin[j]) corners[count++] = j;
    for (let from = 0; count > 0; from = corners[count]) {
      count--;
      list.line(xs[from], ys[from], xs[corners[count]], ys[corners[count]]);
    }
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
