import type { RegionEdge } from './region-edge.js';
import type { RegionMask } from './region-mask.js';
import type { Branch } from './skeleton-graph.js';

/** A place on the middle of a line: halfway between its two edges, which are told by their pieces of the outline. */
export interface Sample {
  readonly x: number;
  readonly y: number;
  /** Unit direction the line runs in. */
  readonly ux: number;
  readonly uy: number;
  readonly width: number;
  readonly left: number;
  readonly leftPart: number;
  readonly right: number;
  readonly rightPart: number;
}

/** A branch of the skeleton as a line: stretches where both edges run along it, between them corners and crossings. */
export interface MeasuredBranch {
  readonly branch: Branch;
  readonly runs: readonly (readonly Sample[])[];
  /** Before each run but the first, the skeleton between it and the one before: x, y in turn. */
  readonly gaps: readonly (readonly number[])[];
  /** The skeleton between the branch's first node and its first run, and between its last run and last node, as in `gaps`. */
  readonly lead: readonly number[];
  readonly trail: readonly number[];
  readonly width: number;
}

/** Both edges of a line run along it to this cosine. */
const SQUARE = 0.955;
const ROUGHLY_SQUARE = 0.75;
/** How far the width of one line may be off its median: by this share, or so many px. */
const WIDTH_SHARE = 0.15;
const WIDTH_PX = 0.4;
/** Of the places where edges run along, the share that must be of one width for it to be a line. */
const LEAST_EVEN = 0.6;
/** Lines of fewer widths are short; of those, so much must be even. */
const SHORT_WIDTHS = 2.5;
const SHORT_EVEN = 0.5;
/** Where a stretch ends in a crossing or corner, the edges begin to turn before it shows: so much is left out, px and share of the width. */
const TRIMMED_PX = 1;
const TRIMMED_SHARE = 0.03;
/** Pixels left out between two places of one stretch. */
const LONGEST_HOLE = 3;
/** Where one edge of a line is followed alone, it stays at half the width by so many px, and this share of it, and turns by less than this. */
const ONE_EDGE_PX = 0.15;
const ONE_EDGE_SHARE = 0.01;
const ONE_EDGE_COSINE = 0.985;
const MOST_FOLLOWED = 3;
/** Branches of fewer pixels have no direction of their own. */
const LEAST_PIXELS = 4;

