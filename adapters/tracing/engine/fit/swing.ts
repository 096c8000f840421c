import { distance } from '../math/distance.js';

/** How far out of the picture a curve may swing, px, and how far its control points may be if it does: it is three quarters as far at most. */
const SWING_PX = 1.5;
const FARTHEST_OUT_PX = 2;
const SHORTEST_HANDLE_PX = 0.05;
/** A curve's handles are seldom longer than its chord; much longer ones swing out where no pixel tells. */
const LONGEST_HANDLE = 1.5;

/**
 * Whether the cubic of the eight numbers at `p` swings far out of a picture of this size, px. Its handles alone may: what the border
 * cuts off goes on behind it.
 */
export function leavesPicture(points: Float64Array, p: number, width: number, height: number): boolean {
  for (let i = 0; i < 2; i++) {
    const size = i === 0 ? width : height;
    const b = points[p + 2 + i];
    const c = points[p + 4 + i];
    if (Math.min(b, c) >= -FARTHEST_OUT_PX && Math.max(b, c) <= size + FARTHEST_OUT_PX) continue;
    for (let n = 1; n < 8; n++) {
      const t = n / 8;
      const u = 1 - t;
      const at = u * u * (u * points[p + i] + 3 * t * b) + t * t * (3 * u * c + t * points[p + 6 + i]);
      if (at < -SWING_PX || at > size + SWING_PX) return true;
    }
  }
  return false;
}

/**
 * Brings the control point at `control` of `points` back towards its vertex at `vertex` where it is far out of a picture of this
 * size, px; returns the share of its handle that is left, 0..1.
 */
export function pullIn(points: Float64Array, vertex: number, control: number, width: number, height: number): number {
  let share = 1;
  for (let i = 0; i < 2; i++) {
    const from = points[vertex + i];
    const to = points[control + i];
    const size = i === 0 ? width : height;
    if (to < -FARTHEST_OUT_PX) share = Math.min(share, (from + FARTHEST_OUT_PX) / (from - to));
    else if (to > size + FARTHEST_OUT_PX) share = Math.min(share, (size + FARTHEST_OUT_PX - from) / (to - from));
  }
  if (share < 1)
    for (let i = 0; i < 2; i++)
      points[control + i] = points[vertex + i] + share * (points[control + i] - points[vertex + i]);
  return share;
}

/**
 * The share of an ellipse's half axes that it can keep around (x, y), turned by `angle`, without reaching far out of a picture of this size, px, 0..1: no
 * pixel tells how it goes on there. Its center lies in the picture.
 */
export function shareWithin(
  x: number,
  y: number,
  rx: number,
  ry: number,
  angle: number,
  width: number,
  height: number,
): number {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const room = SWING_PX + Math.min(x, width - x);
  const headroom = SWING_PX + Math.min(y, height - y);
  return Math.min(1, room / distance(rx * cos, ry * sin), headroom / distance(rx * sin, ry * cos));
}

/** A handle's new length, px: never nearly nothing, and not grown past what its `chord` allows, but one that was longer keeps that. */
export function lengthened(length: number, change: number, chord: number): number {
  const longest = LONGEST_HANDLE * chord;
  const most = length > longest ? length : longest;
  return Math.max(SHORTEST_HANDLE_PX, Math.min(most, length + change));
}
