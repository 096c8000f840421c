import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { isRounding } from './pixel-rounding.js';

/** Sides of an outline that is looked at, and cracks along it, at most. */
const MOST_SIDES = 48;
const MOST_CRACKS = 1024;
/** Cracks of a side, at least: fewer are the steps of a slope. */
const LEAST_SIDE = 2;
/** From so many cracks on the outermost ones of a side are left out: their pixels have a corner in them. */
const LONG_SIDE = 3;

/**
 * Closed chains all of whose sides are level or upright, as the pixels along them prove: letters, crosses, frames, stairs. A side lies where the
 * pixels along it say, off its corners; the outline is taken where it leaves of each pixel beside it what that has, to within its rounding.
 */
export class UprightOutlineFinder {
  /** Of the outline found last: its corners, x and y in turn, in the chain's order. */
  count = 0;
  readonly corners = new Float64Array(2 * MOST_SIDES);
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  /** Per side of the chain at hand: its first vertex, its cracks, its direction (0 right, 1 down, 2 left, 3 up), and where it lies. */
  private sides = 0;
  private readonly first = new Int32Array(MOST_SIDES * 2);
  private readonly cracks = new Int32Array(MOST_SIDES * 2);
  private readonly direction = new Int8Array(MOST_SIDES * 2);
  private readonly place = new Float64Array(MOST_SIDES);
  /** The left color, and what the right one has more. */
  private readonly left = new Float64Array(4);
  private readonly more = new Float64Array(4);
  private lengthSq = 0;

  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array) {
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
  }

  /** Whether a closed chain with a region on either side is such an outline. */
  find(chain: number): boolean {
    const { map } = this;
    const steps = map.starts[chain + 1] - map.starts[chain] - 1;
    if (steps > MOST_CRACKS || !this.divide(chain, steps) || !this.joinCutCorners()) return false;
    this.usePair(map.left[chain], map.right[chain]);
    if (!(this.lengthSq > 0)) return false;
    for (let s = 0; s < this.sides; s++) {
      const place = this.placeOf(chain, steps, s);
      if (Number.isNaN(place)) return false;
      this.place[s] = place;
    }
    this.meet();
    return this.isProven(chain, steps);
  }

  /** Divides the chain at its turns, beginning with a long side, so that no corner lies across the beginning; false where it has too many. */
  private divide(chain: number, steps: number): boolean {
    const { map, first, cracks, direction } = this;
    this.sides = 0;
    const from = map.starts[chain];
    let begin = 0;
    for (; begin < steps; begin++) {
      const here = this.directionOf(from, begin);
      const isTurn = here !== this.directionOf(from, (begin + steps - 1) % steps);
      if (isTurn && here === this.directionOf(from, (begin + 1) % steps)) break;
    }
    if (begin === steps) return false;
    let before = -1;
    for (let k = 0; k < steps; k++) {
      const at = (begin + k) % steps;
      const here = this.directionOf(from, at);
      if (here !== before) {
        if (this.sides === first.length) return false;
        first[this.sides] = at;
        cracks[this.sides] = 0;
        direction[this.sides++] = here;
        before = here;
      }
      cracks[this.sides - 1]++;
    }
    return this.sides >= 4;
  }

  private directionOf(from: number, k: number): number {
    const { vertices, width } = this.map;
    const step = vertices[from + k + 1] - vertices[from + k];
    return step === 1 ? 0 : step === -1 ? 2 : step === width + 1 ? 1 : 3;
  }

  /**
   * A corner less than half of whose pixel is covered is cut off: two sides of one crack stand for it. Leaves them out; false where what is left
   * are not long sides that are level and upright in turn.
   */
  private joinCutCorners(): boolean {
    const { first, cracks, direction, sides } = this;
    let kept = 0;
    for (let k = 0; k < sides; k++) {
      if (cracks[k] < LEAST_SIDE) {
        k++;
        if (k === sides || cracks[k] >= LEAST_SIDE) return false;
        continue;
      }
      if (kept === MOST_SIDES) return false;
      first[kept] = first[k];
      cracks[kept] = cracks[k];
      direction[kept++] = direction[k];
    }
    this.sides = kept;
    if (kept < 4 || kept % 2 !== 0) return false;
    for (let s = 0; s < kept; s++) if ((direction[s] + direction[(s + 1) % kept]) % 2 === 0) return false;
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

  /** How much of a pixel the right color covers; outside the picture none. */
  private shareAt(x: number, y: number): number {
    const { rgba, left, more, lengthSq } = this;
    const at = (y * this.regions.width + x) * 4;
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += (rgba[at + i] - left[i]) * more[i];
    return dot / lengthSq;
  }

  /** Where side `s` lies, x of an upright one, y of a level one; NaN where its pixels do not say. */
  private placeOf(chain: number, steps: number, s: number): number {
    const { first, cracks, direction, map } = this;
    const stride = map.width + 1;
    const count = cracks[s];
    const isLong = count >= LONG_SIDE;
    const here = direction[s];
    // To the right of its way: below one that runs right.
    const before = (here - direction[(s + this.sides - 1) % this.sides] + 4) % 4;
    const behind = (direction[(s + 1) % this.sides] - here + 4) % 4;
    if (!isLong && before !== behind) return Number.NaN;
    let sum = 0;
    let most = -Infinity;
    let n = 0;
    for (let k = isLong ? 1 : 0; k < (isLong ? count - 1 : count); k++) {
      const vertex = map.vertices[map.starts[chain] + ((first[s] + k) % steps)];
      const y = Math.floor(vertex / stride);
      const x = vertex - y * stride;
      const shift = this.shiftOf(x, y, here);
      sum += shift;
      n++;
      // Of a short side the pixel that is wholly in its stretch reaches farthest: inwards of a bay's, outwards of a tip's.
      const reach = before === 1 ? -shift : shift;
      if (reach > most) most = reach;
    }
    const shift = isLong ? sum / n : before === 1 ? -most : most;
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

  /** Where the sides meet. */
  private meet(): void {
    const { sides, place, direction, corners } = this;
    this.count = sides;
    for (let s = 0; s < sides; s++) {
      const before = place[(s + sides - 1) % sides];
      const isLevel = direction[s] % 2 === 0;
      corners[2 * s] = isLevel ? before : place[s];
      corners[2 * s + 1] = isLevel ? place[s] : before;
    }
  }

  /** Whether the pixels on both sides of every crack have what the outline leaves of them. */
  private isProven(chain: number, steps: number): boolean {
    const { map } = this;
    const stride = map.width + 1;
    const from = map.starts[chain];
    for (let k = 0; k < steps; k++) {
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
    const { rgba, left, more, sides, corners } = this;
    // What lies to the right of the upright sides, as they pass the pixel's row: within a chain that runs clockwise that is all.
    let covered = 0;
    let turns = 0;
    for (let s = 0; s < sides; s++) {
      const next = (s + 1) % sides;
      const x0 = corners[2 * s];
      const y0 = corners[2 * s + 1];
      const y1 = corners[2 * next + 1];
      turns += x0 * y1 - corners[2 * next] * y0;
      if (y0 === y1) continue;
      const high = Math.max(0, Math.min(y + 1, Math.max(y0, y1)) - Math.max(y, Math.min(y0, y1)));
      const wide = Math.max(0, Math.min(1, x + 1 - x0));
      covered += y1 < y0 ? high * wide : -high * wide;
    }
    // The right color is within where the chain runs clockwise, and all around where it does not.
    const share = turns > 0 ? covered : 1 + covered;
    const at = (y * this.regions.width + x) * 4;
    for (let i = 0; i < 4; i++) {
      const off = rgba[at + i] - left[i] - share * more[i];
      if (!isRounding(off, more[i])) return false;
    }
    return true;
  }
}
