import { LeastSquares } from '../math/least-squares.js';
import type { AxisModel } from './resampling.js';

/** More colors than this are no palette, and their equations would take long. */
const MOST_COLORS = 48;
/** Pixels that are looked at, about. */
const ENOUGH_PIXELS = 30_000;
/** Pixels to which what lies beyond the border adds more than this are left out. */
const MOST_BEYOND = 1e-3;
/** A color moves by so many levels at most: it was nearly right. */
const MOST_MOVED = 6;
const ROUNDS = 2;
/** What a color's first estimate counts, in pixels that show nothing else. */
const HELD = 0.5;

/**
 * The colors of a sprite again, now that it is known which cells share one: those that, enlarged, come nearest to the picture. Each
 * cell alone is off by what rounding and overshoots cut off at black and white did to it; all cells of a color together are not.
 * @param cells packed 0xRRGGBBAA, opaque; changed in place
 * @param values red, green and blue of the picture, a plane after the other
 */
export function polishColors(cells: Uint32Array, values: Float32Array, across: AxisModel, down: AxisModel): void {
  const columns = across.cells - 2;
  const rows = down.cells - 2;
  const numbers = new Map<number, number>();
  for (const cell of cells) if (!numbers.has(cell)) numbers.set(cell, numbers.size);
  const count = numbers.size;
  if (columns * rows !== cells.length || count > MOST_COLORS) return;
  const of = Int32Array.from(cells, (cell) => numbers.get(cell) as number);
  const width = across.first.length;
  const height = down.first.length;
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / ENOUGH_PIXELS)));
  const shares = new Float64Array(count);
  /** How much of each color a pixel shows; false where it shows what lies beyond the border. */
  const mix = (x: number, y: number): boolean => {
    shares.fill(0);
    let beyond = 0;
    for (let j = 0; j < down.taps; j++) {
      const row = down.first[y] + j - 1;
      const weightY = down.weights[y * down.taps + j];
      for (let k = 0; k < across.taps; k++) {
        const column = across.first[x] + k - 1;
        const weight = weightY * across.weights[x * across.taps + k];
        if (row < 0 || row >= rows || column < 0 || column >= columns) beyond += Math.abs(weight);
        else shares[of[row * columns + column]] += weight;
      }
    }
    return beyond <= MOST_BEYOND;
  };
  const found = new Float64Array(count * 3);
  for (const [cell, k] of numbers) for (let c = 0; c < 3; c++) found[k * 3 + c] = (cell >>> (24 - 8 * c)) & 255;
  const solvers = [new LeastSquares(count), new LeastSquares(count), new LeastSquares(count)];
  for (let round = 0; round < ROUNDS; round++) {
    for (let c = 0; c < 3; c++) {
      solvers[c].clear();
      // Colors that only show at the border stay as they are.
      for (let k = 0; k < count; k++) {
        shares.fill(0);
        shares[k] = 1;
        solvers[c].add(shares, found[k * 3 + c], HELD);
      }
    }
    for (let y = 0; y < height; y += stride) {
      for (let x = 0; x < width; x += stride) {
        if (!mix(x, y)) continue;
        for (let c = 0; c < 3; c++) {
          const seen = values[c * width * height + y * width + x];
          let expected = 0;
          for (let k = 0; k < count; k++) expected += shares[k] * found[k * 3 + c];
          // What overshoots black or white was cut off, and says no more than that it did.
          if ((seen >= 255 && expected > 255.25) || (seen <= 0 && expected < -0.25)) continue;
          solvers[c].add(shares, seen, 1);
        }
      }
    }
    for (let c = 0; c < 3; c++) {
      if (!solvers[c].solve()) return;
      for (let k = 0; k < count; k++) found[k * 3 + c] = Math.min(255, Math.max(0, solvers[c].x[k]));
    }
  }
  for (const [cell, k] of numbers) {
    const moved = (c: number) => Math.abs(found[k * 3 + c] - ((cell >>> (24 - 8 * c)) & 255));
    if (Math.max(moved(0), moved(1), moved(2)) <= MOST_MOVED) continue;
    for (let c = 0; c < 3; c++) found[k * 3 + c] = (cell >>> (24 - 8 * c)) & 255;
  }
  for (let i = 0; i < cells.length; i++) {
    const [r, g, b] = found.subarray(of[i] * 3, of[i] * 3 + 3);
    cells[i] = ((Math.round(r) << 24) | (Math.round(g) << 16) | (Math.round(b) << 8) | (cells[i] & 255)) >>> 0;
  }
}
