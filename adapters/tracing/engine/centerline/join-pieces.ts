import type { DepthField } from './depth-field.js';
import type { LinePiece } from './line-pieces.js';
import { aimed, type OpenEnd, onCourse, openEnd, STEP_PX, straightened } from './piece-end.js';
import { PlaceGrid } from './place-grid.js';

/** What an end leads to. */
export interface Joint {
  /** The end that the line goes on at; undefined where it ends in another line, or comes to a point with others. */
  readonly to: OpenEnd | undefined;
  /** Places between: x, y in turn, outwards; the last of them is where it ends if nothing follows. */
  readonly via: readonly number[];
  /** Number of the place in `via` that is a corner; -1 for none. */
  readonly corner: number;
  /** Whether the line goes straight on. */
  readonly straight: boolean;
}

/** Ends this near to each other, px and share of the width, are one place. */
const TOUCH_PX = 1;
const TOUCH_SHARE = 0.06;
/** Ends go on into each other over a gap of so many widths and px, where each leads to the other to so many px and share of the gap. */
const FARTHEST_WIDTHS = 4;
const FARTHEST_PX = 6;
const ASIDE_PX = 0.5;
const ASIDE_SHARE = 0.035;
const SHORT_ASIDE_SHARE = 0.12;
const MOST_TURN = 0.17;
const NEAR_COSINE = 0.85;
/** What a stub costs by how far it is off its direction: this times one minus the cosine. */
const STUB_PRICE = 10;
const FACING_COSINE = 0.8;
/** A line ahead is met from so near, px. */
const MEET_PX = 0.9;
const CELL_PX = 2;
const OWN_WIDTHS = 1.2;
/** Several lines meet where each passes this near to the others' meeting, px and share of the width. */
const MEETING_PX = 1;
const MEETING_SHARE = 0.1;
/** Ends that meet within so many widths make a corner, before any of them meets another line. */
const CORNER_WIDTHS = 0.6;

/** Leads the ends of pieces to each other, to lines that they meet, and to where several come together. */
export class PieceJoints {
  readonly ends: readonly OpenEnd[];
  private readonly joints = new Map<OpenEnd, Joint>();
  private readonly pieces: readonly LinePiece[];
  private readonly width: number;
  private readonly depths: DepthField;
  private readonly places = new PlaceGrid(CELL_PX);
  /** Per place its piece, -1 between pieces, and its number there. */
  private readonly pieceOf: number[] = [];
  private readonly indexOf: number[] = [];

  constructor(pieces: readonly LinePiece[], width: number, depths: DepthField) {
    this.pieces = pieces;
    this.width = width;
    this.depths = depths;
    const ends: OpenEnd[] = [];
    pieces.forEach((piece, k) => {
      for (let i = 0; i < piece.x.length; i++) this.addPlace(piece.x[i], piece.y[i], k, i);
      if (!piece.closed) ends.push(openEnd(pieces, k, true, width, depths), openEnd(pieces, k, false, width, depths));
    });
    this.ends = ends;
    this.joinPoints();
    this.joinStraightOn();
    this.meetEachOther(CORNER_WIDTHS * width + TOUCH_PX);
    this.meetLines();
    this.meetEachOther(Infinity);
    this.meetLines();
  }

  of(end: OpenEnd): Joint | undefined {
    return this.joints.get(end);
  }

  /** Whether a piece is a line of its own: closed, with an end that its outline runs around, or going on straight. */
  isHeld(piece: number): boolean {
    if (this.pieces[piece].closed) return true;
    return this.ends.some(
      (end) => end.piece === piece && (end.kind === 'tip' || this.joints.get(end)?.straight === true),
    );
  }

  private addPlace(x: number, y: number, piece: number, index: number): void {
    this.places.add(x, y, 0, 0);
    this.pieceOf.push(piece);
    this.indexOf.push(index);
  }

  private isOpen(end: OpenEnd): boolean {
    return !this.joints.has(end);
  }

