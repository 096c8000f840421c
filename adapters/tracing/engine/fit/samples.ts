import { arena } from '../math/arena.js';
import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Pen } from '../segment/lay-lines.js';
import type { Regions } from '../segment/regions.js';
import { ThreeColors } from '../segment/three-colors.js';
import { ChainCoordinates, DIRECTION_REACH } from './chain-coordinates.js';
import { nearCrack, PURE, WALK_PX } from './crack-walk.js';
import { PenEdge } from './pen-edge.js';
import { dropStraySamples } from './stray-samples.js';

/**
 * Where the boundaries really run: per chain a row of points at sub-pixel positions, found from how much of each boundary
 * pixel either color covers. Chains along the picture's border hold their corner points instead.
 */
export interface EdgeSamples {
  /** Per chain, and one more at the end: where its samples begin. */
  readonly starts: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** How far a sample is to be trusted: 1 both sides saturated, less where the edge is crowded, 0 (LINE_END) where a thin line ends. */
  readonly weight: Float32Array;
  /** Per node: how far along the picture's border its edge runs on beyond its lattice vertex, px, towards growing x or y. */
  readonly slides: Float64Array;
}

/**
 * Cracks beside one that must lie in a row with it, for it to be sampled whatever direction the boundary has as a whole: in clean art, where noise
 * has been or corners matter most, and where no row tells a direction.
 */
export const SHORT_ROW = 1;
export const LONG_ROW = 2;
export const NO_ROW = Infinity;
/** Where noise has been, two colors are as good as one that differ by no more than this share of how far they are from a third (squared). */
const NEARLY_ONE_SQ = 0.1 ** 2;
/** The trust in a sample that is the middle of the end of a line thinner than two pixels. */
export const LINE_END = 0;
/** Widest line whose ends are looked for, px, and by how much its width may change (as a share of it) over so many rows next to the last. */
const WIDEST_LINE_PX = 1.6;
const LINE_CHANGE = 0.3;
const LINE_ROWS = 3;
/** Coverages along the walk that differ by no more than this are those of an edge that runs along it; the two sides' levels, at least so far apart. */
const LEVEL_SPREAD = 0.04;
const LEAST_RISE = 0.25;
/** The trust in a sample at the end of a row of pixels that an edge along them goes through. */
export const BESIDE_EDGE = 0.6;
/** And in one that some other edge runs through. */
const NO_IDEA = 0.25;
/** Steps next to a node, at most and as a share of the chain: what pixels have of a third color there is the node's. */
const BESIDE_NODE_STEPS = 6;
const BESIDE_NODE_SHARE = 0.25;
/** An edge that nearly runs along the border is followed there while it covers so much of a pixel, over so many at most. */
const LEAST_COVERED = 0.02;
const MOST_COVERED = 0.6;
const LONGEST_SLIDE = 64;
/** Cracks along the border that it must have before, for it to run along it, and px from which following it is worth it. */
const LEAST_ALONG = 3;
const LEAST_SLIDE = 2;
/** Samples along the border that there is room for from the start. */
const SLIDES_ROOM = 4096;

/**
 * Samples every chain. In each column (or row, for steep boundaries) the coverages across the boundary are summed, which
 * gives the mean position of the edge in that column exactly, whatever the slope and for any symmetric blur (the partial
 * area effect, Trujillo-Pino et al. 2013). Between two near edges of one thin feature, the feature's covered width and its
 * centroid give both; where its two sides have different grounds, what each of these covers does.
 * `leastInRow` is one of SHORT_ROW, LONG_ROW and NO_ROW; `pen` what lines thinner than a pixel were drawn with, where they are all over the picture.
 */
export function sampleEdges(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  leastInRow = SHORT_ROW,
  pen?: Pen,
): EdgeSamples {
  const { chainCount, vertices } = map;
  const sampler = new EdgeSampler(regions, rgba, leastInRow, pen);
  // A sample for each vertex, and those along the border: with room for all of them nothing is ever copied.
  const room = vertices.length + SLIDES_ROOM;
  const out = new SampleList(room);
  const sampleStarts = new Int32Array(chainCount + 1);
  const slides = new Float64Array(map.nodes.length);
  const chain = new ChainCoordinates(map);
  for (let c = 0; c < chainCount; c++) {
    sampleStarts[c] = out.length;
    chain.begin(c);
    const left = map.left[c];
    const right = map.right[c];
    if (left < 0 || right < 0) {
      pushCorners(chain, out);
      continue;
    }
    if (!chain.closed) slides[map.startNode[c]] = sampler.followBorder(chain, 0, 1, left, right, out);
    sampler.sampleChain(chain, left, right, out);
    if (!chain.closed) slides[map.endNode[c]] = sampler.followBorder(chain, chain.steps, -1, left, right, out);
  }
  sampleStarts[chainCount] = out.length;
  return {
    starts: sampleStarts,
    x: out.x.subarray(0, out.length),
    y: out.y.subarray(0, out.length),
    weight: out.weight.subarray(0, out.length),
    slides,
  };
}

