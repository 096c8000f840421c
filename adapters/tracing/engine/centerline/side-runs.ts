import type { DepthField } from './depth-field.js';
import type { RegionEdge } from './region-edge.js';

/** Places half a width inwards of one stretch of an outline: the middle of the line whose side it is, a px or so apart. */
export interface SideRun {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** 1 where the line has a corner: its outline runs around that place. */
  readonly corner: readonly number[];
  readonly closed: boolean;
  /** Whether the outline runs on around the first or last place, by half a turn or nearly: a round end or a sharp point. */
  readonly startsAtTip: boolean;
  readonly endsAtTip: boolean;
}

/** Sides of lines face each other to this cosine, and so much of the outline must show the same width. */
const FACING_COSINE = 0.985;
const LEAST_SHOWN = 0.25;
/** Widths within this share, and so many px, are one. */
const SAME_SHARE = 0.05;
const SAME_PX = 0.2;
/** An outline that turns into the region on less than this radius, px or share of the width, is where two lines meet. */
const CROTCH_PX = 1.2;
const CROTCH_SHARE = 0.08;
const CROTCH_TURN = 0.08;
/** A turn is a corner of the outline where it is so many times those around it. */
const ALONE = 3;
const CONVEX_CORNER = 0.2;
/** Places that stay together to this share of the width, or so many px, while the outline turns by this, are one. */
const DWELL_SHARE = 0.02;
const DWELL_PX = 0.35;
const DWELL_TURN = 0.35;
/** From so much of a turn on, what follows may be the other side of the same line. */
const TIP_TURN = 2.5;
/** An outline that turns by less around a place is no round end. */
const STUB_TURN = 1.9;
const STUB_SLACK = 2.5;
/** A round end is that of a run that comes so near, px and share of the width. */
const SEEN_PX = 1;
const SEEN_SHARE = 0.08;
const SPACING_PX = 1;
const LEAST_LENGTH_PX = 2;
const LEAST_LENGTH_SHARE = 0.08;

/** The width, px, that the sides of a region are mostly apart; undefined where there is no such. */
export function evenWidth(edge: RegionEdge, widest: number): number | undefined {
  const { pieces, x0, y0, x1, y1, inwardX, inwardY, found } = edge;
  const widths: number[] = [];
  const lengths: number[] = [];
  let total = 0;
  for (let k = 0; k < pieces; k++) {
    const length = Math.hypot(x1[k] - x0[k], y1[k] - y0[k]);
    total += length;
    if ((k & 1) === 1) continue;
    const [nx, ny] = [inwardX[k], inwardY[k]];
    const width = edge.end((x0[k] + x1[k]) / 2, (y0[k] + y1[k]) / 2, nx, ny, widest + 1);
    if (width > widest || found.leave === Infinity) continue;
    if (-(nx * inwardX[found.leaveAt] + ny * inwardY[found.leaveAt]) < FACING_COSINE) continue;
    widths.push(width);
    lengths.push(2 * length);
  }
  const order = widths.map((_, k) => k).sort((a, b) => widths[a] - widths[b] || a - b);
  let best = 0;
  let mean = 0;
  let shown = 0;
  let weighted = 0;
  for (let from = 0, to = 0; from < order.length; from++) {
    const first = widths[order[from]];
    for (; to < order.length && widths[order[to]] <= first * (1 + SAME_SHARE) + SAME_PX; to++) {
      shown += lengths[order[to]];
      weighted += lengths[order[to]] * widths[order[to]];
    }
    if (shown > best) {
      best = shown;
      mean = weighted / shown;
    }
    shown -= lengths[order[from]];
    weighted -= lengths[order[from]] * first;
  }
  return best >= LEAST_SHOWN * total ? mean : undefined;
}

/** A place that the outline runs around, and the direction, of unit length, in which it does. */
export interface Turning {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
}

/** The middles of lines of one width, as either side of each shows them. */
export interface Sides {
  readonly runs: readonly SideRun[];
  /** Round ends that stand out of other lines by so little that they show no sides. */
  readonly stubs: readonly Turning[];
}

