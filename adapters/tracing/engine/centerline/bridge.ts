import type { Sample } from './measure-branch.js';
import type { RegionEdge } from './region-edge.js';
import type { RunEnd } from './run-ends.js';

/** How a line goes on over a place where its edges do not both run along. */
export interface Bridge {
  /** The corner it turns in, if it does. */
  readonly corner: { readonly x: number; readonly y: number } | undefined;
  /** How far the outline stands out at the corner, in half widths: 1 round, more pointed, less cut off; 0 where there is none. */
  readonly tip: number;
  /** Half the turn's cosine: what a pointed corner stands out by is 1 over this. */
  readonly halfCosine: number;
  /** Places in between, found by the one edge that runs on: x, y in turn. */
  readonly between: readonly number[];
}

/** Turns of more than this have an outside and an inside. */
const TURN_COSINE = 0.9;
/** Where the outside stands out by less than this many half widths, the line is bent and not broken; of thin lines that cannot be told, px. */
const BENT_TIP = 0.85;
const LEAST_BENT_PX = 3;
/** A corner lies at most so many widths, and px, from where the edges end. */
const FARTHEST_WIDTHS = 2.5;
const FARTHEST_PX = 3;
/** The way around a corner is longer by at most so many widths than the legs of the turn. */
const MOST_AROUND = 2.2;
/** Edges that turn by more than this from one piece to the next have a corner there: its cosine. */
const SMOOTH_COSINE = 0.85;
const SPACING_PX = 1;

/** From the end of one stretch, at `a`, to the start of the next, at `b`. `to` points into the gap, as `from` does. */
export function bridge(a: Sample, b: Sample, from: RunEnd, to: RunEnd, width: number, edge: RegionEdge): Bridge {
  const chord = Math.hypot(to.x - from.x, to.y - from.y);
  const vx = -to.ux;
  const vy = -to.uy;
  const cosine = from.ux * vx + from.uy * vy;
  const cross = from.ux * vy - from.uy * vx;
  const halfCosine = Math.sqrt(Math.max(0, (1 + cosine) / 2));
  const none: Bridge = { corner: undefined, tip: 0, halfCosine, between: [] };
  const leftWay = edge.wayBetween(a.left, a.leftPart, b.left, b.leftPart);
  const rightWay = edge.wayBetween(b.right, b.rightPart, a.right, a.rightPart);
  if (cosine > TURN_COSINE) {
    // The edge that is not interrupted is the one that is about as long as the gap.
    const useLeft = leftWay <= rightWay;
    const way = useLeft ? leftWay : rightWay;
    if (chord < 2.5 || way > 1.2 * chord + 0.25 * width) return none;
    return { ...none, between: alongside(a, b, useLeft, way, width, edge) };
  }
  const useLeft = cross > 0;
  const way = useLeft ? leftWay : rightWay;
  // Where the inside of the turn is a bend, so is the line.
  const inner = useLeft ? rightWay : leftWay;
  if (inner <= 1.2 * chord && isBend(a, b, !useLeft, inner, edge)) {
    return { ...none, between: alongside(a, b, !useLeft, inner, width, edge) };
  }
  let known = way <= 2 * chord + 3 * width;
  let corner: Bridge['corner'];
  if (Math.abs(cross) > 0.05) {
    const s = ((to.x - from.x) * vy - (to.y - from.y) * vx) / cross;
    const x = from.x + s * from.ux;
    const y = from.y + s * from.uy;
    const t = (to.x - x) * vx + (to.y - y) * vy;
    const far = FARTHEST_WIDTHS * width + FARTHEST_PX;
    if (s > -1 - 0.3 * width && t > -1 - 0.3 * width && s < far && t < far) {
      corner = { x, y };
      known &&= way <= Math.max(0, s) + Math.max(0, t) + MOST_AROUND * width + 1;
    }
  }
  if (corner === undefined) return known ? { ...none, between: alongside(a, b, useLeft, way, width, edge) } : none;
  if (!known) return { ...none, corner };
  // Outwards is the way from the inside of the turn to its tip.
  let ox = from.ux - vx;
  let oy = from.uy - vy;
  const norm = Math.hypot(ox, oy) || 1;
  ox /= norm;
  oy /= norm;
  const reach = edge.end(corner.x, corner.y, ox, oy, 4 * width + 2);
  const tip = reach / (width / 2);
  if (tip < BENT_TIP && width >= LEAST_BENT_PX) {
    return { ...none, between: alongside(a, b, useLeft, way, width, edge) };
  }
  return { ...none, corner, tip };
}

/** Whether the edge on one side has no corner between two samples. */
function isBend(a: Sample, b: Sample, onLeft: boolean, way: number, edge: RegionEdge): boolean {
  const { inwardX, inwardY, loopFrom, loopTo, x0, y0, x1, y1 } = edge;
  const last = onLeft ? b.left : a.right;
  let piece = onLeft ? a.left : b.right;
  let seen = 0;
  while (piece !== last && seen <= way + 2) {
    const next = piece + 1 < loopTo[piece] ? piece + 1 : loopFrom[piece];
    if (inwardX[piece] * inwardX[next] + inwardY[piece] * inwardY[next] < SMOOTH_COSINE) return false;
    seen += Math.hypot(x1[piece] - x0[piece], y1[piece] - y0[piece]);
    piece = next;
  }
  return true;
}

/** Places half a width inwards of the outline, from one sample's edge on one side to the other's. */
function alongside(
  a: Sample,
  b: Sample,
  useLeft: boolean,
  way: number,
  width: number,
  edge: RegionEdge,
): readonly number[] {
  const points: number[] = [];
  const { x0, y0, x1, y1, inwardX, inwardY, loopFrom, loopTo } = edge;
  let piece = useLeft ? a.left : b.right;
  let part = useLeft ? a.leftPart : b.rightPart;
  let before = 0;
  for (let next = SPACING_PX; next < way - SPACING_PX / 2; ) {
    const length = Math.hypot(x1[piece] - x0[piece], y1[piece] - y0[piece]);
    const ahead = before + (1 - part) * length;
    if (ahead < next) {
      before = ahead;
      part = 0;
      piece = piece + 1 < loopTo[piece] ? piece + 1 : loopFrom[piece];
      continue;
    }
    const t = part + (next - before) / length;
    const x = x0[piece] + (x1[piece] - x0[piece]) * t + (inwardX[piece] * width) / 2;
    const y = y0[piece] + (y1[piece] - y0[piece]) * t + (inwardY[piece] * width) / 2;
    points.push(x, y);
    next += SPACING_PX;
  }
  if (useLeft) return points;
  const turned: number[] = [];
  for (let k = points.length - 2; k >= 0; k -= 2) turned.push(points[k], points[k + 1]);
  return turned;
}
