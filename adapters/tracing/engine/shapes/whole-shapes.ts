import type { CurveList } from '../fit/curves.js';
import { contourMoments } from './contour-moments.js';
import { EllipseFitter } from './ellipse.js';
import { RoundedRectFitter } from './rounded-rect.js';

/** Contours of fewer samples could be anything. */
const LEAST_SAMPLES = 12;
/** An ellipse is as near to the samples of a circle as that is; to its own it is nearer by this factor at least. */
const OVAL_SHARE = 0.5;

/** Recognizes closed contours that are ellipses or upright rectangles, square or rounded. Circles are looked for before. */
export class WholeShapes {
  private readonly ellipse = new EllipseFitter();
  private readonly rect = new RoundedRectFitter();

  /** Adds the ellipse for the first `count` samples to the curves where they are off by much less than from a circle, `circleRms`; whether they are. */
  fitOval(
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    count: number,
    circleRms: number,
    curves: CurveList,
  ): boolean {
    if (count < LEAST_SAMPLES) return false;
    const moments = contourMoments(xs, ys, count);
    const { ellipse } = this;
    if (!(moments.area > 1) || !ellipse.fit(xs, ys, weights, count, moments)) return false;
    if (ellipse.rms > OVAL_SHARE * circleRms) return false;
    curves.ellipse(ellipse.cx, ellipse.cy, ellipse.rx, ellipse.ry, ellipse.angle);
    return true;
  }

  /** Adds the shape for the first `count` samples to the curves, and says whether there was one. */
  fit(
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    count: number,
    straightOnly: boolean,
    isClean: boolean,
    curves: CurveList,
  ): boolean {
    if (count < LEAST_SAMPLES) return false;
    const moments = contourMoments(xs, ys, count);
    if (!(moments.area > 1)) return false;
    const { ellipse, rect } = this;
    const isRect = rect.fit(xs, ys, weights, count, moments, straightOnly, isClean);
    const isEllipse = !straightOnly && ellipse.fit(xs, ys, weights, count, moments);
    if (isRect && !(isEllipse && ellipse.rms < rect.rms)) {
      curves.rect(
        rect.cx - rect.halfWidth,
        rect.cy - rect.halfHeight,
        2 * rect.halfWidth,
        2 * rect.halfHeight,
        rect.radius,
      );
      return true;
    }
    if (isEllipse) curves.ellipse(ellipse.cx, ellipse.cy, ellipse.rx, ellipse.ry, ellipse.angle);
    return isEllipse;
  }
}