export function sidesOf(edge: RegionEdge, depths: DepthField, width: number): Sides {
  const runs: SideRun[] = [];
  const turnings: Turning[] = [];
  for (let from = 0; from < edge.pieces; from = edge.loopTo[from])
    runsOfLoop(edge, from, depths, width, runs, turnings);
  const least = Math.max(LEAST_LENGTH_PX, LEAST_LENGTH_SHARE * width);
  const long = runs.filter((run) => lengthOf(run) >= least);
  const near = SEEN_PX + SEEN_SHARE * width;
  const isSeen = (px: number, py: number) =>
    long.some(({ x, y }) => x.some((_, k) => Math.abs(x[k] - px) < near && Math.abs(y[k] - py) < near));
  const stubs = turnings.filter(({ x, y }) => !isSeen(x, y));
  return { runs: long.map((run) => toTips(run, turnings, near)), stubs };
}

/** A run that stops just before its round end goes on to it. */
function toTips(run: SideRun, turnings: readonly Turning[], near: number): SideRun {
  const last = run.x.length - 1;
  const tipAt = (k: number) => turnings.find(({ x, y }) => Math.hypot(x - run.x[k], y - run.y[k]) < near);
  const start = run.closed || run.startsAtTip ? undefined : tipAt(0);
  const end = run.closed || run.endsAtTip ? undefined : tipAt(last);
  if (start === undefined && end === undefined) return run;
  const wrap = (values: readonly number[], first: number | undefined, final: number | undefined) => [
    ...(first === undefined ? [] : [first]),
    ...values.slice(first === undefined ? 0 : 1, final === undefined ? undefined : -1),
    ...(final === undefined ? [] : [final]),
  ];
  return {
    x: wrap(run.x, start?.x, end?.x),
    y: wrap(run.y, start?.y, end?.y),
    corner: wrap(run.corner, start && 0, end && 0),
    closed: false,
    startsAtTip: run.startsAtTip || start !== undefined,
    endsAtTip: run.endsAtTip || end !== undefined,
  };
}

export function lengthOf({ x, y }: Pick<SideRun, 'x' | 'y'>): number {
  let length = 0;
  for (let k = 1; k < x.length; k++) length += Math.hypot(x[k] - x[k - 1], y[k] - y[k - 1]);
  return length;
}

function runsOfLoop(
  edge: RegionEdge,
  from: number,
  depths: DepthField,
  width: number,
  runs: SideRun[],
  turnings: Turning[],
): void {
  const { x0, y0, x1, y1, inwardX, inwardY } = edge;
  const size = edge.loopTo[from] - from;
  const half = width / 2;
  const x = new Float64Array(size);
  const y = new Float64Array(size);
  const turn = new Float64Array(size);
  const length = new Float64Array(size);
  /** Bit 1: is no middle of a line; bit 2: the line ends after it. */
  const flags = new Uint8Array(size);
  for (let k = 0; k < size; k++) {
    const piece = from + k;
    const next = from + ((k + 1) % size);
    x[k] = (x0[piece] + x1[piece]) / 2 + inwardX[piece] * half;
    y[k] = (y0[piece] + y1[piece]) / 2 + inwardY[piece] * half;
    length[k] = Math.hypot(x1[piece] - x0[piece], y1[piece] - y0[piece]);
    turn[k] = Math.atan2(
      inwardX[piece] * inwardY[next] - inwardY[piece] * inwardX[next],
      inwardX[piece] * inwardX[next] + inwardY[piece] * inwardY[next],
    );
    if (!depths.holds(x[k], y[k], half)) flags[k] = 1;
  }
  // Around a round end an outline of few pieces turns as much at once.
  const staysAt = (k: number) =>
    Math.hypot(x[(k + 1) % size] - x[k], y[(k + 1) % size] - y[k]) <
    STUB_SLACK * Math.max(DWELL_PX, DWELL_SHARE * width);
  const tightest = 1 / Math.max(CROTCH_PX, CROTCH_SHARE * width);
  for (let k = 0; k < size; k++) {
    const size_ = Math.abs(turn[k]);
    const around = Math.max(Math.abs(turn[(k + size - 1) % size]), Math.abs(turn[(k + 1) % size]));
    const alone = size_ > ALONE * around;
    if (turn[k] > 0 ? alone && size_ > CONVEX_CORNER && !staysAt(k) : size_ > CROTCH_TURN) {
      const bend = (2 * size_) / (length[k] + length[(k + 1) % size]);
      if (alone || (turn[k] < 0 && bend > tightest)) flags[k] |= 2;
    }
  }
  let first = 0;
  while (first < size && flags[first] === 0) first++;
  const closed = first === size;
  const begin = closed ? 0 : first + 1;
  let members: number[] = [];
  const finish = () => {
    if (members.length > 1) {
      splitAtTips(members, x, y, turn, width, closed, runs);
      findStubs(members, x, y, turn, width, edge, from, turnings);
    }
    members = [];
  };
  for (let n = 0; n < size; n++) {
    const k = (begin + n) % size;
    if ((flags[k] & 1) === 1) {
      finish();
      continue;
    }
    members.push(k);
    if ((flags[k] & 2) === 2) finish();
  }
  finish();
}