/** Samples as they are found. */
class SampleList {
  length = 0;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  weight: Float32Array<ArrayBuffer>;

  constructor(room: number) {
    this.x = arena.rawFloat64(room);
    this.y = arena.rawFloat64(room);
    this.weight = arena.rawFloat32(room);
  }

  push(x: number, y: number, weight: number): void {
    const at = this.length++;
    if (at === this.x.length) this.grow();
    this.x[at] = x;
    this.y[at] = y;
    this.weight[at] = weight;
  }

  private grow(): void {
    const larger = new SampleList(this.x.length * 2);
    larger.x.set(this.x);
    larger.y.set(this.y);
    larger.weight.set(this.weight);
    this.x = larger.x;
    this.y = larger.y;
    this.weight = larger.weight;
  }
}

/** First, last and turning points. */
function pushCorners(chain: ChainCoordinates, out: SampleList): void {
  const { steps } = chain;
  for (let k = 0; k <= steps; k++) if (k === 0 || k === steps || chain.turnsAt(k)) out.push(chain.x(k), chain.y(k), 1);
}

/** Where vertex `k` lies along a level border, or along an upright one. */
function along(chain: ChainCoordinates, flat: boolean, k: number): number {
  return flat ? chain.x(k) : chain.y(k);
}

class EdgeSampler {
  private readonly width: number;
  private readonly height: number;
  private readonly of: Int32Array;
  private readonly colorOf: Int32Array;
  private readonly colors: Float64Array;
  private readonly rgba: Uint8Array;
  /** Cracks next to one that must lie in a row with it for it to be sampled whatever the direction around it. */
  private readonly leastInRow: number;
  // Coverage by the first color of the current pair is k0 + k · pixel.
  private k0 = 0;
  private kr = 0;
  private kg = 0;
  private kb = 0;
  private ka = 0;
  /** What the other color covers of the pixels along the border. */
  private readonly slid = new Float64Array(LONGEST_SLIDE);
  private readonly three = new ThreeColors();
  private readonly penColor: number;
  private readonly penEdge: PenEdge | undefined;
  /** How much of a row or column what is a px wide takes, across the boundary at the crack at hand. */
  private stretch = 1;
  /** Whether the crack at hand is away from its chain's nodes. */
  private isAway = true;
  /** Trust in the offset found last. */
  private trust = 1;
  /** The end of a line found last. */
  private endX = 0;
  private endY = 0;

  constructor(regions: Regions, rgba: Uint8Array, leastInRow: number, pen: Pen | undefined) {
    this.penColor = pen?.color ?? -1;
    this.penEdge = pen?.widthPx === undefined ? undefined : new PenEdge(regions, rgba, pen.widthPx);
    this.leastInRow = leastInRow;
    this.width = regions.width;
    this.height = regions.height;
    this.of = regions.of;
    this.colorOf = regions.colorOf;
    this.colors = regions.colors;
    this.rgba = rgba;
  }

