import {
  CONTOUR_FIRST,
  CONTOUR_MATRIX,
  CONTOUR_NEAR,
  CONTOUR_PAINTED,
  CONTOUR_RHS,
  CONTOUR_ROOM,
  CONTOUR_ROW,
  CONTOUR_SOLUTION,
  CONTOUR_WANTED,
  MOST_PIECES,
  MOST_SIDE_CHORDS,
  MOST_SIDES,
  MOST_UNKNOWNS,
  PIECE_NEXT,
  PIECE_SIDE,
  SIDE_NUMBERS,
  SIDE_PLACES,
  SIDE_ROW,
  UNKNOWN_OF,
} from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { arena } from '../math/arena.js';
import { clamp, within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { turnsClockwise } from '../planar-map/turns-clockwise.js';
import type { Regions } from '../segment/regions.js';
import type { ContourMoments } from '../shapes/contour-moments.js';
import { PixelMoments } from '../shapes/pixel-moments.js';
import { ContourMotion, LARGEST_STEP_PX } from './contour-motion.js';
import { placeOnCracks } from './crack-places.js';
import { LARGEST_BULGE, type SidedContour, type SidePlaces } from './sided-contour.js';

/** What is looked at around a contour, px, and the largest contour that is looked at, px either way: rows have two pixels more for what spills over. */
const MARGIN_PX = 3;
const LARGEST_PX = CONTOUR_ROW - 2 * MARGIN_PX - 2;
/** Pixels as far as this from a contour's cracks are compared, px. */
const REACH_PX = 2;
/** Steps towards the pixels, at most; damping beside the pixels' own evidence, and what success and failure make of it. */
const MOST_STEPS = 12;
const FIRST_DAMPING = 0.02;
const LOWER = 0.3;
const RAISE = 10;
/** A bulge changes by no more in one step. */
const LARGEST_BULGE_STEP = 0.3;
/** A step that gains less than this share is the last. */
const LEAST_GAIN = 0.02;
/** And after so many one that gains less than this, where much is left. */
const HOPEFUL_STEPS = 5;
const HOPELESS = 0.7;
/** A contour is left alone where more than this share of the pixels along it have something else beside them. */
const MOST_LOST = 0.25;
/** What there is in a pixel and around it. */
const LEFT = 1;
const RIGHT = 2;
const BOTH = LEFT | RIGHT;
const OTHER = 4;

/**
 * The pixels along a small closed contour between two colors, as the shares of them that lie to the right of it; and contours of lines and arcs that
 * are moved until they leave just these (Gauss–Newton with Levenberg's damping, on exact areas).
 */
export class ContourPixels {
  /** How many pixels are compared. */
  count = 0;
  /** Squared contrast between the two colors. */
  contrastSq = 0;
  private left = 0;
  private top = 0;
  private width = 0;
  private height = 0;
  /** Of what is enclosed, by the shares of the pixels; for what has something else beside it, as its regions are. */
  moments: ContourMoments = { area: 0, cx: 0, cy: 0, xx: 0, xy: 0, yy: 0 };
  /** What is to the right where nothing is enclosed: all of it where the contour runs counterclockwise. */
  private outside = 0;
  private readonly sums = new PixelMoments();
  private readonly isNear = arena.rawUint8(CONTOUR_ROOM);
  // What the kernel works on, as `kernel-layout.ts` has it.
  private readonly wanted: Float64Array;
  private readonly near: Int32Array;
  private readonly painted: Float64Array;
  private readonly firstPiece: Int32Array;
  private readonly sideOf: Int32Array;
  private readonly nextPiece: Int32Array;
  private readonly unknownOf: Int32Array;
  private readonly solution: Float64Array;
  private readonly motion: ContourMotion;
  private readonly places: SidePlaces;
  /** Per side what is missed in its pixels. */
  private readonly missed = new Float64Array(MOST_SIDES);
  private readonly before = new Float64Array(3 * MOST_SIDES);

  /** Good until the kernels' memory is laid out for another band or painter. */
  constructor() {
    const { buffer } = kernelMemory.head;
    const ints = (at: number, length: number) => new Int32Array(buffer, at, length);
    const floats = (at: number, length: number) => new Float64Array(buffer, at, length);
    const placesOf = (row: number) => floats(SIDE_PLACES + row * SIDE_ROW, MOST_SIDE_CHORDS + 1);
    this.wanted = floats(CONTOUR_WANTED, CONTOUR_ROOM);
    this.near = ints(CONTOUR_NEAR, CONTOUR_ROOM);
    this.painted = floats(CONTOUR_PAINTED, CONTOUR_ROOM);
    this.firstPiece = ints(CONTOUR_FIRST, CONTOUR_ROOM);
    this.sideOf = ints(PIECE_SIDE, MOST_PIECES);
    this.nextPiece = ints(PIECE_NEXT, MOST_PIECES);
    this.unknownOf = ints(UNKNOWN_OF, SIDE_NUMBERS * MOST_SIDES);
    this.solution = floats(CONTOUR_SOLUTION, MOST_UNKNOWNS);
    const matrix = floats(CONTOUR_MATRIX, MOST_UNKNOWNS * MOST_UNKNOWNS);
    this.motion = new ContourMotion(matrix, floats(CONTOUR_RHS, MOST_UNKNOWNS), this.solution);
    const [x, y, u, v, du, dv] = [placesOf(0), placesOf(1), placesOf(2), placesOf(3), placesOf(4), placesOf(5)];
    this.places = { count: 0, x, y, u, v, du, dv, ex: 0, ey: 0 };
  }

  /** Whether the contour runs clockwise as seen. */
  get isClockwise(): boolean {
    return this.outside === 0;
  }

  /** Takes a closed chain with a region on either side; false where it is large, or something else is beside too much of it. */
  load(map: PlanarMap, regions: Regions, rgba: Uint8Array, chain: number): boolean {
    const { vertices, starts } = map;
    const stride = map.width + 1;
    const from = starts[chain];
    const to = starts[chain + 1];
    let left = map.width;
    let right = 0;
    let top = map.height;
    let bottom = 0;
    for (let i = from; i < to; i++) {
      const y = Math.floor(vertices[i] / stride);
      const x = vertices[i] - y * stride;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    if (right - left > LARGEST_PX || bottom - top > LARGEST_PX) return false;
    this.outside = turnsClockwise(map, chain) ? 0 : 1;
    this.left = Math.max(0, left - MARGIN_PX);
    this.top = Math.max(0, top - MARGIN_PX);
    this.width = Math.min(map.width, right + MARGIN_PX) - this.left;
    this.height = Math.min(map.height, bottom + MARGIN_PX) - this.top;
    this.isNear.fill(0);
    for (let i = from; i + 1 < to; i++) {
      const y = Math.floor(vertices[i] / stride) - this.top;
      const x = (vertices[i] % stride) - this.left;
      for (let v = Math.max(0, y - REACH_PX); v < Math.min(this.height, y + REACH_PX); v++)
        this.isNear.fill(
          1,
          v * CONTOUR_ROW + Math.max(0, x - REACH_PX),
          v * CONTOUR_ROW + Math.min(this.width, x + REACH_PX),
        );
    }
    return this.measure(regions, rgba, map.left[chain], map.right[chain]);
  }

  /** Takes the shares of all pixels near the contour that nothing else is beside; false where these are too few to tell all of it. */
  private measure(regions: Regions, rgba: Uint8Array, leftRegion: number, rightRegion: number): boolean {
    const { wanted, isNear, near } = this;
    const { colors, width } = regions;
    const l = leftRegion * 4;
    const r = rightRegion * 4;
    this.contrastSq = contrastSqOf(regions, leftRegion, rightRegion);
    if (!(this.contrastSq > 0)) return false;
    this.count = 0;
    const { sums } = this;
    sums.clear();
    const inner = this.outside === 0 ? rightRegion : leftRegion;
    let along = 0;
    let lost = 0;
    for (let v = 0; v < this.height; v++) {
      for (let u = 0; u < this.width; u++) {
        const at = v * CONTOUR_ROW + u;
        const x = this.left + u;
        const y = this.top + v;
        if (isNear[at] === 0) {
          if (regions.of[y * width + x] === inner) sums.add(u, v, 1);
          continue;
        }
        const beside = surroundings(regions, x, y, leftRegion, rightRegion);
        if ((beside & BOTH) === BOTH) along++;
        if ((beside & OTHER) !== 0) {
          if ((beside & BOTH) === BOTH) lost++;
          wanted[at] = Number.NaN;
          if (regions.of[y * width + x] === inner) sums.add(u, v, 1);
          continue;
        }
        const pixel = y * width + x;
        let dot = 0;
        for (let i = 0; i < 4; i++) dot += (rgba[pixel * 4 + i] - colors[l + i]) * (colors[r + i] - colors[l + i]);
        wanted[at] = dot / this.contrastSq;
        sums.add(u, v, this.outside === 0 ? wanted[at] : 1 - wanted[at]);
        near[this.count++] = at;
      }
    }
    const { left, top, height, outside } = this;
    this.moments = sums.measure(left, top);
    kernelMemory.kernel.takeContour(left, top, this.width, height, this.count, outside);
    return lost <= MOST_LOST * along;
  }

  /** Puts a place on every crack of the chain that was loaded, on the crack itself where something else is beside. Returns how many. */
  crossings(map: PlanarMap, chain: number, xs: Float64Array, ys: Float64Array): number {
    const { wanted, left, top } = this;
    return placeOnCracks(map, chain, (x, y) => wanted[(y - top) * CONTOUR_ROW + x - left], xs, ys);
  }

  /**
   * Moves a contour, which runs as the chain does, until it leaves what the pixels have; returns the squared differences that are left, summed. Where more than
   * `enough` is left and steps no longer gain much, it gives up. `asWhole` it stays what it is, but for its place, size and direction.
   */
  settle(contour: SidedContour, enough: number, asWhole = false): number {
    const { before } = this;
    const { kernel } = kernelMemory;
    const { numbers } = contour;
    const all = 3 * contour.count;
    let size = 0;
    let damping = FIRST_DAMPING;
    let least = Infinity;
    for (let step = 0; ; step++) {
      const misfit = this.compare(contour);
      const isLast =
        step === MOST_STEPS ||
        (misfit < least && misfit > least * (1 - LEAST_GAIN)) ||
        (step >= HOPEFUL_STEPS && misfit > enough && misfit > HOPELESS * least);
      if (misfit < least) {
        least = misfit;
        before.set(numbers.subarray(0, all));
        damping *= LOWER;
        if (isLast) return least;
        size = this.number(contour);
        kernel.sumContour(size);
      } else {
        numbers.set(before.subarray(0, all));
        damping *= RAISE;
        if (isLast) return least;
      }
      const isSolved = asWhole ? this.motion.solve(contour, damping) : kernel.solveContour(size, damping) !== 0;
      if (!isSolved) return least;
      this.move(contour);
    }
  }

  /** The side that misses most; a contour that has been settled. */
  worstSide(contour: SidedContour): number {
    this.compare(contour);
    const { firstPiece, nextPiece, sideOf, wanted, painted, near, missed } = this;
    missed.fill(0);
    for (let i = 0; i < this.count; i++) {
      const off = wanted[near[i]] - painted[near[i]];
      for (let a = firstPiece[near[i]]; a >= 0; a = nextPiece[a]) missed[sideOf[a]] += off * off;
    }
    let worst = 0;
    for (let k = 1; k < contour.count; k++) if (missed[k] > missed[worst]) worst = k;
    return worst;
  }

  private move({ numbers, count }: SidedContour): void {
    const { unknownOf, solution } = this;
    for (let k = 0; k < count; k++) {
      const at = 3 * k;
      const dx = solution[2 * k];
      const dy = solution[2 * k + 1];
      const length = Math.sqrt(dx * dx + dy * dy);
      const scale = length > LARGEST_STEP_PX ? LARGEST_STEP_PX / length : 1;
      numbers[at] = this.left + within(numbers[at] + scale * dx - this.left, this.width);
      numbers[at + 1] = this.top + within(numbers[at + 1] + scale * dy - this.top, this.height);
      const bulge = unknownOf[k * SIDE_NUMBERS + 4];
      if (bulge < 0) continue;
      numbers[at + 2] = clamp(numbers[at + 2] + clamp(solution[bulge], LARGEST_BULGE_STEP), LARGEST_BULGE);
    }
  }

  /** Numbers the unknowns, corners and then bulges; returns how many there are. */
  private number({ count, isArc }: SidedContour): number {
    const { unknownOf } = this;
    let size = 2 * count;
    for (let k = 0; k < count; k++) {
      const at = k * SIDE_NUMBERS;
      const next = k + 1 < count ? k + 1 : 0;
      unknownOf[at] = 2 * k;
      unknownOf[at + 1] = 2 * k + 1;
      unknownOf[at + 2] = 2 * next;
      unknownOf[at + 3] = 2 * next + 1;
      unknownOf[at + 4] = isArc[k] === 1 ? size++ : -1;
    }
    return size;
  }

  /** Paints what lies to the right of a contour, keeps what each side does to each pixel, and returns the squared differences, summed. */
  compare(contour: SidedContour): number {
    const { places } = this;
    const { kernel } = kernelMemory;
    kernel.clearContour();
    for (let k = 0; k < contour.count; k++) {
      contour.follow(k, places);
      kernel.paintSide(k, places.count, places.ex, places.ey);
    }
    return kernel.compareContour();
  }
}

/** The squared difference of two regions' colors, over all four channels. */
export function contrastSqOf({ colors }: Regions, left: number, right: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) sum += (colors[right * 4 + i] - colors[left * 4 + i]) ** 2;
  return sum;
}

/** Which of two regions, and whether any other, a pixel and the eight around it belong to. */
function surroundings({ of, width, height }: Regions, x: number, y: number, left: number, right: number): number {
  let found = 0;
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
      const region = of[v * width + u];
      found |= region === left ? LEFT : region === right ? RIGHT : OTHER;
    }
  }
  return found;
}
