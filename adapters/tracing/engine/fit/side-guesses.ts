import { arena } from '../math/arena.js';
import { distance } from '../math/distance.js';
import { clamp } from '../math/within.js';
import { LineSums } from './line-sums.js';
import { LARGEST_BULGE, MOST_SIDES, type SidedContour } from './sided-contour.js';

/** Places on a contour between which corners are looked for, at most. */
export const MOST_PLACES = 72;
const SIZE = MOST_PLACES + 1;
/** What a side costs: an arc has a number more than a line, and is harder to believe. */
const LINE = 1;
const ARC = 2;
/** A triangle, or a line and an arc, at least. */
export const LEAST_WEIGHT = 3;
export const MOST_WEIGHT = 14;
/** Places that an arc goes along at least: fewer lie on one always. */
const LEAST_OF_ARC = 5;
/** Sums of a place: of its coordinates, their products, and of these with the squared distance from the first. */
const SUMS = 8;
/** Lines whose directions differ by a sine of less than this do not tell where they meet, nor do they farther off than this, px. */
const LEAST_SINE = 0.2;
const FARTHEST_PX = 2.5;

/**
 * Contours of few lines and arcs that run along a closed row of places: for every number of sides, arcs counted twice, the one whose sides are nearest
 * in all to the places between their corners (dynamic programming over the places, as Perez & Vidal 1994; arcs by Kåsa's circle).
 */
export class SideGuesses {
  private readonly xs = new Float64Array(SIZE);
  private readonly ys = new Float64Array(SIZE);
  private count = 0;
  private readonly lines = new LineSums();
  private readonly sums = new Float64Array((SIZE + 1) * SUMS);
  /** Of the stretch up to a place, row by row, from each before it. */
  private readonly lineErrors = arena.rawFloat64(SIZE * SIZE);
  private readonly arcErrors = arena.rawFloat64(SIZE * SIZE);
  /** Per weight and place: the least error up to there, and where the last side begins, less than nothing where that is an arc. */
  private readonly least = arena.rawFloat64(2 * (MOST_WEIGHT + 1) * SIZE);
  private readonly origin = new Int8Array(2 * (MOST_WEIGHT + 1) * SIZE);
  /** The largest weight that has been looked for. */
  private searched = 0;
  private readonly breaks = new Int32Array(MOST_SIDES + 1);

  /** Takes `count` places, at most `MOST_PLACES`, beginning with the one that is farthest from the middle: mostly a corner. */
  load(xs: Float64Array, ys: Float64Array, count: number): void {
    let [mx, my] = [0, 0];
    for (let i = 0; i < count; i++) {
      mx += xs[i] / count;
      my += ys[i] / count;
    }
    let first = 0;
    for (let i = 1; i < count; i++)
      if (distance(xs[i] - mx, ys[i] - my) > distance(xs[first] - mx, ys[first] - my)) first = i;
    for (let i = 0; i <= count; i++) {
      this.xs[i] = xs[(first + i) % count];
      this.ys[i] = ys[(first + i) % count];
    }
    this.count = count;
    this.measure();
    this.searched = 0;
    this.least.fill(Infinity);
    this.least[0] = this.least[(MOST_WEIGHT + 1) * SIZE] = 0;
  }

