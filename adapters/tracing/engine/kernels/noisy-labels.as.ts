/** Labels of pixels that noise has moved: the inner loops of NoisyLabeler. */
import { CHANNELS, firstTwo, lastTwo, sumOf } from './channels.as';
import { FEWEST_COLORS, MOST_CANDIDATES, SCRATCH, SEED_NEIGHBORS, SEEDS_FARTHEST_PX } from './kernel-layout';
import { at4 } from './places.as';

/** Colors that a pixel may be a mixture of; more of them are looked for where the first ones leave so much of it, levels squared. */
const UNEXPLAINED_SQ: f64 = 40 * 40;
const EXPLAINED_SQ: f64 = 12 * 12;
/** By less than this (squared) no mixture is nearer than another. */
const NO_NEARER: f64 = 1e-9;

let columns: i32 = 0;
let rows: i32 = 0;
let colors: i32 = 0;
let labels: usize = 0;
let nearest: usize = 0;
/** Per color the search that met it last, and the colors that the one at hand has met. */
let seen: usize = 0;
let candidates: usize = 0;
let search: i32 = 0;
/** What explains a pixel: the color there is more of, and how far off it is, squared. */
let label: i32 = 0;
let error: f64 = 0;

/**
 * Finds per pixel of a part of a picture, all opaque, the color nearest to it, -1 where none is within `limit` (squared), and whether it is a seed of it: where most around
 * it agree. The room behind the layout begins with the palette, `size` colors, and per color half the way to the nearest other one (squared); then there are the words, and room for the nearest colors,
 * the same where those on either side have it too, and the labels. Beyond the part everything agrees.
 */
export function findSeeds(width: i32, height: i32, size: i32, limit: f64): void {
  columns = width;
  rows = height;
  colors = size;
  const halfways = SCRATCH + CHANNELS * <usize>size;
  const words = halfways + ((<usize>size) << 3);
  nearest = at4(words, width * height);
  const inRow = at4(nearest, width * height);
  labels = at4(inRow, width * height);
  for (let row = 0; row < width * height; row += width) findNearest(words, halfways, inRow, row, limit);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const above = y > 0 ? row - width : row;
    const below = y + 1 < height ? row + width : row;
    let x = 0;
    // Most pixels are as all around them, four at a time.
    for (; x + 4 <= width; x += 4) {
      const own = v128.load(at4(nearest, row + x));
      const apart = v128.or(
        v128.or(v128.xor(v128.load(at4(inRow, row + x)), own), v128.xor(v128.load(at4(inRow, above + x)), own)),
        v128.xor(v128.load(at4(inRow, below + x)), own),
      );
      if (v128.any_true(apart)) for (let u = x; u < x + 4; u++) labelPixel(u, y, inRow, above, below);
      else v128.store(at4(labels, row + x), own);
    }
    for (; x < width; x++) labelPixel(x, y, inRow, above, below);
  }
}

/** The nearest colors of a row that begins with a pixel. */
function findNearest(words: usize, halfways: usize, inRow: usize, row: i32, limit: f64): void {
  // Mostly a pixel is of the color of the one before.
  let color = -1;
  let redGreen = f64x2.splat(0);
  let blueAlpha = f64x2.splat(0);
  let halfway: f64 = -1;
  let own = -1;
  // Beyond the border everything agrees.
  let isAsBefore = true;
  for (let x = 0; x < columns; x++) {
    const at = at4(words, row + x);
    const before = own;
    if (x === 0 || load<i32>(at) !== load<i32>(at - 4)) {
      const word = v128.load32_zero(at);
      const first = firstTwo(word);
      const last = lastTwo(word);
      let off = distanceSq(first, last, redGreen, blueAlpha);
      if (color < 0 || !(off < halfway)) {
        findColor(first, last);
        color = label;
        off = error;
        redGreen = v128.load(SCRATCH + CHANNELS * <usize>color);
        blueAlpha = v128.load(SCRATCH + CHANNELS * <usize>color, 16);
        halfway = load<f64>(halfways + ((<usize>color) << 3));
      }
      own = off <= limit ? color : -1;
    }
    store<i32>(at4(nearest, row + x), own);
    if (x === 0) continue;
    const agrees = own === before;
    store<i32>(at4(inRow, row + x - 1), isAsBefore && agrees ? before : -1);
    isAsBefore = agrees;
  }
  store<i32>(at4(inRow, row + columns - 1), isAsBefore ? own : -1);
}