  sampleChain(chain: ChainCoordinates, left: number, right: number, out: SampleList): void {
    const { width, height, leastInRow } = this;
    const { steps, xs, ys } = chain;
    const before = out.length;
    this.usePair(left, right);
    const leftColor = this.colorOf[left];
    const rightColor = this.colorOf[right];
    const besideNode = chain.closed ? 0 : Math.min(BESIDE_NODE_STEPS, steps * BESIDE_NODE_SHARE);
    // Whether the crack before was passed over: of two in a row, as a corner's own are, the second may tell where the edge is, in clean art.
    let passed = false;
    for (let step = 0, e = 0, end = 0; step < steps; step++, e++) {
      if (e === end) {
        end = chain.load(step) + DIRECTION_REACH;
        e = DIRECTION_REACH;
      }
      if (leastInRow === SHORT_ROW && turnsBack(xs, ys, e) && this.findLineEnd(xs, ys, e, left, right)) {
        out.push(this.endX, this.endY, LINE_END);
        continue;
      }
      this.isAway = step >= besideNode && step < steps - besideNode;
      const dx = Math.abs(xs[e + 1 + DIRECTION_REACH] - xs[e - DIRECTION_REACH]);
      const dy = Math.abs(ys[e + 1 + DIRECTION_REACH] - ys[e - DIRECTION_REACH]);
      this.stretch = dx === dy ? Math.SQRT2 : distance(dx, dy) / Math.max(dx, dy);
      if (ys[e] === ys[e + 1]) {
        if (dx < dy && !passed && countInRow(ys, e) < leastInRow) {
          passed = leastInRow === SHORT_ROW;
          continue;
        }
        const x = Math.min(xs[e], xs[e + 1]);
        const y = ys[e];
        const down = y * width + x;
        // Walking right, the left region is above.
        const offset =
          xs[e + 1] > xs[e]
            ? this.offset(down - width, down, width, y, height - y, leftColor, rightColor)
            : -this.offset(down, down - width, -width, height - y, y, leftColor, rightColor);
        if (!passed || this.trust > NO_IDEA) out.push(x + 0.5, y + offset, this.trust);
      } else {
        if (dy <= dx && !passed && countInRow(xs, e) < leastInRow) {
          passed = leastInRow === SHORT_ROW;
          continue;
        }
        const x = xs[e];
        const y = Math.min(ys[e], ys[e + 1]);
        const east = y * width + x;
        // Walking down, the left region is to the east.
        const offset =
          ys[e + 1] > ys[e]
            ? -this.offset(east, east - 1, -1, width - x, x, leftColor, rightColor)
            : this.offset(east - 1, east, 1, x, width - x, leftColor, rightColor);
        if (!passed || this.trust > NO_IDEA) out.push(x + offset, y + 0.5, this.trust);
      }
      passed = false;
    }
    out.length = dropStraySamples(out.x, out.y, out.weight, before, out.length);
    if (out.length - before < 2) {
      out.length = before;
      for (let k = 0; k < steps; k++)
        out.push((chain.x(k) + chain.x(k + 1)) / 2, (chain.y(k) + chain.y(k + 1)) / 2, 0.25);
    }
  }

  /**
   * Where the line ends that crack `e`, between two that run opposite ways, is the end of by its labels: how much less of the last pixels
   * than of those before it covers, across it. Whether it is a line there, and no shape's tip; the end is at endX, endY.
   */
  private findLineEnd(xs: Int32Array, ys: Int32Array, e: number, left: number, right: number): boolean {
    const { width, height, of, colorOf } = this;
    const outX = xs[e] - xs[e - 1];
    const outY = ys[e] - ys[e - 1];
    // The pixel within, and the way inwards and across in pixels.
    let x = Math.min(xs[e], xs[e + 1]) - (outX > 0 ? 1 : 0);
    let y = Math.min(ys[e], ys[e + 1]) - (outY > 0 ? 1 : 0);
    const color = colorOf[of[y * width + x]];
    const isLeft = color === colorOf[left];
    const other = colorOf[isLeft ? right : left];
    const crossX = Math.abs(outY);
    const crossY = Math.abs(outX);
    const shareAt = (u: number, v: number): number => {
      if (u < 0 || v < 0 || u >= width || v >= height) return 0;
      const label = colorOf[of[v * width + u]];
      if (label !== color && label !== other) return 0;
      const t = this.coverage(v * width + u);
      return isLeft ? t : 1 - t;
    };
    const across = (u: number, v: number): number =>
      shareAt(u - crossX, v - crossY) + shareAt(u, v) + shareAt(u + crossX, v + crossY);
    const beyond = across(x + outX, y + outY);
    const last = across(x, y);
    let narrowest = Infinity;
    let widest = 0;
    for (let k = 1; k <= LINE_ROWS; k++) {
      x -= outX;
      y -= outY;
      // A slanting line moves aside from row to row.
      const here = shareAt(x, y);
      const back = shareAt(x - crossX, y - crossY);
      const on = shareAt(x + crossX, y + crossY);
      const shift = back > here && back >= on ? -1 : on > here ? 1 : 0;
      x += shift * crossX;
      y += shift * crossY;
      const share = across(x, y);
      if (share > widest) widest = share;
      if (share < narrowest) narrowest = share;
    }
    if (widest < LEAST_COVERED || widest > WIDEST_LINE_PX || widest - narrowest > LINE_CHANGE * widest) return false;
    const out = Math.min(1, last / widest) + Math.min(1, beyond / widest) - 1;
    this.endX = (xs[e] + xs[e + 1]) / 2 + out * outX;
    this.endY = (ys[e] + ys[e + 1]) / 2 + out * outY;
    return true;
  }

