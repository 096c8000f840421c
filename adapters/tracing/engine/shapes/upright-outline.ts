import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { coveredByDisk } from './disk-cover.js';
import { isRounding } from './pixel-rounding.js';

/** Sides of an outline that is looked at, and cracks along it, at most. */
const MOST_SIDES = 48;
const MOST_CRACKS = 1024;
const MOST_STRETCHES = 4 * MOST_SIDES;
/** Cracks that a stretch between two turns has to be a side, tried in turn: shorter ones are a corner that is cut off or round, or the steps of a slope. */
const SIDE_CRACKS = [2, 3, 5];
/** From so many cracks on those near to the ends of a side are left out, up to so many: their pixels have a corner in them. */
const LONG_SIDE = 3;
const MOST_LEFT_OUT = 8;
/** By how much what the pixels of a side say may differ, px. */
const SPREAD_PX = 0.04;
/** What a round corner has less than a square one, over its radius squared; what is no rounding, px², and radii that are looked for, px. */
const CORNER_SHARE = 1 - Math.PI / 4;
const LEAST_CUT_PX2 = 0.02;
const LARGEST_RADIUS_PX = 8;
/** Colors that differ by less (levels in four channels, squared) prove nothing. */
const LEAST_CONTRAST_SQ = 24 * 24;
/** Px from where an open chain ends whose pixels have something else in them. */
const END_PX = 2;

/**
 * Chains all of whose sides are level or upright, as the pixels along them prove: letters, crosses, frames, stairs, tabs. A side lies where the
 * pixels along it say, off its corners, and a corner is round by as much as is missing in it; the outline is taken where it leaves of each pixel beside it
 * what that has, to within its rounding. Near the ends of an open chain nothing is proven.
 */
export class UprightOutlineFinder {
  /** Of the outline found last: its corners, x and y in turn, in the chain's order, and the radius of each. An open one begins and ends elsewhere. */
  count = 0;
  readonly corners = new Float64Array(2 * MOST_SIDES);
  readonly radii = new Float64Array(MOST_SIDES);
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  private readonly mayBeRound: boolean;
  private isClosed = true;
  /** Per stretch of the chain at hand that goes straight on: its first vertex, its cracks, and its direction (0 right, 1 down, 2 left, 3 up). */
  private stretches = 0;
  private readonly stretchFirst = new Int32Array(MOST_STRETCHES);
  private readonly stretchCracks = new Int32Array(MOST_STRETCHES);
  private readonly stretchDirection = new Int8Array(MOST_STRETCHES);
  /** The same of those that are sides, and where each lies: x of an upright one, y of a level one. */
  private sides = 0;
  private readonly first = new Int32Array(MOST_SIDES);
  private readonly cracks = new Int32Array(MOST_SIDES);
  private readonly direction = new Int8Array(MOST_SIDES);
  private readonly place = new Float64Array(MOST_SIDES);
  /** Where an open chain begins and ends. */
  private readonly ends = new Float64Array(4);
  /** The left color, and what the right one has more. */
  private readonly left = new Float64Array(4);
  private readonly more = new Float64Array(4);
  private lengthSq = 0;
  /** The whole pixels that what is swept has more than what is covered. */
  private whole = 0;

