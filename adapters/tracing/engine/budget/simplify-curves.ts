import { type ChainCurves, CurveList, SEGMENT_CUBIC, SEGMENT_LINE, SEGMENT_SIZE } from '../fit/curves.js';
import type { PlanarMap } from '../planar-map/planar-map.js';

/** Points a curve is followed by, per segment. */
const POINTS_PER_CURVE = 12;
/** A straight line may be this much nearer to the tolerance than a curve, which may stand for more. */
const LINE_SHARE = 0.8;
const REPARAMETERIZATIONS = 3;

/**
 * The chains with fewer segments, nowhere farther than `tolerancePx` from what they were: each is followed by points, and these are fitted by
 * lines and cubics, halving where one is not enough (Schneider 1990). A chain that gains nothing, and one that is a whole
 * shape or lies along the picture's border, stays as it is. Ends stay, so that neighbors still meet.
 */
export function simplifyCurves(
  map: Pick<PlanarMap, 'left' | 'right'>,
  curves: ChainCurves,
  tolerancePx: number,
  straightOnly: boolean,
): ChainCurves {
  const out = new CurveList();
  const simplifier = new ChainSimplifier(tolerancePx, straightOnly);
  for (let c = 0; c < curves.chainCount; c++) {
    out.beginChain();
    const from = curves.starts[c];
    const to = curves.starts[c + 1];
    const isWhole = to - from === 1 && curves.kinds[from] > SEGMENT_CUBIC;
    const isBorder = map.left[c] < 0 || map.right[c] < 0;
    const simpler = isWhole || isBorder || to - from < 2 ? undefined : simplifier.simplify(curves, from, to);
    if (simpler === undefined) {
      for (let s = from; s < to; s++) out.copy(curves, s);
      continue;
    }
    for (let k = 0; k < simpler.length; k += SEGMENT_SIZE) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = simpler.slice(k, k + SEGMENT_SIZE);
      if (x0 === x1 && y0 === y1 && x2 === x3 && y2 === y3) out.line(x0, y0, x3, y3);
      else out.cubic(x0, y0, x1, y1, x2, y2, x3, y3);
    }
  }
  return out.finish();
}

class ChainSimplifier {
  private readonly tolerancePx: number;
  private readonly straightOnly: boolean;
  private xs = new Float64Array(0);
  private ys = new Float64Array(0);
  private ts = new Float64Array(0);
  private found: number[] = [];

  constructor(tolerancePx: number, straightOnly: boolean) {
    this.tolerancePx = tolerancePx;
    this.straightOnly = straightOnly;
  }

  /** Eight numbers a segment, a line having its handles at its ends; undefined where that are no fewer. */
  simplify(curves: ChainCurves, from: number, to: number): number[] | undefined {
    const count = this.follow(curves, from, to);
    const { xs, ys } = this;
    this.found = [];
    if (xs[0] === xs[count - 1] && ys[0] === ys[count - 1]) {
      // Closed: from the start to the farthest point and back.
      let far = 0;
      let most = 0;
      for (let i = 1; i < count; i++) {
        const d = (xs[i] - xs[0]) ** 2 + (ys[i] - ys[0]) ** 2;
        if (d > most) {
          most = d;
          far = i;
        }
      }
      if (far === 0) return undefined;
      this.fit(0, far);
      this.fit(far, count - 1);
    } else this.fit(0, count - 1);
    return this.found.length < (to - from) * SEGMENT_SIZE ? this.found : undefined;
  }

  private follow({ kinds, points }: ChainCurves, from: number, to: number): number {
    const most = (to - from) * POINTS_PER_CURVE + 1;
    if (this.xs.length < most) {
      this.xs = new Float64Array(most * 2);
      this.ys = new Float64Array(most * 2);
      this.ts = new Float64Array(most * 2);
    }
    const { xs, ys } = this;
    xs[0] = points[from * 8];
    ys[0] = points[from * 8 + 1];
    let n = 1;
    for (let s = from; s < to; s++) {
      const p = s * 8;
      const steps = kinds[s] === SEGMENT_LINE ? Math.min(4, POINTS_PER_CURVE) : POINTS_PER_CURVE;
      for (let k = 1; k <= steps; k++, n++) {
        const t = k / steps;
        const u = 1 - t;
        const a = u * u * u;
        const b = 3 * u * u * t;
        const c = 3 * u * t * t;
        const d = t * t * t;
        xs[n] = k === steps ? points[p + 6] : a * points[p] + b * points[p + 2] + c * points[p + 4] + d * points[p + 6];
        ys[n] =
          k === steps ? points[p + 7] : a * points[p + 1] + b * points[p + 3] + c * points[p + 5] + d * points[p + 7];
      }
    }
    return n;
  }