  /**
   * Where a chain that ends on the picture's border runs nearly along it, the edge goes on in pixels that the other color covers
   * more of. Adds samples there, from its end at vertex `at` on (`inwards` is 1 for a chain's start, -1 for its end), in the
   * chain's order, and returns how far the node slides along the border.
   */
  followBorder(
    chain: ChainCoordinates,
    at: number,
    inwards: number,
    left: number,
    right: number,
    out: SampleList,
  ): number {
    const { width, height, of, colorOf } = this;
    if (chain.steps < LEAST_ALONG + 1) return 0;
    const x = chain.x(at);
    const y = chain.y(at);
    const flat = y === 0 || y === height;
    if (flat === (x === 0 || x === width)) return 0;
    // One crack away from the border, then along it, towards the node.
    const heading = along(chain, flat, at + inwards) - along(chain, flat, at + 2 * inwards);
    for (let k = 1; k <= LEAST_ALONG; k++) {
      const stride = along(chain, flat, at + k * inwards) - along(chain, flat, at + (k + 1) * inwards);
      if (stride !== heading || heading === 0) return 0;
    }
    const inside = (flat ? y : x) === 0 ? 0 : (flat ? height : width) - 1;
    const step = heading * (flat ? 1 : width);
    const first = heading > 0 ? along(chain, flat, at) : along(chain, flat, at) - 1;
    let pixel = flat ? inside * width + first : first * width + inside;
    const size = flat ? width : height;
    this.usePair(left, right);
    // The pixels that follow have one color by their labels; how much of the other one is there tells where the edge is.
    const isLeft = colorOf[of[pixel]] === colorOf[left];
    if (!isLeft && colorOf[of[pixel]] !== colorOf[right]) return 0;
    const own = of[pixel];
    let before = MOST_COVERED;
    let count = 0;
    for (let u = first; u >= 0 && u < size && count < LONGEST_SLIDE; u += heading, pixel += step) {
      if (of[pixel] !== own) break;
      const t = isLeft ? 1 - this.coverage(pixel) : this.coverage(pixel);
      if (t < LEAST_COVERED || t > before) break;
      before = t;
      this.slid[count++] = t;
    }
    if (count < LEAST_SLIDE) return 0;
    for (let n = 0; n < count; n++) {
      const k = inwards > 0 ? count - 1 - n : n;
      const u = first + heading * k + 0.5;
      const depth = inside === 0 ? this.slid[k] : (flat ? height : width) - this.slid[k];
      out.push(flat ? u : depth, flat ? depth : u, 1);
    }
    return heading * count;
  }

  private usePair(left: number, right: number): void {
    const { colors } = this;
    const L = left * 4;
    const R = right * 4;
    const dr = colors[L] - colors[R];
    const dg = colors[L + 1] - colors[R + 1];
    const db = colors[L + 2] - colors[R + 2];
    const da = colors[L + 3] - colors[R + 3];
    const lengthSq = dr * dr + dg * dg + db * db + da * da;
    const scale = lengthSq > 0 ? 1 / lengthSq : 0;
    this.kr = dr * scale;
    this.kg = dg * scale;
    this.kb = db * scale;
    this.ka = da * scale;
    this.k0 = -(colors[R] * this.kr + colors[R + 1] * this.kg + colors[R + 2] * this.kb + colors[R + 3] * this.ka);
  }

  /** How much of a pixel the left color covers, 0..1. */
  private coverage(pixel: number): number {
    const { rgba } = this;
    const at = pixel * 4;
    const t = this.k0 + this.kr * rgba[at] + this.kg * rgba[at + 1] + this.kb * rgba[at + 2] + this.ka * rgba[at + 3];
    return t < 0 ? 0 : t > 1 ? 1 : t;
  }