  private link(a: OpenEnd, b: OpenEnd, via: readonly number[], corner: number): void {
    const back: number[] = [];
    for (let k = via.length - 2; k >= 0; k -= 2) back.push(via[k], via[k + 1]);
    this.joints.set(a, { to: b, via, corner, straight: corner < 0 });
    this.joints.set(b, {
      to: a,
      via: back,
      corner: corner < 0 ? -1 : via.length / 2 - 1 - corner,
      straight: corner < 0,
    });
    for (let k = 0; k < via.length; k += 2) this.addPlace(via[k], via[k + 1], -1, k);
  }

  /** Sharp points: the outline runs around the ends of both. */
  private joinPoints(): void {
    const near = TOUCH_PX + TOUCH_SHARE * this.width;
    const tips = this.ends.filter(({ kind }) => kind === 'tip');
    for (const a of tips) {
      for (const b of tips) {
        if (a === b || !this.isOpen(a) || !this.isOpen(b)) continue;
        if (Math.hypot(a.x - b.x, a.y - b.y) > near) continue;
        this.link(a, b, [(a.x + b.x) / 2, (a.y + b.y) / 2], 0);
      }
    }
  }

  /** Ends that lead into each other, the best first. */
  private joinStraightOn(): void {
    const pairs: {
      readonly a: OpenEnd;
      readonly b: OpenEnd;
      readonly via: readonly number[];
      readonly cost: number;
    }[] = [];
    const open = this.ends.filter((end) => end.kind !== 'tip' && this.isOpen(end));
    for (let i = 0; i < open.length; i++) {
      for (let j = i + 1; j < open.length; j++) {
        const [a, b] = [open[i], open[j]];
        const from = aimed(a, b.x, b.y);
        const to = aimed(b, a.x, a.y);
        if (from === undefined || to === undefined) continue;
        const off = 2 - (from.ux * a.ux + from.uy * a.uy) - (to.ux * b.ux + to.uy * b.uy);
        const cost = this.costOf(from, to) + STUB_PRICE * off;
        if (cost < Infinity) pairs.push({ a, b, via: between(from, to), cost });
      }
    }
    pairs.sort((p, q) => p.cost - q.cost);
    for (const { a, b, via } of pairs) {
      if (this.isOpen(a) && this.isOpen(b)) this.link(a, b, via, -1);
    }
  }

  private costOf(a: OpenEnd, b: OpenEnd): number {
    const { width } = this;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const gap = Math.hypot(dx, dy);
    const cosine = -(a.ux * b.ux + a.uy * b.uy);
    if (gap <= TOUCH_PX + TOUCH_SHARE * width) {
      return cosine > NEAR_COSINE ? 1 - cosine + (0.05 * gap) / width : Infinity;
    }
    if (gap > FARTHEST_WIDTHS * width + FARTHEST_PX || cosine < 0) return Infinity;
    if (a.ux * dx + a.uy * dy < FACING_COSINE * gap || -(b.ux * dx + b.uy * dy) < FACING_COSINE * gap) return Infinity;
    const share = gap < width ? SHORT_ASIDE_SHARE : ASIDE_SHARE;
    const most = ASIDE_PX + share * gap;
    const aside = Math.max(asideOf(a, b, gap), asideOf(b, a, gap));
    const turn = Math.max(turnOf(a, b, gap), turnOf(b, a, gap));
    if (aside > most || turn > (gap < width ? 2 : 1) * MOST_TURN) return Infinity;
    const way = between(a, b);
    for (let k = 0; k < way.length; k += 2) if (!this.depths.holds(way[k], way[k + 1], width / 2)) return Infinity;
    return aside / most + turn / MOST_TURN + 0.1 * (gap / width);
  }

  /** Ends that run into another line, as they bend or, where that leads nowhere, straight. */
  private meetLines(): void {
    for (const end of this.ends) {
      if (end.kind === 'tip' || !this.isOpen(end)) continue;
      const via =
        this.wayToLine(end) ??
        (end.bend === 0 ? undefined : this.wayToLine(straightened(end, this.width, this.depths)));
      if (via !== undefined) this.joints.set(end, { to: undefined, via, corner: -1, straight: false });
    }
  }

