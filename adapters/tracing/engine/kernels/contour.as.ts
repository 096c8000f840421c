/** Moves a small contour of lines and arcs onto the pixels along it: what ContourPixels does in each of its steps. */
import {
  CONTOUR_FACTOR,
  CONTOUR_FIRST,
  CONTOUR_MATRIX,
  CONTOUR_NEAR,
  CONTOUR_PAINTED,
  CONTOUR_RHS,
  CONTOUR_ROW,
  CONTOUR_SOLUTION,
  CONTOUR_WANTED,
  MOST_PIECES,
  MOST_UNKNOWNS,
  PIECE_NEXT,
  PIECE_SIDE,
  PIECE_SLOPES,
  SIDE_NUMBERS,
  SIDE_PLACES,
  SIDE_ROW,
  UNKNOWN_OF,
} from './kernel-layout';

/** Bytes of a row of pixels, of a piece's slopes, of what says which unknowns a side's numbers are, and of a row of the matrix. */
const ROW: usize = 8 * CONTOUR_ROW;
const SLOPES: usize = 8 * SIDE_NUMBERS;
const UNKNOWNS: usize = 4 * SIDE_NUMBERS;
const MATRIX_ROW: usize = 8 * MOST_UNKNOWNS;
const LEAST_PIVOT: f64 = 1e-12;

// What is looked at, as ContourPixels says.
let left: f64 = 0;
let top: f64 = 0;
let width: i32 = 0;
let height: i32 = 0;
/** Pixels that are compared. */
let compared: i32 = 0;
/** What is to the right where nothing is enclosed. */
let outside: f64 = 0;
let pieces: i32 = 0;

// The chord at hand: its side, whether that is a line, the normal, and its ends' places on the side.
let side: i32 = 0;
let isLine: bool = false;
let nx: f64 = 0;
let ny: f64 = 0;
let place: usize = 0;
let ex: f64 = 0;
let ey: f64 = 0;

/** Says where on the picture the pixels lie that are looked at, how many of them are compared, and what is to the right of nothing. */
export function takeContour(x: f64, y: f64, w: i32, h: i32, count: i32, beyond: f64): void {
  left = x;
  top = y;
  width = w;
  height = h;
  compared = count;
  outside = beyond;
}

/** Begins a contour. */
export function clearContour(): void {
  memory.fill(CONTOUR_PAINTED, 0, <usize>height * ROW);
  memory.fill(CONTOUR_FIRST, 0xff, <usize>height * (ROW >> 1));
  pieces = 0;
}

/** Adds side `k`, of so many chords between the places that lie there; (endX, endY) is its own chord. */
export function paintSide(k: i32, chords: i32, endX: f64, endY: f64): void {
  side = k;
  isLine = chords === 1;
  ex = endX;
  ey = endY;
  for (let i = 0; i < chords; i++) {
    place = SIDE_PLACES + ((<usize>i) << 3);
    paintChord();
  }
}

/** Paints what lies to the right of the contour, and returns the squared differences from the pixels, summed. */
export function compareContour(): f64 {
  for (let v = 0; v < height; v++) {
    let at: usize = CONTOUR_PAINTED + <usize>v * ROW;
    let sum = outside;
    for (let u = 0; u < width; u++, at += 8) {
      sum += load<f64>(at);
      store<f64>(at, sum);
    }
  }
  let sum: f64 = 0;
  for (let i = 0; i < compared; i++) {
    const off = offAt(<usize>load<i32>(CONTOUR_NEAR + ((<usize>i) << 2)));
    sum += off * off;
  }
  return sum;
}

/** Sums the pixels' equations for the `size` unknowns of what was painted last. */
export function sumContour(size: i32): void {
  memory.fill(CONTOUR_MATRIX, 0, <usize>size * MATRIX_ROW);
  memory.fill(CONTOUR_RHS, 0, (<usize>size) << 3);
  for (let i = 0; i < compared; i++) {
    const pixel = <usize>load<i32>(CONTOUR_NEAR + ((<usize>i) << 2));
    const off = offAt(pixel);
    for (let a = load<i32>(CONTOUR_FIRST + (pixel << 2)); a >= 0; a = nextOf(a)) {
      addOwn(a, off);
      for (let b = nextOf(a); b >= 0; b = nextOf(b)) addBoth(a, b);
    }
  }
}

