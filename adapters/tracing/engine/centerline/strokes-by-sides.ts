import type { DepthField } from './depth-field.js';
import { type Stroke, type Tip, tipAt } from './join-branches.js';
import { PieceJoints } from './join-pieces.js';
import { type LinePiece, piecesOf } from './line-pieces.js';
import type { OpenEnd } from './piece-end.js';
import type { RegionEdge } from './region-edge.js';
import { lengthOf, sidesOf } from './side-runs.js';

/**
 * The lines of a region that are all of one width: half a width inwards of its outline, wherever that is, runs the middle of one of them.
 * So wide lines are told where their skeleton is not theirs: at sharp corners, where many cross, and where one runs into another.
 */
export function strokesBySides(depths: DepthField, edge: RegionEdge, width: number | undefined): Stroke[] | undefined {
  if (width === undefined || width < LEAST_WIDTH_PX) return undefined;
  let pieces = piecesOf(sidesOf(edge, depths, width), width);
  if (pieces.length === 0) return undefined;
  let joints = new PieceJoints(pieces, width, depths);
  const kept = pieces.filter((piece, k) => lengthOf(piece) >= SHORT_WIDTHS * width || joints.isHeld(k));
  if (kept.length < pieces.length && kept.length > 0) {
    pieces = kept;
    joints = new PieceJoints(pieces, width, depths);
  }
  return drawn(pieces, joints, width, edge);
}

/** What is shorter, and neither ends nor goes on straight, is the rounding of a corner between two lines. */
const SHORT_WIDTHS = 0.35;
/** Of thinner lines the outline is not known well enough. */
const LEAST_WIDTH_PX = 3;

function drawn(pieces: readonly LinePiece[], joints: PieceJoints, width: number, edge: RegionEdge): Stroke[] {
  const endsOf = new Map<number, [OpenEnd, OpenEnd]>();
  for (let k = 0; k < joints.ends.length; k += 2)
    endsOf.set(joints.ends[k].piece, [joints.ends[k], joints.ends[k + 1]]);
  const strokes: Stroke[] = [];
  const done = new Set<number>();
  const walk = (first: OpenEnd | undefined, number: number, closed: boolean) => {
    const points: number[] = [];
    const corners: number[] = [];
    const start = first === undefined ? undefined : joints.of(first);
    if (start !== undefined && start.to === undefined) {
      for (let k = start.via.length - 2; k >= 0; k -= 2) points.push(start.via[k], start.via[k + 1]);
    }
    let out: OpenEnd | undefined;
    let end = start === undefined || start.to === undefined ? undefined : start;
    for (let at = number, from = first; ; ) {
      done.add(at);
      const { x, y, corner } = pieces[at];
      const backwards = from !== undefined && !from.atStart;
      const skips = endsOf.get(at);
      const [head, tail] = skips === undefined ? [0, 0] : [skips[0].skip, skips[1].skip];
      for (let k = backwards ? tail : head; k < x.length - (backwards ? head : tail); k++) {
        const i = backwards ? x.length - 1 - k : k;
        if (corner[i] === 1) corners.push(points.length / 2);
        points.push(x[i], y[i]);
      }
      if (from === undefined) break;
      const [a, b] = endsOf.get(at) as [OpenEnd, OpenEnd];
      out = from.atStart ? b : a;
      end = joints.of(out);
      if (end === undefined) break;
      if (end.corner >= 0) corners.push(points.length / 2 + end.corner);
      points.push(...end.via);
      if (end.to === undefined || done.has(end.to.piece)) break;
      from = end.to;
      at = end.to.piece;
    }
    const place = (of: OpenEnd | undefined) =>
      of !== undefined && !closed && joints.of(of) === undefined ? tipOf(of, width, edge) : undefined;
    strokes.push({
      width,
      closed,
      points,
      corners,
      start: place(first),
      end: place(out),
      tips: tipsOf(points, corners, closed, width, edge),
    });
  };
  for (const [k, piece] of pieces.entries()) if (piece.closed) walk(undefined, k, true);
  for (const end of joints.ends) {
    if (!done.has(end.piece) && joints.of(end)?.to === undefined) walk(end, end.piece, false);
  }
  for (const end of joints.ends) if (!done.has(end.piece)) walk(end, end.piece, true);
  return strokes;
}

/** The end of a line, told from half a width before it where its outline runs around it. */
function tipOf({ x, y, ux, uy, kind }: OpenEnd, width: number, edge: RegionEdge): Tip {
  const back = kind === 'tip' ? width / 4 : 0;
  return tipAt({ x: x - ux * back, y: y - uy * back, ux, uy }, width, edge);
}

/** How far the outline stands out at each corner, and would if they were pointed, in half widths. */
function tipsOf(
  points: readonly number[],
  corners: readonly number[],
  closed: boolean,
  width: number,
  edge: RegionEdge,
) {
  const tips: { reach: number; pointed: number }[] = [];
  const count = points.length / 2;
  const far = Math.max(2, Math.round(width / 2));
  for (const k of corners) {
    const [x, y] = [points[k * 2], points[k * 2 + 1]];
    const a = closed ? (k - far + count) % count : Math.max(0, k - far);
    const b = closed ? (k + far) % count : Math.min(count - 1, k + far);
    let [ax, ay] = [x - points[a * 2], y - points[a * 2 + 1]];
    let [bx, by] = [points[b * 2] - x, points[b * 2 + 1] - y];
    const [p, q] = [Math.hypot(ax, ay) || 1, Math.hypot(bx, by) || 1];
    [ax, ay, bx, by] = [ax / p, ay / p, bx / q, by / q];
    const halfCosine = Math.sqrt(Math.max(0, (1 + ax * bx + ay * by) / 2));
    const [ox, oy] = [ax - bx, ay - by];
    const norm = Math.hypot(ox, oy);
    if (norm < 0.3) continue;
    const reach = edge.end(x, y, ox / norm, oy / norm, 4 * width + 2) / (width / 2);
    tips.push({ reach, pointed: 1 / Math.max(0.1, halfCosine) });
  }
  return tips;
}