  private wayToLine(end: OpenEnd): readonly number[] | undefined {
    const { ahead } = end;
    const piece = this.pieces[end.piece];
    const own = OWN_WIDTHS * this.width + 2;
    const accepts = (place: number) => {
      if (this.pieceOf[place] !== end.piece) return true;
      const index = this.indexOf[place];
      return (end.atStart ? index : piece.x.length - 1 - index) > own;
    };
    for (let k = 0; k < ahead.length; k += 2) {
      if (this.places.nearest(ahead[k], ahead[k + 1], MEET_PX, accepts) < 0) continue;
      // On to where the other line is nearest.
      let best = Infinity;
      let [x, y] = [ahead[k], ahead[k + 1]];
      for (let s = -1; s <= 3; s++) {
        const [px, py] = onCourse(end, (k / 2 + s) * STEP_PX);
        const near = this.places.nearest(px, py, MEET_PX + 0.5, accepts);
        if (near < 0) continue;
        const distance = Math.hypot(this.places.x[near] - px, this.places.y[near] - py);
        if (distance >= best) continue;
        best = distance;
        [x, y] = [(px + this.places.x[near]) / 2, (py + this.places.y[near]) / 2];
      }
      if (end.stub) return this.squareWay(end, x, y, accepts);
      return [...ahead.slice(2, k + 2), x, y];
    }
    return undefined;
  }

  /** From a stub to the line at (x, y), square to it where that is about its direction. */
  private squareWay(end: OpenEnd, x: number, y: number, accepts: (place: number) => boolean): readonly number[] {
    const hit = this.places.nearest(x, y, MEET_PX + 1, accepts);
    const piece = hit < 0 ? -1 : this.pieceOf[hit];
    let best = Infinity;
    let [toX, toY] = [x, y];
    if (piece >= 0) {
      const { x: xs, y: ys } = this.pieces[piece];
      for (let k = 0; k < xs.length; k++) {
        const distance = Math.hypot(xs[k] - end.x, ys[k] - end.y);
        if (distance >= best || aimed(end, xs[k], ys[k]) === undefined) continue;
        best = distance;
        [toX, toY] = [xs[k], ys[k]];
      }
    }
    return straightTo(end, toX, toY);
  }

  /** Ends that come together where no line runs: two of them are one line with a corner there. */
  private meetEachOther(farthest: number): void {
    const near = MEETING_PX + MEETING_SHARE * this.width;
    for (;;) {
      const open = this.ends.filter((end) => end.kind !== 'tip' && this.isOpen(end));
      let best = Infinity;
      let found: { readonly x: number; readonly y: number } | undefined;
      for (let i = 0; i < open.length; i++) {
        for (let j = i + 1; j < open.length; j++) {
          const met = meetingOf(open[i], open[j]);
          if (met === undefined || met.farther > farthest || met.way >= best) continue;
          best = met.way;
          found = met;
        }
      }
      if (found === undefined) return;
      const { x, y } = found;
      const members = open.filter(({ ahead }) => {
        for (let k = 0; k < ahead.length; k += 2) if (Math.hypot(ahead[k] - x, ahead[k + 1] - y) < near) return true;
        return false;
      });
      if (members.length < 2) return;
      const point = nearestToAll(members, x, y, near);
      const ways = members.map((end) => straightTo(end, point.x, point.y));
      // The straightest two are the line.
      let [first, second] = [0, 1];
      let cosine = Infinity;
      for (let i = 0; i < members.length; i++) {
        for (let j = i + 1; j < members.length; j++) {
          const c = members[i].ux * members[j].ux + members[i].uy * members[j].uy;
          if (c >= cosine) continue;
          cosine = c;
          [first, second] = [i, j];
        }
      }
      const back: number[] = [];
      const way = ways[second];
      for (let k = way.length - 2; k >= 0; k -= 2) back.push(way[k], way[k + 1]);
      const out = ways[first];
      this.link(members[first], members[second], [...out, ...back.slice(2)], out.length / 2 - 1);
      members.forEach((end, k) => {
        if (k !== first && k !== second)
          this.joints.set(end, { to: undefined, via: ways[k], corner: -1, straight: false });
      });
    }
  }
}