/**
 * Solves the equations with `damping` added to the diagonal; whether the matrix is positive definite. Cholesky's factor by rows, each of which is taken
 * from all behind it, so that pairs of numbers are done at once and the order of sums stays.
 */
export function solveContour(size: i32, damping: f64): bool {
  memory.copy(CONTOUR_FACTOR, CONTOUR_MATRIX, <usize>size * MATRIX_ROW);
  memory.copy(CONTOUR_SOLUTION, CONTOUR_RHS, (<usize>size) << 3);
  const end = (<usize>size) << 3;
  for (let k: usize = 0; k < end; k += 8) {
    const row = rowOf(k);
    store<f64>(row + k, load<f64>(row + k) + damping);
  }
  for (let k: usize = 0; k < end; k += 8) {
    const row = rowOf(k);
    const square = load<f64>(row + k);
    if (!(square > LEAST_PIVOT)) return false;
    const pivot = sqrt(square);
    store<f64>(row + k, pivot);
    for (let j = k + 8; j < end; j += 8) store<f64>(row + j, load<f64>(row + j) / pivot);
    const solved = load<f64>(CONTOUR_SOLUTION + k) / pivot;
    store<f64>(CONTOUR_SOLUTION + k, solved);
    for (let i = k + 8; i < end; i += 8) {
      const factor = load<f64>(row + i);
      store<f64>(CONTOUR_SOLUTION + i, load<f64>(CONTOUR_SOLUTION + i) - factor * solved);
      const to = rowOf(i);
      const factors = f64x2.splat(factor);
      // From an even place on: what is before the diagonal counts for nothing.
      for (let j = i & ~15; j < end; j += 16) {
        const product = f64x2.mul(factors, v128.load(row + j));
        v128.store(to + j, f64x2.sub(v128.load(to + j), product));
      }
    }
  }
  for (let i = end; i > 0; ) {
    i -= 8;
    const row = rowOf(i);
    let sum = load<f64>(CONTOUR_SOLUTION + i);
    for (let k = end - 8; k > i; k -= 8) sum -= load<f64>(row + k) * load<f64>(CONTOUR_SOLUTION + k);
    store<f64>(CONTOUR_SOLUTION + i, sum / load<f64>(row + i));
  }
  return true;
}

/** Where the factor's row of an unknown begins, which lies so many bytes from the first. */
function rowOf(unknown: usize): usize {
  return CONTOUR_FACTOR + unknown * MOST_UNKNOWNS;
}

/** What a pixel has beyond what was painted. */
function offAt(pixel: usize): f64 {
  return load<f64>(CONTOUR_WANTED + (pixel << 3)) - load<f64>(CONTOUR_PAINTED + (pixel << 3));
}

function nextOf(piece: i32): i32 {
  return load<i32>(PIECE_NEXT + ((<usize>piece) << 2));
}

function unknownsOf(piece: i32): usize {
  return UNKNOWN_OF + <usize>load<i32>(PIECE_SIDE + ((<usize>piece) << 2)) * UNKNOWNS;
}

/** The unknown that a number of a side is. */
function unknownAt(unknowns: usize, i: usize): i32 {
  return load<i32>(unknowns + (i << 2));
}

function matrixAt(row: i32, column: i32): usize {
  return CONTOUR_MATRIX + <usize>row * MATRIX_ROW + ((<usize>column) << 3);
}

function add(a: i32, b: i32, value: f64): void {
  const at = matrixAt(min(a, b), max(a, b));
  store<f64>(at, load<f64>(at) + value);
}

/** Adds what corner `a` (its x) and corner `b` do together, by their slopes at these places: two rows of pairs, as one of them comes before the other. */
function addCorners(a: i32, slopesA: usize, b: i32, slopesB: usize): void {
  if (a > b) {
    addCorners(b, slopesB, a, slopesA);
    return;
  }
  const at = matrixAt(a, b);
  const pair = v128.load(slopesB);
  addPair(at, f64x2.mul(v128.load64_splat(slopesA), pair));
  addPair(at + MATRIX_ROW, f64x2.mul(v128.load64_splat(slopesA, 8), pair));
}

