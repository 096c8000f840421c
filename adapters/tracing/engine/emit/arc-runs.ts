import { type ChainCurves, SEGMENT_CUBIC, SEGMENT_LINE } from '../fit/curves.js';
import { distance } from '../math/distance.js';

/** How far an arc may be off the curves it stands for where edges are sure, px, and by how much more where cubics themselves are off an arc. */
export const ARC_PX = 0.015;
const MOST_INHERENT_PX = 0.012;
/** Larger arcs are made of cubics enough, px. */
const INHERENT_RADIUS_PX = 12;
/** By how much a cubic of a quarter turn is off the circle, as a share of its radius; it grows with the sixth power. */
const QUARTER_ERROR = 2.7e-4;
/** Segments that one arc may stand for. */
const MOST_SEGMENTS = 5;
/** Flattest and fullest arcs, as half the angle they span: what is flatter is a line, what is fuller hangs on how its ends are rounded. */
const LEAST_HALF_ANGLE = 0.06;
const MOST_HALF_ANGLE = 2.8;
/** Shorter chords could be anything, px. */
const LEAST_CHORD_PX = 1.5;
/** Where a curve goes on smoothly an arc may turn by so much from it, radians. */
const SMOOTH_TURN = 0.02;
/** Handles that differ by less, px, mirror each other. */
const MIRROR_PX = 1e-6;
const PLACES = 5;
/** Numbers that each takes: a cubic, one whose first handle mirrors the one before, an arc, a line. */
const CUBIC_NUMBERS = 6;
const MIRRORED_NUMBERS = 4;
const ARC_NUMBERS = 5;
const LINE_NUMBERS = 2;

/** Which segments are drawn as circular arcs. */
export interface ArcRuns {
  /** Per segment how many, from it on along its chain, one arc stands for; 0 where none begins. */
  readonly counts: Uint8Array;
  /** Per segment that is the last of an arc's where the arc begins; -1 for the others. */
  readonly firsts: Int32Array;
  /** Per segment the radius of the arc that begins there, positive where it turns clockwise on screen. */
  readonly radii: Float64Array;
  /** Per segment: does that arc span more than half a turn. */
  readonly large: Uint8Array;
  /** How far arcs may be off the curves that they stand for, px. */
  readonly offPx: number;
}

/** No arcs at all. */
export function noArcs({ kinds }: ChainCurves, offPx = ARC_PX): ArcRuns {
  return {
    counts: new Uint8Array(kinds.length),
    firsts: new Int32Array(kinds.length).fill(-1),
    radii: new Float64Array(kinds.length),
    large: new Uint8Array(kinds.length),
    offPx,
  };
}

/**
 * Finds the segments that are circular arcs within what can be told, where that takes fewer numbers: each chain is divided into arcs,
 * cubics and lines so that the sum of their numbers is least. No radius is larger than `largestRadius`, and no arc further off the curves than `offPx`, px.
 */
