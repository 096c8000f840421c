import type { Polylines } from '#domain/drawing/polylines.js';

/** Coverage nearer to 0 or 1 than this is taken for it: a quarter of a step of 1/255. */
const SNAP = 1 / 1020;

/**
 * Exact areas of a polygon in the pixels of a canvas. Each edge adds to the cells it crosses by how much the sum along the
 * row changes there, so that the running sum is the signed area covered in each pixel. Only touched cells are looked at:
 *
 *        edge            cells            running sum
 *     .  |/ .  .      .  +.6 +.4 .  .      0  .6  1  1  1
 */
export class Coverage {
  readonly #width: number;
  readonly #height: number;
  /** Two cells more than pixels, for edges on the right rim. */
  readonly #stride: number;
  readonly #cells: Float32Array;
  /** One bit per touched cell. */
  readonly #touched: Int32Array;
  readonly #wordsPerRow: number;
  readonly #firstWord: Int32Array;
  readonly #lastWord: Int32Array;
  #firstRow: number;
  #lastRow = -1;

  /** Runs of pixels of one coverage, row by row from the top, each from the left. */
  spanCount = 0;
  spanRow = new Int32Array(1024);
  spanFrom = new Int32Array(1024);
  spanTo = new Int32Array(1024);
  /** 0..1, never 0. */
  spanCoverage = new Float32Array(1024);

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#stride = width + 2;
    this.#cells = new Float32Array(this.#stride * height);
    this.#wordsPerRow = (this.#stride + 31) >> 5;
    this.#touched = new Int32Array(this.#wordsPerRow * height);
    this.#firstWord = new Int32Array(height).fill(this.#wordsPerRow);
    this.#lastWord = new Int32Array(height).fill(-1);
    this.#firstRow = height;
  }

  /** Adds every polyline as a closed polygon, stretched by `scaleX`, `scaleY` onto the canvas. */
  add({ points, starts, count }: Polylines, scaleX: number, scaleY: number): void {
    for (let i = 0; i < count; i++) {
      const from = starts[i]!;
      const to = starts[i + 1]!;
      if (to - from < 3) continue;
      let x = points[2 * to - 2]! * scaleX;
      let y = points[2 * to - 1]! * scaleY;
      for (let k = from; k < to; k++) {
        const nextX = points[2 * k]! * scaleX;
        const nextY = points[2 * k + 1]! * scaleY;
        this.#edge(x, y, nextX, nextY);
        x = nextX;
        y = nextY;
      }
    }
  }

  /** Cuts an edge to the canvas. What lies left of it counts on its left rim, what lies right of it not at all. */
  #edge(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return;
    let direction = 1;
    if (y0 > y1) {
      direction = -1;
      let swap = x0;
      x0 = x1;
      x1 = swap;
      swap = y0;
      y0 = y1;
      y1 = swap;
    }
    const width = this.#width;
    const height = this.#height;
    if (!(y1 > 0 && y0 < height)) return;
    const slope = (x1 - x0) / (y1 - y0);
    if (y0 < 0) {
      x0 -= y0 * slope;
      y0 = 0;
    }
    if (y1 > height) {
      x1 = x0 + (height - y0) * slope;
      y1 = height;
    }
    if (x0 >= 0 && x0 <= width && x1 >= 0 && x1 <= width) {
      this.#segment(x0, y0, x1, y1, slope, direction);
      return;
    }
    if (x0 >= width && x1 >= width) return;
    if (x0 <= 0 && x1 <= 0) {
      this.#segment(0, y0, 0, y1, 0, direction);
      return;
    }
    // Heights at which the edge enters and leaves the columns of the canvas.
    const atLeft = y0 - x0 / slope;
    const atRight = y0 + (width - x0) / slope;
    if (x0 < 0) this.#segment(0, y0, 0, Math.min(y1, atLeft), 0, direction);
    const fromY = x0 < 0 ? atLeft : x0 > width ? atRight : y0;
    const toY = x1 < 0 ? atLeft : x1 > width ? atRight : y1;
    const fromX = x0 < 0 ? 0 : x0 > width ? width : x0;
    const toX = x1 < 0 ? 0 : x1 > width ? width : x1;
    this.#segment(fromX, fromY, toX, toY, slope, direction);
    if (x1 < 0) this.#segment(0, Math.max(y0, atLeft), 0, y1, 0, direction);
  }

  /** An edge within the canvas, y0 <= y1. */
  #segment(x0: number, y0: number, x1: number, y1: number, slope: number, direction: number): void {
    if (!(y1 > y0)) return;
    const cells = this.#cells;
    const touched = this.#touched;
    const width = this.#width;
    const firstRow = Math.floor(y0);
    const lastRow = Math.min(this.#height, Math.ceil(y1)) - 1;
    if (firstRow < this.#firstRow) this.#firstRow = firstRow;
    if (lastRow > this.#lastRow) this.#lastRow = lastRow;
    let x = x0;
    let y = y0;
    for (let row = firstRow; row <= lastRow; row++) {
      const bottom = row === lastRow ? y1 : row + 1;
      let nextX = row === lastRow ? x1 : x + slope * (bottom - y);
      if (nextX < 0) nextX = 0;
      else if (nextX > width) nextX = width;
      const height = direction * (bottom - y);
      const left = x < nextX ? x : nextX;
      const right = x < nextX ? nextX : x;
      const first = left | 0;
      const base = row * this.#stride;
      const words = row * this.#wordsPerRow;
      let last = first + 1;
      if (right <= first + 1) {
        const middle = (left + right) / 2 - first;
        cells[base + first]! += height * (1 - middle);
        cells[base + last]! += height * middle;
        touched[words + (first >> 5)]! |= 1 << (first & 31);
        touched[words + (last >> 5)]! |= 1 << (last & 31);
      } else {
        // The mean of max(0, u - x) over the edge's x, whose second differences are the changes of the running sum.
        const spread = 0.5 / (right - left);
        let before = 0;
        let covered = 0;
        let column = first;
        for (; column < right; column++) {
          const u = column + 1;
          const mean = u < right ? (u - left) * (u - left) * spread : u - (left + right) / 2;
          const now = mean - before;
          cells[base + column]! += height * (now - covered);
          touched[words + (column >> 5)]! |= 1 << (column & 31);
          before = mean;
          covered = now;
        }
        cells[base + column]! += height * (1 - covered);
        touched[words + (column >> 5)]! |= 1 << (column & 31);
        last = column;
      }
      if (first >> 5 < this.#firstWord[row]!) this.#firstWord[row] = first >> 5;
      if (last >> 5 > this.#lastWord[row]!) this.#lastWord[row] = last >> 5;
      x = nextX;
      y = bottom;
    }
  }

  /** Turns what was added into spans and forgets it. With `crisp`, pixels are covered from one half on, or not at all. */
  resolve(evenOdd: boolean, crisp: boolean): void {
    const cells = this.#cells;
    const touched = this.#touched;
    const width = this.#width;
    this.spanCount = 0;
    for (let row = this.#firstRow; row <= this.#lastRow; row++) {
      const base = row * this.#stride;
      const words = row * this.#wordsPerRow;
      let sum = 0;
      let from = 0;
      let coverage = 0;
      for (let word = this.#firstWord[row]!; word <= this.#lastWord[row]!; word++) {
        let bits = touched[words + word]!;
        if (bits === 0) continue;
        touched[words + word] = 0;
        while (bits !== 0) {
          const bit = bits & -bits;
          bits ^= bit;
          const column = (word << 5) + 31 - Math.clz32(bit);
          if (coverage > 0) this.#span(row, from, column < width ? column : width, coverage);
          sum += cells[base + column]!;
          cells[base + column] = 0;
          from = column;
          let area = sum < 0 ? -sum : sum;
          if (evenOdd) {
            area -= 2 * Math.floor(area / 2);
            if (area > 1) area = 2 - area;
          }
          if (crisp) coverage = area >= 0.5 ? 1 : 0;
          else coverage = area > 1 - SNAP ? 1 : area < SNAP ? 0 : area;
        }
      }
      if (coverage > 0) this.#span(row, from, width, coverage);
      this.#firstWord[row] = this.#wordsPerRow;
      this.#lastWord[row] = -1;
    }
    this.#firstRow = this.#height;
    this.#lastRow = -1;
  }

  #span(row: number, from: number, to: number, coverage: number): void {
    if (from >= to) return;
    const at = this.spanCount++;
    if (at >= this.spanRow.length) {
      const grow = (array: Int32Array) => {
        const grown = new Int32Array(array.length * 2);
        grown.set(array);
        return grown;
      };
      this.spanRow = grow(this.spanRow);
      this.spanFrom = grow(this.spanFrom);
      this.spanTo = grow(this.spanTo);
      const coverages = new Float32Array(this.spanRow.length);
      coverages.set(this.spanCoverage);
      this.spanCoverage = coverages;
    }
    this.spanRow[at] = row;
    this.spanFrom[at] = from;
    this.spanTo[at] = to;
    this.spanCoverage[at] = coverage;
  }
}
