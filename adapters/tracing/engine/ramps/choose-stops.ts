import type { FittedRamp } from './fit-ramp.js';
import { PlacedSamples } from './placed-samples.js';
import { ProfileFitter, type RampProfile, type RampSamples } from './ramp-profile.js';
import { RampRuler, type RampShape } from './ramp-shape.js';

/** Places along the ramp among which stops are chosen first; they move freely afterwards. */
const PLACES = 41;
const MOST_STOPS = 12;
/** Fewer stops are enough where they come this near to the profile with all places, levels and as a factor. */
const NEAR_ENOUGH = 0.12;
const NEAR_FACTOR = 1.08;
/** As a factor, where what is left of the samples is noise: knots could follow it. */
const NEAR_FACTOR_NOISY = 1.35;
/** Rounds of moving stops, each half as far. */
const ROUNDS = 7;
/** Anti-aliased pixels lie around the samples: a ramp that still rises at its end goes on so far, px. */
const BEYOND_PX = 1.5;

/**
 * The profile with as few knots as explain the samples, to be a gradient's stops; at least two. `ends` are where the ramp begins and ends,
 * px along it, if that is farther than its samples tell.
 */
export function chooseStops(
  { shape }: FittedRamp,
  samples: RampSamples,
  noisy: boolean,
  ends: ArrayLike<number> = [Infinity, -Infinity],
): RampProfile {
  const positions = positionsOf(samples, shape);
  const dense = new ProfileFitter().fitEvenly(samples, positions, PLACES);
  const enough = Math.max(dense.rms + NEAR_ENOUGH, dense.rms * (noisy ? NEAR_FACTOR_NOISY : NEAR_FACTOR));
  const chooser = new PlaceChooser(dense, positions);
  const placed = new PlacedSamples(samples, positions);
  let best: RampProfile = dense;
  for (let count = 2; count <= MOST_STOPS; count++) {
    best = placed.fit(moveStops(placed, chooser.choose(count)));
    if (best.rms <= enough) break;
  }
  return extended(best, dense, shape.kind === 'linear', ends);
}

function positionsOf({ x, y, count }: RampSamples, shape: RampShape): Float64Array {
  const ruler = new RampRuler(shape);
  const positions = new Float64Array(count);
  for (let i = 0; i < count; i++) positions[i] = ruler.at(x[i], y[i]);
  return positions;
}

/** Moves knots along the ramp while that brings the profile nearer to the samples. */
function moveStops(placed: PlacedSamples, from: Float64Array): Float64Array {
  const knots = Float64Array.from(from);
  const last = knots.length - 1;
  let best = placed.rms(knots);
  let step = (from[last] - from[0]) / PLACES;
  const least = step / 16;
  for (let round = 0; round < ROUNDS; round++, step /= 2) {
    for (let k = 0; k <= last; k++) {
      const before = knots[k];
      for (const move of [step, -step]) {
        knots[k] = before + move;
        const isApart =
          (k === 0 || knots[k] >= knots[k - 1] + least) && (k === last || knots[k] <= knots[k + 1] - least);
        const rms = isApart ? placed.rms(knots) : Infinity;
        if (rms < best - 1e-6) {
          best = rms;
          break;
        }
        knots[k] = before;
      }
    }
  }
  return knots;
}

