import { type ChainCurves, SEGMENT_CIRCLE, SEGMENT_ELLIPSE, SEGMENT_SIZE } from './curves.js';

/** A segment's unknowns, and where a round shape has its own among them: center x and y, first and second half axis, angle. */
const LOCAL = 8;
const OWN = [0, 1, 4, 5, 6] as const;
const FIRST_AXIS = 2;
const SECOND_AXIS = 3;
const ANGLE = 4;
/** What may become of the plane, as CurvePainter has it: moved along x and y, and stretched by what takes x to x, x to y, y to x and y to y. */
const PLANE = 6;

/**
 * Numbers the unknowns of round segment `k`, but for its center, in `at` from `next` on: a circle's radius, or an ellipse's half axes and its angle,
 * which stays level where it is so. Returns the number behind.
 */
export function numberRound(at: Int32Array, k: number, kind: number, angle: number, next: number): number {
  const p = k * LOCAL;
  at[p + OWN[FIRST_AXIS]] = next++;
  if (kind !== SEGMENT_ELLIPSE) return next;
  at[p + OWN[SECOND_AXIS]] = next++;
  if (angle !== 0) at[p + OWN[ANGLE]] = next++;
  return next;
}

/** The pixels' equations for the unknowns of a circle or an ellipse, from those for the plane in which it lies. */
export class RoundEquations {
  /** Of the shape taken last: eight by eight (lower triangle), and the right side. */
  readonly normal = new Float64Array(LOCAL * LOCAL);
  readonly gradient = new Float64Array(LOCAL);
  /** Per unknown of its own what it does to the plane. */
  private readonly plane = new Float64Array(OWN.length * PLANE);

  /** Of segment `k`, which is a circle or an ellipse, with all segments' sums. */
  take({ kinds, points }: ChainCurves, k: number, normal: Float64Array, gradient: Float64Array): void {
    const p = k * SEGMENT_SIZE;
    this.differentiate(kinds[k] === SEGMENT_CIRCLE, points[p + 2], points[p + 3], points[p + 4]);
    const { plane } = this;
    const n = k * LOCAL * LOCAL;
    const g = k * LOCAL;
    for (let i = 0; i < OWN.length; i++) {
      let right = 0;
      for (let a = 0; a < PLANE; a++) right += plane[i * PLANE + a] * gradient[g + a];
      this.gradient[OWN[i]] = right;
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let a = 0; a < PLANE; a++) {
          for (let b = 0; b < PLANE; b++) {
            const product = a >= b ? normal[n + a * LOCAL + b] : normal[n + b * LOCAL + a];
            sum += plane[i * PLANE + a] * plane[j * PLANE + b] * product;
          }
        }
        this.normal[OWN[i] * LOCAL + OWN[j]] = sum;
      }
    }
  }

  /** A longer half axis stretches the plane along it; turning takes x to y, and y to x with the other sign. */
  private differentiate(isCircle: boolean, first: number, second: number, angle: number): void {
    const { plane } = this;
    plane.fill(0);
    plane[0] = 1;
    plane[PLANE + 1] = 1;
    if (isCircle) {
      plane[FIRST_AXIS * PLANE + 2] = plane[FIRST_AXIS * PLANE + 5] = 1 / first;
      return;
    }
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.stretch(FIRST_AXIS, cos, sin, first);
    this.stretch(SECOND_AXIS, -sin, cos, second);
    plane[ANGLE * PLANE + 3] = 1;
    plane[ANGLE * PLANE + 4] = -1;
  }

  private stretch(unknown: number, x: number, y: number, length: number): void {
    const { plane } = this;
    const at = unknown * PLANE + 2;
    plane[at] = (x * x) / length;
    plane[at + 1] = plane[at + 2] = (x * y) / length;
    plane[at + 3] = (y * y) / length;
  }
}
