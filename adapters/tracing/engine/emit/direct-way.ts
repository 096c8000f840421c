import type { ChainCurves } from '../fit/curves.js';
import { distance } from '../math/distance.js';
import { FloatList, IntList } from '../math/lists.js';
import { CoveredEdge } from './covered-edge.js';
import { type Covers, LONGEST_EXTENSION } from './covers.js';

/** Places along an edge beside which turns are looked for, at most, and how near to each other, px; along a way, fewer do. */
const MOST_PLACES = 12;
const MOST_PLACES_ALONG_WAY = 4;
const SPACING_PX = 2;
/** At these shares of the room that covers leave there. */
const SHARES = Float64Array.of(0.5, 0.85, 0.25);
const SHARE_BESIDE_WAY = Float64Array.of(0.7);
/** The room is felt out in steps that grow with it, px and share. */
const FIRST_STEP_PX = 1;
const STEP_GROWTH = 1.25;
/** Pairs of turns that are tried at most. */
const MOST_PAIRS = 300;
/** Shares of the room in which a visible line goes on before the way leaves it. */
const LEAVES = Float64Array.of(0, 0.5, 1);
/** Two lines with covers between them are one where it passes both their ends this near, px; parallel by the sine of their angle. */
const ONE_LINE_PX = 0.03;
const PARALLEL = 1e-3;
/** Lines of a way that are replaced at once. */
const FEWEST_LINES = 3;
const MOST_LINES = 5;

/** Whether an end sees a turn is not known yet. */
const NOT_ASKED = -2;

/** Where a way begins or ends, and the visible line that leads there: of no length where there is none. */
class WayEnd {
  x = 0;
  y = 0;
  /** The line's other end. */
  fromX = 0;
  fromY = 0;
  dx = 0;
  dy = 0;
  length = 0;
  /** How far the line can go on beneath the covers, px. */
  room = 0;

  set(x: number, y: number, fromX: number, fromY: number): void {
    this.x = x;
    this.y = y;
    this.fromX = fromX;
    this.fromY = fromY;
    this.length = distance(x - fromX, y - fromY);
    this.dx = this.length > 0 ? (x - fromX) / this.length : 0;
    this.dy = this.length > 0 ? (y - fromY) / this.length : 0;
    this.room = 0;
  }

  /** From how many points of its line a way may leave: the first is where it comes from. */
  get leaves(): number {
    return this.room > 0 ? LEAVES.length : 1;
  }

  leaveX(leave: number): number {
    return this.x + this.dx * this.room * LEAVES[leave];
  }

  leaveY(leave: number): number {
    return this.y + this.dy * this.room * LEAVES[leave];
  }
}

/**
 * The shortest ways beneath covers: of no line at all where the visible lines before and behind meet, or are one; of one, two or
 * three lines. Turns are looked for among points in the room beside the edge (a visibility graph of a few sampled points), and a
 * way counts if its lines are covered and nothing that must be seen lies between it and the edge.
 */
export class DirectWay {
  private readonly covers: Covers;
  private readonly curves: ChainCurves;
  private readonly edge: CoveredEdge;
  /** A stretch of a way beneath the covers, which another may replace on either side of it. */
  private readonly stretch: CoveredEdge;
  private alongWay = false;
  private readonly mostLength: number;
  private readonly before = new WayEnd();
  private readonly after = new WayEnd();
  private readonly found = new FloatList(16);
  private readonly shorter = new FloatList(64);
  private readonly turns = new FloatList(256);
  /** Per turn, which leave of either end sees it; -1 for none, or NOT_ASKED. */
  private readonly fromBefore = new IntList(128);
  private readonly fromAfter = new IntList(128);

  constructor(covers: Covers, curves: ChainCurves, width: number, height: number) {
    this.covers = covers;
    this.curves = curves;
    this.edge = new CoveredEdge(covers, curves);
    this.stretch = new CoveredEdge(covers, curves);
    this.mostLength = width + height;
  }

  /**
   * Finds a way for `region`, which lies on the right of the half-edges in `run`. What is in `way` before is where the visible
   * line before it begins, or nothing where there is none; `nextAt` is where the other end of the line behind it is in the
   * curves' points, -1 for none. Found, the way is in `way`, these other ends included: only they where both lines are one.
   * Otherwise `way` is left as it was.
   */
  find(region: number, run: IntList, way: FloatList, nextAt: number): boolean {
    const { before, after, covers, edge, found } = this;
    const { points } = this.curves;
    edge.lay(run);
    const { data } = edge.polygon;
    const ax = data[0];
    const ay = data[1];
    const bx = data[edge.length - 2];
    const by = data[edge.length - 1];
    const hasBefore = way.length > 0;
    const hasAfter = nextAt >= 0;
    before.set(ax, ay, hasBefore ? way.data[0] : ax, hasBefore ? way.data[1] : ay);
    after.set(bx, by, hasAfter ? points[nextAt] : bx, hasAfter ? points[nextAt + 1] : by);
    covers.begin(region, ax, ay, bx, by);
    this.findRoom(before);
    this.findRoom(after);
    this.alongWay = false;
    if (!(this.isOneLine() || this.meets() || this.leads() || this.turnsOnce() || this.turnsTwice())) return false;
    append(way, found);
    if (!hasAfter) return true;
    way.push(after.fromX);
    way.push(after.fromY);
    return true;
  }

