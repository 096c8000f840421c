import { type Bridge, bridge } from './bridge.js';
import { type MeasuredBranch, reversedLine, type Sample, turned } from './measure-branch.js';
import type { RegionEdge } from './region-edge.js';
import type { RegionMask } from './region-mask.js';
import { endOf, type RunEnd } from './run-ends.js';
import type { Branch, SkeletonGraph } from './skeleton-graph.js';

/** How a stroke ends where nothing follows: all that is needed to end it round or straight. */
export interface Tip {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
  /** How far the region reaches from there, in the middle and, on average, beside it, px. */
  readonly middle: number;
  readonly beside: number;
}

/** A line found in a region. */
export interface Stroke {
  readonly width: number;
  readonly closed: boolean;
  /** Places along the middle: x, y in turn. */
  readonly points: readonly number[];
  /** Numbers of the places that are corners, ascending. */
  readonly corners: readonly number[];
  /** Undefined where it ends in another line: there its last place is the end. */
  readonly start: Tip | undefined;
  readonly end: Tip | undefined;
  /** For the corners that show it: how far the outline stands out and would if they were pointed, in half widths. */
  readonly tips: readonly { readonly reach: number; readonly pointed: number }[];
}

/** Two branches go on into each other where they turn by less than this, and their widths differ by less than this share. */
const STRAIGHT_ON_COSINE = 0.88;
const LIKE_WIDTH = 0.3;
/** An end meets another line at most so many of the wider one's widths ahead, and px. */
const MEET_WIDTHS = 2;
const MEET_PX = 4;
/** A way that is farther than this share of the width, and px, from the skeleton leads elsewhere. */
const ASTRAY_SHARE = 0.4;
const ASTRAY_PX = 0.7;
/** A line may bend by so much in a crossing, if its outer edge shows it. */
const BENT_ON_COSINE = -0.4;
/** Of three ends of which none go straight on, two make a corner whose tip is round to this share of half the width. */
const ROUND_TIP = 0.2;
/** Across a butt or round end, where its reach is measured beside the middle, as a share of half the width. */
const BESIDE = 0.7;

interface End {
  readonly of: MeasuredBranch;
  readonly atStart: boolean;
  readonly sample: Sample;
  readonly end: RunEnd;
  /** -1 where it leads to nothing. */
  readonly zone: number;
  partner: End | undefined;
}

interface Draft {
  readonly width: number;
  readonly closed: boolean;
  readonly points: number[];
  readonly corners: number[];
  readonly tips: { reach: number; pointed: number }[];
  readonly first: End | undefined;
  readonly last: End | undefined;
  readonly zones: Set<number>;
}

/** Joins the measured branches of a region into strokes: those that go on into each other, through crossings and around corners. */
export function joinBranches(
  graph: SkeletonGraph,
  mask: RegionMask,
  measured: ReadonlyMap<Branch, MeasuredBranch>,
  edge: RegionEdge,
): Stroke[] {
  const zoneOf = zonesOf(graph, measured);
  const ends = new Map<MeasuredBranch, [End, End]>();
  const byZone = new Map<number, End[]>();
  for (const of of measured.values()) {
    const make = (atStart: boolean): End => {
      const run = of.runs[atStart ? 0 : of.runs.length - 1];
      const node = atStart ? of.branch.startNode : of.branch.endNode;
      const zone = node < 0 ? -1 : zoneOf[node];
      const sample = run[atStart ? 0 : run.length - 1];
      const end: End = { of, atStart, sample, end: endOf(run, atStart), zone, partner: undefined };
      if (zone >= 0) byZone.set(zone, [...(byZone.get(zone) ?? []), end]);
      return end;
    };
    const both: [End, End] = [make(true), make(false)];
    if (of.branch.closed) {
      both[0].partner = both[1];
      both[1].partner = both[0];
    }
    ends.set(of, both);
  }
  for (const list of byZone.values()) pairUp(list, edge);

  const viaNode = waysThrough(graph, mask, measured);
  const drafts: Draft[] = [];
  const drawn = new Set<MeasuredBranch>();
  const walk = (first: End, closed: boolean) => {
    drafts.push(follow(first, closed, ends, drawn, viaNode, edge));
  };
  for (const both of ends.values()) {
    for (const end of both) if (end.partner === undefined && !drawn.has(end.of)) walk(end, false);
  }
  for (const both of ends.values()) if (!drawn.has(both[0].of)) walk(both[0], true);
  return finished(
    drafts,
    edge,
    (x, y) => mask.inside[Math.floor(y - mask.top) * mask.width + Math.floor(x - mask.left)] === 1,
  );
}

