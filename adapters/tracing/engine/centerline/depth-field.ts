import type { RegionMask } from './region-mask.js';

/** How far a place in a region is from its outline, as its pixels tell it: to half a px or so. */
export class DepthField {
  private readonly mask: RegionMask;
  private readonly distances: Float32Array;

  constructor(mask: RegionMask, distances: Float32Array) {
    this.mask = mask;
    this.distances = distances;
  }

  /** px; 0 outside. */
  at(x: number, y: number): number {
    const { left, top, width, height } = this.mask;
    const u = x - left - 0.5;
    const v = y - top - 0.5;
    const i = Math.floor(u);
    const j = Math.floor(v);
    if (i < 0 || j < 0 || i + 1 >= width || j + 1 >= height) return 0;
    const [p, q] = [u - i, v - j];
    const d = this.distances;
    const at = j * width + i;
    const above = d[at] * (1 - p) + d[at + 1] * p;
    const below = d[at + width] * (1 - p) + d[at + width + 1] * p;
    return Math.max(0, above * (1 - q) + below * q - 0.5);
  }

  /** Whether a disc of this radius around a place is in the region, as far as can be told. */
  holds(x: number, y: number, radius: number): boolean {
    return this.at(x, y) >= radius - SLACK_PX - SLACK_SHARE * radius;
  }
}

const SLACK_PX = 0.75;
const SLACK_SHARE = 0.04;
