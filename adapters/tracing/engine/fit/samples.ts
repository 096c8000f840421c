import { FloatList, IntList } from '../math/lists.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';

/**
 * Where the boundaries really run: per chain a row of points at sub-pixel positions, found from how much of each boundary
 * pixel either color covers. Chains along the picture's border hold their corner points instead.
 */
export interface EdgeSamples {
  /** Per chain, and one more at the end: where its samples begin. */
  readonly starts: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** How far a sample is to be trusted: 1 both sides saturated, less where the edge is crowded. */
  readonly weight: Float64Array;
}

/** Cracks on either side over which a boundary's direction is taken, to choose columns or rows to sum along. */
const DIRECTION_REACH = 4;
/** Pixels walked from the crack to the pure color on one side; anti-aliasing needs one or two. */
const WALK_PX = 3;
/** Coverage from which a pixel counts as pure. */
const PURE = 0.985;

/**
 * Samples every chain. In each column (or row, for steep boundaries) the coverages across the boundary are summed, which
 * gives the mean position of the edge in that column exactly, whatever the slope and for any symmetric blur (the partial
 * area effect, Trujillo-Pino et al. 2013). Between two near edges of one thin feature, the feature's covered width and its
 * centroid give both.
 */
export function sampleEdges(map: PlanarMap, regions: Regions, rgba: Uint8Array): EdgeSamples {
  const { chainCount, vertices, starts } = map;
  const stride = map.width + 1;
  const sampler = new EdgeSampler(regions, rgba);
  const out = { x: new FloatList(4096), y: new FloatList(4096), weight: new FloatList(4096) };
  const sampleStarts = new Int32Array(chainCount + 1);
  const xs = new IntList(1024);
  const ys = new IntList(1024);
  for (let c = 0; c < chainCount; c++) {
    sampleStarts[c] = out.x.length;
    const steps = starts[c + 1] - starts[c] - 1;
    xs.length = 0;
    ys.length = 0;
    xs.reserve(steps + 1);
    ys.reserve(steps + 1);
    for (let k = 0; k <= steps; k++) {
      const y = (vertices[starts[c] + k] / stride) | 0;
      ys.data[k] = y;
      xs.data[k] = vertices[starts[c] + k] - y * stride;
    }
    if (map.left[c] < 0 || map.right[c] < 0) pushCorners(xs.data, ys.data, steps, out);
    else sampler.sampleChain(xs.data, ys.data, steps, map.startNode[c] < 0, map.left[c], map.right[c], out);
  }
  sampleStarts[chainCount] = out.x.length;
  return {
    starts: sampleStarts,
    x: out.x.data.slice(0, out.x.length),
    y: out.y.data.slice(0, out.x.length),
    weight: out.weight.data.slice(0, out.x.length),
  };
}

interface SampleLists {
  readonly x: FloatList;
  readonly y: FloatList;
  readonly weight: FloatList;
}

function push(out: SampleLists, x: number, y: number, weight: number): void {
  out.x.push(x);
  out.y.push(y);
  out.weight.push(weight);
}

/** First, last and turning points. */
function pushCorners(xs: Int32Array, ys: Int32Array, steps: number, out: SampleLists): void {
  for (let k = 0; k <= steps; k++) {
    const turns = k === 0 || k === steps || xs[k - 1] + xs[k + 1] !== 2 * xs[k] || ys[k - 1] + ys[k + 1] !== 2 * ys[k];
    if (turns) push(out, xs[k], ys[k], 1);
  }
}

class EdgeSampler {
  private readonly width: number;
  private readonly height: number;
  private readonly of: Int32Array;
  private readonly colorOf: Int32Array;
  private readonly colors: Float64Array;
  private readonly rgba: Uint8Array;
  // Coverage by the first color of the current pair is k0 + k · pixel.
  private k0 = 0;
  private kr = 0;
  private kg = 0;
  private kb = 0;
  private ka = 0;
  /** Trust in the offset found last. */
  private trust = 1;

  constructor(regions: Regions, rgba: Uint8Array) {
    this.width = regions.width;
    this.height = regions.height;
    this.of = regions.of;
    this.colorOf = regions.colorOf;
    this.colors = regions.colors;
    this.rgba = rgba;
  }

  sampleChain(
    xs: Int32Array,
    ys: Int32Array,
    steps: number,
    closed: boolean,
    left: number,
    right: number,
    out: SampleLists,
  ): void {
    const { width, height } = this;
    const before = out.x.length;
    this.usePair(left, right);
    const leftColor = this.colorOf[left];
    const rightColor = this.colorOf[right];
    for (let e = 0; e < steps; e++) {
      let a = e - DIRECTION_REACH;
      let b = e + 1 + DIRECTION_REACH;
      if (closed) {
        a = ((a % steps) + steps) % steps;
        b %= steps;
      } else {
        if (a < 0) a = 0;
        if (b > steps) b = steps;
      }
      const dx = Math.abs(xs[b] - xs[a]);
      const dy = Math.abs(ys[b] - ys[a]);
      if (ys[e] === ys[e + 1]) {
        if (dx < dy) continue;
        const x = Math.min(xs[e], xs[e + 1]);
        const y = ys[e];
        const down = y * width + x;
        // Walking right, the left region is above.
        const offset =
          xs[e + 1] > xs[e]
            ? this.offset(down - width, down, width, y, height - y, leftColor, rightColor)
            : -this.offset(down, down - width, -width, height - y, y, leftColor, rightColor);
        push(out, x + 0.5, y + offset, this.trust);
      } else {
        if (dy <= dx) continue;
        const x = xs[e];
        const y = Math.min(ys[e], ys[e + 1]);
        const east = y * width + x;
        // Walking down, the left region is to the east.
        const offset =
          ys[e + 1] > ys[e]
            ? -this.offset(east, east - 1, -1, width - x, x, leftColor, rightColor)
            : this.offset(east - 1, east, 1, x, width - x, leftColor, rightColor);
        push(out, x + offset, y + 0.5, this.trust);
      }
    }
    if (out.x.length - before < 2) {
      out.x.length = out.y.length = out.weight.length = before;
      for (let e = 0; e < steps; e++) push(out, (xs[e] + xs[e + 1]) / 2, (ys[e] + ys[e + 1]) / 2, 0.25);
    }
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
    this.trust = 1;
    if (nearPure && farPure) return sum;
    this.trust = 0.5;
    if (nearPure && beyondFar === nearColor) return this.thinEdge(near, far, step, f, nearCount, farCount, false);
    if (farPure && beyondNear === farColor) return -this.thinEdge(far, near, -step, n, farCount, nearCount, true);
    this.trust = 0.25;
    return sum < -1.5 ? -1.5 : sum > 1.5 ? 1.5 : sum;
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