/** Per node the way through it: its center, or out to the tip of a corner and back. */
function waysThrough(
  { nodes, branches }: SkeletonGraph,
  { left, top, width }: RegionMask,
  measured: ReadonlyMap<Branch, MeasuredBranch>,
): ReadonlyMap<number, readonly number[]> {
  const ways = new Map<number, readonly number[]>();
  for (const [k, { x, y }] of nodes.entries()) ways.set(k, [x + left, y + top]);
  for (const branch of branches) {
    const { startNode, endNode, pixels } = branch;
    const node = Math.max(startNode, endNode);
    if (measured.has(branch) || node < 0 || Math.min(startNode, endNode) >= 0) continue;
    const out: number[] = [];
    for (const i of pixels) out.push((i % width) + 0.5 + left, Math.floor(i / width) + 0.5 + top);
    const back: number[] = [];
    for (let k = out.length - 2; k >= 0; k -= 2) back.push(out[k], out[k + 1]);
    const center = ways.get(node) as readonly number[];
    ways.set(node, startNode >= 0 ? [...center, ...out, ...back, ...center] : [...center, ...back, ...out, ...center]);
  }
  return ways;
}

/** Nodes whose branches between them are no lines of their own are one place. */
function zonesOf({ nodes, branches }: SkeletonGraph, measured: ReadonlyMap<Branch, MeasuredBranch>): Int32Array {
  const zones = Int32Array.from(nodes, (_, k) => k);
  const find = (k: number): number => {
    while (zones[k] !== k) {
      zones[k] = zones[zones[k]];
      k = zones[k];
    }
    return k;
  };
  for (const branch of branches) {
    if (branch.startNode < 0 || branch.endNode < 0 || measured.has(branch)) continue;
    zones[find(branch.startNode)] = find(branch.endNode);
  }
  return zones.map((_, k) => find(k));
}

/** Pairs the ends that go on into each other, the straightest first; of two that are alone with each other, in any case. */
function pairUp(list: readonly End[], edge: RegionEdge): void {
  const pairs: { readonly a: End; readonly b: End; readonly cosine: number }[] = [];
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) {
      const a = list[i];
      const b = list[j];
      const wide = Math.max(a.of.width, b.of.width);
      if (Math.abs(a.of.width - b.of.width) > Math.max(LIKE_WIDTH * wide, 0.6)) continue;
      const width = (a.of.width + b.of.width) / 2;
      const cosine = -(a.end.ux * b.end.ux + a.end.uy * b.end.uy);
      const dx = b.end.x - a.end.x;
      const dy = b.end.y - a.end.y;
      const chord = Math.hypot(dx, dy) || 1;
      // Both must also look at each other, and not past.
      const seen = Math.min(a.end.ux * dx + a.end.uy * dy, -(b.end.ux * dx + b.end.uy * dy)) / chord;
      if (cosine < STRAIGHT_ON_COSINE && cosine > BENT_ON_COSINE) {
        const made = bridge(outwards(a), turned(outwards(b)), a.end, b.end, width, edge);
        if (made.corner === undefined && made.between.length > 0) pairs.push({ a, b, cosine });
      }
      if (chord > 1.5 && seen < STRAIGHT_ON_COSINE) continue;
      if (cosine >= STRAIGHT_ON_COSINE) pairs.push({ a, b, cosine: Math.min(cosine, chord > 1.5 ? seen : 1) });
    }
  }
  pairs.sort((p, q) => q.cosine - p.cosine);
  const link = (a: End, b: End) => {
    a.partner = b;
    b.partner = a;
  };
  for (const { a, b } of pairs) if (a.partner === undefined && b.partner === undefined) link(a, b);
  const free = list.filter(({ partner }) => partner === undefined);
  if (free.length === 3 && list.length === 3) {
    let best = ROUND_TIP;
    let corner: readonly [End, End] | undefined;
    for (const [a, b] of [
      [free[0], free[1]],
      [free[0], free[2]],
      [free[1], free[2]],
    ] as const) {
      const made = bridge(outwards(a), turned(outwards(b)), a.end, b.end, (a.of.width + b.of.width) / 2, edge);
      if (made.corner === undefined || Math.abs(made.tip - 1) >= best) continue;
      best = Math.abs(made.tip - 1);
      corner = [a, b];
    }
    if (corner !== undefined) link(...corner);
  }
  if (list.some(({ partner }) => partner !== undefined) || list.length < 2) return;
  // Of ends that only meet, two are one line with a corner there, so that no notch stays open between them.
  const [a, b] = straightest(list);
  if (Math.abs(a.of.width - b.of.width) <= Math.max(LIKE_WIDTH * a.of.width, 0.6)) link(a, b);
}

function straightest(list: readonly End[]): readonly [End, End] {
  let best = -Infinity;
  let found: readonly [End, End] = [list[0], list[1]];
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) {
      const cosine = -(list[i].end.ux * list[j].end.ux + list[i].end.uy * list[j].end.uy);
      if (cosine <= best) continue;
      best = cosine;
      found = [list[i], list[j]];
    }
  }
  return found;
}

