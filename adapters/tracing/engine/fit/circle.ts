/** Largest, and root mean square, distance of a sample from a circle that stands for a whole contour, px. */
const LARGEST_PX = 0.3;
const RMS_PX = 0.1;
/**
 * Around a dot there are few samples, each from pixels that know the other side as well: so far off they may be, px, where the radius
 * is at most `DOT_RADIUS_PX`. What is as long as it is wide and as small as that is a dot; its pixels tell no corners.
 */
const DOT_RADIUS_PX = 1.8;
const DOT_LARGEST_PX = 0.4;
const DOT_RMS_PX = 0.2;
const LEAST_DOT_SAMPLES = 4;
const LEAST_SAMPLES = 8;
const ROUNDS = 3;

/**
 * The circle nearest to a closed row of samples: the algebraic fit of Kåsa (1976) as a start, then Gauss–Newton on the
 * distances themselves. False where the samples are no circle.
 */
export class CircleFitter {
  x = 0;
  y = 0;
  r = 0;
  /** Root mean square of the samples' distances, px. */
  rms = 0;

  /** `times` as far as else samples may be off. */
  fit(xs: Float64Array, ys: Float64Array, weights: Float32Array, count: number, times = 1): boolean {
    if (count < LEAST_DOT_SAMPLES) return false;
    let mx = 0;
    let my = 0;
    for (let i = 0; i < count; i++) {
      mx += xs[i];
      my += ys[i];
    }
    mx /= count;
    my /= count;
    let xx = 0;
    let yy = 0;
    let xy = 0;
    let xz = 0;
    let yz = 0;
    for (let i = 0; i < count; i++) {
      const x = xs[i] - mx;
      const y = ys[i] - my;
      const z = x * x + y * y;
      xx += x * x;
      yy += y * y;
      xy += x * y;
      xz += x * z;
      yz += y * z;
    }
    const determinant = xx * yy - xy * xy;
    if (determinant < 1e-6) return false;
    const a = (xz * yy - yz * xy) / determinant / 2;
    const b = (yz * xx - xz * xy) / determinant / 2;
    let cx = mx + a;
    let cy = my + b;
    let r = Math.sqrt(a * a + b * b + (xx + yy) / count);
    let largest = 0;
    let sum = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      // Unknowns dx, dy, dr; a sample's residual falls by its unit direction from the center.
      let a00 = 0;
      let a01 = 0;
      let a02 = 0;
      let a11 = 0;
      let a12 = 0;
      let a22 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      largest = 0;
      sum = 0;
      for (let i = 0; i < count; i++) {
        const dx = xs[i] - cx;
        const dy = ys[i] - cy;
        const distance = Math.sqrt(dx * dx + dy * dy) || 1e-9;
        const ux = dx / distance;
        const uy = dy / distance;
        const e = distance - r;
        const size = e < 0 ? -e : e;
        if (size > largest) largest = size;
        sum += e * e;
        const w = weights[i];
        a00 += w * ux * ux;
        a01 += w * ux * uy;
        a02 += w * ux;
        a11 += w * uy * uy;
        a12 += w * uy;
        a22 += w;
        b0 += w * ux * e;
        b1 += w * uy * e;
        b2 += w * e;
      }
      if (round === ROUNDS || largest > 4 * times * LARGEST_PX) break;
      const m0 = a11 * a22 - a12 * a12;
      const m1 = a01 * a22 - a12 * a02;
      const m2 = a01 * a12 - a11 * a02;
      const det = a00 * m0 - a01 * m1 + a02 * m2;
      if (Math.abs(det) < 1e-12) break;
      cx += (b0 * m0 - a01 * (b1 * a22 - a12 * b2) + a02 * (b1 * a12 - a11 * b2)) / det;
      cy += (a00 * (b1 * a22 - a12 * b2) - b0 * m1 + a02 * (a01 * b2 - b1 * a02)) / det;
      r += (a00 * (a11 * b2 - b1 * a12) - a01 * (a01 * b2 - b1 * a02) + b0 * m2) / det;
    }
    this.x = cx;
    this.y = cy;
    this.r = r;
    this.rms = Math.sqrt(sum / count);
    const isDot = r < DOT_RADIUS_PX;
    if (count < LEAST_SAMPLES && !isDot) return false;
    return (
      largest < (isDot ? DOT_LARGEST_PX : times * LARGEST_PX) &&
      this.rms < (isDot ? DOT_RMS_PX : times * RMS_PX) &&
      r > 0
    );
  }
}