/** Measures a branch between the edges of its region; undefined where it is no line of one width. */
export function measureBranch(
  branch: Branch,
  mask: RegionMask,
  distances: Float32Array,
  edge: RegionEdge,
): MeasuredBranch | undefined {
  const { pixels, closed } = branch;
  const count = pixels.length;
  const isolated = branch.startNode < 0 && branch.endNode < 0;
  const axis = isolated && count < LEAST_PIXELS ? mainAxis(mask) : undefined;
  const places: (Sample | undefined)[] = [];
  const widths: number[] = [];
  const at = (k: number) => pixels[closed ? ((k % count) + count) % count : Math.max(0, Math.min(count - 1, k))];
  const xOf = (i: number) => (i % mask.width) + 0.5 + mask.left;
  const yOf = (i: number) => Math.floor(i / mask.width) + 0.5 + mask.top;
  for (let k = 0; k < count; k++) {
    const reach = Math.max(2, Math.min(6, Math.round(distances[pixels[k]] * 0.8)));
    const before = at(k - reach);
    const after = at(k + reach);
    let ux = axis?.x ?? xOf(after) - xOf(before);
    let uy = axis?.y ?? yOf(after) - yOf(before);
    const norm = Math.hypot(ux, uy) || 1;
    ux /= norm;
    uy /= norm;
    const x = xOf(pixels[k]);
    const y = yOf(pixels[k]);
    const far = 3 * distances[pixels[k]] + 3;
    const place = measureAt(x, y, ux, uy, far, edge);
    places.push(place);
    if (place !== undefined) widths.push(place.width);
  }
  if (widths.length === 0) return undefined;
  const width = widths.sort((a, b) => a - b)[widths.length >> 1];
  const isEven = (place: Sample) => Math.abs(place.width - width) <= Math.max(WIDTH_SHARE * width, WIDTH_PX);
  let even = 0;
  const runs: Sample[][] = [];
  const spans: [from: number, to: number][] = [];
  let run: Sample[] = [];
  let first = 0;
  let last = -Infinity;
  for (let k = 0; k < count; k++) {
    const place = places[k];
    if (place === undefined || !isEven(place)) continue;
    even++;
    const before = run[run.length - 1];
    if (before !== undefined) {
      const ahead = (place.x - before.x) * before.ux + (place.y - before.y) * before.uy;
      if (k - last <= LONGEST_HOLE && ahead < 0.3) continue;
      if (k - last > LONGEST_HOLE || ahead > LONGEST_HOLE + 1.5) {
        runs.push(run);
        spans.push([first, last]);
        run = [];
      }
    }
    if (run.length === 0) first = k;
    run.push(place);
    last = k;
  }
  if (run.length > 0) {
    runs.push(run);
    spans.push([first, last]);
  }
  if (even < LEAST_EVEN * widths.length || runs.length === 0) return undefined;
  // A short line has no room for bends: its edges run along all of it.
  const isShort = isolated && !closed && even < SHORT_WIDTHS * width;
  if (isShort && even < SHORT_EVEN * count) return undefined;
  // A place or two between two gaps are chance, where there is anything longer.
  const longest = runs.reduce((most, { length }) => Math.max(most, length), 0);
  const isKept = (k: number) => runs[k].length >= Math.min(3, longest);
  const kept = runs.filter((_, k) => isKept(k));
  const keptSpans = spans.filter((_, k) => isKept(k));
  const between = (from: number, to: number) => {
    const gap: number[] = [];
    for (let i = from; i < to; i++) gap.push(xOf(pixels[i]), yOf(pixels[i]));
    return gap;
  };
  const gaps = keptSpans.map(([from], k) => (k > 0 ? between(keptSpans[k - 1][1] + 1, from) : []));
  const lead = between(0, keptSpans[0][0]);
  const trail = between(keptSpans[keptSpans.length - 1][1] + 1, count);
  const trim = Math.round(TRIMMED_PX + TRIMMED_SHARE * width);
  for (let k = 0; k < kept.length; k++) {
    const run = kept[k];
    const most = Math.floor((run.length - LEAST_PIXELS) / 2);
    const cut = Math.max(0, Math.min(trim, most));
    const isFirst = k === 0 && branch.startNode < 0;
    const isLast = k === kept.length - 1 && branch.endNode < 0;
    if (!isLast && !(closed && kept.length === 1)) run.length -= cut;
    if (!isFirst && !(closed && kept.length === 1)) run.splice(0, cut);
  }
  const tip = (i: number) => ({ x: xOf(i), y: yOf(i) });
  if (!closed && branch.endNode < 0) march(kept[kept.length - 1], 1, width, edge);
  else if (!closed) followEdge(kept[kept.length - 1], 1, width, tip(pixels[count - 1]), edge);
  if (!closed && branch.startNode < 0) march(kept[0], -1, width, edge);
  else if (!closed) followEdge(kept[0], -1, width, tip(pixels[0]), edge);
  return {
    branch,
    runs: kept,
    gaps,
    lead: beyond(lead, kept[0][0], -1),
    trail: beyond(trail, kept[kept.length - 1][kept[kept.length - 1].length - 1], 1),
    width,
  };
}

/** Of the skeleton (x, y in turn) what lies ahead of a sample. */
function beyond(points: readonly number[], { x, y, ux, uy }: Sample, sign: 1 | -1): readonly number[] {
  const ahead: number[] = [];
  for (let k = 0; k < points.length; k += 2) {
    if (sign * ((points[k] - x) * ux + (points[k + 1] - y) * uy) > 0) ahead.push(points[k], points[k + 1]);
  }
  return ahead;
}

/** The middle near (x, y) of a line that runs about in direction (ux, uy); undefined where its edges do not both run along. */
function measureAt(x: number, y: number, ux: number, uy: number, far: number, edge: RegionEdge): Sample | undefined {
  const { found } = edge;
  if (!edge.cross(x, y, uy, -ux, far) || found.square < ROUGHLY_SQUARE) return undefined;
  const shift = (found.enter + found.leave) / 2;
  const mx = x + uy * shift;
  const my = y - ux * shift;
  const vx = found.alongX;
  const vy = found.alongY;
  if (!edge.cross(mx, my, vy, -vx, far) || found.square < SQUARE) return undefined;
  // Both edges must be met squarely by the line across.
  if (found.alongX * vx + found.alongY * vy < SQUARE) return undefined;
  const again = (found.enter + found.leave) / 2;
  return {
    x: mx + vy * again,
    y: my - vx * again,
    ux: found.alongX,
    uy: found.alongY,
    width: found.leave - found.enter,
    left: found.leaveAt,
    leftPart: found.leavePart,
    right: found.enterAt,
    rightPart: found.enterPart,
  };
}