/** The nearest color of the palette. */
function findColor(redGreen: v128, blueAlpha: v128): void {
  error = Infinity;
  for (let k = 0; k < colors; k++) {
    const at = SCRATCH + CHANNELS * <usize>k;
    const off = distanceSq(redGreen, blueAlpha, v128.load(at), v128.load(at, 16));
    if (off >= error) continue;
    error = off;
    label = k;
  }
}

function distanceSq(redGreen: v128, blueAlpha: v128, otherLow: v128, otherHigh: v128): f64 {
  const low = f64x2.sub(redGreen, otherLow);
  const high = f64x2.sub(blueAlpha, otherHigh);
  return sumOf(f64x2.mul(low, low), f64x2.mul(high, high));
}

function labelPixel(x: i32, y: i32, inRow: usize, above: i32, below: i32): void {
  const row = y * columns;
  const own = load<i32>(at4(nearest, row + x));
  let isSeed = false;
  if (own >= 0) {
    const apart =
      (load<i32>(at4(inRow, row + x)) ^ own) |
      (load<i32>(at4(inRow, above + x)) ^ own) |
      (load<i32>(at4(inRow, below + x)) ^ own);
    isSeed = apart === 0 || countAlike(x, y, own) > SEED_NEIGHBORS;
  }
  store<i32>(at4(labels, row + x), isSeed ? own : -1);
}

/** How many of a pixel and its eight neighbors a color is nearest to. */
function countAlike(x: i32, y: i32, color: i32): i32 {
  let alike = 0;
  for (let v = y - 1; v <= y + 1; v++) {
    for (let u = x - 1; u <= x + 1; u++) {
      if (u < 0 || v < 0 || u >= columns || v >= rows || load<i32>(at4(nearest, v * columns + u)) === color) alike++;
    }
  }
  return alike;
}

/**
 * Explains `count` pixels of a part of a picture that are no seeds, by the palette, `size` colors, that begins the room behind the layout. Behind that there is room for how far each is from what
 * explains it (squared), the labels of all pixels (-1 for what is no seed), which these pixels are (ascending) and their words, room for their labels, and twice as much as
 * there are colors. Those that have no seed around them get the nearest color of all, less than nothing: -1 for the first one.
 */
export function explainNoisy(width: i32, height: i32, size: i32, count: i32): void {
  columns = width;
  rows = height;
  colors = size;
  const errors = SCRATCH + CHANNELS * <usize>size;
  labels = errors + ((<usize>count) << 3);
  const pixels = at4(labels, width * height);
  const words = at4(pixels, count);
  const chosen = at4(words, count);
  seen = at4(chosen, count);
  candidates = at4(seen, size);
  search = 0;
  memory.fill(seen, 0, (<usize>size) << 2);
  for (let k = 0; k < count; k++) {
    const word = v128.load32_zero(at4(words, k));
    const isLost = explain(load<i32>(at4(pixels, k)), firstTwo(word), lastTwo(word));
    store<f64>(errors + ((<usize>k) << 3), error);
    store<i32>(at4(chosen, k), isLost ? -1 - label : label);
  }
}

