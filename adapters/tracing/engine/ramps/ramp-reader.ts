import type { WorkingPixels } from '../intake/working-pixels.js';
import type { FittedRamp } from './fit-ramp.js';
import { knotBefore, partOf } from './ramp-profile.js';
import { RampRuler } from './ramp-shape.js';

/** How much further in than it was seen a box may be, and further out, px: what it fades into is the ground, and others lie on it. */
const INWARD_PX = 1.5;
const OUTWARD_PX = 0.75;

/** Compares pixels with a ramp, and gives its color at a point. */
export class RampReader {
  private readonly ruler: RampRuler;
  private readonly knots: Float64Array;
  private readonly values: Float64Array;
  private readonly rgba: Uint8Array;
  private readonly width: number;
  private readonly near: number;
  /** A box is no more known further in than it was seen, where other things lie upon it. */
  private readonly isBox: boolean;
  /** Where along the ramp there is nothing more of it. */
  private readonly end: number;
  private readonly color = new Float64Array(4);
  /** Of what lies on the ramp. */
  private readonly over: readonly RampReader[];
  /** The knot before what was read last, which mostly lies beside what is read next. */
  private knot = 0;

  /** `near` is how far a pixel may be from the ramp in a channel to be of it, levels; a box ends where it has faded, unless it is `endless`. */
  constructor({ shape, profile, over = [] }: FittedRamp, pixels: WorkingPixels, near: number, endless = false) {
    this.ruler = new RampRuler(shape);
    this.knots = profile.knots;
    this.values = profile.values;
    this.rgba = pixels.rgba;
    this.width = pixels.width;
    this.near = near;
    this.over = over.map((ramp) => new RampReader(ramp, pixels, near));
    this.isBox = shape.kind === 'box';
    this.end = this.isBox && !endless ? profile.knots[profile.knots.length - 1] + OUTWARD_PX : Infinity;
  }

  /**
   * The premultiplied color at the center of pixel (x, y), 0..255, into four places of `out`. Beyond its ends the ramp goes on
   * as `beyond` says: evenly, or as it went.
   */
  read(x: number, y: number, out: Float64Array, to: number, beyond: 'even' | 'onwards' = 'even'): void {
    this.readAt(this.ruler.at(x + 0.5, y + 0.5), out, to, beyond);
    for (const reader of this.over) {
      const { color } = reader;
      reader.read(x, y, color, 0, beyond);
      const seen = 1 - color[3] / 255;
      for (let c = 0; c < 4; c++) out[to + c] = color[c] + seen * out[to + c];
    }
  }

  private readAt(position: number, out: Float64Array, to: number, beyond: 'even' | 'onwards'): void {
    const { knots, values } = this;
    const k = this.knotAt(position);
    const f = beyond === 'even' ? partOf(knots, k, position) : (position - knots[k]) / (knots[k + 1] - knots[k]);
    const at = k * 4;
    const alpha = values[at + 3] + f * (values[at + 7] - values[at + 3]);
    const scale = alpha / 255;
    for (let c = 0; c < 3; c++) out[to + c] = (values[at + c] + f * (values[at + 4 + c] - values[at + c])) * scale;
    out[to + 3] = alpha;
  }

  /** The knot before a position. */
  private knotAt(position: number): number {
    const { knots, knot } = this;
    if (position < knots[knot] || position >= knots[knot + 1]) this.knot = knotBefore(knots, position);
    return this.knot;
  }

  /** Squared distance of a pixel from the ramp's color there, over the four channels. */
  distanceSq(x: number, y: number): number {
    const { rgba, color } = this;
    const at = (y * this.width + x) * 4;
    this.read(x, y, color, 0);
    let sum = 0;
    for (let c = 0; c < 4; c++) sum += (rgba[at + c] - color[c]) ** 2;
    return sum;
  }

  /** Whether a pixel is of the ramp's color there, or would be if the ramp went on as it does at its ends. */
  isNear(x: number, y: number): boolean {
    const at = (y * this.width + x) * 4;
    if (this.over.length > 0) return this.isColorNear(x, y, at);
    const position = this.ruler.at(x + 0.5, y + 0.5);
    const { knots } = this;
    if (position > this.end || (this.isBox && position < knots[0] - INWARD_PX)) return false;
    const k = this.knotAt(position);
    if (this.isNearAt(at, k, partOf(knots, k, position))) return true;
    // Between its ends a ramp goes on as it is.
    const isBeyond = !this.isBox && (position < knots[0] || position > knots[knots.length - 1]);
    return isBeyond && this.isNearAt(at, k, (position - knots[k]) / (knots[k + 1] - knots[k]));
  }

  /** Whether a pixel is near to what the ramp and all that lies on it are together. */
  private isColorNear(x: number, y: number, at: number): boolean {
    const { rgba, color, near } = this;
    this.read(x, y, color, 0);
    for (let c = 0; c < 4; c++) if (Math.abs(rgba[at + c] - color[c]) > near) return false;
    return true;
  }

  /** Whether the pixel whose bytes begin at `at` is near to what the ramp is so much of the way from a knot to the next: as `readAt` has it, up to the first channel that is not. */
  private isNearAt(at: number, knot: number, part: number): boolean {
    const { rgba, values, near } = this;
    const k = knot * 4;
    const alpha = values[k + 3] + part * (values[k + 7] - values[k + 3]);
    if (Math.abs(rgba[at + 3] - alpha) > near) return false;
    const scale = alpha / 255;
    for (let c = 0; c < 3; c++) {
      const own = (values[k + c] + part * (values[k + 4 + c] - values[k + c])) * scale;
      if (Math.abs(rgba[at + c] - own) > near) return false;
    }
    return true;
  }
}

/** A reader for each of some ramps, by which pixels `near` them, levels, are of them. */
export function readersOf(
  found: readonly { readonly ramp: FittedRamp }[],
  pixels: WorkingPixels,
  near: number,
): readonly RampReader[] {
  return found.map(({ ramp }) => new RampReader(ramp, pixels, near));
}