  /**
   * How far from the crack the edge runs, towards `far` positive, px. `near` is the pixel of the left color at the crack,
   * `far` that of the right color, `step` leads from near to far; so many pixels lie on either side in this direction.
   */
  private offset(
    near: number,
    far: number,
    step: number,
    nearCount: number,
    farCount: number,
    nearColor: number,
    farColor: number,
  ): number {
    const { of, colorOf } = this;
    let sum = 0;
    let nearPure = false;
    let farPure = false;
    let n = 0;
    let pixel = near;
    for (; n < WALK_PX && n < nearCount; n++, pixel -= step) {
      if (colorOf[of[pixel]] !== nearColor) break;
      const t = this.coverage(pixel);
      sum += t - 1;
      if (t > PURE) {
        nearPure = true;
        break;
      }
    }
    const beyondNear = n < nearCount ? colorOf[of[pixel]] : -1;
    let f = 0;
    pixel = far;
    for (; f < WALK_PX && f < farCount; f++, pixel += step) {
      if (colorOf[of[pixel]] !== farColor) break;
      const t = this.coverage(pixel);
      sum += t;
      if (t < 1 - PURE) {
        farPure = true;
        break;
      }
    }
    const beyondFar = f < farCount ? colorOf[of[pixel]] : -1;
    // Where the picture ends there is no more to be covered.
    if (n === nearCount) nearPure = true;
    if (f === farCount) farPure = true;
    this.trust = 1;
    if (nearPure && farPure) return sum;
    this.trust = 0.5;
    if (nearPure && beyondFar === nearColor) return this.thinEdge(near, far, step, f, nearCount, farCount, false);
    if (farPure && beyondNear === farColor) return -this.thinEdge(far, near, -step, n, farCount, nearCount, true);
    if (nearPure && f > 0 && beyondFar >= 0 && this.areNearlyOne(of[near], of[far + f * step], of[far]))
      return this.thinEdge(near, far, step, f, nearCount, farCount, false);
    if (farPure && n > 0 && beyondNear >= 0 && this.areNearlyOne(of[far], of[near - n * step], of[near]))
      return -this.thinEdge(far, near, -step, n, farCount, nearCount, true);
    if (this.isAway && nearPure && f > 0 && beyondFar >= 0 && beyondFar !== farColor) {
      const behind = far + f * step;
      if (this.three.use(this.colors, of[near], of[far], of[behind]))
        return this.edgeBeforeThin(near, step, f, nearCount, farCount);
      if (farColor === this.penColor && this.penEdge !== undefined)
        return this.penEdge.offset(near, behind, step, f, nearCount, farCount, this.stretch);
    }
    if (this.isAway && farPure && n > 0 && beyondNear >= 0 && beyondNear !== nearColor) {
      const behind = near - n * step;
      if (this.three.use(this.colors, of[far], of[near], of[behind]))
        return -this.edgeBeforeThin(far, -step, n, farCount, nearCount);
      if (nearColor === this.penColor && this.penEdge !== undefined)
        return -this.penEdge.offset(far, behind, -step, n, farCount, nearCount, this.stretch);
    }
    const own = nearPure ? 1 : this.levelOf(near, -step, n, nearCount, 1);
    const rest = farPure ? 0 : this.levelOf(far, step, f, farCount, 0);
    if (own - rest >= LEAST_RISE) {
      this.trust = BESIDE_EDGE;
      // Between the two levels instead of between all and nothing.
      return (sum + n * (1 - own) - f * rest) / (own - rest);
    }
    this.trust = NO_IDEA;
    return nearCrack(sum);
  }

  /**
   * Whether the colors of two regions are as good as one beside a third's, where noise has been: what lies between them is a line on one ground then, as noise would make
   * much of the little that they differ by.
   */
  private areNearlyOne(a: number, b: number, beside: number): boolean {
    const { colors, leastInRow } = this;
    if (leastInRow !== LONG_ROW) return false;
    let apart = 0;
    let away = 0;
    for (let c = 0; c < 4; c++) {
      apart += (colors[a * 4 + c] - colors[b * 4 + c]) ** 2;
      away += (colors[a * 4 + c] - colors[beside * 4 + c]) ** 2;
    }
    return apart <= NEARLY_ONE_SQ * away;
  }

