import { MOST_SIDE_CHORDS, MOST_SIDES } from '../kernels/kernel-layout.js';
import { distance } from '../math/distance.js';
import { clamp } from '../math/within.js';
import { wrap } from '../math/wrap.js';
import type { CurveList } from './curves.js';
import { BLUNT_TURN as FACET_TURN } from './draw-sides.js';

/** Arcs turn by 270 degrees at most. */
export const LARGEST_BULGE = 2.4;
/** Chords an arc is followed by at least, and how high the arc is over one, px. */
const LEAST_CHORDS = 3;
const CHORD_HEIGHT_PX = 0.015;
/** Arcs that turn by less than this (radians) are followed as parabolas. */
const FLAT = 1e-3;
/** A side that cuts off a corner or an end is no longer than this share of those beside it. */
const CUT_SHARE = 0.75;
/** A contour of more than so many corners has so many at least that turn by more than this, radians. */
const MOST_BLUNT = 8;
const LEAST_SHARP = 3;
const BLUNT_TURN = 1.2;
/** Numbers of a side when written. */
const LINE_NUMBERS = 2;
const ARC_NUMBERS = 5;
/** An arc that turns by more than this (radians) is drawn as two cubics. */
const MOST_TURN = 1.8;
/** A corner next to a side as short as this, px, or that turns by less than this, radians, may be none. */
const SHORT_PX = 1.2;
const WEAK_TURN = 0.6;
/** By how much a bulge is changed to see what that does. */
const NUDGE = 1e-4;

/** Places along a side, ends included, and how they depend on its numbers: room for one more than `MOST_SIDE_CHORDS`. */
export interface SidePlaces {
  /** Chords between the places. */
  count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Where they lie along the side's chord and to the left of it, over its length, and what a larger bulge makes of these. */
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly du: Float64Array;
  readonly dv: Float64Array;
  /** The side's chord, px. */
  ex: number;
  ey: number;
}

/** A closed contour whose sides are lines and circular arcs. */
export class SidedContour {
  count = 0;
  /** Three per side: where it begins (x, y), and how far it bulges to the left: the tangent of a quarter of the angle of its arc. */
  readonly numbers = new Float64Array(3 * MOST_SIDES);
  /** Per side: may it bulge. */
  readonly isArc = new Uint8Array(MOST_SIDES);
  private readonly cuts = new Float64Array(MOST_SIDES);

  /** Numbers it takes when written: of a line its end, of an arc its radius and flags besides. */
  get written(): number {
    let numbers = 0;
    for (let k = 0; k < this.count; k++) numbers += this.isArc[k] === 1 ? ARC_NUMBERS : LINE_NUMBERS;
    return numbers;
  }

  /** Whether a side lies between two others that it turns towards the same way, by little: such may be facets of a curve. */
  get hasFacets(): boolean {
    const { count } = this;
    for (let k = 0; k < count; k++) {
      const first = this.turn(k > 0 ? k - 1 : count - 1, k);
      const second = this.turn(k, k + 1 < count ? k + 1 : 0);
      if (first * second > 0 && Math.max(Math.abs(first), Math.abs(second)) < FACET_TURN) return true;
    }
    return false;
  }

  /** Whether any of its sides may bulge. */
  get hasArcs(): boolean {
    return this.isArc.subarray(0, this.count).includes(1);
  }

  /** Adds it to the curves: lines, and of an arc one or two cubics. */
  draw(list: CurveList): void {
    const { numbers, count, isArc } = this;
    for (let k = 0; k < count; k++) {
      const at = 3 * k;
      const next = k + 1 < count ? at + 3 : 0;
      const [x0, y0, x1, y1] = [numbers[at], numbers[at + 1], numbers[next], numbers[next + 1]];
      if (isArc[k] === 0) list.line(x0, y0, x1, y1);
      else drawArc(x0, y0, x1, y1, numbers[at + 2], list);
    }
  }

  /** Its corners, and the middles of its arcs. */
  polygon(): { readonly x: readonly number[]; readonly y: readonly number[] } {
    const { numbers, count, isArc } = this;
    const x: number[] = [];
    const y: number[] = [];
    for (let k = 0; k < count; k++) {
      const at = 3 * k;
      const next = k + 1 < count ? at + 3 : 0;
      x.push(numbers[at]);
      y.push(numbers[at + 1]);
      if (isArc[k] === 0) continue;
      const half = numbers[at + 2] / 2;
      x.push((numbers[at] + numbers[next]) / 2 + half * (numbers[next + 1] - numbers[at + 1]));
      y.push((numbers[at + 1] + numbers[next + 1]) / 2 - half * (numbers[next] - numbers[at]));
    }
    return { x, y };
  }

  copy(): SidedContour {
    const copy = new SidedContour();
    copy.set(this);
    return copy;
  }

  /** Becomes as another. */
  set({ count, numbers, isArc }: SidedContour): void {
    this.count = count;
    this.numbers.set(numbers);
    this.isArc.set(isArc);
  }

