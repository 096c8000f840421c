import { type ChainCurves, SEGMENT_CUBIC, SEGMENT_LINE, SEGMENT_SIZE } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import { wrap } from '../math/wrap.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { ARC_PX } from './arc-runs.js';

/** How many times as far as elsewhere an arc may be off the curves it stands for: where they meet the lines, hardly anything holds them. */
const TANGENT_TIMES = 2;
/** Tangents that differ by less than this (radians) where a line and a curve meet are one. */
const SMOOTH_TURN = 0.06;
/** How far a line turns into the next one, radians: less has hardly an arc, more than half a turn goes in. */
const LEAST_TURN = 0.35;
const MOST_TURN = 3.4;
/** Cubics that an arc may stand for, and how far each of them may turn to be as good as a circle, radians. */
const MOST_CUBICS = 3;
const MOST_PART = 1.75;
/** What is left of a line, at least, px, and the least radius. */
const LEAST_LINE_PX = 1;
const LEAST_RADIUS_PX = 0.8;
/** Places of each cubic that are looked at, and rounds in search of the arc. */
const PLACES = 8;
const ROUNDS = 6;

/**
 * Draws the curves between two lines that they go on from smoothly as the arc of a circle that is tangent to both, where that is what they
 * are within what can be told: the ends of strokes, and rounded corners. Where a line becomes an arc nothing but their common tangent tells,
 * so that the joints lie anywhere along the lines, and the curves between are no arcs of their own: here the joints move along the
 * lines to where the arc has them. `offPx` is how far arcs may be off curves elsewhere, px. Returns the curves, others where any changed.
 */
export function tangentArcs(map: Pick<PlanarMap, 'startNode'>, curves: ChainCurves, offPx = ARC_PX): ChainCurves {
  const { chainCount, starts, kinds } = curves;
  let rounder: ArcRounder | undefined;
  for (let c = 0; c < chainCount; c++) {
    const from = starts[c];
    const count = starts[c + 1] - from;
    const isClosed = map.startNode[c] < 0;
    for (let i = 0; i < count; i++) {
      if (kinds[from + i] !== SEGMENT_LINE) continue;
      let n = 1;
      while (n <= MOST_CUBICS && kinds[from + ((i + n) % count)] === SEGMENT_CUBIC) n++;
      const after = i + n;
      if (n === 1 || kinds[from + (after % count)] !== SEGMENT_LINE) continue;
      if (after >= count && !(isClosed && after % count !== i)) continue;
      rounder ??= new ArcRounder({ ...curves, points: curves.points.slice() }, TANGENT_TIMES * offPx);
      rounder.round(from, count, i, n - 1);
    }
  }
  return rounder?.changed ? rounder.curves : curves;
}

class ArcRounder {
  readonly curves: ChainCurves;
  changed = false;
  private readonly xs = new Float64Array(MOST_CUBICS * PLACES);
  private readonly ys = new Float64Array(MOST_CUBICS * PLACES);
  private readonly mostPx: number;

  /** The curves are changed in place. */
  constructor(curves: ChainCurves, mostPx: number) {
    this.curves = curves;
    this.mostPx = mostPx;
  }

