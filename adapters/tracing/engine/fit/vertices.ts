import { distance } from '../math/distance.js';
import type { LineSums } from './line-sums.js';
import { RoundedCorners } from './rounded-corners.js';

/** Samples on either side that a smooth vertex's position and tangent are taken from, at least and at most. */
const LEAST_REACH = 3;
const MOST_REACH = 12;
/** Samples from a corner on that its one-sided tangent is taken from. */
const CORNER_REACH = 14;
/** A corner found by intersecting its sides is believed this near its sample only, px. */
const CORNER_SHIFT_PX = 1.6;
/** Turns sharper than this (radians) are corners even between sides of this half length, px. */
const SHARP_TURN = 1.2;
const SHARP_HALF_LENGTH_PX = 0.7;
/** A side that only cuts off a tip: at most so long, px, over so many samples, between sides at least so long, px. */
const LONGEST_CUT_PX = 2.4;
const MOST_CUT_SAMPLES = 1;
/**
 * One sample more may lie in the pixel of the tip itself, so near to it, px, if the samples on either side lie on their sides by so
 * much, px: next to a tip that is rounded they do not. Where the sides turn by less than this cosine tells, nothing is lost without.
 */
const NEAR_TIP_PX = 0.75;
const ON_SIDE_PX = 0.06;
const CLEAR_TURN_COSINE = 0.6;
/** Where an edge crosses a row and a column at nearly one place it has two samples there, no further apart than this, px. */
const DOUBLE_PX = 0.35;
const LEAST_TIP_SIDE_PX = 3;
const FARTHEST_TIP_PX = 2.2;
/** Tips of less than about 45 degrees, whose sides turn nearly back, are less than a pixel wide for longer. */
const SHARP_TIP_COSINE = 0.7;
const MOST_SHARP_CUT_SAMPLES = 3;
const FARTHEST_SHARP_TIP_PX = 4;
/** A sharp tip is believed farther from its sample than other corners, where its sides are so many times as long as that, and no farther than this, px. */
const SURE_OF_TIP = 3;
const FARTHEST_SURE_TIP_PX = 8;
/** Sides that turn by less than this (its sine), or nearly back (its cosine), have no tip that could be found. */
const LEAST_TIP_SINE = 0.27;
const SHARPEST_TIP_COSINE = 0.96;

/** What is told of a vertex in `corner`. */
export const SMOOTH = 0;
export const CORNER = 1;
/** Smooth, and yet no curve goes on beyond it: the end of a rounded corner, or of a closed contour. */
export const TANGENT = 2;

/**
 * The polygon's vertices as places where curves may begin and end: which are corners, where exactly they lie, and the
 * direction of the edge there.
 */
export class PolygonVertices {
  count = 0;
  /** Numbers of the samples at the vertices. */
  index = new Int32Array(256);
  x = new Float64Array(256);
  y = new Float64Array(256);
  /** Unit tangent at smooth vertices. */
  tangentX = new Float64Array(256);
  tangentY = new Float64Array(256);
  corner = new Uint8Array(256);
  /** How many samples before the one at a vertex lie across its tip. */
  cut = new Uint8Array(256);
  /** Tangent found last by `cornerTangent`. */
  endX = 0;
  endY = 0;
  private sideX = new Float64Array(256);
  private sideY = new Float64Array(256);
  private sideDx = new Float64Array(256);
  private sideDy = new Float64Array(256);
  private length = new Float64Array(256);
  private readonly rounded = new RoundedCorners();

  /**
   * Takes `count` polygon vertices over the samples. A vertex is a corner if the arc that would round it off, tangent to
   * both sides, would cut it by more than `cornerPx`: ½ · min(side) · tan(turn / 4). For a smooth curve that measure is
   * about the polygon's tolerance whatever the radius, so the test has no scale.
   */
  load(
    xs: Float64Array,
    ys: Float64Array,
    samples: number,
    polygon: Int32Array,
    count: number,
    sums: LineSums,
    cornerPx: number,
  ): void {
    this.rounded.find(xs, ys, samples, polygon, count, sums);
    this.reserve(count + 2 * this.rounded.count);
    this.place(xs, ys, polygon, count);
    const { index, corner, sideX, sideY, sideDx, sideDy, length } = this;
    for (let k = 0; k + 1 < this.count; k++) {
      let a = index[k];
      let b = index[k + 1];
      const dx = xs[b] - xs[a];
      const dy = ys[b] - ys[a];
      length[k] = distance(dx, dy);
      if (b - a > 4) {
        a++;
        b--;
      }
      sums.fit(a, b);
      const flip = sums.dx * dx + sums.dy * dy < 0 ? -1 : 1;
      sideX[k] = sums.x;
      sideY[k] = sums.y;
      sideDx[k] = sums.dx * flip;
      sideDy[k] = sums.dy * flip;
    }
    this.sharpenTips(xs, ys);
    const left = this.count;
    for (let k = 1; k + 1 < left; k++) if (corner[k] === SMOOTH) this.classify(k, cornerPx);
    corner[0] = CORNER;
    corner[left - 1] = CORNER;
    for (let k = 1; k + 1 < left; k++) if (corner[k] === SMOOTH) this.smooth(k, xs, ys, samples);
  }