/** Explains a pixel as a mixture of the seeds around it; whether there are none. */
function explain(pixel: i32, redGreen: v128, blueAlpha: v128): bool {
  const found = lookAround(pixel, FEWEST_COLORS);
  if (found === 0) {
    findColor(redGreen, blueAlpha);
    return true;
  }
  if (found === 1) {
    // Alone among its like, a pixel is of their color with some ringing, unless it is far from it.
    label = load<i32>(candidates);
    const at = SCRATCH + CHANNELS * <usize>label;
    error = distanceSq(redGreen, blueAlpha, v128.load(at), v128.load(at, 16));
    return false;
  }
  unmix(redGreen, blueAlpha, found);
  // Where several meet, those nearest may explain nothing. What no colors around do is of one that has no area.
  if (error <= UNEXPLAINED_SQ || colors <= FEWEST_COLORS) return false;
  const nearestLabel = label;
  const nearestError = error;
  unmix(redGreen, blueAlpha, lookAround(pixel, MOST_CANDIDATES));
  if (error <= EXPLAINED_SQ) return false;
  label = nearestLabel;
  error = nearestError;
  return false;
}

/** Lists the colors of the seeds nearest to a pixel, until there are so many; returns how many. */
function lookAround(pixel: i32, enough: i32): i32 {
  const y = pixel / columns;
  const x = pixel - y * columns;
  search++;
  let found = 0;
  for (let reach = 1; reach <= SEEDS_FARTHEST_PX && found < enough; reach++) {
    const left = max(0, x - reach);
    const right = min(columns - 1, x + reach);
    const top = max(0, y - reach);
    const bottom = min(rows - 1, y + reach);
    // Around what has been looked at before.
    if (y >= reach) found = meet(top * columns + left, top * columns + right, 1, found);
    if (y + reach < rows) found = meet(bottom * columns + left, bottom * columns + right, 1, found);
    if (x >= reach) found = meet(top * columns + left, bottom * columns + left, columns, found);
    if (x + reach < columns) found = meet(top * columns + right, bottom * columns + right, columns, found);
  }
  return found;
}

/** Adds the colors of pixels `from` to `to` to the `found` ones that the search has met; returns how many there are then. */
function meet(from: i32, to: i32, step: i32, found: i32): i32 {
  for (let j = from; j <= to; j += step) {
    const color = load<i32>(at4(labels, j));
    if (color < 0 || load<i32>(at4(seen, color)) === search) continue;
    store<i32>(at4(seen, color), search);
    store<i32>(at4(candidates, found), color);
    found++;
  }
  return found;
}

/** The mixture of two of `count` candidates (at least two) that is nearest to a pixel. */
function unmix(redGreen: v128, blueAlpha: v128, count: i32): void {
  error = Infinity;
  label = load<i32>(candidates);
  for (let p = 0; p < count; p++) {
    const one = load<i32>(at4(candidates, p));
    for (let q = p + 1; q < count; q++) tryPair(redGreen, blueAlpha, one, load<i32>(at4(candidates, q)));
  }
}

/** Takes the mixture of two colors for the explanation of a pixel where it is nearer than the one so far. */
function tryPair(redGreen: v128, blueAlpha: v128, p: i32, q: i32): void {
  const P = SCRATCH + CHANNELS * <usize>p;
  const Q = SCRATCH + CHANNELS * <usize>q;
  const lowQ = v128.load(Q);
  const highQ = v128.load(Q, 16);
  const lowWay = f64x2.sub(v128.load(P), lowQ);
  const highWay = f64x2.sub(v128.load(P, 16), highQ);
  const low = f64x2.sub(redGreen, lowQ);
  const high = f64x2.sub(blueAlpha, highQ);
  let t = sumOf(f64x2.mul(low, lowWay), f64x2.mul(high, highWay));
  t /= sumOf(f64x2.mul(lowWay, lowWay), f64x2.mul(highWay, highWay));
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const share = f64x2.splat(t);
  const lowOff = f64x2.sub(low, f64x2.mul(share, lowWay));
  const highOff = f64x2.sub(high, f64x2.mul(share, highWay));
  const off = sumOf(f64x2.mul(lowOff, lowOff), f64x2.mul(highOff, highOff));
  if (!(off < error - NO_NEARER)) return;
  error = off;
  label = t >= 0.5 ? p : q;
}
