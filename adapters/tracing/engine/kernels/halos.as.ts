/** The pixels of halos beside edges: what `withoutHalos` does for every pixel that an edge runs through. */
import { ACROSS_PX, EVEN_PX, HALO_MARGIN_PX, SCRATCH } from './kernel-layout';

/** Farther than any two colors are apart, squared levels. */
const NOWHERE = 0x7fffffff;

let words: usize = 0;
let masks: usize = 0;
/** Bytes of a row, with the pixels beyond its ends. */
let stride: usize = 0;
let height: i32 = 0;

/**
 * Looks at rows `from` to `to` of a part of a picture, `columns` x `rows` pixels, each row with HALO_MARGIN_PX more at either end that are as the last one is. They
 * begin the room behind the layout; behind them is room for as many masks, and for the words that the pixels looked at should have. What is across an edge from
 * a halo is farther from it than `leastSq`, and from what is even by `contrastSq`; the halo goes beyond that by `deepest` of it at most, or by `ring` towards it, and is off the line through
 * both by no more than `nearLevels` and `nearShare` of it.
 */
export function clearHalos(
  columns: i32,
  rows: i32,
  from: i32,
  to: i32,
  leastSq: f64,
  contrastSq: f64,
  deepest: f64,
  ring: f64,
  nearLevels: f64,
  nearShare: f64,
): void {
  height = rows;
  stride = (<usize>(columns + 2 * HALO_MARGIN_PX)) << 2;
  words = SCRATCH;
  masks = words + stride * <usize>rows;
  let out = masks + stride * <usize>rows;
  markEven(columns);
  for (let y = from; y < to; y++) {
    let at = words + stride * <usize>y + 4 * HALO_MARGIN_PX;
    let even = masks + stride * <usize>y + 4 * HALO_MARGIN_PX;
    for (let x = 0; x < columns; x++, at += 4, even += 4, out += 4) {
      const word = load<i32>(at);
      store<i32>(out, word);
      if (load<i32>(even) !== 0) continue;
      // Most that compression has moved has nothing around it that is as far from it as what lies across an edge is from a halo.
      if (<f64>farthestSq(at, y, word) < leastSq) continue;
      const nearSq = nearestEven(at, even, y, word);
      if (nearSq === NOWHERE) continue;
      const ground = load<i32>(found);
      const all = farthestSq(at, y, ground);
      if (all === 0 || <f64>all < contrastSq) continue;
      const across = load<i32>(firstSoFar(at, y, ground, all));
      const contrast = <f64>all;
      const share = <f64>product(ground, across, word) / contrast;
      if (share < -deepest || share > ring) continue;
      const near = nearLevels + nearShare * sqrt(contrast);
      if (<f64>nearSq - share * share * contrast <= near * near) store<i32>(out, ground);
    }
  }
}

/** Where the even pixel is that was found last. */
let found: usize = 0;

/** Masks the pixels that have the color of one beside them and of one above or below, and no others. */
function markEven(columns: i32): void {
  memory.fill(masks, 0, stride * <usize>height);
  for (let y = 0; y < height; y++) {
    const row = words + stride * <usize>y + 4 * HALO_MARGIN_PX;
    const mask = masks + stride * <usize>y + 4 * HALO_MARGIN_PX;
    const hasAbove = y > 0;
    const hasBelow = y + 1 < height;
    for (let x = 0; x < columns; x++) {
      const at = row + ((<usize>x) << 2);
      const word = load<i32>(at);
      const isBeside = (x > 0 && load<i32>(at - 4) === word) || (x + 1 < columns && load<i32>(at + 4) === word);
      if (!isBeside) continue;
      if ((hasAbove && load<i32>(at - stride) === word) || (hasBelow && load<i32>(at + stride) === word))
        store<i32>(mask + ((<usize>x) << 2), -1);
    }
  }
}

