import { SHARE_KINDS } from '../kernels/kernel-layout.js';

/** So many steps from edges that lie in no way to such that surely lie in one, and ways along which they may lie, half a turn around. */
const SURENESS = 4;
const WAYS = SHARE_KINDS / SURENESS;

/** The angle of a kind's edges, radians clockwise from the x axis, and how sure it is that they lie along it, 0..1. */
export function edgesOf(kind: number): { readonly angle: number; readonly sureness: number } {
  return { angle: (Math.PI * Math.floor(kind / SURENESS)) / WAYS, sureness: (kind % SURENESS) / (SURENESS - 1) };
}

/** RGBA bytes. */
export interface Bytes {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Along which way the edges around a place lie: across the first eigenvector of the structure tensor summed over the channels (Di Zenzo),
 * of Scharr's gradients; and how much smaller the tensor's other eigenvalue is.
 */
export class EdgeWays {
  private xx = 0;
  private xy = 0;
  private yy = 0;
  private readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  /** The kind (one of `SHARE_KINDS`) at a square of `side` pixels whose first is at `x`, `y`. */
  at(x: number, y: number, side: number): number {
    this.xx = this.xy = this.yy = 0;
    for (let v = y; v < y + side; v++) for (let u = x; u < x + side; u++) this.addAround(u, v);
    const { xx, xy, yy } = this;
    if (xx + yy === 0) return 0;
    const sureness = Math.sqrt((xx - yy) ** 2 + 4 * xy * xy) / (xx + yy);
    const across = Math.atan2(2 * xy, xx - yy) / 2;
    const way = Math.round(((across + Math.PI / 2) / Math.PI) * WAYS) % WAYS;
    return way * SURENESS + Math.round(sureness * (SURENESS - 1));
  }

  /** Adds the tensors of 3 x 3 pixels, the middle ones for more. */
  private addAround(x: number, y: number): void {
    const { width, height } = this.bytes;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++)
        this.add(u, v, (u === x ? 2 : 1) * (v === y ? 2 : 1));
    }
  }

  private add(x: number, y: number, weight: number): void {
    const { rgba, width, height } = this.bytes;
    const above = (y > 0 ? y - 1 : y) * width;
    const here = y * width;
    const below = (y + 1 < height ? y + 1 : y) * width;
    const left = x > 0 ? x - 1 : x;
    const right = x + 1 < width ? x + 1 : x;
    for (let c = 0; c < 4; c++) {
      const nw = rgba[(above + left) * 4 + c];
      const ne = rgba[(above + right) * 4 + c];
      const sw = rgba[(below + left) * 4 + c];
      const se = rgba[(below + right) * 4 + c];
      const gx = 3 * (ne + se - nw - sw) + 10 * (rgba[(here + right) * 4 + c] - rgba[(here + left) * 4 + c]);
      const gy = 3 * (sw + se - nw - ne) + 10 * (rgba[(below + x) * 4 + c] - rgba[(above + x) * 4 + c]);
      this.xx += weight * gx * gx;
      this.xy += weight * gx * gy;
      this.yy += weight * gy * gy;
    }
  }
}