  /**
   * Shortens a way that was found otherwise for the edge that was looked at last, stretch by stretch. `first` and `last` are
   * those of its vertices that are its ends.
   */
  shorten(way: FloatList, first: number, last: number): void {
    const { shorter, edge } = this;
    if (last - first < 2 * FEWEST_LINES) return;
    shorter.length = 0;
    for (let k = first; k < last + 2; k++) shorter.push(way.data[k]);
    this.alongWay = true;
    for (let from = 0; from + 2 * FEWEST_LINES < shorter.length; ) {
      const least = from + 2 * FEWEST_LINES;
      let to = Math.min(shorter.length - 2, from + 2 * MOST_LINES);
      while (to >= least && !this.replace(from, to)) to -= 2;
      if (to < least) from += 2;
    }
    if (shorter.length > last - first || !edge.allows(shorter, 0, shorter.length - 2)) return;
    way.data.copyWithin(first + shorter.length, last + 2, way.length);
    way.data.set(shorter.data.subarray(0, shorter.length), first);
    way.length -= last + 2 - first - shorter.length;
  }

  /** Replaces a stretch of `shorter`, from a vertex to another, by one with fewer lines. */
  private replace(from: number, to: number): boolean {
    const { before, after, shorter, stretch, found } = this;
    const { data } = shorter;
    stretch.layWay(shorter, from, to);
    before.set(data[from], data[from + 1], data[from], data[from + 1]);
    after.set(data[to], data[to + 1], data[to], data[to + 1]);
    const lines = (to - from) / 2;
    if (!(this.leads() || this.turnsOnce() || (lines > FEWEST_LINES && this.turnsTwice()))) return false;
    data.set(found.data.subarray(0, found.length), from);
    data.copyWithin(from + found.length, to + 2, shorter.length);
    shorter.length -= to + 2 - from - found.length;
    return true;
  }

  private findRoom(end: WayEnd): void {
    if (end.length === 0) return;
    // Lines on the picture's border go on for certain.
    const most = this.covers.isAlongBorder(end.x, end.y, end.dx, end.dy)
      ? this.mostLength
      : LONGEST_EXTENSION * end.length;
    end.room = this.covers.roomAlong(end.x, end.y, end.dx, end.dy, most);
  }

  /** The line behind goes on with the line before. */
  private isOneLine(): boolean {
    const { before, after, covers } = this;
    if (before.length === 0 || after.length === 0 || before.dx * after.dx + before.dy * after.dy > 0) return false;
    const dx = after.fromX - before.fromX;
    const dy = after.fromY - before.fromY;
    const length = distance(dx, dy);
    // Lines that begin in one corner go two ways.
    if (length === 0) return false;
    const off = (end: WayEnd) => Math.abs((end.x - before.fromX) * dy - (end.y - before.fromY) * dx);
    if (!(off(before) <= ONE_LINE_PX * length && off(after) <= ONE_LINE_PX * length)) return false;
    if (!covers.isCoveredLine(before.x, before.y, after.x, after.y)) return false;
    this.found.length = 0;
    return this.edge.allows(this.found, 0, -2);
  }

  /** The lines before and behind meet. */
  private meets(): boolean {
    const { before, after } = this;
    const cross = before.dx * after.dy - before.dy * after.dx;
    if (Math.abs(cross) < PARALLEL) return false;
    const ex = after.x - before.x;
    const ey = after.y - before.y;
    const s = (ex * after.dy - ey * after.dx) / cross;
    const t = (ex * before.dy - ey * before.dx) / cross;
    if (!(s >= 0 && t >= 0 && s <= before.room && t <= after.room)) return false;
    // Upright and level lines stay so to the last bit.
    const x = before.dx === 0 ? before.x : after.dx === 0 ? after.x : before.x + s * before.dx;
    const y = before.dy === 0 ? before.y : after.dy === 0 ? after.y : before.y + s * before.dy;
    this.found.length = 0;
    this.add(x, y);
    return this.isAllowed();
  }

