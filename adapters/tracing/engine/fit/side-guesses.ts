import {
  ARC_WEIGHT,
  GUESS_PLACES,
  GUESS_ROW,
  LAST_SIDES,
  LEAST_ERRORS,
  LINE_WEIGHT,
  MOST_SIDES,
  MOST_WEIGHT,
} from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { distance } from '../math/distance.js';
import { clamp } from '../math/within.js';
import { farthestPlace } from './crack-places.js';
import { LineSums } from './line-sums.js';
import { LARGEST_BULGE, type SidedContour } from './sided-contour.js';

/** Lines whose directions differ by a sine of less than this do not tell where they meet, nor do they farther off than this, px. */
const LEAST_SINE = 0.2;
const FARTHEST_PX = 2.5;

/**
 * Contours of few lines and arcs that run along a closed row of places: for every number of sides, arcs counted twice, the one whose sides are nearest
 * in all to the places between their corners (dynamic programming over the places, as Perez & Vidal 1994; arcs by Kåsa's circle).
 */
export class SideGuesses {
  private readonly xs: Float64Array;
  private readonly ys: Float64Array;
  private count = 0;
  private readonly lines = new LineSums();
  /** Per weight and place: the least error up to there, and where the last side begins, less than nothing where that is an arc. */
  private readonly least: Float64Array;
  private readonly origin: Int32Array;
  /** The largest weight that has been looked for. */
  private searched = 0;
  private readonly breaks = new Int32Array(MOST_SIDES + 1);

  /** Good until the kernels' memory is laid out for another band or painter. */
  constructor() {
    const { buffer } = kernelMemory.head;
    this.xs = new Float64Array(buffer, GUESS_PLACES, GUESS_ROW);
    this.ys = new Float64Array(buffer, GUESS_PLACES + 8 * GUESS_ROW, GUESS_ROW);
    this.least = new Float64Array(buffer, LEAST_ERRORS, 2 * (MOST_WEIGHT + 1) * GUESS_ROW);
    this.origin = new Int32Array(buffer, LAST_SIDES, 2 * (MOST_WEIGHT + 1) * GUESS_ROW);
  }

  /** Takes `count` places, at most `MOST_GUESS_PLACES`, beginning with the one that is farthest from the middle: mostly a corner. */
  load(xs: Float64Array, ys: Float64Array, count: number): void {
    const first = farthestPlace(xs, ys, count);
    for (let i = 0; i <= count; i++) {
      this.xs[i] = xs[(first + i) % count];
      this.ys[i] = ys[(first + i) % count];
    }
    this.count = count;
    this.lines.load(this.xs, this.ys, count + 1);
    kernelMemory.kernel.measureGuesses(count);
    this.searched = 0;
  }

  /** How far the places are off the contour of weight `w`, with or without arcs, px (root mean square). */
  rms(w: number, arcs: 0 | 1): number {
    this.searchTo(w);
    return Math.sqrt(this.least[(arcs * (MOST_WEIGHT + 1) + w) * GUESS_ROW + this.count] / this.count);
  }

  /** Makes `contour` that of weight `w`, with or without arcs; false where it has too few sides, or too many. */
  place(w: number, arcs: 0 | 1, contour: SidedContour): boolean {
    this.searchTo(w);
    const { breaks, xs, ys, count } = this;
    const origin = this.origin.subarray(arcs * (MOST_WEIGHT + 1) * GUESS_ROW);
    let sides = 0;
    for (let at = w, j = count; j > 0; sides++) {
      const from = origin[at * GUESS_ROW + j];
      at -= from < 0 ? ARC_WEIGHT : LINE_WEIGHT;
      j = from < 0 ? -1 - from : from;
    }
    if (sides < 2 || sides > MOST_SIDES) return false;
    contour.count = sides;
    breaks[sides] = count;
    for (let at = w, j = count, k = sides - 1; k >= 0; k--) {
      const from = origin[at * GUESS_ROW + j];
      at -= from < 0 ? ARC_WEIGHT : LINE_WEIGHT;
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

  /** Finds the contours of all weights up to `w`, unless that has been done. */
  private searchTo(w: number): void {
    while (this.searched < w) kernelMemory.kernel.searchGuesses(++this.searched, this.count);
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