  /** Makes an arc of the `count` cubics behind line `line` of a chain of `size` segments from `from` on, if they are one. */
  round(from: number, size: number, line: number, count: number): void {
    const { points } = this.curves;
    const at = (k: number) => (from + ((line + k) % size)) * SEGMENT_SIZE;
    const a = at(0);
    const b = at(count + 1);
    let ux = points[a + 6] - points[a];
    let uy = points[a + 7] - points[a + 1];
    let vx = points[b + 6] - points[b];
    let vy = points[b + 7] - points[b + 1];
    const u = distance(ux, uy);
    const v = distance(vx, vy);
    if (!(u > LEAST_LINE_PX && v > LEAST_LINE_PX)) return;
    ux /= u;
    uy /= u;
    vx /= v;
    vy /= v;
    const turn = this.turnAlong(at, count, Math.atan2(uy, ux), Math.atan2(vy, vx));
    const turned = Math.abs(turn);
    if (!(turned > LEAST_TURN && turned < MOST_TURN) || turned > MOST_PART * count) return;
    // Normals towards the center, which is to the right of a way that turns clockwise on screen.
    const side = turn > 0 ? 1 : -1;
    const ax = -uy * side;
    const ay = ux * side;
    const bx = -vy * side;
    const by = vx * side;
    // Centers are as far from both lines: they lie along the bisector, which leads outwards.
    const gx = ax - bx;
    const gy = ay - by;
    const gradient = distance(gx, gy);
    const mx = (points[a + 6] + points[b]) / 2;
    const my = (points[a + 7] + points[b + 1]) / 2;
    const fromA = (mx - points[a]) * ax + (my - points[a + 1]) * ay;
    const fromB = (mx - points[b]) * bx + (my - points[b + 1]) * by;
    const back = (fromA - fromB) / (gradient * gradient);
    const x0 = mx - back * gx;
    const y0 = my - back * gy;
    let wx = -gy / gradient;
    let wy = gx / gradient;
    if (wx * (ux - vx) + wy * (uy - vy) < 0) {
      wx = -wx;
      wy = -wy;
    }
    const r0 = (x0 - points[a]) * ax + (y0 - points[a + 1]) * ay;
    const slope = wx * ax + wy * ay;
    const places = this.sample(at, count);
    const { xs, ys } = this;
    let s = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const cx = x0 + s * wx;
      const cy = y0 + s * wy;
      const r = r0 + s * slope;
      let gg = 0;
      let ge = 0;
      for (let i = 0; i < places; i++) {
        const dx = xs[i] - cx;
        const dy = ys[i] - cy;
        // What lies before the arc begins, or behind its end, is the line's.
        if (dx * ux + dy * uy < 0 && dx * ax + dy * ay < 0) continue;
        if (dx * vx + dy * vy > 0 && dx * bx + dy * by < 0) continue;
        const d = distance(dx, dy) || 1e-9;
        const g = -(dx * wx + dy * wy) / d - slope;
        gg += g * g;
        ge += g * (d - r);
      }
      if (!(gg > 1e-9)) return;
      s -= ge / gg;
    }
    const r = r0 + s * slope;
    const cx = x0 + s * wx;
    const cy = y0 + s * wy;
    if (!(r >= LEAST_RADIUS_PX)) return;
    const beginX = cx - r * ax;
    const beginY = cy - r * ay;
    const endX = cx - r * bx;
    const endY = cy - r * by;
    if ((beginX - points[a]) * ux + (beginY - points[a + 1]) * uy < LEAST_LINE_PX) return;
    if ((points[b + 6] - endX) * vx + (points[b + 7] - endY) * vy < LEAST_LINE_PX) return;
    for (let i = 0; i < places; i++) {
      const dx = xs[i] - cx;
      const dy = ys[i] - cy;
      const toA = dx * ax + dy * ay;
      const toB = dx * bx + dy * by;
      const off =
        dx * ux + dy * uy < 0 && toA < 0 ? toA + r : dx * vx + dy * vy > 0 && toB < 0 ? toB + r : distance(dx, dy) - r;
      if (Math.abs(off) > this.mostPx) return;
    }
    this.changed = true;
    points[a + 4] = points[a + 6] = beginX;
    points[a + 5] = points[a + 7] = beginY;
    points[b] = points[b + 2] = endX;
    points[b + 1] = points[b + 3] = endY;
    this.draw(at, count, cx, cy, beginX - cx, beginY - cy, turn);
    const last = at(count);
    points[last + 6] = endX;
    points[last + 7] = endY;
  }

  /** How far the way turns from one line to the other, radians, clockwise positive; 0 where it is not smooth, or turns back and forth. */
  private turnAlong(at: (k: number) => number, count: number, from: number, to: number): number {
    const { points } = this.curves;
    let angle = from;
    let total = 0;
    let most = 0;
    const step = (next: number) => {
      const turned = wrap(next - angle);
      total += turned;
      most += Math.abs(turned);
      angle = next;
      return Math.abs(turned);
    };
    for (let k = 1; k <= count; k++) {
      const p = at(k);
      for (let i = 0; i < 6; i += 2) {
        const turned = step(Math.atan2(points[p + i + 3] - points[p + i + 1], points[p + i + 2] - points[p + i]));
        if (i === 0 && turned > SMOOTH_TURN) return 0;
      }
    }
    if (step(to) > SMOOTH_TURN) return 0;
    return most - Math.abs(total) < SMOOTH_TURN ? total : 0;
  }

  /** Places along the cubics. */
  private sample(at: (k: number) => number, count: number): number {
    const { points } = this.curves;
    const { xs, ys } = this;
    let n = 0;
    for (let k = 1; k <= count; k++) {
      const p = at(k);
      for (let i = 0; i < PLACES; i++) {
        const t = (i + 0.5) / PLACES;
        const q = 1 - t;
        const [b0, b1, b2, b3] = [q * q * q, 3 * q * q * t, 3 * q * t * t, t * t * t];
        xs[n] = b0 * points[p] + b1 * points[p + 2] + b2 * points[p + 4] + b3 * points[p + 6];
        ys[n++] = b0 * points[p + 1] + b1 * points[p + 3] + b2 * points[p + 5] + b3 * points[p + 7];
      }
    }
    return n;
  }

  /** The arc from a point on its circle, given from the center, in as many cubics as it takes the place of. */
  private draw(
    at: (k: number) => number,
    count: number,
    cx: number,
    cy: number,
    x: number,
    y: number,
    turn: number,
  ): void {
    const { points } = this.curves;
    const part = turn / count;
    const handle = (4 / 3) * Math.tan(part / 4);
    for (let k = 1; k <= count; k++) {
      const p = at(k);
      const cos = Math.cos(part);
      const sin = Math.sin(part);
      const nextX = x * cos - y * sin;
      const nextY = x * sin + y * cos;
      points[p] = cx + x;
      points[p + 1] = cy + y;
      points[p + 2] = cx + x - handle * y;
      points[p + 3] = cy + y + handle * x;
      points[p + 4] = cx + nextX + handle * nextY;
      points[p + 5] = cy + nextY - handle * nextX;
      points[p + 6] = cx + nextX;
      points[p + 7] = cy + nextY;
      x = nextX;
      y = nextY;
    }
  }
}