  /** Runs the other way. */
  reverse(): void {
    const { numbers, isArc, count } = this;
    const before = numbers.slice(0, 3 * count);
    const bent = isArc.slice(0, count);
    for (let k = 0; k < count; k++) {
      // Side k goes from what was corner -k to the one before, along the side that began there.
      const from = (count - k) % count;
      const side = count - 1 - k;
      numbers[3 * k] = before[3 * from];
      numbers[3 * k + 1] = before[3 * from + 1];
      numbers[3 * k + 2] = -before[3 * side + 2];
      isArc[k] = bent[side];
    }
  }

  /** How far side `k` is from its chord, px. */
  height(k: number): number {
    return (Math.abs(this.numbers[3 * k + 2]) / 2) * this.length(k);
  }

  /**
   * Makes arcs of sides that only cut off a corner or an end: lines that are shorter than both beside them, towards which they turn the same way, by
   * `mostTurn` (radians) at most; each goes on from its neighbors smoothly. Whether there are any.
   */
  roundCuts(mostTurn: number): boolean {
    const { numbers, isArc, count } = this;
    let some = false;
    for (let k = 0; k < count; k++) {
      const length = this.length(k);
      const [before, next] = [k > 0 ? k - 1 : count - 1, k + 1 < count ? k + 1 : 0];
      if (isArc[k] === 1) continue;
      if (length > CUT_SHARE * Math.min(this.length(before), this.length(next))) continue;
      const [first, second] = [this.turn(before, k), this.turn(k, next)];
      if (first * second < 0 || Math.max(Math.abs(first), Math.abs(second)) > mostTurn) continue;
      this.cuts[k] = Math.tan((first + second) / 4);
      some = true;
    }
    for (let k = 0; k < count; k++) {
      if (this.cuts[k] === 0) continue;
      isArc[k] = 1;
      numbers[3 * k + 2] = this.cuts[k];
      this.cuts[k] = 0;
    }
    return some;
  }

  /** Px along its sides' chords for each of its unknowns: corners, and bulges of arcs. */
  get pxEach(): number {
    let px = 0;
    let unknowns = 2 * this.count;
    for (let k = 0; k < this.count; k++) {
      px += this.length(k);
      unknowns += this.isArc[k];
    }
    return px / unknowns;
  }

  /** Whether it has many corners and hardly any sharp ones: something round in facets. */
  get isFaceted(): boolean {
    if (this.count <= MOST_BLUNT) return false;
    let sharp = 0;
    for (let k = 0; k < this.count; k++) if (Math.abs(this.turn(k, (k + 1) % this.count)) > BLUNT_TURN) sharp++;
    return sharp < LEAST_SHARP;
  }

  /** By how much the contour turns at the corner between a side and the next, radians, to the right above 0. */
  private turn(k: number, next: number): number {
    const { numbers, count } = this;
    const last = 3 * ((next + 1) % count);
    const [ux, uy] = [numbers[3 * next] - numbers[3 * k], numbers[3 * next + 1] - numbers[3 * k + 1]];
    const [vx, vy] = [numbers[last] - numbers[3 * next], numbers[last + 1] - numbers[3 * next + 1]];
    // An arc leaves its chord by half its own turn.
    const bent = 2 * Math.atan(numbers[3 * k + 2]) + 2 * Math.atan(numbers[3 * next + 2]);
    return wrap(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy) - bent);
  }

  /** Of the chord of side `k`, px. */
  private length(k: number): number {
    const { numbers, count } = this;
    const next = k + 1 < count ? 3 * k + 3 : 0;
    return distance(numbers[next] - numbers[3 * k], numbers[next + 1] - numbers[3 * k + 1]);
  }

  /** Makes side `k` a line. */
  straighten(k: number): void {
    this.isArc[k] = 0;
    this.numbers[3 * k + 2] = 0;
  }

  /** Whether the contour may do as well without the corner that side `k` begins at: where it hardly turns, or not by itself. */
  isWeak(k: number): boolean {
    const before = k > 0 ? k - 1 : this.count - 1;
    if (this.isArc[before] === 1 && this.isArc[k] === 1) return true;
    return Math.min(this.length(before), this.length(k)) < SHORT_PX || Math.abs(this.turn(before, k)) < WEAK_TURN;
  }

  /** Leaves out the corner that side `k` begins at: one side goes from the corner before to the next one, an arc through here unless both were lines. */
  leaveOut(k: number): void {
    const { numbers, isArc, count } = this;
    const before = k > 0 ? k - 1 : count - 1;
    const next = k + 1 < count ? k + 1 : 0;
    const [ux, uy] = [numbers[3 * k] - numbers[3 * before], numbers[3 * k + 1] - numbers[3 * before + 1]];
    const [vx, vy] = [numbers[3 * next] - numbers[3 * k], numbers[3 * next + 1] - numbers[3 * k + 1]];
    const bends = isArc[before] === 1 || isArc[k] === 1;
    isArc[before] = bends ? 1 : 0;
    const bulge = Math.tan(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy) / 2);
    numbers[3 * before + 2] = bends ? clamp(bulge, LARGEST_BULGE) : 0;
    numbers.copyWithin(3 * k, 3 * k + 3, 3 * count);
    isArc.copyWithin(k, k + 1, count);
    this.count--;
  }

  /** Parts side `k`, a line, in its middle. */
  part(k: number): void {
    const { numbers, isArc, count } = this;
    const next = k + 1 < count ? 3 * k + 3 : 0;
    const x = (numbers[3 * k] + numbers[next]) / 2;
    const y = (numbers[3 * k + 1] + numbers[next + 1]) / 2;
    numbers.copyWithin(3 * k + 6, 3 * k + 3, 3 * count);
    isArc.copyWithin(k + 2, k + 1, count);
    numbers.set([x, y, 0], 3 * k + 3);
    isArc[k + 1] = isArc[k];
    this.count++;
  }

  /** Takes places along side `k`. */
  follow(k: number, places: SidePlaces): void {
    const { numbers, isArc } = this;
    const { x, y, u, v, du, dv } = places;
    const at = 3 * k;
    const next = k + 1 < this.count ? at + 3 : 0;
    places.ex = numbers[next] - numbers[at];
    places.ey = numbers[next + 1] - numbers[at + 1];
    u[0] = v[0] = du[0] = dv[0] = 0;
    places.count = 1;
    if (isArc[k] === 1) followArc(numbers[at + 2], places);
    const { count } = places;
    u[count] = 1;
    v[count] = du[count] = dv[count] = 0;
    for (let i = 0; i <= count; i++) {
      x[i] = numbers[at] + u[i] * places.ex + v[i] * places.ey;
      y[i] = numbers[at + 1] + u[i] * places.ey - v[i] * places.ex;
    }
  }
}

