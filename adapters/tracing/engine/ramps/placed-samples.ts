import { ProfileSystem, type RampProfile, type RampSamples, rmsOf } from './ramp-profile.js';

/** Places that are told apart when samples are put in order: finer ones make no difference. */
const PLACES = 2 ** 30;
/** No more samples than a key has room for beside the place. */
const MOST_SAMPLES = 2 ** 22;
/** Channels that are weighed alike, and where their sums begin: the colors by their opacity, and that. */
const GROUPS = [
  { channels: 3, at: 0 },
  { channels: 1, at: ProfileSystem.COLOR_SUMS },
] as const;
const SUMS = ProfileSystem.SUMS;

/**
 * Samples by their place along a ramp, so that profiles over any knots are fitted in a time that does not depend on how many samples there
 * are: least squares over hat functions need some sums over the samples between two knots, which are differences of sums from the first on.
 */
export class PlacedSamples {
  private readonly count: number;
  /** Ascending, px from `origin`, which is in the middle: differences lose least there. */
  private readonly places: Float64Array;
  private readonly origin: number;
  /** Row k has the sums over the first k samples, as ProfileSystem takes them, with the place for the part of the way. */
  private readonly sums: Float64Array;
  private readonly between = new Float64Array(SUMS);
  private readonly system = new ProfileSystem();

  /** `positions` are the samples' places along the ramp, px, one each; of no more than 2^22. */
  constructor({ count, channels }: RampSamples, positions: Float64Array) {
    if (count > MOST_SAMPLES) throw new RangeError(`${count} samples are more than ${MOST_SAMPLES}`);
    this.count = count;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    this.origin = (low + high) / 2;
    this.places = new Float64Array(count);
    this.sums = new Float64Array((count + 1) * SUMS);
    const scale = (PLACES - 1) / Math.max(1e-9, high - low);
    const keys = new Float64Array(count);
    for (let i = 0; i < count; i++) keys[i] = Math.floor((positions[i] - low) * scale) * MOST_SAMPLES + i;
    keys.sort();
    for (let k = 0; k < count; k++) {
      const i = keys[k] % MOST_SAMPLES;
      this.places[k] = positions[i] - this.origin;
      this.addRow(k, channels, i * 4);
    }
  }

  /** How near the best profile over some knots comes, root mean square, levels. Knots ascend, px along the ramp; two at least. */
  rms(knots: Float64Array): number {
    this.gather(knots);
    return rmsOf(this.system.solve(), this.count);
  }

  /** The best profile over some knots. */
  fit(knots: Float64Array): RampProfile {
    this.gather(knots);
    const values = new Float64Array(knots.length * 4);
    return { knots, values, rms: rmsOf(this.system.solve(values), this.count) };
  }

  private addRow(k: number, channels: Float64Array, at: number): void {
    const { sums } = this;
    const row = (k + 1) * SUMS;
    const place = this.places[k];
    const share = channels[at + 3] / 255;
    for (let s = 0; s < SUMS; s++) sums[row + s] = sums[row - SUMS + s];
    for (const group of GROUPS) {
      const to = row + group.at;
      const weight = group.channels === 3 ? share * share : 1;
      sums[to] += weight;
      sums[to + 1] += weight * place;
      sums[to + 2] += weight * place * place;
      for (let c = 0; c < group.channels; c++) {
        const value = channels[group.channels === 3 ? at + c : at + 3];
        sums[to + 3] += weight * value * value;
        sums[to + 4 + 2 * c] += weight * value;
        sums[to + 5 + 2 * c] += weight * value * place;
      }
    }
  }

  /** Fills the system for some knots. */
  private gather(knots: Float64Array): void {
    const { system, count, origin } = this;
    const last = knots.length - 1;
    system.clear(knots.length);
    let from = this.firstFrom(knots[0] - origin, 0);
    // Before the first knot the profile is even, as after the last.
    this.addBetween(0, from, 0, 0, 0);
    for (let k = 0; k < last; k++) {
      const to = this.firstFrom(knots[k + 1] - origin, from);
      this.addBetween(from, to, k, knots[k] - origin, 1 / (knots[k + 1] - knots[k]));
      from = to;
    }
    this.addBetween(from, count, last, 0, 0);
  }

  /** Adds the samples from one on to another as lying behind knot `k`, which is at `start`, and `per` of the way to the next each px. */
  private addBetween(from: number, to: number, k: number, start: number, per: number): void {
    if (to === from) return;
    const { sums, between, system } = this;
    for (let s = 0; s < SUMS; s++) between[s] = sums[to * SUMS + s] - sums[from * SUMS + s];
    for (const { channels, at } of GROUPS) {
      const weight = between[at];
      const moment = between[at + 1];
      between[at + 1] = (moment - start * weight) * per;
      between[at + 2] = (between[at + 2] - 2 * start * moment + start * start * weight) * per * per;
      for (let c = at + 4; c < at + 4 + 2 * channels; c += 2)
        between[c + 1] = (between[c + 1] - start * between[c]) * per;
    }
    system.addSums(k, between);
  }

  /** The first sample at a place or behind it, from one on. */
  private firstFrom(place: number, from: number): number {
    const { places } = this;
    let low = from;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
