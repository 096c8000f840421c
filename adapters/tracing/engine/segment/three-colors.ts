/** Three colors of which one is nearly a mixture of the others (the sine of the angle between them, squared) cannot be told apart. */
const LEAST_SINE_SQ = 0.02;

/**
 * How much of a pixel in which three colors meet each of them covers: what a line too thin for a pure pixel of its own leaves of two
 * different grounds. Least squares in the plane of the three (linear unmixing).
 */
export class ThreeColors {
  // Four factors each, and a summand behind them: of the first's share, of the second's, and of the first's where there is no second.
  private readonly first = new Float64Array(5);
  private readonly second = new Float64Array(5);
  private readonly alone = new Float64Array(5);

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