/** Squared distances of four pixels from a color, whose channels are there twice, as whole numbers of two bytes. */
function distancesSq(at: usize, color: v128): v128 {
  const four = v128.load(at);
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(four), color);
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(four), color);
  const lowPairs = i32x4.dot_i16x8_s(low, low);
  const highPairs = i32x4.dot_i16x8_s(high, high);
  return i32x4.add(
    v128.shuffle<i32>(lowPairs, highPairs, 0, 2, 4, 6),
    v128.shuffle<i32>(lowPairs, highPairs, 1, 3, 5, 7),
  );
}

function largest(four: v128): i32 {
  const two = i32x4.max_s(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return max(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

function least(four: v128): i32 {
  const two = i32x4.min_s(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return min(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

/** How far the farthest color around a pixel is from one, squared. */
function farthestSq(at: usize, y: i32, word: i32): i32 {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(word));
  const bottom = min(height - 1, y + ACROSS_PX);
  let v = max(0, y - ACROSS_PX);
  // Five in a row: four, and four of which three are the same.
  let first = at - stride * <usize>(y - v) - 4 * ACROSS_PX;
  let most = i32x4.splat(0);
  for (; v <= bottom; v++, first += stride) {
    most = i32x4.max_s(most, distancesSq(first, color));
    most = i32x4.max_s(most, distancesSq(first + 4, color));
  }
  return largest(most);
}

/** Where the first pixel around one is, row by row, that is so far from a color, as one of them is. */
function firstSoFar(at: usize, y: i32, word: i32, distanceSq: i32): usize {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(word));
  const wanted = i32x4.splat(distanceSq);
  const bottom = min(height - 1, y + ACROSS_PX);
  let v = max(0, y - ACROSS_PX);
  let first = at - stride * <usize>(y - v) - 4 * ACROSS_PX;
  for (; v <= bottom; v++, first += stride) {
    const isThere = i32x4.bitmask(i32x4.eq(distancesSq(first, color), wanted));
    if (isThere !== 0) return first + ((<usize>ctz(isThere)) << 2);
    const last = first + 4;
    if (i32x4.extract_lane(distancesSq(last, color), 3) === distanceSq) return last + 12;
  }
  return at;
}

/** How far the nearest even color around a pixel is from one, squared; `found` is where the first of them is. NOWHERE where there is none. */
function nearestEven(at: usize, even: usize, y: i32, word: i32): i32 {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(word));
  const nowhere = i32x4.splat(NOWHERE);
  const bottom = min(height - 1, y + EVEN_PX);
  let v = max(0, y - EVEN_PX);
  const back = stride * <usize>(y - v) + 4 * EVEN_PX;
  let first = at - back;
  let mask = even - back;
  let best = NOWHERE;
  let bestRow: v128 = nowhere;
  let bestEnd: v128 = nowhere;
  let row: usize = 0;
  for (; v <= bottom; v++, first += stride, mask += stride) {
    // Seven in a row: four, and four of which the first is the same.
    const start = v128.bitselect(distancesSq(first, color), nowhere, v128.load(mask));
    const end = v128.bitselect(distancesSq(first + 12, color), nowhere, v128.load(mask, 12));
    const nearest = least(i32x4.min_s(start, end));
    if (nearest >= best) continue;
    best = nearest;
    bestRow = start;
    bestEnd = end;
    row = first;
  }
  if (best === NOWHERE) return best;
  const wanted = i32x4.splat(best);
  const isThere = i32x4.bitmask(i32x4.eq(bestRow, wanted));
  found =
    isThere !== 0
      ? row + ((<usize>ctz(isThere)) << 2)
      : row + 12 + ((<usize>ctz(i32x4.bitmask(i32x4.eq(bestEnd, wanted)))) << 2);
  return best;
}

/** Of the differences of two colors from a third the product, over four channels. */
function product(from: i32, a: i32, b: i32): i32 {
  const origin = i16x8.extend_low_i8x16_u(i32x4.splat(from));
  const one = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(a)), origin);
  const other = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(b)), origin);
  const pairs = i32x4.dot_i16x8_s(one, other);
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}