/** Makes one place of each stretch that the outline only runs around, and ends a run where the other side of its line may follow. */
function splitAtTips(
  members: readonly number[],
  x: Float64Array,
  y: Float64Array,
  turn: Float64Array,
  width: number,
  closed: boolean,
  runs: SideRun[],
): void {
  const slack = Math.max(DWELL_PX, DWELL_SHARE * width);
  let xs: number[] = [];
  let ys: number[] = [];
  let corner: number[] = [];
  let startsAtTip = false;
  const firstRun = runs.length;
  const finish = (endsAtTip: boolean, whole: boolean) => {
    runs.push({ ...spaced(xs, ys, corner, whole), closed: whole, startsAtTip, endsAtTip });
  };
  // A closed run begins where it does not turn.
  let rotated = members;
  if (closed) {
    let calm = 0;
    let most = Infinity;
    for (let k = 0; k < members.length; k++) {
      let sum = 0;
      for (let d = -3; d < 3; d++) sum += Math.abs(turn[members[(k + d + members.length) % members.length]]);
      if (sum >= most) continue;
      most = sum;
      calm = k;
    }
    rotated = [...members.slice(calm), ...members.slice(0, calm)];
  }
  for (let k = 0; k < rotated.length; ) {
    // Round ends are known less nearly than corners, and most of a turn is no corner.
    let stay = stayAt(rotated, k, x, y, turn, STUB_SLACK * slack);
    if (stay.sum <= TIP_TURN) stay = stayAt(rotated, k, x, y, turn, slack);
    const { sum } = stay;
    let { to } = stay;
    if (sum < DWELL_TURN) {
      xs.push(x[rotated[k]]);
      ys.push(y[rotated[k]]);
      corner.push(0);
      k++;
      continue;
    }
    const [cx, cy] = [stay.x, stay.y];
    const isNear = (px: number, py: number) => Math.hypot(px - cx, py - cy) < SPACING_PX;
    while (xs.length > 1 && corner[xs.length - 1] === 0 && isNear(xs[xs.length - 1], ys[xs.length - 1])) {
      xs.pop();
      ys.pop();
      corner.pop();
    }
    while (to + 2 < rotated.length && isNear(x[rotated[to + 1]], y[rotated[to + 1]])) to++;
    xs.push(cx);
    ys.push(cy);
    corner.push(sum > TIP_TURN ? 0 : 1);
    if (sum > TIP_TURN) {
      finish(true, false);
      xs = [cx];
      ys = [cy];
      corner = [0];
      startsAtTip = true;
    }
    k = to + 1;
  }
  if (!closed) finish(false, false);
  else if (runs.length === firstRun && !startsAtTip) finish(false, true);
  else if (runs.length > firstRun) {
    // What lies before the first tip and after the last is one run.
    const head = runs[firstRun];
    runs.splice(firstRun, 1);
    xs.push(...head.x);
    ys.push(...head.y);
    corner.push(...head.corner);
    finish(true, false);
  }
}

