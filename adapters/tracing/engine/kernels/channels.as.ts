/** Colors of four channels: as bytes, in whole numbers, and as two pairs of others. */

/** Bytes of four channels. */
export const CHANNELS: usize = 32;

/** The channels of the pixel whose four bytes come first, in whole numbers. */
export function levelsOf(word: v128): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(word));
}

/** Its red and green. */
export function firstTwo(word: v128): v128 {
  return f64x2.convert_low_i32x4_s(levelsOf(word));
}

/** Its blue and alpha. */
export function lastTwo(word: v128): v128 {
  const levels = levelsOf(word);
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(levels, levels, 2, 3, 2, 3));
}

/** Four numbers, in the order in which they are written. */
export function sumOf(low: v128, high: v128): f64 {
  return (
    f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1)
  );
}

/** The differences of bytes, whichever is larger. */
export function apart(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}
