/** Colors of four channels, as two pairs of numbers. */

/** Bytes of four channels. */
export const CHANNELS: usize = 32;

function asInts(word: v128): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(word));
}

/** Red and green of the pixel whose four bytes come first. */
export function firstTwo(word: v128): v128 {
  return f64x2.convert_low_i32x4_s(asInts(word));
}

/** Its blue and alpha. */
export function lastTwo(word: v128): v128 {
  const levels = asInts(word);
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(levels, levels, 2, 3, 2, 3));
}

/** Four numbers, in the order in which they are written. */
export function sumOf(low: v128, high: v128): f64 {
  return (
    f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1)
  );
}