  /**
   * What the left color covers of each of the pixels behind a crack, where all are of one label and covered alike: they are those of an edge
   * that runs along them, around whose end the boundary turns. Beside them, on one side, they are covered by `pure` of it, or it is a line
   * that runs there. NaN where they are not.
   */
  private levelOf(pixel: number, step: number, walked: number, count: number, pure: number): number {
    if (walked < WALK_PX || walked >= count) return Number.NaN;
    const { of, colorOf, width } = this;
    const color = colorOf[of[pixel]];
    let least = 1;
    let most = 0;
    // The pixel at the crack is the boundary's.
    let at = pixel;
    for (let k = 1; k <= WALK_PX; k++) {
      at += step;
      if (colorOf[of[at]] !== color) return Number.NaN;
      const t = this.coverage(at);
      if (t < least) least = t;
      if (t > most) most = t;
    }
    if (most - least > LEVEL_SPREAD) return Number.NaN;
    const across = step === 1 || step === -1 ? width : 1;
    for (let side = -across; side <= across; side += 2 * across) {
      const beside = at + side;
      const isInside =
        beside >= 0 && beside < of.length && (across !== 1 || Math.abs((beside % width) - (at % width)) === 1);
      if (isInside && Math.abs(this.coverage(beside) - pure) < 1 - PURE) return (least + most) / 2;
    }
    return Number.NaN;
  }

  /**
   * How far beyond the crack the ground's edge is, where what it borders is a feature too thin for a pure pixel, `depth` px of its
   * color, with a third color behind it: what the ground covers of all of them, in order.
   */
  private edgeBeforeThin(
    ground: number,
    step: number,
    depth: number,
    groundCount: number,
    featureCount: number,
  ): number {
    this.trust = 0.5;
    let sum = 0;
    let pixel = ground;
    for (let z = 0; z < WALK_PX && z < groundCount; z++, pixel -= step) {
      const t = this.three.coverage(this.rgba, pixel);
      sum += t - 1;
      if (t > PURE) break;
    }
    pixel = ground + step;
    for (let z = 0; z < depth + WALK_PX && z < featureCount; z++, pixel += step) {
      const t = this.three.coverage(this.rgba, pixel);
      if (t < 1 - PURE && z >= depth) break;
      sum += t;
    }
    return nearCrack(sum);
  }

  /**
   * The near edge of a feature that is too thin for a pure pixel: `depth` px of its color from the crack, the ground's on
   * either side. Its covered width, centered on its centroid, is exact for straight parallel edges.
   */
  private thinEdge(
    ground: number,
    feature: number,
    step: number,
    depth: number,
    groundCount: number,
    featureCount: number,
    featureIsLeft: boolean,
  ): number {
    let covered = 0;
    let moment = 0;
    let pixel = ground;
    for (let z = 0; z < WALK_PX && z < groundCount; z++, pixel -= step) {
      const t = featureIsLeft ? this.coverage(pixel) : 1 - this.coverage(pixel);
      if (t < 1 - PURE) break;
      covered += t;
      moment -= t * (z + 0.5);
    }
    pixel = feature;
    for (let z = 0; z < depth + WALK_PX && z < featureCount; z++, pixel += step) {
      const t = featureIsLeft ? this.coverage(pixel) : 1 - this.coverage(pixel);
      if (z >= depth && t < 1 - PURE) break;
      covered += t;
      moment += t * (z + 0.5);
    }
    return covered > 0 ? moment / covered - covered / 2 : 0;
  }
}

/** Whether the cracks before and after crack `e` run opposite ways: the boundary turns back there, one pixel wide. */
function turnsBack(xs: Int32Array, ys: Int32Array, e: number): boolean {
  const dx = xs[e] - xs[e - 1];
  const dy = ys[e] - ys[e - 1];
  return dx * dx + dy * dy === 1 && xs[e + 2] - xs[e + 1] === -dx && ys[e + 2] - ys[e + 1] === -dy;
}

/**
 * Of the two cracks on either side of crack `e`, how many lie in a row with it, their lattice coordinates across being the same: one that only
 * steps aside within a boundary that runs the other way has none, and between near corners the boundary as a whole tells nothing of a
 * row's direction.
 */
function countInRow(across: Int32Array, e: number): number {
  const at = across[e];
  let count = 0;
  if (across[e - 1] === at) count += across[e - 2] === at ? 2 : 1;
  if (across[e + 2] === at) count += across[e + 3] === at ? 2 : 1;
  return count;
}
