/**
 * Where along a ramp a point lies: the distance along a direction, from a center, from a center in a stretched frame, or from an
 * upright rectangle.
 */
export type RampKind = 'linear' | 'circle' | 'ellipse' | 'box';

/**
 * The shape of a ramp. Linear: `angle` is the direction (radians, clockwise on screen) in which the color changes. Circle and
 * ellipse: the center, and for the ellipse its first axis' direction `angle` and how many times the second axis is shorter
 * (`squeeze`).
 */
export interface RampShape {
  readonly kind: RampKind;
  readonly cx: number;
  readonly cy: number;
  readonly angle: number;
  readonly squeeze: number;
  /** The longer side of the area it was found in, px. */
  readonly size: number;
  /** Of a box: half the sides of the rectangle, px, around the center. */
  readonly core?: { readonly halfWidth: number; readonly halfHeight: number };
}

/** Reads the position of points along a ramp, without allocation. */
export class RampRuler {
  private readonly isLinear: boolean;
  private readonly cx: number;
  private readonly cy: number;
  private readonly ux: number;
  private readonly uy: number;
  private readonly squeeze: number;
  private readonly isBox: boolean;
  private readonly halfWidth: number;
  private readonly halfHeight: number;

  constructor({ kind, cx, cy, angle, squeeze, core }: RampShape) {
    this.isBox = kind === 'box';
    this.halfWidth = core?.halfWidth ?? 0;
    this.halfHeight = core?.halfHeight ?? 0;
    this.isLinear = kind === 'linear';
    this.cx = cx;
    this.cy = cy;
    this.ux = Math.cos(angle);
    this.uy = Math.sin(angle);
    this.squeeze = kind === 'ellipse' ? squeeze : 1;
  }

  /** Px along the ramp. */
  at(x: number, y: number): number {
    const dx = x - this.cx;
    const dy = y - this.cy;
    if (this.isBox) {
      const u = Math.max(0, Math.abs(dx) - this.halfWidth);
      const v = Math.max(0, Math.abs(dy) - this.halfHeight);
      return Math.sqrt(u * u + v * v);
    }
    const u = dx * this.ux + dy * this.uy;
    if (this.isLinear) return u;
    const v = (dy * this.ux - dx * this.uy) * this.squeeze;
    return Math.sqrt(u * u + v * v);
  }
}
