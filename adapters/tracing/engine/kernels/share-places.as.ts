/** What lies around the parts of a pixel that several colors share: what `SharePlacer` asks of every such pixel, round after round. */
import { PULL_PITCH, SCRATCH, SHARE_PARTS, SHARE_TAPS, SHARE_WAYS, TAP_SIZE, WAY_SIZE } from './kernel-layout';

/** Bytes of a row of what is drawn to a color: a number of two bytes for every part, and room for two more. */
const ROW: usize = PULL_PITCH * 2;

/**
 * Counts around each part of a pixel, of which the first lies at byte `first` of memory and the next row `stride` bytes on, those of color `a`, each as
 * much as its place counts in the neighborhood `way`, less those of color `b`. Writes the counts of color number `into` of the pixel.
 */
export function countShares(first: i32, stride: i32, way: i32, a: i32, b: i32, into: i32): void {
  const ways = SCRATCH + SHARE_WAYS + <usize>way * WAY_SIZE;
  let tap = SCRATCH + SHARE_TAPS + <usize>load<i32>(ways) * TAP_SIZE;
  const end = tap + <usize>load<i32>(ways, 4) * TAP_SIZE;
  const ofA = i8x16.splat(<i8>a);
  const ofB = i8x16.splat(<i8>b);
  const step = <usize>stride;
  let row0 = i64x2.splat(0);
  let row1 = row0;
  let row2 = row0;
  let row3 = row0;
  let row4 = row0;
  let row5 = row0;
  for (; tap < end; tap += TAP_SIZE) {
    const weight = v128.load16_splat(tap, 4);
    let at = <usize>(first + load<i32>(tap));
    row0 = i16x8.add(row0, counted(at, ofA, ofB, weight));
    at += step;
    row1 = i16x8.add(row1, counted(at, ofA, ofB, weight));
    at += step;
    row2 = i16x8.add(row2, counted(at, ofA, ofB, weight));
    at += step;
    row3 = i16x8.add(row3, counted(at, ofA, ofB, weight));
    at += step;
    row4 = i16x8.add(row4, counted(at, ofA, ofB, weight));
    at += step;
    row5 = i16x8.add(row5, counted(at, ofA, ofB, weight));
  }
  const out = SCRATCH + <usize>into * SHARE_PARTS * ROW;
  v128.store(out, row0);
  v128.store(out + ROW, row1);
  v128.store(out + 2 * ROW, row2);
  v128.store(out + 3 * ROW, row3);
  v128.store(out + 4 * ROW, row4);
  v128.store(out + 5 * ROW, row5);
}

/** Of eight parts in a row what each counts. */
function counted(at: usize, ofA: v128, ofB: v128, weight: v128): v128 {
  const labels = v128.load64_zero(at);
  const sign = i8x16.sub(i8x16.eq(labels, ofB), i8x16.eq(labels, ofA));
  return i16x8.mul(i16x8.extend_low_i8x16_s(sign), weight);
}
