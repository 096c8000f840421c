/** What a closed row of points encloses. */
export interface ContourMoments {
  /** Px², positive whichever way the contour is walked. */
  readonly area: number;
  readonly cx: number;
  readonly cy: number;
  /** Second moments about the center, divided by the area. */
  readonly xx: number;
  readonly xy: number;
  readonly yy: number;
}

/** Area, centroid and second moments of the polygon through the first `count` points (Green's theorem). */
export function contourMoments(xs: Float64Array, ys: Float64Array, count: number): ContourMoments {
  // About the first point, so that little is lost where the contour lies far from the origin.
  const ox = xs[0];
  const oy = ys[0];
  let area = 0;
  let mx = 0;
  let my = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let i = 0, j = count - 1; i < count; j = i++) {
    const x0 = xs[j] - ox;
    const y0 = ys[j] - oy;
    const x1 = xs[i] - ox;
    const y1 = ys[i] - oy;
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    mx += (x0 + x1) * cross;
    my += (y0 + y1) * cross;
    xx += (x0 * x0 + x0 * x1 + x1 * x1) * cross;
    yy += (y0 * y0 + y0 * y1 + y1 * y1) * cross;
    xy += (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) * cross;
  }
  const cx = mx / (3 * area);
  const cy = my / (3 * area);
  return {
    area: Math.abs(area) / 2,
    cx: cx + ox,
    cy: cy + oy,
    xx: xx / (6 * area) - cx * cx,
    xy: xy / (12 * area) - cx * cy,
    yy: yy / (6 * area) - cy * cy,
  };
}