  /** Corners are square unless they `mayBeRound`. */
  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array, mayBeRound: boolean) {
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
    this.mayBeRound = mayBeRound;
  }

  /** Whether a chain with a region on either side is such an outline. */
  find(chain: number): boolean {
    const { map } = this;
    const steps = map.starts[chain + 1] - map.starts[chain] - 1;
    this.isClosed = map.startNode[chain] < 0;
    if (steps > MOST_CRACKS || !this.divide(chain, steps)) return false;
    this.usePair(map.left[chain], map.right[chain]);
    if (!(this.lengthSq > LEAST_CONTRAST_SQ)) return false;
    let before = 0;
    for (const least of SIDE_CRACKS) {
      if (!this.takeSides(least) || this.sides === before) continue;
      before = this.sides;
      if (this.placeSides(chain, steps) && this.isProven(chain, steps)) return true;
    }
    return false;
  }

  /** Whether no corner of the outline found last is round. */
  get isSharp(): boolean {
    return this.radii.every((radius, k) => k >= this.count || radius === 0);
  }

  /** How far the nodes that the open chain found last begins and ends at are off its first and its last side at most, px. */
  offEnds(nodes: Float64Array, start: number, end: number): number {
    const { place, direction, sides } = this;
    const atStart = nodes[2 * start + (direction[0] % 2 === 0 ? 1 : 0)] - place[0];
    const atEnd = nodes[2 * end + (direction[sides - 1] % 2 === 0 ? 1 : 0)] - place[sides - 1];
    return Math.max(Math.abs(atStart), Math.abs(atEnd));
  }

  /** Moves the nodes that the open chain found last begins and ends at onto its first and its last side. */
  moveEnds(nodes: Float64Array, start: number, end: number): void {
    const { place, direction, sides } = this;
    nodes[2 * start + (direction[0] % 2 === 0 ? 1 : 0)] = place[0];
    nodes[2 * end + (direction[sides - 1] % 2 === 0 ? 1 : 0)] = place[sides - 1];
  }

  /** Divides the chain at its turns, a closed one beginning with a long stretch, so that no corner lies across the beginning; false where it has too many. */
  private divide(chain: number, steps: number): boolean {
    const { map, stretchFirst, stretchCracks, stretchDirection } = this;
    this.stretches = 0;
    const from = map.starts[chain];
    let begin = 0;
    if (this.isClosed) {
      for (; begin < steps; begin++) {
        const here = this.directionOf(from, begin);
        const isTurn = here !== this.directionOf(from, (begin + steps - 1) % steps);
        if (isTurn && this.goesOn(from, steps, begin, here)) break;
      }
      if (begin === steps) return false;
    }
    let before = -1;
    for (let k = 0; k < steps; k++) {
      const at = (begin + k) % steps;
      const here = this.directionOf(from, at);
      if (here !== before) {
        if (this.stretches === MOST_STRETCHES) return false;
        stretchFirst[this.stretches] = at;
        stretchCracks[this.stretches] = 0;
        stretchDirection[this.stretches++] = here;
        before = here;
      }
      stretchCracks[this.stretches - 1]++;
    }
    return this.stretches >= (this.isClosed ? 4 : 2);
  }

  /** Whether a chain keeps its direction from a crack on for as long as any side does: what has no such stretch may be a disk of a few pixels. */
  private goesOn(from: number, steps: number, begin: number, direction: number): boolean {
    for (let k = 1; k < Math.min(SIDE_CRACKS[SIDE_CRACKS.length - 1], steps); k++)
      if (this.directionOf(from, (begin + k) % steps) !== direction) return false;
    return true;
  }

  private directionOf(from: number, k: number): number {
    const { vertices, width } = this.map;
    const step = vertices[from + k + 1] - vertices[from + k];
    return step === 1 ? 0 : step === -1 ? 2 : step === width + 1 ? 1 : 3;
  }

  /**
   * Takes the stretches of so many cracks for sides, and what is between two of them for a corner that is cut off or round; the tip of a bar is a side,
   * however short. False where they are not level and upright in turn, or what is between them leads elsewhere than from the one to the other.
   */
  private takeSides(least: number): boolean {
    const { stretches, stretchFirst, stretchCracks, stretchDirection, first, cracks, direction } = this;
    this.sides = 0;
    for (let k = 0; k < stretches; k++) {
      const here = stretchDirection[k];
      const before = stretchDirection[(k + stretches - 1) % stretches];
      const after = stretchDirection[(k + 1) % stretches];
      const isEnd = !this.isClosed && (k === 0 || k + 1 === stretches);
      const isTip = stretchCracks[k] > 1 && !isEnd && (before - after + 4) % 4 === 2;
      if (stretchCracks[k] < least && !isTip) {
        // Of a corner, which turns to and fro: on in the direction of the side before, or of the side after.
        if (isEnd || (before - after + 4) % 4 !== 0) return false;
        continue;
      }
      if (this.sides === MOST_SIDES) return false;
      first[this.sides] = stretchFirst[k];
      cracks[this.sides] = stretchCracks[k];
      direction[this.sides++] = here;
    }
    const { sides, isClosed } = this;
    if (sides < (isClosed ? 4 : 2) || (isClosed && sides % 2 !== 0)) return false;
    for (let s = 0; s < (isClosed ? sides : sides - 1); s++)
      if ((direction[s] + direction[(s + 1) % sides]) % 2 === 0) return false;
    return true;
  }

  private usePair(left: number, right: number): void {
    const { colors } = this.regions;
    this.lengthSq = 0;
    for (let i = 0; i < 4; i++) {
      this.left[i] = colors[left * 4 + i];
      this.more[i] = colors[right * 4 + i] - this.left[i];
      this.lengthSq += this.more[i] * this.more[i];
    }
  }

  /** How much of a pixel the right color covers. */
  private shareAt(x: number, y: number): number {
    const { rgba, left, more, lengthSq } = this;
    const at = (y * this.regions.width + x) * 4;
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += (rgba[at + i] - left[i]) * more[i];
    return dot / lengthSq;
  }

  /** Places the sides, has them meet, and rounds their corners; false where pixels do not say where one lies. */
  private placeSides(chain: number, steps: number): boolean {
    for (let s = 0; s < this.sides; s++) {
      const place = this.placeOf(chain, steps, s);
      if (Number.isNaN(place)) return false;
      this.place[s] = place;
    }
    this.meet(chain, steps);
    this.radii.fill(0, 0, this.count);
    this.whole = this.wholeAlong(chain, steps);
    if (Number.isNaN(this.whole)) return false;
    if (this.mayBeRound) for (let k = 0; k < this.count; k++) this.radii[k] = this.radiusOf(k);
    return true;
  }

  /** Where side `s` lies; NaN where its pixels do not say. */
  private placeOf(chain: number, steps: number, s: number): number {
    const { first, cracks, direction, sides, map } = this;
    const stride = map.width + 1;
    const count = cracks[s];
    const isLong = count >= LONG_SIDE;
    const here = direction[s];
    const isEnd = !this.isClosed && (s === 0 || s === sides - 1);
    // To the right of its way: below one that runs right.
    const before = (here - direction[(s + sides - 1) % sides] + 4) % 4;
    const behind = (direction[(s + 1) % sides] - here + 4) % 4;
    if (!isLong && (isEnd || before !== behind)) return Number.NaN;
    const out = isLong ? Math.min(MOST_LEFT_OUT, (count - 1) >> 1) : 0;
    let sum = 0;
    let least = Infinity;
    let most = -Infinity;
    for (let k = out; k < count - out; k++) {
      const vertex = map.vertices[map.starts[chain] + ((first[s] + k) % steps)];
      const y = Math.floor(vertex / stride);
      const shift = this.shiftOf(vertex - y * stride, y, here);
      sum += shift;
      if (shift < least) least = shift;
      if (shift > most) most = shift;
    }
    if (isLong && most - least > SPREAD_PX) return Number.NaN;
    // Of a short side the pixel that is wholly in its stretch reaches farthest: inwards of a bay's, outwards of a tip's.
    const shift = isLong ? sum / (count - 2 * out) : before === 1 ? least : most;
    const vertex = map.vertices[map.starts[chain] + first[s]];
    const y = Math.floor(vertex / stride);
    const line = here % 2 === 0 ? y : vertex - y * stride;
    // Towards the right of the way: down, left, up, right.
    return here === 0 || here === 3 ? line + shift : line - shift;
  }

  /** How far the edge is to the right of the crack that leaves a vertex in a direction, px. */
  private shiftOf(x: number, y: number, direction: number): number {
    const px = direction === 2 ? x - 1 : x;
    const py = direction === 3 ? y - 1 : y;
    const [rx, ry] = direction === 1 ? [px - 1, py] : direction === 2 ? [px, py - 1] : [px, py];
    const [lx, ly] = direction === 0 ? [px, py - 1] : direction === 3 ? [px - 1, py] : [px, py];
    return 1 - this.shareAt(rx, ry) - this.shareAt(lx, ly);
  }

  /** Where the sides meet: of a closed chain corner `k` is between the sides `k` - 1 and `k`, of an open one between `k` and `k` + 1. */
  private meet(chain: number, steps: number): void {
    const { sides, place, direction, corners, isClosed, ends, map } = this;
    const stride = map.width + 1;
    this.count = isClosed ? sides : sides - 1;
    for (let k = 0; k < this.count; k++) {
      const before = isClosed ? (k + sides - 1) % sides : k;
      const behind = isClosed ? k : k + 1;
      const isLevel = direction[behind] % 2 === 0;
      corners[2 * k] = place[isLevel ? before : behind];
      corners[2 * k + 1] = place[isLevel ? behind : before];
    }
    for (let e = 0; e < 2; e++) {
      const vertex = map.vertices[map.starts[chain] + (e === 0 ? 0 : steps)];
      ends[2 * e] = vertex % stride;
      ends[2 * e + 1] = Math.floor(vertex / stride);
    }
  }

  /** Whether the outline turns right at corner `k`, and the signs of the directions inwards: against the way that comes, and along the one that goes. */
  private turnAt(k: number): { readonly inX: number; readonly inY: number; readonly isRight: boolean } {
    const { direction, sides, isClosed } = this;
    const before = direction[isClosed ? (k + sides - 1) % sides : k];
    const behind = direction[isClosed ? k : k + 1];
    return {
      inX: before === 0 || behind === 2 ? -1 : 1,
      inY: before === 1 || behind === 3 ? -1 : 1,
      isRight: (behind - before + 4) % 4 === 1,
    };
  }

  /** The coordinate of a point `k` of the outline along an axis (0 or 1): of a corner, or where an open chain begins (-1) or ends (`count`). */
  private pointAt(k: number, axis: number): number {
    const { count, corners, ends } = this;
    if (this.isClosed) return corners[2 * ((k + count) % count) + axis];
    return k < 0 ? ends[axis] : k === count ? ends[2 + axis] : corners[2 * k + axis];
  }

  /** The radius that corner `k` is round by, as long as its sides are long enough: by what the pixels around have less of it than a sharp one has. */
  private radiusOf(k: number): number {
    const { corners } = this;
    const lengthTo = (other: number) =>
      Math.abs(this.pointAt(other, 0) - corners[2 * k]) + Math.abs(this.pointAt(other, 1) - corners[2 * k + 1]);
    const most = Math.min(lengthTo(k - 1) / 2, lengthTo(k + 1) / 2, LARGEST_RADIUS_PX);
    const { inX, inY, isRight } = this.turnAt(k);
    const [fromX, toX] = pixelsAround(corners[2 * k], inX, most, this.regions.width);
    const [fromY, toY] = pixelsAround(corners[2 * k + 1], inY, most, this.regions.height);
    let missing = 0;
    for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++) missing += this.offAt(x, y);
    // A corner to the right takes from the right color, one to the left adds to it.
    const cut = isRight ? missing : -missing;
    return cut < LEAST_CUT_PX2 ? 0 : Math.min(most, Math.sqrt(cut / CORNER_SHARE));
  }

  /** By how much more the outline leaves the right color of a pixel than that has; 0 where that is not to be told. */
  private offAt(x: number, y: number): number {
    const off = this.coveredOf(x, y) - this.whole - this.shareAt(x, y);
    return Number.isNaN(off) ? 0 : off;
  }

  /** The whole pixels that are swept too many beside the middle of the first side of which that can be told; NaN where there is none. */
  private wholeAlong(chain: number, steps: number): number {
    const { map, first, cracks, direction } = this;
    const stride = map.width + 1;
    for (let s = 0; s < this.sides; s++) {
      const vertex = map.vertices[map.starts[chain] + ((first[s] + (cracks[s] >> 1)) % steps)];
      const y = Math.floor(vertex / stride);
      const px = vertex - y * stride - (direction[s] === 2 ? 1 : 0);
      const py = direction[s] === 3 ? y - 1 : y;
      const off = this.coveredOf(px, py) - this.shareAt(px, py);
      if (!Number.isNaN(off)) return Math.round(off);
    }
    return Number.NaN;
  }

  /** Whether the pixels on both sides of every crack have what the outline leaves of them. */
  private isProven(chain: number, steps: number): boolean {
    const { map, isClosed } = this;
    const stride = map.width + 1;
    const from = map.starts[chain];
    for (let k = isClosed ? 0 : END_PX; k < (isClosed ? steps : steps - END_PX); k++) {
      const vertex = map.vertices[from + k];
      const y = Math.floor(vertex / stride);
      const x = vertex - y * stride;
      const here = this.directionOf(from, k);
      const px = here === 2 ? x - 1 : x;
      const py = here === 3 ? y - 1 : y;
      const isLevel = here % 2 === 0;
      if (!this.isAlike(px, py) || !this.isAlike(isLevel ? px : px - 1, isLevel ? py - 1 : py)) return false;
    }
    return true;
  }

  private isAlike(x: number, y: number): boolean {
    const { rgba, left, more } = this;
    const share = this.coveredOf(x, y) - this.whole;
    if (Number.isNaN(share)) return true;
    const at = (y * this.regions.width + x) * 4;
    for (let i = 0; i < 4; i++) if (!isRounding(rgba[at + i] - left[i] - share * more[i], more[i])) return false;
    return true;
  }

  /** How much of a pixel the outline leaves the right color, but for whole pixels; NaN near where an open chain ends. */
  private coveredOf(x: number, y: number): number {
    const { isClosed, ends, count, radii, corners } = this;
    if (!isClosed)
      for (let e = 0; e < 4; e += 2)
        if (Math.abs(x + 0.5 - ends[e]) < END_PX && Math.abs(y + 0.5 - ends[e + 1]) < END_PX) return Number.NaN;
    let covered = this.swept(x, y);
    for (let k = 0; k < count; k++) {
      const r = radii[k];
      const cx = corners[2 * k];
      const cy = corners[2 * k + 1];
      if (r === 0 || x + 1 < cx - r || x > cx + r || y + 1 < cy - r || y > cy + r) continue;
      const { inX, inY, isRight } = this.turnAt(k);
      const cut = cutOf(x, y, cx, cy, inX, inY, r);
      covered += isRight ? -cut : cut;
    }
    return covered;
  }

  /**
   * What of a pixel lies to the right of the upright sides as they pass its row, of those that go up for more and of the others for less. The first and
   * the last side of an open chain go on for ever, and level ones that come from the left, or end there, are joined there from below.
   */
  private swept(x: number, y: number): number {
    const { isClosed, sides, direction, place } = this;
    let covered = 0;
    for (let side = 0; side < sides; side++) {
      const isFirst = !isClosed && side === 0;
      const isLast = !isClosed && side === sides - 1;
      const here = direction[side];
      if (here === 0 && isFirst) covered += Math.max(0, Math.min(1, y + 1 - place[side]));
      if (here === 2 && isLast) covered -= Math.max(0, Math.min(1, y + 1 - place[side]));
      if (here % 2 === 0) continue;
      const sign = here === 1 ? 1 : -1;
      const from = isFirst ? -sign * Infinity : place[(side + sides - 1) % sides];
      const to = isLast ? sign * Infinity : place[(side + 1) % sides];
      const high = Math.max(0, Math.min(y + 1, Math.max(from, to)) - Math.max(y, Math.min(from, to)));
      covered -= sign * high * Math.max(0, Math.min(1, x + 1 - place[side]));
    }
    return covered;
  }
}

/** The pixels, from one to before the other, that a corner may be round in: `most` px inwards, and the next one outwards. */
function pixelsAround(at: number, inwards: number, most: number, size: number): readonly [number, number] {
  const from = inwards > 0 ? Math.floor(at) - 1 : Math.ceil(at - most);
  const to = inwards > 0 ? Math.floor(at + most) : Math.ceil(at) + 1;
  return [Math.max(0, from), Math.min(size, to)];
}

/** How much of a pixel a corner that is round leaves free, of what lies between its sides: those go inwards from its tip in the signs' directions. */
function cutOf(x: number, y: number, tipX: number, tipY: number, inX: number, inY: number, radius: number): number {
  const left = Math.max(x, inX > 0 ? tipX : tipX - radius);
  const right = Math.min(x + 1, inX > 0 ? tipX + radius : tipX);
  const top = Math.max(y, inY > 0 ? tipY : tipY - radius);
  const bottom = Math.min(y + 1, inY > 0 ? tipY + radius : tipY);
  if (!(right > left) || !(bottom > top)) return 0;
  const disk = coveredByDisk(left, top, right, bottom, tipX + inX * radius, tipY + inY * radius, radius);
  return (right - left) * (bottom - top) - disk;
}