export function findArcs(curves: ChainCurves, largestRadius = Infinity, offPx = ARC_PX): ArcRuns {
  const { chainCount, starts, kinds, points } = curves;
  const found = noArcs(curves, offPx);
  let longest = 0;
  for (let c = 0; c < chainCount; c++) longest = Math.max(longest, starts[c + 1] - starts[c]);
  // Least numbers up to a segment, by whether the last one before it is a cubic; and the arc that ends there, if any.
  const asCubic = new Float64Array(longest + 1);
  const asOther = new Float64Array(longest + 1);
  const arcLength = new Uint8Array(longest + 1);
  const arcRadius = new Float64Array(longest + 1);
  const arcLarge = new Uint8Array(longest + 1);
  const arc = new ArcFitter(points, kinds, largestRadius, offPx);
  for (let c = 0; c < chainCount; c++) {
    const from = starts[c];
    const count = starts[c + 1] - from;
    let any = false;
    asCubic[0] = Infinity;
    asOther[0] = 0;
    for (let i = 1; i <= count; i++) {
      const k = from + i - 1;
      asCubic[i] = Infinity;
      asOther[i] = Infinity;
      if (kinds[k] === SEGMENT_CUBIC) {
        const mirrored = i > 1 && kinds[k - 1] === SEGMENT_CUBIC && isMirrored(points, k);
        asCubic[i] = Math.min(
          asCubic[i - 1] + (mirrored ? MIRRORED_NUMBERS : CUBIC_NUMBERS),
          asOther[i - 1] + CUBIC_NUMBERS,
        );
      } else asOther[i] = Math.min(asCubic[i - 1], asOther[i - 1]) + LINE_NUMBERS;
      arcLength[i] = 0;
      for (let n = 1; n <= MOST_SEGMENTS && n <= i; n++) {
        // An arc may pass over lines, but is none.
        if (kinds[k - n + 1] !== SEGMENT_CUBIC && kinds[k - n + 1] !== SEGMENT_LINE) break;
        if (kinds[k] !== SEGMENT_CUBIC || kinds[k - n + 1] !== SEGMENT_CUBIC) continue;
        const numbers = Math.min(asCubic[i - n], asOther[i - n]) + ARC_NUMBERS;
        if (!(numbers < asOther[i])) continue;
        if (!arc.fit(k - n + 1, k, i - n > 0, i < count)) {
          // What two segments cannot share, more cannot.
          if (n > 1 && arc.isFar) break;
          continue;
        }
        asOther[i] = numbers;
        arcLength[i] = n;
        arcRadius[i] = arc.radius;
        arcLarge[i] = arc.large ? 1 : 0;
        any = true;
      }
    }
    if (!any) continue;
    for (let i = count, other = asOther[count] < asCubic[count]; i > 0; ) {
      const n = arcLength[i];
      if (other && n > 0) {
        found.counts[from + i - n] = n;
        found.firsts[from + i - 1] = from + i - n;
        found.radii[from + i - n] = arcRadius[i];
        found.large[from + i - n] = arcLarge[i];
        i -= n;
        other = asOther[i] <= asCubic[i];
        continue;
      }
      i--;
      const k = from + i;
      const isTied = !other && i > 0 && kinds[k - 1] === SEGMENT_CUBIC && isMirrored(points, k);
      other = asOther[i] < asCubic[i] - (isTied ? CUBIC_NUMBERS - MIRRORED_NUMBERS : 0);
    }
  }
  return found;
}

function isMirrored(points: Float64Array, k: number): boolean {
  const p = k * 8;
  return (
    Math.abs(2 * points[p] - points[p - 4] - points[p + 2]) < MIRROR_PX &&
    Math.abs(2 * points[p + 1] - points[p - 3] - points[p + 3]) < MIRROR_PX
  );
}

/** The arc through the ends of a run of segments that has as much area over its chord as they have. */
export class ArcFitter {
  radius = 0;
  large = false;
  /** Whether the run is far from any arc. */
  isFar = false;
  private readonly points: Float64Array;
  private readonly kinds: Int32Array;
  private readonly largestRadius: number;
  private readonly offPx: number;

  constructor(points: Float64Array, kinds: Int32Array, largestRadius: number, offPx: number) {
    this.largestRadius = largestRadius;
    this.offPx = offPx;
    this.points = points;
    this.kinds = kinds;
  }

  /** `goesOn...` say whether the chain goes on at either end, where the arc must be smooth if the curves are. */
  fit(first: number, last: number, goesOnBefore: boolean, goesOnAfter: boolean): boolean {
    const { points } = this;
    this.isFar = false;
    const x0 = points[first * 8];
    const y0 = points[first * 8 + 1];
    const dx = points[last * 8 + 6] - x0;
    const dy = points[last * 8 + 7] - y0;
    const chord = distance(dx, dy);
    if (chord < LEAST_CHORD_PX) return false;
    let area = 0;
    for (let k = first; k <= last; k++) area += this.areaFrom(k, x0, y0);
    const share = Math.abs(area) / (chord * chord);
    // Near nothing the half angle is six times as much.
    if (6 * share < LEAST_HALF_ANGLE) return false;
    const half = halfAngleOf(share);
    if (!(half > LEAST_HALF_ANGLE && half < MOST_HALF_ANGLE)) return false;
    const radius = chord / (2 * Math.sin(half));
    if (radius > this.largestRadius) return false;
    const sign = area > 0 ? 1 : -1;
    // With y down a clockwise way has its center to its right, which is (-dy, dx).
    const toCenter = (radius * Math.cos(half) * sign) / chord;
    const cx = x0 + dx / 2 - dy * toCenter;
    const cy = y0 + dy / 2 + dx * toCenter;
    if (!this.accepts(first, last, cx, cy, radius * sign, half, goesOnBefore, goesOnAfter)) return false;
    this.radius = radius * sign;
    this.large = half > Math.PI / 2;
    return true;
  }