  /** One line. */
  private leads(): boolean {
    const { before, after, covers } = this;
    for (let i = 0; i < before.leaves; i++) {
      for (let j = 0; j < after.leaves; j++) {
        if (!covers.isCoveredLine(before.leaveX(i), before.leaveY(i), after.leaveX(j), after.leaveY(j))) continue;
        this.found.length = 0;
        this.add(before.leaveX(i), before.leaveY(i));
        this.add(after.leaveX(j), after.leaveY(j));
        if (this.isAllowed()) return true;
      }
    }
    return false;
  }

  /** Two lines, by any point that both ends see. */
  private turnsOnce(): boolean {
    const { turns, before, after, fromBefore, fromAfter } = this;
    this.findTurns();
    fromBefore.length = 0;
    fromAfter.length = 0;
    for (let k = 0; k < turns.length; k += 2) {
      const x = turns.data[k];
      const y = turns.data[k + 1];
      const i = this.seenFrom(before, x, y);
      const j = i < 0 ? NOT_ASKED : this.seenFrom(after, x, y);
      fromBefore.push(i);
      fromAfter.push(j);
      if (i < 0 || j < 0) continue;
      this.found.length = 0;
      this.add(before.leaveX(i), before.leaveY(i));
      this.add(x, y);
      this.add(after.leaveX(j), after.leaveY(j));
      if (this.isAllowed()) return true;
    }
    return false;
  }

  /** Three lines, by two points that see each other and one end each. */
  private turnsTwice(): boolean {
    const { turns, before, after, fromBefore, fromAfter, covers } = this;
    const { data } = turns;
    let pairs = 0;
    for (let k = 0; k < turns.length; k += 2) {
      const i = fromBefore.data[k >> 1];
      if (i < 0) continue;
      for (let l = turns.length - 2; l >= 0; l -= 2) {
        if (l === k) continue;
        if (fromAfter.data[l >> 1] === NOT_ASKED) fromAfter.data[l >> 1] = this.seenFrom(after, data[l], data[l + 1]);
        const j = fromAfter.data[l >> 1];
        if (j < 0) continue;
        if (++pairs > MOST_PAIRS) return false;
        if (!covers.isCoveredLine(data[k], data[k + 1], data[l], data[l + 1])) continue;
        this.found.length = 0;
        this.add(before.leaveX(i), before.leaveY(i));
        this.add(data[k], data[k + 1]);
        this.add(data[l], data[l + 1]);
        this.add(after.leaveX(j), after.leaveY(j));
        if (this.isAllowed()) return true;
      }
    }
    return false;
  }

  private isAllowed(): boolean {
    const { found, edge, stretch } = this;
    const last = found.length - 2;
    return this.alongWay ? stretch.allowsBeside(found, 0, last) : edge.allows(found, 0, last);
  }

  /** The first leave of an end from which a point is seen beneath the covers; -1 for none. */
  private seenFrom(end: WayEnd, x: number, y: number): number {
    for (let i = 0; i < end.leaves; i++) if (this.covers.isCoveredLine(end.leaveX(i), end.leaveY(i), x, y)) return i;
    return -1;
  }

  /** Points in the room beside the edge, place by place along it. */
  private findTurns(): void {
    const { alongWay } = this;
    const edge = alongWay ? this.stretch : this.edge;
    this.turns.length = 0;
    const length = edge.measure();
    edge.layPlaces(length / Math.min(alongWay ? MOST_PLACES_ALONG_WAY : MOST_PLACES, Math.ceil(length / SPACING_PX)));
    const { data, length: end } = edge.places;
    for (let k = 0; k < end; k += 4) {
      this.addTurns(data[k], data[k + 1], data[k + 2], data[k + 3], alongWay ? SHARE_BESIDE_WAY : SHARES);
      if (alongWay) this.addTurns(data[k], data[k + 1], -data[k + 2], -data[k + 3], SHARE_BESIDE_WAY);
    }
  }

  /** Points in a direction from one on the edge, at shares of the room there. */
  private addTurns(x: number, y: number, nx: number, ny: number, shares: Float64Array): void {
    const { covers, turns } = this;
    let depth = 0;
    for (let d = FIRST_STEP_PX; covers.isCoveredInPicture(x + nx * d, y + ny * d); d *= STEP_GROWTH) depth = d;
    if (depth === 0) return;
    for (let i = 0; i < shares.length; i++) {
      turns.push(x + nx * depth * shares[i]);
      turns.push(y + ny * depth * shares[i]);
    }
  }

  private add(x: number, y: number): void {
    this.found.push(x);
    this.found.push(y);
  }
}

function append(list: FloatList, { data, length }: FloatList): void {
  for (let k = 0; k < length; k++) list.push(data[k]);
}