/** Adds what a corner does together with an unknown behind all corners. */
function addBulge(corner: i32, slopes: usize, bulge: i32, slope: f64): void {
  const at = matrixAt(corner, bulge);
  store<f64>(at, load<f64>(at) + load<f64>(slopes) * slope);
  store<f64>(at, load<f64>(at, MATRIX_ROW) + load<f64>(slopes, 8) * slope, MATRIX_ROW);
}

/** Adds what a side does to a pixel that is off by so much. */
function addOwn(piece: i32, off: f64): void {
  const unknowns = unknownsOf(piece);
  const slopes = PIECE_SLOPES + <usize>piece * SLOPES;
  const first = unknownAt(unknowns, 0);
  const second = unknownAt(unknowns, 2);
  const bulge = unknownAt(unknowns, 4);
  const offs = f64x2.splat(off);
  addPair(CONTOUR_RHS + ((<usize>first) << 3), f64x2.mul(v128.load(slopes), offs));
  addPair(CONTOUR_RHS + ((<usize>second) << 3), f64x2.mul(v128.load(slopes, 16), offs));
  addCorners(first, slopes, first, slopes);
  addCorners(first, slopes, second, slopes + 16);
  addCorners(second, slopes + 16, second, slopes + 16);
  if (bulge < 0) return;
  const slope = load<f64>(slopes, 32);
  const rhs: usize = CONTOUR_RHS + ((<usize>bulge) << 3);
  store<f64>(rhs, load<f64>(rhs) + slope * off);
  addBulge(first, slopes, bulge, slope);
  addBulge(second, slopes + 16, bulge, slope);
  add(bulge, bulge, slope * slope);
}

/** Adds what two sides do to one pixel together. */
function addBoth(a: i32, b: i32): void {
  const unknownsA = unknownsOf(a);
  const unknownsB = unknownsOf(b);
  const slopesA = PIECE_SLOPES + <usize>a * SLOPES;
  const slopesB = PIECE_SLOPES + <usize>b * SLOPES;
  const bulgeA = unknownAt(unknownsA, 4);
  const bulgeB = unknownAt(unknownsB, 4);
  for (let i: usize = 0; i < 4; i += 2) {
    const corner = unknownAt(unknownsA, i);
    const slopes = slopesA + (i << 3);
    for (let j: usize = 0; j < 4; j += 2) {
      const other = unknownAt(unknownsB, j);
      addCorners(corner, slopes, other, slopesB + (j << 3));
      // A corner of both is met from either side.
      if (corner === other) addCorners(corner, slopesB + (j << 3), other, slopes);
    }
    if (bulgeB >= 0) addBulge(corner, slopes, bulgeB, load<f64>(slopesB, 32));
  }
  if (bulgeA < 0) return;
  const slope = load<f64>(slopesA, 32);
  for (let j: usize = 0; j < 4; j += 2) addBulge(unknownAt(unknownsB, j), slopesB + (j << 3), bulgeA, slope);
  if (bulgeB >= 0) add(bulgeA, bulgeB, slope * load<f64>(slopesB, 32));
}

function within(value: f64, size: i32): f64 {
  return value < 0 ? 0 : value > <f64>size ? <f64>size : value;
}

/** The pixel, of so many in a row, that a way begins in which goes on from a coordinate by `change`. */
function firstCell(from: f64, change: f64, size: i32): i32 {
  const cell = change < 0 ? <i32>ceil(from) - 1 : <i32>floor(from);
  return max(0, min(size - 1, cell));
}