  /** The polygon's vertices, but for those of rounded corners, in place of which are the two where the arc begins and ends. */
  private place(xs: Float64Array, ys: Float64Array, polygon: Int32Array, count: number): void {
    const { rounded, index, x, y, corner, tangentX, tangentY } = this;
    let to = 0;
    for (let k = 0, c = 0; k < count; ) {
      if (c === rounded.count || polygon[k] < rounded.before[c]) {
        index[to] = polygon[k];
        x[to] = xs[polygon[k]];
        y[to] = ys[polygon[k]];
        corner[to++] = SMOOTH;
        k++;
        continue;
      }
      for (let end = 0; end < 2; end++, to++) {
        const at = 8 * c + 4 * end;
        index[to] = end === 0 ? rounded.before[c] : rounded.after[c];
        x[to] = rounded.ends[at];
        y[to] = rounded.ends[at + 1];
        tangentX[to] = rounded.ends[at + 2];
        tangentY[to] = rounded.ends[at + 3];
        corner[to] = TANGENT;
      }
      while (polygon[k] <= rounded.after[c]) k++;
      c++;
    }
    this.count = to;
  }

  /**
   * The last sample before a corner and the first one after it lie up to a px from its tip each, and the polygon cuts across:
   *
   *     ──────┐          ──────.
   *           │  becomes        \   which is undone here, where both sides are long enough to say where they meet.
   *           │                 │
   */
  private sharpenTips(xs: Float64Array, ys: Float64Array): void {
    const { index, x, y, corner, cut, tangentX, tangentY, sideX, sideY, sideDx, sideDy, length } = this;
    let to = 1;
    for (let k = 1; k < this.count; k++, to++) {
      const tip = k + 2 < this.count && this.isBlunted(k, xs, ys);
      // The sample before the tip is the former side's, the one after it the latter's.
      const before = index[k];
      index[to] = index[tip ? k + 1 : k];
      corner[to] = tip ? CORNER : corner[k];
      cut[to] = tip ? index[to] - before - 1 : 0;
      // What lies across the tip would hold its sides off: it is as if it lay at its end.
      for (let i = index[to] - cut[to]; i < index[to]; i++) {
        xs[i] = this.endX;
        ys[i] = this.endY;
      }
      x[to] = tip ? this.endX : x[k];
      y[to] = tip ? this.endY : y[k];
      tangentX[to] = tangentX[k];
      tangentY[to] = tangentY[k];
      if (tip) k++;
      sideX[to] = sideX[k];
      sideY[to] = sideY[k];
      sideDx[to] = sideDx[k];
      sideDy[to] = sideDy[k];
      length[to] = length[k];
    }
    this.count = to;
  }

  /** Whether the side after vertex k only cuts off a tip, which is then at endX, endY. */
  private isBlunted(k: number, xs: Float64Array, ys: Float64Array): boolean {
    const { index, x, y, corner, sideX, sideY, sideDx, sideDy, length } = this;
    const a = k - 1;
    const b = k + 1;
    if (corner[k] === TANGENT || corner[b] === TANGENT || length[k] > LONGEST_CUT_PX) return false;
    if (length[a] < LEAST_TIP_SIDE_PX || length[b] < LEAST_TIP_SIDE_PX) return false;
    const cross = sideDx[a] * sideDy[b] - sideDy[a] * sideDx[b];
    const dot = sideDx[a] * sideDx[b] + sideDy[a] * sideDy[b];
    if (Math.abs(cross) < LEAST_TIP_SINE || dot < -SHARPEST_TIP_COSINE) return false;
    const isSharp = dot < -SHARP_TIP_COSINE;
    let across = 1;
    let between = index[k];
    for (let i = index[k] + 1; i < index[b]; i++) {
      const fromStart = distance(xs[i] - x[k], ys[i] - y[k]);
      const fromEnd = distance(xs[i] - x[b], ys[i] - y[b]);
      if (fromStart <= DOUBLE_PX || fromEnd <= DOUBLE_PX) continue;
      across++;
      between = i;
    }
    const most = isSharp ? MOST_SHARP_CUT_SAMPLES : MOST_CUT_SAMPLES;
    if (across > (dot < CLEAR_TURN_COSINE ? most + 1 : most)) return false;
    const farthest = isSharp ? FARTHEST_SHARP_TIP_PX : FARTHEST_TIP_PX;
    // The tip must lie ahead of the one side and behind the other.
    const t = ((sideX[b] - sideX[a]) * sideDy[b] - (sideY[b] - sideY[a]) * sideDx[b]) / cross;
    const tipX = sideX[a] + t * sideDx[a];
    const tipY = sideY[a] + t * sideDy[a];
    if (across > most) {
      if (distance(xs[between] - tipX, ys[between] - tipY) > NEAR_TIP_PX) return false;
      const offBefore = (x[k] - sideX[a]) * sideDy[a] - (y[k] - sideY[a]) * sideDx[a];
      const offAfter = (x[b] - sideX[b]) * sideDy[b] - (y[b] - sideY[b]) * sideDx[b];
      if (Math.abs(offBefore) > ON_SIDE_PX || Math.abs(offAfter) > ON_SIDE_PX) return false;
    }
    const ahead = (tipX - x[k]) * sideDx[a] + (tipY - y[k]) * sideDy[a];
    const behind = (x[b] - tipX) * sideDx[b] + (y[b] - tipY) * sideDy[b];
    if (ahead < 0 || behind < 0 || distance(tipX - x[k], tipY - y[k]) > farthest) return false;
    if (distance(tipX - x[b], tipY - y[b]) > farthest) return false;
    this.endX = tipX;
    this.endY = tipY;
    return true;
  }

