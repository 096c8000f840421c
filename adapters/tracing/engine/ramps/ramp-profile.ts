import { RAMP_PULL } from '../kernels/kernel-layout.js';

/** Pixels that stand for a ramp, struct of arrays. */
export interface RampSamples {
  readonly count: number;
  /** Pixel centers, px. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Red, green, blue (not premultiplied) and alpha, 0..255, four a sample. */
  readonly channels: Float64Array;
}

/** So many of some samples at most, evenly taken; the very same where there are no more. */
export function fewer(samples: RampSamples, most: number): RampSamples {
  if (samples.count <= most) return samples;
  return picked(samples, most, (k) => Math.floor((k * samples.count) / most));
}

/** So many of some samples, by their numbers. */
export function picked(samples: RampSamples, count: number, numberOf: (k: number) => number): RampSamples {
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const channels = new Float64Array(count * 4);
  for (let k = 0; k < count; k++) {
    const i = numberOf(k);
    x[k] = samples.x[i];
    y[k] = samples.y[i];
    for (let c = 0; c < 4; c++) channels[k * 4 + c] = samples.channels[i * 4 + c];
  }
  return { count, x, y, channels };
}

/** The colors along a ramp: straight from knot to knot, and even before the first and after the last. */
export interface RampProfile {
  /** Positions of the knots along the ramp, px, ascending. */
  readonly knots: Float64Array;
  /** Red, green, blue (not premultiplied) and alpha, 0..255, four a knot. */
  readonly values: Float64Array;
  /** Root mean square distance of the samples, premultiplied, levels over the channels. */
  readonly rms: number;
}

/** Fits a profile to samples by least squares over hat functions. */
export class ProfileFitter {
  private readonly system = new ProfileSystem();

  /** Evenly spread knots over all samples; `positions` are their places along the ramp, px, one each. */
  fitEvenly({ count, channels }: RampSamples, positions: Float64Array, size: number): RampProfile {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const p = positions[i];
      if (p < low) low = p;
      if (p > high) high = p;
    }
    const step = Math.max(1e-3, high - low) / (size - 1);
    this.system.clear(size);
    for (let i = 0; i < count; i++) {
      const at = (positions[i] - low) / step;
      const k = Math.min(size - 2, at | 0);
      this.system.add(channels, i, k, at - k);
    }
    const knots = Float64Array.from({ length: size }, (_, k) => low + k * step);
    const values = new Float64Array(knots.length * 4);
    return { knots, values, rms: rmsOf(this.system.solve(values), count) };
  }
}

/** One tridiagonal system for the colors at knots, in which a sample counts by its opacity, and one for the opacity. */
export class ProfileSystem {
  /** How many sums there are over samples: of the colors, and of all channels. */
  static readonly COLOR_SUMS = sumsOf(3);
  static readonly SUMS = ProfileSystem.COLOR_SUMS + sumsOf(1);
  private readonly colors = new HatSystem(3);
  private readonly opacity = new HatSystem(1);

  clear(knots: number): void {
    this.colors.clear(knots);
    this.opacity.clear(knots);
  }

  /** A sample between a knot and the next, `part` of the way. */
  add(channels: Float64Array, sample: number, knot: number, part: number): void {
    const at = sample * 4;
    const alpha = channels[at + 3];
    const share = alpha * (1 / 255);
    this.colors.add(knot, part, share * share, channels, at);
    this.opacity.add(knot, part, 1, channels, at + 3);
  }

  /**
   * Samples between a knot and the next, by their sums, the colors' before the opacity's: of the weights, of these times the part of the way,
   * and its square, and times the squares of the channels; then, by channel, of weight times value, and that times the part of the way.
   */
  addSums(knot: number, sums: Float64Array): void {
    this.colors.addSums(knot, sums, 0);
    this.opacity.addSums(knot, sums, ProfileSystem.COLOR_SUMS);
  }

  /** Writes the knots' values, four each, where they are asked for; returns the squared error that is left. */
  solve(values?: Float64Array): number {
    return this.colors.solve(values, 0) + this.opacity.solve(values, 3);
  }
}

/** Over three channels, the opacity counting as one more to each. */
export function rmsOf(error: number, count: number): number {
  return Math.sqrt(Math.max(0, error) / (Math.max(1, count) * 3));
}

function sumsOf(channels: number): number {
  return 4 + 2 * channels;
}

