import {
  LEAST_KNOT_PX,
  LEAST_KNOTS,
  RAMP_BOX,
  RAMP_KNOT,
  RAMP_LINEAR,
  RAMP_ROUND,
  RAMP_SAMPLE,
} from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { ProfileSystem, type RampSamples, rmsOf } from './ramp-profile.js';
import { RampRuler, type RampShape } from './ramp-shape.js';

const OPAQUE = 255;

/**
 * How near shapes come to samples, each with the profile that is best for it over evenly spread knots: least squares over hat functions. Shapes
 * are tried by the thousand, so that no profile is written; samples that are all opaque, as most are, are summed without
 * their opacity, by the kernel (`ramp-distance.as.ts`).
 */
export class ShapeDistance {
  /** Where along the shape that was measured last the samples lie, px. */
  positions = new Float64Array(0);
  private readonly system = new ProfileSystem();
  private samples: RampSamples = { count: 0, x: this.positions, y: this.positions, channels: this.positions };
  private areOpaque = false;
  /** Of opaque samples: their squares, and as of which use of the kernel's memory they lie there, for so many knots. */
  private squares = 0;
  private laidAs = -1;
  private roomKnots = 0;
  private low = 0;
  private high = 0;

  /** The samples that shapes are compared with from now on. */
  begin(samples: RampSamples): void {
    this.samples = samples;
    const { channels, count } = samples;
    if (this.positions.length < count) this.positions = new Float64Array(count * 2);
    this.squares = 0;
    this.areOpaque = true;
    this.laidAs = -1;
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
    if (this.samples.count === 0) return 0;
    const error = this.areOpaque ? this.opaqueError(shape, most) : this.error(shape, most);
    return rmsOf(error, this.samples.count);
  }

  private error(shape: RampShape, most: number): number {
    this.measure(shape);
    const knots = this.knots(most);
    const scale = (knots - 1) / Math.max(1e-3, this.high - this.low);
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

  /** As `error`, and as ProfileSystem does it, where every weight is one. */
  private opaqueError({ kind, cx, cy, angle, squeeze, core }: RampShape, most: number): number {
    const knots = Math.max(LEAST_KNOTS, most);
    if (this.laidAs !== kernelMemory.scratchUse || knots > this.roomKnots) this.lay(knots);
    return kernelMemory.kernel.rampError(
      kind === 'linear' ? RAMP_LINEAR : kind === 'box' ? RAMP_BOX : RAMP_ROUND,
      cx,
      cy,
      Math.cos(angle),
      Math.sin(angle),
      kind === 'ellipse' ? squeeze : 1,
      core?.halfWidth ?? 0,
      core?.halfHeight ?? 0,
      this.samples.count,
      most,
      this.squares,
    );
  }

  /** Gives the kernel the samples. */
  private lay(knots: number): void {
    const { x, y, channels, count } = this.samples;
    const even = count + (count & 1);
    const room = kernelMemory.scratch(3 * even + RAMP_SAMPLE * count + RAMP_KNOT * knots);
    for (let i = 0; i < even; i++) {
      const sample = Math.min(i, count - 1);
      room[i] = x[sample];
      room[even + i] = y[sample];
    }
    room.set(channels.subarray(0, RAMP_SAMPLE * count), 2 * even);
    this.laidAs = kernelMemory.scratchUse;
    this.roomKnots = knots;
  }
}