  /**
   * Whether an arc, with its radius signed as in `ArcRuns` and half the angle it spans, stands for a run of segments. With `inset`, a
   * share of the way between two places, the ends themselves are not looked at.
   */
  accepts(
    first: number,
    last: number,
    cx: number,
    cy: number,
    signedRadius: number,
    half: number,
    goesOnBefore: boolean,
    goesOnAfter: boolean,
    inset = 0,
  ): boolean {
    const { points } = this;
    const radius = Math.abs(signedRadius);
    const sign = Math.sign(signedRadius);
    for (let k = first; k <= last; k++) {
      const p = k * 8;
      const part = Math.asin(
        Math.min(1, distance(points[p + 6] - points[p], points[p + 7] - points[p + 1]) / (2 * radius)),
      );
      const quarters = (2 * (last > first ? part : half)) / (Math.PI / 2);
      const inherent =
        this.kinds[k] === SEGMENT_CUBIC && radius < INHERENT_RADIUS_PX ? radius * QUARTER_ERROR * quarters ** 6 : 0;
      const limit = this.offPx + Math.min(inherent, MOST_INHERENT_PX);
      for (let i = 1; i <= PLACES; i++) {
        const t = (i - inset) / PLACES;
        const off = Math.abs(distance(this.at(p, t) - cx, this.at(p + 1, t) - cy) - radius);
        if (off <= limit) continue;
        this.isFar = off > 4 * limit;
        return false;
      }
    }
    const begin = first * 8;
    const end = last * 8 + 6;
    if (goesOnBefore && !this.isAligned(first, -1, -(points[begin + 1] - cy) * sign, (points[begin] - cx) * sign))
      return false;
    return !goesOnAfter || this.isAligned(last, 1, -(points[end + 1] - cy) * sign, (points[end] - cx) * sign);
  }

  /** Whether an arc with this direction at a segment's end goes on as the curves do, or they have a corner there. */
  private isAligned(k: number, side: 1 | -1, ux: number, uy: number): boolean {
    const beside = this.tangent(k + side, side === 1);
    const own = this.tangent(k, side === -1);
    if (Math.abs(turn(Math.cos(own), Math.sin(own), beside)) > SMOOTH_TURN) return true;
    return Math.abs(turn(ux, uy, beside)) < SMOOTH_TURN;
  }

  private tangent(k: number, atStart: boolean): number {
    const { points } = this;
    const p = k * 8;
    if (this.kinds[k] === SEGMENT_LINE) return Math.atan2(points[p + 7] - points[p + 1], points[p + 6] - points[p]);
    return atStart
      ? Math.atan2(points[p + 3] - points[p + 1], points[p + 2] - points[p])
      : Math.atan2(points[p + 7] - points[p + 5], points[p + 6] - points[p + 4]);
  }

  private at(p: number, t: number): number {
    const { points } = this;
    const u = 1 - t;
    return u * u * u * points[p] + 3 * u * t * (u * points[p + 2] + t * points[p + 4]) + t * t * t * points[p + 6];
  }

  /** The area a segment sweeps as seen from a point: positive where it turns clockwise on screen. */
  private areaFrom(k: number, x: number, y: number): number {
    const { points } = this;
    const p = k * 8;
    const x0 = points[p] - x;
    const y0 = points[p + 1] - y;
    const x3 = points[p + 6] - x;
    const y3 = points[p + 7] - y;
    if (this.kinds[k] === SEGMENT_LINE) return (x0 * y3 - y0 * x3) / 2;
    const x1 = points[p + 2] - x;
    const y1 = points[p + 3] - y;
    const x2 = points[p + 4] - x;
    const y2 = points[p + 5] - y;
    const near = 6 * (x0 * y1 - y0 * x1) + 3 * (x0 * y2 - y0 * x2) + (x0 * y3 - y0 * x3);
    const far = 3 * (x1 * y2 - y1 * x2) + 3 * (x1 * y3 - y1 * x3) + 6 * (x2 * y3 - y2 * x3);
    return (near + far) / 20;
  }
}

/** From one direction to an angle, -π..π. */
function turn(ux: number, uy: number, angle: number): number {
  const vx = Math.cos(angle);
  const vy = Math.sin(angle);
  return Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy);
}

/** Half the angle of the arc whose segment has this area over the square of its chord, by Newton's way. */
function halfAngleOf(share: number): number {
  let half = 2 * Math.atan(3 * share);
  for (let i = 0; i < 5; i++) {
    const sin = Math.sin(half);
    const cos = Math.cos(half);
    const now = (half - sin * cos) / (4 * sin * sin);
    half = Math.max(1e-3, Math.min(3, half - (now - share) / (0.5 - (2 * now * cos) / sin)));
  }
  return half;
}