/** How far `a`'s course passes beside `b`, px. */
function asideOf(a: OpenEnd, b: OpenEnd, gap: number): number {
  const [x, y] = onCourse(a, gap);
  return Math.abs((b.x - x) * b.uy - (b.y - y) * b.ux);
}

/** The angle between `a`'s course at `b` and `b`'s own, radians. */
function turnOf(a: OpenEnd, b: OpenEnd, gap: number): number {
  const turn = a.bend * gap;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const vx = a.ux * cos - a.uy * sin;
  const vy = a.ux * sin + a.uy * cos;
  return Math.abs(Math.atan2(vx * -b.uy + vy * b.ux, -(vx * b.ux + vy * b.uy)));
}

/** Places from one end to another, each along its course: x, y in turn, a px apart. */
function between(a: OpenEnd, b: OpenEnd): number[] {
  const gap = Math.hypot(b.x - a.x, b.y - a.y);
  const steps = Math.floor(gap);
  const way: number[] = [];
  const along = (a.ux * (b.x - a.x) + a.uy * (b.y - a.y)) / (gap || 1);
  if (along < 0) return way;
  for (let s = 1; s < steps; s++) {
    const t = s / steps;
    const w = t * t * (3 - 2 * t);
    const [px, py] = onCourse(a, t * gap);
    const [qx, qy] = onCourse(b, (1 - t) * gap);
    way.push(px + (qx - px) * w, py + (qy - py) * w);
  }
  return way;
}

function straightTo({ x, y }: OpenEnd, toX: number, toY: number): number[] {
  const steps = Math.max(1, Math.floor(Math.hypot(toX - x, toY - y)));
  const way: number[] = [];
  for (let s = 1; s <= steps; s++) way.push(x + ((toX - x) * s) / steps, y + ((toY - y) * s) / steps);
  return way;
}

/** Where two courses come nearest, if they come near. */
function meetingOf(
  a: OpenEnd,
  b: OpenEnd,
): { readonly x: number; readonly y: number; readonly way: number; readonly farther: number } | undefined {
  let best = MEET_PX;
  let found: { readonly x: number; readonly y: number; readonly way: number; readonly farther: number } | undefined;
  for (let i = 0; i < a.ahead.length; i += 2) {
    for (let j = 0; j < b.ahead.length; j += 2) {
      const dx = b.ahead[j] - a.ahead[i];
      if (dx > best || dx < -best) continue;
      const distance = Math.hypot(dx, b.ahead[j + 1] - a.ahead[i + 1]);
      if (distance >= best) continue;
      best = distance;
      found = {
        x: a.ahead[i] + dx / 2,
        y: (b.ahead[j + 1] + a.ahead[i + 1]) / 2,
        way: i + j,
        farther: (Math.max(i, j) / 2) * STEP_PX,
      };
    }
  }
  return found;
}

/** The place nearest to the lines ahead of several ends. */
function nearestToAll(ends: readonly OpenEnd[], atX: number, atY: number, far: number) {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let bx = 0;
  let by = 0;
  for (const end of ends) {
    const way = Math.hypot(atX - end.x, atY - end.y);
    const [px, py] = onCourse(end, way);
    const turn = end.bend * way;
    const vx = end.ux * Math.cos(turn) - end.uy * Math.sin(turn);
    const vy = end.ux * Math.sin(turn) + end.uy * Math.cos(turn);
    const d = -vy * px + vx * py;
    xx += vy * vy;
    xy -= vx * vy;
    yy += vx * vx;
    bx -= vy * d;
    by += vx * d;
  }
  const determinant = xx * yy - xy * xy;
  if (determinant < 0.01 * ends.length) return { x: atX, y: atY };
  const x = (bx * yy - by * xy) / determinant;
  const y = (by * xx - bx * xy) / determinant;
  return Math.hypot(x - atX, y - atY) > far ? { x: atX, y: atY } : { x, y };
}