/** Normal equations of hat functions over knots, for some channels at once. */
class HatSystem {
  private readonly channels: number;
  private size = 0;
  private main = new Float64Array(64);
  private next = new Float64Array(64);
  private right = new Float64Array(256);
  private solved = new Float64Array(256);
  private original = new Float64Array(256);
  private total = 0;
  private squares = 0;

  constructor(channels: number) {
    this.channels = channels;
  }

  clear(size: number): void {
    if (this.main.length < size) {
      this.main = new Float64Array(size * 2);
      this.next = new Float64Array(size * 2);
      this.right = new Float64Array(size * 8);
      this.solved = new Float64Array(size * 8);
      this.original = new Float64Array(size * 8);
    }
    this.size = size;
    this.main.fill(0, 0, size);
    this.next.fill(0, 0, size);
    this.right.fill(0, 0, size * this.channels);
    this.total = this.squares = 0;
  }

  /** A sample between a knot and the next, `part` of the way, its channels from `at` on. */
  add(knot: number, part: number, weight: number, values: Float64Array, at: number): void {
    const { main, next, right, channels } = this;
    const rest = 1 - part;
    const a = weight * rest;
    const b = weight * part;
    main[knot] += a * rest;
    main[knot + 1] += b * part;
    next[knot] += a * part;
    this.total += weight;
    for (let c = 0, to = knot * channels; c < channels; c++, to++) {
      const v = values[at + c];
      right[to] += a * v;
      right[to + channels] += b * v;
      this.squares += weight * v * v;
    }
  }

  /** Samples between a knot and the next, if there is one that they have a part in, by their sums from `at` on. */
  addSums(knot: number, sums: Float64Array, at: number): void {
    const { main, next, right, channels } = this;
    const [weight, towards, towardsSq] = [sums[at], sums[at + 1], sums[at + 2]];
    this.total += weight;
    this.squares += sums[at + 3];
    const isLast = knot + 1 === this.size;
    main[knot] += weight - 2 * towards + towardsSq;
    if (!isLast) {
      main[knot + 1] += towardsSq;
      next[knot] += towards - towardsSq;
    }
    for (let c = 0, to = knot * channels; c < channels; c++, to++) {
      const value = sums[at + 4 + 2 * c];
      const valueTowards = sums[at + 5 + 2 * c];
      right[to] += value - valueTowards;
      if (!isLast) right[to + channels] += valueTowards;
    }
  }

  /** Writes the knots' values into every fourth place of `out` from `to` on; returns the squared error that is left. */
  solve(out: Float64Array | undefined, to: number): number {
    const { main, next, right, solved, original, channels, size } = this;
    original.set(right.subarray(0, size * channels));
    const pull = Math.max(1e-9, (RAMP_PULL * this.total) / size);
    // Thomas' elimination; the matrix is positive definite wherever anything was seen.
    for (let k = 0; k < size; k++) main[k] += k === 0 || k === size - 1 ? pull + 1e-9 : 2 * pull;
    for (let k = 0; k + 1 < size; k++) next[k] -= pull;
    for (let k = 1; k < size; k++) {
      const m = next[k - 1] / main[k - 1];
      main[k] -= m * next[k - 1];
      for (let c = 0; c < channels; c++) right[k * channels + c] -= m * right[(k - 1) * channels + c];
    }
    let explained = 0;
    let pulled = 0;
    for (let k = size - 1; k >= 0; k--) {
      for (let c = 0; c < channels; c++) {
        const at = k * channels + c;
        const beyond = k + 1 < size ? next[k] * solved[at + channels] : 0;
        const value = (right[at] - beyond) / main[k];
        solved[at] = value;
        explained += value * original[at];
        if (k + 1 < size) pulled += (value - solved[at + channels]) ** 2;
        if (out !== undefined) out[k * 4 + to + c] = value;
      }
    }
    // With M x = b and E = v'v - 2 b'x + x'Ax, where M = A + pull * differences: E = v'v - b'x - pull * |differences of x|².
    return this.squares - explained - pull * pulled;
  }
}

/** The number of the knot at or before a position; never the last. */
export function knotBefore(knots: Float64Array, position: number): number {
  let low = 0;
  let high = knots.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (knots[middle] <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How far a position is from knot `k` to the next, 0..1; positions outside count as at the end. */
export function partOf(knots: Float64Array, k: number, position: number): number {
  const f = (position - knots[k]) / (knots[k + 1] - knots[k]);
  return f < 0 ? 0 : f > 1 ? 1 : f;
}