/** Lets a profile that still changes at its ends go on a little, as far as colors go. */
function extended(profile: RampProfile, dense: RampProfile, isLinear: boolean, ends: ArrayLike<number>): RampProfile {
  const knots = Float64Array.from(profile.knots);
  const values = Float64Array.from(profile.values);
  const last = knots.length - 1;
  const span = dense.knots[PLACES - 1] - dense.knots[0];
  const lead = (knot: number, inner: number, by: number) => {
    let reach = 1;
    const scale = by / Math.abs(knots[knot] - knots[inner]);
    for (let c = 0; c < 4; c++) {
      const v = values[knot * 4 + c];
      const d = (v - values[inner * 4 + c]) * scale;
      if (v + d < 0) reach = Math.min(reach, Math.max(0, -v / d));
      if (v + d > 255) reach = Math.min(reach, Math.max(0, (255 - v) / d));
    }
    for (let c = 0; c < 4; c++) values[knot * 4 + c] += (values[knot * 4 + c] - values[inner * 4 + c]) * scale * reach;
    knots[knot] += Math.sign(knots[knot] - knots[inner]) * by * reach;
  };
  const atStart = knots[0] - dense.knots[0] < span / PLACES;
  const atEnd = dense.knots[PLACES - 1] - knots[last] < span / PLACES;
  const before = Math.max(0, knots[0] - ends[0]) + BEYOND_PX;
  if (atStart) lead(0, 1, isLinear ? before : Math.min(before, Math.max(0, knots[0])));
  if (atEnd) lead(last, last - 1, Math.max(0, ends[1] - knots[last]) + BEYOND_PX);
  return { knots, values, rms: profile.rms };
}

/** Chooses among evenly spread places those between which straight runs come nearest to a profile. */
class PlaceChooser {
  private readonly knots: Float64Array;
  /** Premultiplied. */
  private readonly values: Float64Array;
  private readonly weights: Float64Array;
  /** The error between any two places where nothing is chosen between them, row by row. */
  private readonly between = new Float64Array(PLACES * PLACES);

  constructor({ knots, values }: RampProfile, positions: Float64Array) {
    this.knots = knots;
    this.values = Float64Array.from(values);
    for (let k = 0; k < PLACES; k++) {
      for (let c = 0; c < 3; c++) this.values[k * 4 + c] *= values[k * 4 + 3] / 255;
    }
    this.weights = new Float64Array(PLACES);
    const step = knots[1] - knots[0];
    for (const position of positions) {
      const k = Math.round((position - knots[0]) / step);
      this.weights[k < 0 ? 0 : k >= PLACES ? PLACES - 1 : k]++;
    }
    for (let i = 0; i < PLACES; i++)
      for (let j = i + 1; j < PLACES; j++) this.between[i * PLACES + j] = this.straightError(i, j);
  }

  choose(count: number): Float64Array {
    // cost[m][j]: the least error up to place j, which is the m-th chosen.
    let cost = new Float64Array(PLACES);
    const from: Int32Array[] = [];
    for (let j = 0; j < PLACES; j++) cost[j] = this.evenError(j, 0, j);
    for (let m = 1; m < count; m++) {
      const next = new Float64Array(PLACES).fill(Infinity);
      const back = new Int32Array(PLACES).fill(-1);
      for (let j = m; j < PLACES; j++) {
        for (let i = m - 1; i < j; i++) {
          const total = cost[i] + this.between[i * PLACES + j];
          if (total < next[j]) {
            next[j] = total;
            back[j] = i;
          }
        }
      }
      cost = next;
      from.push(back);
    }
    let best = PLACES - 1;
    let least = Infinity;
    for (let j = count - 1; j < PLACES; j++) {
      const total = cost[j] + this.evenError(j, j, PLACES - 1);
      if (total < least) {
        least = total;
        best = j;
      }
    }
    const chosen = new Float64Array(count);
    for (let m = count - 1, j = best; m >= 0; m--) {
      chosen[m] = this.knots[j];
      if (m > 0) j = from[m - 1][j];
    }
    return chosen;
  }

  private evenError(value: number, from: number, to: number): number {
    let sum = 0;
    for (let k = from; k <= to; k++) sum += this.weights[k] * this.distanceSq(k, value, value, 0);
    return sum;
  }

  private straightError(i: number, j: number): number {
    let sum = 0;
    for (let k = i + 1; k < j; k++) sum += this.weights[k] * this.distanceSq(k, i, j, (k - i) / (j - i));
    return sum;
  }

  private distanceSq(k: number, i: number, j: number, part: number): number {
    const { values } = this;
    let sum = 0;
    for (let c = 0; c < 4; c++) {
      const at = values[i * 4 + c] + part * (values[j * 4 + c] - values[i * 4 + c]);
      sum += (values[k * 4 + c] - at) ** 2;
    }
    return sum;
  }
}
