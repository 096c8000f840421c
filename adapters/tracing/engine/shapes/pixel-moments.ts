import type { ContourMoments } from './contour-moments.js';

/** A pixel spreads what it has over its own width: its second moment, px². */
const SPREAD_PX2 = 1 / 12;

/** Area, centroid and second moments of something by what it covers of each pixel: of small things they say more than its outline does. */
export class PixelMoments {
  private area = 0;
  private x = 0;
  private y = 0;
  private xx = 0;
  private xy = 0;
  private yy = 0;

  clear(): void {
    this.area = this.x = this.y = this.xx = this.xy = this.yy = 0;
  }

  /** Adds a share of the pixel in column `u` and row `v`. */
  add(u: number, v: number, share: number): void {
    this.area += share;
    this.x += share * u;
    this.y += share * v;
    this.xx += share * u * u;
    this.xy += share * u * v;
    this.yy += share * v * v;
  }

  /** In px, of the picture whose pixel `left`, `top` is the one in column and row 0. Meaningless where nothing is covered. */
  measure(left: number, top: number): ContourMoments {
    const { area, x, y, xx, xy, yy } = this;
    const cx = x / area;
    const cy = y / area;
    return {
      area,
      cx: left + cx + 0.5,
      cy: top + cy + 0.5,
      xx: xx / area - cx * cx - SPREAD_PX2,
      xy: xy / area - cx * cy,
      yy: yy / area - cy * cy - SPREAD_PX2,
    };
  }
}
