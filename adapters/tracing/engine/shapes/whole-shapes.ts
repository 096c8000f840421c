import type { CurveList } from '../fit/curves.js';
import { contourMoments } from './contour-moments.js';
import { EllipseFitter } from './ellipse.js';
import { RegularPolygonFitter } from './regular-polygon.js';
import { RoundedRectFitter } from './rounded-rect.js';

/** Contours of fewer samples could be anything. */
const LEAST_SAMPLES = 12;
/** An ellipse is as near to the samples of a circle as that is; to its own it is nearer by this factor at least. */
const OVAL_SHARE = 0.5;
/** A square whose sides are this near to level, px, is a rectangle's to tell. */
const LEVEL_PX = 0.12;

/** Recognizes closed contours that are ellipses, upright rectangles, square or rounded, or small regular polygons. Circles are looked for before. */
export class WholeShapes {
  private readonly polygon = new RegularPolygonFitter();
  private readonly ellipse: EllipseFitter;
  private readonly rect: RoundedRectFitter;

  /** `times` as far as those of exact edges samples may be off an ellipse or a rectangle. */
  constructor(times: number) {
    this.ellipse = new EllipseFitter(times);
    this.rect = new RoundedRectFitter(times);
  }

  /**
   * Adds the small regular polygon for the first `count` samples of a clean contour to the curves, or the ellipse that they are much nearer to than
   * to a circle, from which they are off by `circleRms` (Infinity for far more); whether there was one.
   */
  fitInsteadOfCircle(
    xs: Float64Array,
    ys: Float64Array,
    weights: Float32Array,
    count: number,
    circleRms: number,
    curves: CurveList,
  ): boolean {
    if (count < LEAST_SAMPLES) return false;
    const moments = contourMoments(xs, ys, count);
    if (!(moments.area > 1)) return false;
    const { ellipse, polygon } = this;
    if (polygon.fit(xs, ys, count, moments) && !isLevel(polygon)) {
      curves.polygon(polygon.corners, polygon.count);
      return true;
    }
    if (circleRms === Infinity || !ellipse.fit(xs, ys, weights, count, moments)) return false;
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

function isLevel({ corners, count }: RegularPolygonFitter): boolean {
  const [x, y] = [Math.abs(corners[2] - corners[0]), Math.abs(corners[3] - corners[1])];
  return count === 4 && Math.min(x, y) < LEVEL_PX;
}
