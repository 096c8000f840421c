/** Three colors of which one is nearly a mixture of the others (the sine of the angle between them, squared) cannot be told apart. */
export const LEAST_SINE_SQ = 0.02;

/**
 * How much of a pixel in which three colors meet each of them covers: what a line too thin for a pure pixel of its own leaves of two
 * different grounds. Least squares in the plane of the three (linear unmixing).
 */
export class ThreeColors {
  // Four factors each, and a summand behind them: of the first's share, of the second's, and of the first's where there is no second.
  private readonly first = new Float64Array(5);
  private readonly second = new Float64Array(5);
  private readonly alone = new Float64Array(5);
  private channels: Float64Array = new Float64Array(0);
  private readonly at = new Int32Array(3);

  /** Prepares for the colors `a`, `b` and `c` of `channels` (four each); whether a pixel can tell of them. */
  use(channels: Float64Array, a: number, b: number, c: number): boolean {
    const { first, second, alone } = this;
    let aa = 0;
    let ab = 0;
    let bb = 0;
    for (let i = 0; i < 4; i++) {
      const p = channels[a * 4 + i] - channels[c * 4 + i];
      const q = channels[b * 4 + i] - channels[c * 4 + i];
      aa += p * p;
      ab += p * q;
      bb += q * q;
    }
    const det = aa * bb - ab * ab;
    if (!(det > LEAST_SINE_SQ * aa * bb)) return false;
    this.channels = channels;
    this.at[0] = a * 4;
    this.at[1] = b * 4;
    this.at[2] = c * 4;
    first[4] = second[4] = alone[4] = 0;
    for (let i = 0; i < 4; i++) {
      const origin = channels[c * 4 + i];
      const p = channels[a * 4 + i] - origin;
      const q = channels[b * 4 + i] - origin;
      first[i] = (p * bb - q * ab) / det;
      second[i] = (q * aa - p * ab) / det;
      alone[i] = p / aa;
      first[4] -= first[i] * origin;
      second[4] -= second[i] * origin;
      alone[4] -= alone[i] * origin;
    }
    return true;
  }

  /** The first color's share of a pixel as it comes out, a little below 0 or above 1 at times; these may be summed. */
  share(rgba: Uint8Array, pixel: number): number {
    return dot(this.first, rgba, pixel * 4);
  }

  /** The squared distance of a pixel from the nearest mixture in the plane of the three; Infinity where one of these has no share in it. */
  distanceSq(rgba: Uint8Array, pixel: number): number {
    const { channels, at } = this;
    const a = dot(this.first, rgba, pixel * 4);
    const b = dot(this.second, rgba, pixel * 4);
    const c = 1 - a - b;
    if (!(a > 0 && b > 0 && c > 0)) return Infinity;
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      const mixed = a * channels[at[0] + i] + b * channels[at[1] + i] + c * channels[at[2] + i];
      sum += (rgba[pixel * 4 + i] - mixed) ** 2;
    }
    return sum;
  }

  /**
   * The squared distance of a pixel from the nearest mixture of any three of the first `count` of some colors, if it is less than `limit`, which it is
   * otherwise; prepared for those three then.
   */
  nearest(
    rgba: Uint8Array,
    pixel: number,
    channels: Float64Array,
    colors: ArrayLike<number>,
    count: number,
    limit: number,
  ): number {
    let least = limit;
    let best: readonly [number, number, number] | undefined;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        for (let c = b + 1; c < count; c++) {
          if (!this.use(channels, colors[a], colors[b], colors[c])) continue;
          const distanceSq = this.distanceSq(rgba, pixel);
          if (distanceSq >= least) continue;
          least = distanceSq;
          best = [colors[a], colors[b], colors[c]];
        }
      }
    }
    if (best !== undefined) this.use(channels, ...best);
    return least;
  }

  /** Writes the three colors and their shares of a pixel from `at` on. */
  sharesOf(rgba: Uint8Array, pixel: number, colors: Int32Array, shares: Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) colors[at + k] = this.at[k] / 4;
    shares[at] = dot(this.first, rgba, pixel * 4);
    shares[at + 1] = dot(this.second, rgba, pixel * 4);
    shares[at + 2] = 1 - shares[at] - shares[at + 1];
  }

  /** The color that the pixel has most of, and of the others the first. */
  mostOf(rgba: Uint8Array, pixel: number): readonly [label: number, other: number] {
    const most = this.largest(rgba, pixel);
    return [this.at[most] / 4, this.at[most === 0 ? 1 : 0] / 4];
  }

  /** Which of the three has the largest share of a pixel: 0, 1 or 2. */
  largest(rgba: Uint8Array, pixel: number): number {
    const a = dot(this.first, rgba, pixel * 4);
    const b = dot(this.second, rgba, pixel * 4);
    const c = 1 - a - b;
    return a >= b && a >= c ? 0 : b >= c ? 1 : 2;
  }

  /** The first color's share of a pixel, 0..1; where there is none of the second, as a mixture of the other two. */
  coverage(rgba: Uint8Array, pixel: number): number {
    const at = pixel * 4;
    const t = dot(dot(this.second, rgba, at) <= 0 ? this.alone : this.first, rgba, at);
    return t < 0 ? 0 : t > 1 ? 1 : t;
  }
}

function dot(factors: Float64Array, rgba: Uint8Array, at: number): number {
  return (
    factors[0] * rgba[at] +
    factors[1] * rgba[at + 1] +
    factors[2] * rgba[at + 2] +
    factors[3] * rgba[at + 3] +
    factors[4]
  );
}
