/** How far pixels are from those next to them: what is asked of all of a picture that compression has been at. */
import { apart } from './channels.as';
import { SCRATCH } from './kernel-layout';
import { at4 } from './places.as';

/** Numbers of a histogram of levels. */
const LEVELS: i32 = 256;

/**
 * Counts the pixels of a row but its last by how far they are from their right and lower neighbors, in the channel in which they are farthest. Two rows of `width` words begin the room behind
 * the layout; behind them the counts are, by levels.
 */
export function countContrasts(width: i32): void {
  const counts = at4(SCRATCH, 2 * width);
  let x = 0;
  let zeros = 0;
  for (; x + 4 < width; x += 4) {
    const at = at4(SCRATCH, x);
    const own = v128.load(at);
    const most = i8x16.max_u(apart(own, v128.load(at, 4)), apart(own, v128.load(at4(at, width))));
    if (!v128.any_true(most)) {
      zeros += 4;
      continue;
    }
    const pairs = i8x16.max_u(most, i32x4.shr_u(most, 16));
    const all = v128.and(i8x16.max_u(pairs, i32x4.shr_u(pairs, 8)), i32x4.splat(LEVELS - 1));
    count(counts, i32x4.extract_lane(all, 0));
    count(counts, i32x4.extract_lane(all, 1));
    count(counts, i32x4.extract_lane(all, 2));
    count(counts, i32x4.extract_lane(all, 3));
  }
  store<i32>(counts, load<i32>(counts) + zeros);
  for (; x + 1 < width; x++) {
    const at = at4(SCRATCH, x);
    const own = v128.load32_zero(at);
    const most = i8x16.max_u(apart(own, v128.load32_zero(at, 4)), apart(own, v128.load32_zero(at4(at, width))));
    const pairs = i8x16.max_u(most, i32x4.shr_u(most, 16));
    count(counts, i32x4.extract_lane(i8x16.max_u(pairs, i32x4.shr_u(pairs, 8)), 0) & (LEVELS - 1));
  }
}

function count(counts: usize, level: i32): void {
  const at = at4(counts, level);
  store<i32>(at, load<i32>(at) + 1);
}

/**
 * Lists the even pixels of rows `from` to `to` of a part of a picture, `width` x `height` words that begin the room behind the layout: those that are within `levels` of all four
 * neighbors, in every channel; beyond the part all is as within it. Behind the words there is room for three rows; behind these come the first of even pixels of one color that follow each
 * other, and how many there are, in turn. Returns how many numbers these are.
 */
export function listEven(width: i32, height: i32, from: i32, to: i32, levels: i32): i32 {
  const most = i8x16.splat(<i8>levels);
  const none = i32x4.splat(0);
  let above = at4(SCRATCH, width * height);
  let below = at4(above, width);
  // Whether a pixel is apart from the one before it, and one more for what is behind the last.
  const before = at4(below, width);
  const list = at4(before, width + 4);
  let size = 0;
  let color = 0;
  let first = 0;
  let count = 0;
  for (let y = max(0, from - 1); y < to; y++) {
    const row = at4(SCRATCH, y * width);
    if (y + 1 < height) {
      let x = 0;
      for (; x + 4 <= width; x += 4) {
        const over = i8x16.sub_sat_u(apart(v128.load(at4(row, x)), v128.load(at4(row, x + width))), most);
        v128.store(at4(below, x), i32x4.ne(over, none));
      }
      for (; x < width; x++) store<i32>(at4(below, x), isApart(at4(row, x), at4(row, x + width), most));
    } else memory.fill(below, 0, (<usize>width) << 2);
    if (y >= from) {
      if (y === 0) memory.fill(above, 0, (<usize>width) << 2);
      store<i32>(before, 0);
      let x = 1;
      for (; x + 4 <= width; x += 4) {
        const over = i8x16.sub_sat_u(apart(v128.load(at4(row, x)), v128.load(at4(row, x - 1))), most);
        v128.store(at4(before, x), i32x4.ne(over, none));
      }
      for (; x < width; x++) store<i32>(at4(before, x), isApart(at4(row, x), at4(row, x - 1), most));
      store<i32>(at4(before, width), 0);
      for (x = 0; x < width; x++) {
        const isAny =
          load<i32>(at4(above, x)) |
          load<i32>(at4(below, x)) |
          load<i32>(at4(before, x)) |
          load<i32>(at4(before, x + 1));
        if (isAny !== 0) continue;
        const word = load<i32>(at4(row, x));
        if (count === 0 || word !== color) {
          if (count > 0) {
            store<i32>(at4(list, size), first);
            store<i32>(at4(list, size + 1), count);
            size += 2;
          }
          first = y * width + x;
          color = word;
          count = 0;
        }
        count++;
      }
    }
    const last = above;
    above = below;
    below = last;
  }
  if (count === 0) return size;
  store<i32>(at4(list, size), first);
  store<i32>(at4(list, size + 1), count);
  return size + 2;
}

/** Whether two pixels are, as lanes have it. */
function isApart(a: usize, b: usize, most: v128): i32 {
  const over = i8x16.sub_sat_u(apart(v128.load32_zero(a), v128.load32_zero(b)), most);
  return v128.any_true(over) ? -1 : 0;
}