  private measure(): void {
    const { xs, ys, count, lines, sums, lineErrors, arcErrors } = this;
    lines.load(xs, ys, count + 1);
    for (let i = 0; i <= count; i++) {
      const x = xs[i] - xs[0];
      const y = ys[i] - ys[0];
      const z = x * x + y * y;
      const from = i * SUMS;
      const to = from + SUMS;
      sums[to] = sums[from] + x;
      sums[to + 1] = sums[from + 1] + y;
      sums[to + 2] = sums[from + 2] + x * x;
      sums[to + 3] = sums[from + 3] + x * y;
      sums[to + 4] = sums[from + 4] + y * y;
      sums[to + 5] = sums[from + 5] + x * z;
      sums[to + 6] = sums[from + 6] + y * z;
      sums[to + 7] = sums[from + 7] + z * z;
    }
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j <= count; j++) {
        lineErrors[j * SIZE + i] = Math.max(0, lines.error(i, j));
        arcErrors[j * SIZE + i] = j - i < LEAST_OF_ARC ? Infinity : this.arcError(i, j);
      }
    }
  }

  /** Sum of squared distances of places i..j from the circle that fits them best; Infinity where there is none. */
  private arcError(i: number, j: number): number {
    const { sums } = this;
    const n = j - i + 1;
    const a = i * SUMS;
    const b = (j + 1) * SUMS;
    const x = sums[b] - sums[a];
    const y = sums[b + 1] - sums[a + 1];
    const rawXx = sums[b + 2] - sums[a + 2];
    const rawYy = sums[b + 4] - sums[a + 4];
    const z = rawXx + rawYy;
    const xx = rawXx - (x * x) / n;
    const xy = sums[b + 3] - sums[a + 3] - (x * y) / n;
    const yy = rawYy - (y * y) / n;
    const xz = sums[b + 5] - sums[a + 5] - (x * z) / n;
    const yz = sums[b + 6] - sums[a + 6] - (y * z) / n;
    const zz = sums[b + 7] - sums[a + 7] - (z * z) / n;
    const determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-9)) return Infinity;
    const cx = (xz * yy - yz * xy) / (2 * determinant);
    const cy = (yz * xx - xz * xy) / (2 * determinant);
    const radiusSq = cx * cx + cy * cy + (z - 2 * cx * x - 2 * cy * y) / n;
    if (!(radiusSq > 0)) return Infinity;
    return Math.max(0, zz - 2 * cx * xz - 2 * cy * yz) / (4 * radiusSq);
  }

  /** Finds the nearest contours of weight `w`, without arcs and with, from those of less. */
  private search(w: number): void {
    const { count, lineErrors, arcErrors, least, origin } = this;
    for (let arcs = 0; arcs < 2; arcs++) {
      const of = (arcs * (MOST_WEIGHT + 1) + w) * SIZE;
      const lessLine = of - LINE * SIZE;
      const lessArc = arcs === 0 || w < ARC ? -1 : of - ARC * SIZE;
      for (let j = 1; j <= count; j++) {
        const row = j * SIZE;
        let best = Infinity;
        let from = 0;
        for (let i = 0; i < j; i++) {
          const line = least[lessLine + i] + lineErrors[row + i];
          if (line < best) {
            best = line;
            from = i;
          }
          if (lessArc < 0) continue;
          const arc = least[lessArc + i] + arcErrors[row + i];
          if (arc < best) {
            best = arc;
            from = -1 - i;
          }
        }
        least[of + j] = best;
        origin[of + j] = from;
      }
    }
  }

  /** How far the places are off the contour of weight `w`, with or without arcs, px (root mean square). */
  rms(w: number, arcs: 0 | 1): number {
    while (this.searched < w) this.search(++this.searched);
    return Math.sqrt(this.least[(arcs * (MOST_WEIGHT + 1) + w) * SIZE + this.count] / this.count);
  }

  /** Makes `contour` that of weight `w`, with or without arcs; false where it has too few sides, or too many. */
  place(w: number, arcs: 0 | 1, contour: SidedContour): boolean {
    const { breaks, xs, ys, count } = this;
    const origin = this.origin.subarray(arcs * (MOST_WEIGHT + 1) * SIZE);
    let sides = 0;
    for (let at = w, j = count; j > 0; sides++) {
      const from = origin[at * SIZE + j];
      at -= from < 0 ? ARC : LINE;
      j = from < 0 ? -1 - from : from;
    }
    if (sides < 2 || sides > MOST_SIDES) return false;
    contour.count = sides;
    breaks[sides] = count;
    for (let at = w, j = count, k = sides - 1; k >= 0; k--) {
      const from = origin[at * SIZE + j];
      at -= from < 0 ? ARC : LINE;
      j = from < 0 ? -1 - from : from;
      breaks[k] = j;
      contour.isArc[k] = from < 0 ? 1 : 0;
    }
    for (let k = 0; k < sides; k++) {
      contour.numbers[3 * k] = xs[breaks[k]];
      contour.numbers[3 * k + 1] = ys[breaks[k]];
      contour.numbers[3 * k + 2] = contour.isArc[k] === 1 ? this.bulgeOf(k) : 0;
    }
    for (let k = 0; k < sides; k++) {
      const before = k > 0 ? k - 1 : sides - 1;
      if (contour.isArc[k] === 0 && contour.isArc[before] === 0) this.meet(before, k, contour.numbers);
    }
    return true;
  }

  private bulgeOf(k: number): number {
    const { xs, ys, breaks } = this;
    const from = breaks[k];
    const to = breaks[k + 1];
    const middle = (from + to) / 2;
    const [a, b] = [Math.floor(middle), Math.ceil(middle)];
    const ex = xs[to] - xs[from];
    const ey = ys[to] - ys[from];
    const x = (xs[a] + xs[b] - xs[from] - xs[to]) / 2;
    const y = (ys[a] + ys[b] - ys[from] - ys[to]) / 2;
    const bulge = (2 * (x * ey - y * ex)) / (ex * ex + ey * ey || 1);
    return clamp(bulge, LARGEST_BULGE);
  }

  /** Puts the corner between two lines where they meet, if they tell where. */
  private meet(before: number, k: number, numbers: Float64Array): void {
    const { lines } = this;
    this.fitLine(before);
    const { x: ax, y: ay, dx: ux, dy: uy } = lines;
    this.fitLine(k);
    const { x: bx, y: by, dx: vx, dy: vy } = lines;
    const cross = ux * vy - uy * vx;
    const t = ((bx - ax) * vy - (by - ay) * vx) / cross;
    const [x, y] = [ax + t * ux, ay + t * uy];
    if (Math.abs(cross) < LEAST_SINE || distance(x - numbers[3 * k], y - numbers[3 * k + 1]) > FARTHEST_PX) return;
    numbers[3 * k] = x;
    numbers[3 * k + 1] = y;
  }

  /** The line along a side, by its inner places where it has enough of them: those at its ends are rounded off. */
  private fitLine(k: number): void {
    const from = this.breaks[k];
    const to = this.breaks[k + 1];
    const off = to - from >= 5 ? 1 : 0;
    this.lines.fit(from + off, to - off);
  }
}
