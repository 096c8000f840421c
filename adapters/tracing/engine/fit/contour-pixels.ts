import { arena } from '../math/arena.js';
import { ProfileSystem } from '../math/profile-cholesky.js';
import { clamp, within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { turnsClockwise } from '../planar-map/turns-clockwise.js';
import type { Regions } from '../segment/regions.js';
import { type ArcPoints, LARGEST_BULGE, MOST_SIDES, type SidedContour } from './sided-contour.js';

/** Largest contour that is looked at, px either way, and what is looked at around it. */
const LARGEST_PX = 32;
const MARGIN_PX = 3;
/** A row of pixels, with one more for what spills over when it is painted, and another of them. */
const ROW = LARGEST_PX + 2 * MARGIN_PX + 2;
const ROOM = ROW * ROW;
/** Pixels as far as this from a contour's cracks are compared, px. */
const REACH_PX = 2;
/** Pixels that a contour's sides enter, each side by itself, at most. */
const MOST_PIECES = 2048;
/** Steps towards the pixels, at most; damping beside the pixels' own evidence, and what success and failure make of it. */
const MOST_STEPS = 12;
const FIRST_DAMPING = 0.02;
const LOWER = 0.3;
const RAISE = 10;
/** A corner moves no further in one step, px, and a bulge changes by no more. */
const LARGEST_STEP_PX = 0.8;
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
/** Unknowns of a side: where it begins, where it ends, how far it bulges. */
const OWN = 5;

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
  /** What is to the right where nothing is enclosed: all of it where the contour runs counterclockwise. */
  private outside = 0;
  private readonly wanted = arena.rawFloat64(ROOM);
  private readonly isNear = arena.rawUint8(ROOM);
  /** Numbers of the pixels that are compared. */
  private readonly near = arena.rawInt32(ROOM);
  private readonly painted = arena.rawFloat64(ROOM);
  // What a side does to a pixel: which, how much by each of its unknowns, and the next side in the same pixel.
  private readonly firstPiece = arena.rawInt32(ROOM);
  private readonly sideOf = arena.rawInt32(MOST_PIECES);
  private readonly nextPiece = arena.rawInt32(MOST_PIECES);
  private readonly slopes = arena.rawFloat64(MOST_PIECES * OWN);
  private pieceCount = 0;
  /** Which unknown each number of a side is, -1 for none. */
  private readonly unknownOf = new Int16Array(OWN * MOST_SIDES);
  private readonly system = new ProfileSystem();
  /** Per side what is missed in its pixels. */
  private readonly missed = new Float64Array(MOST_SIDES);
  private readonly before = new Float64Array(3 * MOST_SIDES);

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
        this.isNear.fill(1, v * ROW + Math.max(0, x - REACH_PX), v * ROW + Math.min(this.width, x + REACH_PX));
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
    let along = 0;
    let lost = 0;
    for (let v = 0; v < this.height; v++) {
      for (let u = 0; u < this.width; u++) {
        const at = v * ROW + u;
        if (isNear[at] === 0) continue;
        const x = this.left + u;
        const y = this.top + v;
        const beside = surroundings(regions, x, y, leftRegion, rightRegion);
        if ((beside & BOTH) === BOTH) along++;
        if ((beside & OTHER) !== 0) {
          if ((beside & BOTH) === BOTH) lost++;
          wanted[at] = Number.NaN;
          continue;
        }
        const pixel = y * width + x;
        let dot = 0;
        for (let i = 0; i < 4; i++) dot += (rgba[pixel * 4 + i] - colors[l + i]) * (colors[r + i] - colors[l + i]);
        wanted[at] = dot / this.contrastSq;
        near[this.count++] = at;
      }
    }
    return lost <= MOST_LOST * along;
  }

  /**
   * Puts a place on every crack of the chain that was loaded, where the shares of the pixels on either side pass a half (linear, between their middles); on the
   * crack itself where something else is beside. Returns how many.
   */
  crossings({ vertices, starts, width }: PlanarMap, chain: number, xs: Float64Array, ys: Float64Array): number {
    const stride = width + 1;
    const from = starts[chain];
    const count = starts[chain + 1] - from - 1;
    for (let i = 0; i < count; i++) {
      const y = Math.floor(vertices[from + i] / stride);
      const x = vertices[from + i] - y * stride;
      const nextY = Math.floor(vertices[from + i + 1] / stride);
      const nextX = vertices[from + i + 1] - nextY * stride;
      // The middle of the crack, and the way across it to its right, y down.
      const mx = (x + nextX) / 2;
      const my = (y + nextY) / 2;
      const rx = y - nextY;
      const ry = nextX - x;
      const right = this.shareAt(mx + rx / 2, my + ry / 2);
      const left = this.shareAt(mx - rx / 2, my - ry / 2);
      const passed = (0.5 - left) / (right - left);
      const off = passed >= 0 && passed <= 1 ? passed - 0.5 : 0;
      xs[i] = mx + off * rx;
      ys[i] = my + off * ry;
    }
    return count;
  }

  /** The share of the pixel around a place. */
  private shareAt(x: number, y: number): number {
    return this.wanted[Math.floor(y - this.top) * ROW + Math.floor(x - this.left)];
  }

  /**
   * Moves a contour, which runs as the chain does, until it leaves what the pixels have; returns the squared differences that are left, summed. Where more than
   * `enough` is left and steps no longer gain much, it gives up.
   */
  settle(contour: SidedContour, enough: number): number {
    const { before } = this;
    const { numbers, count } = contour;
    const size = 3 * count;
    let damping = FIRST_DAMPING;
    let least = Infinity;
    for (let step = 0; ; step++) {
      this.paint(contour);
      const misfit = this.compare();
      const isLast =
        step === MOST_STEPS ||
        (misfit < least && misfit > least * (1 - LEAST_GAIN)) ||
        (step >= HOPEFUL_STEPS && misfit > enough && misfit > HOPELESS * least);
      if (misfit < least) {
        least = misfit;
        before.set(numbers.subarray(0, size));
        damping *= LOWER;
        if (isLast) return least;
        this.linearize(contour);
      } else {
        numbers.set(before.subarray(0, size));
        damping *= RAISE;
        if (isLast) return least;
      }
      if (!this.system.solve(damping)) return least;
      this.move(contour);
    }
  }

  /** The side that misses most; a contour that has been settled. */
  worstSide(contour: SidedContour): number {
    this.paint(contour);
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
    const { unknownOf } = this;
    const { solution } = this.system;
    for (let k = 0; k < count; k++) {
      const at = 3 * k;
      const dx = solution[2 * k];
      const dy = solution[2 * k + 1];
      const length = Math.sqrt(dx * dx + dy * dy);
      const scale = length > LARGEST_STEP_PX ? LARGEST_STEP_PX / length : 1;
      numbers[at] = this.left + within(numbers[at] + scale * dx - this.left, this.width);
      numbers[at + 1] = this.top + within(numbers[at + 1] + scale * dy - this.top, this.height);
      const bulge = unknownOf[k * OWN + 4];
      if (bulge < 0) continue;
      numbers[at + 2] = clamp(numbers[at + 2] + clamp(solution[bulge], LARGEST_BULGE_STEP), LARGEST_BULGE);
    }
  }

  /** Sums the pixels' equations for the numbers of what was painted last. */
  private linearize(contour: SidedContour): void {
    const { firstPiece, nextPiece, wanted, painted, near } = this;
    this.number(contour);
    for (let i = 0; i < this.count; i++) {
      const pixel = near[i];
      const off = wanted[pixel] - painted[pixel];
      for (let a = firstPiece[pixel]; a >= 0; a = nextPiece[a]) {
        this.addOwn(a, off);
        for (let b = nextPiece[a]; b >= 0; b = nextPiece[b]) this.addBoth(a, b);
      }
    }
  }

  /** Adds what a side does to a pixel that is off by so much. */
  private addOwn(piece: number, off: number): void {
    const { unknownOf, slopes, system, sideOf } = this;
    const { rhs } = system;
    const own = sideOf[piece] * OWN;
    const at = piece * OWN;
    const count = unknownOf[own + OWN - 1] < 0 ? OWN - 1 : OWN;
    for (let i = 0; i < count; i++) {
      const row = unknownOf[own + i];
      const slope = slopes[at + i];
      rhs[row] += slope * off;
      for (let j = 0; j <= i; j++) system.add(row, unknownOf[own + j], slope * slopes[at + j]);
    }
  }

  /** Adds what two sides do to one pixel together. */
  private addBoth(a: number, b: number): void {
    const { unknownOf, slopes, system, sideOf } = this;
    const ownA = sideOf[a] * OWN;
    const ownB = sideOf[b] * OWN;
    const countA = unknownOf[ownA + OWN - 1] < 0 ? OWN - 1 : OWN;
    const countB = unknownOf[ownB + OWN - 1] < 0 ? OWN - 1 : OWN;
    for (let i = 0; i < countA; i++) {
      const row = unknownOf[ownA + i];
      const slope = slopes[a * OWN + i];
      for (let j = 0; j < countB; j++) {
        const column = unknownOf[ownB + j];
        const product = slope * slopes[b * OWN + j];
        // A corner of both is met from either side.
        system.add(row, column, column === row ? 2 * product : product);
      }
    }
  }

  /** Numbers the unknowns, corners and then bulges, and begins their equations: any two may occur in one. */
  private number({ count, isArc }: SidedContour): void {
    const { unknownOf, system } = this;
    let size = 2 * count;
    for (let k = 0; k < count; k++) {
      const next = k + 1 < count ? k + 1 : 0;
      unknownOf[k * OWN] = 2 * k;
      unknownOf[k * OWN + 1] = 2 * k + 1;
      unknownOf[k * OWN + 2] = 2 * next;
      unknownOf[k * OWN + 3] = 2 * next + 1;
      unknownOf[k * OWN + 4] = isArc[k] === 1 ? size++ : -1;
    }
    system.begin(size);
    for (let i = 0; i < size; i++) system.couple(i, 0);
    system.layOut();
    system.clear();
  }

  /** Paints what lies to the right of a contour, and keeps what each side does to each pixel. */
  private paint(contour: SidedContour): void {
    const { painted } = this;
    painted.fill(0, 0, this.height * ROW);
    this.firstPiece.fill(-1, 0, this.height * ROW);
    this.pieceCount = 0;
    for (let k = 0; k < contour.count; k++) {
      const points = contour.follow(k);
      for (let i = 0; i < points.count; i++) this.paintChord(k, points, i);
    }
    for (let v = 0; v < this.height; v++) {
      const row = v * ROW;
      let sum = this.outside;
      for (let u = 0; u < this.width; u++) {
        sum += painted[row + u];
        painted[row + u] = sum;
      }
    }
  }

  /** Adds chord `i` of side `k`, pixel by pixel: what it leaves to its right of each, less what it leaves of the pixel before. */
  private paintChord(k: number, points: ArcPoints, i: number): void {
    const { painted } = this;
    const x0 = within(points.x[i] - this.left, this.width);
    const y0 = within(points.y[i] - this.top, this.height);
    const dx = within(points.x[i + 1] - this.left, this.width) - x0;
    const dy = within(points.y[i + 1] - this.top, this.height) - y0;
    // From pixel to pixel, as Amanatides & Woo (1987) walk: a side may run along pixels' own, and none is met twice.
    let u = firstCell(x0, dx, this.width);
    let v = firstCell(y0, dy, this.height);
    let nextX = dx === 0 ? Infinity : ((dx > 0 ? u + 1 : u) - x0) / dx;
    let nextY = dy === 0 ? Infinity : ((dy > 0 ? v + 1 : v) - y0) / dy;
    for (let t = 0; t < 1; ) {
      const end = Math.min(nextX, nextY, 1);
      // What is no number has no place.
      if (!(end >= t)) return;
      if (end > t) {
        const middle = (t + end) / 2;
        const high = dy * (end - t);
        const beyond = u + 1 - (x0 + dx * middle);
        painted[v * ROW + u] -= high * beyond;
        painted[v * ROW + u + 1] -= high * (1 - beyond);
        const weight = end - t;
        // What lies to the right grows where the chord moves to the left of its way.
        this.keepPiece(v * ROW + u, k, points, i, weight * (1 - middle), weight * middle, dy, -dx);
        t = end;
      }
      if (nextX <= nextY) {
        u = dx > 0 ? Math.min(u + 1, this.width - 1) : Math.max(u - 1, 0);
        nextX += 1 / Math.abs(dx);
      } else {
        v = dy > 0 ? Math.min(v + 1, this.height - 1) : Math.max(v - 1, 0);
        nextY += 1 / Math.abs(dy);
      }
    }
  }

  /** Keeps what chord `i` of side `k` does to a pixel by its ends, which weigh so much there, each times the chord's normal. */
  private keepPiece(
    pixel: number,
    k: number,
    points: ArcPoints,
    i: number,
    first: number,
    second: number,
    nx: number,
    ny: number,
  ): void {
    const { firstPiece, sideOf, nextPiece, slopes } = this;
    let piece = firstPiece[pixel];
    if (piece < 0 || sideOf[piece] !== k) {
      if (this.pieceCount === MOST_PIECES) return;
      piece = this.pieceCount++;
      sideOf[piece] = k;
      nextPiece[piece] = firstPiece[pixel];
      firstPiece[pixel] = piece;
      slopes.fill(0, piece * OWN, piece * OWN + OWN);
    }
    const at = piece * OWN;
    if (points.count === 1) {
      slopes[at] += first * nx;
      slopes[at + 1] += first * ny;
      slopes[at + 2] += second * nx;
      slopes[at + 3] += second * ny;
      return;
    }
    const { u, v, du, dv, ex, ey } = points;
    for (let end = 0; end < 2; end++) {
      const w = end === 0 ? first : second;
      const along = u[i + end];
      const across = v[i + end];
      slopes[at] += w * (nx * (1 - along) + ny * across);
      slopes[at + 1] += w * (ny * (1 - along) - nx * across);
      slopes[at + 2] += w * (nx * along - ny * across);
      slopes[at + 3] += w * (ny * along + nx * across);
      slopes[at + 4] += w * (nx * (du[i + end] * ex + dv[i + end] * ey) + ny * (du[i + end] * ey - dv[i + end] * ex));
    }
  }

  private compare(): number {
    const { wanted, painted, near, count } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const off = wanted[near[i]] - painted[near[i]];
      sum += off * off;
    }
    return sum;
  }
}

/** The squared difference of two regions' colors, over all four channels. */
export function contrastSqOf({ colors }: Regions, left: number, right: number): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) sum += (colors[right * 4 + i] - colors[left * 4 + i]) ** 2;
  return sum;
}

/** The pixel, of so many in a row, that a way begins in which goes on from a coordinate by `change`. */
function firstCell(from: number, change: number, size: number): number {
  const cell = change < 0 ? Math.ceil(from) - 1 : Math.floor(from);
  return Math.max(0, Math.min(size - 1, cell));
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
