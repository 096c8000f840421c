/** How many squares of a picture look like parts of ramps: what `lookAtSquare` says of squares that lie all over it. */
import { apart, levelsOf } from './channels.as';
import { SCRATCH } from './kernel-layout';

/**
 * Looks at squares of `side` px, one every `step` px, in a part of a picture, `width` x `height` words that begin the room behind the layout. Behind them it writes how many
 * there are, how many look like part of a ramp, and how many are rough: farther than `mostSq` from any plane, in all; a ramp
 * rises by `leastRise`, and no step in it is larger than `steepest` levels.
 */
export function countRampSquares(
  width: i32,
  height: i32,
  side: i32,
  step: i32,
  steepest: i32,
  mostSq: f64,
  leastRise: f64,
): void {
  const most = i8x16.splat(<i8>steepest);
  let squares = 0;
  let ramps = 0;
  let rough = 0;
  const down = (<usize>width) << 2;
  for (let y = 0; y + side <= height; y += step) {
    for (let x = 0; x + side <= width; x += step) {
      squares++;
      const look = lookAt(SCRATCH + ((<usize>(y * width + x)) << 2), side, down, most, mostSq, leastRise);
      if (look > 0) ramps++;
      else if (look < 0) rough++;
    }
  }
  const to = SCRATCH + down * <usize>height;
  store<i32>(to, squares);
  store<i32>(to, ramps, 4);
  store<i32>(to, rough, 8);
}

/** 1 for part of a ramp, -1 for what is rough, 0 for all else. All four channels at once, in whole numbers: of places twice what they are off the middle. */
function lookAt(first: usize, side: i32, down: usize, steepest: v128, mostSq: f64, leastRise: f64): i32 {
  let sum = i32x4.splat(0);
  let sumX = i32x4.splat(0);
  let sumY = i32x4.splat(0);
  let sumSq = i32x4.splat(0);
  let row = first;
  for (let v = 0; v < side; v++, row += down) {
    let ofRow = i32x4.splat(0);
    let at = row;
    for (let u = 0; u < side; u++, at += 4) {
      const word = v128.load32_zero(at);
      const before = u > 0 ? v128.load32_zero(at - 4) : word;
      const above = v > 0 ? v128.load32_zero(at - down) : word;
      const change = i8x16.max_u(apart(word, before), apart(word, above));
      // There is an edge in it.
      if (v128.any_true(i8x16.sub_sat_u(change, steepest))) return 0;
      const levels = levelsOf(word);
      ofRow = i32x4.add(ofRow, levels);
      sumX = i32x4.add(sumX, i32x4.mul(levels, i32x4.splat(2 * u - side + 1)));
      sumSq = i32x4.add(sumSq, i32x4.mul(levels, levels));
    }
    sum = i32x4.add(sum, ofRow);
    sumY = i32x4.add(sumY, i32x4.mul(ofRow, i32x4.splat(2 * v - side + 1)));
  }
  const count = <f64>(side * side);
  const moment = (count * (count - 1)) / 12;
  let squares: f64 = 0;
  let riseSq: f64 = 0;
  for (let c = 0; c < 4; c++) {
    const all = <f64>i32x4.extract_lane(sum, 0);
    const x = <f64>i32x4.extract_lane(sumX, 0) / 2;
    const y = <f64>i32x4.extract_lane(sumY, 0) / 2;
    squares += <f64>i32x4.extract_lane(sumSq, 0) - (all * all) / count - (x * x + y * y) / moment;
    riseSq = max(riseSq, x * x + y * y);
    sum = v128.shuffle<i32>(sum, sum, 1, 2, 3, 0);
    sumX = v128.shuffle<i32>(sumX, sumX, 1, 2, 3, 0);
    sumY = v128.shuffle<i32>(sumY, sumY, 1, 2, 3, 0);
    sumSq = v128.shuffle<i32>(sumSq, sumSq, 1, 2, 3, 0);
  }
  if (squares >= mostSq) return -1;
  return (sqrt(riseSq) / moment) * <f64>(side - 1) >= leastRise ? 1 : 0;
}