/** How far from place `k` on an outline only runs around one place: the last place that does, by how much it turns, and that place. */
function stayAt(
  members: readonly number[],
  k: number,
  x: Float64Array,
  y: Float64Array,
  turn: Float64Array,
  slack: number,
): { readonly to: number; readonly sum: number; readonly x: number; readonly y: number } {
  let to = k;
  let sum = 0;
  let sx = 0;
  let sy = 0;
  for (; to + 1 < members.length; to++) {
    const [a, b, c] = [members[k], members[to], members[to + 1]];
    if (Math.hypot(x[c] - x[a], y[c] - y[a]) > slack) break;
    sum += turn[b];
    sx += (turn[b] * (x[b] + x[c])) / 2;
    sy += (turn[b] * (y[b] + y[c])) / 2;
  }
  return { to, sum, x: sx / (sum || 1), y: sy / (sum || 1) };
}

/** Finds where the outline runs around a place as around a round end, if not quite as nearly as where its sides are seen as well. */
function findStubs(
  members: readonly number[],
  x: Float64Array,
  y: Float64Array,
  turn: Float64Array,
  width: number,
  edge: RegionEdge,
  firstPiece: number,
  turnings: Turning[],
): void {
  const slack = STUB_SLACK * Math.max(DWELL_PX, DWELL_SHARE * width);
  for (let k = 0; k < members.length; ) {
    const { to, sum, x: cx, y: cy } = stayAt(members, k, x, y, turn, slack);
    if (sum < STUB_TURN) {
      k++;
      continue;
    }
    let ux = 0;
    let uy = 0;
    for (let n = k; n < to; n++) {
      ux -= turn[members[n]] * edge.inwardX[firstPiece + members[n]];
      uy -= turn[members[n]] * edge.inwardY[firstPiece + members[n]];
    }
    const norm = Math.hypot(ux, uy) || 1;
    turnings.push({ x: cx, y: cy, ux: ux / norm, uy: uy / norm });
    k = to + 1;
  }
}

/** Puts places between those that are far apart, and leaves out such as are too near. */
function spaced(xs: readonly number[], ys: readonly number[], corners: readonly number[], closed: boolean) {
  const x: number[] = [];
  const y: number[] = [];
  const corner: number[] = [];
  const count = xs.length;
  for (let k = 0; k < count; k++) {
    const isEnd = k === 0 || k === count - 1;
    if (x.length > 0) {
      const [ax, ay] = [x[x.length - 1], y[y.length - 1]];
      const gap = Math.hypot(xs[k] - ax, ys[k] - ay);
      if (gap < SPACING_PX / 2 && corners[k] === 0) {
        if (!isEnd || x.length < 2 || corner[corner.length - 1] === 1) continue;
        x.pop();
        y.pop();
        corner.pop();
      } else if (gap < SPACING_PX / 2 && corner[corner.length - 1] === 0 && x.length > 1) {
        x.pop();
        y.pop();
        corner.pop();
      }
      const steps = Math.ceil(gap / SPACING_PX - 0.2);
      for (let s = 1; s < steps; s++) {
        x.push(ax + ((xs[k] - ax) * s) / steps);
        y.push(ay + ((ys[k] - ay) * s) / steps);
        corner.push(0);
      }
    }
    x.push(xs[k]);
    y.push(ys[k]);
    corner.push(corners[k]);
  }
  if (closed && count > 1) {
    const [ax, ay] = [x[x.length - 1], y[y.length - 1]];
    const gap = Math.hypot(x[0] - ax, y[0] - ay);
    const steps = Math.ceil(gap / SPACING_PX - 0.2);
    for (let s = 1; s < steps; s++) {
      x.push(ax + ((x[0] - ax) * s) / steps);
      y.push(ay + ((y[0] - ay) * s) / steps);
      corner.push(0);
    }
  }
  return { x, y, corner };
}
