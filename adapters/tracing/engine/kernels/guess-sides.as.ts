/** Contours of few lines and arcs along a closed row of places: the inner loops of SideGuesses. */
import {
  ARC_ERRORS,
  ARC_WEIGHT,
  GUESS_PLACES,
  GUESS_ROW,
  GUESS_SUMS,
  LAST_SIDES,
  LEAST_ERRORS,
  LINE_ERRORS,
  LINE_WEIGHT,
  MOST_WEIGHT,
  SUMS_OF_PLACES,
} from './kernel-layout';

/** Places that an arc goes along at least: fewer lie on one always. */
const LEAST_OF_ARC = 5;
/** Bytes of a row of numbers, and of a place's sums. */
const ROW: usize = 8 * GUESS_ROW;
const SUMS: usize = 8 * GUESS_SUMS;
const LAST_ROW: usize = 4 * GUESS_ROW;
const LEAST_DETERMINANT: f64 = 1e-9;

/** Measures all lines and arcs between two of the `count` + 1 places, and begins anew with no sides at all. */
export function measureGuesses(count: i32): void {
  sumPlaces(count);
  for (let j = 1; j <= count; j++) {
    const lines: usize = LINE_ERRORS + <usize>j * ROW;
    const arcs: usize = ARC_ERRORS + <usize>j * ROW;
    for (let i = 0; i < j; i++) measure(i, j, lines + ((<usize>i) << 3), arcs + ((<usize>i) << 3));
    // Stretches are looked at by twos.
    store<f64>(lines + ((<usize>j) << 3), Infinity);
    store<f64>(arcs + ((<usize>j) << 3), Infinity);
  }
  for (let w = 0; w < 2 * (MOST_WEIGHT + 1); w++) {
    const row: usize = LEAST_ERRORS + <usize>w * ROW;
    for (let j: usize = 0; j < ROW; j += 16) v128.store(row + j, f64x2.splat(Infinity));
  }
  store<f64>(LEAST_ERRORS, 0);
  store<f64>(LEAST_ERRORS + (MOST_WEIGHT + 1) * ROW, 0);
}

function sumPlaces(count: i32): void {
  const x0 = load<f64>(GUESS_PLACES);
  const y0 = load<f64>(GUESS_PLACES + ROW);
  memory.fill(SUMS_OF_PLACES, 0, SUMS);
  for (let i: usize = 0; i <= <usize>count; i++) {
    const x = load<f64>(GUESS_PLACES + (i << 3)) - x0;
    const y = load<f64>(GUESS_PLACES + ROW + (i << 3)) - y0;
    const z = x * x + y * y;
    const from = SUMS_OF_PLACES + i * SUMS;
    const to = from + SUMS;
    store<f64>(to, load<f64>(from) + x);
    store<f64>(to, load<f64>(from, 8) + y, 8);
    store<f64>(to, load<f64>(from, 16) + x * x, 16);
    store<f64>(to, load<f64>(from, 24) + x * y, 24);
    store<f64>(to, load<f64>(from, 32) + y * y, 32);
    store<f64>(to, load<f64>(from, 40) + x * z, 40);
    store<f64>(to, load<f64>(from, 48) + y * z, 48);
    store<f64>(to, load<f64>(from, 56) + z * z, 56);
  }
}

/** Sums of squared distances of places i..j from the line that fits them best, and from the circle (Kåsa's); Infinity where there is none. */
function measure(i: i32, j: i32, line: usize, arc: usize): void {
  const a: usize = SUMS_OF_PLACES + <usize>i * SUMS;
  const b: usize = SUMS_OF_PLACES + <usize>(j + 1) * SUMS;
  const n = <f64>(j - i + 1);
  const x = load<f64>(b) - load<f64>(a);
  const y = load<f64>(b, 8) - load<f64>(a, 8);
  const rawXx = load<f64>(b, 16) - load<f64>(a, 16);
  const rawYy = load<f64>(b, 32) - load<f64>(a, 32);
  const xx = rawXx - (x * x) / n;
  const xy = load<f64>(b, 24) - load<f64>(a, 24) - (x * y) / n;
  const yy = rawYy - (y * y) / n;
  const half = (xx - yy) / 2;
  store<f64>(line, max((xx + yy) / 2 - sqrt(half * half + xy * xy), 0));
  store<f64>(arc, Infinity);
  if (j - i < LEAST_OF_ARC) return;
  const determinant = xx * yy - xy * xy;
  if (!(determinant > LEAST_DETERMINANT)) return;
  const z = rawXx + rawYy;
  const xz = load<f64>(b, 40) - load<f64>(a, 40) - (x * z) / n;
  const yz = load<f64>(b, 48) - load<f64>(a, 48) - (y * z) / n;
  const zz = load<f64>(b, 56) - load<f64>(a, 56) - (z * z) / n;
  const cx = (xz * yy - yz * xy) / (2 * determinant);
  const cy = (yz * xx - xz * xy) / (2 * determinant);
  const radiusSq = cx * cx + cy * cy + (z - 2 * cx * x - 2 * cy * y) / n;
  if (radiusSq > 0) store<f64>(arc, max(zz - 2 * cx * xz - 2 * cy * yz, 0) / (4 * radiusSq));
}

/** Finds the nearest contours of weight `w`, without arcs and with, from those of less. */
export function searchGuesses(w: i32, count: i32): void {
  for (let arcs = 0; arcs < 2; arcs++) {
    const at = arcs * (MOST_WEIGHT + 1) + w;
    const least: usize = LEAST_ERRORS + <usize>at * ROW;
    const last: usize = LAST_SIDES + <usize>at * LAST_ROW;
    const lessLine = least - LINE_WEIGHT * ROW;
    const lessArc: usize = arcs === 0 || w < ARC_WEIGHT ? 0 : least - ARC_WEIGHT * ROW;
    for (let j = 1; j <= count; j++) {
      const row = <usize>j * ROW;
      let best = f64x2.splat(Infinity);
      // Where the last side begins, less than nothing where that is an arc.
      let from = f64x2.splat(0);
      let place = f64x2(0, 1);
      const end = (<usize>j) << 3;
      for (let i: usize = 0; i < end; i += 16) {
        const line = f64x2.add(v128.load(lessLine + i), v128.load(LINE_ERRORS + row + i));
        let isLess = f64x2.lt(line, best);
        best = v128.bitselect(line, best, isLess);
        from = v128.bitselect(place, from, isLess);
        if (lessArc !== 0) {
          const arc = f64x2.add(v128.load(lessArc + i), v128.load(ARC_ERRORS + row + i));
          isLess = f64x2.lt(arc, best);
          best = v128.bitselect(arc, best, isLess);
          from = v128.bitselect(f64x2.sub(f64x2.splat(-1), place), from, isLess);
        }
        place = f64x2.add(place, f64x2.splat(2));
      }
      const even = f64x2.extract_lane(best, 0);
      const odd = f64x2.extract_lane(best, 1);
      const evenFrom = <i32>f64x2.extract_lane(from, 0);
      const oddFrom = <i32>f64x2.extract_lane(from, 1);
      // Of equals the first one.
      const isOdd = odd < even || (odd === even && placeOf(oddFrom) < placeOf(evenFrom));
      store<f64>(least + end, isOdd ? odd : even);
      store<i32>(last + (end >> 1), isOdd ? oddFrom : evenFrom);
    }
  }
}

function placeOf(from: i32): i32 {
  return from < 0 ? -1 - from : from;
}
