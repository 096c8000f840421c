/** How near shapes of ramps come to samples: what ShapeDistance does, for samples that are all opaque. */
import {
  LEAST_KNOT_PX,
  LEAST_KNOTS,
  RAMP_BOX,
  RAMP_KNOT,
  RAMP_LINEAR,
  RAMP_PULL,
  RAMP_SAMPLE,
  SCRATCH,
} from './kernel-layout';
import { at8 } from './places.as';

/** Bytes of a sample, and of a knot. */
const SAMPLE: usize = 8 * RAMP_SAMPLE;
const KNOT: usize = 8 * RAMP_KNOT;

/**
 * The squared error that the best profile along a shape leaves of `count` samples, whose channels' squares add up to `squares`. The room behind the layout begins with their places, x and then y, the
 * last once more where that makes them an even number; then come their colors, by RAMP_SAMPLE. What is behind is used here. A shape has a center, a direction (ux, uy) and a squeeze, or half the sides
 * of a box; `most` knots are the most there are along it.
 */
export function rampError(
  kind: i32,
  cx: f64,
  cy: f64,
  ux: f64,
  uy: f64,
  squeeze: f64,
  halfWidth: f64,
  halfHeight: f64,
  count: i32,
  most: i32,
  squares: f64,
): f64 {
  const even = (count + 1) & ~1;
  const colors = at8(SCRATCH, 2 * even);
  const positions = colors + SAMPLE * <usize>count;
  const sums = at8(positions, even);
  let lows = f64x2.splat(Infinity);
  let highs = f64x2.splat(-Infinity);
  const ys = at8(SCRATCH, even);
  for (let i: usize = 0, end = (<usize>even) << 3; i < end; i += 16) {
    const dx = f64x2.sub(v128.load(SCRATCH + i), f64x2.splat(cx));
    const dy = f64x2.sub(v128.load(ys + i), f64x2.splat(cy));
    let at: v128;
    if (kind === RAMP_BOX) {
      const u = beyond(dx, halfWidth);
      const v = beyond(dy, halfHeight);
      at = f64x2.sqrt(f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v)));
    } else {
      at = f64x2.add(f64x2.mul(dx, f64x2.splat(ux)), f64x2.mul(dy, f64x2.splat(uy)));
      if (kind !== RAMP_LINEAR) {
        const across = f64x2.sub(f64x2.mul(dy, f64x2.splat(ux)), f64x2.mul(dx, f64x2.splat(uy)));
        const v = f64x2.mul(across, f64x2.splat(squeeze));
        at = f64x2.sqrt(f64x2.add(f64x2.mul(at, at), f64x2.mul(v, v)));
      }
    }
    v128.store(positions + i, at);
    lows = f64x2.pmin(lows, at);
    highs = f64x2.pmax(highs, at);
  }
  const low = min(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  const length = max(f64x2.extract_lane(highs, 0), f64x2.extract_lane(highs, 1)) - low;
  const knots = max(LEAST_KNOTS, min(most, <i32>Math.floor(length / LEAST_KNOT_PX + 0.5)));
  const scale = <f64>(knots - 1) / max(1e-3, length);
  memory.fill(sums, 0, KNOT * <usize>knots);
  const last = knots - 2;
  let color = colors;
  for (let i = 0; i < count; i++, color += SAMPLE) {
    const place = (load<f64>(at8(positions, i)) - low) * scale;
    const k = min(<i32>place, last);
    const part = place - <f64>k;
    const rest: f64 = 1 - part;
    const at = sums + KNOT * <usize>k;
    const redGreen = v128.load(color);
    const blue = load<f64>(color, 16);
    const rests = f64x2.splat(rest);
    v128.store(at, f64x2.add(v128.load(at), f64x2.mul(rests, f64x2.replace_lane(rests, 1, part))));
    v128.store(at, f64x2.add(v128.load(at, 16), f64x2.mul(rests, redGreen)), 16);
    store<f64>(at, load<f64>(at, 32) + rest * blue, 32);
    const parts = f64x2.splat(part);
    store<f64>(at, load<f64>(at, KNOT) + part * part, KNOT);
    v128.store(at, f64x2.add(v128.load(at, KNOT + 16), f64x2.mul(parts, redGreen)), KNOT + 16);
    store<f64>(at, load<f64>(at, KNOT + 32) + part * blue, KNOT + 32);
  }
  return squares - explained(sums, knots, max(1e-9, (RAMP_PULL * <f64>count) / <f64>knots));
}

/** How far coordinates are beyond half a side. */
function beyond(d: v128, half: f64): v128 {
  return f64x2.pmax(f64x2.splat(0), f64x2.sub(f64x2.abs(d), f64x2.splat(half)));
}

/** What the best profile explains of the squares, by the sums at the knots, which it uses up: Thomas' elimination. */
function explained(sums: usize, knots: i32, pull: f64): f64 {
  let sum: f64 = 0;
  const last = sums + KNOT * <usize>(knots - 1);
  let before: f64 = 0;
  let redGreen = f64x2.splat(0);
  let blue: f64 = 0;
  for (let at = sums; at <= last; at += KNOT) {
    let main = load<f64>(at) + (at === sums || at === last ? pull + 1e-9 : 2 * pull);
    let ownRedGreen = v128.load(at, 16);
    let ownBlue = load<f64>(at, 32);
    if (at > sums) {
      const m = before * load<f64>(at - KNOT);
      main -= m * before;
      ownRedGreen = f64x2.sub(ownRedGreen, f64x2.mul(f64x2.splat(m), redGreen));
      ownBlue -= m * blue;
    }
    const per: f64 = 1 / main;
    store<f64>(at, per);
    before = load<f64>(at, 8) - pull;
    store<f64>(at, before, 8);
    redGreen = ownRedGreen;
    blue = ownBlue;
    v128.store(at, redGreen, 16);
    store<f64>(at, blue, 32);
    const both = f64x2.mul(redGreen, redGreen);
    sum += (f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1) + blue * blue) * per;
  }
  let pulled: f64 = 0;
  redGreen = f64x2.splat(0);
  blue = 0;
  for (let at = last; at >= sums; at -= KNOT) {
    const per = load<f64>(at);
    const next = at === last ? 0 : load<f64>(at, 8);
    const ownRedGreen = f64x2.mul(
      f64x2.sub(v128.load(at, 16), f64x2.mul(f64x2.splat(next), redGreen)),
      f64x2.splat(per),
    );
    const ownBlue = (load<f64>(at, 32) - next * blue) * per;
    if (at < last) {
      const change = f64x2.sub(ownRedGreen, redGreen);
      const both = f64x2.mul(change, change);
      const blueChange = ownBlue - blue;
      pulled += f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1) + blueChange * blueChange;
    }
    redGreen = ownRedGreen;
    blue = ownBlue;
  }
  return sum + pull * pulled;
}