  /** The corner between the ends where the polygon turns most, -1 for none. */
  sharpestCorner(): number {
    let best = -1;
    let least = Infinity;
    for (let k = 1; k + 1 < this.count; k++) {
      if (this.corner[k] !== CORNER) continue;
      const dot = this.sideDx[k - 1] * this.sideDx[k] + this.sideDy[k - 1] * this.sideDy[k];
      if (dot < least) {
        least = dot;
        best = k;
      }
    }
    return best;
  }

  /** Makes the first and last vertex one smooth vertex of a closed chain, with this tangent. */
  closeSmoothly(tx: number, ty: number): void {
    const last = this.count - 1;
    this.tangentX[0] = this.tangentX[last] = tx;
    this.tangentY[0] = this.tangentY[last] = ty;
    this.corner[0] = this.corner[last] = TANGENT;
  }

  /** Direction of the side after (`forwards`) or before vertex k; read from endX, endY. */
  sideTangent(k: number, forwards: boolean): void {
    const side = forwards ? k : k - 1;
    this.endX = this.sideDx[side];
    this.endY = this.sideDy[side];
  }

  /**
   * The tangent at one end of a curve from vertex `k` to vertex `other`, along the chain; read from endX, endY. At a corner
   * it is that of a parabola through the corner and the samples next to it on the curve's side.
   */
  tangentTowards(k: number, other: number, xs: Float64Array, ys: Float64Array): void {
    if (this.corner[k] !== CORNER) {
      this.endX = this.tangentX[k];
      this.endY = this.tangentY[k];
      return;
    }
    const { index } = this;
    const forwards = other > k;
    const sign = forwards ? 1 : -1;
    const available = Math.abs(index[other] - index[k]);
    const reach = available < CORNER_REACH ? available : CORNER_REACH;
    if (reach < 4) {
      this.sideTangent(k, forwards);
      return;
    }
    const cx = this.x[k];
    const cy = this.y[k];
    const end = index[k] + sign * reach;
    let dx = (xs[end] - cx) * sign;
    let dy = (ys[end] - cy) * sign;
    const norm = distance(dx, dy) || 1;
    dx /= norm;
    dy /= norm;
    let uu = 0;
    let uuu = 0;
    let uuuu = 0;
    let uv = 0;
    let uuv = 0;
    for (let z = 1; z <= reach; z++) {
      const i = index[k] + sign * z;
      const ux = xs[i] - cx;
      const uy = ys[i] - cy;
      const u = ux * dx + uy * dy;
      const v = uy * dx - ux * dy;
      uu += u * u;
      uuu += u * u * u;
      uuuu += u * u * u * u;
      uv += u * v;
      uuv += u * u * v;
    }
    const determinant = uu * uuuu - uuu * uuu;
    let slope = Math.abs(determinant) > 1e-9 ? (uv * uuuu - uuv * uuu) / determinant : 0;
    slope = slope < -1 ? -1 : slope > 1 ? 1 : slope;
    const tx = dx - slope * dy;
    const ty = dy + slope * dx;
    const length = distance(tx, ty);
    this.endX = tx / length;
    this.endY = ty / length;
  }