/** The sample at an end, running out of its line. */
const outwards = ({ sample, atStart }: End): Sample => (atStart ? turned(sample) : sample);

/** Walks from one end on, through partners, until there is none or the walk comes back. */
function follow(
  first: End,
  closed: boolean,
  ends: ReadonlyMap<MeasuredBranch, [End, End]>,
  drawn: Set<MeasuredBranch>,
  viaNode: ReadonlyMap<number, readonly number[]>,
  edge: RegionEdge,
): Draft {
  const links: End[] = [];
  let lengths = 0;
  let weighted = 0;
  let last: End | undefined;
  for (let end = first; ; ) {
    links.push(end);
    drawn.add(end.of);
    const count = end.of.runs.reduce((sum, { length }) => sum + length, 0);
    lengths += count;
    weighted += count * end.of.width;
    const [start, stop] = ends.get(end.of) as [End, End];
    const out = end.atStart ? stop : start;
    const next: End | undefined = out.partner;
    last = out;
    if (next === undefined || drawn.has(next.of)) break;
    end = next;
  }
  const width = weighted / lengths;
  const runs: (readonly Sample[])[] = [];
  const gaps: { readonly seen: readonly number[]; readonly way: readonly number[] }[] = [];
  let trail: readonly number[] = [];
  let node = -1;
  for (const end of links) {
    const line = end.atStart ? end.of : reversedLine(end.of);
    const { startNode, endNode } = end.of.branch;
    runs.push(...line.runs);
    // Through nodes that lie apart the way is not known.
    const known = node >= 0 && node === (end.atStart ? startNode : endNode);
    const seen = known ? [...trail, ...line.lead] : [];
    gaps.push({ seen, way: known ? [...trail, ...(viaNode.get(node) ?? []), ...line.lead] : [] });
    for (const gap of line.gaps.slice(1)) gaps.push({ seen: gap, way: gap });
    trail = line.trail;
    node = end.atStart ? endNode : startNode;
  }
  const points: number[] = [];
  const corners: number[] = [];
  const tips: { reach: number; pointed: number }[] = [];
  const cross = (made: Bridge) => {
    points.push(...made.between);
    if (made.corner === undefined) return;
    corners.push(points.length / 2);
    points.push(made.corner.x, made.corner.y);
    if (made.tip > 0) tips.push({ reach: made.tip, pointed: 1 / Math.max(0.1, made.halfCosine) });
  };
  for (let k = 0; k < runs.length; k++) {
    const run = runs[k];
    if (k > 0) {
      const before = runs[k - 1];
      const made = bridge(before[before.length - 1], run[0], endOf(before, false), endOf(run, true), width, edge);
      cross(alongSkeleton(made, before[before.length - 1], run[0], gaps[k], width) ?? made);
    }
    for (const { x, y } of run) points.push(x, y);
  }
  if (closed) {
    const before = runs[runs.length - 1];
    cross(bridge(before[before.length - 1], runs[0][0], endOf(before, false), endOf(runs[0], true), width, edge));
  }
  const zones = new Set<number>();
  for (const { of } of links) for (const end of ends.get(of) as [End, End]) if (end.zone >= 0) zones.add(end.zone);
  return {
    width,
    closed,
    points,
    corners,
    tips,
    first: closed ? undefined : first,
    last: closed ? undefined : last,
    zones,
  };
}

/** Where a bridge leaves the skeleton far aside, there is more than one turn, and the skeleton is the better way. */
function alongSkeleton(
  made: Bridge,
  from: Sample,
  to: Sample,
  { seen, way }: { readonly seen: readonly number[]; readonly way: readonly number[] },
  width: number,
): Bridge | undefined {
  const { corner, between } = made;
  const line = [from.x, from.y, ...between, ...(corner === undefined ? [] : [corner.x, corner.y]), to.x, to.y];
  for (let k = 0; k < seen.length; k += 2) {
    let least = Infinity;
    for (let i = 2; i < line.length; i += 2)
      least = Math.min(least, distanceToPiece(seen[k], seen[k + 1], line[i - 2], line[i - 1], line[i], line[i + 1]));
    if (least > ASTRAY_SHARE * width + ASTRAY_PX) return { corner: undefined, tip: 0, halfCosine: 1, between: way };
  }
  return undefined;
}

function distanceToPiece(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const lengthSq = dx * dx + dy * dy;
  const t = lengthSq > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / lengthSq)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** Leads every end to where it meets another line, or says how it ends. */
