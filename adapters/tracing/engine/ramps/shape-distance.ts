import { ProfileSystem, PULL, type RampSamples, rmsOf } from './ramp-profile.js';
import { RampRuler, type RampShape } from './ramp-shape.js';

const OPAQUE = 255;
/**
 * Knots are this far apart, px, or there are this many: between nearer ones there may be no pixel's center, and they follow noise. A whole px
 * would always be at the same places between the pixels of straight sides.
 */
const LEAST_KNOT_PX = 1.25;
const LEAST_KNOTS = 4;
/** What a knot of opaque samples takes: its own weight and that with the next, and three right sides. */
const KNOT = 5;

/**
 * How near shapes come to samples, each with the profile that is best for it over evenly spread knots: least squares over hat functions. Shapes
 * are tried by the thousand, so that no profile is written, and samples that are all opaque, as most are, are summed without
 * their opacity.
 */
export class ShapeDistance {
  /** Where along the shape that was measured last the samples lie, px. */
  positions = new Float64Array(0);
  private readonly system = new ProfileSystem();
  private samples: RampSamples = { count: 0, x: this.positions, y: this.positions, channels: this.positions };
  private areOpaque = false;
  /** Of opaque samples: their squares, and the sums at the knots. */
  private squares = 0;
  private sums = new Float64Array(0);
  private low = 0;
  private high = 0;

  /** The samples that shapes are compared with from now on. */
  begin(samples: RampSamples): void {
    this.samples = samples;
    const { channels, count } = samples;
    if (this.positions.length < count) this.positions = new Float64Array(count * 2);
    this.squares = 0;
    this.areOpaque = true;
    for (let at = 0; at < count * 4 && this.areOpaque; at += 4) {
      const [red, green, blue] = [channels[at], channels[at + 1], channels[at + 2]];
      this.squares += red * red + green * green + blue * blue;
      this.areOpaque = channels[at + 3] === OPAQUE;
    }
  }

  /** Fills `positions`. */
  measure(shape: RampShape): void {
    const { positions } = this;
    const { x, y, count } = this.samples;
    const ruler = new RampRuler(shape);
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const p = ruler.at(x[i], y[i]);
      positions[i] = p;
      if (p < low) low = p;
      if (p > high) high = p;
    }
    this.low = low;
    this.high = high;
  }

  /** How many knots there are along the shape that was measured last, `most` at most. */
  knots(most: number): number {
    return Math.max(LEAST_KNOTS, Math.min(most, Math.round((this.high - this.low) / LEAST_KNOT_PX)));
  }

  /** Root mean square distance from a shape with so many knots at most, premultiplied, levels over the channels. */
  rms(shape: RampShape, most: number): number {
    this.measure(shape);
    const knots = this.knots(most);
    const scale = (knots - 1) / Math.max(1e-3, this.high - this.low);
    const error = this.areOpaque ? this.opaqueError(knots, scale) : this.error(knots, scale);
    return rmsOf(error, this.samples.count);
  }

  private error(knots: number, scale: number): number {
    const { positions, low, system } = this;
    const { channels, count } = this.samples;
    system.clear(knots);
    for (let i = 0; i < count; i++) {
      const at = (positions[i] - low) * scale;
      const k = Math.min(knots - 2, at | 0);
      system.add(channels, i, k, at - k);
    }
    return system.solve();
  }

  /** As `error`, and as ProfileSystem does it, where every weight is one: written out, since this is what the time goes into. */
  private opaqueError(knots: number, scale: number): number {
    const { positions, low } = this;
    const { channels, count } = this.samples;
    if (this.sums.length < knots * KNOT) this.sums = new Float64Array(knots * KNOT * 2);
    const { sums } = this;
    sums.fill(0, 0, knots * KNOT);
    for (let i = 0; i < count; i++) {
      const place = (positions[i] - low) * scale;
      let k = place | 0;
      if (k > knots - 2) k = knots - 2;
      const part = place - k;
      const rest = 1 - part;
      const red = channels[i * 4];
      const green = channels[i * 4 + 1];
      const blue = channels[i * 4 + 2];
      const at = k * KNOT;
      sums[at] += rest * rest;
      sums[at + 1] += rest * part;
      sums[at + 2] += rest * red;
      sums[at + 3] += rest * green;
      sums[at + 4] += rest * blue;
      sums[at + 5] += part * part;
      sums[at + 7] += part * red;
      sums[at + 8] += part * green;
      sums[at + 9] += part * blue;
    }
    return this.squares - this.explained(knots, Math.max(1e-9, (PULL * count) / knots));
  }

  /** What the best profile explains of the squares of opaque samples, by the sums at the knots, which it uses up. */
  private explained(knots: number, pull: number): number {
    const { sums } = this;
    let explained = 0;
    const last = (knots - 1) * KNOT;
    let before = 0;
    for (let at = 0; at <= last; at += KNOT) {
      let main = sums[at] + (at === 0 || at === last ? pull + 1e-9 : 2 * pull);
      if (at > 0) {
        const m = before * sums[at - KNOT];
        main -= m * before;
        sums[at + 2] -= m * sums[at - 3];
        sums[at + 3] -= m * sums[at - 2];
        sums[at + 4] -= m * sums[at - 1];
      }
      const per = 1 / main;
      sums[at] = per;
      before = sums[at + 1] -= pull;
      explained += (sums[at + 2] ** 2 + sums[at + 3] ** 2 + sums[at + 4] ** 2) * per;
    }
    let red = 0;
    let green = 0;
    let blue = 0;
    let pulled = 0;
    for (let at = last; at >= 0; at -= KNOT) {
      const per = sums[at];
      const next = at === last ? 0 : sums[at + 1];
      const r = (sums[at + 2] - next * red) * per;
      const g = (sums[at + 3] - next * green) * per;
      const b = (sums[at + 4] - next * blue) * per;
      if (at < last) pulled += (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      red = r;
      green = g;
      blue = b;
    }
    return explained + pull * pulled;
  }
}