  /** Fits the points first..last. */
  private fit(first: number, last: number): void {
    const { xs, ys, tolerancePx } = this;
    const split = this.farthestFromLine(first, last);
    if (last - first < 2 || this.farthest <= tolerancePx * LINE_SHARE) {
      this.found.push(xs[first], ys[first], xs[first], ys[first], xs[last], ys[last], xs[last], ys[last]);
      return;
    }
    if (!this.straightOnly && this.fitCubic(first, last)) return;
    this.fit(first, split);
    this.fit(split, last);
  }

  private farthest = 0;

  private farthestFromLine(first: number, last: number): number {
    const { xs, ys } = this;
    const dx = xs[last] - xs[first];
    const dy = ys[last] - ys[first];
    const lengthSq = dx * dx + dy * dy;
    let most = -1;
    let at = (first + last) >> 1;
    for (let i = first + 1; i < last; i++) {
      const ux = xs[i] - xs[first];
      const uy = ys[i] - ys[first];
      const t = lengthSq > 0 ? Math.max(0, Math.min(1, (ux * dx + uy * dy) / lengthSq)) : 0;
      const d = (ux - t * dx) ** 2 + (uy - t * dy) ** 2;
      if (d > most) {
        most = d;
        at = i;
      }
    }
    this.farthest = Math.sqrt(Math.max(0, most));
    return at;
  }

  /** One cubic with free handles for the points, by least squares; false where it is too far from one of them. */
  private fitCubic(first: number, last: number): boolean {
    const { xs, ys, ts, tolerancePx } = this;
    ts[first] = 0;
    for (let i = first + 1; i <= last; i++) ts[i] = ts[i - 1] + Math.hypot(xs[i] - xs[i - 1], ys[i] - ys[i - 1]);
    const length = ts[last];
    if (!(length > 0)) return false;
    for (let i = first; i <= last; i++) ts[i] /= length;
    const x0 = xs[first];
    const y0 = ys[first];
    const x3 = xs[last];
    const y3 = ys[last];
    for (let round = 0; round <= REPARAMETERIZATIONS; round++) {
      let bb = 0;
      let bc = 0;
      let cc = 0;
      let bx = 0;
      let by = 0;
      let cx = 0;
      let cy = 0;
      for (let i = first + 1; i < last; i++) {
        const t = ts[i];
        const u = 1 - t;
        const b = 3 * u * u * t;
        const c = 3 * u * t * t;
        const rx = xs[i] - u * u * (u + 3 * t) * x0 - t * t * (t + 3 * u) * x3;
        const ry = ys[i] - u * u * (u + 3 * t) * y0 - t * t * (t + 3 * u) * y3;
        bb += b * b;
        bc += b * c;
        cc += c * c;
        bx += b * rx;
        by += b * ry;
        cx += c * rx;
        cy += c * ry;
      }
      // Handles as offsets from their ends.
      const determinant = bb * cc - bc * bc;
      if (!(determinant > 1e-12)) return false;
      const x1 = x0 + (bx * cc - cx * bc) / determinant;
      const y1 = y0 + (by * cc - cy * bc) / determinant;
      const x2 = x3 + (cx * bb - bx * bc) / determinant;
      const y2 = y3 + (cy * bb - by * bc) / determinant;
      let most = 0;
      for (let i = first + 1; i < last; i++) {
        const t = ts[i];
        const u = 1 - t;
        const px = u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3 - xs[i];
        const py = u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3 - ys[i];
        most = Math.max(most, px * px + py * py);
        const dx = 3 * (u * u * (x1 - x0) + 2 * u * t * (x2 - x1) + t * t * (x3 - x2));
        const dy = 3 * (u * u * (y1 - y0) + 2 * u * t * (y2 - y1) + t * t * (y3 - y2));
        const speed = dx * dx + dy * dy;
        if (speed > 1e-9) ts[i] = Math.max(0, Math.min(1, t - (px * dx + py * dy) / speed));
      }
      // Handles that reach much farther than the curve is long make loops.
      const reach = Math.max(Math.hypot(x1 - x0, y1 - y0), Math.hypot(x2 - x3, y2 - y3));
      if (most <= tolerancePx * tolerancePx && reach <= length) {
        this.found.push(x0, y0, x1, y1, x2, y2, x3, y3);
        return true;
      }
      if (most > 16 * tolerancePx * tolerancePx) return false;
    }
    return false;
  }
}