/** Follows a line on to where its edges end: the skeleton stops half a width before. */
function march(run: Sample[], sign: 1 | -1, width: number, edge: RegionEdge): void {
  for (let steps = Math.ceil(1.5 * width) + 2; steps > 0; steps--) {
    const last = sign > 0 ? run[run.length - 1] : run[0];
    const x = last.x + sign * last.ux;
    const y = last.y + sign * last.uy;
    const next = measureAt(x, y, last.ux, last.uy, width + 2, edge);
    if (next === undefined || Math.abs(next.width - width) > Math.max(WIDTH_SHARE * width, WIDTH_PX) / 2) return;
    const ahead = sign * ((next.x - last.x) * last.ux + (next.y - last.y) * last.uy);
    if (ahead < 0.3 || Math.hypot(next.x - x, next.y - y) > 0.3 + width * 0.05) return;
    if (sign > 0) run.push(next);
    else run.unshift(next);
  }
}

/**
 * Follows a line on into a crossing as far as at least one of its edges goes on: its middle is half a width beside that. Up to where the
 * skeleton ends, which is where the other line's part begins.
 */
function followEdge(
  run: Sample[],
  sign: 1 | -1,
  width: number,
  end: { readonly x: number; readonly y: number },
  edge: RegionEdge,
): void {
  const { found, inwardX, inwardY } = edge;
  const half = width / 2;
  const slack = ONE_EDGE_PX + ONE_EDGE_SHARE * width;
  const added: Sample[] = [];
  let last = sign > 0 ? run[run.length - 1] : run[0];
  for (let steps = Math.ceil(MOST_FOLLOWED * width); steps > 0; steps--) {
    const { ux, uy } = last;
    if (sign * ((end.x - last.x) * ux + (end.y - last.y) * uy) < 1) break;
    const x = last.x + sign * ux;
    const y = last.y + sign * uy;
    let next: Sample | undefined;
    let off = slack;
    for (const side of [1, -1] as const) {
      const away = edge.end(x, y, side * uy, -side * ux, half + slack + 1);
      if (Math.abs(away - half) > off || found.leave === Infinity) continue;
      const piece = found.leaveAt;
      const nx = inwardX[piece];
      const ny = inwardY[piece];
      // With the edge on the left, the line runs to the right of its inward normal, turned back.
      const vx = side * ny;
      const vy = -side * nx;
      if (vx * ux + vy * uy < ONE_EDGE_COSINE) continue;
      off = Math.abs(away - half);
      const at = { x: x + side * uy * away + nx * half, y: y - side * ux * away + ny * half, ux: vx, uy: vy };
      next =
        side === 1
          ? { ...last, ...at, left: piece, leftPart: found.leavePart }
          : { ...last, ...at, right: piece, rightPart: found.leavePart };
    }
    if (next === undefined) break;
    added.push(next);
    last = next;
  }
  // The edge begins to turn before it shows.
  for (let k = 0; k < added.length - TRIMMED_PX; k++) {
    if (sign > 0) run.push(added[k]);
    else run.unshift(added[k]);
  }
}

/** The direction in which a region is longest. */
function mainAxis({ inside, width, height }: RegionMask): { readonly x: number; readonly y: number } {
  let n = 0;
  let sx = 0;
  let sy = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (inside[i] === 0) continue;
      n++;
      sx += x;
      sy += y;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
  const angle = Math.atan2(2 * (xy - (sx * sy) / n), xx - (sx * sx) / n - yy + (sy * sy) / n) / 2;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/** A line walked the other way. */
export function reversedLine({ branch, runs, gaps, lead, trail, width }: MeasuredBranch): MeasuredBranch {
  const back = (gap: readonly number[]) => {
    const points: number[] = [];
    for (let k = gap.length - 2; k >= 0; k -= 2) points.push(gap[k], gap[k + 1]);
    return points;
  };
  return {
    branch,
    runs: runs.map((run) => run.map(turned).reverse()).reverse(),
    gaps: gaps.map((_, k) => (k === 0 ? [] : back(gaps[gaps.length - k]))),
    lead: back(trail),
    trail: back(lead),
    width,
  };
}

/** A place on a line that is walked the other way. */
export function turned(sample: Sample): Sample {
  const { ux, uy, left, leftPart, right, rightPart } = sample;
  return { ...sample, ux: -ux, uy: -uy, left: right, leftPart: rightPart, right: left, rightPart: leftPart };
}