/** Places within an arc over a chord of length 1, as far to the left as the chords between them enclose what the arc does. */
function followArc(bulge: number, places: SidePlaces): void {
  const { u, v, du, dv } = places;
  const turn = 4 * Math.atan(bulge);
  // A chord's height is the radius times its angle squared over eight.
  const radius = Math.sqrt(places.ex * places.ex + places.ey * places.ey) / (2 * Math.abs(Math.sin(turn / 2)) + 1e-9);
  const wanted = Math.ceil(Math.abs(turn) * Math.sqrt(radius / (8 * CHORD_HEIGHT_PX)));
  const count = Math.max(LEAST_CHORDS, Math.min(MOST_SIDE_CHORDS, wanted));
  places.count = count;
  const beside = 4 * Math.atan(bulge + NUDGE);
  const isFlat = Math.abs(turn) < FLAT || Math.abs(beside) < FLAT;
  const farther = isFlat ? 1 : enclosed(turn, count);
  const besideFarther = isFlat ? 1 : enclosed(beside, count);
  for (let i = 1; i < count; i++) {
    const share = i / count;
    u[i] = isFlat ? share : along(turn, share);
    v[i] = isFlat ? 2 * bulge * share * (1 - share) : farther * across(turn, share);
    du[i] = isFlat ? 0 : (along(beside, share) - u[i]) / NUDGE;
    dv[i] = isFlat ? 2 * share * (1 - share) : (besideFarther * across(beside, share) - v[i]) / NUDGE;
  }
}

/** An arc as one cubic, or as two for its halves. */
function drawArc(x0: number, y0: number, x1: number, y1: number, bulge: number, list: CurveList): void {
  const turn = 4 * Math.atan(bulge);
  const ex = x1 - x0;
  const ey = y1 - y0;
  if (Math.abs(turn) > MOST_TURN) {
    const half = Math.tan(turn / 8);
    const x = x0 + ex / 2 + (bulge / 2) * ey;
    const y = y0 + ey / 2 - (bulge / 2) * ex;
    drawArc(x0, y0, x, y, half, list);
    drawArc(x, y, x1, y1, half, list);
    return;
  }
  // Handles leave the chord by half the turn, to the left first; they are 4/3 tan(turn / 4) of the radius long.
  const half = turn / 2;
  const share = Math.abs(turn) < FLAT ? 1 / 3 : (2 / 3) * (bulge / Math.sin(half));
  const along = share * Math.cos(half);
  const across = share * Math.sin(half);
  list.cubic(
    x0,
    y0,
    x0 + along * ex + across * ey,
    y0 + along * ey - across * ex,
    x1 - along * ex + across * ey,
    y1 - along * ey - across * ex,
    x1,
    y1,
  );
}

/** How far along its chord of length 1 an arc is after a share of its way. */
function along(turn: number, share: number): number {
  return 0.5 + Math.sin(turn * (share - 0.5)) / (2 * Math.sin(turn / 2));
}

/** And how far to the left of it. */
function across(turn: number, share: number): number {
  return (Math.cos(turn * (share - 0.5)) - Math.cos(turn / 2)) / (2 * Math.sin(turn / 2));
}

/** What an arc encloses with its chord over what so many chords of equal length along it do. */
function enclosed(turn: number, chords: number): number {
  return (turn - Math.sin(turn)) / (chords * Math.sin(turn / chords) - Math.sin(turn));
}