function finished(drafts: readonly Draft[], edge: RegionEdge, isInside: (x: number, y: number) => boolean): Stroke[] {
  const throughZone = new Map<number, Draft[]>();
  const endsIn = new Map<number, End[]>();
  for (const draft of drafts) {
    for (const zone of draft.zones) throughZone.set(zone, [...(throughZone.get(zone) ?? []), draft]);
    for (const end of [draft.first, draft.last])
      if (end !== undefined && end.zone >= 0) endsIn.set(end.zone, [...(endsIn.get(end.zone) ?? []), end]);
  }
  const common = new Map<number, { x: number; y: number }>();
  for (const [zone, ends] of endsIn) {
    const point = meetingPoint(ends);
    if (point !== undefined) common.set(zone, point);
  }
  return drafts.map((draft) => {
    const points = [...draft.points];
    let corners = draft.corners;
    const place = (end: End | undefined, atStart: boolean): Tip | undefined => {
      if (end === undefined) return undefined;
      const met = end.zone < 0 ? undefined : meet(end, draft, throughZone.get(end.zone) ?? []);
      const point = met ?? (end.zone < 0 ? undefined : common.get(end.zone));
      if (point === undefined || !isInside(point.x, point.y)) return tipAt(end.end, draft.width, edge);
      if (!atStart) points.push(point.x, point.y);
      else {
        points.unshift(point.x, point.y);
        corners = corners.map((k) => k + 1);
      }
      return undefined;
    };
    const end = place(draft.last, false);
    const start = place(draft.first, true);
    return { width: draft.width, closed: draft.closed, points, corners, start, end, tips: draft.tips };
  });
}

/** Where the line ahead of an end meets one that runs through its zone. */
function meet(end: End, own: Draft, others: readonly Draft[]): { x: number; y: number } | undefined {
  const { x, y, ux, uy } = end.end;
  let best = Infinity;
  for (const other of others) {
    // A line that itself only ends here is met at the common point.
    if (other === own || other.first?.zone === end.zone || other.last?.zone === end.zone) continue;
    const far = MEET_WIDTHS * Math.max(own.width, other.width) + MEET_PX;
    const { points, closed } = other;
    const count = points.length / 2;
    for (let k = 0; k < (closed ? count : count - 1); k++) {
      const ax = points[k * 2];
      const ay = points[k * 2 + 1];
      if (Math.abs(ax - x) > far * 2 || Math.abs(ay - y) > far * 2) continue;
      const b = (k + 1) % count;
      const ex = points[b * 2] - ax;
      const ey = points[b * 2 + 1] - ay;
      const cross = ux * ey - uy * ex;
      if (Math.abs(cross) < 1e-9) continue;
      const part = ((ax - x) * uy - (ay - y) * ux) / cross;
      const t = ((ax - x) * ey - (ay - y) * ex) / cross;
      if (part < -0.01 || part > 1.01 || t < -other.width || t > far || t >= best) continue;
      best = t;
    }
  }
  return best === Infinity ? undefined : { x: x + ux * best, y: y + uy * best };
}

/** Where several ends that point at each other meet: nearest to all their lines. */
function meetingPoint(ends: readonly End[]): { x: number; y: number } | undefined {
  if (ends.length < 2) return undefined;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let bx = 0;
  let by = 0;
  let mx = 0;
  let my = 0;
  for (const { end } of ends) {
    const nx = -end.uy;
    const ny = end.ux;
    const d = nx * end.x + ny * end.y;
    xx += nx * nx;
    xy += nx * ny;
    yy += ny * ny;
    bx += nx * d;
    by += ny * d;
    mx += end.x / ends.length;
    my += end.y / ends.length;
  }
  const determinant = xx * yy - xy * xy;
  const widest = ends.reduce((most, { of }) => Math.max(most, of.width), 0);
  const far = MEET_WIDTHS * widest + MEET_PX;
  const spread = ends.reduce((most, { end }) => Math.max(most, Math.hypot(end.x - mx, end.y - my)), 0);
  if (spread > far) return undefined;
  if (determinant < 0.02 * ends.length) return { x: mx, y: my };
  const x = (bx * yy - by * xy) / determinant;
  const y = (by * xx - bx * xy) / determinant;
  return Math.hypot(x - mx, y - my) > far ? { x: mx, y: my } : { x, y };
}

/** How a line of this width ends that runs through (x, y) in a direction. */
export function tipAt({ x, y, ux, uy }: RunEnd, width: number, edge: RegionEdge): Tip {
  const reach = 2 * width + 3;
  const aside = (BESIDE * width) / 2;
  const middle = edge.end(x, y, ux, uy, reach);
  const left = edge.end(x + uy * aside, y - ux * aside, ux, uy, reach);
  const right = edge.end(x - uy * aside, y + ux * aside, ux, uy, reach);
  return { x, y, ux, uy, middle, beside: (left + right) / 2 };
}