/** Adds a chord, pixel by pixel: what it leaves to its right of each, less what it leaves of the pixel before. */
function paintChord(): void {
  const x0 = within(load<f64>(place) - left, width);
  const y0 = within(load<f64>(place, SIDE_ROW) - top, height);
  const dx = within(load<f64>(place, 8) - left, width) - x0;
  const dy = within(load<f64>(place, SIDE_ROW + 8) - top, height) - y0;
  // What lies to the right grows where the chord moves to the left of its way.
  nx = dy;
  ny = -dx;
  // From pixel to pixel, as Amanatides & Woo (1987) walk: a side may run along pixels' own, and none is met twice.
  let u = firstCell(x0, dx, width);
  let v = firstCell(y0, dy, height);
  const perX: f64 = dx === 0 ? 0 : 1 / abs(dx);
  const perY: f64 = dy === 0 ? 0 : 1 / abs(dy);
  let nextX: f64 = dx === 0 ? Infinity : (<f64>(dx > 0 ? u + 1 : u) - x0) / dx;
  let nextY: f64 = dy === 0 ? Infinity : (<f64>(dy > 0 ? v + 1 : v) - y0) / dy;
  for (let t: f64 = 0; t < 1; ) {
    const end = min(min(nextX, nextY), 1);
    // What is no number has no place.
    if (!(end >= t)) return;
    if (end > t) {
      const middle = (t + end) / 2;
      const high = dy * (end - t);
      const beyond = <f64>(u + 1) - (x0 + dx * middle);
      const pixel = v * CONTOUR_ROW + u;
      const at: usize = CONTOUR_PAINTED + ((<usize>pixel) << 3);
      store<f64>(at, load<f64>(at) - high * beyond);
      store<f64>(at, load<f64>(at, 8) - high * (1 - beyond), 8);
      const weight = end - t;
      keepPiece(pixel, weight * (1 - middle), weight * middle);
      t = end;
    }
    if (nextX <= nextY) {
      u = dx > 0 ? min(u + 1, width - 1) : max(u - 1, 0);
      nextX += perX;
    } else {
      v = dy > 0 ? min(v + 1, height - 1) : max(v - 1, 0);
      nextY += perY;
    }
  }
}

/** Keeps what the chord does to a pixel by its ends, which weigh so much there, each times the chord's normal. */
function keepPiece(pixel: i32, first: f64, second: f64): void {
  const head: usize = CONTOUR_FIRST + ((<usize>pixel) << 2);
  let piece = load<i32>(head);
  if (piece < 0 || load<i32>(PIECE_SIDE + ((<usize>piece) << 2)) !== side) {
    if (pieces === MOST_PIECES) return;
    store<i32>(PIECE_SIDE + ((<usize>pieces) << 2), side);
    store<i32>(PIECE_NEXT + ((<usize>pieces) << 2), piece);
    store<i32>(head, pieces);
    piece = pieces++;
    memory.fill(PIECE_SLOPES + <usize>piece * SLOPES, 0, SLOPES);
  }
  const slopes = PIECE_SLOPES + <usize>piece * SLOPES;
  const normal = f64x2.replace_lane(f64x2.splat(nx), 1, ny);
  if (isLine) {
    addPair(slopes, f64x2.mul(f64x2.splat(first), normal));
    addPair(slopes + 16, f64x2.mul(f64x2.splat(second), normal));
    return;
  }
  const turned = f64x2.replace_lane(f64x2.splat(ny), 1, -nx);
  keepEnd(slopes, place, first, normal, turned);
  keepEnd(slopes, place + 8, second, normal, turned);
}

/** Adds to the slopes of an arc what moves one end of its chord. */
function keepEnd(slopes: usize, end: usize, weight: f64, normal: v128, turned: v128): void {
  const along = load<f64>(end, 2 * SIDE_ROW);
  const across = load<f64>(end, 3 * SIDE_ROW);
  const du = load<f64>(end, 4 * SIDE_ROW);
  const dv = load<f64>(end, 5 * SIDE_ROW);
  const aside = f64x2.mul(turned, f64x2.splat(across));
  const weights = f64x2.splat(weight);
  addPair(slopes, f64x2.mul(weights, f64x2.add(f64x2.mul(normal, f64x2.splat(1 - along)), aside)));
  addPair(slopes + 16, f64x2.mul(weights, f64x2.sub(f64x2.mul(normal, f64x2.splat(along)), aside)));
  const bulged = weight * (nx * (du * ex + dv * ey) + ny * (du * ey - dv * ex));
  store<f64>(slopes, load<f64>(slopes, 32) + bulged, 32);
}

function addPair(at: usize, pair: v128): void {
  v128.store(at, f64x2.add(v128.load(at), pair));
}