  private classify(k: number, cornerPx: number): void {
    const { sideX, sideY, sideDx, sideDy, length } = this;
    const a = k - 1;
    const cross = sideDx[a] * sideDy[k] - sideDy[a] * sideDx[k];
    const dot = sideDx[a] * sideDx[k] + sideDy[a] * sideDy[k];
    const turn = Math.abs(Math.atan2(cross, dot));
    const half = Math.min(length[a], length[k]) / 2;
    const cut = half * Math.tan(Math.min(turn, 3) / 4);
    if (Math.abs(cross) <= 0.1) return;
    if (cut <= cornerPx && !(turn > SHARP_TURN && half > SHARP_HALF_LENGTH_PX)) return;
    const t = ((sideX[k] - sideX[a]) * sideDy[k] - (sideY[k] - sideY[a]) * sideDx[k]) / cross;
    const ix = sideX[a] + t * sideDx[a];
    const iy = sideY[a] + t * sideDy[a];
    const away = distance(ix - this.x[k], iy - this.y[k]);
    if (away >= CORNER_SHIFT_PX && !(dot < -SHARP_TIP_COSINE && this.isAhead(k, ix, iy, away))) return;
    this.corner[k] = CORNER;
    this.x[k] = ix;
    this.y[k] = iy;
  }

  /** Whether a sharp tip lies as far beyond the sample at vertex `k` as its sides can tell: on from the one, and back from the other. */
  private isAhead(k: number, tipX: number, tipY: number, away: number): boolean {
    const { x, y, sideDx, sideDy, length } = this;
    if (away > FARTHEST_SURE_TIP_PX || Math.min(length[k - 1], length[k]) < SURE_OF_TIP * away) return false;
    const dx = tipX - x[k];
    const dy = tipY - y[k];
    return dx * sideDx[k - 1] + dy * sideDy[k - 1] >= 0 && dx * sideDx[k] + dy * sideDy[k] <= 0;
  }

  /** Position and tangent of a smooth vertex, from the parabola that fits the samples around it. */
  private smooth(k: number, xs: Float64Array, ys: Float64Array, samples: number): void {
    const { index, sideDx, sideDy, length } = this;
    const before = length[k - 1];
    const after = length[k];
    let dx = sideDx[k - 1] * after + sideDx[k] * before;
    let dy = sideDy[k - 1] * after + sideDy[k] * before;
    let norm = distance(dx, dy) || 1;
    dx /= norm;
    dy /= norm;
    const at = index[k];
    const reach = Math.max(LEAST_REACH, Math.min(at - index[k - 1], index[k + 1] - at, MOST_REACH));
    const first = Math.max(0, at - reach);
    const last = Math.min(samples - 1, at + reach);
    let n = 0;
    let u1 = 0;
    let u2 = 0;
    let u3 = 0;
    let u4 = 0;
    let v0 = 0;
    let v1 = 0;
    let v2 = 0;
    for (let i = first; i <= last; i++) {
      const ux = xs[i] - xs[at];
      const uy = ys[i] - ys[at];
      const u = ux * dx + uy * dy;
      const v = uy * dx - ux * dy;
      const uu = u * u;
      n++;
      u1 += u;
      u2 += uu;
      u3 += uu * u;
      u4 += uu * uu;
      v0 += v;
      v1 += u * v;
      v2 += uu * v;
    }
    const a = u2 * u4 - u3 * u3;
    const b = u1 * u4 - u3 * u2;
    const c = u1 * u3 - u2 * u2;
    const determinant = n * a - u1 * b + u2 * c;
    this.tangentX[k] = dx;
    this.tangentY[k] = dy;
    if (Math.abs(determinant) <= 1e-6) return;
    const shift = (v0 * a - u1 * (v1 * u4 - u3 * v2) + u2 * (v1 * u3 - u2 * v2)) / determinant;
    const slope = (n * (v1 * u4 - v2 * u3) - v0 * b + u2 * (u1 * v2 - v1 * u2)) / determinant;
    this.x[k] = xs[at] - shift * dy;
    this.y[k] = ys[at] + shift * dx;
    const tx = dx - slope * dy;
    const ty = dy + slope * dx;
    norm = distance(tx, ty);
    this.tangentX[k] = tx / norm;
    this.tangentY[k] = ty / norm;
  }

  private reserve(count: number): void {
    if (this.index.length >= count) return;
    const size = Math.max(count, this.index.length * 2);
    this.index = new Int32Array(size);
    this.corner = new Uint8Array(size);
    this.cut = new Uint8Array(size);
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.tangentX = new Float64Array(size);
    this.tangentY = new Float64Array(size);
    this.sideX = new Float64Array(size);
    this.sideY = new Float64Array(size);
    this.sideDx = new Float64Array(size);
    this.sideDy = new Float64Array(size);
    this.length = new Float64Array(size);
  }
}
